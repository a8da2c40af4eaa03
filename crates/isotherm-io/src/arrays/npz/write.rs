//! Tables out: one array a column.
//!
//! Arrays have no missing cells: a missing float is NaN, a missing text is
//! blank, and integers and truth values of which some are missing become floats.
//! Lists of one length become an array with two axes.

use std::io::Write;
use std::path::Path;

use npyz::{DType, Serialize, TypeStr, WriteOptions, WriterBuilder};
use zip::write::{SimpleFileOptions, ZipWriter};

use super::MOST_ENTRIES;
use crate::error::{Error, Result, clean};
use crate::progress::Progress;
use crate::table::cells::Cells;
use crate::table::lists;
use crate::table::{Column, Table};
use crate::write::column_type::ColumnType;

/// Longest text that our reader takes from an array, in characters.
const LONGEST_TEXT: usize = 1 << 18;
/// Bytes of an array of texts: every text takes as much room as the longest.
const LARGEST_TEXTS: u64 = 4 << 30;
/// From here on, an entry of an archive needs 64-bit sizes.
const LARGE: u64 = 0xF000_0000;

/// Writes a table, compressed.
pub(crate) fn write_npz(
    table: &Table,
    types: &[ColumnType],
    out: &mut (dyn Write + Send),
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<()> {
    let width = table.columns().len();
    if width > MOST_ENTRIES {
        return Err(Error::limit(
            path,
            None,
            "the number of columns",
            (width as u64, MOST_ENTRIES as u64),
            "write the table as .parquet",
        ));
    }
    let mut archive = Archive {
        zip: ZipWriter::new_stream(out),
        path,
        rows: table.rows(),
    };
    for (column, of) in table.columns().iter().zip(types) {
        archive.column(column, *of, progress)?;
    }
    let closed = archive.zip.finish().map(|_| ());
    closed.map_err(|e| Error::io(path, "write", e.into()))
}

struct Archive<'a, W: Write> {
    zip: ZipWriter<zip::write::StreamWriter<W>>,
    path: &'a Path,
    rows: usize,
}

impl<W: Write> Archive<'_, W> {
    fn column(
        &mut self,
        column: &Column,
        of: ColumnType,
        progress: &mut Progress<'_>,
    ) -> Result<()> {
        let name = &column.name;
        let all = 0..self.rows;
        // Numbers that came as text are numbers here.
        let number = |text: Option<&str>| text.and_then(|t| t.trim().parse::<f64>().ok());
        let nan = |v: Option<f64>| v.unwrap_or(f64::NAN);
        match (&column.cells, of) {
            (Cells::Float(c), _) => self.values(name, "<f8", all.map(|r| nan(c.get(r))), progress),
            (Cells::Text(c), ColumnType::Float) => {
                self.values(name, "<f8", all.map(|r| nan(number(c.get(r)))), progress)
            }
            (Cells::Integer(c), _) if !c.has_missing() => {
                self.values(name, "<i8", c.values().iter().copied(), progress)
            }
            (Cells::Bool(c), _) if !c.has_missing() => {
                self.values(name, "|b1", c.values().iter().copied(), progress)
            }
            (Cells::Bool(c), _) => {
                let value = |r: usize| c.get(r).map(|v| f64::from(u8::from(v)));
                self.values(name, "<f8", all.map(|r| nan(value(r))), progress)
            }
            (Cells::Integer(c), _) => self.integers(column, |r| c.get(r), progress),
            (Cells::Text(c), ColumnType::Integer) => {
                let value = |r: usize| c.get(r).and_then(|t| t.trim().parse::<i64>().ok());
                if all.clone().all(|r| value(r).is_some()) {
                    self.values(name, "<i8", all.filter_map(value), progress)
                } else {
                    self.integers(column, value, progress)
                }
            }
            (Cells::Text(c), ColumnType::List) => {
                let list = |r: usize, into: &mut Vec<f64>| {
                    c.get(r).is_some_and(|text| lists::parse(text, into))
                };
                self.lists(column, list, progress)
            }
            (Cells::List(c), _) => {
                let list = |r: usize, into: &mut Vec<f64>| match c.get(r) {
                    Some(items) => {
                        into.extend_from_slice(items);
                        true
                    }
                    None => false,
                };
                self.lists(column, list, progress)
            }
            (Cells::Text(c), ColumnType::Text | ColumnType::Bool) => {
                let text = |r: usize| c.get(r).unwrap_or_default();
                let longest = all.clone().map(|r| text(r).chars().count()).max();
                let longest = longest.unwrap_or(0).max(1);
                let size = (longest as u64 * 4).saturating_mul(self.rows as u64);
                if longest > LONGEST_TEXT || size > LARGEST_TEXTS {
                    return Err(self.refuse(
                        column,
                        &format!("has a text of {longest} characters, and in an array every text takes as much room"),
                    ));
                }
                let texts = all.map(|r| text(r).to_owned());
                self.values(name, &format!("<U{longest}"), texts, progress)
            }
        }
    }

    /// Integers of which some are missing: floats, where none changes by it.
    fn integers(
        &mut self,
        column: &Column,
        value: impl Fn(usize) -> Option<i64>,
        progress: &mut Progress<'_>,
    ) -> Result<()> {
        let inexact = |v: &i64| *v as f64 as i128 != i128::from(*v);
        if let Some(large) = (0..self.rows).filter_map(&value).find(inexact) {
            let problem = format!(
                "has missing cells and the integer {large}, and arrays hold one or the other"
            );
            return Err(self.refuse(column, &problem));
        }
        let float = |r: usize| value(r).map_or(f64::NAN, |v| v as f64);
        let rows = 0..self.rows;
        self.values(&column.name, "<f8", rows.map(float), progress)
    }

    /// Lists of one length; a missing one is NaN throughout.
    fn lists(
        &mut self,
        column: &Column,
        list: impl Fn(usize, &mut Vec<f64>) -> bool,
        progress: &mut Progress<'_>,
    ) -> Result<()> {
        let (mut values, mut width) = (Vec::new(), None);
        let mut pending = 0;
        for row in 0..self.rows {
            let before = values.len();
            if !list(row, &mut values) {
                match width {
                    Some(width) => values.resize(before + width, f64::NAN),
                    None => pending += 1,
                }
                continue;
            }
            let length = values.len() - before;
            let expected = *width.get_or_insert(length);
            if length != expected {
                let problem = format!(
                    "has lists of {expected} and of {length} numbers, and arrays have one width"
                );
                return Err(self.refuse(column, &problem));
            }
        }
        let width = width.unwrap_or(0);
        let mut all = vec![f64::NAN; pending * width];
        all.append(&mut values);
        let shape = [self.rows as u64, width as u64];
        self.array(&column.name, "<f8", &shape, all.into_iter(), progress)
    }

    fn values<T: Serialize>(
        &mut self,
        name: &str,
        descr: &str,
        values: impl Iterator<Item = T>,
        progress: &mut Progress<'_>,
    ) -> Result<()> {
        let shape = [self.rows as u64];
        self.array(name, descr, &shape, values, progress)
    }

    fn array<T: Serialize>(
        &mut self,
        name: &str,
        descr: &str,
        shape: &[u64],
        values: impl Iterator<Item = T>,
        progress: &mut Progress<'_>,
    ) -> Result<()> {
        let path = self.path;
        let io = |e: std::io::Error| Error::io(path, "write", e);
        let descr: TypeStr = descr.parse().map_err(|e| io(std::io::Error::other(e)))?;
        let each = descr.num_bytes().unwrap_or(8) as u64;
        let size = shape.iter().product::<u64>().saturating_mul(each);
        let options = SimpleFileOptions::default().large_file(size >= LARGE);
        let entry = self.zip.start_file(format!("{name}.npy"), options);
        entry.map_err(|e| io(e.into()))?;
        let out = std::io::BufWriter::with_capacity(1 << 16, &mut self.zip);
        let mut writer = WriteOptions::<T>::new()
            .dtype(DType::new_scalar(descr))
            .shape(shape)
            .writer(out)
            .begin_nd()
            .map_err(io)?;
        for (at, value) in values.enumerate() {
            writer.push(&value).map_err(io)?;
            if at % 4096 == 0 {
                progress.step(at as u64)?;
            }
        }
        writer.finish().map_err(io)
    }

    fn refuse(&self, column: &Column, problem: &str) -> Error {
        let name = clean(&column.name, 60);
        Error::format(
            self.path,
            None,
            format!("column \"{name}\" {problem}"),
            "write the table as .parquet or .arrow",
        )
    }
}
