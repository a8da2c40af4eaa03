//! The upper triangle, a run of rows at a time, and its mirror image.

use super::buckets::{Bucket, PHASE};
use super::mapped::{Mapped, zeros};
use super::rules::Duplicates;
use crate::error::Result;
use crate::linalg::tiles;
use crate::monitor::Monitor;

/// Consecutive rows of the upper triangle (diagonal included): sorted, each
/// pair once.
pub(super) struct UpperTriangle {
    first: usize,
    lengths: Vec<u32>,
    pub(super) columns: Mapped<u32>,
    weights: Mapped<f64>,
    /// Edges that fell together with another.
    pub(super) merged: usize,
    /// Pairs whose weights differed.
    pub(super) asymmetric: usize,
    /// The first pair that came more than once.
    pub(super) repeated: Option<[u32; 2]>,
}

impl UpperTriangle {
    /// Sorts a bucket by counting, then each row, and merges what is equal.
    pub(super) fn of(bucket: &Bucket<'_>, rule: Duplicates, weighted: bool) -> Result<Self> {
        let first = bucket.rows.start;
        let mut triangle = Self {
            first,
            lengths: zeros(bucket.rows.len(), "the rows of a graph")?,
            columns: Mapped::default(),
            weights: Mapped::default(),
            merged: 0,
            asymmetric: 0,
            repeated: None,
        };
        let mut ends = row_begins(bucket)?;
        let edges = ends[bucket.rows.len()];
        if weighted {
            let mut entries: Vec<(u32, f64)> = zeros(edges, "the entries of a graph")?;
            for ([low, high], w) in bucket.pairs.iter().zip(bucket.weights) {
                let at = &mut ends[*low as usize - first];
                entries[*at] = (*high, *w);
                *at += 1;
            }
            triangle.merge_weighted(&mut entries, &ends, rule)?;
        } else {
            let mut columns: Vec<u32> = zeros(edges, "the entries of a graph")?;
            for [low, high] in bucket.pairs {
                let at = &mut ends[*low as usize - first];
                columns[*at] = *high;
                *at += 1;
            }
            triangle.merge(columns, &ends)?;
        }
        Ok(triangle)
    }

    /// Keeps each neighbour once; `ends` are the rows' ends in `columns`.
    fn merge(&mut self, mut columns: Vec<u32>, ends: &[usize]) -> Result<()> {
        let (mut from, mut kept) = (0, 0);
        for (r, &to) in ends[..self.lengths.len()].iter().enumerate() {
            columns[from..to].sort_unstable();
            let begin = kept;
            for e in from..to {
                let column = columns[e];
                if kept > begin && columns[kept - 1] == column {
                    self.repeat(r, column);
                } else {
                    columns[kept] = column;
                    kept += 1;
                }
            }
            self.lengths[r] = (kept - begin) as u32;
            from = to;
        }
        self.columns = Mapped::copy_of(&columns[..kept])?;
        Ok(())
    }

    /// As [`UpperTriangle::merge`], by the rule for weights. Equal neighbours are taken
    /// in ascending order of weight, so that a sum has one value.
    fn merge_weighted(
        &mut self,
        entries: &mut [(u32, f64)],
        ends: &[usize],
        rule: Duplicates,
    ) -> Result<()> {
        let mut columns = Vec::with_capacity(entries.len());
        let mut weights = Vec::with_capacity(entries.len());
        let mut from = 0;
        for (r, &to) in ends[..self.lengths.len()].iter().enumerate() {
            let row = &mut entries[from..to];
            row.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            let begin = columns.len();
            for same in row.chunk_by(|a, b| a.0 == b.0) {
                let (column, least) = same[0];
                let most = same[same.len() - 1].1;
                for _ in 1..same.len() {
                    self.repeat(r, column);
                }
                self.asymmetric += usize::from(least != most);
                let sum = || same.iter().map(|s| s.1).sum::<f64>();
                columns.push(column);
                weights.push(match rule {
                    Duplicates::Max | Duplicates::Refuse => most,
                    Duplicates::Sum => sum(),
                    // The mean of equal numbers is that number, to the bit.
                    Duplicates::Mean if least == most => most,
                    Duplicates::Mean => sum() / same.len() as f64,
                });
            }
            self.lengths[r] = (columns.len() - begin) as u32;
            from = to;
        }
        self.columns = Mapped::copy_of(&columns)?;
        self.weights = Mapped::copy_of(&weights)?;
        Ok(())
    }

    fn repeat(&mut self, row: usize, column: u32) {
        self.merged += 1;
        (self.repeated).get_or_insert([(self.first + row) as u32, column]);
    }
}

/// Where each row of the bucket begins once sorted, and one past the last.
fn row_begins(bucket: &Bucket<'_>) -> Result<Vec<usize>> {
    let mut begins: Vec<usize> = zeros(bucket.rows.len() + 1, "the rows of a graph")?;
    for [low, _] in bucket.pairs {
        begins[*low as usize - bucket.rows.start + 1] += 1;
    }
    let mut total = 0;
    for begin in &mut begins {
        total += *begin;
        *begin = total;
    }
    Ok(begins)
}

/// The arrays of a graph: row starts, columns, weights.
type Rows = (Vec<u64>, Vec<u32>, Option<Vec<f64>>);

/// Both triangles from the upper one.
///
/// Row `u` of the upper triangle, taken in ascending `u`, appends `v` to row
/// `u` and `u` to row `v ≥ u`: every row fills in ascending order, its lower
/// neighbours first. `starts` serves as the cursors and is shifted back after.
pub(super) fn mirror(
    triangles: Vec<UpperTriangle>,
    nodes: usize,
    weighted: bool,
    monitor: &mut dyn Monitor,
) -> Result<Rows> {
    let mut starts: Vec<u64> = zeros(nodes + 1, "the rows of a graph")?;
    let mut entries = 0;
    for triangle in &triangles {
        let mut rest: &[u32] = &triangle.columns;
        for (u, &len) in (triangle.first..).zip(&triangle.lengths) {
            let row = rest.split_off(..len as usize).unwrap_or_default();
            let loops = usize::from(row.first().is_some_and(|&v| v as usize == u));
            starts[u] += row.len() as u64;
            for &v in &row[loops..] {
                starts[v as usize] += 1;
            }
            entries += 2 * row.len() - loops;
        }
        tiles::tick(PHASE, monitor)?;
    }
    let mut before = 0;
    for start in &mut starts {
        before += std::mem::replace(start, before);
    }
    let mut columns: Vec<u32> = zeros(entries, "the entries of a graph")?;
    let mut weights: Vec<f64> =
        zeros(if weighted { entries } else { 0 }, "the weights of a graph")?;
    for triangle in triangles {
        fill(&triangle, &mut starts, &mut columns, &mut weights);
        tiles::tick(PHASE, monitor)?;
    }
    starts.copy_within(..nodes, 1);
    starts[0] = 0;
    Ok((starts, columns, weighted.then_some(weights)))
}

fn fill(triangle: &UpperTriangle, cursors: &mut [u64], columns: &mut [u32], weights: &mut [f64]) {
    let (upper, upper_weights): (&[u32], &[f64]) = (&triangle.columns, &triangle.weights);
    let mut e = 0;
    for (u, &len) in (triangle.first..).zip(&triangle.lengths) {
        for _ in 0..len {
            let v = upper[e];
            let at = cursors[u] as usize;
            cursors[u] += 1;
            columns[at] = v;
            let weight = upper_weights.get(e).copied();
            if let Some(w) = weight {
                weights[at] = w;
            }
            if v as usize != u {
                let at = cursors[v as usize] as usize;
                cursors[v as usize] += 1;
                columns[at] = u as u32;
                if let Some(w) = weight {
                    weights[at] = w;
                }
            }
            e += 1;
        }
    }
}
