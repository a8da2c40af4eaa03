//! One file that is read some rows at a time.

use std::path::{Path, PathBuf};

use isotherm::monitor::Monitor;

use crate::arrays::npy::NpyFile;
use crate::columnar::arrow::ArrowFile;
use crate::columnar::parquet::ParquetFile;
use crate::error::{Error, Result, clean, shown};
use crate::progress::Progress;
use crate::source::file_version::FileVersion;
use crate::source::input::Input;
use crate::source::spool::spool;
use crate::source::{Format, ReadOptions, Source, open};
use crate::table::cells::Cells;
use crate::table::{Origin, Table};
use crate::text::csv::{Bytes, CsvFile};
use crate::text::dialect::Delimiter;

pub(super) const PHASE: &str = "reading the table";

/// One of the files.
pub(super) struct OpenedFile {
    pub(super) path: PathBuf,
    pub(super) file: File,
    pub(super) version: FileVersion,
    /// The columns, without rows.
    pub(super) header: Table,
    /// Rows read.
    pub(super) done: u64,
}

pub(super) enum File {
    Parquet(ParquetFile),
    Npy(NpyFile),
    Arrow(Box<ArrowFile>),
    Csv(Box<CsvFile>),
}

/// How often rows are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passes {
    One,
    Any,
}

impl OpenedFile {
    pub(super) fn new(
        source: &Source,
        options: &ReadOptions,
        passes: Passes,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let path = source.path();
        let version = FileVersion::of(source);
        let named = match (source, options.format) {
            (_, Some(format)) => Some(format),
            (Source::Path(path), None) => Some(Format::of_input(path)?),
            (Source::Stdin, None) => None,
        };
        named.map_or(Ok(()), |format| in_parts(format, path))?;
        let (format, bytes) = match source {
            Source::Path(path) if is_file(path) => {
                let (file, length) = open(path)?;
                (named.unwrap_or(Format::Csv), Bytes::File(file, length))
            }
            stream => {
                let mut input = Input::open(stream, options.limits)?;
                let format = match named {
                    Some(format) => format,
                    None => Format::of_head(&input.head()?),
                };
                in_parts(format, path)?;
                let bytes = if format.is_text() && passes == Passes::One {
                    Bytes::Stream(Some(input))
                } else {
                    {
                        let (file, length) = spool(&mut input, path, monitor)?;
                        Bytes::File(file, length)
                    }
                };
                (format, bytes)
            }
        };
        let mut progress = Progress::within(monitor, PHASE);
        let (file, header) = match (format, bytes) {
            (Format::Npy, Bytes::File(file, length)) => {
                let mut file = NpyFile::of_file((file, length), path, options)?;
                let columns = file.read(0, &mut progress)?;
                (File::Npy(file), (columns, format))
            }
            (Format::Arrow | Format::ArrowStream, Bytes::File(file, length)) => {
                let mut file = ArrowFile::of_file((file, length), path, options)?;
                file.settle(&mut progress)?;
                let columns = file.read(0, &mut progress)?;
                let format = file.format();
                (File::Arrow(Box::new(file)), (columns, format))
            }
            (Format::Parquet, Bytes::File(file, length)) => {
                let mut file = ParquetFile::of_file((file, length), path, options)?;
                file.settle(&mut progress)?;
                let columns = file.read(0, &mut progress)?;
                (File::Parquet(file), (columns, format))
            }
            (format, bytes) => {
                let mut options = options.clone();
                if format == Format::Tsv {
                    options.delimiter = options.delimiter.or(Some(Delimiter::Tab));
                }
                let file = CsvFile::new(bytes, path, &options, &mut progress)?;
                return Ok(Self {
                    path: path.to_owned(),
                    header: file.header()?,
                    file: File::Csv(Box::new(file)),
                    version,
                    done: 0,
                });
            }
        };
        let mut origin = Origin::new(path, header.1);
        origin.unread = match &file {
            File::Parquet(file) => file.unread().to_vec(),
            File::Arrow(file) => file.unread().to_vec(),
            File::Npy(_) | File::Csv(_) => Vec::new(),
        };
        Ok(Self {
            path: path.to_owned(),
            file,
            version,
            header: Table::new(header.0, origin)?,
            done: 0,
        })
    }

    pub(super) fn rows(&self) -> Option<u64> {
        match &self.file {
            File::Parquet(file) => Some(file.rows()),
            File::Npy(file) => Some(file.rows()),
            File::Arrow(file) => file.rows(),
            File::Csv(file) => file.rows(),
        }
    }

    pub(super) fn choose(&mut self, names: &[String]) -> Result<()> {
        let mut positions = Vec::with_capacity(names.len());
        for name in names {
            self.header.column(name)?;
            positions.extend(self.header.columns().iter().position(|c| c.name == *name));
        }
        match &mut self.file {
            File::Parquet(file) => file.choose(positions),
            File::Npy(file) => file.choose(positions),
            File::Arrow(file) => file.choose(positions),
            File::Csv(file) => file.choose(positions),
        }
        Ok(())
    }

    pub(super) fn rewind(&mut self) -> Result<()> {
        self.done = 0;
        match &mut self.file {
            File::Parquet(file) => file.rewind(),
            File::Npy(file) => file.rewind(),
            File::Arrow(file) => file.rewind()?,
            File::Csv(file) => file.rewind(),
        }
        self.version.check()
    }

    pub(super) fn next(&mut self, most: u64, monitor: &mut dyn Monitor) -> Result<Table> {
        let mut progress = Progress::within(monitor, PHASE);
        let plain = |columns| {
            let origin = Origin::new(&self.path, self.header.origin().format);
            Table::new(columns, origin)
        };
        let table = match &mut self.file {
            File::Parquet(file) => file.read(most, &mut progress).and_then(plain),
            File::Npy(file) => file.read(most, &mut progress).and_then(plain),
            File::Arrow(file) => file.read(most, &mut progress).and_then(plain),
            File::Csv(file) => file.read(most, &mut progress),
        };
        // At the end of every pass, and whenever something is wrong.
        let table = match table {
            Ok(table) if table.rows() > 0 => table,
            other => self.version.after(other)?,
        };
        let table = table.after(self.done);
        self.done += table.rows() as u64;
        Ok(table)
    }

    /// How much there is to read, where it is known, and how much was: in bytes of the
    /// file.
    pub(super) fn extent(&self) -> (Option<u64>, u64) {
        let by_rows = |rows: u64, width: u64| {
            let width = width.max(1).saturating_mul(8);
            (
                Some(rows.saturating_mul(width)),
                self.done.saturating_mul(width),
            )
        };
        let width = self.header.columns().len() as u64;
        match &self.file {
            File::Parquet(file) => by_rows(file.rows(), width),
            File::Npy(file) => by_rows(file.rows(), width),
            File::Arrow(file) => {
                let (length, read) = file.extent();
                (Some(length), read)
            }
            File::Csv(file) => file.extent(),
        }
    }
}

/// Whether it can be read again; an error of the file system shows when it is opened.
fn is_file(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |about| about.is_file() || about.is_dir())
}

/// Refuses files that hold one column as different things: a part is written before the
/// next file is seen.
pub(super) fn check_types(first: &OpenedFile, file: &OpenedFile) -> Result<()> {
    for column in first.header.columns() {
        let other = &file.header.column(&column.name)?.cells;
        if std::mem::discriminant(&column.cells) == std::mem::discriminant(other) {
            continue;
        }
        return Err(Error::format_as(
            "not-in-parts",
            &file.path,
            None,
            format!(
                "column \"{}\" holds {} here and {} in {}",
                clean(&column.name, 60),
                kind(other),
                kind(&column.cells),
                shown(&first.path)
            ),
            "give files of one format and of the same types, or read them whole",
        ));
    }
    Ok(())
}

fn kind(cells: &Cells) -> &'static str {
    match cells {
        Cells::Text(_) => "texts",
        Cells::Float(_) => "floats",
        Cells::Integer(_) => "integers",
        Cells::Bool(_) => "truth values",
        Cells::List(_) => "lists",
    }
}

/// Refuses formats whose rows cannot be read some at a time.
fn in_parts(format: Format, path: &Path) -> Result<()> {
    match format {
        Format::JsonLines | Format::Npz | Format::Xlsx | Format::Ods | Format::Sqlite => {
            Err(Error::format_as(
                "not-in-parts",
                path,
                None,
                match format {
                    Format::Npz => "archives of numpy arrays are not read in parts",
                    Format::Xlsx | Format::Ods => "sheets of workbooks are not read in parts",
                    Format::Sqlite => "tables of databases are not read in parts",
                    _ => {
                        "JSON lines are not read in parts: what a key holds shows only at their end"
                    }
                },
                "save the table as .csv, .parquet, .arrow or .npy, or read it whole",
            ))
        }
        _ => Ok(()),
    }
}
