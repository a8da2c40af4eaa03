//! Parquet tables, in and out: flat columns only.
//!
//! Read: truth values, integers, floats, UTF-8 texts, decimals stored as
//! integers (as floats), dates and times (as ISO 8601 texts). Nested columns
//! and raw bytes are refused by name.
//!
//! Before a page is decoded, the footer, the schema, every column chunk and
//! every page header are compared with the file's length and with
//! [`Limits`](crate::Limits). The decoder underneath may still panic on a
//! damaged page; that becomes an [`Error::Format`].

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use isotherm::monitor::Monitor;
use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::basic::{ConvertedType, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnDescriptor, Type};

use crate::cells::{Cells, Nullable, TextCells};
use crate::error::{Error, Place, Result, clean};
use crate::npy::finish;
use crate::progress::Progress;
use crate::source::{Format, ReadOptions, open};
use crate::table::{Column, Origin, Table};
use crate::thrift;
use crate::write::{Kind, kind};

/// Longest footer, in bytes.
const LONGEST_FOOTER: u64 = 64 << 20;
/// Longest page header, in bytes; statistics make them long.
const LONGEST_PAGE_HEADER: u64 = 1 << 20;
/// Bytes that any page may take, whatever its compressed size.
const PAGE_FLOOR: u64 = 64 << 20;
/// Rows decoded between two looks at the monitor.
const BATCH: usize = 8192;
/// Rows per group when writing.
const GROUP: usize = 1 << 17;

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
    let (file, length) = open(path)?;
    let reading = Reading {
        path,
        options,
        length,
    };
    let data_end = reading.check_footer(&file)?;
    let clone = file.try_clone().map_err(|e| Error::io(path, "open", e))?;
    let reader = reading.guard(|| SerializedFileReader::new(clone))?;
    let rows = reading.check_chunks(&reader, &file, data_end)?;
    let mut progress = Progress::begin(monitor, "reading the table", Some(rows))?;
    reading.read_columns(&reader, &mut progress, rows)
}

struct Reading<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    length: u64,
}

impl Reading<'_> {
    fn damaged(&self, how: impl std::fmt::Display) -> Error {
        Error::format(
            self.path,
            None,
            format!("the Parquet file is damaged: {how}"),
            "copy the file again, or write it again",
        )
    }

    /// Runs the decoder; its errors and its panics become ours.
    fn guard<T>(&self, decode: impl FnOnce() -> std::result::Result<T, ParquetError>) -> Result<T> {
        match catch_unwind(AssertUnwindSafe(decode)) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(ParquetError::NYI(what))) => Err(Error::format(
                self.path,
                None,
                clean(&what, 200),
                "write the file again without it, for instance with pyarrow's defaults",
            )),
            Ok(Err(e)) => Err(self.damaged(clean(&e.to_string(), 200))),
            Err(_) => Err(self.damaged("the decoder gave up")),
        }
    }

    /// Magic, footer length, schema. Returns where the data end.
    fn check_footer(&self, mut file: &File) -> Result<u64> {
        let io = |e| Error::io(self.path, "read", e);
        let not = |how: &str| {
            Error::format(
                self.path,
                None,
                how,
                "give a file that ends in PAR1, or pass --format",
            )
        };
        if self.length == 0 {
            return Err(Error::Empty {
                path: self.path.to_owned(),
            });
        }
        if self.length < 12 {
            return Err(not("the file is not Parquet: it is too short"));
        }
        let mut tail = [0; 8];
        let mut head = [0; 4];
        file.read_exact(&mut head).map_err(io)?;
        file.seek(SeekFrom::End(-8)).map_err(io)?;
        file.read_exact(&mut tail).map_err(io)?;
        if head == *b"PARE" || tail[4..] == *b"PARE" {
            return Err(not("the file is encrypted Parquet, which is not read"));
        }
        if head != *b"PAR1" {
            return Err(not("the file is not Parquet: it does not begin with PAR1"));
        }
        if tail[4..] != *b"PAR1" {
            return Err(self.damaged("it does not end with PAR1, so it was cut short"));
        }
        let footer = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
        if footer > self.length - 12 {
            return Err(self.damaged(format_args!(
                "its footer is {footer} bytes, the file {}",
                self.length
            )));
        }
        if footer > LONGEST_FOOTER {
            return Err(Error::limit(
                self.path,
                None,
                "the length of the footer in bytes",
                (footer, LONGEST_FOOTER),
                "write the file with fewer row groups",
            ));
        }
        let start = self.length - 8 - footer;
        file.seek(SeekFrom::Start(start)).map_err(io)?;
        let mut bytes = vec![0; footer as usize];
        file.read_exact(&mut bytes).map_err(io)?;
        self.check_schema(&bytes)?;
        Ok(start)
    }

    /// Flat, and not too wide.
    fn check_schema(&self, footer: &[u8]) -> Result<()> {
        let Some(entries) = thrift::schema(footer) else {
            return Err(self.damaged("its footer does not parse"));
        };
        let columns = entries.get(1..).unwrap_or_default();
        if columns.is_empty() {
            return Err(self.damaged("it has no columns"));
        }
        if let Some(nested) = columns.iter().find(|c| c.children > 0) {
            return Err(self.nested(&nested.name));
        }
        if columns.len() > self.options.limits.columns {
            return Err(Error::limit(
                self.path,
                None,
                "the number of columns",
                (columns.len() as u64, self.options.limits.columns as u64),
                "keep the columns you need",
            ));
        }
        Ok(())
    }

    fn nested(&self, name: &str) -> Error {
        let name = clean(name, 60);
        Error::format(
            self.path,
            None,
            format!("column \"{name}\" is nested (a list, a map or a struct)"),
            format!("write each part of \"{name}\" as a column of its own, or drop it"),
        )
    }

    /// Every column chunk and every page lies in the file and stays within the
    /// limits. Returns the number of rows.
    fn check_chunks(
        &self,
        reader: &SerializedFileReader<File>,
        file: &File,
        data_end: u64,
    ) -> Result<u64> {
        let metadata = reader.metadata();
        let width = metadata.file_metadata().schema_descr().num_columns();
        let limit = self.options.limits.expanded(self.length);
        let (mut rows, mut expanded) = (0u64, 0u64);
        for group in metadata.row_groups() {
            let here = u64::try_from(group.num_rows())
                .map_err(|_| self.damaged("a row group has a negative number of rows"))?;
            rows = rows.saturating_add(here);
            if group.num_columns() != width {
                return Err(self.damaged("a row group lacks columns"));
            }
            for chunk in group.columns() {
                if chunk.file_path().is_some_and(|p| !p.is_empty()) {
                    return Err(Error::format(
                        self.path,
                        None,
                        "the Parquet file refers to another file",
                        "write the table as one file",
                    ));
                }
                let data = u64::try_from(chunk.data_page_offset());
                let first = match chunk.dictionary_page_offset() {
                    Some(offset) => u64::try_from(offset).and_then(|o| data.map(|d| o.min(d))),
                    None => data,
                };
                let size = u64::try_from(chunk.compressed_size());
                let (Ok(start), Ok(size)) = (first, size) else {
                    return Err(self.damaged("a column has a negative offset"));
                };
                match start.checked_add(size) {
                    Some(end) if start >= 4 && end <= data_end => {
                        expanded = expanded.saturating_add(self.check_pages(file, start, end)?);
                    }
                    _ => return Err(self.damaged("a column lies outside the file")),
                }
            }
        }
        let table = rows.saturating_mul(width as u64).saturating_mul(8);
        for (what, got) in [
            ("the decompressed size in bytes", expanded),
            ("the size of the table in bytes", table),
        ] {
            if got > limit {
                return Err(Error::limit(
                    self.path,
                    None,
                    what,
                    (got, limit),
                    "raise the limit if you trust the file, or split it",
                ));
            }
        }
        Ok(rows)
    }

    /// Walks the page headers from `at` to `end`; returns the sum of the
    /// pages' sizes once decompressed.
    fn check_pages(&self, mut file: &File, mut at: u64, end: u64) -> Result<u64> {
        let io = |e| Error::io(self.path, "read", e);
        let mut buffer = Vec::new();
        let mut expanded = 0u64;
        while at < end {
            let mut page = None;
            for window in [512, LONGEST_PAGE_HEADER] {
                buffer.clear();
                file.seek(SeekFrom::Start(at)).map_err(io)?;
                let window = window.min(end - at);
                file.take(window).read_to_end(&mut buffer).map_err(io)?;
                page = thrift::page_header(&buffer);
                if page.is_some() || window == end - at {
                    break;
                }
            }
            let Some(page) = page else {
                return Err(self.damaged("a page header does not parse"));
            };
            let sizes = (
                u64::try_from(page.compressed),
                u64::try_from(page.uncompressed),
                u64::try_from(page.values),
            );
            let (Ok(compressed), Ok(uncompressed), Ok(values)) = sizes else {
                return Err(self.damaged("a page has a negative size"));
            };
            let ratio = self.options.limits.ratio;
            let most = compressed.saturating_mul(ratio).saturating_add(PAGE_FLOOR);
            if uncompressed > most.min(self.options.limits.expanded(self.length)) {
                return Err(Error::limit(
                    self.path,
                    None,
                    "the decompressed size of a page in bytes",
                    (uncompressed, most),
                    "raise the limit if you trust the file, or write smaller pages",
                ));
            }
            // The decoder reserves room for all entries of a dictionary; each
            // takes at least four bytes of the page.
            if page.kind == 2 && values > uncompressed / 4 {
                return Err(self.damaged("a dictionary has more entries than bytes"));
            }
            expanded = expanded.saturating_add(uncompressed);
            at = at.saturating_add(page.length).saturating_add(compressed);
        }
        match at == end {
            true => Ok(expanded),
            false => Err(self.damaged("a page reaches beyond its column")),
        }
    }

    fn read_columns(
        &self,
        reader: &SerializedFileReader<File>,
        progress: &mut Progress<'_>,
        rows: u64,
    ) -> Result<Table> {
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let mut decoders = Vec::new();
        for at in 0..schema.num_columns() {
            decoders.push(self.decoder(&schema.column(at))?);
        }
        let mut text = 0u64;
        let mut done = 0u64;
        for g in 0..reader.num_row_groups() {
            let here = reader.metadata().row_group(g).num_rows();
            let group = self.guard(|| reader.get_row_group(g))?;
            for (at, decoder) in decoders.iter_mut().enumerate() {
                let column = self.guard(|| {
                    let pages = Box::new(CheckedPages(group.get_column_page_reader(at)?));
                    Ok(get_column_reader(schema.column(at), pages))
                })?;
                self.read_chunk(column, decoder, here as u64, progress, done, &mut text)?;
            }
            done += here as u64;
            progress.step(done)?;
        }
        progress.end(rows)?;
        let columns = decoders.into_iter().map(|d| Column {
            name: d.name,
            cells: d.cells,
        });
        finish(
            columns.collect(),
            Origin::new(self.path, Format::Parquet),
            self.options,
        )
    }

    /// How a column is read.
    fn decoder(&self, column: &ColumnDescriptor) -> Result<Decoder> {
        let name = column.name().to_owned();
        if column.max_rep_level() > 0 || column.max_def_level() > 1 {
            return Err(self.nested(&name));
        }
        let form = form(column).ok_or_else(|| {
            let logical = match column.logical_type_ref() {
                Some(logical) => format!(" ({logical:?})"),
                None => String::new(),
            };
            Error::format(
                self.path,
                None,
                format!(
                    "column \"{}\" has the type {}{logical}, which is not read",
                    clean(&name, 60),
                    column.physical_type(),
                ),
                "write it as numbers or as text, or drop it",
            )
        })?;
        let cells = match form {
            Form::Bool => Cells::Bool(Nullable::default()),
            Form::Signed | Form::Unsigned => Cells::Integer(Nullable::default()),
            Form::Float | Form::Decimal(_) => Cells::Float(Nullable::default()),
            _ => Cells::Text(TextCells::default()),
        };
        Ok(Decoder {
            name,
            optional: column.max_def_level() == 1,
            form,
            cells,
        })
    }

    fn read_chunk(
        &self,
        column: ColumnReader,
        decoder: &mut Decoder,
        rows: u64,
        progress: &mut Progress<'_>,
        done: u64,
        text: &mut u64,
    ) -> Result<()> {
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
            ColumnReader::ByteArrayColumnReader(r) => chunk!(r, Decoder::push_bytes),
            ColumnReader::FixedLenByteArrayColumnReader(_) => {
                Err(self.damaged("a column changes its type"))
            }
        }
    }

    #[allow(clippy::too_many_arguments)] // one call site, behind a macro
    fn read_values<T: DataType>(
        &self,
        mut reader: ColumnReaderImpl<T>,
        decoder: &mut Decoder,
        rows: u64,
        progress: &mut Progress<'_>,
        done: u64,
        text: &mut u64,
        push: impl Fn(&mut Decoder, Option<&T::T>) -> std::result::Result<u64, String>,
    ) -> Result<()> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let limit = self.options.limits.expanded(self.length);
        let mut read = 0u64;
        while read < rows {
            levels.clear();
            values.clear();
            let wanted = usize::try_from(rows - read).unwrap_or(BATCH).min(BATCH);
            let (records, ..) =
                self.guard(|| reader.read_records(wanted, Some(&mut levels), None, &mut values))?;
            if records == 0 {
                return Err(self.damaged(format_args!(
                    "column \"{}\" ends after {read} of {rows} rows",
                    clean(&decoder.name, 60)
                )));
            }
            let mut rest = values.iter();
            for i in 0..records {
                let present = match decoder.optional {
                    true => levels.get(i) == Some(&1),
                    false => true,
                };
                let value = if present { rest.next() } else { None };
                match push(decoder, value) {
                    Ok(bytes) => *text = text.saturating_add(bytes),
                    Err(value) => {
                        return Err(self.bad_cell(decoder, done + read + i as u64, value));
                    }
                }
            }
            if *text > limit {
                return Err(Error::limit(
                    self.path,
                    None,
                    "the size of the texts in bytes",
                    (*text, limit),
                    "raise the limit if you trust the file, or drop the text columns",
                ));
            }
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
            hint: "integers must fit 63 bits, texts must be at most 4 GiB of UTF-8".into(),
        }
    }
}

/// Pages in encodings whose memory is known from outside.
///
/// The decoder sizes its buffers by a count inside a delta-encoded text page,
/// which nothing bounds. Such pages are rare, and are refused by name.
struct CheckedPages(Box<dyn PageReader>);

impl CheckedPages {
    fn check(page: Page) -> std::result::Result<Page, ParquetError> {
        match page.encoding() {
            encoding @ (Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY) => Err(
                ParquetError::NYI(format!("texts in the encoding {encoding} are not read")),
            ),
            _ => Ok(page),
        }
    }
}

impl Iterator for CheckedPages {
    type Item = std::result::Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> std::result::Result<Option<Page>, ParquetError> {
        self.0.get_next_page()?.map(Self::check).transpose()
    }

    fn peek_next_page(&mut self) -> std::result::Result<Option<PageMetadata>, ParquetError> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> std::result::Result<(), ParquetError> {
        self.0.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> std::result::Result<bool, ParquetError> {
        self.0.at_record_boundary()
    }
}

/// What a column's physical values mean.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Bool,
    Signed,
    Unsigned,
    Float,
    /// Integers divided by this power of ten.
    Decimal(f64),
    Text,
    /// Days since 1970.
    Date,
    /// Units of which a second has this many, since midnight.
    Time(i64),
    /// Units of which a second has this many, since 1970; in UTC or local.
    Timestamp(i64, &'static str),
}

fn form(column: &ColumnDescriptor) -> Option<Form> {
    let per_second = |unit: &TimeUnit| match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    };
    let decimal = |scale: i32| {
        (0..=18)
            .contains(&scale)
            .then(|| Form::Decimal(10f64.powi(scale)))
    };
    Some(match (column.physical_type(), column.logical_type_ref()) {
        (Physical::BOOLEAN, _) => Form::Bool,
        (Physical::FLOAT | Physical::DOUBLE, _) => Form::Float,
        (Physical::INT32 | Physical::INT64, Some(logical)) => match logical {
            LogicalType::Integer(t) if t.is_signed => Form::Signed,
            LogicalType::Integer(_) => Form::Unsigned,
            LogicalType::Decimal(t) => decimal(t.scale)?,
            LogicalType::Date => Form::Date,
            LogicalType::Time(t) => Form::Time(per_second(&t.unit)),
            LogicalType::Timestamp(t) => Form::Timestamp(
                per_second(&t.unit),
                if t.is_adjusted_to_u_t_c { "Z" } else { "" },
            ),
            LogicalType::Unknown => Form::Signed,
            _ => return None,
        },
        (Physical::INT32 | Physical::INT64, None) => match column.converted_type() {
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Form::Unsigned,
            ConvertedType::DATE => Form::Date,
            ConvertedType::TIME_MILLIS => Form::Time(1_000),
            ConvertedType::TIME_MICROS => Form::Time(1_000_000),
            ConvertedType::TIMESTAMP_MILLIS => Form::Timestamp(1_000, "Z"),
            ConvertedType::TIMESTAMP_MICROS => Form::Timestamp(1_000_000, "Z"),
            ConvertedType::DECIMAL => decimal(column.type_scale())?,
            _ => Form::Signed,
        },
        (Physical::INT96, _) => Form::Timestamp(1_000_000_000, ""),
        (
            Physical::BYTE_ARRAY,
            None | Some(LogicalType::String | LogicalType::Enum | LogicalType::Json),
        ) => match column.converted_type() {
            ConvertedType::NONE
            | ConvertedType::UTF8
            | ConvertedType::ENUM
            | ConvertedType::JSON => Form::Text,
            _ => return None,
        },
        _ => return None,
    })
}

/// One column under construction. Each `push` returns the bytes of text that
/// were added, or what could not be.
struct Decoder {
    name: String,
    optional: bool,
    form: Form,
    cells: Cells,
}

impl Decoder {
    fn push_bool(&mut self, value: Option<&bool>) -> std::result::Result<u64, String> {
        if let Cells::Bool(cells) = &mut self.cells {
            cells.push(value.copied());
        }
        Ok(0)
    }

    fn push_float(&mut self, value: Option<f64>) -> std::result::Result<u64, String> {
        if let Cells::Float(cells) = &mut self.cells {
            cells.push(value);
        }
        Ok(0)
    }

    fn push_integer(&mut self, value: Option<i64>) -> std::result::Result<u64, String> {
        let Some(v) = value else {
            return match &mut self.cells {
                Cells::Integer(cells) => {
                    cells.push(None);
                    Ok(0)
                }
                Cells::Float(_) => self.push_float(None),
                _ => self.push_text(None),
            };
        };
        match self.form {
            Form::Decimal(unit) => self.push_float(Some(v as f64 / unit)),
            Form::Date => self.push_text(Some(&date(v))),
            Form::Time(unit) => self.push_text(Some(&time_of_day(v, unit))),
            Form::Timestamp(unit, zone) => self.push_text(Some(&timestamp(v, unit, zone))),
            Form::Unsigned if v < 0 => Err((v as u64).to_string()),
            _ => {
                if let Cells::Integer(cells) = &mut self.cells {
                    cells.push(value);
                }
                Ok(0)
            }
        }
    }

    fn push_bytes(&mut self, value: Option<&ByteArray>) -> std::result::Result<u64, String> {
        match value.map(|v| std::str::from_utf8(v.data())).transpose() {
            Ok(text) => self.push_text(text),
            Err(_) => Err("a text that is not UTF-8".into()),
        }
    }

    fn push_text(&mut self, value: Option<&str>) -> std::result::Result<u64, String> {
        if let Cells::Text(cells) = &mut self.cells {
            match value {
                Some(text) if cells.push(text) => return Ok(text.len() as u64),
                Some(_) => return Err("a text".into()),
                None => cells.push_missing(),
            }
        }
        Ok(0)
    }
}

/// Days since 1970 as `2026-01-31` (proleptic Gregorian; days are counted in
/// eras of 400 years that begin in March, so that leap days come last).
fn date(days: i64) -> String {
    let z = i128::from(days) + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Units since midnight as `12:34:56.789`; the fraction has the unit's digits,
/// and is left out when it is zero.
fn time_of_day(units: i64, per_second: i64) -> String {
    let seconds = units.div_euclid(per_second);
    let rest = units.rem_euclid(per_second);
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let digits = per_second.ilog10() as usize;
    match rest {
        0 => format!("{h:02}:{m:02}:{s:02}"),
        _ => format!("{h:02}:{m:02}:{s:02}.{rest:0digits$}"),
    }
}

fn timestamp(units: i64, per_second: i64, zone: &str) -> String {
    let day = 86_400 * per_second;
    let time = time_of_day(units.rem_euclid(day), per_second);
    format!("{}T{time}{zone}", date(units.div_euclid(day)))
}

/// The old 96-bit timestamp: nanoseconds of the day, Julian day.
fn int96(words: &[u32]) -> String {
    let word = |at: usize| i64::from(words.get(at).copied().unwrap_or(0));
    let nanos = (word(1) << 32) | word(0);
    let day = 86_400_000_000_000;
    let days = word(2) - 2_440_588 + nanos.div_euclid(day);
    let time = time_of_day(nanos.rem_euclid(day), 1_000_000_000);
    format!("{}T{time}", date(days))
}

/// Writes a table as Parquet, compressed with Snappy.
///
/// Text columns become numbers where nothing is lost by it; see
/// [`crate::write::write_table`].
///
/// # Errors
/// [`Error::Io`], [`Error::BrokenPipe`], [`Error::Cancelled`]; [`Error::Core`]
/// for a table without columns.
pub fn write_parquet(
    table: &Table,
    out: &mut (dyn Write + Send),
    path: &Path,
    monitor: &mut dyn Monitor,
) -> Result<()> {
    let failed = |e: ParquetError| Error::io(path, "write", into_io(e));
    if table.columns().is_empty() {
        return Err(Error::Core(isotherm::Error::data(
            "the table has no columns",
            "write at least one",
        )));
    }
    let kinds: Vec<Kind> = table.columns().iter().map(|c| kind(&c.cells)).collect();
    let mut fields = Vec::new();
    for (column, kind) in table.columns().iter().zip(&kinds) {
        fields.push(Arc::new(field(&column.name, *kind).map_err(failed)?));
    }
    let schema = Type::group_type_builder("schema")
        .with_fields(fields)
        .build();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("isotherm version ", env!("CARGO_PKG_VERSION")).into())
        .build();
    let mut progress = Progress::begin(monitor, "writing the table", Some(table.rows() as u64))?;
    let schema = Arc::new(schema.map_err(failed)?);
    let mut writer =
        SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
    let mut start = 0;
    while start < table.rows() {
        let end = table.rows().min(start + GROUP);
        let mut group = writer.next_row_group().map_err(failed)?;
        for (column, kind) in table.columns().iter().zip(&kinds) {
            write_column(&mut group, &column.cells, *kind, start..end).map_err(failed)?;
            progress.step(start as u64)?;
        }
        group.close().map_err(failed)?;
        start = end;
    }
    writer.close().map_err(failed)?;
    progress.end(table.rows() as u64)
}

fn field(name: &str, kind: Kind) -> std::result::Result<Type, ParquetError> {
    let physical = match kind {
        Kind::Text => Physical::BYTE_ARRAY,
        Kind::Integer => Physical::INT64,
        Kind::Float => Physical::DOUBLE,
        Kind::Bool => Physical::BOOLEAN,
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type((kind == Kind::Text).then_some(LogicalType::String))
        .build()
}

fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    cells: &Cells,
    kind: Kind,
    rows: std::ops::Range<usize>,
) -> std::result::Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("a column is missing".into()));
    };
    fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
        text.trim().parse().ok()
    }
    macro_rules! write {
        ($type:ty, $value:expr) => {{
            let (mut levels, mut values) = (Vec::new(), Vec::new());
            let cell = $value;
            for row in rows {
                match cell(row) {
                    Some(value) => {
                        levels.push(1);
                        values.push(value);
                    }
                    None => levels.push(0),
                }
            }
            column
                .typed::<$type>()
                .write_batch(&values, Some(&levels), None)?;
        }};
    }
    match (kind, cells) {
        (Kind::Text, Cells::Text(c)) => {
            write!(ByteArrayType, |row| c.get(row).map(ByteArray::from));
        }
        (Kind::Integer, Cells::Text(c)) => {
            write!(Int64Type, |row| c.get(row).and_then(number::<i64>));
        }
        (Kind::Float, Cells::Text(c)) => {
            write!(DoubleType, |row| c.get(row).and_then(number::<f64>));
        }
        (_, Cells::Integer(c)) => write!(Int64Type, |row| c.get(row)),
        (_, Cells::Float(c)) => write!(DoubleType, |row| c.get(row)),
        (_, Cells::Bool(c)) => write!(BoolType, |row| c.get(row)),
        (Kind::Bool, Cells::Text(_)) => {}
    }
    column.close()
}

/// The system's error inside the crate's, if there is one.
fn into_io(e: ParquetError) -> std::io::Error {
    match e {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(io) => *io,
            Err(other) => std::io::Error::other(other),
        },
        other => std::io::Error::other(other),
    }
}
