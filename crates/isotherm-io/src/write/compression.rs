//! How a table is laid out in a file: its format, and what it is compressed with.

use std::io::Write;
use std::path::Path;

use flate2::write::GzEncoder;

use crate::error::{Error, Result};
use crate::source::Format;

/// What a file is compressed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Compression {
    /// Nothing.
    #[default]
    Plain,
    /// gzip: `.gz`
    Gzip,
    /// Zstandard: `.zst`
    Zstd,
}

/// A format and what it is compressed with, `.csv.gz` for instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The format.
    pub format: Format,
    /// What it is compressed with.
    pub compression: Compression,
}

/// The way out where a name or a format will not do.
const WRITTEN: &str = "end it in .csv, .tsv, .jsonl (and .gz or .zst after these), .parquet, .arrow, .feather or .npz, or pass --output-format";

impl Layout {
    /// The layout that a file's name stands for.
    ///
    /// # Errors
    /// [`Error::Format`] when the name tells no format, or one that is not written.
    pub fn from_path(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|e| e.to_str());
        let compression = match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("gz") => Compression::Gzip,
            Some("zst") => Compression::Zstd,
            _ => Compression::Plain,
        };
        let format = match compression {
            Compression::Plain => Format::from_path(path),
            _ => Format::from_path(&path.with_extension("")),
        };
        let format = format.map_err(|e| match e {
            Error::Format { problem, .. } => {
                let problem = match problem.strip_suffix("are not read") {
                    Some(files) => format!("{files}are not written"),
                    None => problem,
                };
                Error::format(path, None, problem, WRITTEN)
            }
            other => other,
        })?;
        let layout = Self {
            format,
            compression,
        };
        layout.check(path)?;
        Ok(layout)
    }

    /// The layout that a name such as `csv`, `parquet` or `tsv.zst` stands for.
    ///
    /// # Errors
    /// As [`Self::from_path`].
    pub fn from_name(name: &str) -> Result<Self> {
        let endings = name.split('.').collect::<Vec<_>>();
        if name.contains(['/', '\\']) || endings.len() > 2 || endings.contains(&"") {
            Err(Error::format(
                Path::new(name),
                None,
                "this is no format",
                "say csv, tsv, jsonl, parquet, arrow or npz; .gz or .zst may follow the first three",
            ))
        } else {
            Self::from_path(Path::new(&format!("out.{name}")))
        }
    }

    /// Refuses what is not written.
    pub(crate) fn check(self, path: &Path) -> Result<()> {
        let (problem, hint) = match (self.format, self.compression) {
            (Format::Xlsx, _) => (".xlsx files are not written", WRITTEN),
            (Format::Ods, _) => (".ods files are not written", WRITTEN),
            (Format::Sqlite, _) => ("databases are not written", WRITTEN),
            (Format::Npy, _) => (
                "one numpy array cannot hold a table with names and texts",
                "end it in .npz, which holds an array a column, or in .parquet or .csv",
            ),
            (Format::Csv | Format::Tsv | Format::JsonLines, _) | (_, Compression::Plain) => {
                return Ok(());
            }
            _ => (
                "only text is compressed; this format is compressed by itself or not at all",
                WRITTEN,
            ),
        };
        Err(Error::format_as(
            "one-way-format",
            path,
            None,
            problem,
            hint,
        ))
    }

    /// Whether files of this layout have a place for their provenance.
    pub fn embeds(self) -> bool {
        matches!(self.format, Format::Parquet | Format::Arrow)
    }
}

impl From<Format> for Layout {
    fn from(format: Format) -> Self {
        let compression = Compression::Plain;
        Self {
            format,
            compression,
        }
    }
}

/// Passes bytes on, compressed. The same bytes in give the same bytes out: no
/// time and no name is in a header.
pub(crate) enum Compressor<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Compressor<W> {
    pub(crate) fn new(out: W, compression: Compression) -> std::io::Result<Self> {
        Ok(match compression {
            Compression::Plain => Self::Plain(out),
            Compression::Gzip => Self::Gzip(GzEncoder::new(out, flate2::Compression::default())),
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
        })
    }

    /// Ends the stream; what was begun without this is not whole.
    pub(crate) fn finish(self) -> std::io::Result<W> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            // A flush in the middle would only cost compression.
            Self::Gzip(_) | Self::Zstd(_) => Ok(()),
        }
    }
}
