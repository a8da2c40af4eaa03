//! Which rows of a table repeat an earlier one.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Range;

use rayon::prelude::*;

use super::Points;
use crate::error::Result;
use crate::linalg::rows::runs;
use crate::linalg::tiles;
use crate::monitor::Monitor;

const PHASE: &str = "looking for equal rows";

/// Rows hashed in one step.
const STEP: usize = 1024;

/// For each row the first row of the same values, 0 and −0 being the same.
///
/// Rows are sorted by a hash and those of one hash compared. 24 bytes a row.
#[derive(Debug)]
pub struct Distinct {
    first: Vec<usize>,
    count: usize,
}

impl Distinct {
    /// Looks at every row of a table. O(nd + n log n).
    ///
    /// # Errors
    /// [`crate::Error::Cancelled`] when the monitor breaks.
    pub fn of(points: &Points, monitor: &mut dyn Monitor) -> Result<Self> {
        tiles::announce(PHASE, None, monitor)?;
        let keys = RandomState::new();
        let mut hashes = vec![0; points.len()];
        let steps = runs(points.len(), STEP).zip(hashes.chunks_mut(STEP));
        tiles::sweep(PHASE, steps.collect(), monitor, |(rows, hashes)| {
            hash_rows(&keys, points, rows, hashes);
            Ok(())
        })?;
        Ok(Self::grouped(&hashes, points, |i| i))
    }

    /// Looks at some rows of a table, each known by its place in `rows`.
    pub fn among(points: &Points, rows: &[usize]) -> Self {
        let keys = RandomState::new();
        let mut hashes = vec![0; rows.len()];
        (hashes.par_iter_mut().zip(rows))
            .for_each(|(h, &i)| hash_rows(&keys, points, i..i + 1, std::slice::from_mut(h)));
        Self::grouped(&hashes, points, |k| rows[k])
    }

    /// What is found does not depend on the hash, only how fast.
    fn grouped(hashes: &[u64], points: &Points, place: impl Fn(usize) -> usize) -> Self {
        let mut order: Vec<usize> = (0..hashes.len()).collect();
        order.par_sort_unstable_by_key(|&i| (hashes[i], i));
        let mut first: Vec<usize> = (0..hashes.len()).collect();
        let mut count = 0;
        for group in order.chunk_by(|a, b| hashes[*a] == hashes[*b]) {
            if let [_] = group {
                count += 1;
                continue;
            }
            let mut known: Vec<usize> = Vec::new();
            for &i in group {
                match (known.iter()).find(|k| same(points, place(**k), place(i))) {
                    Some(earlier) => first[i] = *earlier,
                    None => known.push(i),
                }
            }
            count += known.len();
        }
        Self { first, count }
    }

    /// The first row that equals row `i`.
    pub fn first(&self, i: usize) -> usize {
        self.first[i]
    }

    /// How many different rows there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Rows whose label differs from that of an earlier equal row, each with the first
    /// such row, ascending: no method can tell the two apart.
    pub fn conflicts(&self, labels: &[Option<u32>]) -> Vec<(usize, usize)> {
        let mut known: Vec<Option<usize>> = vec![None; self.first.len()];
        let mut found = Vec::new();
        for (row, (&first, label)) in self.first.iter().zip(labels).enumerate() {
            match (label, known[first]) {
                (None, _) => {}
                (Some(_), None) => known[first] = Some(row),
                (Some(_), Some(earlier)) if labels[earlier] == *label => {}
                (Some(_), Some(earlier)) => found.push((row, earlier)),
            }
        }
        found
    }

    /// The rows that repeat none before them, ascending.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        (0..self.first.len()).filter(|&i| self.first[i] == i)
    }
}

/// One hash for each of these rows; of sparse rows, of the numbers that are not zero.
fn hash_rows(keys: &RandomState, points: &Points, rows: Range<usize>, hashes: &mut [u64]) {
    if let Some(sparse) = points.as_sparse() {
        for (i, hash) in rows.zip(hashes) {
            let (columns, values) = sparse.row(i);
            let mut state = keys.build_hasher();
            columns.iter().for_each(|c| state.write_u32(*c));
            values.iter().for_each(|v| state.write_u64(v.to_bits()));
            *hash = state.finish();
        }
        return;
    }
    let tile = points.tile(rows);
    for (row, hash) in tile.chunks_exact(points.dim()).zip(hashes) {
        let mut state = keys.build_hasher();
        // −0 + 0 = 0
        row.iter()
            .for_each(|v| state.write_u64((v + 0.0).to_bits()));
        *hash = state.finish();
    }
}

fn same(points: &Points, i: usize, j: usize) -> bool {
    match points.as_sparse() {
        Some(rows) => rows.row(i) == rows.row(j),
        None => points.row(i) == points.row(j),
    }
}
