//! Eigenvectors of a graph as rows: `√N·λₖuₖ(i)` for the eigenvalues of largest size.
//!
//! Large positive eigenvalues belong to functions that are alike on neighbours, large negative
//! ones to functions that differ between them.

use crate::base::{Adjacency as _, Base as _, GraphBase};
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
    let upper = leading(&*graph.gram(), count, &options, monitor)?;
    let turned = NormalisedAdjacency::new(graph.graph()).affine(0.0, -1.0);
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
