//! Linear maps you can apply to a block of columns.

pub mod dense;
pub mod gram;
pub mod tiled;

use crate::error::Result;
use crate::linalg::{MatMut, MatRef};
use crate::monitor::Monitor;

/// A square linear map: a block in, a block out.
///
/// `apply` takes the monitor because one application over 10⁵ points is
/// seconds long, and every long loop can be stopped.
pub trait Operator: Sync {
    /// Number of rows and of columns.
    fn dim(&self) -> usize;

    /// `out = A · block`. Any strides are accepted; row-major is fastest for
    /// graphs.
    ///
    /// # Errors
    /// [`crate::Error::Cancelled`] when the monitor breaks;
    /// [`crate::Error::Memory`] when scratch cannot be had.
    fn apply(
        &self,
        block: MatRef<'_, f64>,
        out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()>;
}

/// An operator that equals its transpose; a promise in the type.
pub trait Symmetric: Operator {
    /// An interval known to hold the spectrum: `[-1, 1]` for a normalised adjacency.
    fn spectrum(&self) -> Interval;
}

/// A closed interval of the real line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}
