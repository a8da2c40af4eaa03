//! `isotherm evaluate`: how good the labels will be, on labels the fit did not see.

use isotherm::labelling::WeightedTargets;
use isotherm::monitor::Monitor;
use isotherm::resources::cost;
use isotherm::study::evaluate::SuspectLabel;
use isotherm::study::{EvaluateOptions, Evaluation, LabelSampling, SharesEffect, Study};
use isotherm_io::Table;
use serde_json::json;

use super::{check_output, draw, format_of, print_recipe};
use crate::args::{Data, Evaluate};
use crate::console::{Console, count, plain, print};
use crate::failure::{Failure, Outcome};
use crate::figures::confusion;
use crate::load::{Loaded, load, place};
use crate::{memory, model_text, verdict};

pub(crate) fn run(
    args: &Evaluate,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let drawing = match &args.plot {
        Some(path) => Some((
            path,
            format_of(path, "--plot")?,
            check_output(path, args.force, false)?,
        )),
        None => None,
    };
    let Loaded {
        table,
        input,
        cells: _,
        targets,
        weights,
        sizes,
        recipe,
        features,
        encoding: _,
        blank_rows: _,
        nodes,
    } = load(
        &without_marks(&args.data, args.audit.as_ref(), args.pool.as_ref()),
        &args.how,
        memory,
        console,
        monitor,
    )?;
    if args.how.print_recipe {
        return print_recipe(&recipe, console);
    }
    cost::check_units(&recipe, &sizes, false, memory::in_use(), memory)?;
    let rows = nodes.as_ref().map(|(_, rows)| rows.as_slice());
    let judging = EvaluateOptions {
        sampling: Marked {
            audit: args.audit.as_ref(),
            pool: args.pool.as_ref(),
            all: args.all_labels,
        }
        .chosen(&table, rows, input.len(), console)?,
        level: args.level,
        suspects: args.suspects,
    };
    let known = WeightedTargets {
        targets: &targets,
        weights: weights.as_deref(),
    };
    let found = Study::new(&recipe, input, known)
        .and_then(|mut study| study.evaluate(&judging, monitor))
        .map_err(|e| Failure::at(e, &table, &features))?;
    let known_nodes = nodes.as_ref().map(|(names, _)| names);
    let name = |sample: usize| place(&table, known_nodes, sample);
    if let Some((path, format, overwrite)) = drawing {
        match &found.confusion {
            Some(confusion) => draw(confusion, path, format, overwrite, console)?,
            None => {
                return Err(Failure::refused(
                    "unread-flag",
                    "--plot draws a confusion matrix, and these labels are no classes",
                    "leave it out",
                ));
            }
        }
    }
    if console.json() {
        let mut value = serde_json::to_value(&found).unwrap_or_else(|_| json!({}));
        value["recipe"] = json!(recipe);
        for (suspect, place) in found.suspects.iter().zip(0..) {
            value["suspects"][place as usize]["place"] = name(suspect.sample).into();
        }
        return console.answer(value);
    }
    for line in told(&found, &name) {
        print(&plain(&line))?;
    }
    Ok(())
}

/// What is learned from: columns that tell how a label was chosen say nothing of its row, so they
/// are features only where they are named.
pub(super) fn without_marks(data: &Data, audit: Option<&String>, pool: Option<&String>) -> Data {
    let mut data = data.clone();
    if data.features.is_empty() && data.embedding.is_empty() {
        data.exclude.extend(audit.into_iter().chain(pool).cloned());
    }
    data
}

/// What `next` calls the columns that tell how a label was chosen.
const MARKS: (&str, &str) = ("iso_audit", "iso_pool");

/// Columns that tell how labels were chosen, as far as they were named.
#[derive(Default)]
pub(super) struct Marked<'a> {
    pub(super) audit: Option<&'a String>,
    pub(super) pool: Option<&'a String>,
    /// Whether all labels are to be taken as drawn at random.
    pub(super) all: bool,
}

impl Marked<'_> {
    /// Which labels were drawn at random. Where no column is named and the table has those
    /// that `next` writes, these are read, and that is said: labels a model chose are hard rows.
    pub(super) fn chosen(
        &self,
        table: &Table,
        rows: Option<&[u32]>,
        samples: usize,
        console: &Console,
    ) -> Outcome<LabelSampling> {
        let names = table.names();
        let has = |name: &str| names.iter().any(|n| n == name);
        let ours = self.audit.is_none() && !self.all && has(MARKS.0) && has(MARKS.1);
        if !ours {
            let (audit, pool) = (self.audit, self.pool);
            return read_marks(
                audit.map(String::as_str),
                pool.map(String::as_str),
                table,
                rows,
                samples,
            );
        }
        console.note(&format!(
            "audit rows: from columns {} and {}, which isotherm next wrote; --all-labels takes all labels",
            MARKS.0, MARKS.1
        ));
        read_marks(Some(MARKS.0), Some(MARKS.1), table, rows, samples)
    }
}

/// Which labels were drawn at random, and from how many rows.
fn read_marks(
    audit: Option<&str>,
    pool: Option<&str>,
    table: &Table,
    rows: Option<&[u32]>,
    samples: usize,
) -> Outcome<LabelSampling> {
    let Some(column) = audit else {
        return Ok(LabelSampling::Random);
    };
    let sample = |row: usize| rows.map_or(row, |rows| rows[row] as usize);
    let mut audit = vec![false; samples];
    for (row, cell) in table.labels(column)?.iter().enumerate() {
        let drawn = match cell.as_deref().map(|c| c.trim().to_lowercase()).as_deref() {
            None | Some("" | "false" | "no" | "0") => false,
            Some("true" | "yes" | "1") => true,
            Some(other) => {
                return Err(Failure::refused(
                    "audit",
                    format!(
                        "{} {}, column \"{column}\": \"{other}\" is neither yes nor no",
                        table.origin().file(row).display(),
                        table.origin().place(row)
                    ),
                    "write true or false",
                )
                .in_row(table, row)
                .in_column(column, Some(other)));
            }
        };
        audit[sample(row)] |= drawn;
    }
    let pool = match pool {
        None => None,
        Some(column) => {
            let mut pool = vec![samples; samples];
            for (row, value) in table.values(column)?.iter().enumerate() {
                match value {
                    None => {}
                    Some(v) if *v >= 1.0 && *v <= samples as f64 && v.fract() == 0.0 => {
                        pool[sample(row)] = *v as usize;
                    }
                    Some(v) => {
                        return Err(Failure::refused(
                            "pool",
                            format!(
                                "{} {}, column \"{column}\": {v} rows cannot have been unlabelled",
                                table.origin().file(row).display(),
                                table.origin().place(row)
                            ),
                            format!("give a whole number from 1 to {samples}"),
                        )
                        .in_row(table, row)
                        .in_column(column, Some(&v.to_string())));
                    }
                }
            }
            Some(pool)
        }
    };
    Ok(LabelSampling::Active { audit, pool })
}

/// The report, line by line.
fn told(found: &Evaluation, name: &dyn Fn(usize) -> String) -> Vec<String> {
    let mut lines = vec![format!(
        "{} of {} rows have a label; {}",
        found.labels,
        found.samples,
        if found.audits_only {
            "only those drawn at random count"
        } else {
            "taken as drawn at random, each predicted by the others"
        }
    )];
    let percent = 100.0 * found.level;
    let higher = found.measures.first().is_some_and(|m| m.higher_is_better);
    for measured in &found.measures {
        lines.push(format!("  {}", verdict::measure(measured, percent)));
    }
    if let Some(baseline) = &found.baseline {
        let value = verdict::value(baseline.value, higher);
        lines.push(format!(
            "  beside it, {}: {value} on the same rows; {} ({} better, {} worse with unlabelled \
             data; so far apart by chance {:.2})",
            baseline.name,
            baseline.describe(),
            baseline.better,
            baseline.worse,
            baseline.chance
        ));
    }
    let baseline = found.baseline.as_ref().map(|b| b.name);
    if let Some(constant) = (found.constant.as_ref()).filter(|c| Some(c.name) != baseline) {
        let value = verdict::value(constant.value, higher);
        lines.push(format!("  beside it, {}: {value}", constant.name));
    }
    lines.extend(verdict::members(found));
    if let Some(worth) = found.worth() {
        lines.push(format!("verdict: {}", worth.describe()));
    }
    if let Some(effect) = &found.class_shares {
        lines.extend(shares_lines(effect));
    }
    if let Some(confusion) = &found.confusion {
        lines.extend(confusion::lines(confusion));
    }
    if !found.suspects.is_empty() {
        lines.push(format!(
            "{} that the others contradict, most first:",
            count(found.suspects.len(), "label", "labels")
        ));
        let line = |s: &SuspectLabel| {
            format!(
                "  {}: given \"{}\", the others say \"{}\" ({:.1})",
                name(s.sample),
                s.given,
                s.suggested,
                s.strength
            )
        };
        lines.extend(found.suspects.iter().map(line));
    }
    lines.extend(found.notes.iter().map(|note| format!("note: {note}")));
    lines
}

/// What class shares of the unlabelled rows change.
fn shares_lines(effect: &SharesEffect) -> [String; 2] {
    let rows = count(effect.found.rows, "unlabelled row", "unlabelled rows");
    let (with, without) = (100.0 * effect.accuracy_with, 100.0 * effect.accuracy);
    let change = if effect.used {
        format!(
            "{} of {rows} have another class by these shares; labels weighed by them: accuracy \
             {with:.1} %, without them {without:.1} %",
            effect.moved
        )
    } else {
        format!(
            "--class-shares unlabelled would give {} of {rows} another class; labels weighed by \
             these shares: accuracy {with:.1} %, now {without:.1} %",
            effect.moved
        )
    };
    [model_text::shares(&effect.found), format!("  {change}")]
}
