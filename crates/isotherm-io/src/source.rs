//! Where a table is read from, and in which format.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use isotherm::monitor::Monitor;

use crate::dialect::{Decimal, Delimiter, Header};
use crate::encoding::{Decoded, Encoding};
use crate::error::{Error, Result};
use crate::input::Input;
use crate::limits::Limits;
use crate::progress::Progress;
use crate::stamp::Stamp;
use crate::table::Table;
use crate::{arrow, csv, features, json_lines, npy, npz, parquet};

/// A file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Standard input, in any format: its first bytes tell.
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
    /// The format that the name of a file to read stands for: text may be
    /// compressed (`.csv.gz`, `.tsv.zst`).
    ///
    /// # Errors
    /// As [`Format::from_path`]; for binary formats that are compressed again.
    pub fn of_input(path: &Path) -> Result<Self> {
        let extension = path.extension().and_then(|e| e.to_str());
        let outer = extension.map(str::to_ascii_lowercase).unwrap_or_default();
        match outer.as_str() {
            "gz" | "zst" => {}
            "bz2" | "xz" | "zip" => {
                return Err(Error::format_as(
                    "compressed",
                    path,
                    None,
                    format!(".{outer} files are not read"),
                    "decompress the file first, or compress it with gzip or zstd",
                ));
            }
            _ => return Self::from_path(path),
        }
        let inner = path.with_extension("");
        let refuse = |problem: String, hint: &str| {
            Err(Error::format_as("compressed", path, None, problem, hint))
        };
        match Self::from_path(&inner) {
            Ok(format) if format.is_text() => Ok(format),
            Ok(_) => refuse(
                "only text is read from a compressed file".into(),
                "decompress the file first; Parquet and .npz are compressed by themselves",
            ),
            Err(Error::Format { problem, hint, .. }) => refuse(problem, &hint),
            Err(other) => Err(other),
        }
    }

    /// Whether it is lines of text.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::JsonLines)
    }

    /// The format that the first bytes of a stream tell.
    pub(crate) fn of_head(head: &[u8]) -> Self {
        match head {
            [b'P', b'A', b'R', b'1', ..] => Self::Parquet,
            [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Self::Npy,
            [b'P', b'K', 3, 4, ..] => Self::Npz,
            [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Self::Arrow,
            [0xFF, 0xFF, 0xFF, 0xFF, ..] => Self::ArrowStream,
            [b'{', ..] => Self::JsonLines,
            _ => Self::Csv,
        }
    }

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
                &format!(".{extension} files are not read or written here"),
                "use text compressed by gzip or zstd, such as .csv.gz; Parquet and .npz are compressed by themselves",
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
    /// How the letters of a text file are written, instead of UTF-8 or what a
    /// byte order mark tells.
    pub encoding: Option<Encoding>,
    /// The decimal mark of a text file, instead of the one found.
    pub decimal: Option<Decimal>,
    /// What to do with a table that has no rows.
    pub no_rows: NoRows,
    /// Columns, or patterns of them, that are not wanted. Those of them that cannot be read
    /// are left out of the table and named in [`Origin::unread`](crate::Origin::unread);
    /// the others are read.
    pub without: Vec<String>,
    /// How much to accept.
    pub limits: Limits,
}

impl ReadOptions {
    /// Whether a column may be left out.
    pub(crate) fn unwanted(&self, name: &str) -> bool {
        (self.without.iter()).any(|pattern| features::fits(pattern, name))
    }
}

/// Reads a table.
///
/// # Errors
/// As the format's reader: [`csv::read_csv`], [`parquet::read_parquet`],
/// [`arrow::read_arrow`], [`json_lines::read_json_lines`], [`npy::read_npy_table`],
/// [`npz::read_npz_table`]; [`Error::Changed`] for a file that changed meanwhile.
pub fn read_table(
    source: &Source,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let stamp = Stamp::of(source);
    let table = match source {
        Source::Path(path) => match options.format.map_or_else(|| Format::of_input(path), Ok)? {
            Format::Parquet => parquet::read_parquet(path, options, monitor),
            Format::Npy => npy::read_npy_table(path, options, monitor),
            Format::Npz => npz::read_npz_table(path, options, monitor),
            Format::Arrow | Format::ArrowStream => arrow::read_arrow(path, options, monitor),
            text => read_text(
                Input::open(source, options.limits)?,
                path,
                text,
                options,
                monitor,
            ),
        },
        Source::Stdin => {
            let input = Input::open(source, options.limits)?;
            read_stream(input, source.path(), options, monitor)
        }
    };
    stamp.after(table)
}

/// A table from a stream whose first bytes tell what it is. Binary formats are
/// read back and forth, so they go through a file without a name.
pub(crate) fn read_stream(
    mut input: Input<'_>,
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let head = input.head()?;
    let format = options.format.unwrap_or_else(|| Format::of_head(&head));
    if format.is_text() {
        return read_text(input, path, format, options, monitor);
    }
    let spooled = spool(&mut input, path, monitor)?;
    match format {
        Format::Parquet => parquet::table_of(spooled, path, options, monitor),
        Format::Npy => npy::table_of(spooled, path, options, monitor),
        Format::Arrow | Format::ArrowStream => arrow::table_of(spooled, path, options, monitor),
        _ => npz::table_of(spooled, path, options, monitor),
    }
}

fn read_text(
    mut input: Input<'_>,
    path: &Path,
    format: Format,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    match format {
        Format::JsonLines => {
            let length = input.length();
            let encoding = Encoding::choose(options.encoding, &input.head()?);
            if encoding == Encoding::UTF_8 {
                return json_lines::read_json_lines(input, path, length, options, monitor);
            }
            let text = Decoded::new(input, path, encoding);
            json_lines::read_json_lines(text, path, length, options, monitor)
        }
        Format::Tsv => {
            let mut options = options.clone();
            options.delimiter = options.delimiter.or(Some(Delimiter::Tab));
            csv::read_input(input, path, &options, monitor)
        }
        _ => csv::read_input(input, path, options, monitor),
    }
}

/// Everything a stream holds, in a file that has no name and goes away by
/// itself; memory stays small, and the disk is the bound.
pub(crate) fn spool(
    input: &mut Input<'_>,
    path: &Path,
    monitor: &mut dyn Monitor,
) -> Result<(File, u64)> {
    let mut progress = Progress::begin(monitor, "reading the stream", None)?;
    let failed = |e| Error::io(path, "read", e);
    let mut file = tempfile::tempfile().map_err(failed)?;
    let mut buffer = vec![0; 1 << 20];
    let mut length = 0;
    loop {
        progress.step(length)?;
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                file.write_all(&buffer[..n]).map_err(failed)?;
                length += n as u64;
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(failed(e)),
        }
    }
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    Ok((file, length))
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
