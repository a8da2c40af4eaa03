//! What several tests need.

use std::path::{Path, PathBuf};

use isotherm::monitor::Quiet;
use isotherm_io::{Cells, Column, Error, Format, Origin, ReadOptions, Result, Source, Table};
use isotherm_io::{csv::read_csv, read_table};

/// Reads CSV text that is called `data.csv`.
pub(crate) fn csv(text: impl AsRef<[u8]>) -> Result<Table> {
    csv_with(text, &ReadOptions::default())
}

pub(crate) fn csv_with(text: impl AsRef<[u8]>, options: &ReadOptions) -> Result<Table> {
    read_csv(
        text.as_ref(),
        Path::new("data.csv"),
        None,
        options,
        &mut Quiet,
    )
}

/// A directory that goes away, and paths in it.
pub(crate) struct Room(tempfile::TempDir);

impl Room {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Names of everything in the directory.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

pub(crate) fn read(path: &Path) -> Result<Table> {
    read_table(&Source::from(path), &ReadOptions::default(), &mut Quiet)
}

pub(crate) fn column(name: &str, cells: impl Into<Cells>) -> Column {
    Column {
        name: name.into(),
        cells: cells.into(),
    }
}

pub(crate) fn texts(name: &str, cells: &[Option<&str>]) -> Column {
    Column {
        name: name.into(),
        cells: cells.iter().copied().collect(),
    }
}

pub(crate) fn table(columns: Vec<Column>) -> Table {
    Table::new(columns, Origin::new("memory", Format::Csv)).unwrap()
}

/// The message, with the directory of the file left out.
pub(crate) fn message<T>(result: Result<T>) -> String {
    strip(refusal(result))
}

/// The way out.
pub(crate) fn hint<T>(result: Result<T>) -> String {
    refusal(result).hint().unwrap_or_default()
}

pub(crate) fn refusal<T>(result: Result<T>) -> Error {
    match result {
        Ok(_) => panic!("this should have been refused"),
        Err(e) => e,
    }
}

fn strip(e: Error) -> String {
    let text = e.to_string();
    match e.path().and_then(Path::parent) {
        Some(dir) if dir.is_absolute() => text.replace(&format!("{}/", dir.display()), ""),
        _ => text,
    }
}

/// All cells of a column as text.
pub(crate) fn cells(table: &Table, name: &str) -> Vec<Option<String>> {
    let column = table.column(name).unwrap();
    (0..table.rows())
        .map(|row| match &column.cells {
            Cells::Text(c) => c.get(row).map(str::to_owned),
            Cells::Float(c) => c.get(row).map(|v| format!("{v:?}")),
            Cells::Integer(c) => c.get(row).map(|v| v.to_string()),
            Cells::Bool(c) => c.get(row).map(|v| v.to_string()),
            Cells::List(c) => c.get(row).map(|v| format!("{v:?}")),
            _ => None,
        })
        .collect()
}

/// Says why a test is left out; where everything is required it fails instead.
#[track_caller]
#[allow(clippy::print_stdout)]
pub(crate) fn skip(why: &str) {
    assert!(
        std::env::var_os("ISOTHERM_REQUIRE_ALL").is_none_or(|v| v != "1"),
        "ISOTHERM_REQUIRE_ALL=1, and {why}"
    );
    println!("skipped: {why}");
}
