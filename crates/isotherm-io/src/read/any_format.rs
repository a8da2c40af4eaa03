//! One table from one source, in whatever format it is.

use std::path::Path;

use isotherm::monitor::Monitor;

use crate::arrays::{npy, npz};
use crate::columnar::{arrow, parquet};
use crate::database::sqlite;
use crate::error::Result;
use crate::source::file_version::FileVersion;
use crate::source::input::Input;
use crate::source::spool::spool;
use crate::source::{Format, ReadOptions, Source};
use crate::table::Table;
use crate::text::dialect::Delimiter;
use crate::text::encoding::{Decoded, Encoding};
use crate::text::{csv, json_lines, workbook};

/// Reads a table.
///
/// # Errors
/// As the format's reader: [`csv::read_csv`], [`parquet::read_parquet`],
/// [`arrow::read_arrow`], [`json_lines::read_json_lines`], [`npy::read_npy_table`],
/// [`npz::read_npz_table`]; of workbooks and databases one table is read, and [`crate::Error::Format`]
/// lists those that there are; [`crate::Error::Changed`] for a file that changed meanwhile.
pub fn read_table(
    source: &Source,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let version = FileVersion::of(source);
    let table = match source {
        Source::Path(path) => match options.format.map_or_else(|| Format::of_input(path), Ok)? {
            Format::Parquet => parquet::read_parquet(path, options, monitor),
            Format::Npy => npy::read_npy_table(path, options, monitor),
            Format::Npz => npz::read_npz_table(path, options, monitor),
            Format::Arrow | Format::ArrowStream => arrow::read_arrow(path, options, monitor),
            sheet @ (Format::Xlsx | Format::Ods) => {
                workbook::read_workbook(path, sheet, options, monitor)
            }
            Format::Sqlite => sqlite::read_sqlite(path, options, monitor),
            text => read_text(
                Input::open(source, options.limits)?,
                path,
                text,
                options,
                monitor,
            ),
        },
        Source::Stdin => {
            let input = Input::open(source, options.limits)?;
            read_stream(input, source.path(), options, monitor)
        }
    };
    version.after(table)
}

/// A table from a stream whose first bytes tell what it is. Binary formats are
/// read back and forth, so they go through a file without a name.
pub(crate) fn read_stream(
    mut input: Input<'_>,
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let head = input.head()?;
    let format = options.format.unwrap_or_else(|| Format::of_head(&head));
    if format.is_text() {
        return read_text(input, path, format, options, monitor);
    }
    let spooled = spool(&mut input, path, monitor)?;
    match format {
        Format::Parquet => parquet::table_of(spooled, path, options, monitor),
        Format::Npy => npy::table_of(spooled, path, options, monitor),
        Format::Arrow | Format::ArrowStream => arrow::table_of(spooled, path, options, monitor),
        Format::Xlsx | Format::Ods => workbook::table_of(spooled, path, format, options, monitor),
        Format::Sqlite => sqlite::table_of(spooled, path, options, monitor),
        _ => npz::table_of(spooled, path, options, monitor),
    }
}

fn read_text(
    mut input: Input<'_>,
    path: &Path,
    format: Format,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    match format {
        Format::JsonLines => {
            let length = input.length();
            let encoding = Encoding::choose(options.encoding, &input.head()?);
            if encoding == Encoding::UTF_8 {
                return json_lines::read_json_lines(input, path, length, options, monitor);
            }
            let text = Decoded::new(input, path, encoding);
            json_lines::read_json_lines(text, path, length, options, monitor)
        }
        Format::Tsv => {
            let mut options = options.clone();
            options.delimiter = options.delimiter.or(Some(Delimiter::Tab));
            csv::read_input(input, path, &options, monitor)
        }
        _ => csv::read_input(input, path, options, monitor),
    }
}
