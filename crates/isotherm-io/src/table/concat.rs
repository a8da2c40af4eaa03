//! Several tables with the same columns into one.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::error::{ColumnProblem, Error, Result};
use crate::table::cells::{Cells, Nullable, TextCells};
use crate::table::numbers;
use crate::table::{Column, Origin, Table, text};
use crate::text::dialect::Decimal;

/// The rows of all tables, one table after the other, columns by name in the
/// order of the first. A column of integers here and of floats there becomes
/// floats; one that has otherwise one type here and another there becomes text,
/// numbers spelled as labels are.
///
/// # Errors
/// [`Error::Column`] naming file and column where the columns differ;
/// [`Error::Format`] where decimal marks differ; [`Error::Limit`] for a column
/// of more than 4 GiB of text.
pub(crate) fn concat(tables: Vec<Table>) -> Result<Table> {
    let decimal = agree_on_decimal(&tables)?;
    let mut tables = tables.into_iter();
    let Some(first) = tables.next() else {
        return Err(Error::Core(isotherm::Error::data(
            "there is no table",
            "name at least one file",
        )));
    };
    let mut rows = first.rows();
    let (mut columns, one) = first.into_parts();
    let mut origin = one.clone();
    let mut parts = vec![(0, one)];
    for table in tables {
        check_columns(&parts[0].1.path, &columns, &table)?;
        let count = table.rows();
        let (others, from) = table.into_parts();
        let mut others: HashMap<String, Cells> =
            others.into_iter().map(|c| (c.name, c.cells)).collect();
        for column in &mut columns {
            let Some(other) = others.remove(&column.name) else {
                continue; // checked above
            };
            let cells = std::mem::replace(&mut column.cells, Cells::Text(TextCells::default()));
            column.cells =
                append(cells, other, decimal).ok_or_else(|| too_long(&from.path, &column.name))?;
        }
        origin.dialect = origin.dialect.or(from.dialect);
        parts.push((rows, from));
        rows += count;
    }
    if let Some(dialect) = &mut origin.dialect {
        dialect.decimal = decimal;
    }
    origin.lines = Default::default();
    origin.before = 0;
    origin.parts = parts;
    Table::new(columns, origin)
}

/// Refuses a table with more or fewer columns than the first.
pub(crate) fn check_columns(first: &Path, columns: &[Column], table: &Table) -> Result<()> {
    let other = first.to_owned();
    let refuse = |name: &str, problem| {
        Err(Error::Column {
            path: table.origin().path.clone(),
            name: name.to_owned(),
            problem,
            columns: table.names(),
        })
    };
    let names = |columns: &'_ [Column]| -> HashSet<String> {
        columns.iter().map(|c| c.name.clone()).collect()
    };
    let (here, there) = (names(table.columns()), names(columns));
    if let Some(c) = columns.iter().find(|c| !here.contains(&c.name)) {
        return refuse(&c.name, ColumnProblem::Lacking { other });
    }
    match table.columns().iter().find(|c| !there.contains(&c.name)) {
        Some(c) => refuse(&c.name, ColumnProblem::Extra { other }),
        None => Ok(()),
    }
}

/// The decimal mark of the texts, which all files that show one must share.
pub(crate) fn agree_on_decimal<'a>(
    tables: impl IntoIterator<Item = &'a Table>,
) -> Result<Option<Decimal>> {
    let mut agreed: Option<(Decimal, &Origin)> = None;
    for table in tables {
        let origin = table.origin();
        let Some(mark) = origin.dialect.and_then(|d| d.decimal) else {
            continue;
        };
        match agreed {
            Some((other, first)) if other != mark => {
                return Err(Error::format(
                    &origin.path,
                    None,
                    format!(
                        "numbers have a {mark}, but a {other} in {}",
                        crate::error::shown(&first.path)
                    ),
                    "pass --decimal if that was found wrongly, or write one mark throughout",
                ));
            }
            _ => agreed = Some((mark, origin)),
        }
    }
    Ok(agreed.map(|(mark, _)| mark))
}

/// `None` when the text is too long.
fn append(mut cells: Cells, other: Cells, decimal: Option<Decimal>) -> Option<Cells> {
    // No cells have no type.
    if other.is_empty() {
        return Some(cells);
    }
    if cells.is_empty() {
        return Some(other);
    }
    match (&mut cells, &other) {
        (Cells::Text(a), Cells::Text(b)) => a.append(b).ok()?,
        (Cells::Float(a), Cells::Float(b)) => a.append(b),
        (Cells::Integer(a), Cells::Integer(b)) => a.append(b),
        (Cells::Bool(a), Cells::Bool(b)) => a.append(b),
        (Cells::List(a), Cells::List(b)) => a.append(b),
        (Cells::Float(a), Cells::Integer(b)) if is_exact(b) => a.append(&floats(b)),
        (Cells::Integer(a), Cells::Float(b)) if is_exact(a) => {
            let mut all = floats(a);
            all.append(b);
            return Some(Cells::Float(all));
        }
        (a, b) => {
            let decimal = decimal.unwrap_or_default();
            let mut all = texts(a, decimal)?;
            all.append(&texts(b, decimal)?).ok()?;
            return Some(Cells::Text(all));
        }
    }
    Some(cells)
}

/// Whether 64-bit floats hold all of these integers.
fn is_exact(cells: &Nullable<i64>) -> bool {
    cells.values().iter().all(|v| v.unsigned_abs() <= 1 << 53)
}

fn floats(cells: &Nullable<i64>) -> Nullable<f64> {
    let value = |row| cells.get(row).map(|v: i64| v as f64);
    (0..cells.len()).map(value).collect()
}

fn texts(cells: &Cells, decimal: Decimal) -> Option<TextCells> {
    let mut all = TextCells::default();
    for row in 0..cells.len() {
        let text = match cells {
            Cells::Float(c) => c.get(row).map(|v| numbers::spelled_label(v, decimal)),
            other => text(other, row),
        };
        match text {
            Some(text) if !all.push(&text) => return None,
            Some(_) => {}
            None => all.push_missing(),
        }
    }
    Some(all)
}

fn too_long(path: &Path, name: &str) -> Error {
    Error::limit(
        path,
        None,
        format!("the text of column \"{name}\" in bytes, with the files before,"),
        (TextCells::LARGEST as u64 + 1, TextCells::LARGEST as u64),
        "exclude the column, or give fewer files",
    )
}
