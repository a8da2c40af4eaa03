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

mod building;
mod file;
mod reader;

pub(crate) use file::{Bytes, CsvFile};

use std::io::Read;
use std::path::Path;

use isotherm::monitor::Monitor;

use self::reader::{By, Reader};
use crate::blocks::BLOCK;
use crate::dialect::Delimiter;
use crate::error::Result;
use crate::input::Input;
use crate::progress::Progress;
use crate::source::ReadOptions;
use crate::table::Table;
use crate::text::Kind;

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
    thousands: "pass --decimal comma if the comma is the decimal mark; if it marks thousands, write \
                the numbers without it",
};

/// Reads a text table from anything that can be read.
///
/// `path` is what errors say; `length` is the number of bytes, if known, for
/// progress. Cost: one pass, memory about the size of the text plus four bytes
/// per cell and three blocks. A cancel is honoured at the next mebibyte; a read
/// that blocks (a terminal, a pipe) is not interrupted.
///
/// # Errors
/// [`crate::Error::Empty`], [`crate::Error::HeaderOnly`], [`crate::Error::Ragged`],
/// [`crate::Error::Column`] for blank and doubled names, [`crate::Error::Format`] for
/// anything that is not text in its encoding and for a damaged compressed
/// stream, [`crate::Error::Limit`], [`crate::Error::Io`], [`crate::Error::Cancelled`].
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
    whole(input, path, options, By::Blocks(BLOCK, PIECE), monitor)
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
    whole(input, path, options, By::Blocks(sizes.0, sizes.1), monitor)
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
    whole(input, path, options, By::Records, monitor)
}

fn whole(
    input: Input<'_>,
    path: &Path,
    options: &ReadOptions,
    by: By,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let length = input.length();
    let mut progress = Progress::begin(monitor, "reading the table", length)?;
    let mut reader = Reader::open(input, path, options, by)?;
    while reader.more(&mut progress)? {
        if let Some(length) = length {
            let read = reader.behind();
            reader.building.make_room(read, length);
        }
    }
    progress.end(reader.position())?;
    reader.building.check(options.no_rows)?;
    reader.building.hand_over()
}
