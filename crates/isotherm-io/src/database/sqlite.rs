//! One table of an SQLite database.
//!
//! The file is opened to be read, as a file that nobody changes: no lock is taken and nothing is
//! written beside it. SQLite has a type a value, not a column: a column of whole numbers, or of
//! numbers, is one; any other is texts, its numbers in as few digits as tell them apart. NULL is a
//! cell without a value.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use isotherm::monitor::Monitor;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use super::unusable;
use crate::error::{Error, Place, Result, clean, shown};
use crate::progress::Progress;
use crate::source::{Format, NoRows, ReadOptions, open};
use crate::spelling::closest_name;
use crate::table::cells::{Cells, Nullable, TextCells};
use crate::table::{Column, Origin, Table};

/// Bytes of a number, or of where a text ends.
const CELL: u64 = 8;

/// Whole numbers up to here are exact as floats.
const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// What to do with a table that does not fit into memory.
const SAVE_AS_CSV: &str = "save the table as .csv, which fit --stream and predict --stream read \
     in parts; or free some memory, or raise --memory";

/// Reads one table of a database: the one that the options name, or the only one.
///
/// # Errors
/// [`Error::Format`] of the code `database` for a damaged file, for one that a program is writing
/// to, and for a table that is not there, with the names of those that are; [`Error::Cell`] for a
/// value that is no number and no text; [`isotherm::Error::Memory`]; [`Error::HeaderOnly`].
pub(crate) fn read_sqlite(
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let (_, length) = open(path)?;
    if length == 0 {
        return Err(Error::Empty {
            path: path.to_owned(),
        });
    }
    check_settled(path)?;
    read_file(path, path, options, monitor)
}

/// As [`read_sqlite`], from a stream that was spooled.
pub(crate) fn table_of(
    (mut file, _): (File, u64),
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    // SQLite opens files by their names.
    let failed = |e| Error::io(path, "read", e);
    let mut named = tempfile::NamedTempFile::new().map_err(failed)?;
    std::io::copy(&mut file, &mut named).map_err(failed)?;
    read_file(named.path(), path, options, monitor)
}

/// Reads the file `at`, which messages call `path`.
fn read_file(
    at: &Path,
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    check_length(at, path)?;
    let refuse = |e: rusqlite::Error| damaged(path, &e);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(address(at, path)?, flags).map_err(refuse)?;
    // What a file says of itself is not trusted: no functions from its schema, checked pages,
    // and no cell longer than a record may be.
    let careful =
        "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON";
    database.execute_batch(careful).map_err(refuse)?;
    let longest = i32::try_from(options.limits.record).unwrap_or(i32::MAX);
    (database.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest)).map_err(refuse)?;
    let name = chosen(&database, path, options)?;
    check_pages(&database, &name, path)?;
    let mut rows = Rows {
        path,
        options,
        columns: Vec::new(),
        bytes: 0,
    };
    let mut progress = Progress::begin(monitor, "reading the table", None)?;
    let select = format!("SELECT * FROM \"{}\"", name.replace('"', "\"\""));
    let mut select = database.prepare(&select).map_err(refuse)?;
    let names = select.column_names().map(str::to_owned);
    rows.columns = names.map(Values::named).collect();
    if rows.columns.len() > options.limits.columns {
        return Err(Error::limit(
            path,
            None,
            "the number of columns",
            (rows.columns.len() as u64, options.limits.columns as u64),
            "save the columns that are needed as .csv",
        ));
    }
    let mut found = select.query([]).map_err(refuse)?;
    let mut count = 0;
    while let Some(row) = found.next().map_err(refuse)? {
        count += 1;
        for at in 0..rows.columns.len() {
            rows.push(at, row.get_ref(at).map_err(refuse)?, count)?;
        }
        progress.step(count)?;
    }
    progress.end(count)?;
    rows.table(count)
}

/// Refuses a database with changes that are not in the file yet: read as it is, it would be an
/// older table, or none.
fn check_settled(path: &Path) -> Result<()> {
    for ending in ["-wal", "-journal"] {
        let mut name: OsString = path.as_os_str().to_owned();
        name.push(ending);
        let beside = PathBuf::from(name);
        if std::fs::metadata(&beside).is_ok_and(|about| about.len() > 0) {
            return Err(unusable(
                path,
                format!(
                    "the database has changes in {} that are not in the file yet",
                    shown(&beside)
                ),
                "close the program that writes to it; if one was killed, open the database once \
                 with the program sqlite3",
            ));
        }
    }
    Ok(())
}

/// Refuses a file that is shorter than its header says: SQLite reads zeros where there is nothing.
fn check_length(at: &Path, path: &Path) -> Result<()> {
    let (file, length) = open(at)?;
    let mut header = Vec::new();
    let read = file.take(100).read_to_end(&mut header);
    read.map_err(|e| Error::io(path, "read", e))?;
    let number = |at: usize| {
        let bytes = header.get(at..at + 4)?;
        Some(bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)))
    };
    let page = header
        .get(16..18)
        .map(|b| u64::from(b[0]) << 8 | u64::from(b[1]));
    // A page size of 65,536 is written as 1. The number of pages holds where two counters agree.
    let page = page.map(|page| if page == 1 { 1 << 16 } else { page });
    let agreed = number(24) == number(92);
    match (page, number(28)) {
        (Some(page), Some(pages)) if agreed && length < page.saturating_mul(pages) => {
            Err(unusable(
                path,
                format!(
                    "the database is cut short: it has {length} bytes, and its header says {}",
                    page.saturating_mul(pages)
                ),
                "copy the file again",
            ))
        }
        _ => Ok(()),
    }
}

/// Refuses a table whose pages are damaged, before any of it is believed.
fn check_pages(database: &Connection, name: &str, path: &Path) -> Result<()> {
    let refuse = |e: rusqlite::Error| damaged(path, &e);
    let kind = "SELECT type FROM sqlite_schema WHERE name = ?1";
    let kind: String = database
        .query_row(kind, [name], |row| row.get(0))
        .map_err(refuse)?;
    if kind != "table" {
        return Ok(());
    }
    let check = format!("PRAGMA quick_check(\"{}\")", name.replace('"', "\"\""));
    let found: String = database
        .query_row(&check, [], |row| row.get(0))
        .map_err(refuse)?;
    match found.as_str() {
        "ok" => Ok(()),
        problem => Err(unusable(
            path,
            format!("the database is damaged: {}", clean(problem, 200)),
            "copy the file again, or recover it with the program sqlite3 (.recover)",
        )),
    }
}

/// The address that SQLite opens: read-only, and no other program changes the file.
fn address(at: &Path, path: &Path) -> Result<String> {
    let whole = std::path::absolute(at).map_err(|e| Error::io(path, "open", e))?;
    let Some(text) = whole.to_str() else {
        return Err(unusable(
            path,
            "the name of the file is not UTF-8, which SQLite needs",
            "rename the file",
        ));
    };
    let mut address = String::from("file:");
    for byte in text.bytes() {
        match byte {
            b'/' | b'.' | b'_' | b'-' | b'~' => address.push(char::from(byte)),
            b if b.is_ascii_alphanumeric() => address.push(char::from(b)),
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    Ok(address + "?mode=ro&immutable=1")
}

/// The name of the table to read.
fn chosen(database: &Connection, path: &Path, options: &ReadOptions) -> Result<String> {
    let refuse = |e: rusqlite::Error| damaged(path, &e);
    let list = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') \
                AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    let mut list = database.prepare(list).map_err(refuse)?;
    let names = list.query_map([], |row| row.get(0)).map_err(refuse)?;
    let names: Vec<String> = names.collect::<rusqlite::Result<_>>().map_err(refuse)?;
    let quoted = |name: &String| format!("\"{}\"", clean(name, 60));
    let shown: Vec<String> = names.iter().map(quoted).collect();
    let shown = shown.join(", ");
    match (&options.sheet, &names[..]) {
        (_, []) => Err(unusable(
            path,
            "the database has no table",
            "save the rows as a table of it, or as .csv",
        )),
        (None, [one]) => Ok(one.clone()),
        (None, _) => Err(unusable(
            path,
            format!("the database has several tables: {shown}"),
            "choose one of them with --table",
        )),
        // SQLite does not tell capital letters apart.
        (Some(wanted), _) => match names.iter().find(|n| n.eq_ignore_ascii_case(wanted)) {
            Some(found) => Ok(found.clone()),
            None => Err(unusable(
                path,
                format!(
                    "there is no table \"{}\"; there are {shown}",
                    clean(wanted, 60)
                ),
                match closest_name(wanted, names.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => "name one of them".to_owned(),
                },
            )),
        },
    }
}

fn damaged(path: &Path, error: &rusqlite::Error) -> Error {
    unusable(
        path,
        format!(
            "the database cannot be read: {}",
            clean(&error.to_string(), 200)
        ),
        "check it with the program sqlite3 (PRAGMA integrity_check), or save the table as .csv",
    )
}

/// The values of a column, as narrow as they were so far.
enum Narrow {
    /// So many without a value.
    Blank(usize),
    Integers(Vec<Option<i64>>),
    Floats(Vec<Option<f64>>),
    Texts(TextCells),
}

/// A column while it is read.
struct Values {
    name: String,
    cells: Narrow,
}

impl Values {
    fn named(name: String) -> Self {
        Self {
            name,
            cells: Narrow::Blank(0),
        }
    }

    fn push_missing(&mut self) {
        match &mut self.cells {
            Narrow::Blank(n) => *n += 1,
            Narrow::Integers(v) => v.push(None),
            Narrow::Floats(v) => v.push(None),
            Narrow::Texts(c) => c.push_missing(),
        }
    }

    fn push_integer(&mut self, value: i64) -> bool {
        if let Narrow::Blank(n) = self.cells {
            self.cells = Narrow::Integers(vec![None; n]);
        }
        match &mut self.cells {
            Narrow::Integers(v) => v.push(Some(value)),
            Narrow::Floats(v) if value.unsigned_abs() <= EXACT => v.push(Some(value as f64)),
            _ => return self.push_text(&value.to_string()),
        }
        true
    }

    fn push_float(&mut self, value: f64) -> bool {
        let exact = |v: &Option<i64>| v.is_none_or(|v| v.unsigned_abs() <= EXACT);
        match &self.cells {
            Narrow::Blank(n) => self.cells = Narrow::Floats(vec![None; *n]),
            Narrow::Integers(v) if v.iter().all(exact) => {
                let floats = v.iter().map(|v| v.map(|v| v as f64)).collect();
                self.cells = Narrow::Floats(floats);
            }
            _ => {}
        }
        match &mut self.cells {
            Narrow::Floats(v) => v.push(Some(value)),
            _ => return self.push_text(&value.to_string()),
        }
        true
    }

    /// `false` when there is no room for so much text.
    fn push_text(&mut self, text: &str) -> bool {
        let widened: Option<Vec<Option<String>>> = match &self.cells {
            Narrow::Blank(n) => Some(vec![None; *n]),
            Narrow::Integers(v) => Some(v.iter().map(|v| v.map(|v| v.to_string())).collect()),
            Narrow::Floats(v) => Some(v.iter().map(|v| v.map(|v| v.to_string())).collect()),
            Narrow::Texts(_) => None,
        };
        if let Some(before) = widened {
            self.cells = Narrow::Texts(before.iter().map(Option::as_deref).collect());
        }
        match &mut self.cells {
            Narrow::Texts(c) => c.push(text),
            _ => false,
        }
    }

    fn column(self) -> Column {
        let cells = match self.cells {
            Narrow::Blank(n) => vec![None::<&str>; n].into_iter().collect(),
            Narrow::Integers(v) => v.into_iter().collect::<Nullable<i64>>().into(),
            Narrow::Floats(v) => v.into_iter().collect::<Nullable<f64>>().into(),
            Narrow::Texts(c) => Cells::Text(c),
        };
        Column {
            name: self.name,
            cells,
        }
    }
}

/// A table while it is read.
struct Rows<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    columns: Vec<Values>,
    /// Bytes in use.
    bytes: u64,
}

impl Rows<'_> {
    /// Adds a value to a column; rows count from 1.
    fn push(&mut self, at: usize, value: ValueRef<'_>, row: u64) -> Result<()> {
        let text = match value {
            ValueRef::Text(bytes) => bytes.len() as u64,
            _ => 0,
        };
        self.bytes = self.bytes.saturating_add(CELL + text);
        (self.options.limits).check_memory(self.path, self.bytes, SAVE_AS_CSV)?;
        let column = &mut self.columns[at];
        if self.options.unwanted(&column.name) && matches!(value, ValueRef::Blob(_)) {
            column.push_missing();
            return Ok(());
        }
        let there_is_room = match value {
            ValueRef::Null => {
                column.push_missing();
                true
            }
            ValueRef::Integer(value) => column.push_integer(value),
            ValueRef::Real(value) => column.push_float(value),
            ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => column.push_text(text),
                Err(_) => {
                    return Err(self.bad_value(at, row, "the text is not UTF-8", "correct it"));
                }
            },
            ValueRef::Blob(bytes) => {
                let what = format!("{} bytes (a BLOB) are no number and no text", bytes.len());
                return Err(self.bad_value(at, row, &what, "leave the column out"));
            }
        };
        if there_is_room {
            return Ok(());
        }
        Err(Error::limit(
            self.path,
            Some(Place::Row(row)),
            format!(
                "the text of column \"{}\" in bytes",
                clean(&column.name, 60)
            ),
            (self.bytes, u64::from(u32::MAX)),
            "leave the column out, or save the table in parts",
        ))
    }

    fn bad_value(&self, at: usize, row: u64, problem: &str, hint: &str) -> Error {
        Error::Cell {
            path: self.path.to_owned(),
            place: Place::Row(row),
            column: clean(&self.columns[at].name, 60),
            value: String::new(),
            problem: problem.into(),
            hint: hint.into(),
        }
    }

    fn table(self, rows: u64) -> Result<Table> {
        if rows == 0 && self.options.no_rows == NoRows::Refuse {
            return Err(Error::HeaderOnly {
                path: self.path.to_owned(),
                columns: self.columns.len(),
            });
        }
        let columns = self.columns.into_iter().map(Values::column).collect();
        Table::new(columns, Origin::new(self.path, Format::Sqlite))
    }
}
