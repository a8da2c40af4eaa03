//! The feature columns: cells that are no numbers, columns that say nothing or too much,
//! rows that are equal.

use isotherm::data::columns::Columns;
use isotherm::data::label_leakage::chance_of_leakage;
use isotherm::data::{Distinct, Targets};
use isotherm::monitor::Monitor;
use isotherm::recipe::Scaling;
use isotherm_io::profile::{ColumnKind, ColumnProfile};
use isotherm_io::{FeaturePlan, Table, quoted};
use serde_json::json;

use super::findings::{Findings, Weight};
use crate::console::count;
use crate::failure::{Failure, Outcome};
use crate::load::listed;

/// A chance below this, over all columns, is none.
const NO_CHANCE: f64 = 1e-3;

/// Scales that differ by more than this are told.
const FAR_APART: f64 = 1000.0;

/// Looks at the features, as they would be learned from.
pub(super) fn look(
    table: &Table,
    features: &FeaturePlan,
    targets: &Targets,
    scaling: Option<Scaling>,
    found: &mut Findings,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    cells(found);
    // A blank text is none of the texts, and a missing number is filled.
    let lists = |p: &ColumnProfile| p.kind == ColumnKind::Lists && p.missing > 0;
    let usable = |p: &&ColumnProfile| p.kind == ColumnKind::Text || p.bad == 0 && !lists(p);
    let good: Vec<String> = found
        .features()
        .filter(usable)
        .map(|p| p.name.clone())
        .collect();
    let whole = good.len() == found.features().count();
    if good.is_empty() || table.rows() == 0 {
        return Ok(());
    }
    let usable = features.only(&good);
    let (points, _) = usable.points_watched(table, monitor)?;
    let names = usable.names();
    let columns = Columns::of(&points);
    // Topics and the numbers of a picture belong together: no single column of them is reported.
    let blocks = usable.blocks();
    let alone = |j: usize| !blocks.iter().any(|block| block.contains(&j));
    constants(&columns, (names, &alone), whole, found);
    scales(&columns, (names, &alone), scaling, found);
    let classes = match targets {
        Targets::Classes { labels, .. } => Some(labels.as_slice()),
        _ => None,
    };
    if let Some(labels) = classes {
        let known: Vec<(usize, u32)> = labels
            .iter()
            .enumerate()
            .filter_map(|(row, label)| label.map(|l| (row, l)))
            .collect();
        let own: Vec<u32> = known.iter().map(|(_, l)| *l).collect();
        for (j, name) in names.iter().enumerate().filter(|(j, _)| alone(*j)) {
            let values: Vec<f64> = known.iter().map(|(row, _)| points.row(*row)[j]).collect();
            let chance = chance_of_leakage(&values, &own);
            if chance.is_some_and(|c| c * (names.len() as f64) < NO_CHANCE) {
                found.add(
                    Weight::Warning,
                    "gives-label-away",
                    format!("column \"{name}\" alone tells every label that is given"),
                    format!(
                        "if it is made from the label, pass --exclude {}",
                        quoted(name)
                    ),
                );
            }
        }
    }
    if whole {
        let equal = Distinct::of(&points, monitor).map_err(Failure::from)?;
        repeats(&equal, table, classes, found);
    }
    Ok(())
}

/// Cells that keep `label` from working, column by column; columns that name rows.
fn cells(found: &mut Findings) {
    let mut filled = Vec::new();
    let features: Vec<ColumnProfile> = found.features().cloned().collect();
    for column in &features {
        let name = &column.name;
        if column.bad > 0 {
            let first = column.first_bad.iter();
            let first = first.map(|b| format!("{} \"{}\"", b.place, b.value));
            found.add(
                Weight::Error,
                "cell",
                format!(
                    "column \"{name}\": {} no number: {}{}",
                    count(column.bad, "cell is", "cells are"),
                    first.collect::<Vec<_>>().join(", "),
                    if column.bad > column.first_bad.len() {
                        ", …"
                    } else {
                        ""
                    }
                ),
                format!("correct them, or pass --exclude {}", quoted(name)),
            );
        }
        if let Some(first) = &column.first_missing {
            match column.kind {
                ColumnKind::Text => {}
                ColumnKind::Lists => found.add(
                    Weight::Error,
                    "cell",
                    format!(
                        "column \"{name}\": {} no value, the first at {first}",
                        count(column.missing, "cell has", "cells have")
                    ),
                    format!(
                        "fill them, remove the rows, or pass --exclude {}",
                        quoted(name)
                    ),
                ),
                _ => filled.push(format!(
                    "{name} ({}, first at {first})",
                    count(column.missing, "cell", "cells")
                )),
            }
        }
        // A column whose name says so is left out; that all numbers differ may be chance.
        if column.numbers_rows {
            found.add(
                Weight::Note,
                "names-rows",
                format!("column \"{name}\" is used as a feature, but seems to only name rows"),
                format!("pass --id {} if it does", quoted(name)),
            );
        }
    }
    if !filled.is_empty() {
        let said = format!("{}; the column's median takes their place", listed(&filled));
        found.facts.push(("missing numbers", said));
    }
}

/// Names of the features, and whether one is a column of its own.
type Named<'a> = (&'a [String], &'a dyn Fn(usize) -> bool);

fn constants(columns: &Columns, (names, alone): Named<'_>, whole: bool, found: &mut Findings) {
    let constant = columns.constant();
    let told = constant.iter().filter(|j| alone(**j));
    let told: Vec<String> = told.map(|&j| names[j].clone()).collect();
    if whole && constant.len() == names.len() {
        found.add(
            Weight::Error,
            "constant-columns",
            "every feature has one value only: rows cannot be told apart",
            "choose other features with --features",
        );
    } else if !told.is_empty() {
        found.add(
            Weight::Warning,
            "constant-columns",
            format!("columns with one value only: {}", listed(&told)),
            "they change nothing; --exclude leaves them out",
        );
    }
}

fn scales(
    columns: &Columns,
    (names, alone): Named<'_>,
    scaling: Option<Scaling>,
    found: &mut Findings,
) {
    let told = |(a, b, ratio): &(usize, usize, f64)| *ratio > FAR_APART && alone(*a) && alone(*b);
    let Some((least, most, ratio)) = columns.scales().filter(told) else {
        return;
    };
    let what = format!(
        "column \"{}\" spreads {ratio:.0e} times as far as \"{}\"",
        names[most], names[least]
    );
    match scaling {
        Some(Scaling::None) => found.add(
            Weight::Warning,
            "scales",
            format!("{what}, and drowns it"),
            "leave out --scaling none",
        ),
        _ => found.add(
            Weight::Note,
            "scales",
            format!("{what}; columns are standardised"),
            "",
        ),
    }
}

/// Equal rows, and those of them with different labels.
fn repeats(equal: &Distinct, table: &Table, labels: Option<&[Option<u32>]>, found: &mut Findings) {
    let repeated = table.rows() - equal.len();
    found
        .values
        .insert("repeated_rows".to_owned(), json!(repeated));
    if repeated > 0 {
        found.add(
            Weight::Note,
            "repeated-rows",
            format!(
                "{} an earlier one",
                count(repeated, "row repeats", "rows repeat")
            ),
            "",
        );
    }
    let conflicts = labels.map(|l| equal.conflicts(l)).unwrap_or_default();
    if let Some((row, earlier)) = conflicts.first() {
        let place = |row: &usize| table.origin().place(*row);
        found.add(
            Weight::Warning,
            "conflicts",
            format!(
                "{} as an earlier row and another label, the first at {} (as {})",
                count(
                    conflicts.len(),
                    "row has the same numbers",
                    "rows have the same numbers"
                ),
                place(row),
                place(earlier)
            ),
            "check them: no method can tell such rows apart",
        );
    }
}
