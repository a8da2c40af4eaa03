//! The type a column gets in a file whose columns have types.

use crate::table::cells::{Cells, TextCells};
use crate::table::{lists, numbers};

/// What a column is where columns have types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Text,
    Integer,
    Float,
    Bool,
    List,
}

/// The type of a column; texts stay texts.
pub(crate) fn as_stored(cells: &Cells) -> ColumnType {
    match cells {
        Cells::Text(_) => ColumnType::Text,
        other => narrowest(other),
    }
}

/// The type of a column; for texts, the narrowest that loses nothing.
pub(crate) fn narrowest(cells: &Cells) -> ColumnType {
    match cells {
        Cells::Text(cells) => type_of_texts(cells),
        Cells::Float(_) => ColumnType::Float,
        Cells::Integer(_) => ColumnType::Integer,
        Cells::Bool(_) => ColumnType::Bool,
        Cells::List(_) => ColumnType::List,
    }
}

fn type_of_texts(cells: &TextCells) -> ColumnType {
    let mut kind = None;
    let mut items = Vec::new();
    // Whether some whole number would be another one as a float.
    let mut inexact = false;
    for text in (0..cells.len()).filter_map(|row| cells.get(row)) {
        if text.trim().is_empty() {
            continue;
        }
        if matches!(kind, None | Some(ColumnType::List)) && lists::looks_like_one(text) {
            items.clear();
            if lists::parse(text, &mut items) {
                kind = Some(ColumnType::List);
            } else {
                return ColumnType::Text;
            }
            continue;
        }
        if kind == Some(ColumnType::List) {
            return ColumnType::Text;
        }
        let whole = text.parse::<i64>().is_ok_and(|v| v.to_string() == text);
        inexact = inexact || numbers::is_inexact_whole(text);
        if whole {
            kind = kind.or(Some(ColumnType::Integer));
        } else if is_json_number(text) {
            kind = Some(ColumnType::Float);
        } else {
            return ColumnType::Text;
        }
        if inexact && kind == Some(ColumnType::Float) {
            return ColumnType::Text;
        }
    }
    kind.unwrap_or(ColumnType::Text)
}

fn is_json_number(text: &str) -> bool {
    text.trim().len() == text.len()
        && text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && serde_json::from_str::<f64>(text).is_ok()
}
