//! What is learned from.

use crate::data::{Graph, Points};
use crate::recipe::Shape;

/// What is learned from.
#[derive(Debug, Clone)]
pub enum Input {
    /// Rows of numbers.
    Table(Points),
    /// Nodes and edges.
    Graph(Graph),
    /// N rows of N similarities: the base kernel between all samples, symmetric.
    Gram(Points),
}

impl Input {
    /// Number of samples.
    pub fn len(&self) -> usize {
        match self {
            Self::Table(points) | Self::Gram(points) => points.len(),
            Self::Graph(graph) => graph.len(),
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
            Self::Graph(_) | Self::Gram(_) => None,
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        match self {
            Self::Table(_) => Shape::Table,
            Self::Graph(_) => Shape::Graph,
            Self::Gram(_) => Shape::Gram,
        }
    }
}
