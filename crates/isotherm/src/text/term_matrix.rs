//! Rows of terms: a sparse matrix, and the products that its singular vectors need.

use rayon::prelude::*;

use crate::error::Result;
use crate::linalg::{Mat, MatMut, MatRef};
use crate::monitor::Monitor;
use crate::operator::{Operator, SpectrumBounds, Symmetric};

/// A sparse matrix by rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sparse {
    /// Where each row ends.
    pub(crate) ends: Vec<usize>,
    pub(crate) columns: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

impl Sparse {
    fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let from = if row == 0 { 0 } else { self.ends[row - 1] };
        let span = from..self.ends[row];
        let columns = self.columns[span.clone()].iter().map(|c| *c as usize);
        columns.zip(self.values[span].iter().copied())
    }

    /// The same matrix by columns.
    pub(crate) fn transposed(&self, columns: usize) -> Self {
        let mut starts = vec![0_usize; columns + 1];
        for c in &self.columns {
            starts[*c as usize + 1] += 1;
        }
        for at in 0..columns {
            starts[at + 1] += starts[at];
        }
        let mut turned = Self {
            ends: starts[1..].to_vec(),
            columns: vec![0; self.columns.len()],
            values: vec![0.0; self.values.len()],
        };
        for row in 0..self.ends.len() {
            for (column, value) in self.row(row) {
                let at = starts[column];
                starts[column] += 1;
                turned.columns[at] = u32::try_from(row).unwrap_or(u32::MAX);
                turned.values[at] = value;
            }
        }
        turned
    }

    /// `A · block`, every row of the result summed by one thread in the order of its columns.
    pub(crate) fn times(&self, block: MatRef<'_, f64>) -> Mat<f64> {
        let width = block.ncols();
        let mut rows = vec![0.0; self.ends.len() * width];
        rows.par_chunks_mut(width.max(1))
            .enumerate()
            .for_each(|(row, out)| {
                for (column, value) in self.row(row) {
                    for (o, b) in out.iter_mut().zip(block.row(column).iter()) {
                        *o += value * b;
                    }
                }
            });
        Mat::from_fn(self.ends.len(), width, |i, j| rows[i * width + j])
    }
}

/// `A·Aᵀ` of a sparse matrix and its transpose.
pub(crate) struct Squared<'a> {
    pub(crate) matrix: &'a Sparse,
    pub(crate) transposed: &'a Sparse,
}

impl Operator for Squared<'_> {
    fn dim(&self) -> usize {
        self.matrix.ends.len()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        _: &mut dyn Monitor,
    ) -> Result<()> {
        // Rows of the block are read one after the other: copied so that they lie so.
        let inner = self.transposed.times(block);
        out.copy_from(self.matrix.times(inner.as_ref()));
        Ok(())
    }
}

impl Symmetric for Squared<'_> {
    /// The largest eigenvalue is at most the sum of all squares.
    fn spectrum(&self) -> SpectrumBounds {
        SpectrumBounds {
            low: 0.0,
            high: self.matrix.values.iter().map(|v| v * v).sum(),
        }
    }
}
