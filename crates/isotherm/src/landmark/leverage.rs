//! Landmarks by approximate ridge leverage scores.  [KLAP §3.2, Remark 25]
//!
//! `ℓ(i) = [K(K + λnI)⁻¹]ᵢᵢ` says how much of row i the others do not explain at ridge
//! λ; rows drawn by it give the Nyström bounds the paper refers to (A. Rudi, R.
//! Camoriano, L. Rosasco, *Less is more*, NeurIPS 2015). Two passes: a uniform pilot, then scores
//! against it (A. Rudi et al., *On fast leverage score sampling*, NeurIPS 2018, Eqn 3).
//!
//! Scores find what is rare at the scale of the kernel. Where the kernel is narrow
//! within clusters, the trace of what is missed comes from their insides, and draws by
//! exact scores leave no less of it than uniform ones; there [`super::pivoted`] and
//! [`super::kmeans`] do better than either.

use std::ops::Range;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::pivoted::pivots;
use super::refusals::{overflow, zero, zeros};
use super::uniform;
use crate::data::{Distinct, Points};
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::linalg::cholesky::{self, Cholesky};
use crate::linalg::pairwise::{Anchors, PANEL, ROWS};
use crate::linalg::rows::runs;
use crate::linalg::{Mat, MatMut, MatRef, tiles};
use crate::monitor::Monitor;
use crate::operator::gram;

const PHASE: &str = "leverage scores";

/// Rows of the pilot for each landmark.
pub(crate) const PILOT: usize = 2;

/// Landmarks for each effective dimension: draws at random meet some directions twice,
/// so m draws are too few for m dimensions. The bounds ask for O(log m) times as many.
pub(crate) const DRAWS: usize = 2;

/// Rows drawn without replacement, each next one with probability proportional to its
/// score among those left; scores of equal rows count for the first of them.
///
/// A pilot of q = `PILOT`·count rows drawn uniformly, its [`ridge`] for count/`DRAWS`
/// dimensions and the [`scores`] against it. Returned in the order drawn; rows of score 0 come last.
/// With no more distinct rows than `count`, all of them.
///
/// Cost: O(nq(q + d)) time, O(q² + n) numbers.
///
/// # Errors
/// As [`ridge`] and [`scores`].
pub(crate) fn draw(
    points: &Points,
    kernel: &dyn Kernel,
    count: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Vec<usize>> {
    let distinct = Distinct::of(points, monitor)?;
    if distinct.len() <= count {
        return Ok(distinct.rows().collect());
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pilot = uniform::order(points.len(), &mut rng);
    pilot.truncate(count.saturating_mul(PILOT));
    let ridge = ridge(points, kernel, &pilot, count.div_ceil(DRAWS), monitor)?;
    let scores = scores(points, kernel, &pilot, ridge, monitor)?;
    let mut weights = vec![0.0; points.len()];
    for (i, score) in scores.iter().enumerate() {
        weights[distinct.first(i)] += score;
    }
    let rows: Vec<usize> = distinct.rows().collect();
    let weights: Vec<f64> = rows.iter().map(|&i| weights[i]).collect();
    let drawn = without_replacement(&weights, count, rng.random());
    Ok(drawn.into_iter().map(|k| rows[k]).collect())
}

/// The smallest ridge at which a pilot proves an effective dimension of at most m,
/// its `dimension`.
///
/// With `t_k` what k pivots leave of `tr K_JJ` ([`pivots`]) and q rows in J,
///
/// `λ = min_{k < m} t_k / (q(m − k))`, but at least √ε of the mean `kᵢᵢ`.
///
/// The effective dimension `Σ σ/(σ + λq)` of the pilot is then at most m: k of its terms are
/// below 1, and the rest sum to at most `t_k/(λq) ≤ m − k`. Below the floor scores
/// would be rounding; it is reached when m exceeds the rank.
///
/// Cost: O(qm(m + d)).
///
/// # Errors
/// [`Error::Parameter`] when `dimension` is 0; [`Error::Refused`] when the kernel is 0 on every
/// row or the pilot is empty; as [`pivots`].
pub(crate) fn ridge(
    points: &Points,
    kernel: &dyn Kernel,
    pilot: &[usize],
    dimension: usize,
    monitor: &mut dyn Monitor,
) -> Result<f64> {
    if dimension == 0 {
        return Err(Error::parameter(
            "the effective dimension",
            "at least 1",
            dimension,
        ));
    }
    let mean = gram::diagonal(points, kernel).iter().sum::<f64>() / points.len() as f64;
    if mean.is_nan() || mean.is_infinite() {
        return Err(overflow(PHASE));
    }
    if mean <= 0.0 {
        return Err(zero());
    }
    let left = pivots(&points.select(pilot)?, kernel, dimension, monitor)?.left;
    let q = pilot.len() as f64;
    let shares = left.iter().take(dimension).enumerate();
    let smallest = shares
        .map(|(k, t)| t / (q * (dimension - k) as f64))
        .fold(f64::INFINITY, f64::min);
    Ok(smallest.max(f64::EPSILON.sqrt() * mean))
}

/// `ℓ̂(i) = (kᵢᵢ − k_iJ (K_JJ + λqI)⁻¹ k_Ji)/(λn)` for a pilot J of q rows, cut to [0, 1].
///
/// The pilot stands for all rows with weight n/q each, `(n/q)K_JJ + λnI`, hence λq and
/// not λn inside. With J all rows these are the exact scores.
///
/// Cost: O(nq(q + d) + q³) time, O(q² + n) numbers.
///
/// # Errors
/// [`Error::Parameter`] when the ridge is not a positive number; [`Error::Refused`] when the
/// pilot is empty, [`Error::Shape`] when it names a row there is not;
/// [`Error::Indefinite`]; [`Error::NotFinite`]; [`Error::Memory`]; [`Error::Cancelled`].
pub(crate) fn scores(
    points: &Points,
    kernel: &dyn Kernel,
    pilot: &[usize],
    ridge: f64,
    monitor: &mut dyn Monitor,
) -> Result<Vec<f64>> {
    if !(ridge > 0.0 && ridge.is_finite()) {
        return Err(Error::parameter("ridge", "a positive number", ridge));
    }
    let (n, q) = (points.len(), pilot.len());
    let pilot = Anchors::over(kernel.geometry(), points.select(pilot)?);
    let factor = factored(&pilot, kernel, ridge, monitor)?;
    let mut scores = gram::diagonal(points, kernel);
    // A tile takes at most tens of milliseconds.
    let height = ((1 << 28) / (q * q)).clamp(8, ROWS);
    let tiles: Vec<_> = runs(n, height).zip(scores.chunks_mut(height)).collect();
    tiles::walk(PHASE, tiles, monitor, |(rows, scores)| {
        let mut k = vec![0.0; scores.len() * q];
        fill(&pilot, kernel, (points, rows), &mut k);
        let columns = MatMut::from_column_major_slice_mut(&mut k, q, scores.len());
        factor.solve_half_in_place(columns);
        for (score, v) in scores.iter_mut().zip(k.chunks_exact(q)) {
            let explained: f64 = v.iter().map(|v| v * v).sum();
            *score = ((*score - explained) / (ridge * n as f64)).clamp(0.0, 1.0);
        }
        Ok(())
    })?;
    if scores.iter().any(|s| s.is_nan()) {
        return Err(overflow(PHASE));
    }
    Ok(scores)
}

/// `count` of the weights' places, each next one with probability proportional to its
/// weight among those left; places of weight 0 come last, in order.
///
/// Each place waits `−ln u / w`, u uniform: the shortest waits are such a draw. O(n log n).
///
/// P. Efraimidis and P. Spirakis, *Weighted random sampling with a reservoir*, IPL 97
/// (2006).
pub(crate) fn without_replacement(weights: &[f64], count: usize, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let wait = |w: f64, u: f64| if w > 0.0 { -u.ln() / w } else { f64::INFINITY };
    let mut waits: Vec<(f64, usize)> = weights
        .iter()
        .enumerate()
        // 1 − u is never 0.
        .map(|(i, w)| (wait(*w, 1.0 - rng.random::<f64>()), i))
        .collect();
    waits.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    waits.into_iter().take(count).map(|(_, i)| i).collect()
}

/// The factor of `K_JJ + λqI`.
fn factored(
    pilot: &Anchors<Points>,
    kernel: &dyn Kernel,
    ridge: f64,
    monitor: &mut dyn Monitor,
) -> Result<Cholesky> {
    let q = pilot.len();
    let mut gram = zeros("the pilot's kernel matrix", q, q)?;
    let tiles: Vec<_> = runs(q, ROWS).zip(gram.chunks_mut(ROWS * q)).collect();
    tiles::sweep(PHASE, tiles, monitor, |(rows, out)| {
        fill(pilot, kernel, (pilot.rows(), rows), out);
        Ok(())
    })?;
    let gram = MatRef::from_row_major_slice(&gram, q, q);
    let shift = ridge * q as f64;
    let matrix = Mat::from_fn(q, q, |i, j| gram[(i, j)] + if i == j { shift } else { 0.0 });
    let hint = "choose a positive kernel, or landmarks that do not look at it";
    cholesky::factor(matrix, "the pilot's kernel matrix", hint, monitor)
}

/// `K(rows, pilot)`, row-major.
fn fill(
    pilot: &Anchors<Points>,
    kernel: &dyn Kernel,
    (points, rows): (&Points, Range<usize>),
    out: &mut [f64],
) {
    let q = pilot.len();
    let queries = pilot.load_from(points, rows);
    let mut scratch = vec![0.0; queries.len() * PANEL.min(q)];
    for p in 0..pilot.panels() {
        let tile = pilot.tile(&queries, p, &mut scratch);
        kernel.value(tile);
        let columns = pilot.panel(p);
        for (row, out) in tile
            .chunks_exact(columns.len())
            .zip(out.chunks_exact_mut(q))
        {
            out[columns.clone()].copy_from_slice(row);
        }
    }
}
