//! Single cells as numbers and as text.

use crate::table::cells::{Cells, Nullable, TextCells};
use crate::table::lists;
use crate::table::numbers::{self, NotANumber};
use crate::text::dialect::Decimal;

/// A cell as a number.
pub(crate) fn number(
    cells: &Cells,
    row: usize,
    decimal: Decimal,
) -> std::result::Result<f64, NotANumber> {
    let value = match cells {
        Cells::Text(c) => {
            let parse = |text| numbers::parse(text, decimal);
            return c.get(row).map_or(Err(NotANumber::Missing), parse);
        }
        Cells::Float(c) => c.get(row),
        Cells::Integer(c) => c.get(row).map(|v| v as f64),
        Cells::Bool(c) => c.get(row).map(|v| f64::from(u8::from(v))),
        Cells::List(c) => {
            let list = c.get(row).ok_or(NotANumber::Missing)?;
            return Err(if list.is_empty() {
                NotANumber::Blank
            } else {
                NotANumber::Text
            });
        }
    };
    match value {
        Some(v) if v.is_nan() => Err(NotANumber::Missing),
        Some(v) if v.is_infinite() => Err(NotANumber::NotFinite),
        Some(v) => Ok(v),
        None => Err(NotANumber::Missing),
    }
}

/// A cell as text, if it has a value.
pub(crate) fn text(cells: &Cells, row: usize) -> Option<String> {
    match cells {
        Cells::Text(c) => c.get(row).map(str::to_owned),
        Cells::Float(c) => c.get(row).map(numbers::shortest),
        Cells::Integer(c) => c.get(row).map(|v| v.to_string()),
        Cells::Bool(c) => c.get(row).map(|v| v.to_string()),
        Cells::List(c) => c.get(row).map(lists::to_text),
    }
}

/// The numbers of a column of decimal commas; `None` if it is none.
pub(crate) fn from_commas(texts: &TextCells) -> Option<Nullable<f64>> {
    let mut numbers = Nullable::default();
    let mut commas = false;
    for row in 0..texts.len() {
        let text = texts.get(row).unwrap_or_default();
        match numbers::parse(text, Decimal::Comma) {
            Ok(v) => {
                commas |= text.contains(',');
                numbers.push(Some(v));
            }
            Err(NotANumber::Blank | NotANumber::Missing) => numbers.push(None),
            Err(_) => return None,
        }
    }
    commas.then_some(numbers)
}
