//! Tables out: CSV, TSV, JSON lines, compressed if so wanted; Parquet, Arrow, numpy arrays.

use std::io::Write;
use std::path::{Path, PathBuf};

use isotherm::monitor::{Monitor, Quiet};

use crate::arrays::npz::write_npz;
use crate::columnar::arrow;
use crate::columnar::parquet;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::provenance::Provenance;
use crate::provenance::hashing::{FileHash, HashedWriter};
use crate::provenance::sidecar;
use crate::source::Format;
use crate::table::Table;
use crate::write::atomic::{Overwrite, check_destination, write_atomically};
use crate::write::column_type::{ColumnType, as_stored, narrowest};
use crate::write::compression::{Compressor, Layout};
use crate::write::text_rows::{Formulas, write_rows};

/// A file, or standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file, written whole or not at all.
    Path(PathBuf),
}

impl<P: Into<PathBuf>> From<P> for Destination {
    /// `-` is standard output.
    fn from(path: P) -> Self {
        let path = path.into();
        if path.as_os_str() == "-" {
            Self::Stdout
        } else {
            Self::Path(path)
        }
    }
}

impl Destination {
    /// The file's path; `<stdout>` for standard output.
    fn path(&self) -> &Path {
        match self {
            Self::Stdout => Path::new("<stdout>"),
            Self::Path(path) => path,
        }
    }
}

/// How a table is written; the default lets the name tell the layout, replaces
/// nothing, guards formulas and leaves no provenance.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WriteOptions {
    /// Format and compression, instead of what the name tells; standard output
    /// gets CSV.
    pub layout: Option<Layout>,
    /// What to do when the destination exists.
    pub overwrite: Overwrite,
    /// What to do with cells that a spreadsheet would run.
    pub formulas: Formulas,
    /// Where the table came from: in the file where the format has a place for
    /// it, otherwise beside it.
    pub provenance: Option<Provenance>,
    /// Whether a provenance may be written beside the table. There is no beside
    /// to standard output, devices and pipes.
    pub sidecar: bool,
}

impl WriteOptions {
    /// The layout a destination gets. To be asked before hours of computing.
    ///
    /// # Errors
    /// [`Error::Format`] when the name tells no format, or one that is only read.
    pub fn layout(&self, destination: &Destination) -> Result<Layout> {
        match (self.layout, destination) {
            (Some(layout), _) => layout.check(destination.path()).map(|()| layout),
            (None, Destination::Stdout) => Ok(Format::Csv.into()),
            (None, Destination::Path(path)) => Layout::from_path(path),
        }
    }

    /// Whether the table and what goes beside it could be written. To be asked
    /// before hours of computing.
    ///
    /// # Errors
    /// As [`Self::layout`] and [`check_destination`].
    pub fn check(&self, destination: &Destination) -> Result<()> {
        let layout = self.layout(destination)?;
        if let Destination::Path(path) = destination {
            check_destination(path, self.overwrite)?;
            if let Some(aside) = self.aside(path, layout) {
                check_destination(&aside, self.overwrite)?;
            }
        }
        Ok(())
    }

    /// Where the provenance goes if not into the table.
    fn aside(&self, path: &Path, layout: Layout) -> Option<PathBuf> {
        // A device or a pipe is written directly, and keeps nothing.
        let special = std::fs::metadata(path).is_ok_and(|about| !about.is_file());
        (self.sidecar && !layout.embeds() && !special).then(|| sidecar::path_of(path))
    }
}

/// Writes a table; without a format, the file's name tells it, and standard
/// output gets CSV. As [`write_table_with`] with nothing else said.
///
/// # Errors
/// As [`write_table_with`].
pub fn write_table(
    table: &Table,
    destination: &Destination,
    format: Option<Format>,
    overwrite: Overwrite,
    monitor: &mut dyn Monitor,
) -> Result<()> {
    let options = WriteOptions {
        layout: format.map(Layout::from),
        overwrite,
        ..WriteOptions::default()
    };
    write_table_with(table, destination, &options, monitor)
}

/// Writes a table.
///
/// Texts are written as they were read; floats as the shortest text that reads
/// back the same; missing cells as blank (CSV, TSV) or null; lists as `[0.1,0.2]`
/// where there are no types. JSON, Parquet, Arrow and numpy have types: a text
/// column becomes numbers there when every cell that has a value is a JSON number,
/// so `1.50` is a number and `007` stays text; and lists when every such cell is
/// one. Floats only where every whole number is exact as one: an id of 20 digits keeps
/// its column text.
///
/// # Errors
/// [`Error::Exists`], [`Error::Io`], [`Error::BrokenPipe`],
/// [`Error::Cancelled`]; [`Error::Format`] for a format that is only read.
pub fn write_table_with(
    table: &Table,
    destination: &Destination,
    options: &WriteOptions,
    monitor: &mut dyn Monitor,
) -> Result<()> {
    let layout = options.layout(destination)?;
    let path = destination.path();
    let rows = table.rows() as u64;
    let types: Vec<ColumnType> = table
        .columns()
        .iter()
        .map(|c| narrowest(&c.cells))
        .collect();
    let provenance = options.provenance.as_ref();
    let written = write_to(destination, layout, options, |out| {
        let mut progress = Progress::begin(monitor, "writing the table", Some(rows))?;
        let format = layout.format;
        if format == Format::Npz {
            write_npz(table, &types, out, path, &mut progress)?;
        } else if let Some(mut sink) = Sink::begin(table, format, &types, &mut *out, path)? {
            sink.push(table, &mut progress)?;
            sink.finish(provenance)?;
        } else {
            let manner = (format, options.formulas, true);
            write_rows(table, manner, &types, out, path, &mut progress)?;
        }
        progress.end(rows)
    })?;
    write_aside(destination, layout, options, written, provenance)
}

/// Writes the tables that `next` gives, one below the other, until it gives none.
/// As [`write_parts_with`] with nothing else said.
///
/// # Errors
/// As [`write_parts_with`].
pub fn write_parts<E: From<Error>>(
    destination: &Destination,
    overwrite: Overwrite,
    next: impl FnMut() -> std::result::Result<Option<Table>, E>,
) -> std::result::Result<(), E> {
    let options = WriteOptions {
        overwrite,
        ..WriteOptions::default()
    };
    write_parts_with(destination, &options, next, || Ok(None))
}

/// A file of a format with types, to which tables with one set of columns are
/// added.
enum Sink<W: Write + Send> {
    Parquet(parquet::Sink<W>),
    Arrow(arrow::Sink<W>),
}

impl<W: Write + Send> Sink<W> {
    /// Begins a file; `None` for formats that are text.
    fn begin(
        like: &Table,
        format: Format,
        types: &[ColumnType],
        out: W,
        path: &Path,
    ) -> Result<Option<Self>> {
        let types = types.to_vec();
        Ok(match format {
            Format::Parquet => {
                let sink = parquet::Sink::begin(like, types, out, path)?;
                Some(Self::Parquet(sink))
            }
            Format::Arrow | Format::ArrowStream => {
                let sink = arrow::Sink::begin(like, (format, types), out, path)?;
                Some(Self::Arrow(sink))
            }
            _ => None,
        })
    }

    fn push(&mut self, table: &Table, progress: &mut Progress<'_>) -> Result<()> {
        match self {
            Self::Parquet(sink) => sink.push(table, progress),
            Self::Arrow(sink) => sink.push(table, progress),
        }
    }

    /// Ends the file; files of these formats have a place for the provenance.
    fn finish(self, provenance: Option<&Provenance>) -> Result<()> {
        match self {
            Self::Parquet(sink) => sink.finish(provenance),
            Self::Arrow(sink) => sink.finish(provenance),
        }
    }
}

/// Writes the tables that `next` gives, one below the other, until it gives none.
///
/// All must have the columns of the first. Texts stay texts: what later parts hold is
/// not known when the first is written. Nothing is left behind when a part fails. The
/// provenance is asked for after the last part, when every input has been read.
///
/// # Errors
/// As [`write_table_with`]; whatever `next` says; [`Error::Core`] when there is no part.
pub fn write_parts_with<E: From<Error>>(
    destination: &Destination,
    options: &WriteOptions,
    mut next: impl FnMut() -> std::result::Result<Option<Table>, E>,
    provenance: impl FnOnce() -> std::result::Result<Option<Provenance>, E>,
) -> std::result::Result<(), E> {
    let layout = options.layout(destination)?;
    let path = destination.path();
    if layout.format == Format::Npz {
        let problem = "numpy arrays are written whole, not in parts";
        return Err(Error::format_as("one-way-format", path, None, problem, IN_PARTS).into());
    }
    let mut came_from = options.provenance.clone();
    let written = write_to(destination, layout, options, |out| {
        let Some(mut table) = next()? else {
            let error = isotherm::Error::refused(
                isotherm::error::Refusal::NothingToWrite,
                "there are no rows to write",
                "give at least one",
            );
            return Err(E::from(Error::Core(error)));
        };
        let types: Vec<ColumnType> = table
            .columns()
            .iter()
            .map(|c| as_stored(&c.cells))
            .collect();
        let mut quiet = Quiet;
        let mut progress = Progress::within(&mut quiet, "writing the table");
        if let Some(mut sink) = Sink::begin(&table, layout.format, &types, &mut *out, path)? {
            loop {
                sink.push(&table, &mut progress)?;
                match next()? {
                    Some(more) => table = more,
                    None => break,
                }
            }
            came_from = provenance()?.or(came_from.take());
            return Ok(sink.finish(came_from.as_ref())?);
        }
        let mut first = true;
        loop {
            let manner = (layout.format, options.formulas, first);
            write_rows(&table, manner, &types, out, path, &mut progress)?;
            first = false;
            match next()? {
                Some(more) => table = more,
                None => break,
            }
        }
        came_from = provenance()?.or(came_from.take());
        Ok(())
    })?;
    let came_from = came_from.as_ref();
    Ok(write_aside(
        destination,
        layout,
        options,
        written,
        came_from,
    )?)
}

/// Opens a destination, whole or not at all; what was written, if it is to be
/// told beside it.
fn write_to<E: From<Error>>(
    destination: &Destination,
    layout: Layout,
    options: &WriteOptions,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> std::result::Result<(), E>,
) -> std::result::Result<Option<FileHash>, E> {
    let path = destination.path();
    let failed = |e| Error::io(path, "write", e);
    let Destination::Path(file) = destination else {
        let out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout());
        let mut out = Compressor::new(out, layout.compression).map_err(failed)?;
        fill(&mut out)?;
        let mut out = out.finish().map_err(failed)?;
        return Ok(out.flush().map(|()| None).map_err(failed)?);
    };
    let hashed = options.aside(file, layout).is_some();
    let mut written = None;
    write_atomically(file, options.overwrite, |out| {
        if !hashed {
            let mut out = Compressor::new(out, layout.compression).map_err(failed)?;
            fill(&mut out)?;
            out.finish().map_err(failed)?;
            return Ok::<(), E>(());
        }
        let mut out =
            Compressor::new(HashedWriter::new(out), layout.compression).map_err(failed)?;
        fill(&mut out)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        written = Some(out.finish().map_err(failed)?.finish(name.into_owned()));
        Ok(())
    })?;
    Ok(written)
}

/// Writes the sidecar, where there is to be one.
fn write_aside(
    destination: &Destination,
    layout: Layout,
    options: &WriteOptions,
    written: Option<FileHash>,
    provenance: Option<&Provenance>,
) -> Result<()> {
    let (Destination::Path(path), Some(written), Some(provenance)) =
        (destination, written, provenance)
    else {
        return Ok(());
    };
    match options.aside(path, layout) {
        Some(_) => sidecar::write(path, written, provenance, options.overwrite),
        None => Ok(()),
    }
}

/// The format that a destination's name stands for; standard output gets CSV.
///
/// # Errors
/// [`Error::Format`] when the name tells no format, or one that is only read.
pub fn format_of(destination: &Destination) -> Result<Format> {
    let layout = WriteOptions::default().layout(destination)?;
    Ok(layout.format)
}

const IN_PARTS: &str = "end the name in .parquet, .arrow, .csv or .jsonl, or leave out --stream";
