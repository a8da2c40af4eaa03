//! The Gram operator of a base that has no matrix between its anchors.

use crate::error::{Error, Result};
use crate::linalg::{MatMut, MatRef};
use crate::monitor::Monitor;
use crate::operator::{Operator, SpectrumBounds, Symmetric};

/// An operator that refuses every product.
pub(super) struct NoGram {
    /// Rows of the matrix that is not there.
    pub(super) anchors: usize,
    /// Why it is not there, and what to do instead.
    pub(super) refusal: fn() -> Error,
}

impl Operator for NoGram {
    fn dim(&self) -> usize {
        self.anchors
    }

    fn apply(&self, _: MatRef<'_, f64>, _: MatMut<'_, f64>, _: &mut dyn Monitor) -> Result<()> {
        Err((self.refusal)())
    }
}

impl Symmetric for NoGram {
    fn spectrum(&self) -> SpectrumBounds {
        SpectrumBounds {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        }
    }
}
