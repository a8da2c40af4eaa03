//! A table: named columns of equal length.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use isotherm::data::points::LARGEST;
use rayon::prelude::*;

use crate::error::{ColumnProblem, Error, Place, Result, clean};
use crate::source::{NoRows, ReadOptions};
use crate::spelling::closest_name;
use crate::table::cell_values::{from_commas, number, text};
use crate::table::cells::Cells;
use crate::table::numbers::{self, NotANumber};
use crate::table::one_hot;
use crate::table::origin::Origin;
use crate::table::survey;
use crate::table::survey::Nature;
use crate::text::dialect::{Decimal, Delimiter, Header};

/// One named column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its cells.
    pub cells: Cells,
}

/// Named columns of equal length.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Column>,
    rows: usize,
    origin: Origin,
    /// What each column holds, once that has been looked at.
    natures: Vec<OnceLock<Nature>>,
}

impl PartialEq for Table {
    /// What has been looked at makes no difference.
    fn eq(&self, other: &Self) -> bool {
        self.columns == other.columns && self.rows == other.rows && self.origin == other.origin
    }
}

impl Table {
    /// A table from its columns.
    ///
    /// # Errors
    /// [`Error::Core`] when lengths differ; [`Error::Column`] when two columns
    /// have one name or one has none.
    pub fn new(columns: Vec<Column>, origin: Origin) -> Result<Self> {
        let rows = columns.first().map_or(0, |c| c.cells.len());
        check_names(
            &origin.path,
            &columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>(),
        )?;
        for column in &columns {
            check_length(rows, column)?;
        }
        Ok(Self {
            natures: vec![OnceLock::new(); columns.len()],
            columns,
            rows,
            origin,
        })
    }

    /// The columns and where they came from, for who puts tables together.
    pub(crate) fn into_parts(self) -> (Vec<Column>, Origin) {
        (self.columns, self.origin)
    }

    /// The same rows, which follow so many others of their file.
    pub(crate) fn after(mut self, before: u64) -> Self {
        self.origin.before = before;
        self
    }

    /// Sets which rows come from which file.
    pub(crate) fn set_parts(&mut self, parts: Vec<(usize, Origin)>) {
        self.origin.parts = parts;
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns, in the file's order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns' names, in the file's order.
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|c| c.name.clone()).collect()
    }

    /// Where the table came from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Calls rows by the cells of a column in [`Table::row_name`].
    pub fn name_rows_by(&mut self, column: impl Into<String>) {
        self.origin.named_by = Some(column.into());
    }

    /// Where a row stands: `line 12`, with its file if there are several.
    pub fn row_place(&self, row: usize) -> String {
        let place = self.origin.place(row);
        if self.origin.parts.is_empty() {
            place.to_string()
        } else {
            format!("{} {place}", self.origin.file(row).display())
        }
    }

    /// What a row is called, and where it stands: `Capron, IL (line 12)`; just where it stands,
    /// with its file if there are several, where no column names the rows.
    pub fn row_name(&self, row: usize) -> String {
        let place = self.row_place(row);
        let column = self
            .origin
            .named_by
            .as_ref()
            .and_then(|name| self.column(name).ok());
        match column.and_then(|column| one_hot::word(&column.cells, row)) {
            Some(name) => format!("{} ({place})", clean(&name, 60)),
            None => place,
        }
    }

    /// The column of that name.
    ///
    /// # Errors
    /// [`Error::Column`] with the closest name when there is none.
    pub fn column(&self, name: &str) -> Result<&Column> {
        let found = self.columns.iter().find(|c| c.name == name);
        found.ok_or_else(|| self.no_column(name))
    }

    /// The refusal of a name that no column has, with where it may be instead.
    pub(crate) fn no_column(&self, name: &str) -> Error {
        let near = || closest_name(name, self.columns.iter().map(|c| c.name.as_str()));
        Error::Column {
            path: self.origin.path.clone(),
            name: name.to_owned(),
            problem: match self.read_otherwise(name) {
                Some(hint) => ColumnProblem::ReadOtherwise { hint },
                None => ColumnProblem::Missing { near: near() },
            },
            columns: self.names(),
        }
    }

    /// How text would have to be read for a column to have this name, if the first
    /// row or a part of another name tells.
    fn read_otherwise(&self, name: &str) -> Option<String> {
        let dialect = self.origin.dialect?;
        let first = |c: &Column| text(&c.cells, 0).is_some_and(|cell| cell.trim() == name);
        if dialect.header == Header::Absent && self.columns.iter().any(first) {
            let hint = "the first row has it, but was not read as a header; pass --header yes";
            return Some(hint.to_owned());
        }
        let holds = |c: &&Column, mark: u8| {
            let mut pieces = c.name.split(char::from(mark)).map(str::trim);
            pieces.clone().nth(1).is_some() && pieces.any(|piece| piece == name)
        };
        let marks = [
            Delimiter::Comma,
            Delimiter::Semicolon,
            Delimiter::Tab,
            Delimiter::Bar,
        ];
        for mark in marks.into_iter().filter(|m| *m != dialect.delimiter) {
            let Some(byte) = mark.byte() else { continue };
            if let Some(column) = self.columns.iter().find(|c| holds(c, byte)) {
                return Some(format!(
                    "the table was split at every {}, and a column is called \"{}\"; pass --delimiter {mark}",
                    dialect.delimiter,
                    clean(&column.name, 60)
                ));
            }
        }
        match self.columns.as_slice() {
            [one] if one.name.split_whitespace().any(|piece| piece == name) => Some(
                "white space does not separate the columns of a table; write commas or tabs \
                 between them"
                    .to_owned(),
            ),
            _ => None,
        }
    }

    /// Adds a column at the end.
    ///
    /// # Errors
    /// [`Error::Core`] when its length is not [`Table::rows`];
    /// [`Error::Column`] when its name is taken or blank.
    pub fn push_column(&mut self, column: Column) -> Result<()> {
        if self.columns.is_empty() {
            self.rows = column.cells.len();
        }
        check_length(self.rows, &column)?;
        let mut names = self.names();
        names.push(column.name.clone());
        check_names(&self.origin.path, &names)?;
        self.columns.push(column);
        self.natures.push(OnceLock::new());
        Ok(())
    }

    /// Puts a column in the place of the one of its name, or at the end.
    ///
    /// # Errors
    /// As [`Table::push_column`].
    pub fn put_column(&mut self, column: Column) -> Result<()> {
        let Some(at) = self.columns.iter().position(|c| c.name == column.name) else {
            return self.push_column(column);
        };
        check_length(self.rows, &column)?;
        self.columns[at] = column;
        self.natures[at] = OnceLock::new();
        Ok(())
    }

    /// Adds a row for each name at the end: the name in `column`, the other
    /// cells without a value.
    ///
    /// # Errors
    /// [`Error::Column`] when there is no such column; [`Error::Cell`] when a
    /// name is not what the column holds.
    pub fn append_named(&mut self, column: &str, names: &[String]) -> Result<()> {
        self.column(column)?;
        self.natures = vec![OnceLock::new(); self.columns.len()];
        for name in names {
            for c in &mut self.columns {
                if c.name != column {
                    c.cells.push_missing();
                } else if !c.cells.push_text(name) {
                    return Err(Error::Cell {
                        path: self.origin.path.clone(),
                        place: Place::Row(self.rows as u64 + 1),
                        column: column.to_owned(),
                        value: name.clone(),
                        problem: format!("\"{name}\" does not fit into the column").into(),
                        hint: "write the column as text".into(),
                    });
                }
            }
            self.rows += 1;
        }
        Ok(())
    }

    /// Whether a column holds numbers.
    ///
    /// Floats, integers, truth values and lists of numbers do. A text column does when at least
    /// half of its cells that have a value are numbers, written with a point or
    /// a comma: one typing mistake or a decimal comma then is an error with its
    /// line, not a column that silently goes missing.
    pub fn is_numeric(&self, name: &str) -> Result<bool> {
        self.column(name)?;
        let at = self.columns.iter().position(|c| c.name == name);
        let nature = at.and_then(|at| self.nature_at(at));
        Ok(matches!(nature, Some(Nature::Numbers | Nature::Lists(_))))
    }

    /// What a column holds, by position; looked at once.
    pub(crate) fn nature_at(&self, at: usize) -> Option<&Nature> {
        let (column, known) = (self.columns.get(at)?, self.natures.get(at)?);
        Some(known.get_or_init(|| survey::nature(&column.cells)))
    }

    /// A column as numbers; truth values are 0 and 1.
    ///
    /// # Errors
    /// [`Error::Cell`] naming line and column of the first cell that is blank,
    /// missing, not a number, not finite, or at least 1e150 in size.
    pub fn numeric(&self, name: &str) -> Result<Vec<f64>> {
        let column = self.column(name)?;
        (0..self.rows).map(|row| self.number(column, row)).collect()
    }

    /// A column as numbers where it has a value, for regression.
    ///
    /// # Errors
    /// [`Error::Cell`] for a cell that has a value which is not a number.
    pub fn values(&self, name: &str) -> Result<Vec<Option<f64>>> {
        let column = self.column(name)?;
        (0..self.rows)
            .map(
                |row| match number(&column.cells, row, self.origin.decimal()) {
                    Ok(v) => Ok(Some(v)),
                    Err(NotANumber::Blank | NotANumber::Missing) => Ok(None),
                    Err(why) => Err(self.bad_cell(column, row, why)),
                },
            )
            .collect()
    }

    /// A column as class names; `None` is unlabelled.
    ///
    /// Unlabelled is a cell that is missing, blank, or one of `MISSING`
    /// (`NA`, `NaN`, `nan`, `null`, `None`, `N/A`, `#N/A`, `<NA>`) after trimming. Everything else is
    /// a name, without the white space around it; whole floats lose their `.0`.
    ///
    /// # Errors
    /// [`Error::Column`] when there is no such column.
    pub fn labels(&self, name: &str) -> Result<Vec<Option<String>>> {
        let column = self.column(name)?;
        Ok((0..self.rows)
            .map(|row| one_hot::word(&column.cells, row).map(Cow::into_owned))
            .collect())
    }

    /// As [`Table::labels`], numbers with a decimal comma spelled with a point
    /// (`12,5` as `12.5`); `None` when the table has no decimal commas, or some
    /// label is not a number.
    ///
    /// # Errors
    /// [`Error::Column`] when there is no such column.
    pub fn pointed_labels(&self, name: &str) -> Result<Option<Vec<Option<String>>>> {
        Ok(self.pointed(&self.labels(name)?))
    }

    /// As [`Table::pointed_labels`], of labels that were read already.
    pub fn pointed(&self, labels: &[Option<String>]) -> Option<Vec<Option<String>>> {
        if self.origin.decimal() == Decimal::Point {
            return None;
        }
        let number = |l: &String| numbers::parse(l, Decimal::Comma).is_ok();
        let numbers = labels.iter().flatten().all(number);
        let pointed = |l: &Option<String>| l.as_ref().map(|l| l.replace(',', "."));
        numbers.then(|| labels.iter().map(pointed).collect())
    }

    /// The table with its columns of decimal commas as numbers: text columns all of
    /// whose cells that have a value are numbers, one of them with a comma. Other
    /// tables, and other columns, are as they were.
    ///
    /// Cost: one pass over the columns of numbers.
    #[must_use]
    pub fn numbers_from_commas(mut self) -> Self {
        if self.origin.decimal() == Decimal::Comma {
            let columns = self.columns.par_iter_mut().zip(&mut self.natures);
            columns.for_each(|(column, nature)| {
                let Cells::Text(texts) = &column.cells else {
                    return;
                };
                if let Some(numbers) = from_commas(texts) {
                    column.cells = Cells::Float(numbers);
                    *nature = OnceLock::new();
                }
            });
        }
        self
    }

    /// One cell as a number the library takes.
    pub(crate) fn number(&self, column: &Column, row: usize) -> Result<f64> {
        match number(&column.cells, row, self.origin.decimal()) {
            Ok(v) if v.abs() < LARGEST => Ok(v),
            Ok(_) => Err(self.bad_cell(column, row, NotANumber::NotFinite)),
            Err(why) => Err(self.bad_cell(column, row, why)),
        }
    }

    fn bad_cell(&self, column: &Column, row: usize, why: NotANumber) -> Error {
        self.bad_value(column, (row, row), why)
    }

    /// Refuses cell `at` of a column, which stands in row `row`.
    pub(crate) fn bad_value(
        &self,
        column: &Column,
        (at, row): (usize, usize),
        why: NotANumber,
    ) -> Error {
        let value = text(&column.cells, at).unwrap_or_default();
        let short = clean(&value, 60);
        let name = clean(&column.name, 60);
        let (problem, hint): (String, String) = match why {
            NotANumber::Blank => (
                "the cell is blank".into(),
                "fill the cell or remove the row".into(),
            ),
            NotANumber::Missing => (
                if short.is_empty() {
                    "the value is missing".into()
                } else {
                    format!("\"{short}\" means a missing value")
                },
                "fill the cell or remove the row".into(),
            ),
            NotANumber::NotFinite => (
                format!("\"{short}\" is not a usable number"),
                format!("rescale \"{name}\" below 1e150, or remove the row"),
            ),
            NotANumber::Text => (
                format!("\"{short}\" is not a number"),
                match self.other_mark(&value) {
                    Some(hint) => hint,
                    None => "correct the cell or remove the row".into(),
                },
            ),
        };
        Error::Cell {
            path: self.origin.file(row).to_owned(),
            place: self.origin.place(row),
            column: name,
            value: clean(&value, 1000),
            problem: problem.into(),
            hint: hint.into(),
        }
    }
}

impl Table {
    fn other_decimal(&self) -> Decimal {
        match self.origin.decimal() {
            Decimal::Point => Decimal::Comma,
            Decimal::Comma => Decimal::Point,
        }
    }

    /// The way out for a number that is written with the other decimal mark or with
    /// thousands marks.
    fn other_mark(&self, value: &str) -> Option<String> {
        let mark = self.origin.decimal();
        let grouped = numbers::is_grouped(value);
        let other = numbers::parse(value, self.other_decimal()).is_ok();
        if !grouped && !other {
            return None;
        }
        let word = match self.other_decimal() {
            Decimal::Point => "point",
            Decimal::Comma => "comma",
        };
        let read = match self.origin.dialect {
            Some(dialect) => format!("read with the delimiter {} and a {mark}", dialect.delimiter),
            None => format!("read with a {mark}"),
        };
        let commas = self.origin.dialect.map(|d| d.delimiter) == Some(Delimiter::Comma);
        Some(match (grouped, self.has_mark(mark)) {
            (true, true) => "numbers have no thousands marks: write it without".to_owned(),
            (true, false) if commas || !other => {
                "numbers have no thousands marks: write it without".to_owned()
            }
            (true, false) => format!(
                "{read}; if the comma marks thousands, write it without; if it is the decimal \
                 mark, pass --decimal {word}"
            ),
            (false, true) => format!("{read}, as other numbers have; write one mark throughout"),
            (false, false) => format!("{read}; pass --decimal {word}"),
        })
    }

    /// Whether some number is written with this decimal mark, and could not be read
    /// with the other.
    fn has_mark(&self, mark: Decimal) -> bool {
        let sign = match mark {
            Decimal::Point => '.',
            Decimal::Comma => ',',
        };
        let shows = |text: &str| text.contains(sign) && numbers::parse(text, mark).is_ok();
        self.columns.iter().any(|column| match &column.cells {
            Cells::Text(c) => (0..c.len()).filter_map(|row| c.get(row)).any(shows),
            // Text that became numbers had commas.
            Cells::Float(_) => self.origin.dialect.is_some() && mark == Decimal::Comma,
            _ => false,
        })
    }
}

/// Refuses a blank name and a name used twice.
pub(crate) fn check_names(path: &Path, names: &[String]) -> Result<()> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        let problem = if name.trim().is_empty() {
            ColumnProblem::Unnamed { position: at + 1 }
        } else {
            match seen.insert(name, at) {
                Some(first) => ColumnProblem::Duplicate {
                    first: first + 1,
                    second: at + 1,
                },
                None => continue,
            }
        };
        return Err(Error::Column {
            path: path.to_owned(),
            name: name.clone(),
            problem,
            columns: names.to_vec(),
        });
    }
    Ok(())
}

fn check_length(rows: usize, column: &Column) -> Result<()> {
    if column.cells.len() == rows {
        Ok(())
    } else {
        Err(Error::Core(isotherm::Error::Shape {
            what: "cells of a column",
            expected: rows,
            got: column.cells.len(),
        }))
    }
}

/// The table of a file that was read; without rows it is refused unless the options allow it.
pub(crate) fn finish(columns: Vec<Column>, origin: Origin, options: &ReadOptions) -> Result<Table> {
    let table = Table::new(columns, origin)?;
    if table.rows() == 0 && options.no_rows == NoRows::Refuse {
        Err(Error::HeaderOnly {
            path: table.origin().path.clone(),
            columns: table.columns().len(),
        })
    } else {
        Ok(table)
    }
}
