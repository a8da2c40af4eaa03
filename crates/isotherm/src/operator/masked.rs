//! `P A Pᵀ`: the part of an operator between chosen samples.

use std::sync::{Mutex, PoisonError};

use super::{Operator, SpectrumBounds, Symmetric};
use crate::error::{Error, Result};
use crate::linalg::{Block, MatMut, MatRef};
use crate::monitor::Monitor;

/// `A` restricted to the rows and columns in `index`.
///
/// Scratch: two full blocks, kept for the next application of the same width.
#[derive(Debug)]
pub(crate) struct Masked<A> {
    inner: A,
    index: Vec<usize>,
    scratch: Mutex<Option<(Block, Block)>>,
}

impl<A: Operator> Masked<A> {
    /// Keeps the rows and columns in `index`, in that order.
    ///
    /// # Errors
    /// [`Error::Shape`] when an index is out of range.
    pub(crate) fn new(inner: A, index: Vec<usize>) -> Result<Self> {
        if let Some(&got) = index.iter().find(|&&i| i >= inner.dim()) {
            return Err(Error::Shape {
                what: "sample index, which must be below the operator's size",
                expected: inner.dim(),
                got,
            });
        }
        Ok(Self {
            inner,
            index,
            scratch: Mutex::new(None),
        })
    }
}

impl<A: Operator> Operator for Masked<A> {
    fn dim(&self) -> usize {
        self.index.len()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let kept = self
            .scratch
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let (mut lifted, mut image) = match kept.filter(|(b, _)| b.cols() == block.ncols()) {
            Some(blocks) => blocks,
            None => {
                let zeros = || Block::zeros(self.inner.dim(), block.ncols());
                (zeros()?, zeros()?)
            }
        };
        for (k, &i) in self.index.iter().enumerate() {
            for (c, slot) in lifted.row_mut(i).iter_mut().enumerate() {
                *slot = block[(k, c)];
            }
        }
        self.inner
            .apply(lifted.as_mat(), image.as_mat_mut(), monitor)?;
        for (k, &i) in self.index.iter().enumerate() {
            for (c, value) in image.row(i).iter().enumerate() {
                out[(k, c)] = *value;
            }
        }
        // Rows outside the index were never written, so they are still zero.
        *self.scratch.lock().unwrap_or_else(PoisonError::into_inner) = Some((lifted, image));
        Ok(())
    }
}

impl<A: Symmetric> Symmetric for Masked<A> {
    /// The whole operator's interval, by Cauchy interlacing.
    fn spectrum(&self) -> SpectrumBounds {
        self.inner.spectrum()
    }
}
