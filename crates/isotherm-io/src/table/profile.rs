//! What the cells of each column are, every one of them looked at.
//!
//! Readers refuse the first cell they cannot use; a profile counts them all, so that a
//! table can be mended in one go.

use std::collections::HashMap;

use isotherm::data::columns::summary::NumberSummary;
use isotherm::data::points::LARGEST;
use rayon::prelude::*;

use crate::error::{Place, Result, clean};
use crate::spelling::closest_name;
use crate::table::cells::Cells;
use crate::table::lists;
use crate::table::numbers::{self, NotANumber};
use crate::table::one_hot::Words;
use crate::table::survey::{self, Nature};
use crate::table::{Column, Table, number, text};

/// Cells of a column that are listed one by one.
const TOLD: usize = 3;

/// Values of a column of texts that are listed with their counts.
pub const FREQUENT: usize = 5;

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
    /// What values it has.
    pub values: Values,
}

/// What values a column has.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// None, or lists of numbers.
    None,
    /// Numbers.
    Numbers(NumberSummary),
    /// Texts or truth values.
    Words {
        /// How many different ones there are.
        distinct: usize,
        /// The most frequent ones, at most [`FREQUENT`], with their counts.
        frequent: Vec<(String, usize)>,
    },
}

impl Values {
    /// How many different values there are, where they were counted.
    pub fn distinct(&self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Numbers(numbers) => Some(numbers.distinct),
            Self::Words { distinct, .. } => Some(*distinct),
        }
    }
}

/// Looks at every cell of every column.
pub fn profile(table: &Table) -> Vec<ColumnProfile> {
    table
        .columns()
        .par_iter()
        .map(|c| column(table, c))
        .collect()
}

fn column(table: &Table, column: &Column) -> ColumnProfile {
    let nature = survey::nature(&column.cells);
    let truths = matches!(column.cells, Cells::Bool(_)) || survey::is_truths(&column.cells);
    let numeric = nature == Nature::Numbers && !truths;
    let mut found = ColumnProfile {
        name: column.name.clone(),
        kind: ColumnKind::Text,
        missing: 0,
        first_missing: None,
        bad: 0,
        first_bad: Vec::new(),
        numbers_rows: false,
        values: Values::None,
    };
    let mut usable = Vec::new();
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
                usable.push(v);
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
    found.kind = match () {
        _ if values == 0 => ColumnKind::Blank,
        _ if truths => ColumnKind::Truth,
        _ if matches!(nature, Nature::Lists(_)) => ColumnKind::Lists,
        _ if !numeric => ColumnKind::Text,
        _ if fractions || found.bad == values => ColumnKind::Numbers,
        _ => ColumnKind::WholeNumbers,
    };
    let all = usable.len() == table.rows();
    found.values = match found.kind {
        ColumnKind::Numbers | ColumnKind::WholeNumbers => {
            NumberSummary::of(usable).map_or(Values::None, Values::Numbers)
        }
        ColumnKind::Truth | ColumnKind::Text => {
            let mut words = Words::default();
            words.add(&column.cells);
            let (distinct, frequent) = words.frequent(FREQUENT);
            Values::Words { distinct, frequent }
        }
        ColumnKind::Lists | ColumnKind::Blank => Values::None,
    };
    found.numbers_rows = found.kind == ColumnKind::WholeNumbers
        && all
        && table.rows() > 1
        && found.values.distinct() == Some(table.rows());
    found
}

/// Whether a column only names rows, by its name: it is called `id`, `index` or the like; or,
/// where nearly all of its values are different, a word of its name is `id`, or the name ends
/// so, as `customerId`, `userid` and `PID` do.
pub fn names_rows(name: &str, all_different: bool) -> bool {
    let name = name.trim();
    let lower = name.to_lowercase();
    if matches!(lower.as_str(), "id" | "index" | "uuid" | "guid") {
        return true;
    }
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let one_word = lower.chars().all(char::is_alphanumeric);
    let ends = one_word && lower.ends_with("id") && !ENDING_IN_ID.contains(&lower.as_str());
    all_different && (ends || words.any(|word| matches!(word, "id" | "uuid" | "guid")))
}

/// English words that end in "id" and name a quantity.
const ENDING_IN_ID: [&str; 10] = [
    "paid", "unpaid", "prepaid", "bid", "mid", "acid", "grid", "humid", "covid", "fluid",
];

/// Names of columns that number rows, if they hold all numbers from the first to the last.
const NUMBERINGS: [&str; 16] = [
    "", "#", "no", "no.", "nr", "nr.", "number", "row", "rownames", "order", "record", "case",
    "seq", "sequence", "obs", "sample",
];

/// Whether a column numbers the rows, by its name and its numbers: whole, all different, none
/// left out.
///
/// # Errors
/// [`crate::Error::Column`] when there is no such column.
pub(crate) fn counts_rows(table: &Table, name: &str) -> Result<bool> {
    if !NUMBERINGS.contains(&name.trim().to_lowercase().as_str()) || !numbers_rows(table, name)? {
        return Ok(false);
    }
    let cells = &table.column(name)?.cells;
    let decimal = table.origin().decimal();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in (0..table.rows()).filter_map(|row| number(cells, row, decimal).ok()) {
        (low, high) = (low.min(value), high.max(value));
    }
    Ok(high - low + 1.0 == table.rows() as f64)
}

/// Whether the cells of a column are all different whole numbers
/// ([`ColumnProfile::numbers_rows`]).
///
/// # Errors
/// [`crate::Error::Column`] when there is no such column.
pub fn numbers_rows(table: &Table, name: &str) -> Result<bool> {
    Ok(column(table, table.column(name)?).numbers_rows)
}

/// The first cell of a text column that is meant to be numbers and holds none that can be
/// read: amounts of money, percentages, numbers with a unit, lists that numpy has cut short.
///
/// # Errors
/// [`crate::Error::Column`] when there is no such column.
pub fn meant_as_numbers(table: &Table, name: &str) -> Result<Option<BadCell>> {
    let Cells::Text(cells) = &table.column(name)?.cells else {
        return Ok(None);
    };
    let (mut first, mut meant, mut all) = (None, 0_usize, 0_usize);
    for row in 0..cells.len() {
        let Some(text) = cells.get(row).filter(|t| !numbers::is_missing(t)) else {
            continue;
        };
        all += 1;
        let number = numbers::is_number(text) == Some(true);
        if number || is_nearly_number(text) {
            meant += 1;
            if !number {
                first.get_or_insert(row);
            }
        }
    }
    let bad = |row: usize| BadCell {
        place: table.origin().place(row),
        value: clean(cells.get(row).unwrap_or_default(), 60),
    };
    Ok(first.filter(|_| 2 * meant >= all).map(bad))
}

/// Whether a text is a number but for a sign of money or measure at an end, or a list with
/// numbers left out.
fn is_nearly_number(text: &str) -> bool {
    let text = text.trim();
    if lists::looks_like_one(text) {
        return text.contains("...") && text.contains(|c: char| c.is_ascii_digit());
    }
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+');
    let Some((from, to)) = text.find(number).zip(text.rfind(number)) else {
        return false;
    };
    let around = [&text[..from], &text[to + 1..]];
    around.iter().all(|t| t.chars().count() <= 4)
        && around.iter().any(|t| !t.is_empty())
        && numbers::is_number(text[from..=to].trim()) == Some(true)
}

/// Fewer letters than this, and two classes that differ by one are no likely mistake.
const LETTERS: usize = 5;

/// Most classes that are compared letter by letter.
pub const COMPARED: usize = 1_000;

/// Most classes that one class is compared with, the most frequent ones.
const RIVALS: usize = 200;

/// Two classes of which the first is likely a mistyped second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alike {
    /// The rarer one, and its labels.
    pub odd: (String, usize),
    /// The other one, and its labels.
    pub usual: (String, usize),
    /// How they differ.
    pub by: Difference,
}

/// How two classes differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// They are one number written twice, or differ by letter case and spaces only.
    Spelling,
    /// By one letter.
    Letter,
}

/// Pairs of classes of which the first is likely a mistyped second: they are equal as
/// numbers or but for letter case and spaces, or a class of one or two labels differs by one
/// letter from one of five times as many.
///
/// Letters are compared among at most [`COMPARED`] classes, with the most frequent ones of
/// them; numbers never. Cost otherwise: one pass over the names.
pub fn alike(counts: &[(String, usize)]) -> Vec<Alike> {
    let folded: Vec<String> = counts.iter().map(|(name, _)| folded(name)).collect();
    // Of the classes that are spelled alike, the most frequent one; the first of equals.
    let mut usual: HashMap<&str, usize> = HashMap::new();
    for (at, name) in folded.iter().enumerate() {
        let best = usual.entry(name).or_insert(at);
        if counts[at].1 > counts[*best].1 {
            *best = at;
        }
    }
    let is_word = |name: &str| name.parse::<f64>().is_err();
    let mut rivals: Vec<usize> = (0..counts.len())
        .filter(|&at| counts[at].1 >= 5 && is_word(&counts[at].0))
        .collect();
    rivals.sort_by_key(|&at| std::cmp::Reverse(counts[at].1));
    rivals.truncate(RIVALS);
    let mut found = Vec::new();
    for (at, (name, count)) in counts.iter().enumerate() {
        let pair = |other: usize, by| Alike {
            odd: counts[at].clone(),
            usual: counts[other].clone(),
            by,
        };
        match usual.get(folded[at].as_str()) {
            Some(&best) if best != at => {
                found.push(pair(best, Difference::Spelling));
                continue;
            }
            _ => {}
        }
        let letters = name.chars().count();
        if *count > 2 || letters < LETTERS || counts.len() > COMPARED || !is_word(name) {
            continue;
        }
        let one_off = |at: &&usize| {
            let (text, more) = &counts[**at];
            *more >= 5 * count && text.chars().count().abs_diff(letters) <= 1
        };
        let close = rivals.iter().filter(one_off);
        let close = closest_name(name, close.map(|&at| counts[at].0.as_str()));
        let other = close.and_then(|text| rivals.iter().find(|&&at| counts[at].0 == text));
        found.extend(other.map(|&other| pair(other, Difference::Letter)));
    }
    found
}

/// A name without what makes no difference: spaces, letter case, how a number is written.
fn folded(name: &str) -> String {
    match name.trim().parse::<f64>() {
        Ok(v) if v.is_finite() => numbers::as_label(v),
        _ => name.split_whitespace().collect::<String>().to_lowercase(),
    }
}
