//! Points: rows are samples, columns are features.

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::linalg::MatRef;

/// Numbers at least this large are refused: their squares, summed, overflow.
pub const LARGEST: f64 = 1e150;

/// A table of finite numbers, row-major: rows are samples.
///
/// `f32` input is widened; the core computes in `f64` throughout.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    values: Vec<f64>,
    rows: usize,
    dim: usize,
}

impl Points {
    /// Takes `rows × dim` numbers, one row after the other.
    ///
    /// # Errors
    /// [`Error::Shape`] when the count is not `rows × dim`; [`Error::Data`]
    /// when there is no row or no column; [`Error::Value`] naming the first
    /// cell that is NaN, infinite or at least 1e150 in size.
    pub fn new(values: Vec<f64>, rows: usize, dim: usize) -> Result<Self> {
        if rows == 0 || dim == 0 {
            return Err(Error::data(
                format!("the table has {rows} rows and {dim} feature columns"),
                "give at least one row and one numeric column",
            ));
        }
        let expected = rows.saturating_mul(dim);
        if values.len() != expected {
            return Err(Error::Shape {
                what: "numbers in the table",
                expected,
                got: values.len(),
            });
        }
        match values.par_iter().position_first(|v| !usable(*v)) {
            Some(at) => Err(Error::Value {
                row: at / dim,
                column: at % dim,
                value: values[at],
            }),
            None => Ok(Self { values, rows, dim }),
        }
    }

    /// As [`Points::new`], from `f32`.
    ///
    /// # Errors
    /// As [`Points::new`].
    pub fn from_f32(values: &[f32], rows: usize, dim: usize) -> Result<Self> {
        Self::new(values.iter().copied().map(f64::from).collect(), rows, dim)
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Never true: a table without rows is refused.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Number of features.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Sample `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.dim..(i + 1) * self.dim]
    }

    /// All samples, one after the other.
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// The table as a matrix, rows are samples.
    pub fn as_mat(&self) -> MatRef<'_, f64> {
        MatRef::from_row_major_slice(&self.values, self.rows, self.dim)
    }

    /// The chosen samples, in the order given.
    ///
    /// # Errors
    /// [`Error::Data`] when `index` is empty; [`Error::Shape`] when one is out of range.
    pub fn select(&self, index: &[usize]) -> Result<Self> {
        let mut values = Vec::with_capacity(index.len() * self.dim);
        for &i in index {
            if i >= self.rows {
                return Err(Error::Shape {
                    what: "sample index, which must be below the number of rows",
                    expected: self.rows,
                    got: i,
                });
            }
            values.extend_from_slice(self.row(i));
        }
        Self::new(values, index.len(), self.dim)
    }
}

/// Finite, and small enough to be squared and summed.
fn usable(v: f64) -> bool {
    v.abs() < LARGEST
}
