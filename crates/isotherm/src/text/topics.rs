//! Latent semantic analysis: the directions in which weighted terms of texts vary together.
//!
//! S. Deerwester, S. Dumais, G. Furnas, T. Landauer and R. Harshman, *Indexing by latent
//! semantic analysis* (1990). It uses all texts, labelled or not: two texts without a common
//! term are near where other texts have terms of both.

use std::collections::HashMap;

use super::term_matrix::{Sparse, Squared};
use super::terms::{self, TermHash, TermKind, each_term};
use crate::error::{Error, Result};
use crate::linalg::Mat;
use crate::linalg::distance::normalise;
use crate::monitor::Monitor;
use crate::solve::eigenpairs::{LeadingOptions, leading};

/// Topics at most.
pub(crate) const TOPICS: usize = 100;

/// Texts that topics are learned from at most, evenly spaced.
const LEARNED_FROM: usize = 20_000;

/// Words and runs of letters that are known at most, the most frequent ones.
const WORDS: usize = 10_000;
const LETTER_RUNS: usize = 20_000;

/// Texts that must have a word, or a run of letters, for it to be known.
const AT_LEAST: [usize; 2] = [2, 3];

/// A term that more than this share of the texts has says nothing.
const COMMON: f64 = 0.5;

/// An eigenvalue below this part of the largest is rounding.
const NOTHING: f64 = 1e-10;

/// What turns a text into a point of length one, learned from all texts, labelled or not.
///
/// Terms count `(1 + ln tf)·(1 + ln((1 + n)/(1 + df)))`; words and runs of letters are each
/// brought to length √½. The point is the product with the leading right singular vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Topics {
    /// The known terms, ascending.
    terms: Vec<TermHash>,
    /// What an occurrence of each counts.
    weights: Vec<f64>,
    /// Terms × topics, row by row.
    directions: Vec<f32>,
    count: usize,
}

impl Topics {
    /// Learns from texts; `None` where no term is in two of them and out of half of them.
    ///
    /// # Errors
    /// As [`leading`].
    pub fn learn(texts: &[&str], monitor: &mut dyn Monitor) -> Result<Option<Self>> {
        let step = texts.len().div_ceil(LEARNED_FROM).max(1);
        let texts: Vec<&str> = texts.iter().step_by(step).copied().collect();
        let (terms, weights) = vocabulary(&texts);
        if terms.is_empty() {
            return Ok(None);
        }
        let mut topics = Self {
            terms,
            weights,
            directions: Vec::new(),
            count: 0,
        };
        let mut matrix = Sparse::default();
        for text in &texts {
            for (term, value) in topics.weighted(text) {
                matrix.columns.push(u32::try_from(term).unwrap_or(u32::MAX));
                matrix.values.push(value);
            }
            matrix.ends.push(matrix.columns.len());
        }
        let transposed = matrix.transposed(topics.terms.len());
        topics.find(&matrix, &transposed, monitor)?;
        Ok((topics.count > 0).then_some(topics))
    }

    /// The leading right singular vectors, by the smaller of the two squares of the matrix.
    fn find(&mut self, rows: &Sparse, columns: &Sparse, monitor: &mut dyn Monitor) -> Result<()> {
        let by_rows = rows.ends.len() < columns.ends.len();
        let square = if by_rows {
            Squared {
                matrix: rows,
                transposed: columns,
            }
        } else {
            Squared {
                matrix: columns,
                transposed: rows,
            }
        };
        let options = LeadingOptions {
            tolerance: 1e-4,
            ..LeadingOptions::default()
        };
        let most = TOPICS.min(square.matrix.ends.len());
        let found = leading(&square, most, &options, monitor)?;
        let largest = found.values.first().copied().unwrap_or(0.0);
        let is_there = |value: &&f64| **value > NOTHING * largest;
        self.count = found.values.iter().take_while(is_there).count();
        let vectors = found.vectors.as_ref().subcols(0, self.count);
        let directions: Mat<f64> = if by_rows {
            let mut directions = columns.times(vectors);
            for (j, value) in found.values.iter().take(self.count).enumerate() {
                let length = value.sqrt();
                directions.col_mut(j).iter_mut().for_each(|v| *v /= length);
            }
            directions
        } else {
            vectors.to_owned()
        };
        self.directions = (0..self.terms.len())
            .flat_map(|i| {
                directions
                    .row(i)
                    .iter()
                    .map(|v| *v as f32)
                    .collect::<Vec<_>>()
            })
            .collect();
        Ok(())
    }

    /// From stored parts: terms, what each counts, and their directions, term by term.
    ///
    /// # Errors
    /// [`Error::Refused`] when they do not belong together.
    pub fn from_parts(terms: Vec<u64>, weights: Vec<f64>, directions: Vec<f32>) -> Result<Self> {
        let count = directions.len().checked_div(terms.len()).unwrap_or(0);
        let sorted = terms.windows(2).all(|pair| pair[0] < pair[1]);
        let usable = weights.iter().all(|w| *w > 0.0 && w.is_finite())
            && directions.iter().all(|d| d.abs() <= 2.0);
        let fits = weights.len() == terms.len() && directions.len() == count * terms.len();
        if !(sorted && usable && fits && (1..=TOPICS).contains(&count)) {
            return Err(Error::data(
                "the terms of a text column and their topics do not belong together",
                "fit the model again",
            ));
        }
        Ok(Self {
            terms,
            weights,
            directions,
            count,
        })
    }

    /// What [`Topics::from_parts`] takes.
    pub fn parts(&self) -> (&[u64], &[f64], &[f32]) {
        (&self.terms, &self.weights, &self.directions)
    }

    /// Whether a letter belongs to a script that puts no spaces between words.
    pub fn is_unspaced(letter: char) -> bool {
        terms::is_unspaced(letter)
    }

    /// How many topics there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many terms are known.
    pub fn known_terms(&self) -> usize {
        self.terms.len()
    }

    /// Where a text stands: a point of length one, or zero where no term of it is known.
    pub fn place(&self, text: &str) -> Vec<f64> {
        let mut point = vec![0.0; self.count];
        for (term, value) in self.weighted(text) {
            let direction = &self.directions[term * self.count..(term + 1) * self.count];
            for (p, d) in point.iter_mut().zip(direction) {
                *p += value * f64::from(*d);
            }
        }
        normalise(&mut point);
        point
    }

    /// The known terms of a text with their weights, in the order of the terms.
    fn weighted(&self, text: &str) -> Vec<(usize, f64)> {
        let mut found: Vec<(usize, bool)> = Vec::new();
        each_term(text, |kind, hash| {
            if let Ok(term) = self.terms.binary_search(&hash) {
                found.push((term, kind == TermKind::Word));
            }
        });
        found.sort_unstable();
        let mut squares = [0.0; 2];
        let mut weighted: Vec<(usize, bool, f64)> = Vec::new();
        for same in found.chunk_by(|a, b| a == b) {
            let (term, word) = same[0];
            let value = (1.0 + (same.len() as f64).ln()) * self.weights[term];
            squares[usize::from(word)] += value * value;
            weighted.push((term, word, value));
        }
        let scaled = |(term, word, value): (usize, bool, f64)| {
            (term, value / (2.0 * squares[usize::from(word)]).sqrt())
        };
        weighted.into_iter().map(scaled).collect()
    }
}

/// The terms that are known, ascending, and what each counts.
fn vocabulary(texts: &[&str]) -> (Vec<TermHash>, Vec<f64>) {
    let mut counts: [HashMap<TermHash, usize>; 2] = Default::default();
    let mut here: Vec<(bool, TermHash)> = Vec::new();
    for text in texts {
        here.clear();
        each_term(text, |kind, hash| here.push((kind == TermKind::Run, hash)));
        here.sort_unstable();
        here.dedup();
        for (run, hash) in &here {
            *counts[usize::from(*run)].entry(*hash).or_default() += 1;
        }
    }
    let n = texts.len() as f64;
    let mut known: Vec<(TermHash, f64)> = Vec::new();
    for ((counts, least), most) in counts.iter().zip(AT_LEAST).zip([WORDS, LETTER_RUNS]) {
        let mut kept: Vec<(usize, TermHash)> = counts
            .iter()
            .map(|(hash, count)| (*count, *hash))
            .filter(|(count, _)| *count >= least && *count as f64 <= COMMON * n)
            .collect();
        kept.sort_unstable_by(|a, b| b.cmp(a));
        kept.truncate(most);
        let weight = |count: usize| 1.0 + ((1.0 + n) / (1.0 + count as f64)).ln();
        known.extend(kept.into_iter().map(|(count, hash)| (hash, weight(count))));
    }
    known.sort_unstable_by_key(|(hash, _)| *hash);
    known.into_iter().unzip()
}
