//! Eigenvectors of a graph as rows: `√N·λₖuₖ(i)` for the eigenvalues of largest size.
//!
//! Small components are left out: each has an eigenvalue of 1, and −1 if it is bipartite, and its
//! eigenvectors would take the places of those that tell parts of a large component apart.
//!
//! Large positive eigenvalues belong to functions that are alike on neighbours, large negative
//! ones to functions that differ between them.

use crate::base::{Adjacency as _, Base as _, GraphBase};
use crate::data::Graph;
use crate::error::{Error, Result};
use crate::monitor::Monitor;
use crate::operator::sparse::NormalisedAdjacency;
use crate::solve::eigenpairs::{Leading, LeadingOptions, leading};

/// Residuals of the eigenvectors: what follows is a regression on them.
const TOLERANCE: f64 = 1e-6;

/// Below it an eigenvalue is left out: a new node's row divides by it.
const SMALLEST: f64 = 1e-3;

/// At most `rank` eigenvalues of S, the largest in size first, and the rows.
///
/// # Errors
/// [`Error::Parameter`] for a rank of zero; as [`leading`].
pub(super) fn spectrum(
    graph: &GraphBase,
    rank: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<(Vec<f64>, Vec<f32>)> {
    if rank == 0 {
        return Err(Error::parameter("rank", "at least 1", 0));
    }
    let nodes = graph.len();
    let options = LeadingOptions {
        tolerance: TOLERANCE,
        seed,
        ..LeadingOptions::default()
    };
    let count = rank.min(nodes);
    let large = large_components(graph, rank, monitor)?;
    let upper = leading(&*large.gram(), count, &options, monitor)?;
    let turned = NormalisedAdjacency::new(large.graph()).affine(0.0, -1.0);
    let lower = leading(&turned, count, &options, monitor)?;
    let mut chosen: Vec<(f64, &Leading, usize)> = Vec::with_capacity(2 * count);
    chosen.extend(
        upper
            .values
            .iter()
            .enumerate()
            .map(|(k, v)| (*v, &upper, k)),
    );
    // A value that is positive here is one of those above where all were asked for.
    let negative = lower.values.iter().enumerate().filter(|(_, v)| **v > 0.0);
    chosen.extend(negative.map(|(k, v)| (-v, &lower, k)));
    chosen.retain(|(value, from, _)| {
        value.abs() > SMALLEST && (*value > 0.0 || std::ptr::eq(*from, &raw const lower))
    });
    chosen.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()).then(b.0.total_cmp(&a.0)));
    chosen.truncate(count);
    let dim = chosen.len().max(1);
    let size = (nodes as f64).sqrt();
    let mut rows = vec![0.0; nodes * dim];
    for (c, (value, from, k)) in chosen.iter().enumerate() {
        for (i, u) in from.vectors.col(*k).iter().enumerate() {
            rows[i * dim + c] = (size * value * u) as f32;
        }
    }
    let values = if chosen.is_empty() {
        // No edge: one column of zeros.
        vec![1.0]
    } else {
        chosen.iter().map(|(value, ..)| *value).collect()
    };
    Ok((values, rows))
}

/// The graph without the edges of components that have at most `rank` nodes, the largest one kept.
fn large_components(
    graph: &GraphBase,
    rank: usize,
    monitor: &mut dyn Monitor,
) -> Result<GraphBase> {
    let edges = graph.graph();
    let component = edges.components(monitor)?;
    let count = component.iter().max().map_or(0, |c| *c as usize + 1);
    let mut sizes = vec![0_usize; count];
    component.iter().for_each(|&c| sizes[c as usize] += 1);
    let largest = sizes.iter().max().copied().unwrap_or(0);
    let kept = |i: usize| sizes[component[i] as usize] > rank.min(largest - 1);
    let starts = edges.starts();
    let (mut ends, mut columns) = (vec![0], Vec::with_capacity(edges.columns().len()));
    let mut weights = edges.all_weights().map(|_| Vec::new());
    for i in 0..edges.len() {
        if kept(i) {
            let row = starts[i] as usize..starts[i + 1] as usize;
            columns.extend_from_slice(&edges.columns()[row.clone()]);
            if let (Some(to), Some(from)) = (&mut weights, edges.all_weights()) {
                to.extend_from_slice(&from[row]);
            }
        }
        ends.push(columns.len() as u64);
    }
    Ok(GraphBase::new(Graph::from_parts(ends, columns, weights)?))
}
