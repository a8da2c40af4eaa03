//! Tables that somebody else holds: an array of another language, a file mapped into
//! memory, a scaled view. They are read a tile at a time and never copied as a whole.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::error::{Error, Result};

/// A table of numbers in memory that is not ours.
///
/// What it says must not change while it is shared: rows are read again and again.
pub trait Table: Send + Sync + Debug {
    /// Number of rows.
    fn rows(&self) -> usize;

    /// Numbers in a row.
    fn dim(&self) -> usize;

    /// The whole table, if it is row-major `f64` already; then it is read in place.
    fn contiguous(&self) -> Option<&[f64]>;

    /// Writes the rows from `first` on into `out`, row-major: as many as fill it.
    ///
    /// # Panics
    /// May panic when they are not all there: a bug in the caller.
    fn read(&self, first: usize, out: &mut [f64]);
}

/// Numbers a [`Foreign`] table is made of.
pub trait Number: Copy + Send + Sync + Debug + Into<f64> + 'static {
    /// The numbers as they are, if they are `f64`.
    fn as_f64(values: &[Self]) -> Option<&[f64]>;
}

impl Number for f64 {
    fn as_f64(values: &[Self]) -> Option<&[f64]> {
        Some(values)
    }
}

impl Number for f32 {
    fn as_f64(_: &[Self]) -> Option<&[f64]> {
        None
    }
}

/// A table over numbers that `S` holds: `f32` or `f64`, rows or columns together.
///
/// Number `(i, j)` is `values[i · down + j · across]`; `f32` is widened while it is read.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use isotherm::data::Points;
/// use isotherm::data::table::Foreign;
///
/// // Three rows of two numbers, column after column, in single precision.
/// let held: Vec<f32> = vec![1.0, 2.0, 3.0, 10.0, 20.0, 30.0];
/// let points = Points::shared(Arc::new(Foreign::column_major(held, 3, 2)?))?;
/// assert_eq!(*points.row(1), [2.0, 20.0]);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Foreign<T, S> {
    values: S,
    rows: usize,
    dim: usize,
    down: usize,
    across: usize,
    number: PhantomData<T>,
}

impl<T: Number, S: AsRef<[T]> + Send + Sync + Debug> Foreign<T, S> {
    /// Row after row, the order of C.
    ///
    /// # Errors
    /// [`Error::Shape`] when there are not `rows × dim` numbers.
    pub fn row_major(values: S, rows: usize, dim: usize) -> Result<Self> {
        whole(values.as_ref().len(), rows, dim)?;
        Self::strided(values, rows, dim, dim, 1)
    }

    /// Column after column, the order of Fortran.
    ///
    /// # Errors
    /// [`Error::Shape`] when there are not `rows × dim` numbers.
    pub fn column_major(values: S, rows: usize, dim: usize) -> Result<Self> {
        whole(values.as_ref().len(), rows, dim)?;
        Self::strided(values, rows, dim, 1, rows)
    }

    /// Every `down`-th number a row, every `across`-th a column: part of a larger array.
    ///
    /// # Errors
    /// [`Error::Shape`] when the last number lies beyond the end.
    pub fn strided(values: S, rows: usize, dim: usize, down: usize, across: usize) -> Result<Self> {
        let last = |count: usize, step: usize| count.saturating_sub(1).saturating_mul(step);
        let end = last(rows, down)
            .saturating_add(last(dim, across))
            .saturating_add(1);
        let got = values.as_ref().len();
        if rows > 0 && dim > 0 && end > got {
            return Err(Error::Shape {
                what: "numbers up to the last cell of the table",
                expected: end,
                got,
            });
        }
        Ok(Self {
            values,
            rows,
            dim,
            down,
            across,
            number: PhantomData,
        })
    }
}

impl<T: Number, S: AsRef<[T]> + Send + Sync + Debug> Table for Foreign<T, S> {
    fn rows(&self) -> usize {
        self.rows
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn contiguous(&self) -> Option<&[f64]> {
        if self.across != 1 || self.down != self.dim {
            return None;
        }
        T::as_f64(self.values.as_ref().get(..self.rows * self.dim)?)
    }

    fn read(&self, first: usize, out: &mut [f64]) {
        let values = self.values.as_ref();
        let dim = self.dim.max(1);
        if self.across == 1 {
            for (i, row) in (first..).zip(out.chunks_exact_mut(dim)) {
                let from = &values[i * self.down..i * self.down + dim];
                row.iter_mut()
                    .zip(from)
                    .for_each(|(to, v)| *to = (*v).into());
            }
            return;
        }
        // Column after column: their numbers lie together, or nearly.
        for j in 0..self.dim {
            let slots = out.iter_mut().skip(j).step_by(dim);
            for (i, to) in (first..).zip(slots) {
                *to = values[i * self.down + j * self.across].into();
            }
        }
    }
}

fn whole(got: usize, rows: usize, dim: usize) -> Result<()> {
    let expected = rows.saturating_mul(dim);
    if got == expected {
        return Ok(());
    }
    Err(Error::Shape {
        what: "numbers in the table",
        expected,
        got,
    })
}
