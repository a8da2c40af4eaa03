//! The sum of several graphs of the same nodes.

use super::Graph;
use super::limits::LARGEST_WEIGHT;
use crate::error::{Error, Refusal, Result};
use crate::linalg::tiles;
use crate::monitor::Monitor;

/// `W = Σ Wᵣ`; an edge without a weight counts one. Without weights where every weight is one.
///
/// O(entries log degree) time; the new graph's memory.
///
/// # Errors
/// [`Error::Shape`] when the graphs have different numbers of nodes; [`Error::Refused`] when a
/// weight grows too large; [`Error::Memory`]; [`Error::Cancelled`].
pub(super) fn sum_of(graphs: &[&Graph], monitor: &mut dyn Monitor) -> Result<Graph> {
    const PHASE: &str = "joining the relations";
    /// Nodes between two chances to stop.
    const PATIENCE: usize = 1 << 16;
    let nodes = graphs.first().map_or(0, |graph| graph.len());
    for graph in graphs {
        if graph.len() != nodes {
            return Err(Error::Shape {
                what: "nodes of a relation",
                expected: nodes,
                got: graph.len(),
            });
        }
    }
    let most: usize = graphs.iter().map(|graph| graph.entries()).sum();
    let (mut columns, mut weights) = (Vec::new(), Vec::new());
    let refuse = |_| Error::no_memory("the edges of all relations", 12 * most as u64);
    columns.try_reserve_exact(most).map_err(refuse)?;
    weights.try_reserve_exact(most).map_err(refuse)?;
    let mut starts = Vec::with_capacity(nodes + 1);
    starts.push(0);
    let mut row: Vec<(u32, f64)> = Vec::new();
    for i in 0..nodes {
        if i % PATIENCE == 0 {
            tiles::tick(PHASE, monitor)?;
        }
        row.clear();
        for graph in graphs {
            let own = graph.weights(i);
            let near = graph.neighbours(i).iter().enumerate();
            row.extend(near.map(|(k, &j)| (j, own.map_or(1.0, |w| w[k]))));
        }
        // Stable, so that weights are added in the order of the relations.
        row.sort_by_key(|(j, _)| *j);
        for &(j, weight) in &row {
            let first = starts[i] as usize;
            match columns.last() {
                Some(&last) if columns.len() > first && last == j => {
                    if let Some(sum) = weights.last_mut() {
                        *sum += weight;
                    }
                }
                _ => {
                    columns.push(j);
                    weights.push(weight);
                }
            }
        }
        starts.push(columns.len() as u64);
    }
    if let Some(large) = weights.iter().find(|w| **w >= LARGEST_WEIGHT) {
        return Err(Error::refused(
            Refusal::Edge,
            format!("the weights of an edge in the relations sum to {large:e}"),
            format!("rescale the weights below {LARGEST_WEIGHT:e}"),
        ));
    }
    let weights = weights.iter().any(|w| *w != 1.0).then_some(weights);
    Graph::from_parts(starts, columns, weights)
}
