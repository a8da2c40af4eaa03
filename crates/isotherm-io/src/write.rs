//! Tables out: CSV, TSV, JSON lines, Parquet, Arrow, several numpy arrays.

use std::io::Write;
use std::path::{Path, PathBuf};

use isotherm::monitor::{Monitor, Quiet};

use crate::arrow;
use crate::atomic::{Overwrite, write_atomically};
use crate::cells::{Cells, TextCells};
use crate::error::{Error, Result};
use crate::lists;
use crate::npz::write_npz;
use crate::numbers;
use crate::parquet;
use crate::progress::Progress;
use crate::source::Format;
use crate::table::Table;

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
        match path.as_os_str() == "-" {
            true => Self::Stdout,
            false => Self::Path(path),
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

/// Writes a table; without a format, the file's name tells it, and standard
/// output gets CSV.
///
/// Texts are written as they were read; floats as the shortest text that reads
/// back the same; missing cells as blank (CSV, TSV) or null; lists as `[0.1,0.2]`
/// where there are no types. JSON, Parquet, Arrow and numpy have types: a text
/// column becomes numbers there when every cell that has a value is a JSON number,
/// so `1.50` is a number and `007` stays text; and lists when every such cell is
/// one.
///
/// # Errors
/// [`Error::Exists`], [`Error::Io`], [`Error::BrokenPipe`],
/// [`Error::Cancelled`]; [`Error::Format`] for a format that is only read.
pub fn write_table(
    table: &Table,
    destination: &Destination,
    format: Option<Format>,
    overwrite: Overwrite,
    monitor: &mut dyn Monitor,
) -> Result<()> {
    let path = destination.path();
    let format = match format {
        Some(format) => writable(format, path)?,
        None => format_of(destination)?,
    };
    let rows = Some(table.rows() as u64);
    write_to(destination, overwrite, |out| {
        let mut progress = Progress::begin(monitor, "writing the table", rows)?;
        let kinds: Vec<Kind> = table.columns().iter().map(|c| kind(&c.cells)).collect();
        if format == Format::Npz {
            write_npz(table, &kinds, out, path, &mut progress)?;
        } else if let Some(mut sink) = Sink::begin(table, format, &kinds, &mut *out, path)? {
            sink.push(table, &mut progress)?;
            sink.finish()?;
        } else {
            write_rows(table, format, (true, &kinds), out, path, &mut progress)?;
        }
        progress.end(table.rows() as u64)
    })
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
        kinds: &[Kind],
        out: W,
        path: &Path,
    ) -> Result<Option<Self>> {
        let kinds = kinds.to_vec();
        Ok(match format {
            Format::Parquet => {
                let sink = parquet::Sink::begin(like, kinds, out, path)?;
                Some(Self::Parquet(sink))
            }
            Format::Arrow | Format::ArrowStream => {
                let sink = arrow::Sink::begin(like, (format, kinds), out, path)?;
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

    fn finish(self) -> Result<()> {
        match self {
            Self::Parquet(sink) => sink.finish(),
            Self::Arrow(sink) => sink.finish(),
        }
    }
}

/// Writes the tables that `next` gives, one below the other, until it gives none.
///
/// All must have the columns of the first. Texts stay texts: what later parts hold is
/// not known when the first is written. Nothing is left behind when a part fails.
///
/// # Errors
/// As [`write_table`]; whatever `next` says; [`Error::Core`] when there is no part.
pub fn write_parts<E: From<Error>>(
    destination: &Destination,
    overwrite: Overwrite,
    mut next: impl FnMut() -> std::result::Result<Option<Table>, E>,
) -> std::result::Result<(), E> {
    let format = format_of(destination)?;
    let path = destination.path();
    if format == Format::Npz {
        let problem = "numpy arrays are written whole, not in parts";
        return Err(Error::format(path, None, problem, IN_PARTS).into());
    }
    write_to(destination, overwrite, |out| {
        let Some(mut table) = next()? else {
            let error = isotherm::Error::data("there are no rows to write", "give at least one");
            return Err(Error::Core(error).into());
        };
        let kinds: Vec<Kind> = table.columns().iter().map(|c| plain(&c.cells)).collect();
        let mut quiet = Quiet;
        let mut progress = Progress::within(&mut quiet, "writing the table");
        if let Some(mut sink) = Sink::begin(&table, format, &kinds, &mut *out, path)? {
            loop {
                sink.push(&table, &mut progress)?;
                match next()? {
                    Some(more) => table = more,
                    None => return Ok(sink.finish()?),
                }
            }
        }
        let mut first = true;
        loop {
            write_rows(&table, format, (first, &kinds), out, path, &mut progress)?;
            first = false;
            match next()? {
                Some(more) => table = more,
                None => return Ok(()),
            }
        }
    })
}

/// Opens a destination, whole or not at all.
fn write_to<E: From<Error>>(
    destination: &Destination,
    overwrite: Overwrite,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    match destination {
        Destination::Path(path) => write_atomically(path, overwrite, fill),
        Destination::Stdout => {
            let mut out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout());
            fill(&mut out)?;
            let flushed = out.flush();
            Ok(flushed.map_err(|e| Error::io(destination.path(), "write", e))?)
        }
    }
}

/// Rows as text or JSON lines, names first if so wanted.
fn write_rows(
    table: &Table,
    format: Format,
    (header, kinds): (bool, &[Kind]),
    out: &mut dyn Write,
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<()> {
    match format {
        Format::JsonLines => write_json_lines(table, kinds, out, path, progress),
        Format::Tsv => write_text(table, (b'\t', header), out, path, progress),
        _ => write_text(table, (b',', header), out, path, progress),
    }
}

/// The format that a destination's name stands for; standard output gets CSV.
/// To be asked before hours of computing.
///
/// # Errors
/// [`Error::Format`] when the name tells no format, or one that is only read.
pub fn format_of(destination: &Destination) -> Result<Format> {
    let Destination::Path(path) = destination else {
        return Ok(Format::Csv);
    };
    let format = Format::from_path(path).map_err(|e| match e {
        Error::Format { path, problem, .. } => Error::format(&path, None, problem, WRITTEN),
        other => other,
    })?;
    writable(format, path)
}

const WRITTEN: &str = "end it in .csv, .tsv, .jsonl, .parquet, .arrow, .feather or .npz";
const IN_PARTS: &str = "end the name in .parquet, .arrow, .csv or .jsonl, or leave out --stream";

fn writable(format: Format, path: &Path) -> Result<Format> {
    match format {
        Format::Npy => Err(Error::format(
            path,
            None,
            "one numpy array cannot hold a table with names and texts",
            "end it in .npz, which holds an array a column, or in .parquet or .csv",
        )),
        format => Ok(format),
    }
}

/// Rows between two looks at the monitor.
const ROWS: usize = 256;

fn write_text(
    table: &Table,
    (delimiter, header): (u8, bool),
    out: &mut dyn Write,
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<()> {
    let failed = |e: csv::Error| match e.into_kind() {
        csv::ErrorKind::Io(e) => Error::io(path, "write", e),
        other => Error::io(path, "write", std::io::Error::other(format!("{other:?}"))),
    };
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(out);
    let names = table.columns().iter().map(|c| &c.name);
    if header {
        writer.write_record(names).map_err(failed)?;
    }
    for row in 0..table.rows() {
        for column in table.columns() {
            match &column.cells {
                Cells::Text(c) => writer.write_field(c.get(row).unwrap_or_default()),
                Cells::Float(c) => {
                    writer.write_field(c.get(row).map(numbers::shortest).unwrap_or_default())
                }
                Cells::Integer(c) => {
                    writer.write_field(c.get(row).map(|v| v.to_string()).unwrap_or_default())
                }
                Cells::Bool(c) => {
                    writer.write_field(c.get(row).map(|v| v.to_string()).unwrap_or_default())
                }
                Cells::List(c) => {
                    writer.write_field(c.get(row).map(lists::written).unwrap_or_default())
                }
            }
            .map_err(failed)?;
        }
        writer.write_record(None::<&[u8]>).map_err(failed)?;
        if row % ROWS == 0 {
            progress.step(row as u64)?;
        }
    }
    writer.flush().map_err(|e| Error::io(path, "write", e))
}

fn write_json_lines(
    table: &Table,
    kinds: &[Kind],
    out: &mut dyn Write,
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<()> {
    let failed = |e| Error::io(path, "write", e);
    let columns = table.columns();
    let keys: Vec<String> = columns.iter().map(|c| quoted(&c.name)).collect();
    let mut line = String::new();
    for row in 0..table.rows() {
        line.clear();
        for (at, column) in columns.iter().enumerate() {
            line.push(if at == 0 { '{' } else { ',' });
            line.push_str(&keys[at]);
            line.push(':');
            line.push_str(&json(&column.cells, kinds[at], row));
        }
        line.push_str(if columns.is_empty() { "{}\n" } else { "}\n" });
        out.write_all(line.as_bytes()).map_err(failed)?;
        if row % ROWS == 0 {
            progress.step(row as u64)?;
        }
    }
    Ok(())
}

fn json(cells: &Cells, kind: Kind, row: usize) -> String {
    let value = match cells {
        Cells::Text(c) => c.get(row).and_then(|t| match kind {
            Kind::Text => Some(quoted(t)),
            Kind::List => {
                let mut items = Vec::new();
                lists::parse(t, &mut items).then(|| json_list(&items))
            }
            _ => (!t.trim().is_empty()).then(|| t.to_owned()),
        }),
        Cells::Float(c) => c.get(row).filter(|v| v.is_finite()).map(numbers::shortest),
        Cells::Integer(c) => c.get(row).map(|v| v.to_string()),
        Cells::Bool(c) => c.get(row).map(|v| v.to_string()),
        Cells::List(c) => c.get(row).map(json_list),
    };
    value.unwrap_or_else(|| "null".into())
}

/// JSON has no word for what is not finite.
fn json_list(items: &[f64]) -> String {
    match items.iter().any(|v| v.is_infinite()) {
        false => lists::written(items),
        true => {
            let finite = |v: &f64| if v.is_finite() { *v } else { f64::NAN };
            lists::written(&items.iter().map(finite).collect::<Vec<_>>())
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What a column is where columns have types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Integer,
    Float,
    Bool,
    List,
}

/// The type of a column; texts stay texts.
fn plain(cells: &Cells) -> Kind {
    match cells {
        Cells::Text(_) => Kind::Text,
        other => kind(other),
    }
}

/// The type of a column; for texts, the narrowest that loses nothing.
pub(crate) fn kind(cells: &Cells) -> Kind {
    match cells {
        Cells::Text(cells) => kind_of_texts(cells),
        Cells::Float(_) => Kind::Float,
        Cells::Integer(_) => Kind::Integer,
        Cells::Bool(_) => Kind::Bool,
        Cells::List(_) => Kind::List,
    }
}

fn kind_of_texts(cells: &TextCells) -> Kind {
    let mut kind = None;
    let mut items = Vec::new();
    for text in (0..cells.len()).filter_map(|row| cells.get(row)) {
        if text.trim().is_empty() {
            continue;
        }
        if matches!(kind, None | Some(Kind::List)) && lists::looks_like_one(text) {
            items.clear();
            match lists::parse(text, &mut items) {
                true => kind = Some(Kind::List),
                false => return Kind::Text,
            }
            continue;
        }
        if kind == Some(Kind::List) {
            return Kind::Text;
        }
        let whole = text.parse::<i64>().is_ok_and(|v| v.to_string() == text);
        if whole {
            kind = kind.or(Some(Kind::Integer));
        } else if is_json_number(text) {
            kind = Some(Kind::Float);
        } else {
            return Kind::Text;
        }
    }
    kind.unwrap_or(Kind::Text)
}

fn is_json_number(text: &str) -> bool {
    text.trim().len() == text.len()
        && text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && serde_json::from_str::<f64>(text).is_ok()
}
