//! `p(A) = Σₚ πₚ Aᵖ` by Horner's rule.  [STKR Alg. 1, lines 4–6]

use super::{Operator, SpectrumBounds, Symmetric};
use crate::error::{Error, Result};
use crate::linalg::{Block, MatMut, MatRef};
use crate::monitor::Monitor;

/// A polynomial of an operator, `weights[p] · Aᵖ` summed over p ≥ 0.
///
/// `q` products with `A` for degree `q`; scratch: one block.
#[derive(Debug, Clone)]
pub(crate) struct Horner<A> {
    inner: A,
    weights: Vec<f64>,
}

impl<A: Operator> Horner<A> {
    /// The polynomial with `weights[p]` in front of `Aᵖ`, constant first.
    ///
    /// # Errors
    /// [`Error::Parameter`] when there is no weight or one is not finite.
    pub(crate) fn new(inner: A, weights: Vec<f64>) -> Result<Self> {
        if weights.is_empty() || weights.iter().any(|w| !w.is_finite()) {
            return Err(Error::parameter(
                "weights",
                "a non-empty list of finite numbers",
                weights,
            ));
        }
        Ok(Self { inner, weights })
    }
}

impl<A: Operator> Operator for Horner<A> {
    fn dim(&self) -> usize {
        self.inner.dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let last = self.weights.len() - 1;
        // v ← π_q b
        super::zip_rows(out.as_mut(), block, |out, b| *out = self.weights[last] * b);
        if last == 0 {
            return Ok(());
        }
        let mut scratch = Block::zeros(block.nrows(), block.ncols())?;
        for weight in self.weights[..last].iter().rev() {
            // v ← A v + πₚ b
            super::zip_rows(scratch.as_mat_mut(), out.as_ref(), |s, v| *s = v);
            self.inner.apply(scratch.as_mat(), out.as_mut(), monitor)?;
            super::zip_rows(out.as_mut(), block, |out, b| *out += weight * b);
        }
        Ok(())
    }
}

impl<A: Symmetric> Symmetric for Horner<A> {
    /// By interval arithmetic along Horner's rule: holds the spectrum, may be wide.
    fn spectrum(&self) -> SpectrumBounds {
        let a = self.inner.spectrum();
        if self.weights.len() > 1 && !(a.low.is_finite() && a.high.is_finite()) {
            return SpectrumBounds {
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            };
        }
        let mut bound = SpectrumBounds {
            low: 0.0,
            high: 0.0,
        };
        for weight in self.weights.iter().rev() {
            let ends = [
                bound.low * a.low,
                bound.low * a.high,
                bound.high * a.low,
                bound.high * a.high,
            ];
            bound = SpectrumBounds {
                low: ends.iter().copied().fold(f64::INFINITY, f64::min) + weight,
                high: ends.iter().copied().fold(f64::NEG_INFINITY, f64::max) + weight,
            };
        }
        bound
    }
}
