//! What the texts of a column are: categories, dates, running text, or names of rows.
//!
//! - Names of files that end in `.png`, `.jpg` or `.jpeg` are pictures, if one of the first hundred
//!   is there.
//! - Dates are dates.
//! - Up to 20 different values are categories: one feature a value, called `colour=red`.
//! - Values of three words and more are texts, unless few of them are different.
//! - Values that are nearly all different name rows: they are left out.
//! - Of other columns the most frequent values are categories, and one more feature, `zip is
//!   another value`, stands for the rest.
//!
//! A blank cell is none of the values. A column with one value is left out and named.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use isotherm::data::columns::dates::{DateStyle, TimeSpan};
use isotherm::text::Topics;

use crate::pictures::is_name;
use crate::table::calendar::DateGuess;
use crate::table::cells::Cells;
use crate::table::numbers;

/// Most values of a column that are all kept.
pub const USUAL: usize = 20;

/// Most values that are kept of a column with more than [`USUAL`].
pub const FREQUENT: usize = 50;

/// Most values of a column that was asked to be categories.
pub const MOST: usize = 1_000;

/// How often a value must occur to be kept where others are not.
const OFTEN: usize = 3;

/// Different values that are counted; a column with more is seen as far as that.
const COUNTED: usize = 20_000;

/// Bytes of a value that is counted: longer ones are texts, and all different.
const LONG: usize = 200;

/// Words per cell that make a text.
const SENTENCE: f64 = 3.0;

/// Letters per cell that make a text where words are not separated.
const UNSPACED: f64 = 6.0;

/// A share of different values above this means texts or names, not categories.
const VARIED: f64 = 0.2;

/// A share of different values above this means that they name rows.
const ALL_DIFFERENT: f64 = 0.95;

/// Fewer values than this are too few to tell names from categories.
const ENOUGH: usize = 20;

/// What has been seen of the texts of a column.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Words {
    /// How often each value occurs, at most [`COUNTED`] values.
    found: HashMap<String, usize>,
    /// Cells that have a value, and those whose value is not among the counted.
    cells: usize,
    uncounted: usize,
    /// Words and letters of all cells, and cells in scripts without spaces.
    words: usize,
    letters: usize,
    unspaced: usize,
    /// Cells that end as names of pictures do.
    pictures: usize,
    dates: DateGuess,
}

/// What the texts of a column are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Texts {
    /// Values to be told apart, ascending, and whether there are others.
    Categories(Vec<String>, bool),
    /// Dates.
    Dates(DateStyle, TimeSpan),
    /// Running text.
    Running,
    /// Nothing to learn from.
    Unfit(Unfit),
}

impl Words {
    /// Looks at some more cells.
    pub(crate) fn add(&mut self, cells: &Cells) {
        for row in 0..cells.len() {
            let Some(word) = word(cells, row) else {
                continue;
            };
            self.cells += 1;
            self.words += word.split_whitespace().take(LONG).count();
            self.letters += word.chars().take(LONG).count();
            self.unspaced += usize::from(word.chars().take(LONG).any(Topics::is_unspaced));
            self.pictures += usize::from(is_name(&word));
            self.dates.add(&word);
            let full = word.len() > LONG || self.found.len() >= COUNTED;
            match self.found.get_mut(word.as_ref()) {
                Some(count) => *count += 1,
                None if full => self.uncounted += 1,
                None => {
                    self.found.insert(word.into_owned(), 1);
                }
            }
        }
    }

    /// How many different values there are, and the most frequent ones with their counts. With
    /// more than 20,000 values, later ones and long ones are counted as different.
    pub(crate) fn frequent(self, most: usize) -> (usize, Vec<(String, usize)>) {
        let different = self.found.len() + self.uncounted;
        let mut values: Vec<(String, usize)> = self.found.into_iter().collect();
        values.sort_unstable_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
        values.truncate(most);
        (different, values)
    }

    /// Whether there are too many different values to be categories without a doubt.
    pub(crate) fn are_many(&self) -> bool {
        self.found.len() + self.uncounted > USUAL
    }

    /// Whether there is no value at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.cells == 0
    }

    /// Whether all of them end as names of pictures do.
    pub(crate) fn name_pictures(&self) -> bool {
        self.pictures == self.cells && self.cells > 0
    }

    /// What they are.
    pub(crate) fn texts(self) -> Texts {
        let cells = self.cells as f64;
        let different = self.found.len() + self.uncounted;
        if self.cells == 0 {
            return Texts::Unfit(Unfit::NoWord);
        }
        if let Some((style, span)) = self.dates.found() {
            return if span.parts().is_empty() {
                Texts::Unfit(Unfit::OneWord)
            } else {
                Texts::Dates(style, span)
            };
        }
        if different <= USUAL && self.uncounted == 0 {
            return self.categories(USUAL);
        }
        let varied = different as f64 > VARIED * cells;
        let unspaced = 2 * self.unspaced > self.cells && self.letters as f64 > UNSPACED * cells;
        if varied && (self.words as f64 >= SENTENCE * cells || unspaced) {
            return Texts::Running;
        }
        if self.cells >= ENOUGH && different as f64 > ALL_DIFFERENT * cells {
            return Texts::Unfit(Unfit::Names);
        }
        self.categories(FREQUENT)
    }

    /// The most frequent values, at most so many. Where not all are kept, those that occur
    /// three times and more.
    pub(crate) fn categories(self, most: usize) -> Texts {
        let different = self.found.len() + self.uncounted;
        match different {
            0 => return Texts::Unfit(Unfit::NoWord),
            1 => return Texts::Unfit(Unfit::OneWord),
            _ => {}
        }
        let whole = different <= most && self.uncounted == 0;
        let mut values: Vec<(usize, String)> = self
            .found
            .into_iter()
            .map(|(value, count)| (count, value))
            .filter(|(count, _)| whole || *count >= OFTEN)
            .collect();
        values.sort_unstable_by(|(n, a), (m, b)| m.cmp(n).then_with(|| a.cmp(b)));
        values.truncate(most);
        if values.is_empty() {
            return Texts::Unfit(Unfit::TooMany(different));
        }
        let mut values: Vec<String> = values.into_iter().map(|(_, value)| value).collect();
        values.sort_unstable();
        Texts::Categories(values, !whole)
    }

    /// The style of the dates, if all are.
    pub(crate) fn dates(&self) -> Option<(DateStyle, TimeSpan)> {
        self.dates.found()
    }
}

/// Why the texts of a column are no features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfit {
    /// Every cell is blank.
    NoWord,
    /// All cells that are not blank say the same.
    OneWord,
    /// There are this many different ones, and none of them is frequent.
    TooMany(usize),
    /// They are nearly all different, or the column's name says that they name rows.
    Names,
    /// No word is in two of the texts, or only words that most texts have.
    NoTerms,
    /// The name is one that other programs give to a column that numbers the rows.
    RowNumbers,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoWord => f.write_str("all blank"),
            Self::OneWord => f.write_str("one value only"),
            Self::Names => f.write_str("names rows"),
            Self::NoTerms => f.write_str("no word is in several texts"),
            Self::RowNumbers => f.write_str("numbers the rows"),
            Self::TooMany(n) => write!(f, "{n} different values, none of them frequent"),
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
