//! Answers → columns, prefixed `iso_`.

use isotherm::recipe::{Answer, Decoded, Model};
use isotherm_io::{Cells, Column, Nullable, TextCells};

/// Labels the user gave, one entry per row: they stay as they are.
pub(crate) type Given<'a> = &'a [Option<String>];

/// The columns an answer adds to a table; `rows[i]` is the sample of row `i`.
pub(crate) fn columns(
    model: &Model,
    answer: &Answer,
    rows: &[usize],
    given: Option<Given<'_>>,
    probabilities: bool,
) -> Vec<Column> {
    let stays = |row: usize| given.and_then(|g| g[row].as_deref());
    let reached = rows.iter().map(|&i| Some(answer.reached[i]));
    let mut out = match &answer.decoded {
        Decoded::Classes {
            probabilities: p, ..
        } => {
            let names = answer.names(model);
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
        Decoded::Values(values) => {
            let mut labels = Nullable::default();
            for (row, &i) in rows.iter().enumerate() {
                let own = stays(row).and_then(|t| t.trim().parse().ok());
                labels.push(own.or(values[i]));
            }
            vec![named("iso_label", Cells::Float(labels))]
        }
        _ => Vec::new(),
    };
    let mut flags = Nullable::default();
    reached.for_each(|r| flags.push(r));
    out.push(named("iso_reached", Cells::Bool(flags)));
    if let (
        true,
        Decoded::Classes {
            probabilities: p, ..
        },
        Some(classes),
    ) = (probabilities, &answer.decoded, model.classes())
    {
        for (j, class) in classes.iter().enumerate() {
            let values = rows.iter().map(|&i| p[(i, j)]).collect();
            let cells = Cells::Float(Nullable::full(values));
            out.push(named(&format!("iso_p_{class}"), cells));
        }
    }
    out
}

fn named(name: &str, cells: Cells) -> Column {
    Column {
        name: name.to_owned(),
        cells,
    }
}
