//! How a text table is written: delimiter, header, encoding, decimal mark.

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
