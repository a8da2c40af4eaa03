//! What is learned from, and the base that rows become.

use crate::base::{KernelBase, NeighbourBase, Normalisation, Storage};
use crate::data::{Graph, Nodes, Points};
use crate::error::Result;
use crate::kernel::KernelSpec;
use crate::monitor::Monitor;
use crate::neighbours::Search;
use crate::recipe::{Shape, default_neighbours};

/// What is learned from.
#[derive(Debug, Clone)]
pub enum Input {
    /// Rows of numbers.
    Table(Points),
    /// Nodes and edges.
    Graph(Graph),
    /// Nodes with features, and edges.
    Nodes(Nodes),
    /// N rows of N similarities: the base kernel between all samples, symmetric.
    Gram(Points),
}

impl Input {
    /// Number of samples.
    pub fn len(&self) -> usize {
        match self {
            Self::Table(points) | Self::Gram(points) => points.len(),
            Self::Graph(graph) => graph.len(),
            Self::Nodes(nodes) => nodes.len(),
        }
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows of a table.
    pub fn rows(&self) -> Option<&Points> {
        match self {
            Self::Table(points) => Some(points),
            Self::Graph(_) | Self::Nodes(_) | Self::Gram(_) => None,
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        match self {
            Self::Table(_) => Shape::Table,
            Self::Graph(_) | Self::Nodes(_) => Shape::Graph,
            Self::Gram(_) => Shape::Gram,
        }
    }
}

/// All rows under a kernel, its bandwidth chosen where it is left open.
pub(crate) fn kernel_base(
    points: Points,
    kernel: &KernelSpec,
    seed: u64,
) -> Result<(KernelBase, KernelSpec)> {
    let kernel = kernel.clone().fitted_to(&points, seed)?;
    let base = KernelBase::new(points, kernel.build()?, Storage::Auto);
    Ok((base, kernel))
}

/// All rows, joined to their neighbours; the usual number where none is given.
pub(crate) fn neighbour_base(
    points: Points,
    neighbours: Option<usize>,
    normalisation: Option<Normalisation>,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<NeighbourBase> {
    let count = neighbours.unwrap_or_else(|| default_neighbours(points.len()));
    let base = NeighbourBase::weighted(points, count, Search::Auto, seed, monitor)?;
    match normalisation {
        Some(normalisation) => base.normalised(normalisation),
        None => Ok(base),
    }
}
