//! `isotherm next`: the rows to label next, with reasons.

use std::path::Path;

use isotherm::labelling::WeightedTargets;
use isotherm::monitor::Monitor;
use isotherm::resources::cost;
use isotherm::study::{Study, SuggestOptions, Suggested};
use isotherm_io::{Cells, Column, Format, Nullable, Origin, Table, TextCells, merge, quoted};
use serde_json::json;

use super::{check_table_output, print_recipe, put_table};
use crate::args::Next;
use crate::console::{Console, count, plain, print};
use crate::failure::{Failure, Outcome};
use crate::load::{Loaded, load, place};
use crate::memory;

/// Rows that are suggested where no number is asked for.
const USUAL: usize = 10;

pub(crate) fn run(
    args: &Next,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let options = match &args.output {
        Some(path) => Some(check_table_output(path, &args.writing, console.json())?),
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
    } = load(&args.data, &args.how, memory, console, monitor)?;
    if args.how.print_recipe {
        return print_recipe(&recipe, console);
    }
    cost::check_features(&recipe, &sizes, args.modes, memory::in_use(), memory)?;
    let asking = SuggestOptions {
        count: args.count.unwrap_or_else(|| {
            let open = targets.len() - targets.labelled().len();
            USUAL.min(open.max(1))
        }),
        strategy: args.strategy,
        audit_every: Some(args.audit_every).filter(|k| *k > 0),
        modes: args.modes,
        classes: args.classes.clone(),
    };
    let known = WeightedTargets {
        targets: &targets,
        weights: weights.as_deref(),
    };
    let found = Study::new(&recipe, input, known)
        .and_then(|mut study| study.suggest(&asking, monitor))
        .map_err(|e| Failure::at(e, &table, &features))?;
    let known_nodes = nodes.as_ref().map(|(names, _)| names);
    let name = |sample: usize| place(&table, known_nodes, sample);
    if !found.note.is_empty() {
        console.note(&found.note);
    }
    if let (Some(path), Some(options)) = (&args.output, options) {
        let rows = todo(
            &found,
            &table,
            nodes.as_ref().map(|(_, rows)| rows.as_slice()),
            &name,
        )?;
        put_table(&rows, path, options, console, monitor)?;
        console.note(&format!(
            "wrote {} to label; {}",
            count(found.rows.len(), "row", "rows"),
            way_back(args, path)
        ));
    }
    if console.json() {
        let mut value = serde_json::to_value(&found).unwrap_or_else(|_| json!({}));
        value["strategy"] = asking.strategy.name().into();
        value["output"] = args.output.as_ref().map(|p| p.display().to_string()).into();
        let rows = nodes.as_ref().map(|(_, rows)| rows.as_slice());
        for (k, next) in found.rows.iter().enumerate() {
            let sample = next.suggestion.row;
            value["rows"][k]["place"] = name(sample).into();
            // As in the column iso_row.
            value["rows"][k]["row"] = row_of(rows, sample).map(|row| row + 1).into();
        }
        return console.answer(value);
    }
    if args.output.is_none() {
        for next in &found.rows {
            let suggestion = &next.suggestion;
            let line = format!("{}: {}", name(suggestion.row), suggestion.reason);
            print(&plain(&line))?;
        }
    }
    Ok(())
}

/// Columns that tell of a round of suggestions: those of an earlier one are not copied.
const OWN: [&str; 5] = [
    merge::ROW,
    "iso_place",
    "iso_reason",
    merge::AUDIT,
    merge::POOL,
];

/// The first row of a sample, which may be a node; `None` for a node without one.
fn row_of(nodes: Option<&[u32]>, sample: usize) -> Option<usize> {
    match nodes {
        None => Some(sample),
        Some(rows) => rows.iter().position(|n| *n as usize == sample),
    }
}

/// The suggested rows as they stand in the table, with why.
fn todo(
    found: &Suggested,
    table: &Table,
    nodes: Option<&[u32]>,
    name: &dyn Fn(usize) -> String,
) -> Outcome<Table> {
    let rows: Vec<Option<usize>> = (found.rows.iter())
        .map(|next| row_of(nodes, next.suggestion.row))
        .collect();
    let copied = table.columns().iter();
    let copied = copied.filter(|column| !OWN.contains(&column.name.as_str()));
    let mut columns: Vec<Column> = copied
        .map(|column| named(&column.name, column.cells.pick(&rows)))
        .collect();
    let (mut places, mut reasons) = (TextCells::default(), TextCells::default());
    for next in &found.rows {
        for (cells, text) in [
            (&mut places, name(next.suggestion.row)),
            (&mut reasons, next.suggestion.reason.clone()),
        ] {
            if !cells.push(&text) {
                cells.push_missing();
            }
        }
    }
    let numbers = rows
        .iter()
        .map(|row| row.and_then(|row| i64::try_from(row + 1).ok()));
    let audits = found.rows.iter().map(|n| n.suggestion.audit.is_some());
    let pools = found.rows.iter().map(|n| i64::try_from(n.pool).ok());
    let own = [
        Cells::Integer(numbers.collect()),
        Cells::Text(places),
        Cells::Text(reasons),
        Cells::Bool(Nullable::full(audits.collect())),
        Cells::Integer(pools.collect()),
    ];
    columns.extend(OWN.iter().zip(own).map(|(name, cells)| named(name, cells)));
    Ok(Table::new(
        columns,
        Origin::new("suggestions", Format::Csv),
    )?)
}

fn named(name: &str, cells: Cells) -> Column {
    Column {
        name: name.to_owned(),
        cells,
    }
}

/// What to do with the rows that were written.
fn way_back(args: &Next, path: &Path) -> String {
    let label = quoted(&args.data.label);
    let todo = quoted(&path.to_string_lossy());
    // One table goes in: a file, or a pattern or directory that stands for all of them.
    let (first, data) = match args.data.data.as_slice() {
        [one] => ("put the labels back", quoted(&one.to_string_lossy())),
        _ => (
            "put the files, in this order, into one table ALL and the labels back",
            "ALL".to_owned(),
        ),
    };
    let marks = if args.data.unlabelled.is_empty() {
        String::new()
    } else {
        format!(" --unlabelled {}", quoted(&args.data.unlabelled.join(",")))
    };
    format!(
        "fill \"{}\" there and {first} with isotherm merge {data} {todo} --label {label}{marks} -o \
         merged.csv; then isotherm evaluate merged.csv --label {label}{marks} stays honest",
        args.data.label,
    )
}
