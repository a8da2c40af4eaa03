//! `cA`: an operator times a number.

use super::{Operator, SpectrumBounds, Symmetric};
use crate::error::Result;
use crate::linalg::{MatMut, MatRef};
use crate::monitor::Monitor;

/// `factor · A`; no scratch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scaled<A> {
    /// The operator `A`.
    pub inner: A,
    /// The number in front of it.
    pub factor: f64,
}

impl<A: Operator> Operator for Scaled<A> {
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
        super::map_rows(out, |out| *out *= self.factor);
        Ok(())
    }
}

impl<A: Symmetric> Symmetric for Scaled<A> {
    fn spectrum(&self) -> SpectrumBounds {
        self.inner.spectrum().map(|t| self.factor * t)
    }
}
