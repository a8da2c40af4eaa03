//! `isotherm merge`: labels that were filled in elsewhere → the table they belong to.

use isotherm::monitor::Monitor;
use isotherm_io::labels::without;
use isotherm_io::merge::Disagreement;
use isotherm_io::{Merged, merge_labels, sources};
use serde_json::json;

use super::{check_table_output, put_table};
use crate::args::Merge;
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};
use crate::load::table::{TableFiles, check_formats, read_among as read};

pub(crate) fn run(
    args: &Merge,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let options = check_table_output(&args.output, &args.writing, console.json())?;
    let streams = args.filled.iter().chain([&args.data]);
    if streams.filter(|p| p.as_os_str() == "-").count() > 1 {
        return Err(Failure::usage(
            "two of the tables are standard input, which can be read once",
            "give all but one of them as files",
        ));
    }
    let mut all = Vec::new();
    for path in args.filled.iter().chain([&args.data]) {
        all.extend(sources(std::slice::from_ref(path))?);
    }
    check_formats(&all, &args.reading)?;
    let mut table = read(
        TableFiles {
            paths: std::slice::from_ref(&args.data),
            reading: &args.reading,
            without: &[],
            memory,
        },
        console,
        monitor,
    )?;
    let how = isotherm_io::Merge {
        label: &args.label,
        id: args.id.as_deref(),
        unlabelled: &args.unlabelled,
        along: &args.along,
        unmatched: args.unmatched,
        disagreement: if args.replace {
            Disagreement::Replace
        } else {
            Disagreement::Refuse
        },
    };
    let mut all = Merged::default();
    for path in &args.filled {
        let filled = std::slice::from_ref(path);
        let filled = read(
            TableFiles {
                paths: filled,
                reading: &args.reading,
                without: &[],
                memory,
            },
            console,
            monitor,
        )?;
        let merged = merge_labels(&mut table, &filled, &how)?;
        all.filled += merged.filled;
        all.replaced += merged.replaced;
        all.same += merged.same;
        all.blank += merged.blank;
        all.unmatched += merged.unmatched;
    }
    if all.blank > 0 {
        console.warn(
            "still-blank",
            &format!(
                "{} still without a label",
                count(all.blank, "chosen row is", "chosen rows are")
            ),
            Some("fill them, or leave them for another round"),
        );
    }
    let labelled = without(table.labels(&args.label)?, &args.unlabelled);
    let labelled = labelled.iter().flatten().count();
    put_table(&table, &args.output, options, console, monitor)?;
    console.note(&format!(
        "{} filled, {} replaced, {} there already, {} of no row here; {labelled} of {} rows have a \
         label now",
        all.filled,
        all.replaced,
        all.same,
        all.unmatched,
        table.rows()
    ));
    if console.json() {
        console.answer(json!({
            "filled": all.filled,
            "replaced": all.replaced,
            "same": all.same,
            "blank": all.blank,
            "unmatched": all.unmatched,
            "labelled": labelled,
            "rows": table.rows(),
            "output": args.output.display().to_string(),
        }))?;
    }
    Ok(())
}
