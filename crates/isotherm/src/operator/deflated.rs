//! `A − U Uᵀ` for exact unit eigenvectors `U` of `A` with eigenvalue 1.

use super::{Modes, Operator, SpectrumBounds, Symmetric};
use crate::error::Result;
use crate::linalg::{MatMut, MatRef};
use crate::monitor::Monitor;

/// `(I − U Uᵀ) A`, symmetric because the columns of `U` are eigenvectors of `A`.
///
/// No scratch.
#[derive(Debug)]
pub(crate) struct Deflated<'m, A> {
    /// `A`.
    pub inner: A,
    /// `U`.
    pub modes: &'m Modes,
}

impl<A: Operator> Operator for Deflated<'_, A> {
    fn dim(&self) -> usize {
        self.inner.dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        self.inner.apply(block, out.as_mut(), monitor)?;
        self.modes.remove(out);
        Ok(())
    }
}

impl<A: Symmetric> Symmetric for Deflated<'_, A> {
    /// The whole operator's interval joined with the zeros that are left of the modes.
    fn spectrum(&self) -> SpectrumBounds {
        let inner = self.inner.spectrum();
        SpectrumBounds {
            low: inner.low.min(0.0),
            high: inner.high.max(0.0),
        }
    }
}
