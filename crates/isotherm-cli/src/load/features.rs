//! The columns that are learned from.

use isotherm::data::Points;
use isotherm_io::profile::{meant_as_numbers, names_rows, numbers_rows};
use isotherm_io::provenance::quoted;
use isotherm_io::{Features, LeftOut, Plan, Table, Unfit, Unseen};

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
    let aside = data.exclude.iter().chain(&data.id).chain([&data.label]);
    for name in aside.chain(&data.label_weights).filter(|n| !n.is_empty()) {
        choice = choice.except(name);
    }
    choice
}

/// The chosen features, of which there has to be one.
pub(crate) fn plan_features(table: &Table, choice: &Features) -> Outcome<Plan> {
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
            "texts are features with 2 to {} values, or up to {} with --categorical; there are {}",
            isotherm_io::one_hot::USUAL,
            isotherm_io::one_hot::MOST,
            listed(&left)
        ),
    };
    Failure::refused(
        "no-features",
        format!(
            "{}: no numeric column is left to learn from",
            table.origin().path.display()
        ),
        hint,
    )
}

/// Says which columns are features, which are not, and which perhaps should not be; a table
/// that is not here is judged by its names.
pub(crate) fn tell_features(plan: &Plan, table: Option<&Table>, data: &Data, console: &Console) {
    console.note(&format!("features: {}", shown(plan)));
    tell_filled(&plan.filled(), console);
    let told = |left: &LeftOut| format!("\"{}\" ({})", left.column, left.why);
    let (numbering, others): (Vec<&LeftOut>, Vec<&LeftOut>) =
        (plan.left_out().iter()).partition(|left| left.why == Unfit::RowNumbers);
    if !numbering.is_empty() {
        let numbering: Vec<String> = numbering.into_iter().map(told).collect();
        console.note(&format!("left out: {}", listed(&numbering)));
    }
    let left: Vec<String> = others.iter().map(|left| told(left)).collect();
    if let Some(first) = others.first() {
        let name = quoted(&first.column);
        let rule = match first.why {
            Unfit::Dates => format!(
                "dates are no kinds of rows; pass --categorical {name} to take each as one, \
                 --exclude {name} if it is none"
            ),
            _ => format!(
                "texts are features with 2 to {} values; pass --categorical {name} for up to {}, \
                 --exclude {name} if it is none",
                isotherm_io::one_hot::USUAL,
                isotherm_io::one_hot::MOST,
            ),
        };
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
            Some(&rule),
        );
    }
    if !data.features.is_empty() {
        return;
    }
    for name in plan.names() {
        // Whether numbers differ is looked at only where that decides.
        let different = || table.is_some_and(|t| numbers_rows(t, name).unwrap_or(false));
        if names_rows(name, false) || names_rows(name, true) && different() {
            console.warn(
                "names-rows",
                &format!(
                    "column \"{name}\" is used as a feature, but its name says it only names rows"
                ),
                Some(&format!(
                    "pass --id {}; or name it in --features to keep it",
                    quoted(name)
                )),
            );
        }
    }
}

/// Says which missing numbers were filled.
pub(crate) fn tell_filled(filled: &[(String, usize)], console: &Console) {
    if filled.is_empty() {
        return;
    }
    let each = |(column, cells): &(String, usize)| {
        format!("{column} ({})", count(*cells, "cell", "cells"))
    };
    let columns: Vec<String> = filled.iter().map(each).collect();
    console.note(&format!(
        "missing numbers were replaced by the column's median: {}",
        listed(&columns)
    ));
}

/// The features, one entry per column of the table; a column that became several features is
/// followed by how many.
fn shown(plan: &Plan) -> String {
    let many = plan
        .lists()
        .map(|(column, n)| (column, format!("{column}[0…{}]", n - 1)));
    let words = plan
        .words()
        .map(|(column, n)| (column, format!("{column} ({n} values)")));
    let many: Vec<(&str, String)> = many.chain(words).collect();
    let columns = plan.columns();
    let told: Vec<String> = (columns.iter())
        .map(|c| match many.iter().find(|(column, _)| column == c) {
            Some((_, told)) => told.clone(),
            None => c.clone(),
        })
        .collect();
    if plan.len() > columns.len() {
        format!("{} ({} in all)", listed(&told), plan.len())
    } else {
        listed(&told)
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
