//! Rows that come in parts and can be read again: tables larger than memory.

use super::{Points, Standardiser};
use crate::error::Error;
use crate::monitor::Monitor;

/// Rows in parts, in one order, from the start as often as needed.
///
/// Whoever reads files implements this with an error of their own.
pub trait RowStream {
    /// What reading can fail with.
    type Error: From<Error>;

    /// Numbers in a row.
    fn dim(&self) -> usize;

    /// Back to the first row.
    ///
    /// # Errors
    /// When the source cannot be read again.
    fn rewind(&mut self) -> Result<(), Self::Error>;

    /// The next rows; `None` after the last.
    ///
    /// # Errors
    /// When the source cannot be read, or a number in it cannot be used.
    fn next(&mut self, monitor: &mut dyn Monitor) -> Result<Option<Points>, Self::Error>;
}

/// Row-major numbers that somebody else holds: an array, or a file mapped into memory.
///
/// A part is copied and checked when its turn comes, and `f32` widened, so no more than
/// one is resident.
#[derive(Debug)]
pub struct Slice<'a, T = f64> {
    values: &'a [T],
    dim: usize,
    each: usize,
    at: usize,
}

impl<'a, T> Slice<'a, T> {
    /// Rows of `dim` numbers, `each` of them at a time.
    ///
    /// # Errors
    /// [`Error::Shape`] when the numbers do not make whole rows; [`Error::Parameter`]
    /// for parts without rows.
    pub fn new(values: &'a [T], dim: usize, each: usize) -> crate::error::Result<Self> {
        if dim == 0 || !values.len().is_multiple_of(dim) {
            return Err(Error::Shape {
                what: "numbers, a multiple of the columns",
                expected: dim,
                got: values.len(),
            });
        }
        if each == 0 {
            return Err(Error::parameter("rows of a part", "at least one", each));
        }
        Ok(Self {
            values,
            dim,
            each,
            at: 0,
        })
    }
}

impl<T: Copy + Into<f64>> RowStream for Slice<'_, T> {
    type Error = Error;

    fn dim(&self) -> usize {
        self.dim
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.at = 0;
        Ok(())
    }

    fn next(&mut self, _: &mut dyn Monitor) -> Result<Option<Points>, Error> {
        let rest = &self.values[self.at * self.dim..];
        let rows = self.each.min(rest.len() / self.dim);
        if rows == 0 {
            return Ok(None);
        }
        let values = rest[..rows * self.dim].iter().map(|v| (*v).into());
        let part = Points::new(values.collect(), rows, self.dim);
        let part = part.map_err(|e| e.after_rows(self.at))?;
        self.at += rows;
        Ok(Some(part))
    }
}

/// A stream whose columns are shifted and scaled.
#[derive(Debug)]
pub struct Scaled<'s, S> {
    inner: &'s mut S,
    scaling: Option<&'s Standardiser>,
    at: usize,
}

impl<'s, S> Scaled<'s, S> {
    /// Scales what comes, if there is something to scale by.
    pub fn new(inner: &'s mut S, scaling: Option<&'s Standardiser>) -> Self {
        Self {
            inner,
            scaling,
            at: 0,
        }
    }
}

impl<S: RowStream> RowStream for Scaled<'_, S> {
    type Error = S::Error;

    fn dim(&self) -> usize {
        self.inner.dim()
    }

    fn rewind(&mut self) -> Result<(), S::Error> {
        self.at = 0;
        self.inner.rewind()
    }

    fn next(&mut self, monitor: &mut dyn Monitor) -> Result<Option<Points>, S::Error> {
        let Some(part) = self.inner.next(monitor)? else {
            return Ok(None);
        };
        let first = self.at;
        self.at += part.len();
        Ok(Some(match self.scaling {
            Some(scaling) => scaling
                .apply(part, monitor)
                .map_err(|e| e.after_rows(first))?,
            None => part,
        }))
    }
}
