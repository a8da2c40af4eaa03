//! `A + B`.

use super::{Operator, SpectrumBounds, Symmetric};
use crate::error::{Error, Result};
use crate::linalg::{Block, MatMut, MatRef};
use crate::monitor::Monitor;

/// The sum of two operators of one size; scratch: one block.
#[derive(Debug, Clone, Copy)]
pub struct Sum<A, B> {
    first: A,
    second: B,
}

impl<A: Operator, B: Operator> Sum<A, B> {
    /// `first + second`.
    ///
    /// # Errors
    /// [`Error::Shape`] when the sizes differ.
    pub fn new(first: A, second: B) -> Result<Self> {
        if first.dim() != second.dim() {
            return Err(Error::Shape {
                what: "size of the second operator of a sum",
                expected: first.dim(),
                got: second.dim(),
            });
        }
        Ok(Self { first, second })
    }
}

impl<A: Operator, B: Operator> Operator for Sum<A, B> {
    fn dim(&self) -> usize {
        self.first.dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let mut scratch = Block::zeros(block.nrows(), block.ncols())?;
        self.first.apply(block, out.as_mut(), monitor)?;
        self.second.apply(block, scratch.as_mat_mut(), monitor)?;
        super::zip_rows(out, scratch.as_mat(), |out, other| *out += other);
        Ok(())
    }
}

impl<A: Symmetric, B: Symmetric> Symmetric for Sum<A, B> {
    fn spectrum(&self) -> SpectrumBounds {
        let (a, b) = (self.first.spectrum(), self.second.spectrum());
        SpectrumBounds {
            low: a.low + b.low,
            high: a.high + b.high,
        }
    }
}
