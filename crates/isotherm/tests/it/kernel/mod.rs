mod cosine;
mod exp;
mod exponential;
mod gaussian;
mod linear;
mod matern;
mod polynomial;
mod rational_quadratic;
mod spec;

use isotherm::data::Points;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// `n` rows of numbers in [-1, 1).
pub(crate) fn random_points(n: usize, d: usize, seed: u64) -> Points {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let values = (0..n * d).map(|_| rng.random_range(-1.0..1.0)).collect();
    Points::new(values, n, d).unwrap()
}

/// Σ(x − z)², the obvious way.
pub(crate) fn squared(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(x, z)| (x - z) * (x - z)).sum()
}
