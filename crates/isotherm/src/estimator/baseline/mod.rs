//! What users would try first: kernel ridge, label propagation, harmonic functions.

pub mod harmonic;
pub mod kernel_ridge;
pub mod label_propagation;
mod spectral;

pub use harmonic::{ClassMass, Harmonic, HarmonicParams};
pub use kernel_ridge::{KernelRidge, KernelRidgeParams};
pub use label_propagation::{LabelPropagation, LabelPropagationParams};

use crate::data::Graph;
use crate::error::Result;
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
