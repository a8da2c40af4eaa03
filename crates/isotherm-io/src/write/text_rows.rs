//! Rows as delimited text and as JSON lines.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::source::Format;
use crate::table::cells::Cells;
use crate::table::{Table, lists, numbers};
use crate::text::formulas::guard;
use crate::write::column_type::ColumnType;

/// What happens to cells of text files that a spreadsheet would run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Formulas {
    /// They get a leading `'`, see [`crate::formulas`].
    #[default]
    Guard,
    /// They are written as they are.
    Raw,
}

/// Rows between two looks at the monitor.
const ROWS: usize = 256;

/// How a cell is spelled in a text file.
type Spelled = fn(&str) -> Cow<'_, str>;

/// Rows as text or JSON lines, names first if so wanted.
pub(crate) fn write_rows(
    table: &Table,
    (format, formulas, header): (Format, Formulas, bool),
    types: &[ColumnType],
    out: &mut dyn Write,
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<()> {
    let text: Spelled = match formulas {
        Formulas::Guard => guard,
        Formulas::Raw => |cell| Cow::Borrowed(cell),
    };
    match format {
        Format::JsonLines => write_json_lines(table, types, out, path, progress),
        Format::Tsv => write_text(table, (b'\t', header, text), out, path, progress),
        _ => write_text(table, (b',', header, text), out, path, progress),
    }
}

fn write_text(
    table: &Table,
    (delimiter, header, spelled): (u8, bool, Spelled),
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
    if header {
        for column in table.columns() {
            let name = spelled(&column.name);
            writer.write_field(name.as_bytes()).map_err(failed)?;
        }
        writer.write_record(None::<&[u8]>).map_err(failed)?;
    }
    for row in 0..table.rows() {
        for column in table.columns() {
            match &column.cells {
                Cells::Text(c) => {
                    let cell = spelled(c.get(row).unwrap_or_default());
                    writer.write_field(cell.as_bytes())
                }
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
                    writer.write_field(c.get(row).map(lists::to_text).unwrap_or_default())
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
    types: &[ColumnType],
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
            line.push_str(&json(&column.cells, types[at], row));
        }
        line.push_str(if columns.is_empty() { "{}\n" } else { "}\n" });
        out.write_all(line.as_bytes()).map_err(failed)?;
        if row % ROWS == 0 {
            progress.step(row as u64)?;
        }
    }
    Ok(())
}

fn json(cells: &Cells, of: ColumnType, row: usize) -> String {
    let value = match cells {
        Cells::Text(c) => c.get(row).and_then(|t| match of {
            ColumnType::Text => Some(quoted(t)),
            ColumnType::List => {
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
    if items.iter().any(|v| v.is_infinite()) {
        {
            let finite = |v: &f64| if v.is_finite() { *v } else { f64::NAN };
            lists::to_text(&items.iter().map(finite).collect::<Vec<_>>())
        }
    } else {
        lists::to_text(items)
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
