//! Nearest neighbours of large tables: most of them, with the share stated.
//!
//! Rows are sorted into cells ([`Cells`]) and each row looks only in the cells
//! whose means are nearest to it, by the tiles of the exact search. How many
//! cells that takes is read off a sample of rows whose neighbours are found
//! exactly: the ranks of the cells they are in. A second sample then measures
//! the recall that is stated; should it fall short, more cells are looked in and
//! the same sample is asked again, so a statement just above the goal after
//! that leans a little to the good side. Where so many cells are needed that exact
//! search is as fast, as in tables without any structure, exact search it is.

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use super::candidates::{Named, Side};
use super::cells::Cells;
use super::exact::{self, STEP};
use super::lists::{Neighbours, PHASE};
use crate::data::Points;
use crate::error::Result;
use crate::linalg::pairwise::PANEL;
use crate::linalg::rows::{Flat, runs};
use crate::linalg::tiles;
use crate::monitor::Monitor;

/// The recall that approximate search reaches by its own estimate.
const GOAL: f64 = 0.95;

/// The recall the number of cells is chosen for, above the goal because a
/// sample is only a sample.
const AIM: f64 = 0.965;

const SAMPLING: &str = "finding a sample's neighbours";

/// Rows of each of the two samples.
const SAMPLE: usize = 384;

/// Multiply-adds up to which [`Search::Auto`] is exact, some seconds:
/// about 60,000 rows of 50 numbers.
const AFFORDABLE: u128 = 1 << 37;

/// Tables below this size are always searched exactly: a sample of them would
/// cost as much.
const SMALLEST: usize = 4096;

/// How neighbours are sought. Those of sparse rows are always sought exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Search {
    /// Exactly while that takes seconds (pairs × (d + 16) ≤ 2³⁷), else approximately.
    #[default]
    Auto,
    /// Exactly, however long it takes.
    Exact,
    /// Approximately, unless exact search is no slower.
    Approximate,
}

/// How many of the true neighbours were found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Recall {
    /// All of them.
    Exact,
    /// A share, estimated on a seeded sample of rows.
    Estimated {
        /// The mean share of its true neighbours that a row of the sample
        /// found; others at the distance of the farthest of them count.
        value: f64,
        /// Its standard error.
        error: f64,
    },
}

/// Neighbours, and how many of the true ones they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The neighbours; distances are exact whether or not the choice is.
    pub neighbours: Neighbours,
    /// The share of true neighbours among them.
    pub recall: Recall,
}

impl From<Neighbours> for Found {
    fn from(neighbours: Neighbours) -> Self {
        Self {
            neighbours,
            recall: Recall::Exact,
        }
    }
}

/// Whether [`Search::Auto`] searches exactly for the nearest of so many rows
/// of so many numbers.
pub(crate) fn exact_is_affordable(rows: usize, dim: usize) -> bool {
    work(rows, rows, dim) / 2 <= AFFORDABLE
}

/// The k nearest other rows of each row, exactly or most of them.
///
/// Approximate search states a recall of at least 0.95. The result follows
/// from the seed, whatever the thread count.
/// Cost: exactly as [`exact::neighbours`]; approximately m/C of twice
/// that, where the m nearest of C = n/256 … n/128 cells hold the neighbours,
/// with 12nd + 24nk bytes.
///
/// # Errors
/// As [`exact::neighbours`].
pub fn find(
    points: &Points,
    k: usize,
    search: Search,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Found> {
    exact::check(k, points.len() - 1, points.len())?;
    let exact = match search {
        Search::Auto => exact_is_affordable(points.len(), points.dim()),
        Search::Exact => true,
        Search::Approximate => false,
    };
    if !exact && !points.is_sparse() && worthwhile(points.len(), k) {
        let cells = Cells::new(points, None, seed, monitor)?;
        let asked = Asked {
            side: cells.all(),
            order: &cells.ids,
            homes: (0..cells.len())
                .map(|cell| (cell, cells.screen.panel(cell)))
                .collect(),
            // Both ends of a pair come of one product in the exact search.
            most: cells.len() / 4,
        };
        if let Some(found) = approximate(&cells, &asked, k, seed, monitor)? {
            return Ok(found);
        }
    }
    exact::neighbours(points, k, monitor).map(Found::from)
}

/// The k rows of `points` nearest to each row of `queries`, exactly or most of them.
///
/// As [`find`]; a query that is itself among the points finds itself. The
/// points are sorted into cells for these queries alone, which pays from
/// thousands of queries on; the queries are sorted too, 8 bytes a number.
///
/// # Errors
/// As [`exact::search`].
pub fn find_among(
    points: &Points,
    queries: &Points,
    k: usize,
    search: Search,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Found> {
    exact::check_queries(points, queries, k)?;
    let exact = match search {
        Search::Auto => work(points.len(), queries.len(), points.dim()) <= AFFORDABLE,
        Search::Exact => true,
        Search::Approximate => false,
    };
    let dense = !points.is_sparse() && !queries.is_sparse();
    if !exact && dense && worthwhile(points.len(), k) && queries.len() >= SMALLEST {
        let cells = Cells::new(points, Some(queries), seed, monitor)?;
        let (order, homes) = by_home(&cells, queries, monitor)?;
        let index: Vec<usize> = order.iter().map(|at| *at as usize).collect();
        let sorted = queries.select(&index)?.into_values();
        let asked = Asked {
            side: Side {
                rows: &sorted,
                // No query has a point's name: it may find itself.
                ids: &vec![u32::MAX; queries.len()],
            },
            order: &order,
            homes,
            most: cells.len() / 2,
        };
        if let Some(found) = approximate(&cells, &asked, k, seed, monitor)? {
            return Ok(found);
        }
    }
    exact::search(points, queries, k, monitor).map(Found::from)
}

/// Multiply-adds of all pairs, a comparison counted as sixteen.
fn work(rows: usize, queries: usize, dim: usize) -> u128 {
    rows as u128 * queries as u128 * (dim as u128 + 16)
}

fn worthwhile(rows: usize, k: usize) -> bool {
    rows >= SMALLEST && k <= rows / 16
}

/// Queries sorted by the cell they are nearest to.
struct Asked<'a> {
    side: Side<'a>,
    /// Where each sorted query stood.
    order: &'a [u32],
    /// The queries of each cell.
    homes: Homes,
    /// Cells to look in from which exact search is faster.
    most: usize,
}

type Homes = Vec<(usize, std::ops::Range<usize>)>;

/// Queries by the cell whose mean is nearest, and the run of each cell.
fn by_home(
    cells: &Cells,
    queries: &Points,
    monitor: &mut dyn Monitor,
) -> Result<(Vec<u32>, Homes)> {
    let mut homes = vec![0_u32; queries.len()];
    let at_once = ((1 << 20) / cells.len()).clamp(1, PANEL);
    let rows = runs(queries.len(), at_once);
    let blocks = homes.chunks_mut(at_once).zip(rows).collect();
    tiles::sweep(PHASE, blocks, monitor, |(homes, rows)| {
        let keys = cells.nearness(&queries.tile(rows));
        for (home, keys) in homes.iter_mut().zip(keys.chunks_exact(cells.len())) {
            let mut least = 0;
            for (cell, key) in keys.iter().enumerate() {
                if *key < keys[least] {
                    least = cell;
                }
            }
            *home = least as u32;
        }
        Ok(())
    })?;
    let mut order: Vec<u32> = (0..queries.len() as u32).collect();
    order.sort_by_key(|at| homes[*at as usize]);
    let mut first = 0;
    let mut runs = Vec::new();
    for run in order.chunk_by(|a, b| homes[*a as usize] == homes[*b as usize]) {
        let cell = homes[run[0] as usize] as usize;
        runs.push((cell, first..first + run.len()));
        first += run.len();
    }
    Ok((order, runs))
}

/// Looks in as many cells as the goal takes; `None` when exact search is faster.
fn approximate(
    cells: &Cells,
    asked: &Asked<'_>,
    k: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Option<Found>> {
    let (scout, judge) = samples(cells, asked, k, seed, monitor)?;
    // So many cells hold k other rows, whatever their number.
    let least = (k + 1).div_ceil(PANEL / 2);
    let mut probes = scout.probes(cells, k).max(least);
    while probes < asked.most {
        let found = look(cells, asked, probes, k, monitor)?;
        let (value, error) = judge.recall(&found, k);
        if value >= GOAL {
            return Ok(Some(Found {
                neighbours: unsorted(&found, asked.order),
                recall: Recall::Estimated { value, error },
            }));
        }
        probes += probes.div_ceil(2);
    }
    Ok(None)
}

/// Some queries and their exact neighbours.
struct Sample {
    /// Places among the sorted queries.
    places: Vec<usize>,
    rows: Vec<f64>,
    truth: Neighbours,
}

fn samples(
    cells: &Cells,
    asked: &Asked<'_>,
    k: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<(Sample, Sample)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let places = index::sample(&mut rng, asked.order.len(), 2 * SAMPLE).into_vec();
    let mut draw = |places: &[usize]| {
        let parts = places.iter().map(|at| asked.side.part(*at..at + 1));
        let rows: Vec<f64> = parts.clone().flat_map(|p| p.rows.iter().copied()).collect();
        let ids: Vec<u32> = parts.flat_map(|p| p.ids.iter().copied()).collect();
        let dim = asked.side.dim();
        let (own, all) = (Flat::new(&rows[..], dim), Flat::new(&cells.rows[..], dim));
        let own = Named {
            rows: &own,
            ids: &ids,
        };
        let all = Named {
            rows: &all,
            ids: &cells.ids,
        };
        let truth = exact::scan(SAMPLING, &cells.screen, all, own, k, monitor)?;
        Ok(Sample {
            places: places.to_vec(),
            rows,
            truth,
        })
    };
    Ok((draw(&places[..SAMPLE])?, draw(&places[SAMPLE..])?))
}

impl Sample {
    /// The number of nearest cells that hold the share [`AIM`] of the neighbours.
    fn probes(&self, cells: &Cells, k: usize) -> usize {
        let of = cells.by_id();
        let dim = self.rows.len() / self.places.len();
        let mut ranks = Vec::with_capacity(self.truth.index.len());
        let rows = self.rows.chunks_exact(dim);
        for (row, near) in rows.zip(self.truth.index.chunks_exact(k)) {
            let keys = cells.nearness(row);
            for id in near {
                let own = keys[of[*id as usize] as usize];
                ranks.push(keys.iter().filter(|key| **key <= own).count());
            }
        }
        ranks.sort_unstable();
        let at = (AIM * ranks.len() as f64).ceil() as usize;
        ranks.get(at).or(ranks.last()).copied().unwrap_or(1)
    }

    /// The mean share of the true neighbours that were found, and its standard error.
    fn recall(&self, found: &Neighbours, k: usize) -> (f64, f64) {
        let shares: Vec<f64> = self
            .places
            .iter()
            .zip(self.truth.squared.chunks_exact(k))
            .map(|(at, truth)| {
                let hits = found.of(*at).filter(|(_, r)| *r <= truth[k - 1]);
                hits.count() as f64 / k as f64
            })
            .collect();
        let count = shares.len() as f64;
        let mean = shares.iter().sum::<f64>() / count;
        let spread: f64 = shares.iter().map(|s| (s - mean) * (s - mean)).sum();
        (mean, (spread / (count - 1.0) / count).sqrt())
    }
}

/// The nearest rows of each sorted query in its nearest cells.
fn look(
    cells: &Cells,
    asked: &Asked<'_>,
    probes: usize,
    k: usize,
    monitor: &mut dyn Monitor,
) -> Result<Neighbours> {
    let mut found = Neighbours::room(asked.order.len(), k);
    let at_once = (STEP / (probes * PANEL * (asked.side.dim() + 16))).clamp(1, PANEL);
    let mut steps = Vec::new();
    let (mut index, mut squared) = (found.index.as_mut_slice(), found.squared.as_mut_slice());
    for (home, run) in &asked.homes {
        for first in run.clone().step_by(at_once) {
            let rows = first..(first + at_once).min(run.end);
            let (own, rest) = index.split_at_mut(rows.len() * k);
            index = rest;
            let (distances, rest) = squared.split_at_mut(rows.len() * k);
            squared = rest;
            steps.push((*home, rows, own, distances));
        }
    }
    tiles::walk(PHASE, steps, monitor, |(home, rows, index, squared)| {
        let best = cells.look(home, asked.side.part(rows), probes, k);
        best.write(index, squared);
        Ok(())
    })?;
    Ok(found)
}

/// What was found for sorted queries, in the order they stood in.
fn unsorted(found: &Neighbours, order: &[u32]) -> Neighbours {
    let k = found.k;
    let mut out = Neighbours::room(order.len(), k);
    for (from, to) in order.iter().enumerate() {
        let (from, to) = (from * k, *to as usize * k);
        out.index[to..to + k].copy_from_slice(&found.index[from..from + k]);
        out.squared[to..to + k].copy_from_slice(&found.squared[from..from + k]);
    }
    out
}
