//! How much memory tables take once they are read whole, estimated before reading.

use std::io::Read as _;
use std::path::Path;

use crate::arrays::npy::NpyFile;
use crate::columnar::parquet::ParquetFile;
use crate::error::{Error, Result, shown};
use crate::limits::READ_IN_PARTS;
use crate::source::{Format, ReadOptions, Source, open};

/// Bytes of a cell of numbers.
const CELL: u64 = 8;

/// Tables that are never refused for their size, 64 MiB: what refuses the work that
/// follows knows a better way out.
pub const SMALL: u64 = 64 << 20;

/// Bytes that tables take in memory once they are read whole, to about a fifth.
///
/// | format | what is counted |
/// |---|---|
/// | delimited text | its length and a quarter: cells stay text, with where each begins |
/// | Parquet | eight bytes a value, and texts as the file says they are, uncompressed |
/// | `.npy` | eight bytes a value |
/// | Arrow | the length of the file: of a compressed one it is less than the table |
///
/// Headers are read and no values. `None` where only reading tells, for one of the
/// sources: standard input and pipes, compressed text, JSON lines, `.npz`.
///
/// # Errors
/// As the readers, as far as headers tell.
pub fn footprint(sources: &[Source], options: &ReadOptions) -> Result<Option<u64>> {
    let mut all: u64 = 0;
    for source in sources {
        match of_source(source, options)? {
            Some(bytes) => all = all.saturating_add(bytes),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}

/// Refuses tables that, read whole beside the `used` bytes in use already, take more than
/// `limit` bytes; never one below [`SMALL`].
///
/// # Errors
/// [`isotherm::Error::Memory`] with the estimate; as [`footprint`].
pub fn check_room(sources: &[Source], options: &ReadOptions, used: u64, limit: u64) -> Result<()> {
    let Some(table) = footprint(sources, options)? else {
        return Ok(());
    };
    let needed = table.saturating_add(used);
    if needed <= limit || table <= SMALL {
        return Ok(());
    }
    let what = match sources {
        [one] => format!("reading {} whole", shown(one.path())),
        many => format!("reading {} files whole", many.len()),
    };
    Err(Error::Core(isotherm::Error::Memory {
        what,
        needed,
        limit: Some(limit),
        hint: READ_IN_PARTS.to_owned(),
    }))
}

/// Bytes of the files as they are stored; `None` for standard input and pipes, and what
/// is not there.
pub fn stored(sources: &[Source]) -> Option<u64> {
    let length = |source: &Source| match source {
        Source::Stdin => None,
        Source::Path(path) => {
            let about = std::fs::metadata(path).ok()?;
            about.is_file().then_some(about.len())
        }
    };
    sources.iter().map(length).sum()
}

fn of_source(source: &Source, options: &ReadOptions) -> Result<Option<u64>> {
    let (Source::Path(path), Some(length)) = (source, stored(std::slice::from_ref(source))) else {
        return Ok(None);
    };
    let format = match options.format {
        Some(format) => format,
        None => Format::of_input(path)?,
    };
    Ok(match format {
        Format::Parquet => Some(ParquetFile::of_file(open(path)?, path, options)?.footprint()),
        Format::Npy => {
            let file = NpyFile::of_file(open(path)?, path, options);
            // An array that is not read in parts is as large as its file, or larger.
            Some(file.map_or(length, |file| {
                file.values().saturating_mul(CELL).max(length)
            }))
        }
        Format::Arrow | Format::ArrowStream => Some(length),
        Format::Csv | Format::Tsv if !is_compressed(path)? => {
            Some(length.saturating_add(length / 4))
        }
        _ => None,
    })
}

/// Whether the first bytes say gzip or zstd.
fn is_compressed(path: &Path) -> Result<bool> {
    let (file, _) = open(path)?;
    let mut head = Vec::new();
    let read = file.take(4).read_to_end(&mut head);
    read.map_err(|e| Error::io(path, "read", e))?;
    Ok(crate::source::input::is_compressed(&head))
}
