//! Exact nearest neighbours, by tiles of squared distances.
//!
//! Every distance is computed, between the rows of one table only once for both
//! of its ends. Which rows are found depends on the distances alone: ties go to
//! the smaller index, whatever the thread count.

use std::sync::{Mutex, PoisonError};

use super::candidates::{Candidates, Named, Side};
use super::lists::{Neighbours, PHASE};
use super::sparse;
use crate::data::Points;
use crate::error::{Error, Refusal, Result};
use crate::linalg::pairwise::{PANEL, ROWS};
use crate::linalg::screen::Screen;
use crate::linalg::tiles;
use crate::monitor::Monitor;

/// Multiply-adds one step may take: some tens of milliseconds on one core.
pub(super) const STEP: usize = 1 << 31;

/// The k nearest other rows of each row.
///
/// A row is never its own neighbour; a duplicate of it is one, at distance 0.
/// Distances are the direct sums `Σ(xᵢ − zᵢ)²` in `f64`; pairs that a bound in
/// single precision excludes are not measured.
/// Cost: n²d/2 multiply-adds in `f32`; 4nd + 28nk bytes and one tile a thread.
///
/// # Errors
/// [`Error::Parameter`] when k is 0 or not below the number of rows;
/// [`Error::Cancelled`] when the monitor breaks.
pub fn neighbours(points: &Points, k: usize, monitor: &mut dyn Monitor) -> Result<Neighbours> {
    check(k, points.len() - 1, points.len())?;
    if points.is_sparse() {
        return sparse::nearest(points, None, k, monitor);
    }
    let dim = points.dim();
    let screen = Screen::over(points, cuts(points.len()), None);
    let ids: Vec<u32> = (0..points.len() as u32).collect();
    let all = Named {
        rows: points,
        ids: &ids,
    };
    let panels: Vec<Mutex<Candidates>> = (0..screen.panels())
        .map(|p| Mutex::new(Candidates::new(screen.halves(p), k)))
        .collect();
    let span = span(dim);
    let steps = (0..points.len()).step_by(ROWS).flat_map(|first| {
        let panels = (first / PANEL..screen.panels()).step_by(span);
        panels.map(move |panel| (first, panel))
    });
    tiles::walk(PHASE, steps.collect(), monitor, |(first, start)| {
        let block = first..(first + ROWS).min(points.len());
        // Blocks divide panels: all of a block's rows are in one panel.
        let home = first / PANEL;
        let inside = first % PANEL..first % PANEL + block.len();
        let (rows, ids) = all.part(block);
        let own = Side { rows: &rows, ids };
        let queries = screen.load(own.rows);
        let mut scratch = vec![0.0; own.ids.len() * PANEL];
        // What others offered already spares measuring.
        let mut best = lock(&panels[home]).part(inside.clone());
        for (p, group) in panels.iter().enumerate().skip(start).take(span) {
            let (rows, ids) = all.part(screen.panel(p));
            let others = Side { rows: &rows, ids };
            let tile = screen.tile(&queries.rows, p, &mut scratch);
            if p == home {
                best.offer_columns(&screen, p, tile, &EVERY[..own.ids.len()], (own, others));
            } else {
                best.meet(&mut lock(group), &screen, tile, (own, others));
            }
        }
        lock(&panels[home]).take(inside.start, &best, &screen);
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
/// Cost: qnd multiply-adds in `f32`; 4nd + 12qk bytes and one tile a thread.
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
    check_queries(points, queries, k)?;
    if points.is_sparse() {
        return sparse::nearest(points, Some(queries), k, monitor);
    }
    let screen = Screen::over(points, cuts(points.len()), Some(queries));
    // No query has a point's name: it may find itself.
    let strangers = vec![u32::MAX; queries.len()];
    let own = Named {
        rows: queries,
        ids: &strangers,
    };
    let ids: Vec<u32> = (0..points.len() as u32).collect();
    let all = Named {
        rows: points,
        ids: &ids,
    };
    scan(PHASE, &screen, all, own, k, monitor)
}

/// The k of `all`, which are the rows of the screen, nearest to each of `own`.
pub(super) fn scan(
    phase: &'static str,
    screen: &Screen,
    all: Named<'_>,
    own: Named<'_>,
    k: usize,
    monitor: &mut dyn Monitor,
) -> Result<Neighbours> {
    let dim = all.rows.width();
    let rows = block_rows(all.ids.len(), dim);
    let mut found = Neighbours::room(own.ids.len(), k);
    let slots = found.index.chunks_mut(rows * k);
    let slots = slots.zip(found.squared.chunks_mut(rows * k)).enumerate();
    tiles::walk(phase, slots.collect(), monitor, |(b, (index, squared))| {
        let first = b * rows;
        let (numbers, ids) = own.part(first..(first + rows).min(own.ids.len()));
        let own = Side {
            rows: &numbers,
            ids,
        };
        let queries = screen.load(own.rows);
        let mut best = Candidates::new(&queries.halves, k);
        let mut scratch = Vec::new();
        for p in 0..screen.panels() {
            let (rows, ids) = all.part(screen.panel(p));
            let others = Side { rows: &rows, ids };
            scratch.resize(own.ids.len() * others.ids.len(), 0.0);
            let tile = screen.tile(&queries.rows, p, &mut scratch);
            best.offer_columns(screen, p, tile, &EVERY[..own.ids.len()], (own, others));
        }
        best.write(index, squared);
        Ok(())
    })?;
    Ok(found)
}

/// Where panels of [`PANEL`] rows begin, and the end.
pub(super) fn cuts(rows: usize) -> Vec<usize> {
    (0..rows).step_by(PANEL).chain([rows]).collect()
}

pub(super) fn check_queries(points: &Points, queries: &Points, k: usize) -> Result<()> {
    if queries.dim() != points.dim() {
        return Err(Error::Shape {
            what: "features of the new rows",
            expected: points.dim(),
            got: queries.dim(),
        });
    }
    check(k, points.len(), points.len())
}

pub(crate) fn check(k: usize, most: usize, rows: usize) -> Result<()> {
    if k == 0 || k > most {
        let expected = format!("from 1 to {most} for {rows} rows");
        return Err(Error::parameter("neighbours", expected, k).with_hint("lower it or add rows"));
    }
    if u32::try_from(rows).is_err() {
        return Err(Error::refused(
            Refusal::Limit,
            format!("{rows} rows are more than neighbour search can number"),
            "use fewer than 4294967296 rows",
        ));
    }
    Ok(())
}

/// Rows of a block of queries: fewer where there are so many points that a
/// block would be slow to stop.
fn block_rows(points: usize, dim: usize) -> usize {
    (STEP / (points * (dim + 16))).clamp(4, ROWS)
}

/// Panels that [`ROWS`] rows are measured against in one step.
fn span(dim: usize) -> usize {
    (STEP / (ROWS * PANEL * (dim + 16))).max(1)
}

/// Every row of a block.
const EVERY: [u32; ROWS] = {
    let mut every = [0; ROWS];
    let mut i = 0;
    while i < ROWS {
        every[i] = i as u32;
        i += 1;
    }
    every
};

fn lock(panel: &Mutex<Candidates>) -> std::sync::MutexGuard<'_, Candidates> {
    panel.lock().unwrap_or_else(PoisonError::into_inner)
}
