//! How a text table is written: its delimiter and its header.

use std::fmt;

use crate::limits::Limits;
use crate::numbers::{self, NotANumber};
use crate::records::{Record, Records};

/// What separates the cells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// The tabulator.
    Tab,
    /// `|`
    Bar,
    /// Any run of spaces and tabulators; edge lists only.
    Whitespace,
}

impl Delimiter {
    /// The byte, if it is one byte.
    pub fn byte(self) -> Option<u8> {
        match self {
            Self::Comma => Some(b','),
            Self::Semicolon => Some(b';'),
            Self::Tab => Some(b'\t'),
            Self::Bar => Some(b'|'),
            Self::Whitespace => None,
        }
    }

    /// The delimiter that a byte stands for, if it is one of ours.
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Comma, Self::Semicolon, Self::Tab, Self::Bar]
            .into_iter()
            .find(|d| d.byte() == Some(byte))
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Comma => "comma",
            Self::Semicolon => "semicolon",
            Self::Tab => "tab",
            Self::Bar => "bar",
            Self::Whitespace => "white space",
        })
    }
}

/// Whether the first row names the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Header {
    /// It does.
    Present,
    /// It is data; the columns are called `column_1`, `column_2`, …
    Absent,
}

/// How a text table is written, as found in its first 64 KiB or as told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// What separates the cells.
    pub delimiter: Delimiter,
    /// Whether the first row names the columns.
    pub header: Header,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = match self.header {
            Header::Present => "with a header",
            Header::Absent => "without a header",
        };
        write!(f, "delimited by {}, {header}", self.delimiter)
    }
}

/// Records looked at when guessing.
const SAMPLED: usize = 100;

/// The delimiter of a sample.
///
/// The first of `candidates` that gives every sampled record the same number
/// of cells, two or more. Failing that, the one for which most records agree
/// with the first; failing that (one cell per row) `fallback`.
///
/// Semicolons come before commas: a file with decimal commas is then read as
/// it was meant, and its numbers are refused by name instead of split.
pub(crate) fn delimiter(
    sample: &[u8],
    whole: bool,
    comments: &'static [u8],
    candidates: &[Delimiter],
    fallback: Delimiter,
) -> Delimiter {
    let mut best: Option<(usize, Delimiter)> = None;
    for &candidate in candidates {
        let counts = counts(sample, whole, comments, candidate);
        let Some(&first) = counts.first() else {
            continue;
        };
        if first < 2 {
            continue;
        }
        let agree = counts.iter().filter(|c| **c == first).count();
        if agree == counts.len() {
            return candidate;
        }
        if best.is_none_or(|(b, _)| agree > b) {
            best = Some((agree, candidate));
        }
    }
    best.map_or(fallback, |(_, d)| d)
}

/// Cells in each of the first records; the last one, if the sample cuts it
/// short, does not count unless it is alone.
fn counts(sample: &[u8], whole: bool, comments: &'static [u8], with: Delimiter) -> Vec<usize> {
    let mut records = Records::from_sample(sample, with, comments, Limits::default());
    let mut record = Record::default();
    let mut counts = Vec::new();
    while counts.len() <= SAMPLED {
        match records.next_quietly(&mut record) {
            Ok(true) => counts.push(record.len()),
            Ok(false) => break,
            Err(_) => return Vec::new(),
        }
    }
    if (!whole || counts.len() > SAMPLED) && counts.len() > 1 {
        counts.pop();
    }
    counts
}

/// Whether a first record names columns: it does when at least one of its
/// cells has a value and none is a number.
pub(crate) fn header<'a>(cells: impl Iterator<Item = &'a str>) -> Header {
    let mut named = false;
    for cell in cells {
        match numbers::parse(cell) {
            Ok(_) | Err(NotANumber::NotFinite) => return Header::Absent,
            Err(NotANumber::Text | NotANumber::Missing) => named = true,
            Err(NotANumber::Blank) => {}
        }
    }
    match named {
        true => Header::Present,
        false => Header::Absent,
    }
}
