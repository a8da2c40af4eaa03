//! The columns that are learned from.

use isotherm::data::Points;
use isotherm_io::profile::meant_as_numbers;
use isotherm_io::provenance::quoted;
use isotherm_io::{ColumnUse, FeatureKind, FeaturePlan, Features, LeftOut, Table, Unfit, Unseen};

use super::listed;
use crate::args::Data;
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};

/// The feature columns that were asked for.
pub(crate) fn feature_choice(data: &Data) -> Features {
    let mut choice = match (data.features.is_empty(), data.embedding.is_empty()) {
        (_, false) => Features::lists(&data.embedding),
        (true, true) => Features::automatic(),
        (false, true) => Features::named(&data.features),
    };
    for name in &data.categorical {
        choice = choice.categorical(name);
    }
    for name in &data.text {
        choice = choice.read_as(name, FeatureKind::Text);
    }
    for name in &data.image {
        choice = choice.read_as(name, FeatureKind::Picture);
    }
    for (name, kind) in &data.kind {
        choice = choice.read_as(name, *kind);
    }
    let aside = data.exclude.iter().chain(&data.id).chain([&data.label]);
    for name in aside.chain(&data.label_weights).filter(|n| !n.is_empty()) {
        choice = choice.except(name);
    }
    choice
}

/// The chosen features, of which there has to be one.
pub(crate) fn plan_features(table: &Table, choice: &Features) -> Outcome<FeaturePlan> {
    let plan = choice.plan(table)?;
    if plan.is_empty() {
        return Err(no_features(table, choice));
    }
    Ok(plan)
}

/// The chosen columns as points; refusals name the file's line and column.
pub(crate) fn choose_features(table: &Table, choice: &Features) -> Outcome<(Vec<String>, Points)> {
    let plan = plan_features(table, choice)?;
    let (points, _) = plan.points(table).map_err(|e| excludable(e, table))?;
    Ok((plan.names().to_vec(), points))
}

/// The refusal of a table without a feature: the column that was likely meant to be one, or
/// those that there are.
pub(crate) fn no_features(table: &Table, choice: &Features) -> Failure {
    let left = choice.candidates(table).unwrap_or_default();
    let meant = left.iter().find_map(|name| {
        let bad = meant_as_numbers(table, name).ok().flatten()?;
        Some((name, bad))
    });
    let hint = match meant {
        Some((name, bad)) if bad.value.contains("...") => format!(
            "column \"{name}\" holds lists, but numbers are left out at {}: write them whole",
            bad.place
        ),
        Some((name, bad)) => format!(
            "column \"{name}\" seems to be meant as numbers, but {} has \"{}\": write them \
             without signs and units",
            bad.place, bad.value
        ),
        None if left.is_empty() => "add columns to learn from, or set fewer aside".to_owned(),
        None => format!(
            "a column is left out if it is blank, has one value or names rows; --kind says \
             otherwise; there are {}",
            listed(&left)
        ),
    };
    Failure::refused(
        "no-features",
        format!(
            "{}: no column is left to learn from",
            table.origin().path.display()
        ),
        hint,
    )
}

/// Says which columns are features, and which are not.
pub(crate) fn tell_features(plan: &FeaturePlan, console: &Console) {
    console.note(&format!("features: {}", shown(plan)));
    tell_filled(plan, &plan.filled(), console);
    let told = |left: &LeftOut| format!("\"{}\" ({})", left.column, left.why);
    let expected = |left: &&LeftOut| matches!(left.why, Unfit::RowNumbers | Unfit::Names);
    let (expected, others): (Vec<&LeftOut>, Vec<&LeftOut>) =
        plan.left_out().iter().partition(expected);
    if !expected.is_empty() {
        let names: Vec<String> = expected.into_iter().map(told).collect();
        console.note(&format!("left out: {}", listed(&names)));
    }
    let left: Vec<String> = others.iter().map(|left| told(left)).collect();
    if let Some(first) = others.first() {
        let name = quoted(&first.column);
        console.warn(
            "left-out",
            &format!(
                "{} no {}: {}",
                count(left.len(), "column is", "columns are"),
                if left.len() == 1 {
                    "feature"
                } else {
                    "features"
                },
                listed(&left)
            ),
            Some(&format!(
                "they say nothing about the rows; pass --kind {name}=category or --kind \
                 {name}=text to use one nevertheless, --exclude {name} to silence this"
            )),
        );
    }
}

/// The column that names the rows: that of `--id`, or the first one that was left out because
/// it does.
pub(crate) fn naming_column(plan: &FeaturePlan, data: &Data) -> Option<String> {
    let found = plan.left_out().iter().find(|left| left.why == Unfit::Names);
    data.id.clone().or(found.map(|left| left.column.clone()))
}

/// Says which missing numbers and pictures were filled.
pub(crate) fn tell_filled(plan: &FeaturePlan, filled: &[(String, usize)], console: &Console) {
    let is_picture =
        |name: &str| (plan.uses()).any(|u| u.column == name && u.kind == FeatureKind::Picture);
    for (pictures, said) in [
        (
            false,
            "missing numbers were replaced by the column's median",
        ),
        (true, "missing pictures count as even grey ones"),
    ] {
        let columns: Vec<String> = (filled.iter())
            .filter(|(column, _)| is_picture(column) == pictures)
            .map(|(column, cells)| format!("{column} ({})", count(*cells, "cell", "cells")))
            .collect();
        if !columns.is_empty() {
            console.note(&format!("{said}: {}", listed(&columns)));
        }
    }
}

/// The features, one entry per column of the table; a column that became several features is
/// followed by how many.
fn shown(plan: &FeaturePlan) -> String {
    let told: Vec<String> = plan.uses().map(one_use).collect();
    if plan.len() > told.len() {
        format!("{} ({} in all)", listed(&told), plan.len())
    } else {
        listed(&told)
    }
}

/// A column and what it is read as, where it is no number.
fn one_use(column: ColumnUse<'_>) -> String {
    let (name, n) = (column.column, column.features);
    match column.kind {
        FeatureKind::List => format!("{name}[0…{}]", n - 1),
        FeatureKind::Category => format!("{name} ({n} values)"),
        FeatureKind::Date => format!("{name} (date)"),
        FeatureKind::Text if column.embedded => format!("{name} (text, embedded in {n} numbers)"),
        FeatureKind::Text => format!("{name} (text, {n} topics)"),
        FeatureKind::Picture => format!("{name} (pictures, {n} numbers each)"),
        FeatureKind::Number | FeatureKind::Identifier | FeatureKind::Nothing => name.to_owned(),
    }
}

/// The refusal of a cell, of a table whose columns can be left out.
pub(crate) fn excludable(error: isotherm_io::Error, table: &Table) -> Failure {
    let mut failure = Failure::from(error);
    let Some(column) = failure
        .spot
        .column
        .as_deref()
        .filter(|_| failure.code == "cell")
    else {
        return failure;
    };
    // An entry of a list goes with its column.
    let whole = column.rsplit_once('[').map_or(column, |(whole, _)| whole);
    let known = |name: &&str| table.column(name).is_ok();
    if let (Some(name), Some(hint)) = ([column, whole].into_iter().find(known), &failure.hint) {
        failure.hint = Some(format!("{hint}, or pass --exclude {}", quoted(name)));
    }
    failure
}

/// Says which values of columns the model has never seen.
pub(crate) fn tell_unseen(unseen: &[Unseen], console: &Console) {
    for new in unseen {
        let example = match new.rows {
            1 => format!("\"{}\"", new.example),
            _ => format!("such as \"{}\"", new.example),
        };
        console.warn(
            "unseen-value",
            &format!(
                "{} in column \"{}\" a value the model was not fitted on, {example}: counted as none of its values",
                count(new.rows, "row has", "rows have"),
                new.column
            ),
            Some("check the spelling, or fit again with such rows in the table"),
        );
    }
}
