//! Where a table came from.

use std::path::{Path, PathBuf};

use crate::error::Place;
use crate::source::Format;
use crate::table::lines::Lines;
use crate::text::dialect::{Decimal, Dialect};

/// Where a table came from; its errors name it.
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
    /// The column that names the rows, if one is known.
    pub named_by: Option<String>,
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
            named_by: None,
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
