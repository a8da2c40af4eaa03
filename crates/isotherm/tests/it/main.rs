//! The public face of the library, in one binary; what only the crate can see is tested in
//! `tests/unit`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod base;
mod data;
mod distributed;
mod embedding;
mod error;
mod estimator;
mod feature;
mod golden;
mod methods;
mod neighbours;
mod nodes;
mod query;
mod recipe;
mod relations;
mod rooms;
mod select;
mod smoothed;
mod solve;
mod spectrum;
mod study;
mod view;

use isotherm::Result;
use isotherm::labelling::WeightedTargets;
use isotherm::model::Model;
use isotherm::monitor::Monitor;
use isotherm::recipe::Recipe;
use isotherm::study::{Input, Study};

/// A study that is asked for its model only.
fn fit<'g>(
    recipe: &Recipe,
    input: Input,
    given: impl Into<WeightedTargets<'g>>,
    monitor: &mut dyn Monitor,
) -> Result<Model> {
    Study::new(recipe, input, given)?.fit(monitor)
}

/// Σ(x − z)², the obvious way.
fn squared(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(x, z)| (x - z) * (x - z)).sum()
}
