//! What the cells of each column are, every one of them looked at.
//!
//! Readers refuse the first cell they cannot use; a profile counts them all, so that a
//! table can be mended in one go.

use isotherm::data::points::LARGEST;

use crate::cells::Cells;
use crate::error::{Place, clean};
use crate::near::near;
use crate::numbers::NotANumber;
use crate::survey::{self, Nature};
use crate::table::{Column, Table, number, text};

/// Cells of a column that are told one by one.
const TOLD: usize = 3;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnKind {
    /// Numbers, at least half of the cells that have a value.
    Numbers,
    /// Numbers without a fraction.
    WholeNumbers,
    /// Truth values.
    Truth,
    /// Lists of numbers.
    Lists,
    /// Texts.
    Text,
    /// No value at all.
    Blank,
}

impl ColumnKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::WholeNumbers => "whole numbers",
            Self::Truth => "truth values",
            Self::Lists => "lists of numbers",
            Self::Text => "text",
            Self::Blank => "blank",
        }
    }
}

/// A cell that is no number in a column of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadCell {
    /// Where it stands.
    pub place: Place,
    /// Its text.
    pub value: String,
}

/// What the cells of one column are.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnProfile {
    /// The column's name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// Cells without a value: missing, blank, or a word for it.
    pub missing: usize,
    /// The first of them.
    pub first_missing: Option<Place>,
    /// Cells of a column of numbers that are no usable number.
    pub bad: usize,
    /// The first of them.
    pub first_bad: Vec<BadCell>,
    /// Whether all cells are different whole numbers, as where a column only names rows.
    pub numbers_rows: bool,
}

/// Looks at every cell of every column.
pub fn profile(table: &Table) -> Vec<ColumnProfile> {
    table.columns().iter().map(|c| column(table, c)).collect()
}

fn column(table: &Table, column: &Column) -> ColumnProfile {
    let nature = survey::nature(&column.cells);
    let numeric = nature == Nature::Numbers;
    let mut found = ColumnProfile {
        name: column.name.clone(),
        kind: ColumnKind::Text,
        missing: 0,
        first_missing: None,
        bad: 0,
        first_bad: Vec::new(),
        numbers_rows: false,
    };
    let mut whole = Vec::new();
    let mut fractions = false;
    for row in 0..table.rows() {
        match number(&column.cells, row, table.origin().decimal()) {
            Err(NotANumber::Blank | NotANumber::Missing) => {
                found.missing += 1;
                found.first_missing.get_or_insert(table.origin().place(row));
            }
            _ if !numeric => {}
            Ok(v) if v.abs() < LARGEST => {
                fractions |= v.fract() != 0.0;
                if !fractions {
                    whole.push(v);
                }
            }
            _ => {
                found.bad += 1;
                if found.first_bad.len() < TOLD {
                    found.first_bad.push(BadCell {
                        place: table.origin().place(row),
                        value: clean(&text(&column.cells, row).unwrap_or_default(), 60),
                    });
                }
            }
        }
    }
    let values = table.rows() - found.missing;
    found.kind = match &column.cells {
        _ if values == 0 => ColumnKind::Blank,
        Cells::Bool(_) => ColumnKind::Truth,
        _ if matches!(nature, Nature::Lists(_)) => ColumnKind::Lists,
        _ if !numeric => ColumnKind::Text,
        _ if fractions || found.bad == values => ColumnKind::Numbers,
        _ => ColumnKind::WholeNumbers,
    };
    if found.kind == ColumnKind::WholeNumbers && whole.len() == table.rows() {
        whole.sort_unstable_by(f64::total_cmp);
        found.numbers_rows = whole.len() > 1 && whole.windows(2).all(|w| w[0] != w[1]);
    }
    found
}

/// Fewer letters than this, and two classes that differ by one are no likely mistake.
const LETTERS: usize = 5;

/// Pairs of classes of which the first is likely a mistyped second: they differ by letter
/// case only, or a class of one or two labels by one letter from one of five times as many.
/// Numbers are never taken for each other.
pub fn alike(counts: &[(String, usize)]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, (name, count)) in counts.iter().enumerate() {
        if name.parse::<f64>().is_ok() {
            continue;
        }
        let folded = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
        let rivals = || counts.iter().enumerate().filter(|(other, _)| *other != at);
        let same = rivals().find(|(other, (text, more))| {
            // Of two equally frequent ones the later is told.
            folded(text) == folded(name) && (more > count || more == count && *other < at)
        });
        let longer = rivals().filter(|(_, (_, more))| *count <= 2 && *more >= 5 * count);
        let letters = name.chars().count() >= LETTERS;
        let close = || near(name, longer.map(|(_, (text, _))| text.as_str()));
        let one_letter = |text: &String| {
            text.chars().count().abs_diff(name.chars().count()) <= 1 && text.parse::<f64>().is_err()
        };
        match same {
            Some((_, (text, _))) => found.push((name.clone(), text.clone())),
            None if letters => {
                found.extend(close().filter(one_letter).map(|text| (name.clone(), text)));
            }
            None => {}
        }
    }
    found
}
