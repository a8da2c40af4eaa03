//! What columns hold, found from their cells.

use rayon::prelude::*;

use crate::table::cells::{Cells, TextCells};
use crate::table::lists;
use crate::table::numbers;
use crate::table::one_hot::Words;

/// Cells that one worker looks at.
const PANEL: usize = 1 << 10;

/// Panels between two looks at what was found.
const ROUND: usize = 32;

/// What a column is to a choice of features.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Nature {
    /// Numbers, or truth values.
    Numbers,
    /// Lists of numbers; the length of the first, if there is one.
    Lists(Option<usize>),
    /// Texts that are neither.
    Words(Words),
}

/// What has been seen of a column.
#[derive(Debug, Clone, Default)]
struct Seen {
    numbers: usize,
    lists: usize,
    texts: usize,
    /// Truth values written out, which are texts unless there is nothing else.
    truths: usize,
    /// Length of the first list.
    length: Option<usize>,
}

impl Seen {
    fn count(&mut self, cells: &TextCells) {
        let panels = cells.len().div_ceil(PANEL);
        for first in (0..panels).step_by(ROUND) {
            let round = (first..panels.min(first + ROUND)).into_par_iter();
            let parts: Vec<Self> = round
                .map(|panel| {
                    let mut part = Self::default();
                    part.count_texts(cells, PANEL * panel..cells.len().min(PANEL * (panel + 1)));
                    part
                })
                .collect();
            for part in parts {
                self.numbers += part.numbers;
                self.lists += part.lists;
                self.texts += part.texts;
                self.truths += part.truths;
                self.length = self.length.or(part.length);
            }
            // More than half of all: the rest cannot change it.
            if 2 * self.numbers > cells.len() {
                return;
            }
        }
    }

    fn count_texts(&mut self, cells: &TextCells, rows: std::ops::Range<usize>) {
        let mut scratch = Vec::new();
        for text in rows.filter_map(|row| cells.get(row)) {
            // A number in either spelling counts: such a column is meant to be
            // numbers, and is refused by name rather than left out.
            match numbers::is_number(text) {
                // As a number it would be another one.
                Some(true) if numbers::is_inexact_whole(text) => self.texts += 1,
                Some(true) => self.numbers += 1,
                Some(false) if lists::looks_like_one(text) => {
                    scratch.clear();
                    if lists::parse(text, &mut scratch) {
                        self.lists += 1;
                        self.length = self.length.or(Some(scratch.len()));
                    } else {
                        self.texts += 1;
                    }
                }
                Some(false) => {
                    self.texts += 1;
                    self.truths += usize::from(truth(text).is_some());
                }
                None => {}
            }
        }
    }

    /// Numbers, when at least half of the cells that have a value are; lists
    /// likewise. One typing mistake then is an error with its line, not a column
    /// that silently goes missing.
    fn is_numbers(&self) -> bool {
        let truths = self.truths > 0 && self.truths == self.texts + self.lists + self.numbers;
        truths || self.numbers > 0 && self.numbers >= self.texts + self.lists
    }

    fn is_lists(&self) -> bool {
        self.lists > 0 && self.lists >= self.texts + self.numbers
    }
}

/// What a column is; its words are counted only where it has words.
pub(crate) fn nature(cells: &Cells) -> Nature {
    let texts = match cells {
        Cells::List(c) => return Nature::Lists(c.first_length()),
        Cells::Text(texts) => texts,
        // A column without a value says nothing, whatever its type.
        typed if typed.is_empty() || has_value(typed) => return Nature::Numbers,
        _ => return Nature::Words(Words::default()),
    };
    let mut seen = Seen::default();
    seen.count(texts);
    if seen.is_numbers() {
        Nature::Numbers
    } else if seen.is_lists() {
        Nature::Lists(seen.length)
    } else {
        let mut words = Words::default();
        words.add(cells);
        Nature::Words(words)
    }
}

/// Whether some cell has a value.
fn has_value(cells: &Cells) -> bool {
    let mut rows = 0..cells.len();
    match cells {
        Cells::Text(c) => rows.any(|row| c.get(row).is_some()),
        Cells::Float(c) => rows.any(|row| c.get(row).is_some_and(|v| !v.is_nan())),
        Cells::Integer(c) => rows.any(|row| c.get(row).is_some()),
        Cells::Bool(c) => rows.any(|row| c.get(row).is_some()),
        Cells::List(c) => rows.any(|row| c.get(row).is_some()),
    }
}

/// A truth value written out as other programs and people write it.
pub(crate) fn truth(text: &str) -> Option<bool> {
    match text.trim() {
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" => Some(true),
        "false" | "False" | "FALSE" | "no" | "No" | "NO" => Some(false),
        _ => None,
    }
}

/// Whether every cell of a text column that has a value is a truth value.
pub(crate) fn is_truths(cells: &Cells) -> bool {
    let Cells::Text(cells) = cells else {
        return false;
    };
    let mut texts = (0..cells.len()).filter_map(|row| cells.get(row));
    texts.all(|text| numbers::is_missing(text) || truth(text).is_some())
}
