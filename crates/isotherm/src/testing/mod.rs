//! Contract checks for kernels, operators, codecs and estimators, ours or yours.
//!
//! Each returns a sentence when something does not hold, so it works in any
//! test framework. Behind the feature `testing`.

pub mod codec;
pub mod estimator;
pub mod kernel;
pub mod operator;
pub mod query;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::data::Points;
use crate::linalg::Mat;

/// A matrix of uniform numbers in [−1, 1), the same for the same seed.
pub fn random(rows: usize, cols: usize, seed: u64) -> Mat<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut out = Mat::zeros(rows, cols);
    for j in 0..cols {
        for i in 0..rows {
            out[(i, j)] = rng.random_range(-1.0..1.0);
        }
    }
    out
}

/// `n` rows of `d` uniform numbers in [−1, 1), the same for the same seed.
///
/// # Panics
/// When `n` or `d` is 0.
#[allow(clippy::expect_used)]
pub fn random_points(n: usize, d: usize, seed: u64) -> Points {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let values = (0..n * d).map(|_| rng.random_range(-1.0..1.0)).collect();
    Points::new(values, n, d).expect("at least one row and one column")
}
