//! Tables as text: CSV, TSV and their cousins.
//!
//! UTF-8, with or without a byte order mark, UTF-16 with one, or the encoding
//! that is told; plain or compressed. Encoding, delimiter, header and decimal
//! mark are found from the first 64 KiB (the rules are in [`crate::dialect`]),
//! told to the caller in the table's origin, and can be given instead. Cells
//! stay texts: what is written back is what was read.
//!
//! Text is read in blocks of 16 MiB that end with a record, and a block's
//! pieces are read side by side while the next block comes in. Tables and
//! refusals do not depend on the blocks, the pieces or the number of threads.

use std::io::Read;
use std::path::Path;

use isotherm::monitor::Monitor;
use rayon::prelude::*;

use crate::blocks::{BLOCK, Block, Blocks, Step};
use crate::cells::{Cells, TextCells};
use crate::dialect::{self, Delimiter, Dialect, Header};
use crate::error::{Error, Place, Result};
use crate::guard::unguard;
use crate::input::Input;
use crate::lines::Lines;
use crate::pieces::{self, Piece};
use crate::progress::Progress;
use crate::records::{Record, Records};
use crate::source::{Format, NoRows, ReadOptions};
use crate::table::{Column, Origin, Table, check_names};
use crate::text::{Kind, Text};

/// Bytes of a piece of a block, about.
const PIECE: usize = 512 << 10;

const TABLE: Kind = Kind {
    candidates: &[
        Delimiter::Tab,
        Delimiter::Semicolon,
        Delimiter::Bar,
        Delimiter::Comma,
    ],
    fallback: Delimiter::Comma,
    comments: b"",
};

/// Reads a text table from anything that can be read.
///
/// `path` is what errors say; `length` is the number of bytes, if known, for
/// progress. Cost: one pass, memory about the size of the text plus four bytes
/// per cell and three blocks. A cancel is honoured at the next mebibyte; a read
/// that blocks (a terminal, a pipe) is not interrupted.
///
/// # Errors
/// [`Error::Empty`], [`Error::HeaderOnly`], [`Error::Ragged`],
/// [`Error::Column`] for blank and doubled names, [`Error::Format`] for
/// anything that is not text in its encoding and for a damaged compressed
/// stream, [`Error::Limit`], [`Error::Io`], [`Error::Cancelled`].
pub fn read_csv(
    input: impl Read,
    path: &Path,
    length: Option<u64>,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let input = Input::new(input, path, length, options.limits)?;
    read_input(input, path, options, monitor)
}

/// As [`read_csv`], from bytes that are open already.
pub(crate) fn read_input(
    input: Input<'_>,
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    read_blocks(input, path, options, (BLOCK, PIECE), monitor)
}

/// As [`read_csv`], with blocks and pieces of these sizes; for tests.
///
/// # Errors
/// As [`read_csv`].
#[doc(hidden)]
pub fn read_csv_in_blocks(
    input: impl Read,
    path: &Path,
    options: &ReadOptions,
    sizes: (usize, usize),
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let input = Input::new(input, path, None, options.limits)?;
    read_blocks(input, path, options, sizes, monitor)
}

/// As [`read_csv`], record after record: the slow and obvious twin.
///
/// # Errors
/// As [`read_csv`].
#[doc(hidden)]
pub fn read_csv_by_record(
    input: impl Read,
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let input = Input::new(input, path, None, options.limits)?;
    let mut progress = Progress::begin(monitor, "reading the table", None)?;
    let text = Text::open(input, path, options, &TABLE)?;
    by_record(text, path, options, &mut progress)
}

fn by_record(
    text: Text<'_>,
    path: &Path,
    options: &ReadOptions,
    progress: &mut Progress<'_>,
) -> Result<Table> {
    let mut building = Building::new(&text, path, options);
    let mut records = text.records(path, options, &TABLE);
    let mut record = Record::default();
    let mut more = records.next(&mut record, progress)?;
    if more && building.begin(&record)? == Header::Present {
        more = records.next(&mut record, progress)?;
    }
    while more {
        building.push(&record)?;
        more = records.next(&mut record, progress)?;
    }
    progress.end(records.offset())?;
    building.finish(options)
}

fn read_blocks(
    input: Input<'_>,
    path: &Path,
    options: &ReadOptions,
    sizes: (usize, usize),
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let length = input.length();
    let mut progress = Progress::begin(monitor, "reading the table", length)?;
    let text = Text::open(input, path, options, &TABLE)?;
    let Some(delimiter) = text.delimiter.byte() else {
        return by_record(text, path, options, &mut progress);
    };
    let mut building = Building::new(&text, path, options);
    let position = text.position.clone();
    let mut step = Step {
        progress: &mut progress,
        position: text.position,
    };
    let mut blocks = Blocks::new(text.bytes, path, delimiter, options.limits, sizes);
    let mut block = blocks.next(&mut step)?;
    let mut spare: Vec<Piece> = Vec::new();
    while let Some(now) = block {
        let begin = building.first(&now)?;
        let parts = now.pieces(begin);
        // Each slot begins with the room of a piece that is done with.
        let mut read: Vec<Option<Piece>> = parts.iter().map(|_| spare.pop()).collect();
        let (width, longest) = (building.names.len(), options.limits.record);
        // The next block comes in while the workers read this one.
        let next = rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                let work = read.par_iter_mut().zip(&parts);
                work.for_each(|(read, part)| {
                    *read = pieces::read(part, delimiter, width, longest, read.take());
                });
            });
            blocks.next(&mut step)
        });
        spare = building.take(&parts, read)?;
        blocks.recycle(now);
        block = next?;
        if let (Some(length), Some(_)) = (length, &block) {
            building.make_room(position.get(), length);
        }
    }
    progress.end(position.get())?;
    building.finish(options)
}

impl Block {
    /// What lies between the cuts, from `begin` on.
    fn pieces(&self, begin: usize) -> Vec<&[u8]> {
        let mut from = begin;
        let mut pieces = Vec::with_capacity(self.cuts.len());
        for &cut in &self.cuts {
            if cut > from {
                pieces.push(&self.bytes[from..cut]);
                from = cut;
            }
        }
        pieces
    }
}

/// A table under construction.
struct Building<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    dialect: Dialect,
    /// Whether the first record has been seen.
    begun: bool,
    names: Vec<String>,
    columns: Vec<TextCells>,
    lines: Lines,
    /// The line that comes next.
    line: u64,
    /// Whether room was made for the rest of the file.
    roomy: bool,
}

impl<'a> Building<'a> {
    fn new(text: &Text<'_>, path: &'a Path, options: &'a ReadOptions) -> Self {
        Self {
            path,
            options,
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
            line: 1,
            roomy: false,
        }
    }

    /// Takes names from the first record, or counts its cells.
    fn begin(&mut self, record: &Record) -> Result<Header> {
        let decimal = self.dialect.decimal.unwrap_or_default();
        let found = || dialect::header(record.iter(), decimal);
        let header = self.options.header.unwrap_or_else(found);
        self.names = match header {
            Header::Present => record
                .iter()
                .map(|c| unguard(c.trim()).to_owned())
                .collect(),
            Header::Absent => (1..=record.len()).map(|n| format!("column_{n}")).collect(),
        };
        check_names(self.path, &self.names)?;
        self.columns = vec![TextCells::default(); record.len()];
        self.dialect.header = header;
        self.begun = true;
        Ok(header)
    }

    /// Where the rows of a block begin: after the header, in the first block
    /// that holds a record.
    fn first(&mut self, block: &Block) -> Result<usize> {
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
        let (delimiter, limits) = (self.dialect.delimiter, self.options.limits);
        Records::new(bytes, self.path, delimiter, TABLE.comments, limits).on_line(self.line)
    }

    /// Adds the pieces of a block, in their order; those that were not plainly
    /// in order are read again, slowly. Returns the pieces for their room.
    fn take(&mut self, parts: &[&[u8]], read: Vec<Option<Piece>>) -> Result<Vec<Piece>> {
        let mut pieces: Vec<Piece> = Vec::with_capacity(read.len());
        let rows = self.lines.len();
        for (part, piece) in parts.iter().zip(read) {
            let piece = match piece {
                Some(piece) => {
                    self.lines.append(&piece.lines, self.line);
                    self.line += piece.ends;
                    piece
                }
                None => match self.slowly(part) {
                    Ok(columns) => Piece {
                        columns,
                        ..Piece::default()
                    },
                    Err(e) => {
                        // A column that is too long is refused before.
                        self.append(&pieces, rows)?;
                        return Err(e);
                    }
                },
            };
            pieces.push(piece);
        }
        self.append(&pieces, rows)?;
        Ok(pieces)
    }

    fn append(&mut self, pieces: &[Piece], rows: usize) -> Result<()> {
        let too_long = self.columns.par_iter_mut().enumerate();
        let too_long = too_long.filter_map(|(at, column)| {
            let mut row = rows;
            for piece in pieces {
                let cells = piece.columns.get(at)?;
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
    fn make_room(&mut self, read: u64, length: u64) {
        if std::mem::replace(&mut self.roomy, true) || read == 0 {
            return;
        }
        let share = (length as f64 / read as f64).clamp(1.0, 1e6);
        let columns = self.columns.iter_mut();
        columns.for_each(|column| column.make_room(share));
    }

    /// A piece by the twin of the fast reader.
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

    fn push(&mut self, record: &Record) -> Result<()> {
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
        match record.len() == self.names.len() {
            true => Ok(()),
            false => Err(Error::Ragged {
                path: self.path.to_owned(),
                line: record.line(),
                expected: self.names.len(),
                got: record.len(),
            }),
        }
    }

    fn too_long(&self, column: usize, line: u64) -> Error {
        let name = self.names.get(column).map_or("?", String::as_str);
        Error::limit(
            self.path,
            Some(Place::Line(line)),
            format!("the text of column \"{name}\" in bytes"),
            (TextCells::LARGEST as u64 + 1, TextCells::LARGEST as u64),
            "exclude the column, or split the file",
        )
    }

    fn finish(self, options: &ReadOptions) -> Result<Table> {
        let path = self.path.to_owned();
        if !self.begun {
            return Err(Error::Empty { path });
        }
        if self.lines.len() == 0 && options.no_rows == NoRows::Refuse {
            let columns = self.names.len();
            return Err(Error::HeaderOnly { path, columns });
        }
        let cells = self.columns.into_iter().map(Cells::Text);
        let columns = self.names.into_iter().zip(cells);
        let columns = columns.map(|(name, cells)| Column { name, cells });
        let format = match self.dialect.delimiter {
            Delimiter::Tab => Format::Tsv,
            _ => Format::Csv,
        };
        let mut origin = Origin::new(path, format);
        origin.dialect = Some(self.dialect);
        origin.lines = self.lines;
        Table::new(columns.collect(), origin)
    }
}
