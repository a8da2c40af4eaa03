//! The cells of one column, as they were in the file.

use crate::table::lists::ListCells;

/// Texts, one after the other in one allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextCells {
    text: String,
    ends: Vec<u32>,
    missing: Vec<bool>,
}

impl TextCells {
    /// Bytes of text one column may hold: ends are 32-bit.
    pub const LARGEST: usize = u32::MAX as usize;

    /// Adds a cell; `false` when the column would exceed [`Self::LARGEST`].
    #[must_use]
    pub fn push(&mut self, text: &str) -> bool {
        let Ok(end) = u32::try_from(self.text.len() + text.len()) else {
            return false;
        };
        self.text.push_str(text);
        self.ends.push(end);
        if !self.missing.is_empty() {
            self.missing.push(false);
        }
        true
    }

    /// Takes all cells out; room for about so many bytes of text stays.
    pub(crate) fn clear_for(&mut self, bytes: usize) {
        self.text.clear();
        self.ends.clear();
        self.missing.clear();
        self.text.reserve(bytes + bytes / 8);
    }

    /// Reserves room for this many times what it holds, and a little more. It
    /// is a guess: where memory is short, nothing is reserved.
    pub(crate) fn make_room(&mut self, times: f64) {
        let more = |held: usize| (held as f64 * (1.03 * times - 1.0)).max(0.0) as usize;
        let text = more(self.text.len()).min(Self::LARGEST);
        let _ = self.text.try_reserve_exact(text);
        let _ = self.ends.try_reserve_exact(more(self.ends.len()));
    }

    /// Puts text in front of the cell that is pushed next.
    pub(crate) fn lead(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds the cells of another column at the end.
    ///
    /// # Errors
    /// The first of its rows that would exceed [`Self::LARGEST`]; nothing is
    /// added then.
    pub(crate) fn append(&mut self, other: &Self) -> Result<(), usize> {
        let base = self.text.len();
        if base + other.text.len() > Self::LARGEST {
            return Err(other
                .ends
                .partition_point(|end| base + *end as usize <= Self::LARGEST));
        }
        if !self.missing.is_empty() || !other.missing.is_empty() {
            self.missing.resize(self.ends.len(), false);
            self.missing.extend_from_slice(&other.missing);
            self.missing
                .resize(self.ends.len() + other.ends.len(), false);
        }
        self.text.push_str(&other.text);
        // The sum fits: it is at most the length that was checked.
        self.ends
            .extend(other.ends.iter().map(|end| base as u32 + end));
        Ok(())
    }

    /// `rows` cells from `first` on, which must be here.
    pub(crate) fn slice(&self, first: usize, rows: usize) -> Self {
        let end = |row: usize| match row.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or(0),
            None => 0,
        };
        let last = (first + rows).min(self.ends.len());
        let base = end(first);
        Self {
            text: self.text[base as usize..end(last) as usize].to_owned(),
            ends: self.ends[first..last].iter().map(|e| e - base).collect(),
            missing: self.missing.get(first..last).unwrap_or_default().to_vec(),
        }
    }

    /// Adds a cell without a value.
    pub fn push_missing(&mut self) {
        if self.missing.is_empty() {
            self.missing = vec![false; self.ends.len()];
        }
        let end = self.ends.last().copied().unwrap_or(0);
        self.ends.push(end);
        self.missing.push(true);
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Cell `row`; `None` when it has no value or does not exist. A blank CSV
    /// cell is the text `""`, not `None`.
    pub fn get(&self, row: usize) -> Option<&str> {
        let end = *self.ends.get(row)? as usize;
        if self.missing.get(row).copied().unwrap_or(false) {
            return None;
        }
        let start = match row.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.text.get(start..end)
    }
}

impl<'a> FromIterator<Option<&'a str>> for TextCells {
    /// Cells past [`TextCells::LARGEST`] bytes become missing.
    fn from_iter<I: IntoIterator<Item = Option<&'a str>>>(cells: I) -> Self {
        let mut out = Self::default();
        for cell in cells {
            if !cell.is_some_and(|c| out.push(c)) {
                out.push_missing();
            }
        }
        out
    }
}

/// Values some of which may be missing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Nullable<T> {
    values: Vec<T>,
    missing: Vec<bool>,
}

impl<T: Copy + Default> Nullable<T> {
    /// Values none of which is missing.
    pub fn full(values: Vec<T>) -> Self {
        Self {
            values,
            missing: Vec::new(),
        }
    }

    /// Adds a cell.
    pub fn push(&mut self, value: Option<T>) {
        if value.is_none() && self.missing.is_empty() {
            self.missing = vec![false; self.values.len()];
        }
        if value.is_none() || !self.missing.is_empty() {
            self.missing.push(value.is_none());
        }
        self.values.push(value.unwrap_or_default());
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Cell `row`; `None` when it has no value or does not exist.
    pub fn get(&self, row: usize) -> Option<T> {
        match self.missing.get(row) {
            Some(true) => None,
            _ => self.values.get(row).copied(),
        }
    }

    /// Adds the cells of another column at the end.
    pub(crate) fn append(&mut self, other: &Self) {
        if !self.missing.is_empty() || !other.missing.is_empty() {
            self.missing.resize(self.values.len(), false);
            self.missing.extend_from_slice(&other.missing);
            self.missing
                .resize(self.values.len() + other.values.len(), false);
        }
        self.values.extend_from_slice(&other.values);
    }

    /// Whether some cell has no value.
    pub fn has_missing(&self) -> bool {
        self.missing.contains(&true)
    }

    /// All values; a missing one has the type's default.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

impl<T: Copy + Default> FromIterator<Option<T>> for Nullable<T> {
    fn from_iter<I: IntoIterator<Item = Option<T>>>(cells: I) -> Self {
        let mut out = Self::default();
        cells.into_iter().for_each(|c| out.push(c));
        out
    }
}

/// The cells of one column.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Cells {
    /// Texts; every column of a CSV file.
    Text(TextCells),
    /// 64-bit floats.
    Float(Nullable<f64>),
    /// 64-bit integers.
    Integer(Nullable<i64>),
    /// Truth values.
    Bool(Nullable<bool>),
    /// Lists of numbers.
    List(ListCells),
}

impl Cells {
    /// Number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(c) => c.len(),
            Self::Float(c) => c.len(),
            Self::Integer(c) => c.len(),
            Self::Bool(c) => c.len(),
            Self::List(c) => c.len(),
        }
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Cells {
    /// Adds a cell without a value.
    pub fn push_missing(&mut self) {
        match self {
            Self::Text(c) => c.push_missing(),
            Self::Float(c) => c.push(None),
            Self::Integer(c) => c.push(None),
            Self::Bool(c) => c.push(None),
            Self::List(c) => c.push_missing(),
        }
    }

    /// The cells of these rows as they are, in this order; one without a value
    /// where there is no row.
    #[must_use]
    pub fn pick(&self, rows: &[Option<usize>]) -> Self {
        let values = rows.iter().copied();
        match self {
            Self::Text(c) => values.map(|row| c.get(row?)).collect(),
            Self::Float(c) => Self::Float(values.map(|row| c.get(row?)).collect()),
            Self::Integer(c) => Self::Integer(values.map(|row| c.get(row?)).collect()),
            Self::Bool(c) => Self::Bool(values.map(|row| c.get(row?)).collect()),
            Self::List(c) => {
                let mut picked = ListCells::default();
                for row in values {
                    match row.and_then(|row| c.get(row)) {
                        Some(list) => picked.push(list),
                        None => picked.push_missing(),
                    }
                }
                Self::List(picked)
            }
        }
    }

    /// Adds a cell from its text; `false`, and nothing is added, when the
    /// column cannot hold it.
    #[must_use]
    pub fn push_text(&mut self, text: &str) -> bool {
        fn put<T: std::str::FromStr + Copy + Default>(c: &mut Nullable<T>, text: &str) -> bool {
            let value = text.parse().ok();
            if value.is_some() {
                c.push(value);
            }
            value.is_some()
        }
        match self {
            Self::Text(c) => c.push(text),
            Self::Float(c) => put(c, text),
            Self::Integer(c) => put(c, text),
            Self::Bool(c) => put(c, text),
            Self::List(c) => c.push_text(text),
        }
    }
}

impl From<Vec<f64>> for Cells {
    fn from(values: Vec<f64>) -> Self {
        Self::Float(Nullable::full(values))
    }
}

impl From<Vec<i64>> for Cells {
    fn from(values: Vec<i64>) -> Self {
        Self::Integer(Nullable::full(values))
    }
}

impl From<Vec<bool>> for Cells {
    fn from(values: Vec<bool>) -> Self {
        Self::Bool(Nullable::full(values))
    }
}

impl<'a> FromIterator<Option<&'a str>> for Cells {
    fn from_iter<I: IntoIterator<Item = Option<&'a str>>>(cells: I) -> Self {
        Self::Text(cells.into_iter().collect())
    }
}

impl From<Nullable<f64>> for Cells {
    fn from(cells: Nullable<f64>) -> Self {
        Self::Float(cells)
    }
}

impl From<Nullable<i64>> for Cells {
    fn from(cells: Nullable<i64>) -> Self {
        Self::Integer(cells)
    }
}

impl From<Nullable<bool>> for Cells {
    fn from(cells: Nullable<bool>) -> Self {
        Self::Bool(cells)
    }
}

impl From<ListCells> for Cells {
    fn from(cells: ListCells) -> Self {
        Self::List(cells)
    }
}
