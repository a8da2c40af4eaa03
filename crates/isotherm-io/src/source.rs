//! Where a table is read from, and in which format.

use std::fs::File;
use std::path::{Path, PathBuf};

use isotherm::monitor::Monitor;

use crate::dialect::{Delimiter, Header};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::table::Table;
use crate::{arrow, csv, json_lines, npy, npz, parquet};

/// A file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Standard input, read as text unless told otherwise.
    Stdin,
    /// A file.
    Path(PathBuf),
}

impl<P: Into<PathBuf>> From<P> for Source {
    /// `-` is standard input.
    fn from(path: P) -> Self {
        let path = path.into();
        match path.as_os_str() == "-" {
            true => Self::Stdin,
            false => Self::Path(path),
        }
    }
}

impl Source {
    /// The file's name as errors show it; `-` for standard input.
    pub fn path(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("-"),
            Self::Path(path) => path,
        }
    }
}

/// A format of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Text, delimiter found: `.csv`, `.txt`.
    Csv,
    /// Text, delimited by tabulators: `.tsv`.
    Tsv,
    /// `.parquet`
    Parquet,
    /// One numpy array: `.npy`
    Npy,
    /// Several numpy arrays: `.npz`
    Npz,
    /// One JSON object per line: `.jsonl`, `.ndjson`.
    JsonLines,
    /// An Arrow file: `.arrow`, `.ipc`, `.feather` of version 2.
    Arrow,
    /// An Arrow stream: `.arrows`
    ArrowStream,
}

impl Format {
    /// The format that a file's name stands for.
    ///
    /// # Errors
    /// [`Error::Format`], by name for compressed files and for formats that
    /// would run code or are not read.
    pub fn from_path(path: &Path) -> Result<Self> {
        let extension = path.extension().and_then(|e| e.to_str());
        let extension = extension.map(str::to_ascii_lowercase).unwrap_or_default();
        let refuse = |code: &'static str, problem: &str, hint: &str| {
            Err(Error::format_as(code, path, None, problem, hint))
        };
        match extension.as_str() {
            "csv" | "txt" => Ok(Self::Csv),
            "tsv" | "tab" => Ok(Self::Tsv),
            "parquet" | "pq" => Ok(Self::Parquet),
            "npy" => Ok(Self::Npy),
            "npz" => Ok(Self::Npz),
            "jsonl" | "ndjson" => Ok(Self::JsonLines),
            "arrow" | "feather" | "ipc" => Ok(Self::Arrow),
            "arrows" => Ok(Self::ArrowStream),
            "gz" | "zst" | "bz2" | "xz" | "zip" => refuse(
                "compressed",
                &format!(".{extension} files are not read or written yet"),
                "decompress the file first; Parquet and .npz are compressed by themselves",
            ),
            "pkl" | "pickle" | "joblib" | "pt" => refuse(
                "runs-code",
                &format!(".{extension} files can run code and are never opened"),
                "save the numbers as .npy, .npz, .parquet or .csv",
            ),
            "xls" | "xlsx" | "ods" | "json" | "h5" | "mat" => refuse(
                "unknown-format",
                &format!(".{extension} files are not read"),
                "save the table as .csv, .tsv, .jsonl, .parquet, .arrow, .npy or .npz",
            ),
            _ => refuse(
                "unknown-format",
                "the name does not tell the format",
                "end it in .csv, .tsv, .txt, .jsonl, .parquet, .arrow, .feather, .npy or .npz, or pass --format",
            ),
        }
    }
}

/// What to do with a table that has columns and no rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NoRows {
    /// [`Error::HeaderOnly`].
    #[default]
    Refuse,
    /// Return the table with zero rows.
    Allow,
}

/// How to read; the default finds everything out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format, instead of the one that the name stands for.
    pub format: Option<Format>,
    /// The delimiter of a text file, instead of the one found.
    pub delimiter: Option<Delimiter>,
    /// Whether a text file has a header, instead of what was found.
    pub header: Option<Header>,
    /// What to do with a table that has no rows.
    pub no_rows: NoRows,
    /// How much to accept.
    pub limits: Limits,
}

/// Reads a table.
///
/// # Errors
/// As the format's reader: [`csv::read_csv`], [`parquet::read_parquet`],
/// [`arrow::read_arrow`], [`json_lines::read_json_lines`], [`npy::read_npy_table`],
/// [`npz::read_npz_table`]. Standard input is text only.
pub fn read_table(
    source: &Source,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let path = source.path();
    let format = match (options.format, source) {
        (Some(format), _) => format,
        (None, Source::Stdin) => Format::Csv,
        (None, Source::Path(path)) => Format::from_path(path)?,
    };
    match (format, source) {
        (Format::Csv | Format::Tsv, _) => {
            let mut options = options.clone();
            if format == Format::Tsv {
                options.delimiter = options.delimiter.or(Some(Delimiter::Tab));
            }
            match source {
                Source::Stdin => {
                    csv::read_csv(std::io::stdin().lock(), path, None, &options, monitor)
                }
                Source::Path(path) => {
                    let (file, length) = open(path)?;
                    csv::read_csv(
                        file,
                        path,
                        Some(length).filter(|n| *n > 0),
                        &options,
                        monitor,
                    )
                }
            }
        }
        (Format::JsonLines, Source::Stdin) => {
            let input = std::io::stdin().lock();
            json_lines::read_json_lines(input, path, None, options, monitor)
        }
        (Format::JsonLines, Source::Path(path)) => {
            let (file, length) = open(path)?;
            let length = Some(length).filter(|n| *n > 0);
            json_lines::read_json_lines(file, path, length, options, monitor)
        }
        (_, Source::Stdin) => Err(Error::format_as(
            "stdin-text",
            path,
            None,
            "only text is read from standard input",
            "save the table to a file and give its name",
        )),
        (Format::Parquet, Source::Path(path)) => parquet::read_parquet(path, options, monitor),
        (Format::Npy, Source::Path(path)) => npy::read_npy_table(path, options, monitor),
        (Format::Npz, Source::Path(path)) => npz::read_npz_table(path, options, monitor),
        (Format::Arrow | Format::ArrowStream, Source::Path(path)) => {
            arrow::read_arrow(path, options, monitor)
        }
    }
}

/// Opens a file and measures it. A directory is refused here: reading one
/// fails later and says less.
pub(crate) fn open(path: &Path) -> Result<(File, u64)> {
    let file = File::open(path).map_err(|e| Error::io(path, "open", e))?;
    let about = file.metadata().map_err(|e| Error::io(path, "open", e))?;
    if about.is_dir() {
        let source = std::io::Error::from(std::io::ErrorKind::IsADirectory);
        return Err(Error::io(path, "open", source));
    }
    Ok((file, about.len()))
}
