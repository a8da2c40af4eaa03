//! Tables out, whole or part by part.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, LargeListBuilder, LargeStringBuilder};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::provenance::Provenance;
use crate::source::Format;
use crate::table::Table;
use crate::table::cells::Cells;
use crate::table::lists;
use crate::write::column_type::ColumnType;

/// Rows per batch.
const BATCH: usize = 1 << 16;

/// A file or a stream, compressed with LZ4, that tables with one set of columns
/// are added to.
pub(crate) struct Sink<W: Write> {
    writer: Writer<W>,
    schema: SchemaRef,
    types: Vec<ColumnType>,
    path: PathBuf,
}

enum Writer<W: Write> {
    File(FileWriter<W>),
    Stream(StreamWriter<W>),
}

impl<W: Write> Sink<W> {
    /// Begins a file for tables with the columns of this one.
    pub(crate) fn begin(
        like: &Table,
        (format, types): (Format, Vec<ColumnType>),
        out: W,
        path: &Path,
    ) -> Result<Self> {
        if like.columns().is_empty() {
            return Err(Error::Core(isotherm::Error::data(
                "the table has no columns",
                "write at least one",
            )));
        }
        let fields = like.columns().iter().zip(&types);
        let fields = fields.map(|(c, of)| Field::new(&c.name, data_type(*of), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let failed = |e: ArrowError| Error::io(path, "write", into_io(e));
        let options = IpcWriteOptions::default()
            .try_with_compression(Some(CompressionType::LZ4_FRAME))
            .map_err(failed)?;
        let writer = match format {
            Format::ArrowStream => {
                let writer = StreamWriter::try_new_with_options(out, &schema, options);
                Writer::Stream(writer.map_err(failed)?)
            }
            _ => {
                let writer = FileWriter::try_new_with_options(out, &schema, options);
                Writer::File(writer.map_err(failed)?)
            }
        };
        Ok(Self {
            writer,
            schema,
            types,
            path: path.to_owned(),
        })
    }

    /// Adds the rows of a table, in batches of their own.
    pub(crate) fn push(&mut self, table: &Table, progress: &mut Progress<'_>) -> Result<()> {
        let path = &self.path;
        let failed = |e: ArrowError| Error::io(path, "write", into_io(e));
        let mut start = 0;
        while start < table.rows() {
            let end = table.rows().min(start + BATCH);
            let mut arrays = Vec::with_capacity(table.columns().len());
            for (column, of) in table.columns().iter().zip(&self.types) {
                arrays.push(array(&column.cells, *of, start..end));
                progress.step(start as u64)?;
            }
            let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(failed)?;
            match &mut self.writer {
                Writer::File(writer) => writer.write(&batch),
                Writer::Stream(writer) => writer.write(&batch),
            }
            .map_err(failed)?;
            start = end;
        }
        Ok(())
    }

    /// Writes the end; the footer of a file tells where the table came from.
    pub(crate) fn finish(mut self, provenance: Option<&Provenance>) -> Result<()> {
        let closed = match &mut self.writer {
            Writer::File(writer) => {
                for (key, value) in provenance.into_iter().flat_map(Provenance::to_pairs) {
                    writer.write_metadata(key, value);
                }
                writer.finish()
            }
            Writer::Stream(writer) => writer.finish(),
        };
        closed.map_err(|e| Error::io(&self.path, "write", into_io(e)))
    }
}

/// Texts and lists with 64-bit offsets: no batch is too large for them.
fn data_type(of: ColumnType) -> DataType {
    match of {
        ColumnType::Text => DataType::LargeUtf8,
        ColumnType::Integer => DataType::Int64,
        ColumnType::Float => DataType::Float64,
        ColumnType::Bool => DataType::Boolean,
        ColumnType::List => {
            let entry = Field::new_list_field(DataType::Float64, true);
            DataType::LargeList(Arc::new(entry))
        }
    }
}

fn array(cells: &Cells, of: ColumnType, rows: std::ops::Range<usize>) -> ArrayRef {
    fn number<T: std::str::FromStr>(text: Option<&str>) -> Option<T> {
        text.and_then(|t| t.trim().parse().ok())
    }
    match (cells, of) {
        (Cells::Text(c), ColumnType::Integer) => Arc::new(
            rows.map(|r| number::<i64>(c.get(r)))
                .collect::<Int64Array>(),
        ),
        (Cells::Text(c), ColumnType::Float) => Arc::new(
            rows.map(|r| number::<f64>(c.get(r)))
                .collect::<Float64Array>(),
        ),
        (Cells::Text(c), ColumnType::List) => list_array(rows, |row, into| {
            c.get(row).is_some_and(|text| lists::parse(text, into))
        }),
        (Cells::Text(c), ColumnType::Text | ColumnType::Bool) => {
            let mut out = LargeStringBuilder::new();
            rows.for_each(|r| out.append_option(c.get(r)));
            Arc::new(out.finish())
        }
        (Cells::Integer(c), _) => Arc::new(rows.map(|r| c.get(r)).collect::<Int64Array>()),
        (Cells::Float(c), _) => Arc::new(rows.map(|r| c.get(r)).collect::<Float64Array>()),
        (Cells::Bool(c), _) => Arc::new(rows.map(|r| c.get(r)).collect::<BooleanArray>()),
        (Cells::List(c), _) => list_array(rows, |row, into| match c.get(row) {
            Some(items) => {
                into.extend_from_slice(items);
                true
            }
            None => false,
        }),
    }
}

/// Entries without a value are null.
fn list_array(
    rows: std::ops::Range<usize>,
    mut list: impl FnMut(usize, &mut Vec<f64>) -> bool,
) -> ArrayRef {
    let mut out = LargeListBuilder::new(Float64Builder::new());
    let mut items = Vec::new();
    for row in rows {
        items.clear();
        let there = list(row, &mut items);
        for v in &items {
            out.values().append_option(Some(*v).filter(|v| !v.is_nan()));
        }
        out.append(there);
    }
    Arc::new(out.finish())
}

/// The system's error inside the crate's, if there is one.
fn into_io(e: ArrowError) -> std::io::Error {
    match e {
        ArrowError::IoError(_, io) => io,
        other => std::io::Error::other(other),
    }
}
