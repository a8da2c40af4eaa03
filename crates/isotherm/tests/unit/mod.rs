//! Tests of what only the crate itself can see, compiled into its unit tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod automatic;
mod blend;
mod data;
mod landmark;
mod linalg;
mod nodes;
mod operator;
mod partial;
mod picture;
mod solve;
mod task;
mod text;
mod trust;

/// Σ(x − z)², the obvious way.
pub(crate) fn squared(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(x, z)| (x - z) * (x - z)).sum()
}
