//! What each label is predicted to be without it.
//!
//! Tikhonov over the labels is penalised least squares: `y − ĝ₋ᵢ = (y − ĝ)/(1 − hᵢᵢ)`
//! with the hat matrix H, at n_ℓλ unchanged. Over all rows modes do not depend on the
//! labels, so leaving one out leaves one term out of `θ̂` and of the mean. Other filters
//! over the labels are fitted again, n_ℓ times, in n_ℓ coordinates.

use rayon::prelude::*;

use super::filtered::{Axes, Measured};
use crate::error::Result;
use crate::linalg::gemm::times;
use crate::linalg::{Mat, MatRef};
use crate::spectrum::Filter;

/// A leverage so close to 1 that the label alone decides its own prediction.
const ALONE: f64 = 1e-12;

/// Leave-one-out predictions, n_ℓ × outputs. `filter` as it was given, `gains` its
/// values on the spectrum.
pub(super) fn predictions(
    axes: &Axes,
    filter: &Filter,
    gains: &[f64],
    labels: MatRef<'_, f64>,
) -> Result<Mat<f64>> {
    match filter {
        _ if labels.nrows() < 2 => Ok(Mat::zeros(labels.nrows(), labels.ncols())),
        _ if !axes.own => Ok(one_term_less(axes, gains, labels)),
        Filter::Tikhonov { .. } => Ok(by_leverage(axes, gains, labels)),
        _ => again(axes, filter, labels),
    }
}

/// Leave-one-out predictions, and the labels that alone decide their own; `None` where that takes
/// a fit for each label. O(n_ℓp²).
pub(super) fn judged(
    axes: &Axes,
    filter: &Filter,
    gains: &[f64],
    labels: MatRef<'_, f64>,
) -> Option<(Mat<f64>, Vec<bool>)> {
    let closed = axes.own && matches!(filter, Filter::Tikhonov { .. });
    closed.then(|| {
        let leverage = leverages(axes, gains, labels.nrows());
        let alone = leverage.iter().map(|h| 1.0 - h <= ALONE).collect();
        (by_leverage(axes, gains, labels), alone)
    })
}

/// The diagonal of the hat matrix.
fn leverages(axes: &Axes, gains: &[f64], n: usize) -> Vec<f64> {
    let (free, inverse) = axes.free();
    let shadow = times(free.as_ref(), inverse.as_ref());
    let at = |i: usize| {
        let bent: f64 = (0..gains.len())
            .map(|k| gains[k] * axes.labelled[(i, k)].powi(2))
            .sum();
        let flat: f64 = (0..free.ncols())
            .map(|k| shadow[(i, k)] * free[(i, k)])
            .sum();
        (bent + flat) / n as f64
    };
    (0..n).map(at).collect()
}

fn by_leverage(axes: &Axes, gains: &[f64], labels: MatRef<'_, f64>) -> Mat<f64> {
    let n = labels.nrows();
    let fitted = axes.solve(gains, labels).fitted;
    let leverage = leverages(axes, gains, n);
    Mat::from_fn(n, labels.ncols(), |i, j| {
        let left = 1.0 - leverage[i];
        if left > ALONE {
            labels[(i, j)] - (labels[(i, j)] - fitted[(i, j)]) / left
        } else {
            0.0
        }
    })
}

fn one_term_less(axes: &Axes, gains: &[f64], labels: MatRef<'_, f64>) -> Mat<f64> {
    let n = labels.nrows();
    let others = (n - 1) as f64;
    let (free, inverse) = axes.free();
    let shadow = times(free.as_ref(), inverse.as_ref());
    let flat = times(shadow.as_ref(), free.transpose());
    let weighted = Mat::from_fn(n, gains.len(), |i, k| gains[k] * axes.labelled[(i, k)]);
    let bent = times(weighted.as_ref(), axes.labelled.transpose());
    let mut out = Mat::zeros(n, labels.ncols());
    for y in 0..labels.ncols() {
        let sums = times(flat.as_ref(), labels.subcols(y, 1));
        for i in 0..n {
            // e(xⱼ)·a₀ without label i
            let start = |j: usize| (sums[(j, 0)] - flat[(j, i)] * labels[(i, y)]) / others;
            let rest: f64 = (0..n)
                .filter(|&j| j != i)
                .map(|j| bent[(i, j)] * (labels[(j, y)] - start(j)))
                .sum();
            out[(i, y)] = rest / others + start(i);
        }
    }
    out
}

fn again(axes: &Axes, filter: &Filter, labels: MatRef<'_, f64>) -> Result<Mat<f64>> {
    let n = labels.nrows();
    // F up to what the free functions explain, and a rotation: neither changes a fit.
    let (free, _) = axes.free();
    let rows = (0..n).into_par_iter().map(|i| -> Result<Vec<f64>> {
        let keep: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        let pick =
            |from: &Mat<f64>| Mat::from_fn(keep.len(), from.ncols(), |r, c| from[(keep[r], c)]);
        let without = Axes::new(Measured {
            features: pick(&axes.labelled),
            free: pick(free),
            averages: None,
        })?;
        let gains = without.gains(&without.resolve(filter)?)?;
        let rest = Mat::from_fn(keep.len(), labels.ncols(), |r, c| labels[(keep[r], c)]);
        let found = without.solve(&gains, rest.as_ref());
        let at = |j: usize| {
            let bent: f64 = (0..axes.labelled.ncols())
                .map(|k| axes.labelled[(i, k)] * found.features[(k, j)])
                .sum();
            let flat: f64 = (0..free.ncols())
                .map(|k| free[(i, k)] * found.free[(k, j)])
                .sum();
            bent + flat
        };
        Ok((0..labels.ncols()).map(at).collect())
    });
    let rows: Vec<Vec<f64>> = rows.collect::<Result<_>>()?;
    Ok(Mat::from_fn(n, labels.ncols(), |i, j| rows[i][j]))
}
