//! Labels that were filled in elsewhere, put back into the table they belong to.

use std::collections::BTreeMap;

use crate::error::{Error, Result, clean};
use crate::labels::without;
use crate::table::cells::{Cells, TextCells};
use crate::table::numbers;
use crate::table::one_hot;
use crate::table::{Column, Table, text};
use crate::text::dialect::Decimal;

/// The column that names rows by number, from 1, in tables of rows to label.
pub const ROW: &str = "iso_row";

/// The column that marks rows drawn at random.
pub const AUDIT: &str = "iso_audit";

/// The column that tells how many rows had no label when each was chosen.
pub const POOL: &str = "iso_pool";

/// Columns that tell how a row was chosen, which is decided once: a row that has any of them keeps
/// what it has, whatever later rounds say of it.
const MARKS: [&str; 2] = [AUDIT, POOL];

/// What to do with a row that the table does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unmatched {
    /// [`Error::Cell`].
    #[default]
    Refuse,
    /// Leave it out and count it.
    Ignore,
}

/// What to do with a label where the table has another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Disagreement {
    /// [`Error::Cell`].
    #[default]
    Refuse,
    /// The new label takes the old one's place.
    Replace,
}

/// How labels find their rows.
#[derive(Debug, Clone, Copy)]
pub struct Merge<'a> {
    /// The column of labels, in both tables.
    pub label: &'a str,
    /// The column that names rows in both tables; without one, [`ROW`] numbers them.
    pub id: Option<&'a str>,
    /// Cells of the label column that mean "no label", beside blank ones.
    pub unlabelled: &'a [String],
    /// Columns that come along where the second table has them; [`AUDIT`] and [`POOL`] only to
    /// rows that have neither yet.
    pub along: &'a [String],
    /// Rows the first table does not have.
    pub unmatched: Unmatched,
    /// Labels the first table has otherwise.
    pub disagreement: Disagreement,
}

/// What became of the labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Merged {
    /// Cells that were blank and have a label now.
    pub filled: usize,
    /// Labels that took another's place.
    pub replaced: usize,
    /// Labels the table had already.
    pub same: usize,
    /// Rows whose label is still blank.
    pub blank: usize,
    /// Rows the table does not have.
    pub unmatched: usize,
}

/// Puts the labels of `filled` into `table`, all of them or none.
///
/// Without an id the cells that both tables have in the same column must agree: a table
/// that was sorted or edited in between is refused rather than labelled wrongly.
///
/// # Errors
/// [`Error::Column`] for a column that is missing; [`Error::Cell`] for a row that is not in
/// the table, is named twice, has changed, or has another label.
pub fn merge_labels(table: &mut Table, filled: &Table, how: &Merge<'_>) -> Result<Merged> {
    let rows = match how.id {
        Some(id) => rows_by_name(table, filled, id, how.unmatched)?,
        None => rows_by_number(table, filled, how)?,
    };
    let known = without(table.labels(how.label)?, how.unlabelled);
    let given = without(filled.labels(how.label)?, how.unlabelled);
    let mut merged = Merged::default();
    let mut labels: BTreeMap<usize, String> = BTreeMap::new();
    let mut labelled = Vec::new();
    for (at, (row, label)) in rows.iter().zip(&given).enumerate() {
        let Some(row) = *row else {
            merged.unmatched += 1;
            continue;
        };
        let Some(label) = label else {
            merged.blank += 1;
            continue;
        };
        let old = labels.get(&row).or(known[row].as_ref());
        match old {
            None => merged.filled += 1,
            Some(old) if old == label => merged.same += 1,
            Some(_) if how.disagreement == Disagreement::Replace && !labels.contains_key(&row) => {
                merged.replaced += 1;
            }
            Some(old) => {
                let problem = format!(
                    "the label is \"{}\", but \"{}\" in {} {}",
                    clean(label, 60),
                    clean(old, 60),
                    table.origin().file(row).display(),
                    table.origin().place(row)
                );
                let hint = "correct one of them, or let the new one win with --replace";
                return Err(refused(filled, at, how.label, label, problem, hint));
            }
        }
        labels.insert(row, label.clone());
        labelled.push((at, row));
    }
    let marked = marked(table);
    let label_column = table.column(how.label)?;
    let mut fresh = vec![(how.label.to_owned(), changed(&label_column.cells, &labels))];
    for name in how.along {
        let Ok(column) = filled.column(name) else {
            continue;
        };
        let cells: BTreeMap<usize, String> = labelled
            .iter()
            .filter(|(_, row)| !(MARKS.contains(&name.as_str()) && marked[*row]))
            .filter_map(|&(at, row)| Some((row, text(&column.cells, at)?)))
            .collect();
        let old = match table.column(name) {
            Ok(column) => column.cells.clone(),
            Err(_) => (0..table.rows()).map(|_| None).collect(),
        };
        fresh.push((name.clone(), changed(&old, &cells)));
    }
    for (name, cells) in fresh {
        table.put_column(Column { name, cells })?;
    }
    Ok(merged)
}

/// Which rows tell already how they were chosen.
fn marked(table: &Table) -> Vec<bool> {
    let mut marked = vec![false; table.rows()];
    for column in MARKS.iter().filter_map(|name| table.column(name).ok()) {
        for (row, marked) in marked.iter_mut().enumerate() {
            *marked |= one_hot::word(&column.cells, row).is_some();
        }
    }
    marked
}

/// The table's row of each filled row, by what a column calls it.
fn rows_by_name(
    table: &Table,
    filled: &Table,
    id: &str,
    unmatched: Unmatched,
) -> Result<Vec<Option<usize>>> {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (row, name) in table.labels(id)?.into_iter().enumerate() {
        let Some(name) = name else { continue };
        if let Some(first) = known.insert(name.clone(), row) {
            let problem = format!(
                "\"{}\" names this row and the one at {}",
                clean(&name, 60),
                table.origin().place(first)
            );
            let hint = "choose a column that names every row once with --id";
            return Err(refused(table, row, id, &name, problem, hint));
        }
    }
    let mut rows = Vec::with_capacity(filled.rows());
    for (at, name) in filled.labels(id)?.into_iter().enumerate() {
        let row = name.as_ref().and_then(|name| known.get(name).copied());
        if row.is_none() && unmatched == Unmatched::Refuse {
            let name = name.unwrap_or_default();
            let problem = if name.is_empty() {
                "the row has no name".to_owned()
            } else {
                format!(
                    "no row of {} is called \"{}\"",
                    table.origin().path.display(),
                    clean(&name, 60)
                )
            };
            let hint = "remove the row, or leave such rows out with --unmatched ignore";
            return Err(refused(filled, at, id, &name, problem, hint));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// The table's row of each filled row, by number, if what both tables hold agrees.
fn rows_by_number(table: &Table, filled: &Table, how: &Merge<'_>) -> Result<Vec<Option<usize>>> {
    let numbers = filled.values(ROW)?;
    let mut rows = Vec::with_capacity(numbers.len());
    for (at, number) in numbers.into_iter().enumerate() {
        let row = match number {
            Some(v) if v >= 1.0 && v <= table.rows() as f64 && v.fract() == 0.0 => {
                Some(v as usize - 1)
            }
            _ => None,
        };
        if row.is_none() && how.unmatched == Unmatched::Refuse {
            let said = number.map_or("blank".to_owned(), |v| v.to_string());
            let problem = format!(
                "{said} is no row of {}, which has {}",
                table.origin().path.display(),
                table.rows()
            );
            let hint = "remove the row, or match rows by a column that names them with --id";
            return Err(refused(filled, at, ROW, &said, problem, hint));
        }
        rows.push(row);
    }
    let ours = |name: &str| name.starts_with("iso_") || name == how.label;
    for column in filled.columns().iter().filter(|c| !ours(&c.name)) {
        let Ok(old) = table.labels(&column.name) else {
            continue;
        };
        for (at, new) in filled.labels(&column.name)?.into_iter().enumerate() {
            let Some(row) = rows[at] else { continue };
            let marks = (filled.origin().decimal(), table.origin().decimal());
            if !same(new.as_deref(), old[row].as_deref(), marks) {
                let problem = format!(
                    "the cell is \"{}\", but \"{}\" in {} {}",
                    clean(new.as_deref().unwrap_or_default(), 60),
                    clean(old[row].as_deref().unwrap_or_default(), 60),
                    table.origin().file(row).display(),
                    table.origin().place(row)
                );
                let hint = "one of the tables was changed or sorted since the rows were chosen; \
                            match them by a column that names rows with --id";
                let value = new.unwrap_or_default();
                return Err(refused(filled, at, &column.name, &value, problem, hint));
            }
        }
    }
    Ok(rows)
}

/// Whether two cells say the same, as text or as numbers, each with the decimal mark of its
/// table or with a point (a spreadsheet writes `1.50` as `1.5`, or as `1,5`).
fn same(a: Option<&str>, b: Option<&str>, marks: (Decimal, Decimal)) -> bool {
    let number = |text: &str, mark| {
        let pointed = numbers::parse(text, Decimal::Point);
        pointed.or_else(|_| numbers::parse(text, mark)).ok()
    };
    match (a, b) {
        (Some(a), Some(b)) if a != b => match (number(a, marks.0), number(b, marks.1)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        },
        (a, b) => a == b,
    }
}

/// The cells with some of them changed; texts where a column cannot hold the new ones.
fn changed(cells: &Cells, changes: &BTreeMap<usize, String>) -> Cells {
    let value = |row: usize| changes.get(&row).cloned().or_else(|| text(cells, row));
    let mut out = match cells {
        Cells::Float(_) => Cells::Float(Default::default()),
        Cells::Integer(_) => Cells::Integer(Default::default()),
        Cells::Bool(_) => Cells::Bool(Default::default()),
        _ => Cells::Text(TextCells::default()),
    };
    for row in 0..cells.len() {
        match value(row) {
            None => out.push_missing(),
            Some(text) if out.push_text(&text) => {}
            Some(_) => {
                let texts: Vec<Option<String>> = (0..cells.len()).map(value).collect();
                return texts.iter().map(Option::as_deref).collect();
            }
        }
    }
    out
}

fn refused(
    table: &Table,
    row: usize,
    column: &str,
    value: &str,
    problem: String,
    hint: &str,
) -> Error {
    Error::Cell {
        path: table.origin().file(row).to_owned(),
        place: table.origin().place(row),
        column: clean(column, 60),
        value: clean(value, 1000),
        problem: problem.into(),
        hint: hint.into(),
    }
}
