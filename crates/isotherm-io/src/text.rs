//! Text at its beginning: what it is, and how it is written.

use std::io::{Cursor, Read};
use std::path::Path;

use crate::dialect::{self, Decimal, Delimiter};
use crate::encoding::{Decoded, Encoding};
use crate::error::{Error, Place, Result, clean};
use crate::input::{Input, Position, fill};
use crate::records::Records;
use crate::source::ReadOptions;

/// Bytes looked at before reading.
const SAMPLE: usize = 64 << 10;

/// What a kind of text file may look like.
pub(crate) struct Kind {
    /// The delimiters tried, in this order.
    pub(crate) candidates: &'static [Delimiter],
    /// The delimiter of a file with one cell a row.
    pub(crate) fallback: Delimiter,
    /// Lines that begin with one of these are skipped.
    pub(crate) comments: &'static [u8],
    /// The way out where commas may mark thousands or decimals.
    pub(crate) thousands: &'static str,
}

/// A text file whose first bytes have been looked at, as UTF-8.
pub(crate) struct Text<'a> {
    pub(crate) bytes: Box<dyn Read + 'a>,
    pub(crate) position: Position,
    pub(crate) delimiter: Delimiter,
    pub(crate) encoding: Encoding,
    /// The decimal mark, where it was told or there is a sign of it.
    pub(crate) decimal: Option<Decimal>,
    /// Lines before the first record that say how the text is written.
    pub(crate) skipped: u64,
}

impl<'a> Text<'a> {
    /// Looks at the first bytes: other formats, encoding, delimiter, decimal mark.
    pub(crate) fn open(
        mut input: Input<'a>,
        path: &Path,
        options: &ReadOptions,
        kind: &Kind,
    ) -> Result<Self> {
        let position = input.position();
        let head = input.head()?;
        if head.is_empty() {
            return Err(Error::Empty {
                path: path.to_owned(),
            });
        }
        check_text(&head, path)?;
        let encoding = Encoding::choose(options.encoding, &head);
        let mut bytes: Box<dyn Read + 'a> = match encoding == Encoding::UTF_8 {
            true => Box::new(input),
            false => Box::new(Decoded::new(input, path, encoding)),
        };
        let (mut sample, whole) =
            fill(&mut bytes, SAMPLE).map_err(|e| Error::io(path, "read", e))?;
        if sample.starts_with(b"\xEF\xBB\xBF") {
            sample.drain(..3);
        }
        let (told, line) = told_delimiter(&sample);
        let skipped = u64::from(told.is_some());
        sample.drain(..line);
        let look = dialect::Sample {
            bytes: &sample,
            whole,
            comments: kind.comments,
        };
        let delimiter = (options.delimiter.or(told))
            .unwrap_or_else(|| look.delimiter(kind.candidates, kind.fallback));
        let decimal = match options.decimal {
            Some(told) => Some(told),
            None => look.decimal(delimiter).map_err(|(line, cell)| {
                Error::format_as(
                    "thousands",
                    path,
                    Some(Place::Line(line + skipped)),
                    match cell.matches(',').count() {
                        1 => format!(
                            "\"{}\" may have a decimal comma or a thousands mark",
                            clean(&cell, 60)
                        ),
                        _ => format!("\"{}\" has thousands marks", clean(&cell, 60)),
                    },
                    kind.thousands,
                )
            })?,
        };
        Ok(Self {
            bytes: Box::new(Cursor::new(sample).chain(bytes)),
            position,
            delimiter,
            encoding,
            decimal,
            skipped,
        })
    }

    /// Its records, one after the other.
    pub(crate) fn records(
        self,
        path: &Path,
        options: &ReadOptions,
        kind: &Kind,
    ) -> Records<Box<dyn Read + 'a>> {
        let (bytes, limits) = (self.bytes, options.limits);
        Records::new(bytes, path, self.delimiter, kind.comments, limits)
            .on_line(1 + self.skipped)
            .telling(self.position)
    }
}

/// The delimiter that a first line `sep=;` tells, as spreadsheets write it, and the bytes of
/// that line.
fn told_delimiter(sample: &[u8]) -> (Option<Delimiter>, usize) {
    let end = sample.iter().position(|b| matches!(b, b'\r' | b'\n'));
    let end = end.unwrap_or(sample.len());
    let told = match &sample[..end] {
        [s, e, p, b'=', mark] if [*s, *e, *p].eq_ignore_ascii_case(b"sep") => {
            Delimiter::from_byte(*mark)
        }
        _ => None,
    };
    let after = match (&told, &sample[end..]) {
        (None, _) => 0,
        (_, [b'\r', b'\n', ..]) => end + 2,
        (_, []) => end,
        _ => end + 1,
    };
    (told, after)
}

/// Refuses by name what begins like something else.
fn check_text(head: &[u8], path: &Path) -> Result<()> {
    let known: [(&[u8], &str, &str); 9] = [
        (
            b"\xFF\xFE\0\0",
            "the text is UTF-32, which is not read",
            "save the file as UTF-8, for instance with `iconv -f utf-32 -t utf-8`",
        ),
        (
            b"BZh",
            "the file is compressed with bzip2, which is not read",
            "decompress it first with `bunzip2`, or compress it with gzip or zstd",
        ),
        (
            b"\xFD7zXZ\0",
            "the file is compressed with xz, which is not read",
            "decompress it first with `unxz`, or compress it with gzip or zstd",
        ),
        (
            b"\x1F\x8B",
            "the file is compressed twice",
            "decompress it once, for instance with `gunzip`",
        ),
        (
            b"\x28\xB5\x2F\xFD",
            "the file is compressed twice",
            "decompress it once, for instance with `unzstd`",
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
    match known.iter().find(|(magic, ..)| head.starts_with(magic)) {
        Some((_, problem, hint)) => Err(Error::format_as("not-text", path, None, *problem, *hint)),
        None => Ok(()),
    }
}
