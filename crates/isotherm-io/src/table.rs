//! A table: named columns of equal length, and where they came from.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use isotherm::data::Points;
use isotherm::data::points::LARGEST;

use crate::cells::Cells;
use crate::dialect::{Decimal, Dialect};
use crate::error::{ColumnProblem, Error, Place, Result, clean};
use crate::features::Features;
use crate::lines::Lines;
use crate::near::near;
use crate::numbers::{self, NotANumber};
use crate::one_hot;
use crate::source::Format;
use crate::survey::Nature;
use crate::{lists, survey};

pub use crate::numbers::MISSING;

/// One named column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its cells.
    pub cells: Cells,
}

/// Where a table came from; what its errors are told with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file, the first of several; `-` is standard input.
    pub path: PathBuf,
    /// The format it was read as.
    pub format: Format,
    /// How a text file is written, as found or given.
    pub dialect: Option<Dialect>,
    /// The line of each row of a text file.
    pub lines: Lines,
    /// Rows of the file that come before this table's.
    pub before: u64,
    /// Columns of the file that the table lacks: they were not wanted, and cannot be read.
    pub unread: Vec<String>,
    /// The files that the table was put together from, if they are several,
    /// each with its first row in this table (from 0), ascending.
    pub parts: Vec<(usize, Origin)>,
}

impl Origin {
    /// An origin without lines: a binary file, or a table made in memory.
    pub fn new(path: impl Into<PathBuf>, format: Format) -> Self {
        Self {
            path: path.into(),
            format,
            dialect: None,
            lines: Lines::default(),
            before: 0,
            unread: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Where row `row` (from 0) is found in its file: a line if there are lines.
    pub fn place(&self, row: usize) -> Place {
        match self.part(row) {
            Some((first, part)) => part.place(row - first),
            None => match self.lines.line(row) {
                Some(line) => Place::Line(line),
                None => Place::Row(self.before + row as u64 + 1),
            },
        }
    }

    /// The file of row `row` (from 0).
    pub fn file(&self, row: usize) -> &Path {
        self.part(row).map_or(&self.path, |(_, part)| &part.path)
    }

    fn part(&self, row: usize) -> Option<&(usize, Self)> {
        let after = self.parts.partition_point(|(first, _)| *first <= row);
        self.parts.get(after.checked_sub(1)?)
    }

    /// The decimal mark of its texts.
    pub(crate) fn decimal(&self) -> Decimal {
        self.dialect.and_then(|d| d.decimal).unwrap_or_default()
    }
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

    /// Says which rows of which files these are.
    pub(crate) fn told_by(&mut self, parts: Vec<(usize, Origin)>) {
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

    /// The column of that name.
    ///
    /// # Errors
    /// [`Error::Column`] with the closest name when there is none.
    pub fn column(&self, name: &str) -> Result<&Column> {
        let found = self.columns.iter().find(|c| c.name == name);
        found.ok_or_else(|| Error::Column {
            path: self.origin.path.clone(),
            name: name.to_owned(),
            problem: ColumnProblem::Missing {
                near: near(name, self.columns.iter().map(|c| c.name.as_str())),
            },
            columns: self.names(),
        })
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
    /// Unlabelled is a cell that is missing, blank, or one of [`MISSING`]
    /// (`NA`, `NaN`, `nan`, `null`, `None`) after trimming. Everything else is
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
        let labels = self.labels(name)?;
        if self.origin.decimal() == Decimal::Point {
            return Ok(None);
        }
        let number = |l: &String| numbers::parse(l, Decimal::Comma).is_ok();
        let numbers = labels.iter().flatten().all(number);
        let pointed = |l: Option<String>| l.map(|l| l.replace(',', "."));
        Ok(numbers.then(|| labels.into_iter().map(pointed).collect()))
    }

    /// The chosen columns as points, with the features' names.
    ///
    /// # Errors
    /// As [`Features::plan`] and [`crate::Plan::points`].
    pub fn features(&self, choice: &Features) -> Result<(Vec<String>, Points)> {
        let plan = choice.plan(self)?;
        let (points, _) = plan.points(self)?;
        Ok((plan.names().to_vec(), points))
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
                format!("fill the cell, remove the row, or exclude \"{name}\""),
            ),
            NotANumber::Missing => (
                match short.is_empty() {
                    true => "the value is missing".into(),
                    false => format!("\"{short}\" means a missing value"),
                },
                format!("fill the cell, remove the row, or exclude \"{name}\""),
            ),
            NotANumber::NotFinite => (
                format!("\"{short}\" is not a usable number"),
                format!("rescale \"{name}\" below 1e150, remove the row, or exclude the column"),
            ),
            NotANumber::Text if numbers::parse(&value, self.other_decimal()).is_ok() => {
                self.other_mark(&short, &name)
            }
            NotANumber::Text => (
                format!("\"{short}\" is not a number"),
                format!("correct the cell, or exclude \"{name}\""),
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

    /// What is wrong with a number that is written with the other decimal mark.
    fn other_mark(&self, value: &str, column: &str) -> (String, String) {
        let mark = self.origin.decimal();
        let word = match self.other_decimal() {
            Decimal::Point => "point",
            Decimal::Comma => "comma",
        };
        let read = match self.origin.dialect {
            Some(dialect) => format!("read with the delimiter {} and a {mark}", dialect.delimiter),
            None => format!("read with a {mark}"),
        };
        (
            format!("\"{value}\" is not a number"),
            format!("{read}; pass --decimal {word}, or exclude \"{column}\""),
        )
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
    match column.cells.len() == rows {
        true => Ok(()),
        false => Err(Error::Core(isotherm::Error::Shape {
            what: "cells of a column",
            expected: rows,
            got: column.cells.len(),
        })),
    }
}

pub(crate) fn number(
    cells: &Cells,
    row: usize,
    decimal: Decimal,
) -> std::result::Result<f64, NotANumber> {
    let value = match cells {
        Cells::Text(c) => {
            let parse = |text| numbers::parse(text, decimal);
            return c.get(row).map_or(Err(NotANumber::Missing), parse);
        }
        Cells::Float(c) => c.get(row),
        Cells::Integer(c) => c.get(row).map(|v| v as f64),
        Cells::Bool(c) => c.get(row).map(|v| f64::from(u8::from(v))),
        Cells::List(c) => {
            let list = c.get(row).ok_or(NotANumber::Missing)?;
            return Err(match list.is_empty() {
                true => NotANumber::Blank,
                false => NotANumber::Text,
            });
        }
    };
    match value {
        Some(v) if v.is_nan() => Err(NotANumber::Missing),
        Some(v) if v.is_infinite() => Err(NotANumber::NotFinite),
        Some(v) => Ok(v),
        None => Err(NotANumber::Missing),
    }
}

/// A cell as text, if it has a value.
pub(crate) fn text(cells: &Cells, row: usize) -> Option<String> {
    match cells {
        Cells::Text(c) => c.get(row).map(str::to_owned),
        Cells::Float(c) => c.get(row).map(numbers::shortest),
        Cells::Integer(c) => c.get(row).map(|v| v.to_string()),
        Cells::Bool(c) => c.get(row).map(|v| v.to_string()),
        Cells::List(c) => c.get(row).map(lists::written),
    }
}
