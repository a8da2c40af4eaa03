//! A stored symmetric matrix as an operator.

use super::{Operator, SpectrumBounds, Symmetric};
use crate::error::{Error, Refusal, Result};
use crate::linalg::gemm::{self, Write};
use crate::linalg::{Mat, MatMut, MatRef, tiles};
use crate::monitor::Monitor;

/// Rows of the result one tile computes.
const ROWS: usize = 256;

/// A stored symmetric matrix times a scale; for a kernel's Gram matrix 1/N.
#[derive(Debug, Clone)]
pub(crate) struct DenseGram {
    matrix: Mat<f64>,
    scale: f64,
    spectrum: SpectrumBounds,
}

impl DenseGram {
    /// Takes a symmetric matrix; the operator is `scale · matrix`.
    ///
    /// The spectrum is bounded by the largest row sum of `|aᵢⱼ|`.
    /// Cost: O(N²) to check.
    ///
    /// # Errors
    /// [`Error::Shape`] when the matrix is not square; [`Error::Value`] naming
    /// the first entry that is not finite; [`Error::Refused`] naming the first
    /// pair that differs by more than 1e-10 of the largest entry.
    pub(crate) fn new(matrix: Mat<f64>, scale: f64) -> Result<Self> {
        if matrix.nrows() != matrix.ncols() {
            return Err(Error::Shape {
                what: "columns of a symmetric matrix",
                expected: matrix.nrows(),
                got: matrix.ncols(),
            });
        }
        let largest = checked_largest(matrix.as_ref())?;
        check_symmetry(matrix.as_ref(), largest)?;
        let row_sum = matrix
            .col_iter()
            .map(|column| column.iter().map(|v| v.abs()).sum::<f64>())
            .fold(0.0, f64::max);
        let bound = row_sum * scale.abs();
        let spectrum = SpectrumBounds {
            low: -bound,
            high: bound,
        };
        Ok(Self {
            matrix,
            scale,
            spectrum,
        })
    }

    /// As `new`, for a matrix known to be symmetric with a known spectrum.
    pub(crate) fn known(matrix: Mat<f64>, scale: f64, spectrum: SpectrumBounds) -> Self {
        Self {
            matrix,
            scale,
            spectrum,
        }
    }
}

impl Operator for DenseGram {
    fn dim(&self) -> usize {
        self.matrix.nrows()
    }

    /// Cost: O(N²k) time, no scratch; N² numbers read.
    fn apply(
        &self,
        block: MatRef<'_, f64>,
        out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let mut rest = out;
        let mut blocks = Vec::with_capacity(self.dim().div_ceil(ROWS));
        for start in (0..self.dim()).step_by(ROWS) {
            let rows = ROWS.min(self.dim() - start);
            let (own, after) = rest.split_at_row_mut(rows);
            blocks.push((start, own));
            rest = after;
        }
        tiles::sweep(
            "a product with the stored Gram matrix",
            blocks,
            monitor,
            |(start, out)| {
                // By symmetry the rows are columns, which are contiguous.
                let rows = self.matrix.subcols(start, out.nrows()).transpose();
                gemm::product(out, Write::Replace, rows, block, self.scale);
                Ok(())
            },
        )
    }
}

impl Symmetric for DenseGram {
    fn spectrum(&self) -> SpectrumBounds {
        self.spectrum
    }
}

fn checked_largest(matrix: MatRef<'_, f64>) -> Result<f64> {
    let mut largest = 0.0_f64;
    for (column, values) in matrix.col_iter().enumerate() {
        for (row, &value) in values.iter().enumerate() {
            if !value.is_finite() {
                return Err(Error::Value { row, column, value });
            }
            largest = largest.max(value.abs());
        }
    }
    Ok(largest)
}

fn check_symmetry(matrix: MatRef<'_, f64>, largest: f64) -> Result<()> {
    const TILE: usize = 64;
    let n = matrix.nrows();
    // By tiles, so that the transposed reads stay in the cache.
    for (left, top) in (0..n)
        .step_by(TILE)
        .flat_map(|c| (c..n).step_by(TILE).map(move |r| (c, r)))
    {
        for column in left..(left + TILE).min(n) {
            for row in top..(top + TILE).min(n) {
                let (below, above) = (matrix[(row, column)], matrix[(column, row)]);
                if (below - above).abs() > 1e-10 * largest {
                    return Err(Error::refused(
                        Refusal::Similarities,
                        format!(
                            "the matrix is not symmetric: entry ({row}, {column}) is {below} \
                             but entry ({column}, {row}) is {above}"
                        ),
                        "give a symmetric matrix, for example half the sum of it and its transpose",
                    ));
                }
            }
        }
    }
    Ok(())
}
