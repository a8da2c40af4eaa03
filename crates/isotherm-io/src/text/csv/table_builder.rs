//! Records into columns of texts.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::error::{Error, Place, Result};
use crate::limits::Limits;
use crate::source::{Format, NoRows, ReadOptions};
use crate::table::cells::{Cells, TextCells};
use crate::table::lines::Lines;
use crate::table::{Column, Origin, Table, check_names};
use crate::text::blocks::Block;
use crate::text::detection;
use crate::text::dialect::{Delimiter, Dialect, Header};
use crate::text::formulas::unguard;
use crate::text::opening::{Text, TextRules};
use crate::text::plain_columns::ParsedChunk;
use crate::text::records::{Record, Records};

/// What a text table may look like.
pub(super) const TABLE: TextRules = TextRules {
    candidates: &[
        Delimiter::Tab,
        Delimiter::Semicolon,
        Delimiter::Bar,
        Delimiter::Comma,
    ],
    fallback: Delimiter::Comma,
    comments: b"",
    thousands: "pass --decimal comma if the comma is the decimal mark; if it marks thousands, write \
                the numbers without it",
};

/// Rows of a table under construction.
pub(super) struct TableBuilder {
    path: PathBuf,
    /// Whether there is a header, where that was given.
    header: Option<Header>,
    limits: Limits,
    dialect: Dialect,
    /// Whether the first record has been seen.
    begun: bool,
    names: Vec<String>,
    columns: Vec<TextCells>,
    /// Lines of the rows that are here.
    lines: Lines,
    /// The line that comes next.
    line: u64,
    /// Whether room was made for the rest of the file.
    roomy: bool,
}

impl TableBuilder {
    pub(super) fn new(text: &Text<'_>, path: &Path, options: &ReadOptions) -> Self {
        Self {
            path: path.to_owned(),
            header: options.header,
            limits: options.limits,
            dialect: Dialect {
                delimiter: text.delimiter,
                header: Header::Absent,
                encoding: text.encoding,
                decimal: text.decimal,
            },
            begun: false,
            names: Vec::new(),
            columns: Vec::new(),
            lines: Lines::default(),
            line: 1 + text.skipped,
            roomy: false,
        }
    }

    /// Takes names from the first record, or counts its cells.
    pub(super) fn begin(&mut self, record: &Record) -> Result<Header> {
        let decimal = self.dialect.decimal.unwrap_or_default();
        let found = || detection::header(record.iter(), decimal);
        let header = self.header.unwrap_or_else(found);
        self.names = match header {
            Header::Present => record
                .iter()
                .map(|c| unguard(c.trim()).to_owned())
                .collect(),
            Header::Absent => (1..=record.len()).map(|n| format!("column_{n}")).collect(),
        };
        check_names(&self.path, &self.names)?;
        self.columns = vec![TextCells::default(); record.len()];
        self.dialect.header = header;
        self.begun = true;
        Ok(header)
    }

    /// Where the rows of a block begin: after the header, in the first block
    /// that holds a record.
    pub(super) fn first(&mut self, block: &Block) -> Result<usize> {
        if self.begun {
            return Ok(0);
        }
        let mut records = self.records(&block.bytes);
        let mut record = Record::default();
        let found = records.next_quietly(&mut record)?;
        let (line, mut at) = (records.line(), records.consumed());
        if found && self.begin(&record)? == Header::Absent {
            return Ok(0);
        }
        if at > 0 && block.bytes[at - 1] == b'\r' && block.bytes.get(at) == Some(&b'\n') {
            at += 1; // the other half of the header's line end
        }
        self.line = line;
        Ok(at)
    }

    fn records<'b>(&self, bytes: &'b [u8]) -> Records<&'b [u8]> {
        let (delimiter, limits) = (self.dialect.delimiter, self.limits);
        Records::new(bytes, &self.path, delimiter, TABLE.comments, limits).on_line(self.line)
    }

    /// Adds the chunks of a block, in their order; those that were not plainly
    /// in order are read again, slowly. Returns the chunks for their room.
    pub(super) fn take(
        &mut self,
        parts: &[&[u8]],
        read: Vec<Option<ParsedChunk>>,
    ) -> Result<Vec<ParsedChunk>> {
        let mut chunks: Vec<ParsedChunk> = Vec::with_capacity(read.len());
        let rows = self.lines.len();
        for (part, chunk) in parts.iter().zip(read) {
            let chunk = match chunk {
                Some(chunk) => {
                    self.lines.append(&chunk.lines, self.line);
                    self.line += chunk.ends;
                    chunk
                }
                None => match self.slowly(part) {
                    Ok(columns) => ParsedChunk {
                        columns,
                        ..ParsedChunk::default()
                    },
                    Err(e) => {
                        // A column that is too long is refused before.
                        self.append(&chunks, rows)?;
                        return Err(e);
                    }
                },
            };
            chunks.push(chunk);
        }
        self.append(&chunks, rows)?;
        Ok(chunks)
    }

    fn append(&mut self, chunks: &[ParsedChunk], rows: usize) -> Result<()> {
        let too_long = self.columns.par_iter_mut().enumerate();
        let too_long = too_long.filter_map(|(at, column)| {
            let mut row = rows;
            for chunk in chunks {
                let cells = chunk.columns.get(at)?;
                if let Err(n) = column.append(cells) {
                    return Some((row + n, at));
                }
                row += cells.len();
            }
            None
        });
        match too_long.min() {
            Some((row, at)) => Err(self.too_long(at, self.lines.line(row).unwrap_or(0))),
            None => Ok(()),
        }
    }

    /// Reserves what the rest of the file will need if it goes on like this, once: columns
    /// that grow by doubling would be copied again and again.
    pub(super) fn make_room(&mut self, read: u64, length: u64) {
        if std::mem::replace(&mut self.roomy, true) || read == 0 {
            return;
        }
        let share = (length as f64 / read as f64).clamp(1.0, 1e6);
        let columns = self.columns.iter_mut();
        columns.for_each(|column| column.make_room(share));
    }

    /// A chunk by the twin of the fast reader.
    fn slowly(&mut self, part: &[u8]) -> Result<Vec<TextCells>> {
        let mut records = self.records(part);
        let mut record = Record::default();
        let mut columns = vec![TextCells::default(); self.names.len()];
        while records.next_quietly(&mut record)? {
            self.check_width(&record)?;
            for (at, (column, cell)) in columns.iter_mut().zip(record.iter()).enumerate() {
                if !column.push(unguard(cell)) {
                    return Err(self.too_long(at, record.line()));
                }
            }
            self.lines.push(record.line());
        }
        self.line = records.line();
        Ok(columns)
    }

    pub(super) fn push(&mut self, record: &Record) -> Result<()> {
        self.check_width(record)?;
        for at in 0..self.columns.len() {
            if !self.columns[at].push(unguard(record.get(at))) {
                return Err(self.too_long(at, record.line()));
            }
        }
        self.lines.push(record.line());
        Ok(())
    }

    fn check_width(&self, record: &Record) -> Result<()> {
        if record.len() == self.names.len() {
            Ok(())
        } else {
            Err(Error::Ragged {
                path: self.path.clone(),
                line: record.line(),
                expected: self.names.len(),
                got: record.len(),
            })
        }
    }

    fn too_long(&self, column: usize, line: u64) -> Error {
        let name = self.names.get(column).map_or("?", String::as_str);
        Error::limit(
            &self.path,
            Some(Place::Line(line)),
            format!("the text of column \"{name}\" in bytes"),
            (TextCells::LARGEST as u64 + 1, TextCells::LARGEST as u64),
            "exclude the column, or split the file",
        )
    }

    /// The columns' names, once a record has been seen.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Rows that are here.
    pub(super) fn rows(&self) -> usize {
        self.lines.len()
    }

    /// Refuses a text without a record and, unless they are allowed, without a row.
    pub(super) fn check(&self, no_rows: NoRows) -> Result<()> {
        let path = self.path.clone();
        if !self.begun {
            return Err(Error::Empty { path });
        }
        if self.lines.len() == 0 && no_rows == NoRows::Refuse {
            let columns = self.names.len();
            return Err(Error::HeaderOnly { path, columns });
        }
        Ok(())
    }

    /// The rows so far as a table; builder goes on after them, without them.
    pub(super) fn hand_over(&mut self) -> Result<Table> {
        let cells = self.columns.iter_mut().map(std::mem::take).map(Cells::Text);
        let columns = self.names.iter().cloned().zip(cells);
        let columns = columns.map(|(name, cells)| Column { name, cells });
        let format = match self.dialect.delimiter {
            Delimiter::Tab => Format::Tsv,
            _ => Format::Csv,
        };
        let mut origin = Origin::new(&self.path, format);
        origin.dialect = Some(self.dialect);
        origin.lines = std::mem::take(&mut self.lines);
        Table::new(columns.collect(), origin)
    }
}
