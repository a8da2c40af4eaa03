//! Exact nearest neighbours, by tiles of squared distances.
//!
//! Every distance is computed; a row keeps the best it has seen and the
//! distance of its k-th as a threshold, so that almost every entry of a tile is
//! dismissed by one vector comparison. Which rows are found depends on the
//! distances alone: ties go to the smaller index, whatever the thread count.

use pulp::{Arch, Simd, WithSimd};

use super::Points;
use crate::error::{Error, Result};
use crate::linalg::pairwise::{Anchors, Geometry, PANEL, ROWS};
use crate::linalg::tiles;
use crate::monitor::Monitor;

/// Entries a row is scanned by at a time.
const CHUNK: usize = 16;

/// The k nearest rows of each sample, nearest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbours {
    /// Neighbours of each sample.
    pub k: usize,
    /// k row numbers for each sample, one sample after the other, sorted by
    /// (distance, row number).
    pub index: Vec<u32>,
    /// Their squared distances.
    pub squared: Vec<f64>,
}

impl Neighbours {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.index.len().checked_div(self.k).unwrap_or(0)
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The neighbours of sample `i` with their squared distances, nearest first.
    pub fn of(&self, i: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let own = i * self.k..(i + 1) * self.k;
        let index = self.index[own.clone()].iter().copied();
        index.zip(self.squared[own].iter().copied())
    }
}

/// The k nearest other rows of each row.
///
/// A row is never its own neighbour; a duplicate of it is one, at distance 0.
/// Cost: O(n²d) time, O(nk) memory and one tile of 256 KiB a thread.
///
/// # Errors
/// [`Error::Parameter`] when k is 0 or not below the number of rows;
/// [`Error::Cancelled`] when the monitor breaks.
pub fn neighbours(points: &Points, k: usize, monitor: &mut dyn Monitor) -> Result<Neighbours> {
    check(k, points.len() - 1, points.len())?;
    find(points, points, k, Own::Excluded, monitor)
}

/// The k rows of `points` nearest to each row of `queries`.
///
/// A query that is itself among the points finds itself, at distance 0.
/// Cost: O(qnd) time, O(qk) memory and one tile of 256 KiB a thread.
///
/// # Errors
/// As [`neighbours`] with k at most the number of points, and
/// [`Error::Shape`] when the queries have other features.
pub fn search(
    points: &Points,
    queries: &Points,
    k: usize,
    monitor: &mut dyn Monitor,
) -> Result<Neighbours> {
    if queries.dim() != points.dim() {
        return Err(Error::Shape {
            what: "features of the new rows",
            expected: points.dim(),
            got: queries.dim(),
        });
    }
    check(k, points.len(), points.len())?;
    find(points, queries, k, Own::Included, monitor)
}

/// Whether a row may be its own neighbour.
#[derive(Clone, Copy, PartialEq)]
enum Own {
    Included,
    Excluded,
}

fn check(k: usize, most: usize, rows: usize) -> Result<()> {
    if k == 0 || k > most {
        let expected = format!("from 1 to {most} for {rows} rows; lower it or add rows");
        return Err(Error::parameter("neighbours", expected, k));
    }
    if u32::try_from(rows).is_err() {
        return Err(Error::data(
            format!("{rows} rows are more than exact neighbour search can number"),
            "use fewer than 4294967296 rows",
        ));
    }
    Ok(())
}

fn find(
    points: &Points,
    queries: &Points,
    k: usize,
    own: Own,
    monitor: &mut dyn Monitor,
) -> Result<Neighbours> {
    let dim = points.dim();
    let anchors = Anchors::new(Geometry::SquaredDistance, points.as_slice(), dim);
    let mut found = Neighbours {
        k,
        index: vec![0; queries.len() * k],
        squared: vec![0.0; queries.len() * k],
    };
    // Fewer rows a tile where there are so many points that a tile is slow to stop.
    let rows = (STEP / (points.len() * (dim + 16))).clamp(4, ROWS);
    let work: Vec<_> = queries
        .as_slice()
        .chunks(rows * dim)
        .zip(found.index.chunks_mut(rows * k))
        .zip(found.squared.chunks_mut(rows * k))
        .enumerate()
        .map(|(tile, ((rows_of, index), squared))| (tile * rows, rows_of, index, squared))
        .collect();
    tiles::walk(
        "finding neighbours",
        work,
        monitor,
        |(first, rows, index, squared)| {
            let queries = anchors.load(rows);
            let mut scratch = vec![0.0; queries.len() * PANEL];
            let mut best: Vec<Best> = (0..queries.len()).map(|_| Best::new(k)).collect();
            for p in 0..anchors.panels() {
                let panel = anchors.panel(p);
                let tile = anchors.tile(&queries, p, &mut scratch);
                if own == Own::Excluded {
                    for (i, strip) in tile.chunks_mut(panel.len()).enumerate() {
                        if panel.contains(&(first + i)) {
                            strip[first + i - panel.start] = f64::INFINITY;
                        }
                    }
                }
                Arch::new().dispatch(Scan {
                    tile,
                    width: panel.len(),
                    first: panel.start as u32,
                    best: &mut best,
                });
            }
            let slots = index.chunks_mut(k).zip(squared.chunks_mut(k));
            for (best, (index, squared)) in best.iter_mut().zip(slots) {
                best.write(index, squared);
            }
            Ok(())
        },
    )?;
    Ok(found)
}

/// Multiply-adds one tile may take: some tens of milliseconds on one core.
const STEP: usize = 1 << 30;

/// The best candidates of one row; the first k are kept at each pruning.
struct Best {
    k: usize,
    threshold: f64,
    candidates: Vec<(f64, u32)>,
}

impl Best {
    fn new(k: usize) -> Self {
        Self {
            k,
            threshold: f64::INFINITY,
            candidates: Vec::with_capacity(2 * k + CHUNK),
        }
    }

    /// Takes a candidate nearer than the threshold. Candidates come in order
    /// of index, so one that ties with the k-th is rightly dismissed.
    fn push(&mut self, squared: f64, index: u32) {
        self.candidates.push((squared, index));
        if self.candidates.len() >= 2 * self.k + CHUNK {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.candidates.len() <= self.k {
            return;
        }
        self.candidates
            .select_nth_unstable_by(self.k - 1, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.candidates.truncate(self.k);
        self.threshold = self.candidates[self.k - 1].0;
    }

    fn write(&mut self, index: &mut [u32], squared: &mut [f64]) {
        self.prune();
        self.candidates
            .sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for ((index, squared), found) in index.iter_mut().zip(squared).zip(&self.candidates) {
            (*squared, *index) = *found;
        }
    }
}

/// Offers the entries of a tile to their rows.
struct Scan<'a> {
    tile: &'a [f64],
    width: usize,
    first: u32,
    best: &'a mut [Best],
}

impl WithSimd for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (strip, best) in self.tile.chunks_exact(self.width).zip(self.best) {
            for (c, chunk) in strip.chunks(CHUNK).enumerate() {
                if !any_below(chunk, best.threshold) {
                    continue;
                }
                let first = self.first + (c * CHUNK) as u32;
                for (index, &squared) in (first..).zip(chunk) {
                    if squared < best.threshold {
                        best.push(squared, index);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn any_below(chunk: &[f64], threshold: f64) -> bool {
    let mut any = 0_u64;
    for &t in chunk {
        any |= u64::from(t < threshold);
    }
    any != 0
}
