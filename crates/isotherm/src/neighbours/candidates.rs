//! The nearest candidates of a group of rows, kept while tiles of bounds pass by.
//!
//! A row keeps the best it has seen and the distance of its k-th as a
//! threshold. Almost every entry of a tile is dismissed by a vector comparison
//! of its lower bound (`Screen`) with that threshold; what remains is measured
//! by the direct sum. What is kept is the first k in the order (distance,
//! index) of all that was offered, whatever the order it was offered in and
//! however often.

use std::borrow::Cow;
use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use crate::linalg::distance::direct;
use crate::linalg::rows::Rows;
use crate::linalg::screen::Screen;

/// Entries looked at together.
const CHUNK: usize = 16;

/// Stands where there is no candidate yet: after every other.
const NONE: (f64, u32) = (f64::INFINITY, u32::MAX);

/// The best candidates of a group of rows.
#[derive(Debug, Clone)]
pub(super) struct Candidates {
    k: usize,
    /// k candidates of each row in order, filled up with [`NONE`].
    kept: Vec<(f64, u32)>,
    /// b of each row.
    halves: Vec<f32>,
    /// Half the distance of the k-th, in the screen's units, less b.
    walls: Vec<f32>,
}

/// Rows whose distances are measured: their numbers and their names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) rows: &'a [f64],
    pub(super) ids: &'a [u32],
}

/// A table whose rows are looked at a tile at a time, with their names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) rows: &'a dyn Rows,
    pub(super) ids: &'a [u32],
}

impl<'a> Named<'a> {
    /// The numbers and the names of some rows.
    pub(super) fn part(&self, rows: Range<usize>) -> (Cow<'a, [f64]>, &'a [u32]) {
        (self.rows.tile(rows.clone()), &self.ids[rows])
    }
}

impl<'a> Side<'a> {
    /// Numbers in a row.
    pub(super) fn dim(&self) -> usize {
        self.rows.len().checked_div(self.ids.len()).unwrap_or(0)
    }

    /// Some of the rows.
    pub(super) fn part(&self, rows: Range<usize>) -> Self {
        let dim = self.dim();
        Self {
            rows: &self.rows[rows.start * dim..rows.end * dim],
            ids: &self.ids[rows],
        }
    }
}

impl Candidates {
    /// No candidate yet for any of the rows with these b.
    pub(super) fn new(halves: &[f32], k: usize) -> Self {
        Self {
            k,
            kept: vec![NONE; halves.len() * k],
            halves: halves.to_vec(),
            walls: vec![f32::INFINITY; halves.len()],
        }
    }

    /// A copy of what some of the rows have.
    pub(super) fn part(&self, rows: Range<usize>) -> Self {
        Self {
            k: self.k,
            kept: self.kept[rows.start * self.k..rows.end * self.k].to_vec(),
            halves: self.halves[rows.clone()].to_vec(),
            walls: self.walls[rows].to_vec(),
        }
    }

    /// Offers another group's candidates to the rows from `at` on.
    pub(super) fn take(&mut self, at: usize, other: &Self, screen: &Screen) {
        for (row, own) in (at..).zip(other.kept.chunks_exact(self.k)) {
            for &(squared, id) in own.iter().take_while(|found| **found != NONE) {
                self.offer(row, squared, id, screen);
            }
        }
    }

    /// Writes the k nearest of each row, nearest first.
    pub(super) fn write(&self, index: &mut [u32], squared: &mut [f64]) {
        for ((index, squared), found) in index.iter_mut().zip(squared).zip(&self.kept) {
            (*squared, *index) = *found;
        }
    }

    /// Takes a candidate in, unless it is there or k nearer ones are.
    #[inline]
    pub(super) fn offer(&mut self, row: usize, squared: f64, id: u32, screen: &Screen) {
        let own = &mut self.kept[row * self.k..(row + 1) * self.k];
        let found = (squared, id);
        let at = own.partition_point(|kept| !before(found, *kept));
        if at == own.len() || (at > 0 && own[at - 1] == found) {
            return;
        }
        own.copy_within(at..self.k - 1, at + 1);
        own[at] = found;
        // Infinite while there are fewer than k.
        self.walls[row] = screen.half(own[self.k - 1].0) - self.halves[row];
    }

    /// Offers the rows of `own` listed in `picked` the columns of a tile of
    /// products, one strip a listed row. A row is not offered to itself.
    pub(super) fn offer_columns(
        &mut self,
        screen: &Screen,
        panel: usize,
        tile: &[f32],
        picked: &[u32],
        (own, others): (Side<'_>, Side<'_>),
    ) {
        Arch::new().dispatch(Columns {
            group: self,
            screen,
            panel,
            tile,
            picked,
            own,
            others,
        });
    }

    /// Offers the rows of `own` and of `others`, whose group is `group`, to
    /// each other. No row may be on both sides.
    pub(super) fn meet(
        &mut self,
        group: &mut Self,
        screen: &Screen,
        tile: &[f32],
        (own, others): (Side<'_>, Side<'_>),
    ) {
        Arch::new().dispatch(Both {
            group: self,
            other: group,
            screen,
            tile,
            own,
            others,
        });
    }
}

/// By distance, then by index.
#[inline(always)]
fn before(a: (f64, u32), b: (f64, u32)) -> bool {
    // Squared distances are never NaN, nor is 0 negative.
    a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
}

#[inline(always)]
fn row<'a>(side: &Side<'a>, at: usize) -> &'a [f64] {
    let dim = side.rows.len() / side.ids.len();
    &side.rows[at * dim..(at + 1) * dim]
}

struct Columns<'a> {
    group: &'a mut Candidates,
    screen: &'a Screen,
    panel: usize,
    tile: &'a [f32],
    picked: &'a [u32],
    own: Side<'a>,
    others: Side<'a>,
}

impl WithSimd for Columns<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let halves = self.screen.halves(self.panel);
        let strips = self.tile.chunks_exact(halves.len());
        for (&i, strip) in self.picked.iter().zip(strips) {
            let i = i as usize;
            let (x, me) = (row(&self.own, i), self.own.ids[i]);
            let mut wall = self.group.walls[i];
            for (c, (strip, halves)) in strip.chunks(CHUNK).zip(halves.chunks(CHUNK)).enumerate() {
                // bₓ + b_z − p ≤ half the threshold: it may be near enough.
                if !any(strip, halves, |p, b| p >= b - wall) {
                    continue;
                }
                for (lane, (p, b)) in strip.iter().zip(halves).enumerate() {
                    let j = c * CHUNK + lane;
                    if *p >= b - wall && self.others.ids[j] != me {
                        let squared = direct(x, row(&self.others, j));
                        self.group
                            .offer(i, squared, self.others.ids[j], self.screen);
                        wall = self.group.walls[i];
                    }
                }
            }
        }
    }
}

/// Whether any pair passes; without a branch where there are [`CHUNK`] of
/// them, so that it is a few vector comparisons.
#[inline(always)]
fn any(left: &[f32], right: &[f32], pass: impl Fn(f32, f32) -> bool) -> bool {
    match (left.first_chunk::<CHUNK>(), right.first_chunk::<CHUNK>()) {
        (Some(left), Some(right)) => {
            let mut any = 0_u32;
            for (a, b) in left.iter().zip(right) {
                any |= u32::from(pass(*a, *b));
            }
            any != 0
        }
        _ => true,
    }
}

struct Both<'a> {
    group: &'a mut Candidates,
    other: &'a mut Candidates,
    screen: &'a Screen,
    tile: &'a [f32],
    own: Side<'a>,
    others: Side<'a>,
}

impl WithSimd for Both<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let width = self.others.ids.len();
        for (i, strip) in self.tile.chunks_exact(width).enumerate() {
            let half = self.group.halves[i];
            let mut wall = self.group.walls[i];
            for (c, strip) in strip.chunks(CHUNK).enumerate() {
                let columns = c * CHUNK..c * CHUNK + strip.len();
                let halves = &self.other.halves[columns.clone()];
                let walls = &self.other.walls[columns.clone()];
                if !any_of_both(strip, (halves, walls), (half, wall)) {
                    continue;
                }
                for (j, p) in columns.zip(strip) {
                    let near = *p >= self.other.halves[j] - wall;
                    let nears = *p >= half - self.other.walls[j];
                    if !near && !nears {
                        continue;
                    }
                    let squared = direct(row(&self.own, i), row(&self.others, j));
                    if near {
                        let id = self.others.ids[j];
                        self.group.offer(i, squared, id, self.screen);
                        wall = self.group.walls[i];
                    }
                    if nears {
                        let id = self.own.ids[i];
                        self.other.offer(j, squared, id, self.screen);
                    }
                }
            }
        }
    }
}

/// Whether any product is near enough for its row or for its column.
#[inline(always)]
fn any_of_both(strip: &[f32], columns: (&[f32], &[f32]), (half, wall): (f32, f32)) -> bool {
    let arrays = (
        strip.first_chunk::<CHUNK>(),
        columns.0.first_chunk::<CHUNK>(),
        columns.1.first_chunk::<CHUNK>(),
    );
    match arrays {
        (Some(strip), Some(halves), Some(walls)) => {
            let mut any = 0_u32;
            for lane in 0..CHUNK {
                let bound = (halves[lane] - wall).min(half - walls[lane]);
                any |= u32::from(strip[lane] >= bound);
            }
            any != 0
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{Candidates, Side};
    use crate::linalg::distance::squared_distance;
    use crate::linalg::screen::Screen;

    #[test]
    fn the_order_and_number_of_offers_mean_nothing_even_among_ties() {
        let screen = Screen::new(&[0.0, 1.0], 1, vec![0, 2], &[]);
        for step in [1, 2, 3, 4] {
            let mut group = Candidates::new(&[0.0], 5);
            // Every candidate of 0..10 in another order, and twice.
            for i in (0..20)
                .map(|i| i * step % 5 + 5 * (i / 10 % 2))
                .chain(0..10)
            {
                group.offer(0, f64::from(1 + i % 2), i, &screen);
            }
            let (mut index, mut squared) = ([0; 5], [0.0; 5]);
            group.write(&mut index, &mut squared);
            let kept = squared.into_iter().zip(index);
            let all: Vec<(f64, u32)> = kept.collect();
            let mut best: Vec<(f64, u32)> = (0..10).map(|i| (f64::from(1 + i % 2), i)).collect();
            best.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            assert_eq!(all, best[..5]);
        }
    }

    #[test]
    fn meeting_is_offering_both_ways() {
        // 20 rows against 37: full chunks and a rest.
        let value = |i: usize| ((i * 37 % 101) as f64).sin();
        let rows: Vec<f64> = (0..57 * 3).map(value).collect();
        let ids: Vec<u32> = (0..57).collect();
        let screen = Screen::new(&rows, 3, vec![0, 20, 57], &[]);
        let all = Side {
            rows: &rows,
            ids: &ids,
        };
        let (left, right) = (all.part(0..20), all.part(20..57));
        let mut tile = vec![0.0; 20 * 37];
        let tile = screen.tile(&screen.load(left.rows).rows, 1, &mut tile);
        let mut one = Candidates::new(screen.halves(0), 4);
        let mut two = Candidates::new(screen.halves(1), 4);
        one.meet(&mut two, &screen, tile, (left, right));
        for (group, own, others) in [(&one, 0..20, 20..57), (&two, 20..57, 0..20)] {
            for (at, i) in own.enumerate() {
                let distance = |j: usize| {
                    let (x, z) = (&rows[i * 3..i * 3 + 3], &rows[j * 3..j * 3 + 3]);
                    (squared_distance(x, z), j as u32)
                };
                let mut best: Vec<(f64, u32)> = others.clone().map(distance).collect();
                best.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                assert_eq!(group.kept[at * 4..at * 4 + 4], best[..4]);
            }
        }
    }
}
