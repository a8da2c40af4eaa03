//! `isotherm next`: the rows to label next, with reasons.

use isotherm::monitor::Monitor;
use isotherm::query::Acquisition;
use isotherm::recipe::{self, Asking, Given, Suggested, cost};
use isotherm_io::provenance::quoted;
use isotherm_io::{Cells, Column, Format, Nullable, Origin, Table, TextCells, merge};
use serde_json::json;

use super::{check_table_output, print_recipe, put_table};
use crate::args::{Next, StrategyName};
use crate::failure::{Failure, Outcome};
use crate::gather::{Gathered, gather, place};
use crate::memory;
use crate::talk::{Talk, count, plain, print};

/// Rows that are suggested where no number is asked for.
const USUAL: usize = 10;

pub(crate) fn run(args: &Next, memory: u64, talk: &Talk, monitor: &mut dyn Monitor) -> Outcome<()> {
    let options = match &args.output {
        Some(path) => Some(check_table_output(path, &args.writing, talk.json())?),
        None => None,
    };
    let Gathered {
        table,
        input,
        targets,
        weights,
        sizes,
        recipe,
        features,
        nodes,
    } = gather(&args.data, &args.how, memory, talk, monitor)?;
    if args.how.print_recipe {
        return print_recipe(&recipe, talk);
    }
    cost::check_features(&recipe, &sizes, args.modes, memory::in_use(), memory)?;
    let asking = Asking {
        count: args.count.unwrap_or_else(|| {
            let open = targets.len() - targets.labelled().len();
            USUAL.min(open.max(1))
        }),
        strategy: strategy(args.strategy),
        audit_every: Some(args.audit_every).filter(|k| *k > 0),
        modes: args.modes,
        classes: args.classes.clone(),
    };
    let known = Given {
        targets: &targets,
        weights: weights.as_deref(),
    };
    let found = recipe::suggest(&recipe, input, known, &asking, monitor)
        .map_err(|e| Failure::at(e, &table, &features))?;
    let known_nodes = nodes.as_ref().map(|(names, _)| names);
    let name = |sample: usize| place(&table, known_nodes, sample);
    if !found.note.is_empty() {
        talk.note(&found.note);
    }
    if let (Some(path), Some(options)) = (&args.output, options) {
        let rows = todo(
            &found,
            &table,
            nodes.as_ref().map(|(_, rows)| rows.as_slice()),
            &name,
        )?;
        put_table(&rows, path, options, talk, monitor)?;
        let marks = match args.data.unlabelled.is_empty() {
            true => String::new(),
            false => format!(" --unlabelled {}", quoted(&args.data.unlabelled.join(","))),
        };
        talk.note(&format!(
            "wrote {} to label; fill \"{label}\" there and put the labels back with \
             isotherm merge {} {} --label {label}{marks} -o FILE; then isotherm evaluate FILE --audit \
             iso_audit --pool iso_pool stays honest",
            count(found.rows.len(), "row", "rows"),
            args.data.named(),
            path.display(),
            label = args.data.label,
        ));
    }
    if talk.json() {
        let mut value = serde_json::to_value(&found).unwrap_or_else(|_| json!({}));
        value["strategy"] = asking.strategy.name().into();
        value["output"] = args.output.as_ref().map(|p| p.display().to_string()).into();
        for (k, next) in found.rows.iter().enumerate() {
            value["rows"][k]["place"] = name(next.suggestion.row).into();
        }
        return talk.answer(value);
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

fn strategy(name: StrategyName) -> Acquisition {
    match name {
        StrategyName::Maximin => Acquisition::Maximin,
        StrategyName::VOptimal => Acquisition::VOptimal,
        StrategyName::SigmaOptimal => Acquisition::SigmaOptimal,
        StrategyName::Margin => Acquisition::Margin,
        StrategyName::Entropy => Acquisition::Entropy,
        StrategyName::Cover => Acquisition::Cover,
        StrategyName::Random => Acquisition::Random,
    }
}

/// The suggested rows as they stand in the table, with why.
fn todo(
    found: &Suggested,
    table: &Table,
    nodes: Option<&[u32]>,
    name: &dyn Fn(usize) -> String,
) -> Outcome<Table> {
    let mut columns = Vec::new();
    let row_of = |sample: usize| match nodes {
        None => Some(sample),
        Some(rows) => rows.iter().position(|n| *n as usize == sample),
    };
    for column in table.columns() {
        let cells = table.labels(&column.name)?;
        let mut texts = TextCells::default();
        for next in &found.rows {
            let cell = row_of(next.suggestion.row).and_then(|row| cells[row].as_deref());
            if !cell.is_some_and(|cell| texts.push(cell)) {
                texts.push_missing();
            }
        }
        columns.push(Column {
            name: column.name.clone(),
            cells: Cells::Text(texts),
        });
    }
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
    let audits = found.rows.iter().map(|n| n.suggestion.audit.is_some());
    let pools = found.rows.iter().map(|n| n.pool as f64);
    let named = |name: &str, cells: Cells| Column {
        name: name.to_owned(),
        cells,
    };
    let numbers = found
        .rows
        .iter()
        .map(|n| row_of(n.suggestion.row).and_then(|row| i64::try_from(row + 1).ok()));
    columns.push(named(merge::ROW, Cells::Integer(numbers.collect())));
    columns.push(named("iso_place", Cells::Text(places)));
    columns.push(named("iso_reason", Cells::Text(reasons)));
    columns.push(named(
        "iso_audit",
        Cells::Bool(Nullable::full(audits.collect())),
    ));
    columns.push(named(
        "iso_pool",
        Cells::Float(Nullable::full(pools.collect())),
    ));
    Ok(Table::new(
        columns,
        Origin::new("suggestions", Format::Csv),
    )?)
}
