//! The formats of tables, and which one a name or the first bytes tell.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::error::{Error, Result};

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
    /// One sheet of an Excel workbook: `.xlsx`
    Xlsx,
    /// One sheet of an OpenDocument workbook: `.ods`
    Ods,
    /// One table of an SQLite database: `.sqlite`, `.sqlite3`, `.db`
    Sqlite,
}

/// How an SQLite database begins.
pub(crate) const SQLITE: &[u8] = b"SQLite format 3\0";

/// Whether a file begins as an SQLite database does.
fn is_database(path: &Path) -> bool {
    let regular = std::fs::metadata(path).is_ok_and(|about| about.is_file());
    let mut head = Vec::new();
    let read = |file: File| file.take(SQLITE.len() as u64).read_to_end(&mut head);
    regular && File::open(path).and_then(read).is_ok() && head == SQLITE
}

impl Format {
    /// The format that the name of a file to read stands for: text may be
    /// compressed (`.csv.gz`, `.tsv.zst`). An SQLite database is known by its first bytes where
    /// the name says nothing, because such files have all kinds of names.
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
            _ => {
                let named = Self::from_path(path);
                return match named {
                    Err(refused) if refused.code() == "unknown-format" && is_database(path) => {
                        Ok(Self::Sqlite)
                    }
                    named => named,
                };
            }
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

    /// Whether it is a workbook, of which one sheet is read.
    pub fn is_workbook(self) -> bool {
        matches!(self, Self::Xlsx | Self::Ods)
    }

    /// Whether one of several tables is read, which a name chooses.
    pub fn has_tables(self) -> bool {
        self.is_workbook() || self == Self::Sqlite
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
            head if head.starts_with(SQLITE) => Self::Sqlite,
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
            "xlsx" | "xlsm" => Ok(Self::Xlsx),
            "ods" => Ok(Self::Ods),
            "sqlite" | "sqlite3" | "db" | "db3" => Ok(Self::Sqlite),
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
            "xls" | "xlsb" => refuse(
                "unknown-format",
                &format!(".{extension} files are not read"),
                "save the workbook as .xlsx, or the sheet as .csv",
            ),
            "json" | "h5" | "mat" => refuse(
                "unknown-format",
                &format!(".{extension} files are not read"),
                "save the table as .csv, .tsv, .jsonl, .parquet, .arrow, .npy or .npz",
            ),
            _ => refuse(
                "unknown-format",
                "the name does not tell the format",
                "end it in .csv, .tsv, .txt, .jsonl, .parquet, .arrow, .feather, .npy, .npz, .xlsx, .ods or .sqlite, or pass --format",
            ),
        }
    }
}
