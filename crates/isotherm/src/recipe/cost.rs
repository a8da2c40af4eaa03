//! What a fit will need, told before anything large is allocated.

use super::recipe::{DEFAULT_NEIGHBOURS, Method, Recipe};
use crate::data::graph;
use crate::error::{Error, Result};
use crate::estimator::baseline::kernel_ridge::DIRECT_UP_TO;
use crate::linalg::block::padded;

/// The sizes a cost depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Samples: rows or nodes.
    pub samples: usize,
    /// Samples with a label.
    pub labelled: usize,
    /// Score columns: classes, or 1 for values.
    pub width: usize,
    /// What the samples are.
    pub kind: Kind,
}

/// What the samples are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Rows of so many numbers.
    Table {
        /// Feature columns.
        dim: usize,
    },
    /// Nodes with so many edges.
    Graph {
        /// Undirected edges.
        edges: usize,
        /// Whether edges carry weights.
        weighted: bool,
    },
}

/// Bytes the fit needs at its peak, the data's own copies included.
///
/// Sums of array sizes, no allocator overhead: right to about a fifth.
pub fn memory(recipe: &Recipe, sizes: &Sizes) -> u64 {
    let n = sizes.samples as u64;
    let panel = 8 * n * padded(sizes.width) as u64;
    let row = 8 * n * (sizes.width as u64 + 1);
    // Conjugate gradients: labels, solution, x, r, p, q, the gathered panel;
    // then scores, coefficients and the expansion's columns; an answer is
    // scores and probabilities once more.
    let solve = (7 * panel).max(panel + 5 * row);
    match (sizes.kind, &recipe.method) {
        (Kind::Table { dim }, Method::KernelRidge(_)) => {
            let l = sizes.labelled as u64;
            let matrix = if sizes.labelled <= DIRECT_UP_TO {
                8 * l * l
            } else {
                0
            };
            16 * n * dim as u64 + matrix
        }
        (Kind::Table { dim }, _) => {
            let k = recipe.neighbours.unwrap_or(DEFAULT_NEIGHBOURS);
            let found = 12 * n * k as u64;
            let build = graph::memory_estimate(n, n.saturating_mul(k as u64), false);
            // Raw rows, scaled rows, centred rows while neighbours are sought.
            16 * n * dim as u64
                + (8 * n * dim as u64 + found)
                    .max(build)
                    .max(solve + 8 * n * k as u64)
        }
        (Kind::Graph { edges, weighted }, _) => {
            let build = graph::memory_estimate(n, edges as u64, weighted);
            let entry = if weighted { 12 } else { 4 };
            build.max(2 * edges as u64 * entry + solve)
        }
    }
}

/// Refuses a fit that, beside the `used` bytes in use already, needs more than
/// `limit` bytes.
///
/// # Errors
/// [`Error::Memory`] with the estimate and a way out.
pub fn check(recipe: &Recipe, sizes: &Sizes, used: u64, limit: u64) -> Result<()> {
    let needed = memory(recipe, sizes).saturating_add(used);
    if needed <= limit {
        return Ok(());
    }
    let what = match sizes.kind {
        Kind::Table { dim } => format!(
            "{} on {} rows of {dim} numbers",
            recipe.method.name(),
            sizes.samples
        ),
        Kind::Graph { edges, .. } => format!(
            "{} on {} nodes and {edges} edges",
            recipe.method.name(),
            sizes.samples
        ),
    };
    let hint = match sizes.kind {
        Kind::Table { .. } => {
            "use fewer rows, fewer columns or fewer neighbours, or raise --memory"
        }
        Kind::Graph { .. } => "use fewer edges, or raise --memory",
    };
    Err(Error::Memory {
        what,
        needed,
        limit,
        hint: hint.to_owned(),
    })
}
