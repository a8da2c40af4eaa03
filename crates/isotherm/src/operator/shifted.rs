//! `aA + cI`: a scaled operator moved along the real line.

use super::{Operator, SpectrumBounds, Symmetric};
use crate::error::Result;
use crate::linalg::{MatMut, MatRef};
use crate::monitor::Monitor;

/// `scale · A + shift · I`; no scratch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shifted<A> {
    /// The operator `A`.
    pub inner: A,
    /// The factor in front of it.
    pub scale: f64,
    /// What is added on the diagonal.
    pub shift: f64,
}

impl<A: Operator> Operator for Shifted<A> {
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
        super::zip_rows(out, block, |out, block| {
            *out = self.scale * *out + self.shift * block;
        });
        Ok(())
    }
}

impl<A: Symmetric> Symmetric for Shifted<A> {
    fn spectrum(&self) -> SpectrumBounds {
        self.inner.spectrum().map(|t| self.scale * t + self.shift)
    }
}
