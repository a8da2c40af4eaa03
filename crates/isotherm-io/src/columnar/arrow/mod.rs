//! Arrow tables, in and out: files (`.arrow`, `.feather` of version 2) and
//! streams (`.arrows`), plain or compressed with LZ4 or Zstandard.
//!
//! Read: truth values, integers and floats of every width, texts of every
//! layout, dictionaries of those (categorical columns), decimals (as floats),
//! dates and times (as ISO 8601 texts), lists and fixed-size lists of numbers.
//! Other types are refused by the column's name, or left out where the column is not
//! wanted ([`ReadOptions::without`]).
//!
//! Every message is compared with the file's length and with
//! [`Limits`](crate::Limits) before it is decoded, and arrays are validated by
//! the decoder. It may still panic on a damaged message; that becomes an
//! [`crate::Error::Format`].

mod column;
mod file;
mod messages;
mod write;

pub(crate) use file::ArrowFile;
pub(crate) use write::Sink;

use std::fs::File;
use std::path::Path;

use arrow_schema::ArrowError;
use isotherm::monitor::Monitor;

use self::column::Building;
use self::messages::Messages;
use crate::columnar::reading::Reading;
use crate::error::Result;
use crate::progress::Progress;
use crate::source::{Format, ReadOptions, open};
use crate::table::finish;
use crate::table::{Column, Origin, Table};

/// Reads an Arrow file or stream, whichever the bytes are.
///
/// # Errors
/// [`crate::Error::Format`] for a damaged file and for columns of a type that is not
/// read; [`crate::Error::Limit`]; [`crate::Error::HeaderOnly`]; [`crate::Error::Cell`] for an integer
/// beyond 63 bits; [`crate::Error::Cancelled`].
pub fn read_arrow(path: &Path, options: &ReadOptions, monitor: &mut dyn Monitor) -> Result<Table> {
    table_of(open(path)?, path, options, monitor)
}

/// As [`read_arrow`], from a file that is open already.
pub(crate) fn table_of(
    (file, length): (File, u64),
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let reading = Reading {
        path,
        options,
        length,
        format: Format::Arrow,
    };
    let mut progress = Progress::begin(monitor, "reading the table", Some(length))?;
    let (mut messages, format) = Messages::open(file, &reading)?;
    let mut columns = Vec::new();
    let mut unread = Vec::new();
    for field in messages.schema().fields() {
        columns.push(match Building::new(field, &reading) {
            Ok(column) => Some(column),
            Err(e) => {
                reading.leave_out(field.name(), e, &mut unread)?;
                None
            }
        });
    }
    let (mut rows, mut bytes) = (0u64, 0u64);
    while let Some(batch) = messages.next(&reading)? {
        for (slot, array) in columns.iter_mut().zip(batch.columns()) {
            let Some(column) = slot else { continue };
            let added = reading.guard(|| {
                Ok::<_, ArrowError>(column.add(array.as_ref(), rows, &mut bytes, &reading))
            })?;
            if let Err(e) = added {
                reading.leave_out(&column.name, e, &mut unread)?;
                *slot = None;
            }
            progress.step(messages.offset())?;
        }
        rows += batch.num_rows() as u64;
    }
    progress.end(length)?;
    let columns = columns.into_iter().flatten().map(|c| Column {
        name: c.name,
        cells: c.cells,
    });
    let mut origin = Origin::new(path, format);
    origin.unread = unread;
    finish(columns.collect(), origin, options)
}

/// What a file, not a stream, says of itself under a key.
///
/// # Errors
/// As [`read_arrow`]; no value of a column is read.
pub(crate) fn key_value(path: &Path, key: &str) -> Result<Option<String>> {
    let (mut file, length) = open(path)?;
    let reading = Reading {
        path,
        options: &ReadOptions::default(),
        length,
        format: Format::Arrow,
    };
    messages::key_value(&mut file, key, &reading)
}
