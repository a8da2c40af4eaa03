//! Exact nearest neighbours, by tiles of squared distances.
//!
//! Every distance is computed, between the rows of one table only once for both
//! of its ends. Which rows are found depends on the distances alone: ties go to
//! the smaller index, whatever the thread count.

use std::sync::{Mutex, PoisonError};

use super::Points;
use super::candidates::Candidates;
use crate::error::{Error, Result};
use crate::linalg::pairwise::{Anchors, Geometry, PANEL, ROWS};
use crate::linalg::tiles;
use crate::monitor::Monitor;

const PHASE: &str = "finding neighbours";

/// Multiply-adds one tile may take: some tens of milliseconds on one core.
const STEP: usize = 1 << 30;

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
    fn room(samples: usize, k: usize) -> Self {
        Self {
            k,
            index: vec![0; samples * k],
            squared: vec![0.0; samples * k],
        }
    }

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
/// Cost: n²d/2 multiply-adds; O(nk) memory and one tile of 256 KiB a thread.
///
/// # Errors
/// [`Error::Parameter`] when k is 0 or not below the number of rows;
/// [`Error::Cancelled`] when the monitor breaks.
pub fn neighbours(points: &Points, k: usize, monitor: &mut dyn Monitor) -> Result<Neighbours> {
    check(k, points.len() - 1, points.len())?;
    let anchors = Anchors::new(Geometry::SquaredDistance, points.as_slice(), points.dim());
    let panels: Vec<Mutex<Candidates>> = (0..anchors.panels())
        .map(|p| Mutex::new(Candidates::new(anchors.panel(p).len(), k)))
        .collect();
    let rows = block_rows(points.len(), points.dim());
    let blocks = points.as_slice().chunks(rows * points.dim());
    let blocks: Vec<(usize, &[f64])> = blocks.enumerate().collect();
    tiles::walk(PHASE, blocks, monitor, |(b, block)| {
        let queries = anchors.load(block);
        let mut scratch = vec![0.0; queries.len() * PANEL];
        let mut own = Candidates::new(queries.len(), k);
        let first = b * rows;
        // Blocks divide panels: all of a block's rows are in one panel.
        let home = first / PANEL;
        for (p, group) in panels.iter().enumerate().skip(home) {
            let panel = anchors.panel(p);
            let tile = anchors.tile(&queries, p, &mut scratch);
            if p == home {
                for (i, strip) in tile.chunks_mut(panel.len()).enumerate() {
                    // Nothing is nearer than NaN: a row is not offered to itself.
                    strip[first - panel.start + i] = f64::NAN;
                }
            } else {
                lock(group).offer_columns(tile, first as u32);
            }
            own.offer_rows(tile, panel.start as u32);
        }
        lock(&panels[home]).take(first % PANEL, own);
        Ok(())
    })?;
    let mut found = Neighbours::room(points.len(), k);
    let slots = found.index.chunks_mut(PANEL * k);
    for (panel, (index, squared)) in panels
        .iter()
        .zip(slots.zip(found.squared.chunks_mut(PANEL * k)))
    {
        lock(panel).write(index, squared);
    }
    Ok(found)
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
    let (dim, rows) = (points.dim(), block_rows(points.len(), points.dim()));
    let anchors = Anchors::new(Geometry::SquaredDistance, points.as_slice(), dim);
    let mut found = Neighbours::room(queries.len(), k);
    let slots = found.index.chunks_mut(rows * k);
    let slots = slots.zip(found.squared.chunks_mut(rows * k));
    let blocks = queries.as_slice().chunks(rows * dim).zip(slots).collect();
    tiles::walk(PHASE, blocks, monitor, |(block, (index, squared))| {
        let queries = anchors.load(block);
        let mut scratch = vec![0.0; queries.len() * PANEL];
        let mut best = Candidates::new(queries.len(), k);
        for p in 0..anchors.panels() {
            let tile = anchors.tile(&queries, p, &mut scratch);
            best.offer_rows(tile, anchors.panel(p).start as u32);
        }
        best.write(index, squared);
        Ok(())
    })?;
    Ok(found)
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

/// Rows of a block: a power of two that divides a panel, smaller where there
/// are so many points that a block would be slow to stop.
fn block_rows(points: usize, dim: usize) -> usize {
    let rows = (STEP / (points * (dim + 16))).clamp(4, ROWS);
    1 << rows.ilog2()
}

fn lock(panel: &Mutex<Candidates>) -> std::sync::MutexGuard<'_, Candidates> {
    panel.lock().unwrap_or_else(PoisonError::into_inner)
}
