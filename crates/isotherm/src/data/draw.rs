//! A random sample of rows that does not depend on how they come.
//!
//! Every row number has a key, a hash of it and the seed; the rows of the smallest keys
//! are the sample. Keys are drawn alike and independently, so every set of rows is as
//! likely as another, and the smallest of a union are among the smallest of its parts.

use std::collections::BTreeMap;

/// The rows of the smallest keys so far.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draw {
    size: usize,
    seed: u64,
    rows: BTreeMap<(u64, usize), Vec<f64>>,
}

impl Draw {
    pub(super) fn new(size: usize, seed: u64) -> Self {
        Self {
            size: size.max(1),
            seed,
            rows: BTreeMap::new(),
        }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Looks at one row.
    pub(super) fn offer(&mut self, number: usize, row: &[f64]) {
        let key = (self.key(number), number);
        let full = self.rows.len() >= self.size;
        if full && (self.rows.last_key_value()).is_some_and(|(last, _)| *last < key) {
            return;
        }
        self.rows.insert(key, row.to_vec());
        if self.rows.len() > self.size {
            self.rows.pop_last();
        }
    }

    /// Takes in what was drawn of other rows.
    pub(super) fn merge(&mut self, other: &Self) {
        for ((_, number), row) in &other.rows {
            self.offer(*number, row);
        }
    }

    /// The rows by their numbers, ascending.
    pub(super) fn rows(&self) -> Vec<(usize, &[f64])> {
        let rows = self.rows.iter();
        let mut rows: Vec<_> = rows.map(|((_, i), row)| (*i, row.as_slice())).collect();
        rows.sort_unstable_by_key(|(number, _)| *number);
        rows
    }

    fn key(&self, number: usize) -> u64 {
        mixed(mixed(self.seed) ^ number as u64)
    }
}

/// SplitMix64: G. L. Steele, D. Lea and C. H. Flood, *Fast splittable pseudorandom number
/// generators*, OOPSLA 2014.
fn mixed(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
