//! Lists of numbers as cells: embeddings, one after the other in one buffer.

use crate::table::numbers::{self, NotANumber};
use crate::text::dialect::Decimal;

/// Lists of numbers, one a row. All numbers lie in one allocation; one without
/// a value is NaN.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListCells {
    values: Vec<f64>,
    ends: Vec<usize>,
    missing: Vec<bool>,
}

impl ListCells {
    /// Adds a list.
    pub fn push(&mut self, items: &[f64]) {
        self.extend(items.iter().copied());
    }

    /// Adds a list, number by number; how many there were.
    pub fn extend(&mut self, items: impl IntoIterator<Item = f64>) -> usize {
        let before = self.values.len();
        self.values.extend(items);
        self.close(false);
        self.values.len() - before
    }

    /// Adds a cell without a list.
    pub fn push_missing(&mut self) {
        self.close(true);
    }

    /// Adds the cells of another column at the end.
    pub(crate) fn append(&mut self, other: &Self) {
        if !self.missing.is_empty() || !other.missing.is_empty() {
            self.missing.resize(self.ends.len(), false);
            self.missing.extend_from_slice(&other.missing);
            self.missing
                .resize(self.ends.len() + other.ends.len(), false);
        }
        let base = self.values.len();
        self.values.extend_from_slice(&other.values);
        self.ends.extend(other.ends.iter().map(|end| base + end));
    }

    fn close(&mut self, missing: bool) {
        if missing && self.missing.is_empty() {
            self.missing = vec![false; self.ends.len()];
        }
        if missing || !self.missing.is_empty() {
            self.missing.push(missing);
        }
        self.ends.push(self.values.len());
    }

    /// Adds a list from its text; `false`, and nothing is added, when the text
    /// is none.
    #[must_use]
    pub fn push_text(&mut self, text: &str) -> bool {
        let fine = parse(text, &mut self.values);
        if fine {
            self.close(false);
        }
        fine
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The list of row `row`; `None` when it has none or does not exist.
    pub fn get(&self, row: usize) -> Option<&[f64]> {
        let end = *self.ends.get(row)?;
        if self.missing.get(row).copied().unwrap_or(false) {
            return None;
        }
        let start = match row.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.values.get(start..end)
    }

    /// The length of the longest list there is.
    pub(crate) fn longest(&self) -> Option<usize> {
        let lists = (0..self.len()).filter_map(|row| self.get(row));
        lists.map(<[_]>::len).max()
    }

    /// The length of the first list there is.
    pub fn first_length(&self) -> Option<usize> {
        (0..self.len())
            .find_map(|row| self.get(row))
            .map(<[_]>::len)
    }
}

impl<'a> FromIterator<Option<&'a [f64]>> for ListCells {
    fn from_iter<I: IntoIterator<Item = Option<&'a [f64]>>>(cells: I) -> Self {
        let mut out = Self::default();
        for cell in cells {
            match cell {
                Some(items) => out.push(items),
                None => out.push_missing(),
            }
        }
        out
    }
}

/// Adds the numbers of a text such as `[0.1, 0.2]` or, as numpy prints them,
/// `[0.1 0.2]`; `false`, and nothing is added, when it is no list of numbers.
pub(crate) fn parse(text: &str, into: &mut Vec<f64>) -> bool {
    let text = text.trim();
    let inside = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    let Some(inside) = inside.map(str::trim) else {
        return false;
    };
    let before = into.len();
    let fine = if inside.contains(',') {
        inside.split(',').all(|t| item(t, into))
    } else {
        inside.split_whitespace().all(|t| item(t, into))
    };
    if !fine {
        into.truncate(before);
    }
    fine
}

fn item(text: &str, into: &mut Vec<f64>) -> bool {
    let value = match numbers::parse(text, Decimal::Point) {
        Ok(v) => Some(v),
        Err(NotANumber::Missing) => Some(f64::NAN),
        Err(NotANumber::NotFinite) => text.trim().parse().ok(),
        Err(NotANumber::Blank | NotANumber::Text) => None,
    };
    into.extend(value);
    value.is_some()
}

/// Whether a text could be a list; cheap.
pub(crate) fn looks_like_one(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('[') && text.ends_with(']')
}

/// A list as text, which is JSON too where all its numbers are finite.
pub(crate) fn to_text(items: &[f64]) -> String {
    let mut out = String::with_capacity(2 + 8 * items.len());
    out.push('[');
    for (at, v) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        if v.is_nan() {
            out.push_str("null");
        } else {
            out.push_str(&numbers::shortest(*v));
        }
    }
    out.push(']');
    out
}
