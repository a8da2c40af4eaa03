//! Lower bounds of squared distances in single precision: what they exclude
//! need not be measured in double.
//!
//! Rows are centred, scaled by a power of two into [−1, 1] and rounded to
//! `f32`; one product of such rows runs at twice the rate of the exact one. With
//! u = 2⁻²⁴ the computed product p of two rows is within (d + 4)u‖x‖‖z‖ of
//! theirs, and the sums and comparisons around it add less than 28u(‖x‖² + ‖z‖²), so
//!
//! ```text
//! bₓ + b_z − p ≤ ‖x − z‖²/2,   bₓ = (1 − (d + 32)u) ‖x‖²/2 − (d + 32)2⁻¹⁴⁰,
//! ```
//!
//! where the last term covers what underflows: a pair above a threshold by
//! this bound is above it. Error analysis: Higham, *Accuracy and Stability of
//! Numerical Algorithms*, §3.1.

use std::ops::Range;

use faer::{MatMut, MatRef};
use rayon::prelude::*;

use super::gemm;
use super::rows::{Flat, Rows, runs};

/// Rows looked at together while preparing.
const STEP: usize = 512;

/// Scales beyond this would tell apart what underflows to one value in `f64`.
const FINEST: i32 = 400;

/// Rows cut into panels, each a column-major `f32` copy ready for a product.
#[derive(Debug)]
pub(crate) struct Screen {
    dim: usize,
    centre: Vec<f64>,
    scale: f64,
    /// Where each panel begins; the number of rows comes last.
    starts: Vec<usize>,
    panels: Vec<f32>,
    halves: Vec<f32>,
}

/// Some rows in single precision, row-major, with the b of each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rounded {
    /// Centred and scaled rows, one after the other.
    pub rows: Vec<f32>,
    /// b = (1 − (d + 32)u) ‖x‖²/2, less what may underflow.
    pub halves: Vec<f32>,
}

impl Screen {
    /// Prepares row-major `rows` of `dim` numbers, cut at `starts` (ascending,
    /// from 0 to the number of rows); rows like `others` may be asked later.
    ///
    /// Cost: O(nd) time, 4 bytes a number.
    pub(crate) fn new(rows: &[f64], dim: usize, starts: Vec<usize>, others: &[f64]) -> Self {
        let others = Flat::new(others, dim);
        Self::over(&Flat::new(rows, dim), starts, Some(&others))
    }

    /// Like `Screen::new` for rows wherever they are kept.
    ///
    /// Cost: O(nd) time, 4 bytes a number.
    pub(crate) fn over(rows: &dyn Rows, starts: Vec<usize>, others: Option<&dyn Rows>) -> Self {
        let (count, dim) = (rows.count(), rows.width());
        let centre = super::pairwise::mean(rows);
        let largest = [Some(rows), others].into_iter().flatten().map(|part| {
            let steps: Vec<_> = runs(part.count(), STEP).collect();
            let parts = steps.into_par_iter().map(|step| {
                let rows = part.tile(step);
                let rows = rows.chunks_exact(dim);
                let moved = rows.flat_map(|row| row.iter().zip(&centre).map(|(v, c)| v - c));
                moved.fold(0.0, |most: f64, v| most.max(v.abs()))
            });
            parts.reduce(|| 0.0, f64::max)
        });
        let mut screen = Self {
            dim,
            scale: inverse_power(largest.fold(0.0, f64::max)),
            centre,
            panels: Vec::new(),
            halves: Vec::new(),
            starts,
        };
        let (mut panels, mut halves) = (vec![0.0; count * dim], vec![0.0; count]);
        let (mut to, mut to_halves) = (panels.as_mut_slice(), halves.as_mut_slice());
        let mut work = Vec::with_capacity(screen.panels());
        for p in 0..screen.panels() {
            let own = screen.panel(p);
            let (panel, rest) = to.split_at_mut(own.len() * dim);
            to = rest;
            let (halves, rest) = to_halves.split_at_mut(own.len());
            to_halves = rest;
            work.push((own, panel, halves));
        }
        work.into_par_iter().for_each(|(own, panel, halves)| {
            let part = screen.load(&rows.tile(own));
            halves.copy_from_slice(&part.halves);
            for (feature, column) in panel.chunks_exact_mut(halves.len()).enumerate() {
                let values = part.rows.iter().skip(feature).step_by(dim);
                for (slot, v) in column.iter_mut().zip(values) {
                    *slot = *v;
                }
            }
        });
        (screen.panels, screen.halves) = (panels, halves);
        screen
    }

    /// Number of panels.
    pub(crate) fn panels(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The rows of panel `p`.
    pub(crate) fn panel(&self, p: usize) -> Range<usize> {
        self.starts[p]..self.starts[p + 1]
    }

    /// b of the rows of panel `p`.
    pub(crate) fn halves(&self, p: usize) -> &[f32] {
        &self.halves[self.panel(p)]
    }

    /// Half a squared distance, in the units of the bounds.
    pub(crate) fn half(&self, squared: f64) -> f32 {
        // One factor after the other: their product may overflow.
        (0.5 * squared * self.scale * self.scale) as f32
    }

    /// Rows in single precision.
    ///
    /// Cost: O(d) a row.
    pub(crate) fn load(&self, rows: &[f64]) -> Rounded {
        let spare = (self.dim + 32) as f64;
        let share = 0.5 * (1.0 - spare * 2f64.powi(-24));
        let lost = spare * 2f64.powi(-140);
        let mut rounded = Rounded {
            rows: Vec::with_capacity(rows.len()),
            halves: Vec::with_capacity(rows.len() / self.dim),
        };
        for row in rows.chunks_exact(self.dim) {
            let mut square = 0.0;
            for (v, c) in row.iter().zip(&self.centre) {
                let moved = (v - c) * self.scale;
                square += moved * moved;
                rounded.rows.push(moved as f32);
            }
            rounded.halves.push((share * square - lost) as f32);
        }
        rounded
    }

    /// Products of some rounded rows with the rows of panel `p`, row-major.
    ///
    /// Cost: 2d operations an entry, in single precision.
    ///
    /// # Panics
    /// When `tile` is too short or the rows have another width: a bug in the caller.
    pub(crate) fn tile<'t>(&self, rows: &[f32], p: usize, tile: &'t mut [f32]) -> &'t mut [f32] {
        let Range { start, end } = self.panel(p);
        let (count, width) = (rows.len() / self.dim, end - start);
        let tile = &mut tile[..count * width];
        gemm::product_f32(
            MatMut::from_row_major_slice_mut(&mut *tile, count, width),
            MatRef::from_row_major_slice(rows, count, self.dim),
            MatRef::from_row_major_slice(
                &self.panels[start * self.dim..end * self.dim],
                self.dim,
                width,
            ),
        );
        tile
    }
}

/// The power of two that brings `largest` into (½, 1], within limits.
fn inverse_power(largest: f64) -> f64 {
    if largest == 0.0 {
        return 1.0;
    }
    let exponent = largest.log2().ceil() as i32;
    2f64.powi((-exponent).min(FINEST))
}
