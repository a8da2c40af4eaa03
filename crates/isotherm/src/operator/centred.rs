//! `H A H` with `H = I − 11ᵀ/n`: an operator with the constants taken out.  [STKR §2 (ii)]

use super::{Operator, SpectrumBounds, Symmetric};
use crate::error::Result;
use crate::linalg::{Block, MatMut, MatRef};
use crate::monitor::Monitor;

/// The doubly centred operator; scratch: one block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Centred<A> {
    /// The operator `A`.
    pub inner: A,
}

impl<A: Operator> Operator for Centred<A> {
    fn dim(&self) -> usize {
        self.inner.dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let mut centred = Block::copy_of(block)?;
        subtract_means(centred.as_mat_mut());
        self.inner.apply(centred.as_mat(), out.as_mut(), monitor)?;
        subtract_means(out);
        Ok(())
    }
}

impl<A: Symmetric> Symmetric for Centred<A> {
    /// The whole operator's interval joined with the zero that centring adds.
    fn spectrum(&self) -> SpectrumBounds {
        let inner = self.inner.spectrum();
        SpectrumBounds {
            low: inner.low.min(0.0),
            high: inner.high.max(0.0),
        }
    }
}

/// Takes each column's mean from it; summed in row order, so always the same bits.
fn subtract_means(mut block: MatMut<'_, f64>) {
    let n = block.nrows();
    if n == 0 {
        return;
    }
    let mut means = vec![0.0; block.ncols()];
    for i in 0..n {
        for (c, mean) in means.iter_mut().enumerate() {
            *mean += block[(i, c)];
        }
    }
    for i in 0..n {
        for (c, mean) in means.iter().enumerate() {
            block[(i, c)] -= mean / n as f64;
        }
    }
}
