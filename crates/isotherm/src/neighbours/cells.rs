//! Rows sorted into cells of near rows, and which cells a row should look in.
//!
//! The table is halved again and again, each part at the median of its
//! projection on the line between two centres of a sample of it, until cells
//! fit a panel. A cell is then a panel of the screen, and a row ranks cells by
//! the distance to their means. The halves of a part follow from the seed and
//! its place, whatever the thread count.

use std::borrow::Cow;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::candidates::{Candidates, Side};
use super::exact::cuts;
use crate::data::Points;
use crate::error::Result;
use crate::linalg::distance::squared_distance;
use crate::linalg::pairwise::PANEL;
use crate::linalg::rows::{Flat, Rows};
use crate::linalg::screen::Screen;
use crate::linalg::tiles;
use crate::monitor::Monitor;

const PHASE: &str = "sorting rows into cells";

/// Rows of a part that its two centres are learned from.
const SAMPLE: usize = 256;

/// Rounds of moving the two centres.
const ROUNDS: usize = 4;

/// Cells near a block of queries, for each cell that a query of it looks in.
const SHORTLIST: usize = 6;

/// Rows projected in one step.
const STEP: usize = 1 << 13;

/// A table sorted into cells.
#[derive(Debug)]
pub(super) struct Cells {
    /// Row number of each sorted row.
    pub(super) ids: Vec<u32>,
    /// The sorted rows.
    pub(super) rows: Vec<f64>,
    /// One panel a cell.
    pub(super) screen: Screen,
    /// The cells' means.
    centres: Vec<f64>,
    /// The same, to rank them all.
    means: Screen,
}

impl Cells {
    /// Sorts the rows of a table; rows like `others` may be asked later.
    ///
    /// Cost: O(nd log n) time, 12nd + O(n) bytes; the sorted rows are `f64` whatever the
    /// table is.
    ///
    /// # Errors
    /// [`crate::Error::Cancelled`] when the monitor breaks.
    pub(super) fn new(
        points: &Points,
        others: Option<&dyn Rows>,
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let (n, dim) = (points.len(), points.dim());
        let mut ids: Vec<u32> = (0..n as u32).collect();
        let mut starts = vec![0, n];
        tiles::announce(PHASE, None, monitor)?;
        // Rows are looked at one by one and in any order.
        let table = points.gathered();
        while starts.windows(2).any(|w| w[1] - w[0] > PANEL) {
            halve(&table, &mut ids, &mut starts, seed, monitor)?;
        }
        let rows = sorted(table, &ids, monitor)?;
        let mut means = vec![0.0; (starts.len() - 1) * dim];
        let parts: Vec<_> = means.chunks_mut(dim).zip(starts.windows(2)).collect();
        tiles::sweep(PHASE, parts, monitor, |(mean, part)| {
            let own = rows[part[0] * dim..part[1] * dim].chunks_exact(dim);
            average(mean, own);
            Ok(())
        })?;
        let cells = starts.len() - 1;
        Ok(Self {
            screen: Screen::over(&Flat::new(&rows[..], dim), starts, others),
            means: Screen::over(&Flat::new(&means[..], dim), cuts(cells), others),
            centres: means,
            ids,
            rows,
        })
    }

    /// Number of cells.
    pub(super) fn len(&self) -> usize {
        self.screen.panels()
    }

    /// All rows, sorted.
    pub(super) fn all(&self) -> Side<'_> {
        Side {
            rows: &self.rows,
            ids: &self.ids,
        }
    }

    /// The cell of each row, by row number.
    pub(super) fn by_id(&self) -> Vec<u32> {
        let mut cells = vec![0; self.ids.len()];
        for cell in 0..self.len() {
            for id in &self.ids[self.screen.panel(cell)] {
                cells[*id as usize] = cell as u32;
            }
        }
        cells
    }

    /// What orders the cells by nearness to each query: b − p of its mean, one
    /// strip of all cells for each query.
    ///
    /// Cost: cells × d multiply-adds in `f32` a query.
    pub(super) fn nearness(&self, queries: &[f64]) -> Vec<f32> {
        let moved = self.means.load(queries);
        let (count, cells) = (moved.halves.len(), self.len());
        let mut keys = vec![0.0; count * cells];
        let mut scratch = vec![0.0; count * PANEL];
        for p in 0..self.means.panels() {
            let panel = self.means.panel(p);
            let tile = self.means.tile(&moved.rows, p, &mut scratch);
            for (strip, keys) in tile.chunks_exact(panel.len()).zip(keys.chunks_mut(cells)) {
                let pairs = strip.iter().zip(self.means.halves(p));
                for (key, (p, b)) in keys[panel.clone()].iter_mut().zip(pairs) {
                    *key = b - p;
                }
            }
        }
        keys
    }

    /// Offers some queries that are near the mean of cell `home` the rows of
    /// the `probes` cells nearest to each, among the cells nearest to `home`.
    ///
    /// Cost: `probes` cells of d multiply-adds a row for each query, and
    /// O(cells × d) once.
    pub(super) fn look(&self, home: usize, own: Side<'_>, probes: usize, k: usize) -> Candidates {
        let dim = own.dim();
        let rounded = self.screen.load(own.rows);
        let mut best = Candidates::new(&rounded.halves, k);
        let wanted = self.wanted(home, own, probes);
        let mut groups: Vec<&[(u32, u32)]> = wanted.chunk_by(|a, b| a.0 == b.0).collect();
        // A cell that many of the queries want is near: thresholds fall early.
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let (mut picked, mut gathered, mut scratch) = (Vec::new(), Vec::new(), Vec::new());
        for group in groups {
            let cell = group[0].0 as usize;
            picked.clear();
            gathered.clear();
            for &(_, row) in group {
                let at = row as usize * dim;
                picked.push(row);
                gathered.extend_from_slice(&rounded.rows[at..at + dim]);
            }
            let others = self.all().part(self.screen.panel(cell));
            scratch.resize(group.len() * others.ids.len(), 0.0);
            let tile = self.screen.tile(&gathered, cell, &mut scratch);
            best.offer_columns(&self.screen, cell, tile, &picked, (own, others));
        }
        best
    }

    /// Which query wants which cell: pairs (cell, query), sorted.
    fn wanted(&self, home: usize, own: Side<'_>, probes: usize) -> Vec<(u32, u32)> {
        let dim = own.dim();
        let probes = probes.min(self.len());
        let listed = (SHORTLIST * probes + 32).min(self.len());
        let mut near = keyed(&self.nearness(&self.centres[home * dim..(home + 1) * dim]));
        if listed < near.len() {
            near.select_nth_unstable(listed);
            near.truncate(listed);
        }
        // In the order of cells: which came first must not depend on the selection.
        let mut near: Vec<u32> = near.into_iter().map(|key| key as u32).collect();
        near.sort_unstable();
        let centres = near.iter().flat_map(|cell| {
            let at = *cell as usize * dim;
            self.centres[at..at + dim].iter().copied()
        });
        let centres: Vec<f64> = centres.collect();
        let means = Screen::new(&centres, dim, vec![0, listed], own.rows);
        let moved = means.load(own.rows);
        let mut tile = vec![0.0; own.ids.len() * listed];
        let tile = means.tile(&moved.rows, 0, &mut tile);
        let mut wanted = Vec::with_capacity(own.ids.len() * probes);
        let mut strip = Vec::with_capacity(listed);
        for (row, products) in (0_u32..).zip(tile.chunks_exact(listed)) {
            strip.clear();
            strip.extend(products.iter().zip(means.halves(0)).map(|(p, b)| b - p));
            let mut keys = keyed(&strip);
            if probes < keys.len() {
                keys.select_nth_unstable(probes);
            }
            let chosen = keys[..probes].iter();
            wanted.extend(chosen.map(|key| (near[*key as u32 as usize], row)));
        }
        wanted.sort_unstable();
        wanted
    }
}

/// The rows in the order of `ids`: moved where they are if nobody else holds them, else
/// copied.
fn sorted(table: Points, ids: &[u32], monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
    let dim = table.dim();
    if table.is_sole() {
        let mut rows = table.into_values();
        permute(&mut rows, dim, ids);
        return Ok(rows);
    }
    let mut rows = vec![0.0; ids.len() * dim];
    let slots = rows.chunks_mut(STEP * dim).zip(ids.chunks(STEP));
    tiles::sweep(PHASE, slots.collect(), monitor, |(rows, ids)| {
        for (row, id) in rows.chunks_exact_mut(dim).zip(ids) {
            row.copy_from_slice(&table.row(*id as usize));
        }
        Ok(())
    })?;
    Ok(rows)
}

/// Row k becomes what row `ids[k]` was, cycle by cycle.
fn permute(rows: &mut [f64], dim: usize, ids: &[u32]) {
    let mut done = vec![false; ids.len()];
    for start in 0..ids.len() {
        if done[start] {
            continue;
        }
        let held = rows[start * dim..(start + 1) * dim].to_vec();
        let mut to = start;
        loop {
            done[to] = true;
            let from = ids[to] as usize;
            if from == start {
                rows[to * dim..(to + 1) * dim].copy_from_slice(&held);
                break;
            }
            rows.copy_within(from * dim..(from + 1) * dim, to * dim);
            to = from;
        }
    }
}

/// Numbers with their places, packed so that they sort by both.
fn keyed(values: &[f32]) -> Vec<u64> {
    let places = 0_u64..;
    let keys = values.iter().zip(places);
    keys.map(|(value, at)| u64::from(ascending(*value)) << 32 | at)
        .collect()
}

/// Halves every part that is larger than a panel.
fn halve(
    points: &Points,
    ids: &mut [u32],
    starts: &mut Vec<usize>,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<()> {
    let mut parts: Vec<(usize, &mut [u32])> = Vec::with_capacity(starts.len());
    let mut rest = ids;
    for w in starts.windows(2) {
        let (part, after) = rest.split_at_mut(w[1] - w[0]);
        parts.push((w[0], part));
        rest = after;
    }
    parts.retain(|(_, part)| part.len() > PANEL);
    let middles: Vec<usize> = parts.iter().map(|(at, p)| at + p.len() / 2).collect();
    let mut lines: Vec<Vec<f64>> = vec![Vec::new(); parts.len()];
    let work: Vec<_> = parts.iter().zip(&mut lines).collect();
    tiles::sweep(PHASE, work, monitor, |((at, part), line)| {
        *line = between(points, part, seed ^ (*at as u64) << 20 ^ part.len() as u64);
        Ok(())
    })?;
    let mut keys: Vec<Vec<(f64, u32)>> =
        parts.iter().map(|(_, p)| vec![(0.0, 0); p.len()]).collect();
    let work: Vec<_> = parts
        .iter()
        .zip(&lines)
        .zip(&mut keys)
        .flat_map(|(((_, part), line), keys)| {
            let steps = part.chunks(STEP).zip(keys.chunks_mut(STEP));
            steps.map(move |(part, keys)| (part, line, keys))
        })
        .collect();
    tiles::sweep(PHASE, work, monitor, |(part, line, keys)| {
        for (key, &id) in keys.iter_mut().zip(part) {
            *key = (dot(&points.row(id as usize), line), id);
        }
        Ok(())
    })?;
    let work: Vec<_> = parts.into_iter().zip(keys).collect();
    tiles::sweep(PHASE, work, monitor, |((_, part), mut keys)| {
        let middle = keys.len() / 2;
        keys.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (id, key) in part.iter_mut().zip(keys) {
            *id = key.1;
        }
        Ok(())
    })?;
    starts.extend(middles);
    starts.sort_unstable();
    Ok(())
}

/// The line between two centres of a sample of some rows, by a few rounds of 2-means.
fn between(points: &Points, part: &[u32], seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rows: Vec<Cow<'_, [f64]>> = (0..SAMPLE)
        .map(|_| points.row(part[rng.random_range(0..part.len())] as usize))
        .collect();
    let sample: Vec<&[f64]> = rows.iter().map(|row| &**row).collect();
    let (mut a, mut b) = (sample[0].to_vec(), sample[1].to_vec());
    for _ in 0..ROUNDS {
        let nearer = |row: &&&[f64]| squared_distance(row, &a) < squared_distance(row, &b);
        let (left, right): (Vec<&[f64]>, Vec<&[f64]>) = sample.iter().partition(nearer);
        if left.is_empty() || right.is_empty() {
            break;
        }
        average(&mut a, left.into_iter());
        average(&mut b, right.into_iter());
    }
    a.iter().zip(&b).map(|(a, b)| a - b).collect()
}

fn average<'r>(mean: &mut [f64], rows: impl ExactSizeIterator<Item = &'r [f64]>) {
    let share = 1.0 / rows.len().max(1) as f64;
    mean.fill(0.0);
    for row in rows {
        for (m, v) in mean.iter_mut().zip(row) {
            *m += v * share;
        }
    }
}

fn dot(x: &[f64], z: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let ((xs, x), (zs, z)) = (x.as_chunks::<8>(), z.as_chunks::<8>());
    for (x, z) in xs.iter().zip(zs) {
        for lane in 0..8 {
            sums[lane] += x[lane] * z[lane];
        }
    }
    let rest: f64 = x.iter().zip(z).map(|(x, z)| x * z).sum();
    sums.iter().sum::<f64>() + rest
}

/// Bits that ascend as the number does.
fn ascending(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 1 {
        !bits
    } else {
        bits | 1 << 31
    }
}
