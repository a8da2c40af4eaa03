//! Parquet tables, in and out.
//!
//! Read: truth values, integers, floats of 16 to 64 bits, UTF-8 texts, decimals (as
//! floats), dates and times (as ISO 8601 texts), and lists of numbers in their standard
//! form and both old ones. Bytes that nothing is said of are texts where they are UTF-8.
//! Other nested columns and types are refused by name, or left out where they are not
//! wanted ([`ReadOptions::without`]).
//!
//! Before a page is decoded, the footer, the schema, every column chunk and
//! every page header are compared with the file's length and with
//! [`Limits`](crate::Limits). The decoder underneath may still panic on a
//! damaged page; that becomes an [`Error::Format`].

mod check;
mod decoder;
mod metadata;
mod thrift;
mod write;

pub(crate) use metadata::key_value;
pub(crate) use write::Sink;

use std::fs::File;
use std::path::{Path, PathBuf};

use isotherm::monitor::Monitor;
use parquet::basic::{Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::{ColumnDescriptor, Type};

use self::check::CheckedPages;
use self::decoder::{Decoder, Form, form, half, int96, type_name};
use crate::columnar::reading::Reading;
use crate::error::{Error, Place, Result, clean, leave_out};
use crate::limits::READ_IN_PARTS;
use crate::progress::Progress;
use crate::read::footprint::SMALL;
use crate::source::{Format, ReadOptions, open};
use crate::table::cells::{Cells, Nullable, TextCells};
use crate::table::finish;
use crate::table::lists::ListCells;
use crate::table::{Column, Origin, Table};

/// Rows decoded between two looks at the monitor.
const BATCH: usize = 8192;

/// Lists decoded at once.
const LISTS: usize = 1024;

/// The definition level of an entry of a list: how many of the nodes from the
/// root to the repeated one may be absent.
fn repeated_level(top: &Type) -> i16 {
    let (mut node, mut level) = (top, 0);
    loop {
        let info = node.get_basic_info();
        let repetition = info.has_repetition().then(|| info.repetition());
        level += i16::from(repetition.is_some_and(|r| r != Repetition::REQUIRED));
        let below = if node.is_group() && repetition != Some(Repetition::REPEATED) {
            node.get_fields().first()
        } else {
            None
        };
        match below {
            Some(below) => node = below,
            None => return level,
        }
    }
}

/// Reads a Parquet file; zero row groups are a table without rows.
///
/// # Errors
/// [`Error::Format`] for a damaged file and for columns that are not flat;
/// [`Error::Limit`]; [`Error::HeaderOnly`]; [`Error::Cell`] for a text that is
/// not UTF-8 or an integer beyond 63 bits; [`Error::Cancelled`].
pub fn read_parquet(
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    table_of(open(path)?, path, options, monitor)
}

/// As [`read_parquet`], from a file that is open already.
pub(crate) fn table_of(
    file: (File, u64),
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let mut file = ParquetFile::of_file(file, path, options)?;
    // Known before a value is unpacked; small tables are refused by what follows.
    let needed = file.footprint();
    if needed > SMALL {
        (options.limits).check_memory(path, needed, READ_IN_PARTS)?;
    }
    let rows = file.rows;
    let mut progress = Progress::begin(monitor, "reading the table", Some(rows))?;
    file.settle(&mut progress)?;
    let columns = file.read(rows, &mut progress)?;
    progress.end(rows)?;
    let mut origin = Origin::new(path, Format::Parquet);
    origin.unread = file.unread;
    finish(columns, origin, options)
}

/// A checked file and how far it has been read.
pub(crate) struct ParquetFile {
    path: PathBuf,
    options: ReadOptions,
    length: u64,
    reader: SerializedFileReader<File>,
    /// Rows of the file.
    rows: u64,
    /// The leaves of the schema that are columns of the table.
    columns: Vec<usize>,
    /// Columns that are not wanted and cannot be read.
    unread: Vec<String>,
    /// The leaves that are read.
    chosen: Vec<usize>,
    /// The next row group.
    group: usize,
    /// Rows left in the group that is open, and its columns.
    left: u64,
    open: Vec<ColumnReader>,
    /// Rows read.
    done: u64,
}

impl ParquetFile {
    /// Checks everything of a file but its values.
    pub(crate) fn of_file(
        (file, length): (File, u64),
        path: &Path,
        options: &ReadOptions,
    ) -> Result<Self> {
        let reading = Reading {
            path,
            options,
            length,
            format: Format::Parquet,
        };
        let (data_end, nested) = reading.check_footer(&file)?;
        let clone = file.try_clone().map_err(|e| Error::io(path, "open", e))?;
        let reader = reading.guard(|| SerializedFileReader::new(clone))?;
        let rows = reading.check_chunks(&reader, &file, data_end)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let (mut columns, mut unread) = (Vec::new(), Vec::new());
        for at in 0..schema.num_columns() {
            let (column, root) = (schema.column(at), schema.get_column_root(at));
            let unfit = || reading.decoder(&column, root).is_err();
            let name = root.name();
            let nested = nested.contains(&schema.get_column_root_idx(at));
            if !(nested || options.unwanted(name) && unfit()) {
                columns.push(at);
            } else if unread.last().is_none_or(|last| last != name) {
                unread.push(name.to_owned());
            }
        }
        Ok(Self {
            path: path.to_owned(),
            options: options.clone(),
            length,
            reader,
            rows,
            chosen: columns.clone(),
            columns,
            unread,
            group: 0,
            left: 0,
            open: Vec::new(),
            done: 0,
        })
    }

    /// The reader underneath, for what stands beside the columns.
    fn reader(&self) -> &SerializedFileReader<File> {
        &self.reader
    }

    /// Rows of the file.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes that all columns take in memory: eight a value, and texts as they are
    /// stored uncompressed, or as the writer says they are without their dictionary.
    pub(crate) fn footprint(&self) -> u64 {
        let groups = self.reader.metadata().row_groups().iter();
        let chunks = groups.flat_map(RowGroupMetaData::columns);
        chunks.fold(0_u64, |all, chunk| {
            let texts = match chunk.column_type() {
                Physical::BYTE_ARRAY => {
                    (chunk.unencoded_byte_array_data_bytes()).unwrap_or(chunk.uncompressed_size())
                }
                _ => 0,
            };
            let size = |n: i64| u64::try_from(n).unwrap_or(0);
            let values = size(chunk.num_values()).saturating_mul(8);
            all.saturating_add(values).saturating_add(size(texts))
        })
    }

    /// Columns that are not wanted and cannot be read.
    pub(crate) fn unread(&self) -> &[String] {
        &self.unread
    }

    /// Reads only these columns from here on, from the first row.
    pub(crate) fn choose(&mut self, columns: Vec<usize>) {
        let leaf = |at: &usize| self.columns.get(*at).copied();
        self.chosen = columns.iter().filter_map(leaf).collect();
        self.rewind();
    }

    /// Leaves out the columns that are not wanted and have a value that cannot be read.
    /// Cost: those that could have one are read once.
    ///
    /// # Errors
    /// As [`read_parquet`].
    pub(crate) fn settle(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        let schema = self.reader.metadata().file_metadata().schema_descr_ptr();
        for at in self.columns.clone() {
            let (column, name) = (schema.column(at), schema.get_column_root(at).name());
            let list = column.max_rep_level() > 0;
            let doubtful = match form(&column) {
                Some(Form::Bytes | Form::Decimal(_)) => true,
                Some(Form::Unsigned | Form::Signed) => {
                    let wide = column.physical_type() == Physical::INT64;
                    wide && (list || form(&column) == Some(Form::Unsigned))
                }
                _ => false,
            };
            if !doubtful || !self.options.unwanted(name) {
                continue;
            }
            self.chosen = vec![at];
            self.rewind();
            loop {
                match self.read(BATCH as u64, progress) {
                    Ok(part) if part.iter().all(|c| c.cells.is_empty()) => break,
                    Ok(_) => {}
                    Err(Error::Cell { .. }) => {
                        self.columns.retain(|leaf| *leaf != at);
                        self.unread.push(name.to_owned());
                        break;
                    }
                    Err(e) => return Err(e),
                }
            }
        }
        self.chosen = self.columns.clone();
        self.rewind();
        Ok(())
    }

    /// Back to the first row.
    pub(crate) fn rewind(&mut self) {
        (self.group, self.left, self.done) = (0, 0, 0);
        self.open.clear();
    }

    /// Up to so many of the next rows; columns without cells after the last.
    pub(crate) fn read(&mut self, most: u64, progress: &mut Progress<'_>) -> Result<Vec<Column>> {
        let reading = Reading {
            path: &self.path,
            options: &self.options,
            length: self.length,
            format: Format::Parquet,
        };
        let schema = self.reader.metadata().file_metadata().schema_descr_ptr();
        let mut decoders = Vec::new();
        for &at in &self.chosen {
            decoders.push(reading.decoder(&schema.column(at), schema.get_column_root(at))?);
        }
        let (mut taken, mut text) = (0, 0);
        while taken < most {
            if self.left == 0 {
                if self.group == self.reader.num_row_groups() {
                    break;
                }
                if self.reader.metadata().row_group(self.group).num_rows() == 0 {
                    self.group += 1;
                    continue;
                }
                let group = reading.guard(|| self.reader.get_row_group(self.group))?;
                self.open.clear();
                for &at in &self.chosen {
                    self.open.push(reading.guard(|| {
                        let pages = Box::new(CheckedPages(group.get_column_page_reader(at)?));
                        Ok::<_, ParquetError>(get_column_reader(schema.column(at), pages))
                    })?);
                }
                let rows = self.reader.metadata().row_group(self.group).num_rows();
                self.left = rows as u64;
                self.group += 1;
                continue;
            }
            let here = self.left.min(most - taken);
            for (column, decoder) in self.open.iter_mut().zip(&mut decoders) {
                reading.read_chunk(column, decoder, here, progress, self.done, &mut text)?;
            }
            self.left -= here;
            self.done += here;
            taken += here;
            progress.step(self.done)?;
        }
        let columns = decoders.into_iter().map(|d| Column {
            name: d.name,
            cells: d.cells,
        });
        Ok(columns.collect())
    }
}

impl Reading<'_> {
    /// How a column is read.
    fn decoder(&self, column: &ColumnDescriptor, top: &Type) -> Result<Decoder> {
        let name = column.path().parts().first().cloned().unwrap_or_default();
        let deepest = column.max_def_level();
        let list = match column.max_rep_level() {
            0 if deepest <= 1 && column.path().parts().len() == 1 => None,
            1 => Some((repeated_level(top), deepest)),
            _ => return Err(self.nested(&name)),
        };
        let form = form(column).ok_or_else(|| {
            Error::format_as(
                "column-type",
                self.path,
                None,
                format!(
                    "column \"{}\" has the type {}, which is not read",
                    clean(&name, 60),
                    type_name(column),
                ),
                format!("write it as numbers or as text; {}", leave_out(&name)),
            )
        })?;
        let of_numbers = matches!(
            form,
            Form::Bool | Form::Signed | Form::Unsigned | Form::Float | Form::Half
        );
        if list.is_some() && !of_numbers {
            return Err(self.nested(&name));
        }
        let cells = match form {
            _ if list.is_some() => Cells::List(ListCells::default()),
            Form::Bool => Cells::Bool(Nullable::default()),
            Form::Signed | Form::Unsigned => Cells::Integer(Nullable::default()),
            Form::Float | Form::Half | Form::Decimal(_) => Cells::Float(Nullable::default()),
            _ => Cells::Text(TextCells::default()),
        };
        Ok(Decoder {
            name,
            optional: deepest == 1,
            list,
            form,
            cells,
        })
    }

    fn read_chunk(
        &self,
        column: &mut ColumnReader,
        decoder: &mut Decoder,
        rows: u64,
        progress: &mut Progress<'_>,
        done: u64,
        text: &mut u64,
    ) -> Result<()> {
        if decoder.list.is_some() {
            macro_rules! lists {
                ($reader:expr, $number:expr) => {
                    self.read_lists($reader, decoder, (rows, done), progress, text, $number)
                };
            }
            let unsigned = decoder.form == Form::Unsigned;
            return match column {
                ColumnReader::BoolColumnReader(r) => lists!(r, |v| Some(f64::from(u8::from(*v)))),
                ColumnReader::Int32ColumnReader(r) if unsigned => {
                    lists!(r, |v| Some(f64::from(*v as u32)))
                }
                ColumnReader::Int32ColumnReader(r) => lists!(r, |v| Some(f64::from(*v))),
                ColumnReader::Int64ColumnReader(r) => lists!(r, |v| {
                    let exact = *v as f64 as i128 == i128::from(*v);
                    (exact && !(unsigned && *v < 0)).then_some(*v as f64)
                }),
                ColumnReader::FloatColumnReader(r) => lists!(r, |v| Some(f64::from(*v))),
                ColumnReader::DoubleColumnReader(r) => lists!(r, |v| Some(*v)),
                ColumnReader::FixedLenByteArrayColumnReader(r) if decoder.form == Form::Half => {
                    lists!(r, |v| half(v.data()))
                }
                _ => Err(self.damaged("a column changes its type")),
            };
        }
        macro_rules! chunk {
            ($reader:expr, $push:expr) => {
                self.read_values($reader, decoder, rows, progress, done, text, $push)
            };
        }
        match column {
            ColumnReader::BoolColumnReader(r) => chunk!(r, Decoder::push_bool),
            ColumnReader::Int32ColumnReader(r) => chunk!(r, |d: &mut Decoder, v: Option<&i32>| {
                d.push_integer(v.map(|v| match d.form {
                    Form::Unsigned => i64::from(*v as u32),
                    _ => i64::from(*v),
                }))
            }),
            ColumnReader::Int64ColumnReader(r) => chunk!(r, |d: &mut Decoder, v: Option<&i64>| {
                d.push_integer(v.copied())
            }),
            ColumnReader::Int96ColumnReader(r) => chunk!(r, |d: &mut Decoder,
                                                             v: Option<
                &parquet::data_type::Int96,
            >| {
                d.push_text(v.map(|v| int96(v.data())).as_deref())
            }),
            ColumnReader::FloatColumnReader(r) => chunk!(r, |d: &mut Decoder, v: Option<&f32>| {
                d.push_float(v.map(|v| f64::from(*v)))
            }),
            ColumnReader::DoubleColumnReader(r) => {
                chunk!(r, |d: &mut Decoder, v: Option<&f64>| d
                    .push_float(v.copied()))
            }
            ColumnReader::ByteArrayColumnReader(r) => {
                chunk!(r, |d: &mut Decoder, v: Option<&ByteArray>| d
                    .push_bytes(v.map(ByteArray::data)))
            }
            ColumnReader::FixedLenByteArrayColumnReader(r) => {
                chunk!(r, |d: &mut Decoder, v: Option<&FixedLenByteArray>| d
                    .push_bytes(v.map(|v| v.data())))
            }
        }
    }

    /// Reads lists; `number` is `None` for an entry that is no 64-bit float.
    fn read_lists<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        decoder: &mut Decoder,
        (rows, done): (u64, u64),
        progress: &mut Progress<'_>,
        text: &mut u64,
        number: impl Fn(&T::T) -> Option<f64>,
    ) -> Result<()> {
        let (Some((entry, value)), Cells::List(_)) = (decoder.list, &decoder.cells) else {
            return Err(self.damaged("a column changes its type"));
        };
        let (mut defined, mut repeated, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut items: Vec<f64> = Vec::new();
        let mut read = 0u64;
        while read < rows {
            defined.clear();
            repeated.clear();
            values.clear();
            let wanted = usize::try_from(rows - read).unwrap_or(LISTS).min(LISTS);
            let (levels, into) = ((&mut defined, &mut repeated), &mut values);
            let (records, ..) =
                self.guard(|| reader.read_records(wanted, Some(levels.0), Some(levels.1), into))?;
            if records == 0 {
                return Err(self.ends_early(decoder, read, rows));
            }
            let mut rest = values.iter();
            let mut at = 0;
            for record in 0..records as u64 {
                items.clear();
                let first = defined.get(at).copied().unwrap_or(0);
                let start = at;
                while at < defined.len() && (at == start || repeated.get(at) == Some(&1)) {
                    let level = defined[at];
                    at += 1;
                    if level < entry {
                        continue;
                    }
                    let Some(v) = (if level == value { rest.next() } else { None }) else {
                        items.push(f64::NAN);
                        continue;
                    };
                    let Some(v) = number(v) else {
                        let row = done + read + record;
                        return Err(self.bad_cell(decoder, row, "an entry of the list".into()));
                    };
                    items.push(v);
                }
                // One level below an entry, the list is there and empty.
                if let Cells::List(cells) = &mut decoder.cells {
                    if first + 1 < entry {
                        cells.push_missing();
                    } else {
                        cells.push(&items);
                    }
                }
                *text = text.saturating_add(8 * items.len() as u64);
            }
            self.check_size("the size of the texts and lists in bytes", *text)?;
            read += records as u64;
            progress.step(done + read)?;
        }
        Ok(())
    }

    fn ends_early(&self, decoder: &Decoder, read: u64, rows: u64) -> Error {
        let name = clean(&decoder.name, 60);
        self.damaged(format_args!(
            "column \"{name}\" ends after {read} of {rows} rows"
        ))
    }

    #[allow(clippy::too_many_arguments)] // one call site, behind a macro
    fn read_values<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        decoder: &mut Decoder,
        rows: u64,
        progress: &mut Progress<'_>,
        done: u64,
        text: &mut u64,
        push: impl Fn(&mut Decoder, Option<&T::T>) -> std::result::Result<u64, String>,
    ) -> Result<()> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let mut read = 0u64;
        while read < rows {
            levels.clear();
            values.clear();
            let wanted = usize::try_from(rows - read).unwrap_or(BATCH).min(BATCH);
            let (records, ..) =
                self.guard(|| reader.read_records(wanted, Some(&mut levels), None, &mut values))?;
            if records == 0 {
                return Err(self.ends_early(decoder, read, rows));
            }
            let mut rest = values.iter();
            for i in 0..records {
                let present = if decoder.optional {
                    levels.get(i) == Some(&1)
                } else {
                    true
                };
                let value = if present { rest.next() } else { None };
                match push(decoder, value) {
                    Ok(bytes) => *text = text.saturating_add(bytes),
                    Err(value) => {
                        return Err(self.bad_cell(decoder, done + read + i as u64, value));
                    }
                }
            }
            self.check_size("the size of the texts and lists in bytes", *text)?;
            read += records as u64;
            progress.step(done + read)?;
        }
        Ok(())
    }

    fn bad_cell(&self, decoder: &Decoder, row: u64, value: String) -> Error {
        Error::Cell {
            path: self.path.to_owned(),
            place: Place::Row(row + 1),
            column: clean(&decoder.name, 60),
            problem: format!("{value} cannot be used").into(),
            value,
            hint: format!(
                "integers must fit 63 bits, texts must be at most 4 GiB of UTF-8; {}",
                leave_out(&decoder.name)
            )
            .into(),
        }
    }
}
