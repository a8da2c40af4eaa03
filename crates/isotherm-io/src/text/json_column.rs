//! The column that the values of one key in JSON lines become.

use crate::error::clean;
use crate::table::cells::{Cells, Nullable, TextCells};
use crate::table::lists::ListCells;
use crate::table::numbers;

/// One key under construction.
pub(super) struct JsonColumn {
    pub(super) name: String,
    /// `None` until a line has a value.
    pub(super) cells: Option<Cells>,
    /// Cells so far; lines that lacked the key are added when it comes again.
    pub(super) len: usize,
    /// Whether the column may be left out, and whether it was.
    pub(super) unwanted: bool,
    pub(super) left_out: bool,
}

/// A value as it stands in a line.
pub(super) enum Value<'a> {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    /// A whole number that may not fit 63 bits.
    Digits(&'a str),
    Text(&'a str),
}

impl<'a> Value<'a> {
    /// Digits as the number they are, where that loses nothing.
    pub(super) fn settled(self) -> Self {
        match self {
            Self::Digits(text) => match (text.parse(), text.parse()) {
                (Ok(v), _) => Self::Integer(v),
                (_, Ok(v)) if !numbers::is_inexact_whole(text) => Self::Float(v),
                _ => self,
            },
            other => other,
        }
    }
}

impl JsonColumn {
    /// Cells without a value, until there are so many.
    pub(super) fn fill(&mut self, rows: usize) {
        if let Some(cells) = &mut self.cells {
            (self.len..rows).for_each(|_| cells.push_missing());
        }
        self.len = rows;
    }

    /// The cells, made by `empty` if these are the first.
    pub(super) fn cells(&mut self, empty: impl FnOnce() -> Cells) -> &mut Cells {
        let before = self.len;
        self.cells.get_or_insert_with(|| {
            let mut cells = empty();
            (0..before).for_each(|_| cells.push_missing());
            cells
        })
    }

    /// Adds the value of a row; numbers beside texts become texts, and so do numbers where
    /// one float could not hold them all.
    pub(super) fn push(&mut self, row: usize, value: Value<'_>) -> std::result::Result<(), String> {
        let value = value.settled();
        self.fill(row);
        let cells = match value {
            Value::Null => {
                self.fill(row + 1);
                return Ok(());
            }
            Value::Bool(_) => self.cells(|| Cells::Bool(Nullable::default())),
            Value::Integer(_) => self.cells(|| Cells::Integer(Nullable::default())),
            Value::Float(_) => self.cells(|| Cells::Float(Nullable::default())),
            Value::Text(_) | Value::Digits(_) => self.cells(|| Cells::Text(TextCells::default())),
        };
        let exact = |v: i64| numbers::is_exact(i128::from(v));
        match (&mut *cells, &value) {
            (Cells::Integer(c), Value::Float(_)) if c.values().iter().all(|v| exact(*v)) => {
                let floats = (0..c.len()).map(|row| c.get(row).map(|v| v as f64));
                *cells = Cells::Float(floats.collect());
            }
            (Cells::Integer(_), Value::Float(_))
            | (Cells::Integer(_) | Cells::Float(_), Value::Digits(_))
            | (Cells::Integer(_) | Cells::Float(_) | Cells::Bool(_), Value::Text(_)) => {
                *cells = texts(cells)?;
            }
            (Cells::Float(_), Value::Integer(v)) if !exact(*v) => *cells = texts(cells)?,
            _ => {}
        }
        let fits = match (&mut *cells, value) {
            (Cells::Bool(c), Value::Bool(v)) => push(c, v),
            (Cells::Integer(c), Value::Integer(v)) => push(c, v),
            (Cells::Float(c), Value::Integer(v)) => push(c, v as f64),
            (Cells::Float(c), Value::Float(v)) => push(c, v),
            (Cells::Text(c), Value::Text(v) | Value::Digits(v)) => c.push(v),
            (Cells::Text(c), Value::Bool(v)) => c.push(if v { "true" } else { "false" }),
            (Cells::Text(c), Value::Integer(v)) => c.push(&v.to_string()),
            (Cells::Text(c), Value::Float(v)) => c.push(&numbers::shortest(v)),
            (cells, value) => {
                let before = kind(cells);
                return Err(self.mixed(value.kind(), before));
            }
        };
        self.len += 1;
        if fits {
            Ok(())
        } else {
            Err(self.said("holds more than 4 GiB of text"))
        }
    }

    /// Adds the value of a row, or leaves the column out where it cannot be read.
    pub(super) fn push_unwanted(
        &mut self,
        row: usize,
        value: &serde_json::Value,
        long: Option<&str>,
    ) {
        use serde_json::Value as Json;
        let pushed = match value {
            Json::Null => self.push(row, Value::Null),
            Json::Bool(v) => self.push(row, Value::Bool(*v)),
            Json::Number(v) => match (long, v.as_i64(), v.as_f64()) {
                (Some(digits), ..) => self.push(row, Value::Digits(digits)),
                (_, Some(v), _) => self.push(row, Value::Integer(v)),
                (_, _, v) => self.push(row, Value::Float(v.unwrap_or(f64::NAN))),
            },
            Json::String(v) => self.push(row, Value::Text(v)),
            Json::Array(items) => {
                let item = |v: &Json| match v {
                    Json::Null => Some(f64::NAN),
                    other => other.as_f64(),
                };
                match items.iter().map(item).collect::<Option<Vec<f64>>>() {
                    Some(items) => self.push_list(row, &items),
                    None => Err(String::new()),
                }
            }
            Json::Object(_) => Err(String::new()),
        };
        if pushed.is_err() {
            (self.left_out, self.cells, self.len) = (true, None, row + 1);
        }
    }

    /// Adds the list of a row.
    pub(super) fn push_list(
        &mut self,
        row: usize,
        items: &[f64],
    ) -> std::result::Result<(), String> {
        self.fill(row);
        match self.cells(|| Cells::List(ListCells::default())) {
            Cells::List(c) => c.push(items),
            other => {
                let other = kind(other);
                return Err(self.mixed("an array", other));
            }
        }
        self.len += 1;
        Ok(())
    }

    pub(super) fn mixed(&self, here: &str, before: &str) -> String {
        self.said(&format!("is {here} here and {before} on earlier lines"))
    }

    pub(super) fn said(&self, what: &str) -> String {
        format!("the key \"{}\" {what}", clean(&self.name, 60))
    }
}

fn push<T: Copy + Default>(cells: &mut Nullable<T>, value: T) -> bool {
    cells.push(Some(value));
    true
}

fn kind(cells: &Cells) -> &'static str {
    match cells {
        Cells::Text(_) => "a text",
        Cells::Float(_) | Cells::Integer(_) => "a number",
        Cells::Bool(_) => "a truth value",
        Cells::List(_) => "an array",
    }
}

impl Value<'_> {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a truth value",
            Self::Integer(_) | Self::Float(_) | Self::Digits(_) => "a number",
            Self::Text(_) => "a text",
        }
    }
}

/// The same cells as texts.
fn texts(cells: &Cells) -> std::result::Result<Cells, String> {
    let mut out = TextCells::default();
    for row in 0..cells.len() {
        match crate::table::text(cells, row) {
            Some(text) if out.push(&text) => {}
            Some(_) => return Err("a column holds more than 4 GiB of text".into()),
            None => out.push_missing(),
        }
    }
    Ok(Cells::Text(out))
}
