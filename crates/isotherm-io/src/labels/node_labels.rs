//! Label files: `node,label`, joined to the nodes of a graph.

use isotherm::monitor::Monitor;

use crate::error::{Error, Place, Result, clean};
use crate::graph::NodeNames;
use crate::read::read_table;
use crate::source::{NoRows, ReadOptions, Source};
use crate::table;
use crate::table::cells::Cells;
use crate::table::numbers;
use crate::text::dialect::Header;

/// The labels without those that mean "no label": cells that are one of these texts, or the
/// same number.
#[must_use]
pub fn without(labels: Vec<Option<String>>, unlabelled: &[String]) -> Vec<Option<String>> {
    let means_none = |label: &String| unlabelled.iter().any(|mark| numbers::same(label, mark));
    let kept = labels.into_iter().map(|l| l.filter(|l| !means_none(l)));
    kept.collect()
}

/// Whether a class is called what often stands where there is no label: `-1`, `?`, `-`,
/// `unknown`, `unlabelled`.
pub fn looks_unlabelled(class: &str) -> bool {
    const MARKS: [&str; 6] = ["-1", "?", "-", "unknown", "unlabelled", "unlabeled"];
    let class = class.trim();
    MARKS.iter().any(|mark| class.eq_ignore_ascii_case(mark))
}

/// One entry per node; `None` is unlabelled.
pub type NodeLabels = Vec<Option<String>>;

/// Reads labels for the nodes of a graph.
///
/// The file has two columns, node and label. Its first row is a header when it
/// is said to be one, or when its node is not in the graph and its label is
/// not a number and no other row's label. A label that means "missing" (blank, or one of
/// [`crate::table::MISSING`]) leaves the node unlabelled. The same label twice is allowed.
///
/// # Errors
/// [`Error::Format`] when the file has not two columns; [`Error::Node`] with
/// the closest name for a node that the graph does not have;
/// [`Error::Conflict`] for a node with two labels; otherwise as
/// [`read_table`].
pub fn read_labels(
    source: &Source,
    names: &NodeNames,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<NodeLabels> {
    let path = source.path();
    let mut plain = options.clone();
    plain.no_rows = NoRows::Allow;
    // Text is read without a header, and the header is told from the graph.
    let given = options.header;
    plain.header = given.or(Some(Header::Absent));
    let table = read_table(source, &plain, monitor)?;
    let [nodes, labels] = table.columns() else {
        return Err(Error::format_as(
            "label-file",
            path,
            None,
            format!(
                "a label file has two columns, this one {}",
                table.columns().len()
            ),
            "write node and label, or name the delimiter",
        ));
    };
    let mut out: NodeLabels = vec![None; names.len()];
    let mut places: Vec<Option<Place>> = vec![None; names.len()];
    for row in 0..table.rows() {
        let place = table.origin().place(row);
        let name = node(&nodes.cells, row);
        let label = label(&labels.cells, row);
        let Some(at) = names.find(&name) else {
            if row == 0 && given.is_none() && is_header(&table, &labels.cells) {
                continue;
            }
            return Err(Error::Node {
                path: path.to_owned(),
                place,
                near: names.near(&name),
                node: clean(&name, 60),
            });
        };
        let Some(label) = label else { continue };
        let (slot, first) = (&mut out[at as usize], &mut places[at as usize]);
        match (slot.as_ref(), *first) {
            (Some(old), Some(first_place)) if *old != label => {
                return Err(Error::Conflict {
                    path: path.to_owned(),
                    place,
                    node: clean(&name, 60),
                    first_place,
                    first: clean(old, 60).into(),
                    second: clean(&label, 60).into(),
                });
            }
            (Some(_), _) => {}
            (None, _) => {
                *slot = Some(label);
                *first = Some(place);
            }
        }
    }
    Ok(out)
}

/// Only a text file can have a header among its rows; a mistyped node in the
/// first row shares its label with others, a header does not.
fn is_header(table: &table::Table, labels: &Cells) -> bool {
    let Some(first) = label(labels, 0) else {
        return false;
    };
    table.origin().dialect.is_some()
        && numbers::parse(&first, table.origin().decimal()).is_err()
        && (1..table.rows()).all(|row| label(labels, row).as_ref() != Some(&first))
}

fn node(cells: &Cells, row: usize) -> String {
    match cells {
        Cells::Float(c) => c.get(row).map(numbers::as_label).unwrap_or_default(),
        other => table::text(other, row)
            .unwrap_or_default()
            .trim()
            .to_owned(),
    }
}

fn label(cells: &Cells, row: usize) -> Option<String> {
    match cells {
        Cells::Float(c) => c.get(row).filter(|v| !v.is_nan()).map(numbers::as_label),
        other => table::text(other, row)
            .map(|l| l.trim().to_owned())
            .filter(|l| !numbers::is_missing(l)),
    }
}
