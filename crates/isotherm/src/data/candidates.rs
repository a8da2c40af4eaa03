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
    /// At most k candidates of each row; sorted once there are k.
    rows: Vec<Vec<(f64, u32)>>,
    /// Distance of the k-th, infinite before there is one.
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

    /// Offers one row some candidates, numbered from `first`.
    fn offer_to_row(&mut self, row: usize, squares: &[f64], first: u32) {
        for (index, &t) in (first..).zip(squares) {
            if t <= self.thresholds[row] {
                self.push(row, t, index);
            }
        }
    }

    /// Offers one candidate to the rows from `first` on.
    fn offer_to_rows(&mut self, first: usize, squares: &[f64], index: u32) {
        for (row, &t) in (first..).zip(squares) {
            if t <= self.thresholds[row] {
                self.push(row, t, index);
            }
        }
    }

    /// Takes a candidate in. The first k are sorted when they are complete;
    /// after that each is put in its place and the last drops out.
    fn push(&mut self, row: usize, squared: f64, index: u32) {
        let candidates = &mut self.rows[row];
        let found = (squared, index);
        if candidates.len() < self.k {
            candidates.push(found);
            if candidates.len() < self.k {
                return;
            }
            candidates.sort_unstable_by(order);
        } else {
            // From the far end: a late candidate seldom goes far up.
            let mut at = self.k;
            while at > 0 && order(&found, &candidates[at - 1]).is_lt() {
                at -= 1;
                if at + 1 < self.k {
                    candidates[at + 1] = candidates[at];
                }
            }
            if at == self.k {
                return;
            }
            candidates[at] = found;
        }
        self.thresholds[row] = candidates[self.k - 1].0;
    }
}

/// By distance, then by index.
fn order(a: &(f64, u32), b: &(f64, u32)) -> std::cmp::Ordering {
    // Squared distances are never NaN, nor is 0 negative.
    if a.0 < b.0 || (a.0 == b.0 && a.1 < b.1) {
        std::cmp::Ordering::Less
    } else if a == b {
        std::cmp::Ordering::Equal
    } else {
        std::cmp::Ordering::Greater
    }
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
            let (chunks, rest) = strip.as_chunks::<CHUNK>();
            let mut first = self.first;
            for chunk in chunks {
                let threshold = self.group.thresholds[row];
                // A tie with the k-th may still win by its index.
                if any(chunk, &[threshold; CHUNK]) {
                    self.group.offer_to_row(row, chunk, first);
                }
                first += CHUNK as u32;
            }
            self.group.offer_to_row(row, rest, first);
        }
    }
}

/// Whether any entry is at most its threshold; without a branch, so that it is
/// a few vector comparisons.
#[inline(always)]
fn any(chunk: &[f64; CHUNK], thresholds: &[f64; CHUNK]) -> bool {
    let mut any = 0_u64;
    for (t, threshold) in chunk.iter().zip(thresholds) {
        any |= u64::from(t <= threshold);
    }
    any != 0
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
            let (chunks, rest) = strip.as_chunks::<CHUNK>();
            for (c, chunk) in chunks.iter().enumerate() {
                let (thresholds, _) = self.group.thresholds.as_chunks::<CHUNK>();
                if any(chunk, &thresholds[c]) {
                    self.group.offer_to_rows(c * CHUNK, chunk, index);
                }
            }
            self.group.offer_to_rows(width - rest.len(), rest, index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Candidates;

    /// Offers `(first, columns)` one after the other to 20 rows that see the
    /// same distances, by rows or by columns, and returns what each row kept.
    fn kept(offers: &[(u32, &[f64])], by_rows: bool, k: usize) -> Vec<u32> {
        let mut group = Candidates::new(20, k);
        for (first, squares) in offers {
            let n = squares.len();
            if by_rows {
                group.offer_rows(&squares.repeat(20), *first);
            } else {
                let tile: Vec<f64> = (0..n * 20).map(|at| squares[at / 20]).collect();
                group.offer_columns(&tile, *first);
            }
        }
        let (mut index, mut squared) = (vec![0; 20 * k], vec![0.0; 20 * k]);
        group.write(&mut index, &mut squared);
        assert!(index.chunks(k).all(|own| own == &index[..k]));
        index.truncate(k);
        index
    }

    #[test]
    fn the_order_of_offers_means_nothing_even_among_ties() {
        // 18 candidates: more than one chunk, all at one of two distances.
        let squares: Vec<f64> = (0..36).map(|i| f64::from(1 + i % 2)).collect();
        let low = (0, &squares[..18]);
        let high = (18, &squares[18..]);
        for k in [1, 3, 18, 20, 36] {
            let mut expected: Vec<u32> = (0..36).collect();
            expected.sort_by_key(|i| (i % 2, *i));
            expected.truncate(k);
            for by_rows in [true, false] {
                assert_eq!(kept(&[low, high], by_rows, k), expected);
                assert_eq!(kept(&[high, low], by_rows, k), expected);
            }
        }
    }

    #[test]
    fn not_a_number_is_never_taken() {
        let squares = [2.0, f64::NAN, 1.0];
        assert_eq!(kept(&[(0, &squares)], true, 2), [2, 0]);
    }
}
