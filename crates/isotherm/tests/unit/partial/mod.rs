//! Partial labels.

mod candidates;
mod convex;
mod estimators;
mod orders;
mod refusals;

use crate::linalg::{Mat, eigen};
use crate::testing::random;

/// M = nβ(G + nβI)⁻¹ of kernel ridge regression with a Gaussian kernel of width 1.
pub(super) fn penalty(x: &Mat<f64>, ridge: f64) -> Mat<f64> {
    let n = x.nrows();
    let gram = Mat::from_fn(n, n, |i, j| {
        let far: f64 = (0..x.ncols())
            .map(|k| (x[(i, k)] - x[(j, k)]).powi(2))
            .sum();
        (-0.5 * far).exp()
    });
    let found = eigen::symmetric(gram.as_ref()).unwrap();
    let shift = n as f64 * ridge;
    Mat::from_fn(n, n, |i, j| {
        (0..n)
            .map(|k| {
                let v = &found.vectors;
                v[(i, k)] * v[(j, k)] * shift / (found.values[k].max(0.0) + shift)
            })
            .sum()
    })
}

/// Two heaps of points, far apart.
pub(super) fn heaps(each: usize, spread: f64, seed: u64) -> Mat<f64> {
    let noise = random(2 * each, 2, seed);
    Mat::from_fn(2 * each, 2, |i, j| {
        spread * noise[(i, j)] + if i < each { 0.0 } else { 4.0 }
    })
}

/// J by its definition.
pub(super) fn objective(penalty: &Mat<f64>, y: &Mat<f64>) -> f64 {
    let n = y.nrows();
    let mut sum = 0.0;
    for i in 0..n {
        for k in 0..n {
            for j in 0..y.ncols() {
                sum += y[(i, j)] * penalty[(i, k)] * y[(k, j)];
            }
        }
    }
    sum / n as f64
}

pub(super) fn falls(objective: &[f64]) {
    for pair in objective.windows(2) {
        assert!(pair[1] <= pair[0] + 1e-13, "{objective:?}");
    }
}
