//! Averages over the graph, `Z = (1 − η)(I − ηŜ)⁻¹X̂`, and what is two steps away, `S²X̂`.
//!
//! `Ŝ = D̃^-½(W + I)D̃^-½` is the adjacency with a loop at every node, `D̃` its degrees. The averages
//! are a weighted sum of what is k edges away, `(1 − η)Σηᵏ Ŝᵏ X̂`: personalised PageRank that
//! spreads the columns of X̂. Eigenvalues of Ŝ are in [−1, 1], where
//!
//! `1/(1 − ηx) = (1 + 2Σₖ ρᵏTₖ(x))/√(1 − η²)` with `ρ = η/(1 + √(1 − η²))`
//!
//! and Chebyshev polynomials Tₖ. The error of the first K terms is known beforehand, and the same
//! polynomials serve every η.

use super::columns::Columns;
use super::walk::{Row, WIDTH, Walk};
use crate::error::{Error, Result};
use crate::linalg::{Block, tiles};
use crate::monitor::Monitor;
use crate::solve::{Outcome, SolveReport};

/// When solves end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopping {
    /// Relative residual.
    pub tolerance: f64,
    /// Iterations at most.
    pub iterations: usize,
}

/// Smaller terms are lost in single precision.
const SINGLE: f64 = 1e-6;

/// What rounding adds to a residual, times 1 − η: averages are up to 1/(1 − η) times as large as
/// what the residual is measured by.
const ROUNDING: f64 = 16.0 * f32::EPSILON as f64;

/// Panels held at once: 64 bytes a node for each η.
const WAVE: usize = 4;

/// Where only directions are wanted.
const ROUGH: Stopping = Stopping {
    tolerance: 1e-2,
    iterations: 1_000,
};

/// The averages for each η, row by row, in single precision: 4Nd bytes for each.
///
/// `walk` is Ŝ. Cost: some `12/√(1 − η)` products with the d columns, for the largest η, whatever
/// the number of others.
///
/// # Errors
/// [`Error::Parameter`] unless 0 ≤ η < 1; [`Error::Cancelled`].
pub(super) fn averages(
    walk: &Walk,
    of: &Columns,
    etas: &[f64],
    stopping: Stopping,
    monitor: &mut dyn Monitor,
) -> Result<(Vec<Vec<f32>>, Option<SolveReport>)> {
    if let Some(bad) = etas.iter().find(|eta| !(0.0..1.0).contains(*eta)) {
        return Err(Error::parameter("eta", "at least 0 and below 1", bad));
    }
    let tolerance = stopping.tolerance.max(SINGLE);
    // The longest first: polynomials of high degree are of use to these alone.
    let mut order: Vec<usize> = (0..etas.len()).collect();
    order.sort_by(|&a, &b| etas[b].total_cmp(&etas[a]));
    let series: Vec<Series> = (order.iter())
        .map(|&at| Series::new(etas[at], tolerance, stopping.iterations))
        .collect();
    let (count, spans) = (of.count(), of.groups(WIDTH).collect::<Vec<_>>());
    let mut found: Vec<Vec<f32>> = vec![vec![0.0; of.rows() * count]; etas.len()];
    let mut residuals = vec![0.0_f64; series.len()];
    let (mut done, each) = (0, series.len());
    tiles::map_fold_in_waves(
        "averages over the graph",
        (spans.len(), WAVE),
        monitor,
        |at| {
            let panel = of.panel(spans[at].clone());
            let sums = sums(walk, &panel, &series);
            let left = residuals_of(walk, &panel, &sums, &series);
            Ok((sums, left))
        },
        |(sums, left)| {
            let span = spans[done].clone();
            for (k, &at) in order.iter().enumerate() {
                let rows = found[at].chunks_exact_mut(count.max(1));
                for (row, sum) in rows.zip(sums.chunks_exact(each)) {
                    row[span.clone()].copy_from_slice(&sum[k][..span.len()]);
                }
            }
            for (worst, own) in residuals.iter_mut().zip(left) {
                *worst = worst.max(own);
            }
            done += 1;
            Ok(())
        },
    )?;
    let terms = series.iter().map(|s| s.coefficients.len()).max();
    let allowed = |s: &Series| tolerance + ROUNDING / (1.0 - s.eta);
    let report = SolveReport {
        solver: "chebyshev-series".to_owned(),
        size: of.rows(),
        iterations: terms.unwrap_or(0),
        residual: residuals.iter().copied().fold(0.0, f64::max),
        error_estimate: None,
        condition: None,
        outcome: if series.iter().any(|s| !s.whole) {
            Outcome::Exhausted
        } else if (series.iter().zip(&residuals)).all(|(s, r)| *r <= allowed(s)) {
            Outcome::Converged
        } else {
            Outcome::Stagnated
        },
        smallest: None,
        choice: None,
    };
    Ok((found, Some(report)))
}

/// `(1 − η)(I − ηŜ)⁻¹B`, roughly: for finding directions.
///
/// # Errors
/// As [`averages`].
pub(super) fn average(
    walk: &Walk,
    of: Block,
    eta: f64,
    monitor: &mut dyn Monitor,
) -> Result<Block> {
    let (rows, count) = (of.rows(), of.cols());
    let (found, _) = averages(walk, &Columns::Dense(of), &[eta], ROUGH, monitor)?;
    let mut image = Block::zeros(rows, count)?;
    for (slot, v) in image.as_slice_mut().iter_mut().zip(found.iter().flatten()) {
        *slot = f64::from(*v);
    }
    Ok(image)
}

/// `SX̂` and `S²X̂`, row by row; `walk` is S.
///
/// # Errors
/// [`Error::Cancelled`].
pub(super) fn two_steps(
    walk: &Walk,
    of: &Columns,
    monitor: &mut dyn Monitor,
) -> Result<(Vec<f32>, Vec<f32>)> {
    let (count, spans) = (of.count(), of.groups(WIDTH).collect::<Vec<_>>());
    let mut found = [0, 1].map(|_| vec![0.0; of.rows() * count]);
    let mut done = 0;
    tiles::map_fold_in_waves(
        "what is two steps away",
        (spans.len(), WAVE),
        monitor,
        |at| {
            let mut far = of.panel(spans[at].clone());
            let mut near = vec![[0.0; WIDTH]; far.len()];
            walk.product(&far, |i, sum| near[i] = sum);
            walk.product(&near, |i, sum| far[i] = sum);
            Ok([near, far])
        },
        |images| {
            let span = spans[done].clone();
            for (found, image) in found.iter_mut().zip(images) {
                let rows = found.chunks_exact_mut(count.max(1));
                for (row, own) in rows.zip(image) {
                    row[span.clone()].copy_from_slice(&own[..span.len()]);
                }
            }
            done += 1;
            Ok(())
        },
    )?;
    let [near, far] = found;
    Ok((near, far))
}

/// `(1 − η)/(1 − ηx)` as a sum of Chebyshev polynomials.
struct Series {
    eta: f64,
    /// An even number of them, at least two.
    coefficients: Vec<f32>,
    /// Whether there are as many as the tolerance needs.
    whole: bool,
}

impl Series {
    fn new(eta: f64, tolerance: f64, most: usize) -> Self {
        let root = (1.0 - eta * eta).sqrt();
        let rho = eta / (1.0 + root);
        // The terms from k on are at most 2ρᵏ/((1 − ρ)√(1 − η²)); in the residual they count
        // 1 + η times.
        let size = (1.0 + eta) * 2.0 / ((1.0 - rho) * root);
        let needed = match eta {
            0.0 => 1,
            _ => ((tolerance / size).ln() / rho.ln()).ceil().max(1.0) as usize,
        };
        let count = needed.min(most).next_multiple_of(2);
        let own = |k: usize| match k {
            0 => 1.0,
            k => 2.0 * rho.powi(k as i32),
        };
        Self {
            eta,
            coefficients: (0..count)
                .map(|k| ((1.0 - eta) / root * own(k)) as f32)
                .collect(),
            whole: needed <= most,
        }
    }
}

/// The series of a panel: for each node one row for each of them.
fn sums(walk: &Walk, panel: &[Row], series: &[Series]) -> Vec<Row> {
    let each = series.len();
    let mut sums = vec![[0.0; WIDTH]; panel.len() * each];
    // Tₖ and Tₖ₊₁ times their coefficients: all sums are read and written once for two products.
    let add = |sums: &mut [Row], k: usize, first: &Row, second: &Row| {
        for (sum, series) in sums.iter_mut().zip(series) {
            let Some(&[a, b]) = series.coefficients.get(k..k + 2) else {
                break;
            };
            for ((s, x), y) in sum.iter_mut().zip(first).zip(second) {
                *s += a * x + b * y;
            }
        }
    };
    let mut before = panel.to_vec();
    let mut now = vec![[0.0; WIDTH]; panel.len()];
    walk.product(&before, |i, sum| {
        now[i] = sum;
        add(&mut sums[i * each..][..each], 0, &before[i], &sum);
    });
    let longest = series.first().map_or(0, |s| s.coefficients.len());
    for k in (2..longest).step_by(2) {
        walk.product(&now, |i, sum| before[i] = next(&sum, &before[i]));
        std::mem::swap(&mut now, &mut before);
        walk.product(&now, |i, sum| {
            before[i] = next(&sum, &before[i]);
            add(&mut sums[i * each..][..each], k, &now[i], &before[i]);
        });
        std::mem::swap(&mut now, &mut before);
    }
    sums
}

/// `Tₖ₊₁ = 2xTₖ − Tₖ₋₁`.
#[inline(always)]
fn next(image: &Row, before: &Row) -> Row {
    let mut row = *before;
    for (v, s) in row.iter_mut().zip(image) {
        *v = 2.0 * s - *v;
    }
    row
}

/// The largest `‖(1 − η)b − (I − ηŜ)z‖/‖(1 − η)b‖` of a column, for each series.
fn residuals_of(walk: &Walk, panel: &[Row], sums: &[Row], series: &[Series]) -> Vec<f64> {
    let each = series.len();
    let squares = |rows: &[Row]| {
        let mut total = [0.0_f64; WIDTH];
        for row in rows {
            for (t, v) in total.iter_mut().zip(row) {
                *t += f64::from(*v) * f64::from(*v);
            }
        }
        total
    };
    let given = squares(panel);
    let worst = |(k, series): (usize, &Series)| {
        let own: Vec<Row> = sums.iter().skip(k).step_by(each).copied().collect();
        let mut left = panel.to_vec();
        let (eta, rest) = (series.eta as f32, (1.0 - series.eta) as f32);
        walk.product(&own, |i, sum| {
            let pairs = left[i].iter_mut().zip(&own[i]).zip(&sum);
            pairs.for_each(|((r, z), s)| *r = rest * *r - (z - eta * s));
        });
        let relative = squares(&left).into_iter().zip(given).map(|(left, given)| {
            let size = (1.0 - series.eta).powi(2) * given;
            if size > 0.0 {
                (left / size).sqrt()
            } else {
                0.0
            }
        });
        relative.fold(0.0, f64::max)
    };
    series.iter().enumerate().map(worst).collect()
}
