//! Where similarities come from: the training operator and the query rows.

pub mod kernel_base;

pub use kernel_base::{KernelBase, Storage};

use crate::error::Result;
use crate::linalg::{Mat, MatRef};
use crate::monitor::Monitor;
use crate::operator::Symmetric;

/// The base kernel `K` of [STKR]: a table under a kernel, or a graph.
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
}
