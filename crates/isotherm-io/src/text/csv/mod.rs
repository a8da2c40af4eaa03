//! Tables as text: CSV, TSV and similar formats.
//!
//! UTF-8, with or without a byte order mark, UTF-16 with one, or the encoding
//! that is given; plain or compressed. Encoding, delimiter, header and decimal
//! mark are found from the first 64 KiB (the rules are in [`crate::dialect`]),
//! reported in the table's origin, and can be given instead. Cells
//! stay texts: what is written back is what was read.
//!
//! Text is read in blocks of 16 MiB that end with a record, and a block's
//! chunks are read side by side while the next block comes in. Tables and
//! refusals do not depend on the blocks, the chunks or the number of threads.

mod file;
mod reader;
mod table_builder;

pub(crate) use file::{Bytes, CsvFile};

use std::io::Read;
use std::path::Path;

use isotherm::monitor::Monitor;

use self::reader::{By, CHUNK, Reader};
use crate::error::Result;
use crate::progress::Progress;
use crate::source::ReadOptions;
use crate::source::input::Input;
use crate::table::Table;
use crate::text::blocks::BLOCK;

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
    whole(input, path, options, By::Blocks(BLOCK, CHUNK), monitor)
}

/// As [`read_csv`], with blocks and chunks of these sizes; for tests.
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
            reader.builder.make_room(read, length);
        }
    }
    progress.end(reader.position())?;
    reader.builder.check(options.no_rows)?;
    reader.builder.hand_over()
}
