//! How a text table is written: delimiter, header, encoding, decimal mark.
//!
//! Found in the first 64 KiB, at most 100 records:
//!
//! - **delimiter**: the first of tab, semicolon, bar and comma that gives every
//!   record the same number of cells, two or more; failing that, the one for
//!   which most records agree with the first;
//! - **header**: the first record, if some cell of it has a value and none is
//!   a number;
//! - **encoding**: a byte order mark tells UTF-8 or UTF-16, else it is UTF-8;
//! - **decimal mark**: a comma, if the delimiter is not a comma and more cells
//!   are numbers with one comma (`12,5`) than numbers with a point; else a
//!   point. There are no thousands marks: `1.234,5` is not a number. Where all
//!   numbers with a comma could be thousands (`1,000`) and none has a point, the
//!   mark has to be given.

use std::fmt;

use crate::text::encoding::Encoding;

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

/// What separates the whole part of a number from the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Decimal {
    /// `12.5`
    #[default]
    Point,
    /// `12,5`
    Comma,
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Point => "decimal point",
            Self::Comma => "decimal comma",
        })
    }
}

/// How a text table is written, as found in its first 64 KiB or as given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// What separates the cells.
    pub delimiter: Delimiter,
    /// Whether the first row names the columns.
    pub header: Header,
    /// How letters are written.
    pub encoding: Encoding,
    /// The decimal mark; `None` when nothing in the sample has one, which is
    /// read as a point.
    pub decimal: Option<Decimal>,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = match self.header {
            Header::Present => "header",
            Header::Absent => "no header",
        };
        let decimal = self.decimal.unwrap_or_default();
        write!(
            f,
            "{}, {header}, {}, {decimal}",
            self.delimiter, self.encoding
        )
    }
}
