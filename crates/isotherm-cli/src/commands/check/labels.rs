//! The label column: how many, of which classes, and which look mistyped.

use isotherm::recipe::Task;
use isotherm_io::profile::{Alike, COMPARED, Difference, alike};
use serde_json::json;

use super::findings::{Findings, Weight};
use crate::args::Check;
use crate::console::count;
use crate::load::labels::{are_classes, class_counts, marker, nothing_to_fill, told_pair};

/// Classes that are told with their counts.
const SHOWN: usize = 12;

/// Looks at the cells of the label column.
pub(super) fn look(args: &Check, task: Task, cells: &[Option<String>], found: &mut Findings) {
    let data = &args.data;
    let given = cells.iter().flatten().count();
    let blank = cells.len() - given;
    found.values.insert("labelled".to_owned(), json!(given));
    found.values.insert("blank".to_owned(), json!(blank));
    found.values.insert("task".to_owned(), json!(task));
    let name = &data.label;
    if given == 0 {
        found.add(
            Weight::Error,
            "no-labels",
            format!("column \"{name}\" holds no label"),
            "fill in a few, at least one of each class; isotherm next tells which rows",
        );
    } else if blank == 0 && data.graph.is_empty() {
        found.add(
            Weight::Error,
            "all-labelled",
            format!("every label of \"{name}\" is given already: there is nothing to fill"),
            nothing_to_fill(cells),
        );
    }
    if !are_classes(task, data) {
        let text = format!("{given} given ({}), {blank} to fill", task.name());
        found.facts.push(("labels", text));
        return;
    }
    let counts = class_counts(cells);
    let shown = counts.iter().take(SHOWN).map(|(l, n)| format!("{l} ×{n}"));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if counts.len() > SHOWN {
        text += &format!(" and {} more classes", counts.len() - SHOWN);
    }
    found
        .facts
        .push(("labels", format!("{text}; {blank} to fill")));
    let classes: Vec<_> = counts
        .iter()
        .map(|(l, n)| json!({ "name": l, "labels": n }))
        .collect();
    found.values.insert("classes".to_owned(), json!(classes));
    if let [(only, _)] = counts.as_slice() {
        found.add(
            Weight::Error,
            "one-class",
            format!("every label is \"{only}\": there is nothing to tell apart"),
            "label at least one row of another class",
        );
    }
    if let Some((what, way_out)) = marker(&counts, name) {
        found.add(Weight::Warning, "marker-class", what, way_out);
    }
    // Spellings of one class were settled before, or refused.
    let letter = |pair: &Alike| pair.by == Difference::Letter;
    for pair in alike(&counts).into_iter().filter(letter) {
        found.add(
            Weight::Warning,
            "alike-classes",
            format!("the classes {} look like one", told_pair(&pair)),
            format!("write \"{}\" everywhere if they are", pair.usual.0),
        );
    }
    if counts.len() > COMPARED {
        let text = format!("more than {COMPARED} classes are not compared letter by letter");
        found.facts.push(("labels", text));
    }
    let single: Vec<String> = counts
        .iter()
        .filter(|(_, n)| *n == 1)
        .map(|(l, _)| l.clone())
        .collect();
    if !single.is_empty() && counts.len() > 1 {
        found.add(
            Weight::Note,
            "rare-class",
            format!(
                "{} with one label only: {}",
                count(single.len(), "class", "classes"),
                crate::load::listed(&single)
            ),
            "label a second row of each, so that isotherm evaluate can judge them",
        );
    }
}
