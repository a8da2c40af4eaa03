//! One class spelled in several ways: which spellings there are, and labels that are renamed.

use std::collections::BTreeMap;

use isotherm::monitor::Monitor;

use crate::error::{Error, Result};
use crate::read::read_table;
use crate::source::{ReadOptions, Source};
use crate::table::one_hot;
use crate::table::profile::{Alike, Difference, alike};
use crate::text::dialect::Header;

/// What labels are called instead, by what they are called in the table.
pub type Renames = BTreeMap<String, String>;

/// Classes that are equal as numbers, or but for letter case and spaces, each beside the
/// spelling it is merged into: the most frequent one, or the one among `grades`. Spellings of
/// which several are grades are left as they are: somebody named both.
pub fn spellings(counts: &[(String, usize)], grades: &[String]) -> Vec<Alike> {
    let mut groups: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for pair in alike(counts) {
        if pair.by == Difference::Spelling {
            let group = groups.entry(pair.usual.0.clone()).or_default();
            if group.is_empty() {
                group.push(pair.usual);
            }
            group.push(pair.odd);
        }
    }
    let mut found = Vec::new();
    for group in groups.into_values() {
        let mut graded = (0..group.len()).filter(|&at| grades.contains(&group[at].0));
        let into = graded.next().unwrap_or(0);
        if graded.next().is_some() {
            continue;
        }
        let others = (group.iter().enumerate()).filter(|(at, _)| *at != into);
        found.extend(others.map(|(_, odd)| Alike {
            odd: odd.clone(),
            usual: group[into].clone(),
            by: Difference::Spelling,
        }));
    }
    found
}

/// Gives labels their other name, once: a name that is given is not looked up again.
pub fn rename(labels: &mut [Option<String>], renames: &Renames) {
    for label in labels.iter_mut().flatten() {
        if let Some(name) = renames.get(label) {
            label.clone_from(name);
        }
    }
}

/// Reads a table of two columns: a label, and what it is called instead. A first row of
/// `from` and `to` is a header.
///
/// # Errors
/// [`Error::Format`] when there are not two columns, a cell is blank, or one label is given two
/// names; otherwise as [`read_table`].
pub fn read_renames(source: &Source, monitor: &mut dyn Monitor) -> Result<Renames> {
    let options = ReadOptions {
        header: Some(Header::Absent),
        ..ReadOptions::default()
    };
    let table = read_table(source, &options, monitor)?;
    let path = source.path();
    let refuse = |row: Option<usize>, what: String| {
        let place = row.map(|row| table.origin().place(row));
        let way_out = "write two columns, the label and what it is called instead";
        Error::format_as("label-file", path, place, what, way_out)
    };
    let [from, to] = table.columns() else {
        let columns = table.columns().len();
        let what = format!("a map of labels has two columns, this one {columns}");
        return Err(refuse(None, what));
    };
    let mut renames = Renames::new();
    for row in 0..table.rows() {
        let words = (
            one_hot::word(&from.cells, row),
            one_hot::word(&to.cells, row),
        );
        let (Some(old), Some(new)) = words else {
            return Err(refuse(Some(row), "a label has no name".to_owned()));
        };
        if row == 0 && (old.as_ref(), new.as_ref()) == ("from", "to") {
            continue;
        }
        let before = renames.insert(old.clone().into_owned(), new.clone().into_owned());
        if let Some(before) = before.filter(|before| *before != new) {
            let what = format!("\"{old}\" is \"{new}\" here and \"{before}\" before");
            return Err(refuse(Some(row), what));
        }
    }
    Ok(renames)
}
