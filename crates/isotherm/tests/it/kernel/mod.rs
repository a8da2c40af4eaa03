mod cosine;
mod exponential;
mod gaussian;
mod linear;
mod matern;
mod polynomial;
mod rational_quadratic;
mod spec;

pub(crate) use isotherm::testing::random_points;

/// Σ(x − z)², the obvious way.
pub(crate) fn squared(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(x, z)| (x - z) * (x - z)).sum()
}
