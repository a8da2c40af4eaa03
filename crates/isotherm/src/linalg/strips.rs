//! Products and triangular solves by strips of columns, in parallel.
//!
//! A strip is computed on one thread and its width is a constant, so the number of
//! threads changes no bit.

use super::{gemm, tiles, triangular};
use crate::error::Result;
use crate::linalg::{Mat, MatMut, MatRef};
use crate::monitor::Monitor;

/// Columns of a strip.
const WIDTH: usize = 64;

/// `AB`.
///
/// # Errors
/// [`crate::Error::Cancelled`] when the monitor breaks.
///
/// # Panics
/// When the shapes do not fit: a bug in the caller.
pub fn times(
    phase: &'static str,
    a: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    monitor: &mut dyn Monitor,
) -> Result<Mat<f64>> {
    let mut c = Mat::zeros(a.nrows(), b.ncols());
    tiles::sweep(phase, strips(c.as_mut()), monitor, |(at, c)| {
        let b = b.subcols(at, c.ncols());
        gemm::product(c, gemm::Write::Replace, a, b, 1.0);
        Ok(())
    })?;
    Ok(c)
}

/// `B ← L⁻¹B`; the strict upper triangle of `L` is not read.
///
/// # Errors
/// [`crate::Error::Cancelled`] when the monitor breaks.
pub(crate) fn solve_lower(
    phase: &'static str,
    l: MatRef<'_, f64>,
    b: MatMut<'_, f64>,
    monitor: &mut dyn Monitor,
) -> Result<()> {
    tiles::sweep(phase, strips(b), monitor, |(_, b)| {
        triangular::lower(l, b);
        Ok(())
    })
}

fn strips(mut rest: MatMut<'_, f64>) -> Vec<(usize, MatMut<'_, f64>)> {
    let mut found = Vec::with_capacity(rest.ncols().div_ceil(WIDTH));
    let mut at = 0;
    while rest.ncols() > 0 {
        let width = WIDTH.min(rest.ncols());
        let (strip, right) = rest.split_at_col_mut(width);
        found.push((at, strip));
        rest = right;
        at += width;
    }
    found
}
