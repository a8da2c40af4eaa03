//! The words of a text column, and which columns become one feature a word.
//!
//! The rule: a text column with 2 to 20 different words is one feature a word,
//! called `colour=red`, in the words' order. A blank cell is none of them. With
//! more words, or one, a column says too little or too much of every single
//! row; such a column is left out and named. So is a column of dates. A column
//! that is asked for by name may have up to 1,000 words.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use crate::table::calendar;
use crate::table::cells::Cells;
use crate::table::numbers;

/// Most words of a column that becomes features unasked.
pub const USUAL: usize = 20;

/// Most words of a column that was asked for.
pub const MOST: usize = 1_000;

/// The different words of a column, as far as they are counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words {
    /// At most [`MOST`] and one.
    found: BTreeSet<String>,
}

impl Words {
    /// Counts the words of some more cells.
    pub(crate) fn add(&mut self, cells: &Cells) {
        for row in 0..cells.len() {
            if self.found.len() > MOST {
                return;
            }
            if let Some(word) = word(cells, row)
                && !self.found.contains(word.as_ref())
            {
                self.found.insert(word.into_owned());
            }
        }
    }

    /// All words in order, unless they are fewer than two or more than so many.
    pub(crate) fn at_most(self, most: usize) -> Result<Vec<String>, Unfit> {
        match self.found.len() {
            0 => Err(Unfit::NoWord),
            1 => Err(Unfit::OneWord),
            n if n > MOST => Err(Unfit::TooMany(None)),
            n if n > most => Err(Unfit::TooMany(Some(n))),
            _ => Ok(self.found.into_iter().collect()),
        }
    }

    /// As [`Words::at_most`], unless all are dates: days are no kinds of rows.
    pub(crate) fn unasked(self, most: usize) -> Result<Vec<String>, Unfit> {
        let words = self.at_most(most)?;
        if words.iter().all(|word| calendar::is_date(word)) {
            Err(Unfit::Dates)
        } else {
            Ok(words)
        }
    }
}

/// Why the words of a column are no features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfit {
    /// Every cell is blank.
    NoWord,
    /// All cells that are not blank say the same.
    OneWord,
    /// There are this many; `None` stands for more than [`MOST`].
    TooMany(Option<usize>),
    /// All are dates, or dates with a time.
    Dates,
    /// The name is one that other programs give to a column that numbers the rows.
    RowNumbers,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoWord => f.write_str("all blank"),
            Self::OneWord => f.write_str("one value only"),
            Self::Dates => f.write_str("dates"),
            Self::RowNumbers => f.write_str("numbers the rows"),
            Self::TooMany(Some(n)) => write!(f, "{n} different values"),
            Self::TooMany(None) => write!(f, "more than {MOST} different values"),
        }
    }
}

/// A column that is no feature, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The column.
    pub column: String,
    /// Why.
    pub why: Unfit,
}

/// Words that none of a plan's features stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    /// The column.
    pub column: String,
    /// Rows with such a word.
    pub rows: usize,
    /// The first of the words.
    pub example: String,
}

/// The word in a cell, without the white space around it; `None` where a label
/// would be unlabelled.
pub(crate) fn word(cells: &Cells, row: usize) -> Option<Cow<'_, str>> {
    match cells {
        Cells::Text(c) => {
            let text = c.get(row).filter(|t| !numbers::is_missing(t))?;
            Some(Cow::Borrowed(text.trim()))
        }
        Cells::Float(c) => {
            let value = c.get(row).filter(|v| !v.is_nan())?;
            Some(Cow::Owned(numbers::as_label(value)))
        }
        Cells::Integer(c) => c.get(row).map(|v| Cow::Owned(v.to_string())),
        Cells::Bool(c) => c
            .get(row)
            .map(|v| Cow::Borrowed(if v { "true" } else { "false" })),
        Cells::List(c) => c
            .get(row)
            .map(|v| Cow::Owned(crate::table::lists::to_text(v))),
    }
}
