//! Landmarks by greed: Cholesky of the kernel matrix with diagonal pivoting, cut at
//! the number of landmarks.
//!
//! S. Fine and K. Scheinberg, *Efficient SVM training using low-rank kernel
//! representations*, JMLR 2 (2001). One column of K is computed a pivot; K is never
//! stored. Rows are updated by tiles, each row by itself and in the order of the
//! pivots, so neither threads nor the place of a row change a bit.

use super::refusals::{overflow, zeros};
use crate::data::{Distinct, Points};
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::linalg::pairwise::{Anchors, ROWS};
use crate::linalg::rows::runs;
use crate::linalg::tiles;
use crate::monitor::Monitor;
use crate::operator::gram;

const PHASE: &str = "pivoted Cholesky";

/// The pivots, and what they leave.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pivots {
    /// Rows in the order chosen.
    pub index: Vec<usize>,
    /// `tr(K − K_nJ K_JJ⁻¹ K_Jn)` after 0, 1, … pivots: one number more than pivots.
    pub left: Vec<f64>,
}

/// The row of the largest residual `rᵢ = kᵢᵢ − k_iJ K_JJ⁻¹ k_Ji`, up to `count` times;
/// of equal ones the first.
///
/// With `cᵢ = (k_ip − Σⱼ L_ij L_pj)/√r_p` the column of pivot p, `rᵢ ← rᵢ − cᵢ²`. Stops
/// early when the largest residual is at most nε of the largest `kᵢᵢ`: what lies below
/// is rounding. Under a kernel of the distance all `kᵢᵢ` are equal and the first pivot
/// is row 0.
///
/// Cost: O(n · count · (count + d)) time, n · count numbers.
///
/// # Errors
/// [`Error::Indefinite`] when a residual falls below −√ε of the largest `kᵢᵢ`, which
/// rounding does not explain; [`Error::NotFinite`]; [`Error::Memory`];
/// [`Error::Cancelled`].
pub(crate) fn pivots(
    points: &Points,
    kernel: &dyn Kernel,
    count: usize,
    monitor: &mut dyn Monitor,
) -> Result<Pivots> {
    let n = points.len();
    let count = count.min(n);
    let distinct = Distinct::of(points, monitor)?;
    let mut open = vec![false; n];
    distinct.rows().for_each(|i| open[i] = true);
    let mut residual = gram::diagonal(points, kernel);
    let largest = residual.iter().fold(0.0_f64, |m, r| m.max(*r));
    let cut = n as f64 * f64::EPSILON * largest;
    let mut index = Vec::with_capacity(count);
    let mut left = vec![trace(&residual, largest)?];
    let mut lower = zeros("a partial Cholesky factor", n, count)?;
    tiles::announce(PHASE, None, monitor)?;
    while index.len() < count {
        let Some(at) = widest(&residual, &open).filter(|&i| residual[i] > cut) else {
            break;
        };
        let step = Step {
            done: index.len(),
            count,
            pivot: column(&lower, n, count, at, index.len()),
            root: residual[at].sqrt(),
        };
        let z = Anchors::over(kernel.geometry(), points.select(&[at])?);
        let tiles: Vec<_> = runs(n, ROWS)
            .zip(lower.chunks_mut(ROWS * count))
            .zip(residual.chunks_mut(ROWS))
            .collect();
        tiles::sweep(PHASE, tiles, monitor, |((rows, lower), residual)| {
            let mut column = vec![0.0; residual.len()];
            kernel.value(z.tile(&z.load_from(points, rows), 0, &mut column));
            step.update(&mut column, lower, residual);
            Ok(())
        })?;
        open[at] = false;
        residual[at] = 0.0;
        index.push(at);
        left.push(trace(&residual, largest)?);
    }
    Ok(Pivots { index, left })
}

/// One pivot's update of a tile of rows; a tile of L is column-major.
struct Step {
    done: usize,
    count: usize,
    /// The pivot's row of L.
    pivot: Vec<f64>,
    root: f64,
}

impl Step {
    fn update(&self, column: &mut [f64], lower: &mut [f64], residual: &mut [f64]) {
        let height = lower.len() / self.count;
        let (before, own) = lower.split_at_mut(self.done * height);
        for (l, p) in before.chunks_exact(height).zip(&self.pivot) {
            for (c, l) in column.iter_mut().zip(l) {
                *c -= l * p;
            }
        }
        for ((c, own), r) in column.iter().zip(own).zip(residual) {
            *own = c / self.root;
            *r -= *own * *own;
        }
    }
}

/// The first `done` entries of L's row `at`.
fn column(lower: &[f64], n: usize, count: usize, at: usize, done: usize) -> Vec<f64> {
    let start = at - at % ROWS;
    let height = ROWS.min(n - start);
    let tile = &lower[start * count..];
    (0..done).map(|j| tile[j * height + at - start]).collect()
}

/// The open row of the largest residual, the first of equal ones.
fn widest(residual: &[f64], open: &[bool]) -> Option<usize> {
    let rows = (0..residual.len()).filter(|&i| open[i]);
    rows.fold(None, |best, i| match best {
        Some(b) if residual[i] <= residual[b] => best,
        _ => Some(i),
    })
}

/// The residuals' sum without what rounding took below zero.
fn trace(residual: &[f64], largest: f64) -> Result<f64> {
    let lowest = residual.iter().fold(0.0_f64, |m, r| m.min(*r));
    if lowest < -f64::EPSILON.sqrt() * largest {
        return Err(Error::Indefinite {
            operator: "the kernel matrix",
            curvature: lowest,
            hint: "choose a positive kernel, or landmarks that do not look at it".into(),
        });
    }
    let kept = residual.iter().map(|r| if *r < 0.0 { 0.0 } else { *r });
    let sum: f64 = kept.sum();
    if sum.is_finite() {
        Ok(sum)
    } else {
        Err(overflow(PHASE))
    }
}
