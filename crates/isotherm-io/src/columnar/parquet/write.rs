//! Tables out, whole or part by part.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::provenance::Provenance;
use crate::table::Table;
use crate::table::cells::Cells;
use crate::table::lists;
use crate::write::column_type::ColumnType;

/// Rows per group.
const GROUP: usize = 1 << 17;

/// A file, compressed with Snappy, that tables with one set of columns are added to.
pub(crate) struct Sink<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    types: Vec<ColumnType>,
    path: PathBuf,
}

impl<W: Write + Send> Sink<W> {
    /// Begins a file for tables with the columns of this one.
    pub(crate) fn begin(like: &Table, types: Vec<ColumnType>, out: W, path: &Path) -> Result<Self> {
        if like.columns().is_empty() {
            return Err(Error::Core(isotherm::Error::refused(
                isotherm::error::Refusal::NothingToWrite,
                "the table has no columns",
                "write at least one",
            )));
        }
        let failed = |e: ParquetError| Error::io(path, "write", into_io(e));
        let mut fields = Vec::new();
        for (column, of) in like.columns().iter().zip(&types) {
            fields.push(Arc::new(field(&column.name, *of).map_err(failed)?));
        }
        let schema = Type::group_type_builder("schema")
            .with_fields(fields)
            .build();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("isotherm version ", env!("CARGO_PKG_VERSION")).into())
            .build();
        let schema = Arc::new(schema.map_err(failed)?);
        let writer = SerializedFileWriter::new(out, schema, Arc::new(properties));
        Ok(Self {
            writer: writer.map_err(failed)?,
            types,
            path: path.to_owned(),
        })
    }

    /// Adds the rows of a table, in groups of their own.
    pub(crate) fn push(&mut self, table: &Table, progress: &mut Progress<'_>) -> Result<()> {
        let path = &self.path;
        let failed = |e: ParquetError| Error::io(path, "write", into_io(e));
        let mut start = 0;
        while start < table.rows() {
            let end = table.rows().min(start + GROUP);
            let mut group = self.writer.next_row_group().map_err(failed)?;
            for (column, of) in table.columns().iter().zip(&self.types) {
                write_column(&mut group, &column.cells, *of, start..end).map_err(failed)?;
                progress.step(start as u64)?;
            }
            group.close().map_err(failed)?;
            start = end;
        }
        Ok(())
    }

    /// Writes the footer, and in it where the table came from.
    pub(crate) fn finish(mut self, provenance: Option<&Provenance>) -> Result<()> {
        for (key, value) in provenance.into_iter().flat_map(Provenance::to_pairs) {
            let pair = KeyValue::new(key, value);
            self.writer.append_key_value_metadata(pair);
        }
        let path = self.path;
        let closed = self.writer.close();
        closed
            .map(|_| ())
            .map_err(|e| Error::io(&path, "write", into_io(e)))
    }
}

fn field(name: &str, of: ColumnType) -> std::result::Result<Type, ParquetError> {
    if of == ColumnType::List {
        let element = Type::primitive_type_builder("element", Physical::DOUBLE)
            .with_repetition(Repetition::OPTIONAL)
            .build()?;
        let list = Type::group_type_builder("list")
            .with_repetition(Repetition::REPEATED)
            .with_fields(vec![Arc::new(element)])
            .build()?;
        return Type::group_type_builder(name)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(Some(LogicalType::List))
            .with_fields(vec![Arc::new(list)])
            .build();
    }
    let physical = match of {
        ColumnType::Text => Physical::BYTE_ARRAY,
        ColumnType::Integer => Physical::INT64,
        ColumnType::Float | ColumnType::List => Physical::DOUBLE,
        ColumnType::Bool => Physical::BOOLEAN,
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type((of == ColumnType::Text).then_some(LogicalType::String))
        .build()
}

fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    cells: &Cells,
    of: ColumnType,
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
    match (of, cells) {
        (ColumnType::Text, Cells::Text(c)) => {
            write!(ByteArrayType, |row| c.get(row).map(ByteArray::from));
        }
        (ColumnType::Integer, Cells::Text(c)) => {
            write!(Int64Type, |row| c.get(row).and_then(number::<i64>));
        }
        (ColumnType::Float, Cells::Text(c)) => {
            write!(DoubleType, |row| c.get(row).and_then(number::<f64>));
        }
        (_, Cells::Integer(c)) => write!(Int64Type, |row| c.get(row)),
        (_, Cells::Float(c)) => write!(DoubleType, |row| c.get(row)),
        (_, Cells::Bool(c)) => write!(BoolType, |row| c.get(row)),
        (_, Cells::List(c)) => {
            let (levels, values) = lists_of(rows, |row, into| match c.get(row) {
                Some(items) => {
                    into.extend_from_slice(items);
                    true
                }
                None => false,
            });
            let column = column.typed::<DoubleType>();
            column.write_batch(&values, Some(&levels.0), Some(&levels.1))?;
        }
        (ColumnType::List, Cells::Text(c)) => {
            let (levels, values) = lists_of(rows, |row, into| {
                c.get(row).is_some_and(|text| lists::parse(text, into))
            });
            let column = column.typed::<DoubleType>();
            column.write_batch(&values, Some(&levels.0), Some(&levels.1))?;
        }
        (ColumnType::Bool, Cells::Text(_)) => {}
    }
    column.close()
}

/// Definition and repetition levels, and the values that are there. No list is
/// level 0, an empty one 1, an entry without a value 2, an entry 3.
fn lists_of(
    rows: std::ops::Range<usize>,
    mut list: impl FnMut(usize, &mut Vec<f64>) -> bool,
) -> ((Vec<i16>, Vec<i16>), Vec<f64>) {
    let (mut defined, mut repeated) = (Vec::new(), Vec::new());
    let (mut values, mut items) = (Vec::new(), Vec::new());
    for row in rows {
        items.clear();
        let there = list(row, &mut items);
        if items.is_empty() {
            defined.push(i16::from(there));
            repeated.push(0);
        }
        for (at, v) in items.iter().enumerate() {
            repeated.push(i16::from(at > 0));
            defined.push(if v.is_nan() { 2 } else { 3 });
            values.extend(Some(*v).filter(|v| !v.is_nan()));
        }
    }
    ((defined, repeated), values)
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
