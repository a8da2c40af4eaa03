//! The label column: read once, and what its cells are taken as.

use std::collections::BTreeMap;

use isotherm::data::Targets;
use isotherm::data::points::LARGEST;
use isotherm::monitor::Monitor;
use isotherm::recipe::guess_task;
use isotherm::recipe::{Recipe, Task};
use isotherm_io::labels::spellings::rename;
use isotherm_io::labels::{looks_unlabelled, without};
use isotherm_io::profile::Alike;
use isotherm_io::provenance::quoted;
use isotherm_io::{Table, label_cells};

use super::spellings;
use crate::args::Data;
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};
use crate::recipe_flags::RecipeSource;

/// The way out where every label is given already.
pub(crate) fn nothing_to_fill(labels: &[Option<String>]) -> String {
    match labels
        .iter()
        .flatten()
        .find(|label| looks_unlabelled(label))
    {
        Some(mark) => format!(
            "if \"{mark}\" means that there is none, pass --unlabelled {}",
            quoted(mark)
        ),
        None => {
            "use isotherm fit for a model of new rows, or blank the labels to be filled".to_owned()
        }
    }
}

/// The cells of the label column and what they are, without those that were said to be no
/// label. Numbers with a decimal comma are numbers, and are spelled with a point from here on.
pub(crate) fn labels_and_task(
    table: &Table,
    data: &Data,
    how: &dyn RecipeSource,
    recipe: Option<&Recipe>,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<(Vec<Option<String>>, Task)> {
    let (mut cells, task) = read_labels(table, data, how, recipe, console)?;
    let renames = spellings::settle(&cells, task, data, how.grades(), console, monitor)?;
    rename(&mut cells, &renames);
    tell_classes(&cells, data, task, console);
    Ok((cells, task))
}

/// As [`labels_and_task`], each label as it is spelled; nothing is said of classes.
pub(crate) fn read_labels(
    table: &Table,
    data: &Data,
    how: &dyn RecipeSource,
    recipe: Option<&Recipe>,
    console: &Console,
) -> Outcome<(Vec<Option<String>>, Task)> {
    let cells = without(table.labels(&data.label)?, &data.unlabelled);
    let pointed = table.pointed(&cells);
    let task = match recipe {
        Some(recipe) => recipe.task,
        None => decide_task(pointed.as_deref().unwrap_or(&cells), data, how, console),
    };
    let cells = match (task, pointed) {
        (Task::Regress, Some(pointed)) => pointed,
        _ => cells,
    };
    Ok((cells, task))
}

/// What the labels are: as was said, or as they look.
fn decide_task(
    labels: &[Option<String>],
    data: &Data,
    how: &dyn RecipeSource,
    console: &Console,
) -> Task {
    if let Some(task) = how.task() {
        return task;
    }
    let task = if data.candidates && looks_like_ranges(labels) {
        Task::Regress
    } else if data.candidates {
        Task::Classify
    } else {
        guess_task(labels)
    };
    let word = match (task, data.candidates) {
        (Task::Regress, true) => "ranges",
        (_, true) => "sets of classes",
        (Task::Regress, false) => "numbers",
        _ => "classes",
    };
    // A recipe file has decided already.
    if how.file().is_none() {
        let said = format!(
            "labels in \"{}\" are taken as {word}; --task decides",
            data.label
        );
        // Numbers may be classes, and classes may be written as numbers; words are classes.
        let plain = |cell: &String| cell.trim().parse::<f64>().is_err();
        if word == "classes" && labels.iter().flatten().all(plain) {
            console.detail(&said);
        } else {
            console.note(&said);
        }
    }
    task
}

/// Classes with the number of their labels, the most frequent first.
pub(crate) fn class_counts(labels: &[Option<String>]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    (labels.iter().flatten()).for_each(|l| *counts.entry(l).or_default() += 1);
    let mut counts: Vec<(String, usize)> =
        counts.into_iter().map(|(l, n)| (l.to_owned(), n)).collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts
}

/// The class that is called like a mark of rows without a label, if there is one beside
/// others; what to say of it, and the way out.
pub(crate) fn marker(counts: &[(String, usize)], column: &str) -> Option<(String, String)> {
    let (mark, n) = counts.iter().find(|(name, _)| looks_unlabelled(name))?;
    // Two classes that are called -1 and 1 are what they say.
    let sign = |name: &str| matches!(name.parse::<f64>(), Ok(v) if v.abs() == 1.0);
    if counts.len() < 2 || counts.len() == 2 && counts.iter().all(|(name, _)| sign(name)) {
        return None;
    }
    Some((
        format!(
            "{} \"{mark}\" in \"{column}\", which is taken as a class",
            count(*n, "label is", "labels are")
        ),
        format!(
            "if it means that there is no label, pass --unlabelled {}",
            quoted(mark)
        ),
    ))
}

/// Whether a label is the name of one class.
pub(crate) fn are_classes(task: Task, data: &Data) -> bool {
    matches!(task, Task::Classify | Task::Ordinal) && !data.candidates
}

/// Warns of a class that may mean that there is no label.
fn tell_classes(labels: &[Option<String>], data: &Data, task: Task, console: &Console) {
    if !are_classes(task, data) {
        return;
    }
    let counts = class_counts(labels);
    if let Some((what, way_out)) = marker(&counts, &data.label) {
        console.warn("marker-class", &what, Some(&way_out));
    }
}

/// Two classes with their counts.
pub(crate) fn told_pair(pair: &Alike) -> String {
    let one = |(name, n): &(String, usize)| format!("\"{name}\" ×{n}");
    format!("{} and {}", one(&pair.odd), one(&pair.usual))
}

/// Whether every label is a range or a number, and some are ranges.
fn looks_like_ranges(labels: &[Option<String>]) -> bool {
    let known = || labels.iter().flatten();
    known().any(|l| l.contains(".."))
        && known().all(|l| l.contains("..") || l.trim().parse::<f64>().is_ok())
}

/// The labels of rows as targets; refusals name the line.
pub(crate) fn targets_of(
    table: &Table,
    labels: &[Option<String>],
    data: &Data,
    task: Task,
    grades: &[String],
) -> Outcome<Targets> {
    if !grades.is_empty() && task != Task::Ordinal {
        return Err(Failure::refused(
            "unread-flag",
            "--grades means nothing unless the labels are ordinal",
            "leave it out, or pass --task ordinal",
        ));
    }
    if data.candidates && !matches!(task, Task::Classify | Task::Regress | Task::Ordinal) {
        return Err(Failure::refused(
            "unread-flag",
            format!("--candidates means nothing to the task {}", task.name()),
            "leave it out: tags may be marked as unknown by ?, rankings may leave items out",
        ));
    }
    if task == Task::Regress && !data.candidates {
        check_numbers(table, &data.label, labels)?;
    }
    let found = parse(labels, task, data.candidates, grades);
    found.map_err(|error| match error {
        isotherm::Error::Label { sample, reason } if sample < table.rows() => Failure::refused(
            "label",
            format!(
                "{} {}, column \"{}\": {reason}",
                table.origin().file(sample).display(),
                table.origin().place(sample),
                data.label
            ),
            "correct the cell, or leave it blank",
        )
        .in_row(table, sample)
        .in_column(&data.label, labels[sample].as_deref()),
        other => other.into(),
    })
}

/// The labels of samples as targets.
fn parse(
    labels: &[Option<String>],
    task: Task,
    candidates: bool,
    grades: &[String],
) -> isotherm::Result<Targets> {
    match (task, candidates) {
        (Task::Classify, false) => Ok(Targets::from_names(labels)),
        (Task::Classify, true) => label_cells::sets(labels),
        (Task::Regress, true) => label_cells::ranges(labels),
        (Task::Regress, false) => {
            let number = |text: &String| text.trim().parse().ok();
            let values = labels.iter().map(|l| l.as_ref().and_then(number));
            Ok(Targets::Values(values.collect()))
        }
        (Task::Ordinal, true) => graded(label_cells::sets(labels)?, grades),
        (Task::Ordinal, false) => graded(Targets::from_names(labels), grades),
        (Task::Tags, _) => label_cells::tags(labels),
        (Task::Rank, _) => label_cells::orders(labels),
        (Task::Shares, _) => label_cells::shares(labels),
        (Task::Numbers, _) => label_cells::numbers(labels),
    }
}

/// Classes numbered from the lowest grade to the highest.
fn graded(targets: Targets, grades: &[String]) -> isotherm::Result<Targets> {
    let names = targets.names().to_vec();
    if grades.is_empty() {
        return if names.iter().all(|n| n.parse::<i64>().is_ok()) {
            Ok(targets)
        } else {
            Err(isotherm::Error::refused(
                isotherm::error::Refusal::Grades,
                "the grades are words, whose order is not known",
                "name them from the lowest to the highest, such as --grades low,middle,high",
            ))
        };
    }
    let place = |name: &String| grades.iter().position(|g| g == name);
    let number = |class: u32| -> Option<u32> {
        let grade = place(names.get(class as usize)?)?;
        u32::try_from(grade).ok()
    };
    let refuse = |sample: usize, class: u32| isotherm::Error::Label {
        sample,
        reason: format!(
            "\"{}\" is none of the grades {}",
            names.get(class as usize).map_or("?", String::as_str),
            grades.join(", ")
        )
        .into(),
    };
    let names = grades.to_vec();
    match &targets {
        Targets::Classes { labels, .. } => {
            let one = |(i, l): (usize, &Option<u32>)| {
                l.map(|c| number(c).ok_or_else(|| refuse(i, c))).transpose()
            };
            let labels = labels.iter().enumerate().map(one);
            let labels = labels.collect::<isotherm::Result<_>>()?;
            Ok(Targets::Classes { labels, names })
        }
        Targets::Sets { labels, .. } => {
            let one = |(i, l): (usize, &Option<Vec<u32>>)| {
                let set = |set: &Vec<u32>| -> isotherm::Result<Vec<u32>> {
                    let grade = |c: &u32| number(*c).ok_or_else(|| refuse(i, *c));
                    set.iter().map(grade).collect()
                };
                l.as_ref().map(set).transpose()
            };
            let labels = labels.iter().enumerate().map(one);
            let labels = labels.collect::<isotherm::Result<_>>()?;
            Ok(Targets::Sets { labels, names })
        }
        _ => Ok(targets),
    }
}

/// How much each row's label counts, from its column.
pub(crate) fn weights_of(
    table: &Table,
    data: &Data,
    cells: &[Option<String>],
) -> Outcome<Option<Vec<f64>>> {
    let Some(column) = &data.label_weights else {
        return Ok(None);
    };
    let values = table.values(column)?;
    let mut out = Vec::with_capacity(values.len());
    for (row, (value, label)) in values.iter().zip(cells).enumerate() {
        match (value, label) {
            (Some(v), Some(_)) if *v > 0.0 && v.is_finite() => out.push(*v),
            (_, None) => out.push(1.0),
            (value, Some(_)) => {
                let said = value.map_or("missing".to_owned(), |v| v.to_string());
                return Err(Failure::refused(
                    "weight",
                    format!(
                        "{} {}, column \"{column}\": the weight of a label is {said}",
                        table.origin().file(row).display(),
                        table.origin().place(row)
                    ),
                    "give a positive number, or blank the label to leave it out",
                )
                .in_row(table, row)
                .in_column(column, Some(&said)));
            }
        }
    }
    Ok(Some(out))
}

/// Refuses, by its line, a label that is not a number the library takes.
fn check_numbers(table: &Table, column: &str, labels: &[Option<String>]) -> Outcome<()> {
    for (row, label) in labels.iter().enumerate() {
        let Some(text) = label else { continue };
        let problem = match text.trim().parse::<f64>() {
            Ok(v) if v.abs() < LARGEST => continue,
            Ok(v) if v.is_finite() => "is too large",
            _ => "is not a number",
        };
        return Err(Failure::refused(
            "label",
            format!(
                "{} {}, column \"{column}\": the label \"{text}\" {problem}",
                table.origin().file(row).display(),
                table.origin().place(row),
            ),
            "correct it, leave it blank, or pass --task classify",
        )
        .in_row(table, row)
        .in_column(column, Some(text)));
    }
    Ok(())
}
