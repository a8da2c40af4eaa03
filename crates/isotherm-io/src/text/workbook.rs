//! One sheet of a workbook as a table: `.xlsx` and `.ods`.
//!
//! Cells become the texts a CSV file would hold: a formula is its value, a date is
//! `2024-05-31`, a date with a time `2024-05-31T12:30:00`, a cell with an error such as
//! `#DIV/0!` is blank. From there on the sheet is read as delimited text is, so that a header
//! is found the same way. Rows without any value are left out. The line that a message names is
//! the row of the sheet.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use calamine::{Data, DataRef, ExcelDateTime, Ods, Reader, Xlsx, open_workbook_from_rs};
use isotherm::monitor::Monitor;
use zip::ZipArchive;

use crate::error::{Error, Result, clean};
use crate::progress::Progress;
use crate::source::input::Input;
use crate::source::{Format, ReadOptions, open};
use crate::spelling::closest_name;
use crate::table::lines::Lines;
use crate::table::{Origin, Table};
use crate::text::csv;
use crate::text::dialect::{Decimal, Delimiter};
use crate::text::encoding::Encoding;

/// Bytes that a cell takes while its sheet is read, beside its text.
const CELL: u64 = 64;

/// Reads one sheet of a workbook: the one that the options name, or the first.
///
/// # Errors
/// [`Error::Format`] for a damaged workbook, for one that is encrypted, and for a sheet that is
/// not there, with the names of those that are; [`isotherm::Error::Memory`] and
/// [`Error::Limit`] for one that is too large once it is unpacked; [`Error::Empty`] for a sheet
/// without a cell; otherwise as [`csv::read_csv`].
pub(crate) fn read_workbook(
    path: &Path,
    format: Format,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    table_of(open(path)?, path, format, options, monitor)
}

/// As [`read_workbook`], from a file that is open already.
pub(crate) fn table_of(
    (mut file, length): (File, u64),
    path: &Path,
    format: Format,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    if length == 0 {
        return Err(Error::Empty {
            path: path.to_owned(),
        });
    }
    let mut progress = Progress::begin(monitor, "reading the sheet", None)?;
    let unpacked = check_unpacked(&mut file, length, path, options, &mut progress)?;
    let bytes = BufReader::new(file);
    let mut cells = Sheet {
        path,
        options,
        rows: BTreeMap::new(),
        bytes: unpacked,
    };
    match format {
        Format::Ods => {
            let mut book: Ods<_> = open_workbook_from_rs(bytes).map_err(|e| damaged(path, &e))?;
            let sheet = chosen(path, &book.sheet_names(), options)?;
            let range = book
                .worksheet_range(&sheet)
                .map_err(|e| damaged(path, &e))?;
            let (row, column) = range.start().unwrap_or((0, 0));
            for (r, c, data) in range.used_cells() {
                let at = |first: u32, more: usize| {
                    first.saturating_add(u32::try_from(more).unwrap_or(u32::MAX))
                };
                cells.push(at(row, r), at(column, c), owned_text(data))?;
            }
        }
        _ => {
            let mut book: Xlsx<_> = open_workbook_from_rs(bytes).map_err(|e| damaged(path, &e))?;
            let sheet = chosen(path, &book.sheet_names(), options)?;
            let mut reader = book
                .worksheet_cells_reader(&sheet)
                .map_err(|e| damaged(path, &e))?;
            while let Some(cell) = reader.next_cell().map_err(|e| damaged(path, &e))? {
                let (row, column) = cell.get_position();
                cells.push(row, column, text(cell.get_value()))?;
            }
        }
    }
    progress.end(0)?;
    cells.table(format, monitor)
}

/// The cells of a sheet that have a value, by row and column.
struct Sheet<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    rows: BTreeMap<u32, Vec<(u32, String)>>,
    /// Bytes in use.
    bytes: u64,
}

impl Sheet<'_> {
    fn push(&mut self, row: u32, column: u32, text: Option<String>) -> Result<()> {
        let Some(text) = text.filter(|t| !t.is_empty()) else {
            return Ok(());
        };
        self.grow(CELL + text.len() as u64)?;
        self.rows.entry(row).or_default().push((column, text));
        Ok(())
    }

    fn grow(&mut self, more: u64) -> Result<()> {
        self.bytes = self.bytes.saturating_add(more);
        check_memory(self.path, self.bytes, self.options)
    }

    /// The cells as delimited text, and the table that is.
    fn table(mut self, format: Format, monitor: &mut dyn Monitor) -> Result<Table> {
        let columns = || self.rows.values().flatten().map(|(column, _)| *column);
        let (Some(first), Some(last)) = (columns().min(), columns().max()) else {
            return Err(Error::Empty {
                path: self.path.to_owned(),
            });
        };
        // Blank cells between the others are a delimiter each.
        let width = u64::from(last - first) + 1;
        self.grow(width.saturating_mul(self.rows.len() as u64))?;
        let mut delimited = Vec::new();
        let mut numbers = Vec::with_capacity(self.rows.len());
        for (row, mut cells) in std::mem::take(&mut self.rows) {
            numbers.push(u64::from(row) + 1);
            cells.sort_by_key(|(column, _)| *column);
            let mut at = first;
            for (column, text) in cells {
                // A column that is given twice has one cell: the first.
                if column < at {
                    continue;
                }
                delimited.resize(delimited.len() + (column - at) as usize, b',');
                at = column;
                quote(&text, &mut delimited);
                if at < last {
                    delimited.push(b',');
                    at += 1;
                }
            }
            delimited.resize(delimited.len() + (last - at) as usize, b',');
            delimited.push(b'\n');
        }
        let mut options = self.options.clone();
        options.delimiter = Some(Delimiter::Comma);
        options.decimal = Some(Decimal::Point);
        options.encoding = Some(Encoding::UTF_8);
        let input = Input::new(Cursor::new(delimited), self.path, None, options.limits)?;
        let table = csv::read_input(input, self.path, &options, monitor)?;
        let mut origin = Origin::new(self.path, format);
        let header = numbers.len().saturating_sub(table.rows());
        let mut lines = Lines::default();
        numbers
            .iter()
            .skip(header)
            .for_each(|line| lines.push(*line));
        origin.lines = lines;
        Table::new(table.into_parts().0, origin)
    }
}

/// A cell as delimited text has it: in quotes, unless nothing in it could mean anything else.
fn quote(text: &str, out: &mut Vec<u8>) {
    let plain = |c: char| c.is_alphanumeric() || "._:+-".contains(c);
    if text.chars().all(plain) {
        out.extend(text.bytes());
        return;
    }
    out.push(b'"');
    out.extend(text.replace('"', "\"\"").into_bytes());
    out.push(b'"');
}

/// The name of the sheet to read.
fn chosen(path: &Path, names: &[String], options: &ReadOptions) -> Result<String> {
    let refuse = |problem: String, hint: String| {
        Err(Error::format_as("workbook", path, None, problem, hint))
    };
    let Some(first) = names.first() else {
        return refuse(
            "the workbook has no sheet".to_owned(),
            "save the table as .csv".to_owned(),
        );
    };
    let Some(wanted) = &options.sheet else {
        return Ok(first.clone());
    };
    if names.contains(wanted) {
        return Ok(wanted.clone());
    }
    let shown: Vec<String> = names
        .iter()
        .map(|n| format!("\"{}\"", clean(n, 60)))
        .collect();
    let hint = match closest_name(wanted, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => "name one of them".to_owned(),
    };
    refuse(
        format!(
            "there is no sheet \"{}\"; there are {}",
            clean(wanted, 60),
            shown.join(", ")
        ),
        hint,
    )
}

/// Unpacks every entry and throws the bytes away: what an archive says of its sizes need not be
/// true. Returns how many bytes there are.
fn check_unpacked(
    file: &mut File,
    length: u64,
    path: &Path,
    options: &ReadOptions,
    progress: &mut Progress<'_>,
) -> Result<u64> {
    let limit = options.limits.expanded(length);
    let mut archive = ZipArchive::new(BufReader::new(&mut *file)).map_err(|e| damaged(path, &e))?;
    let mut all = 0_u64;
    let mut buffer = vec![0; 1 << 16];
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(|e| damaged(path, &e))?;
        loop {
            let read = entry.read(&mut buffer).map_err(|e| damaged(path, &e))?;
            if read == 0 {
                break;
            }
            all = all.saturating_add(read as u64);
            check_memory(path, all, options)?;
            if all > limit {
                return Err(Error::limit(
                    path,
                    None,
                    "the decompressed size in bytes",
                    (all, limit),
                    "save the table as .csv if you trust the file",
                ));
            }
            progress.step(0)?;
        }
    }
    drop(archive);
    let start = file.seek(SeekFrom::Start(0));
    start.map_err(|e| Error::io(path, "read", e))?;
    Ok(all)
}

fn check_memory(path: &Path, needed: u64, options: &ReadOptions) -> Result<()> {
    let hint = "save the sheet as .csv, which fit --stream and predict --stream read in parts; \
                or free some memory, or raise --memory";
    options.limits.check_memory(path, needed, hint)
}

fn damaged(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::format_as(
        "workbook",
        path,
        None,
        format!(
            "the workbook cannot be read: {}",
            clean(&error.to_string(), 200)
        ),
        "open it in a spreadsheet program and save it again without a password, or save the \
         sheet as .csv",
    )
}

/// A cell's value as text; `None` for blank ones and errors.
fn text(value: &DataRef<'_>) -> Option<String> {
    match value {
        DataRef::SharedString(text) => Some((*text).to_owned()),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            Some(text.clone())
        }
        DataRef::Int(v) => Some(v.to_string()),
        DataRef::Float(v) => Some(number(*v)),
        DataRef::Bool(v) => Some(v.to_string()),
        DataRef::DateTime(v) => Some(date(*v)),
        DataRef::Error(_) | DataRef::Empty => None,
    }
}

/// As [`text`], of a value that is owned.
fn owned_text(value: &Data) -> Option<String> {
    match value {
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => {
            Some(text.clone())
        }
        Data::Int(v) => Some(v.to_string()),
        Data::Float(v) => Some(number(*v)),
        Data::Bool(v) => Some(v.to_string()),
        Data::DateTime(v) => Some(date(*v)),
        Data::Error(_) | Data::Empty => None,
    }
}

/// A number in as few digits as tell it from every other.
fn number(value: f64) -> String {
    value.to_string()
}

/// A date in ISO 8601, without the time where it is midnight; a duration in days.
fn date(value: ExcelDateTime) -> String {
    if value.is_duration() {
        return number(value.as_f64());
    }
    let (year, month, day, hour, minute, second, milli) = value.to_ymd_hms_milli();
    let time = match (hour, minute, second, milli) {
        (0, 0, 0, 0) => String::new(),
        (_, _, _, 0) => format!("T{hour:02}:{minute:02}:{second:02}"),
        _ => format!("T{hour:02}:{minute:02}:{second:02}.{milli:03}"),
    };
    // A time of day alone has no date.
    if value.as_f64() < 1.0 {
        return time.trim_start_matches('T').to_owned();
    }
    format!("{year:04}-{month:02}-{day:02}{time}")
}
