//! Linear maps you can apply to a block of columns.

pub(crate) mod centred;
pub(crate) mod deflated;
pub(crate) mod dense;
pub mod gram;
pub(crate) mod horner;
pub(crate) mod masked;
pub mod modes;
pub(crate) mod scaled;
pub(crate) mod shifted;
pub mod sparse;
pub(crate) mod tiled;

pub use modes::Modes;

use rayon::prelude::*;

use crate::error::Result;
use crate::linalg::{MatMut, MatRef};
use crate::monitor::Monitor;

/// A square linear map: a block in, a block out.
///
/// `apply` takes the monitor because one application over 10⁵ points is
/// seconds long, and every long loop can be stopped.
pub trait Operator: Sync {
    /// Number of rows and of columns.
    fn dim(&self) -> usize;

    /// `out = A · block`. Any strides are accepted; row-major is fastest for
    /// graphs.
    ///
    /// # Errors
    /// [`crate::Error::Cancelled`] when the monitor breaks;
    /// [`crate::Error::Memory`] when scratch cannot be had.
    fn apply(
        &self,
        block: MatRef<'_, f64>,
        out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()>;
}

/// An operator that equals its transpose; a promise in the type.
pub trait Symmetric: Operator {
    /// An interval known to hold the spectrum: `[-1, 1]` for a normalised adjacency.
    fn spectrum(&self) -> SpectrumBounds;
}

/// A closed interval of the real line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpectrumBounds {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl SpectrumBounds {
    /// The image of the interval under an affine map.
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        // Zero times an unbounded end is zero, not a NaN.
        let at = |end: f64| match f(end) {
            v if v.is_nan() => f(0.0),
            v => v,
        };
        let (a, b) = (at(self.low), at(self.high));
        Self {
            low: a.min(b),
            high: a.max(b),
        }
    }

    /// Whether `value` lies in the interval, up to a rounding allowance.
    pub fn contains(&self, value: f64) -> bool {
        let slack = 1e-12 * self.low.abs().max(self.high.abs()).max(1.0);
        self.low - slack <= value && value <= self.high + slack
    }
}

impl<A: Operator + ?Sized> Operator for &A {
    fn dim(&self) -> usize {
        (**self).dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        (**self).apply(block, out, monitor)
    }
}

impl<A: Symmetric + ?Sized> Symmetric for &A {
    fn spectrum(&self) -> SpectrumBounds {
        (**self).spectrum()
    }
}

impl<A: Operator + ?Sized> Operator for Box<A> {
    fn dim(&self) -> usize {
        (**self).dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        (**self).apply(block, out, monitor)
    }
}

impl<A: Symmetric + ?Sized> Symmetric for Box<A> {
    fn spectrum(&self) -> SpectrumBounds {
        (**self).spectrum()
    }
}

/// Rows in one parallel piece of an elementwise pass.
const PIECE: usize = 4096;

/// `f(out, other)` over all entries of two blocks of one shape, in parallel.
pub(crate) fn zip_rows(
    out: MatMut<'_, f64>,
    other: MatRef<'_, f64>,
    f: impl Fn(&mut f64, f64) + Sync,
) {
    out.par_row_chunks_mut(PIECE)
        .zip(other.par_row_chunks(PIECE))
        .for_each(|(out, other)| {
            for (out, other) in out.row_iter_mut().zip(other.row_iter()) {
                for (out, &other) in out.iter_mut().zip(other.iter()) {
                    f(out, other);
                }
            }
        });
}

/// `f(out)` over all entries of a block, in parallel.
pub(crate) fn map_rows(out: MatMut<'_, f64>, f: impl Fn(&mut f64) + Sync) {
    out.par_row_chunks_mut(PIECE).for_each(|out| {
        for row in out.row_iter_mut() {
            row.iter_mut().for_each(&f);
        }
    });
}
