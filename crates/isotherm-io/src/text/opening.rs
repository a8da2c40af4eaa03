//! Opening a text file: encoding, delimiter and decimal mark, from its first bytes.

use std::io::{Cursor, Read};
use std::path::Path;

use crate::error::{Error, Place, Result, clean};
use crate::source::ReadOptions;
use crate::source::format::SQLITE;
use crate::source::input::{Input, Position, fill};
use crate::text::detection::Sample;
use crate::text::dialect::{Decimal, Delimiter};
use crate::text::encoding::{Decoded, Encoding};
use crate::text::records::Records;

/// Bytes looked at before reading.
const SAMPLE: usize = 64 << 10;

/// What a rules of text file may look like.
pub(crate) struct TextRules {
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
    /// The decimal mark, given by the options or found in the text.
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
        rules: &TextRules,
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
        let mut bytes: Box<dyn Read + 'a> = if encoding == Encoding::UTF_8 {
            Box::new(input)
        } else {
            Box::new(Decoded::new(input, path, encoding))
        };
        let (mut sample, whole) =
            fill(&mut bytes, SAMPLE).map_err(|e| Error::io(path, "read", e))?;
        if sample.starts_with(b"\xEF\xBB\xBF") {
            sample.drain(..3);
        }
        let (declared, line) = declared_delimiter(&sample);
        let skipped = u64::from(declared.is_some());
        sample.drain(..line);
        let look = Sample {
            bytes: &sample,
            whole,
            comments: rules.comments,
        };
        let delimiter = (options.delimiter.or(declared))
            .unwrap_or_else(|| look.delimiter(rules.candidates, rules.fallback));
        let decimal = match options.decimal {
            Some(decimal) => Some(decimal),
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
                    rules.thousands,
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
        rules: &TextRules,
    ) -> Records<Box<dyn Read + 'a>> {
        let (bytes, limits) = (self.bytes, options.limits);
        Records::new(bytes, path, self.delimiter, rules.comments, limits)
            .on_line(1 + self.skipped)
            .reporting(self.position)
    }
}

/// The delimiter that a first line `sep=;` declares, as spreadsheets write it, and the number
/// of bytes of that line.
fn declared_delimiter(sample: &[u8]) -> (Option<Delimiter>, usize) {
    let end = sample.iter().position(|b| matches!(b, b'\r' | b'\n'));
    let end = end.unwrap_or(sample.len());
    let declared = match &sample[..end] {
        [s, e, p, b'=', mark] if [*s, *e, *p].eq_ignore_ascii_case(b"sep") => {
            Delimiter::from_byte(*mark)
        }
        _ => None,
    };
    let after = match (&declared, &sample[end..]) {
        (None, _) => 0,
        (_, [b'\r', b'\n', ..]) => end + 2,
        (_, []) => end,
        _ => end + 1,
    };
    (declared, after)
}

/// Refuses by name what begins like something else.
fn check_text(head: &[u8], path: &Path) -> Result<()> {
    let known: [(&[u8], &str, &str); 10] = [
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
            SQLITE,
            "the file is an SQLite database, not text",
            "name it .sqlite or pass --format sqlite",
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
