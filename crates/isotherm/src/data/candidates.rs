//! The nearest candidates of a group of rows, kept while tiles of distances pass by.
//!
//! A row keeps the best it has seen and the distance of its k-th as a
//! threshold, so that almost every entry of a tile is dismissed by a vector
//! comparison. What is kept is the first k in the order (distance, index) of all
//! that was offered, whatever the order it was offered in.

use pulp::{Arch, Simd, WithSimd};

/// Entries looked at together.
const CHUNK: usize = 16;

/// The best candidates of a group of rows.
#[derive(Debug)]
pub(super) struct Candidates {
    k: usize,
    /// Candidates of each row; the best k are kept at each pruning.
    rows: Vec<Vec<(f64, u32)>>,
    /// Distance of the k-th at the last pruning, infinite before it.
    thresholds: Vec<f64>,
}

impl Candidates {
    /// No candidate yet for any of `rows` rows.
    pub(super) fn new(rows: usize, k: usize) -> Self {
        Self {
            k,
            rows: vec![Vec::new(); rows],
            thresholds: vec![f64::INFINITY; rows],
        }
    }

    /// Offers a tile whose rows are this group's and whose columns are
    /// candidates, numbered from `first`. NaN is never taken.
    pub(super) fn offer_rows(&mut self, tile: &[f64], first: u32) {
        Arch::new().dispatch(Rows {
            group: self,
            tile,
            first,
        });
    }

    /// Offers a tile whose columns are this group's rows and whose rows are
    /// candidates, numbered from `first`.
    pub(super) fn offer_columns(&mut self, tile: &[f64], first: u32) {
        Arch::new().dispatch(Columns {
            group: self,
            tile,
            first,
        });
    }

    /// Takes over another group's candidates for the rows from `at` on.
    pub(super) fn take(&mut self, at: usize, other: Self) {
        for (row, candidates) in (at..).zip(other.rows) {
            for (squared, index) in candidates {
                self.push(row, squared, index);
            }
        }
    }

    /// Writes the k nearest of each row, nearest first.
    pub(super) fn write(&mut self, index: &mut [u32], squared: &mut [f64]) {
        let slots = index.chunks_mut(self.k).zip(squared.chunks_mut(self.k));
        for (row, (index, squared)) in self.rows.iter_mut().zip(slots) {
            row.sort_unstable_by(order);
            for ((index, squared), found) in index.iter_mut().zip(squared).zip(row) {
                (*squared, *index) = *found;
            }
        }
    }

    fn push(&mut self, row: usize, squared: f64, index: u32) {
        let candidates = &mut self.rows[row];
        candidates.push((squared, index));
        if candidates.len() >= 2 * self.k + CHUNK {
            candidates.select_nth_unstable_by(self.k - 1, order);
            candidates.truncate(self.k);
            self.thresholds[row] = candidates[self.k - 1].0;
        }
    }
}

/// By distance, then by index.
fn order(a: &(f64, u32), b: &(f64, u32)) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

struct Rows<'a> {
    group: &'a mut Candidates,
    tile: &'a [f64],
    first: u32,
}

impl WithSimd for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let width = self.tile.len() / self.group.rows.len();
        for (row, strip) in self.tile.chunks_exact(width).enumerate() {
            for (c, chunk) in strip.chunks(CHUNK).enumerate() {
                let threshold = self.group.thresholds[row];
                let mut any = 0_u64;
                for &t in chunk {
                    // A tie with the k-th may still win by its index.
                    any |= u64::from(t <= threshold);
                }
                if any == 0 {
                    continue;
                }
                let first = self.first + (c * CHUNK) as u32;
                for (index, &t) in (first..).zip(chunk) {
                    if t <= self.group.thresholds[row] {
                        self.group.push(row, t, index);
                    }
                }
            }
        }
    }
}

struct Columns<'a> {
    group: &'a mut Candidates,
    tile: &'a [f64],
    first: u32,
}

impl WithSimd for Columns<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let width = self.group.rows.len();
        for (index, strip) in (self.first..).zip(self.tile.chunks_exact(width)) {
            for (c, chunk) in strip.chunks(CHUNK).enumerate() {
                let at = c * CHUNK;
                let mut any = 0_u64;
                for (t, threshold) in chunk.iter().zip(&self.group.thresholds[at..]) {
                    any |= u64::from(t <= threshold);
                }
                if any == 0 {
                    continue;
                }
                for (row, &t) in (at..).zip(chunk) {
                    if t <= self.group.thresholds[row] {
                        self.group.push(row, t, index);
                    }
                }
            }
        }
    }
}
