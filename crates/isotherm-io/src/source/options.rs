//! How a table is read.

use crate::limits::Limits;
use crate::name_pattern;
use crate::source::format::Format;
use crate::text::dialect::{Decimal, Delimiter, Header};
use crate::text::encoding::Encoding;

/// What to do with a table that has columns and no rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NoRows {
    /// [`crate::Error::HeaderOnly`].
    #[default]
    Refuse,
    /// Return the table with zero rows.
    Allow,
}

/// How to read; the default finds everything out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format, instead of the one that the name stands for.
    pub format: Option<Format>,
    /// The delimiter of a text file, instead of the one found.
    pub delimiter: Option<Delimiter>,
    /// Whether a text file has a header, instead of what was found.
    pub header: Option<Header>,
    /// How the letters of a text file are written, instead of UTF-8 or what a
    /// byte order mark tells.
    pub encoding: Option<Encoding>,
    /// The decimal mark of a text file, instead of the one found.
    pub decimal: Option<Decimal>,
    /// The sheet of a workbook, instead of the first; the table of a database, instead of the
    /// only one.
    pub sheet: Option<String>,
    /// What to do with a table that has no rows.
    pub no_rows: NoRows,
    /// Columns, or patterns of them, that are not wanted. Those of them that cannot be read
    /// are left out of the table and named in [`Origin::unread`](crate::Origin::unread);
    /// the others are read.
    pub without: Vec<String>,
    /// How much to accept.
    pub limits: Limits,
}

impl ReadOptions {
    /// Whether a column may be left out.
    pub(crate) fn unwanted(&self, name: &str) -> bool {
        (self.without.iter()).any(|pattern| name_pattern::matches(pattern, name))
    }
}
