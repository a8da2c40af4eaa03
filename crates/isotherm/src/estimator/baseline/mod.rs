//! What users would try first: kernel ridge, label propagation, harmonic functions.

pub mod harmonic;
pub mod kernel_ridge;
pub mod label_propagation;
mod spectral;

pub use harmonic::{ClassMass, Harmonic, HarmonicParams};
pub use kernel_ridge::{KernelRidge, KernelRidgeParams};
pub use label_propagation::{LabelPropagation, LabelPropagationParams};

use crate::data::Graph;
use crate::error::{Error, Result};
use crate::monitor::Monitor;
use crate::task::Observed;

/// Which nodes share a component with a labelled one. O(E).
fn reached_nodes(graph: &Graph, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Vec<bool>> {
    Ok(reached_in(&graph.components(monitor)?, seen))
}

/// Which nodes share a component with a labelled one, the components known.
fn reached_in(component: &[u32], seen: &Observed) -> Vec<bool> {
    let mut lit = vec![false; component.len()];
    for &i in seen.index() {
        lit[component[i] as usize] = true;
    }
    component.iter().map(|&c| lit[c as usize]).collect()
}

pub(in crate::estimator) fn check_total(expected: usize, seen: &Observed) -> Result<()> {
    if seen.total() == expected {
        return Ok(());
    }
    Err(Error::Shape {
        what: "labels, one for each sample, blank or not",
        expected,
        got: seen.total(),
    })
}

/// Refuses a tolerance or an iteration limit that can never be met.
pub(in crate::estimator) fn check_stopping(tolerance: f64, iterations: usize) -> Result<()> {
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(Error::parameter(
            "tolerance",
            "above 0 and below 1",
            tolerance,
        ));
    }
    if iterations == 0 {
        return Err(Error::parameter("iterations", "at least 1", iterations));
    }
    Ok(())
}
