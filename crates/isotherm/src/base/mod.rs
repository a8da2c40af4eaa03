//! Where similarities come from: the training operator and the query rows.

pub mod blend_base;
pub mod feature_base;
pub mod graph_base;
pub mod joined_rows;
pub mod kernel_base;
pub mod neighbour_base;
mod no_gram;
pub(crate) mod node_rows;
mod node_table;
pub(crate) mod role_counts;
pub mod similarity_base;

pub(crate) use blend_base::NewSamples;
pub(crate) use blend_base::{
    BlendBase, BlendPart, NodeFeatures, NodeSamples, Samples, Similarity, View,
};
pub use feature_base::{Basis, FeatureBase};
pub use graph_base::{GraphBase, Normalisation};
pub(crate) use joined_rows::JoinedRows;
pub use joined_rows::Metric;
pub use kernel_base::{KernelBase, Storage};
pub use neighbour_base::NeighbourBase;
pub use node_rows::NodeRowsSpec;
pub(crate) use node_table::NodeTable;
pub use similarity_base::SimilarityBase;

use crate::data::Graph;
use crate::error::Result;
use crate::linalg::{Mat, MatRef};
use crate::monitor::Monitor;
use crate::operator::{Modes, Symmetric};

/// The base kernel `K` of STKR: a table under a kernel, or a graph.
pub trait Base: Send + Sync {
    /// What a new sample looks like: `Points` for a table, rows of edges to
    /// known nodes for a graph.
    type Query: ?Sized;

    /// Number of anchors: all visible samples.
    fn len(&self) -> usize;

    /// Whether there is no anchor.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The normalised Gram operator `G = G_K / (n + m)`.
    fn gram(&self) -> Box<dyn Symmetric + '_>;

    /// `K(queries, anchors) · coefficients`, by tiles, never storing the rows.
    ///
    /// # Errors
    /// [`crate::Error::Shape`] when the queries do not fit the anchors;
    /// [`crate::Error::Cancelled`] when the monitor breaks.
    fn expand(
        &self,
        queries: &Self::Query,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>>;

    /// The component of each anchor, numbered from 0, when [`Base::gram`] is
    /// known to be block diagonal over components.
    ///
    /// # Errors
    /// [`crate::Error::Cancelled`] when the monitor breaks.
    fn components(&self, _: &mut dyn Monitor) -> Result<Option<Vec<u32>>> {
        Ok(None)
    }

    /// The anchors that some query is similar to, where they are few; `None` is
    /// all of them.
    fn support(&self, _: &Self::Query) -> Option<Vec<usize>> {
        None
    }

    /// How far the similarity of an anchor goes.
    fn reach(&self) -> Reach {
        Reach::Everywhere
    }

    /// [`Base::gram`] as the sparse matrix it is, where it is one.
    fn sparse(&self) -> Option<SparseParts<'_>> {
        None
    }

    /// Exact eigenvectors of [`Base::gram`] with eigenvalue 1, its largest,
    /// where they are known.
    ///
    /// # Errors
    /// As [`Base::components`].
    fn modes(&self, _: &mut dyn Monitor) -> Result<Option<Modes>> {
        Ok(None)
    }
}

/// How far the similarity of a sample goes, which decides what "unreached" means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Along edges only: what no path leads to is exactly zero.
    Edges,
    /// It falls off with distance and rounds to nothing.
    Fading,
    /// Everywhere.
    Everywhere,
}

/// A sparse Gram operator: `shift·I + scale·R W R` with a graph's weights `W` and
/// a diagonal `R`.
#[derive(Debug, Clone, Copy)]
pub struct SparseParts<'a> {
    /// `W`.
    pub graph: &'a Graph,
    /// The diagonal of `R`; `None` is the identity.
    pub roots: Option<&'a [f64]>,
    /// In front of `I`.
    pub shift: f64,
    /// In front of `R W R`.
    pub scale: f64,
}

/// A base whose similarities are a graph's: methods that walk along edges need
/// the edges.
pub trait Adjacency: Base {
    /// The graph whose adjacency, normalised, is [`Base::gram`].
    fn graph(&self) -> &Graph;
}
