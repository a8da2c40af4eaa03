//! Tables as text: CSV, TSV and their cousins.
//!
//! UTF-8, with or without a byte order mark. Delimiter and header are found
//! from the first 64 KiB (the rules are in [`crate::dialect`]), told to the
//! caller in the table's origin, and can be given instead. Cells stay texts:
//! what is written back is what was read.

use std::io::{ErrorKind, Read};
use std::path::Path;

use isotherm::monitor::Monitor;

use crate::cells::{Cells, TextCells};
use crate::dialect::{self, Delimiter, Dialect, Header};
use crate::error::{Error, Place, Result};
use crate::guard::unguard;
use crate::lines::Lines;
use crate::progress::Progress;
use crate::records::{Record, Records};
use crate::source::{Format, NoRows, ReadOptions};
use crate::table::{Column, Origin, Table, check_names};

/// Bytes looked at before reading.
const SAMPLE: usize = 64 << 10;

/// The delimiters tried, in this order.
const CANDIDATES: [Delimiter; 4] = [
    Delimiter::Tab,
    Delimiter::Semicolon,
    Delimiter::Bar,
    Delimiter::Comma,
];

/// Reads a text table from anything that can be read.
///
/// `path` is what errors say; `length` is the number of bytes, if known, for
/// progress. Cost: one pass, memory about the size of the text plus four bytes
/// per cell. A cancel is honoured at the next 64 KiB; a read that blocks (a
/// terminal, a pipe) is not interrupted.
///
/// # Errors
/// [`Error::Empty`], [`Error::HeaderOnly`], [`Error::Ragged`],
/// [`Error::Column`] for blank and doubled names, [`Error::Format`] for
/// anything that is not UTF-8 text, [`Error::Limit`], [`Error::Io`],
/// [`Error::Cancelled`].
pub fn read_csv(
    input: impl Read,
    path: &Path,
    length: Option<u64>,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let mut progress = Progress::begin(monitor, "reading the table", length)?;
    let opened = open(input, path, options, &CANDIDATES, Delimiter::Comma, b"")?;
    let (mut records, delimiter) = (opened.records, opened.delimiter);
    let mut record = Record::default();
    if !records.next(&mut record, &mut progress)? {
        return Err(Error::Empty {
            path: path.to_owned(),
        });
    }
    let header = options
        .header
        .unwrap_or_else(|| dialect::header(record.iter()));
    let width = record.len();
    let names: Vec<String> = match header {
        Header::Present => record
            .iter()
            .map(|c| unguard(c.trim()).to_owned())
            .collect(),
        Header::Absent => (1..=width).map(|n| format!("column_{n}")).collect(),
    };
    check_names(path, &names)?;
    let mut columns = vec![TextCells::default(); width];
    let mut lines = Lines::default();
    let mut more = header == Header::Absent || records.next(&mut record, &mut progress)?;
    while more {
        push(&mut columns, &names, &record, path)?;
        lines.push(record.line());
        more = records.next(&mut record, &mut progress)?;
    }
    progress.end(records.offset())?;
    if columns.first().is_none_or(TextCells::is_empty) && options.no_rows == NoRows::Refuse {
        return Err(Error::HeaderOnly {
            path: path.to_owned(),
            columns: width,
        });
    }
    let columns = names.into_iter().zip(columns).map(|(name, cells)| Column {
        name,
        cells: Cells::Text(cells),
    });
    let origin = Origin {
        before: 0,
        path: path.to_owned(),
        format: match delimiter {
            Delimiter::Tab => Format::Tsv,
            _ => Format::Csv,
        },
        dialect: Some(Dialect { delimiter, header }),
        lines,
    };
    Table::new(columns.collect(), origin)
}

/// A text file whose first bytes have been looked at.
pub(crate) struct Opened<R: Read> {
    pub(crate) records: Records<std::io::Chain<std::io::Cursor<Vec<u8>>, R>>,
    pub(crate) delimiter: Delimiter,
}

/// Looks at the first bytes: encoding, other formats, delimiter.
pub(crate) fn open<R: Read>(
    mut input: R,
    path: &Path,
    options: &ReadOptions,
    candidates: &[Delimiter],
    fallback: Delimiter,
    comments: &'static [u8],
) -> Result<Opened<R>> {
    let mut sample = Vec::new();
    let whole = loop {
        let wanted = (SAMPLE - sample.len()) as u64;
        match input.by_ref().take(wanted).read_to_end(&mut sample) {
            Ok(_) if sample.len() < SAMPLE => break true,
            Ok(_) => break false,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(Error::io(path, "read", e)),
        }
    };
    if sample.is_empty() {
        return Err(Error::Empty {
            path: path.to_owned(),
        });
    }
    check_text(&sample, path)?;
    if sample.starts_with(b"\xEF\xBB\xBF") {
        sample.drain(..3);
    }
    let delimiter = options
        .delimiter
        .unwrap_or_else(|| dialect::delimiter(&sample, whole, comments, candidates, fallback));
    let input = std::io::Cursor::new(sample).chain(input);
    Ok(Opened {
        records: Records::new(input, path, delimiter, comments, options.limits),
        delimiter,
    })
}

/// Refuses by name what begins like something else.
fn check_text(sample: &[u8], path: &Path) -> Result<()> {
    let known: [(&[u8], &str, &str); 8] = [
        (
            b"\xFF\xFE",
            "the text is UTF-16",
            "save the file as UTF-8, for instance with `iconv -f utf-16 -t utf-8`",
        ),
        (
            b"\xFE\xFF",
            "the text is UTF-16",
            "save the file as UTF-8, for instance with `iconv -f utf-16 -t utf-8`",
        ),
        (
            b"\x1F\x8B",
            "the file is compressed with gzip, which is not read yet",
            "decompress it first, for instance with `gunzip`",
        ),
        (
            b"\x28\xB5\x2F\xFD",
            "the file is compressed with zstd, which is not read yet",
            "decompress it first, for instance with `unzstd`",
        ),
        (
            b"PAR1",
            "the file is Parquet, not text",
            "name it .parquet or pass --format parquet",
        ),
        (
            b"\x93NUMPY",
            "the file is a numpy array, not text",
            "name it .npy or pass --format npy",
        ),
        (
            b"PK\x03\x04",
            "the file is a zip archive (an .npz or a spreadsheet), not text",
            "name it .npz or pass --format npz; save a spreadsheet as CSV",
        ),
        (
            b"ARROW1",
            "the file is Arrow, not text",
            "name it .arrow or pass --format arrow",
        ),
    ];
    match known.iter().find(|(magic, ..)| sample.starts_with(magic)) {
        Some((_, problem, hint)) => Err(Error::format_as("not-text", path, None, *problem, *hint)),
        None => Ok(()),
    }
}

fn push(columns: &mut [TextCells], names: &[String], record: &Record, path: &Path) -> Result<()> {
    if record.len() != columns.len() {
        return Err(Error::Ragged {
            path: path.to_owned(),
            line: record.line(),
            expected: columns.len(),
            got: record.len(),
        });
    }
    for (at, (column, cell)) in columns.iter_mut().zip(record.iter()).enumerate() {
        if !column.push(unguard(cell)) {
            return Err(Error::limit(
                path,
                Some(Place::Line(record.line())),
                format!("the text of column \"{}\" in bytes", names[at]),
                (TextCells::LARGEST as u64 + 1, TextCells::LARGEST as u64),
                "exclude the column, or split the file",
            ));
        }
    }
    Ok(())
}
