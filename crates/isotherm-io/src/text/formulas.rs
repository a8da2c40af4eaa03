//! Cells that a spreadsheet would run are written so that it shows them.
//!
//! A spreadsheet takes a cell of a text file that begins with `=`, `+`, `-`,
//! `@`, a tabulator or a carriage return for a formula, and a formula can start
//! programs and send cells elsewhere (CWE-1236). [`guard`] puts a `'` before
//! such a cell, which spreadsheets take as "this is text"; [`unguard`] takes it
//! off again, so a label is the same after any number of rounds.

use std::borrow::Cow;

/// The cell as a text file may hold it: with a leading `'` if a spreadsheet
/// would run it, and as it is otherwise.
///
/// Numbers (`-1.5`, `+2e3`, `-1,5`, `+49 170 12`, `-3 %`) and cells without a
/// letter or digit (`-`, `--`) are no formulas. A cell that looks guarded
/// already gets one more `'`, so that [`unguard`] gives back every cell.
pub fn guard(cell: &str) -> Cow<'_, str> {
    if is_run(cell) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// The cell that [`guard`] was given.
pub fn unguard(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(inner) if is_run(inner) => inner,
        _ => cell,
    }
}

/// Whether a spreadsheet would run the cell, any `'` before it left aside.
fn is_run(cell: &str) -> bool {
    let bare = cell.trim_start_matches('\'');
    bare.starts_with(['=', '+', '-', '@', '\t', '\r'])
        && bare.contains(char::is_alphanumeric)
        && !is_number(bare)
}

/// Digits with a sign, marks between them and an exponent, in any country's
/// spelling; or a word for what is no finite number.
fn is_number(cell: &str) -> bool {
    if cell.trim().parse::<f64>().is_ok() {
        return true;
    }
    let Some(digits) = cell.strip_prefix(['+', '-']) else {
        return false;
    };
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let mark = |c: char| matches!(c, '.' | ',' | '_' | '%') || c == ' ' || c == '\u{a0}';
    !exponent.is_empty()
        && exponent.chars().all(|c| c.is_ascii_digit() || mark(c))
        && mantissa.chars().all(|c| c.is_ascii_digit() || mark(c))
}
