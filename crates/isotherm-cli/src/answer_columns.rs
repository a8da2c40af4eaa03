//! Answers → columns, prefixed `iso_`.

use isotherm::data::Targets;
use isotherm::labelling::Answer;
use isotherm::model::Model;
use isotherm::study::Sets;
use isotherm_io::{Cells, Column, Nullable, TextCells};

/// The columns an answer adds to a table; `rows[i]` is the sample of row `i`. Labels that were
/// given stay as they are.
pub(crate) fn columns(
    model: &Model,
    answer: &Answer,
    rows: &[usize],
    given: Option<&[Option<String>]>,
    probabilities: bool,
) -> Vec<Column> {
    let stays = |row: usize| given.and_then(|g| g[row].as_deref());
    let reached = rows.iter().map(|&i| Some(answer.reached[i]));
    let mut out = match (&answer.labels, &answer.probabilities) {
        (Targets::Classes { .. }, Some(p)) => {
            let names = answer.names();
            let mut labels = TextCells::default();
            let mut confidence = Nullable::default();
            for (row, &i) in rows.iter().enumerate() {
                // Every label was a cell before, so it fits into one again.
                let written = stays(row).or(names[i]).is_some_and(|l| labels.push(l));
                if !written {
                    labels.push_missing();
                }
                let top = (0..p.ncols()).map(|j| p[(i, j)]).fold(0.0, f64::max);
                confidence.push(Some(if stays(row).is_some() { 1.0 } else { top }));
            }
            vec![
                named("iso_label", Cells::Text(labels)),
                named("iso_confidence", Cells::Float(confidence)),
            ]
        }
        (Targets::Values(values), _) => {
            let mut labels = Nullable::default();
            for (row, &i) in rows.iter().enumerate() {
                let own = stays(row).and_then(|t| t.trim().parse().ok());
                labels.push(own.or(values[i]));
            }
            vec![named("iso_label", Cells::Float(labels))]
        }
        (predicted, _) => {
            let mut labels = TextCells::default();
            for (row, &i) in rows.iter().enumerate() {
                let own = stays(row).map(str::to_owned);
                let text = own.or_else(|| written(predicted, i));
                if !text.is_some_and(|text| labels.push(&text)) {
                    labels.push_missing();
                }
            }
            vec![named("iso_label", Cells::Text(labels))]
        }
    };
    let mut flags = Nullable::default();
    reached.for_each(|r| flags.push(r));
    out.push(named("iso_reached", Cells::Bool(flags)));
    if probabilities && let (Some(p), Some(classes)) = (&answer.probabilities, model.classes()) {
        for (j, class) in classes.iter().enumerate() {
            let values = rows.iter().map(|&i| p[(i, j)]).collect();
            let cells = Cells::Float(Nullable::full(values));
            out.push(named(&format!("iso_p_{class}"), cells));
        }
    }
    out
}

/// A label as a cell of the label column would spell it.
fn written(predicted: &Targets, sample: usize) -> Option<String> {
    match predicted {
        Targets::Numbers { labels, .. } => {
            let values = labels[sample].as_ref()?;
            let texts: Vec<String> = values.iter().map(f64::to_string).collect();
            Some(texts.join(";"))
        }
        Targets::Flags { labels, names } => {
            let up = labels[sample].as_ref()?.iter().zip(names);
            let up = up.filter(|(flag, _)| **flag == Some(true));
            let tags: Vec<&str> = up.map(|(_, name)| name.as_str()).collect();
            Some(if tags.is_empty() {
                ";".to_owned()
            } else {
                tags.join(";")
            })
        }
        Targets::Orders { labels, names } => {
            let items = labels[sample].as_ref()?.iter().flatten();
            let items = items.filter_map(|item| names.get(*item as usize));
            Some(items.map(String::as_str).collect::<Vec<_>>().join(">"))
        }
        _ => None,
    }
}

/// The columns of prediction sets.
pub(crate) fn set_columns(sets: &Sets, rows: &[usize], names: &[String]) -> Vec<Column> {
    match sets {
        Sets::Classes(sets) => {
            let mut cells = TextCells::default();
            for &i in rows {
                let classes: Vec<&str> = (sets[i].iter())
                    .filter_map(|c| names.get(*c as usize).map(String::as_str))
                    .collect();
                if !cells.push(&classes.join("|")) {
                    cells.push_missing();
                }
            }
            vec![named("iso_set", Cells::Text(cells))]
        }
        Sets::Values(intervals) => {
            let (mut low, mut high) = (Nullable::default(), Nullable::default());
            for &i in rows {
                low.push(Some(intervals[i].0).filter(|v| v.is_finite()));
                high.push(Some(intervals[i].1).filter(|v| v.is_finite()));
            }
            vec![
                named("iso_low", Cells::Float(low)),
                named("iso_high", Cells::Float(high)),
            ]
        }
        _ => Vec::new(),
    }
}

fn named(name: &str, cells: Cells) -> Column {
    Column {
        name: name.to_owned(),
        cells,
    }
}
