//! The numbers of a tile: double precision, or single with double sums.
//!
//! In single precision the distances of a tile, its tables and the products of up to
//! [`DEPTH`] rows are `f32`; kernels are evaluated in `f64`, and the products are added
//! up in `f64`. Numbers too small to matter beside the largest of their kind are set
//! to 0, so that no product falls into the slow range below 10⁻³⁸.

use std::ops::Range;

use super::Features;
use crate::linalg::gemm::{self, Write};
use crate::linalg::rows::Rows;
use crate::linalg::{Mat, MatMut, MatRef, Precision};

/// Rows whose products are summed at once: the deepest that stays in cache.
const DEPTH: usize = 256;

/// Below this part of 1 a number of single precision is taken for 0.
const SMALLEST: f64 = 1e-18;

/// The tables of some rows, and what each is multiplied by: powers of two that bring
/// the largest number of a table near 1.
pub(super) struct Tables<'a, T> {
    pub(super) values: &'a mut [T],
    pub(super) first: &'a mut [T],
    pub(super) second: &'a mut [T],
    pub(super) scales: Scales,
}

/// Of values, the first and the second table.
pub(super) type Scales = [f64; 3];

/// A number of a tile.
pub(super) trait Cell: Copy + Send + Sync + Into<f64> + 'static {
    const ZERO: Self;

    /// Whether tables are brought near 1 first.
    const SCALED: bool;

    fn is_finite(&self) -> bool;

    /// Evaluates the tables of some rows.
    fn fill(
        features: &dyn Features,
        rows: (&dyn Rows, Range<usize>),
        tables: &mut Tables<'_, Self>,
    );

    /// `C += αAᵀB`.
    fn add_product(c: MatMut<'_, f64>, a: MatRef<'_, Self>, b: MatRef<'_, Self>, alpha: f64);

    /// At least the lower triangle of `C += αAᵀA`.
    fn add_square(c: MatMut<'_, f64>, a: MatRef<'_, Self>, alpha: f64) {
        Self::add_product(c, a, a, alpha);
    }
}

/// Depths of at most [`DEPTH`] rows.
fn depths(rows: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows)
        .step_by(DEPTH)
        .map(move |at| (at, DEPTH.min(rows - at)))
}

impl Cell for f64 {
    const ZERO: Self = 0.0;
    const SCALED: bool = false;

    fn is_finite(&self) -> bool {
        (*self).is_finite()
    }

    fn fill(
        features: &dyn Features,
        rows: (&dyn Rows, Range<usize>),
        tables: &mut Tables<'_, f64>,
    ) {
        let all = [&mut *tables.values, &mut *tables.first, &mut *tables.second];
        features.factors_of(rows, all, Precision::Double);
    }

    fn add_product(mut c: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>, alpha: f64) {
        for (at, depth) in depths(a.nrows()) {
            let (a, b) = (a.subrows(at, depth), b.subrows(at, depth));
            gemm::product(c.as_mut(), Write::Add, a.transpose(), b, alpha);
        }
    }

    fn add_square(mut c: MatMut<'_, f64>, a: MatRef<'_, f64>, alpha: f64) {
        for (at, depth) in depths(a.nrows()) {
            let a = a.subrows(at, depth);
            gemm::product_lower(c.as_mut(), Write::Add, a.transpose(), a, alpha);
        }
    }
}

impl Cell for f32 {
    const ZERO: Self = 0.0;
    const SCALED: bool = true;

    fn is_finite(&self) -> bool {
        (*self).is_finite()
    }

    fn fill(
        features: &dyn Features,
        rows: (&dyn Rows, Range<usize>),
        tables: &mut Tables<'_, f32>,
    ) {
        let Tables {
            values,
            first,
            second,
            scales,
        } = tables;
        let mut wide = [
            vec![0.0; values.len()],
            vec![0.0; first.len()],
            vec![0.0; second.len()],
        ];
        let [v, f, s] = &mut wide;
        features.factors_of(rows, [v, f, s], Precision::Single);
        for ((from, to), scale) in wide.iter().zip([values, first, second]).zip(scales) {
            let narrow = |v: f64| if v.abs() < SMALLEST { 0.0 } else { v as f32 };
            let cells = to.iter_mut().zip(from);
            cells.for_each(|(to, v)| *to = narrow(v * *scale));
        }
    }

    fn add_product(mut c: MatMut<'_, f64>, a: MatRef<'_, f32>, b: MatRef<'_, f32>, alpha: f64) {
        let mut part: Mat<f32> = Mat::zeros(c.nrows(), c.ncols());
        for (at, depth) in depths(a.nrows()) {
            let (a, b) = (a.subrows(at, depth), b.subrows(at, depth));
            gemm::product_f32(part.as_mut(), a.transpose(), b);
            for j in 0..c.ncols() {
                let from = part.col(j);
                let into = c.as_mut().col_mut(j);
                // Columns of a block of a matrix lie together.
                if let (Some(into), Some(from)) =
                    (into.try_as_col_major_mut(), from.try_as_col_major())
                {
                    let cells = into.as_slice_mut().iter_mut().zip(from.as_slice());
                    cells.for_each(|(c, v)| *c += alpha * f64::from(*v));
                }
            }
        }
    }
}

/// The power of two that brings the largest of these numbers near 1.
pub(super) fn scale(numbers: &[f64]) -> f64 {
    let largest = numbers.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest > 0.0 && largest.is_finite() {
        (-largest.log2().floor().clamp(-300.0, 300.0)).exp2()
    } else {
        1.0
    }
}
