//! Cholesky: `A = LLᵀ`, factored or explained.
//!
//! Right-looking by blocks: faer factors the diagonal block, the panel below
//! it and the trailing matrix are updated by tiles in parallel. The tiles are
//! the same for any number of threads, so the bits are too, and the monitor is
//! asked after each.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{ColRef, Par};
use rayon::prelude::*;

use super::gemm::{self, Write};
use super::tiles;
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatMut, MatRef};
use crate::monitor::Monitor;

const PHASE: &str = "factoring";

/// Width of a diagonal block, and the side of a tile.
const BLOCK: usize = 128;

/// The factor of a symmetric positive definite matrix.
///
/// The factor fills the lower triangle; the strict upper triangle still holds
/// `A`, which together with the diagonal kept aside gives honest residuals.
#[derive(Debug, Clone)]
pub struct Cholesky {
    lower: Mat<f64>,
    diagonal: Vec<f64>,
    norm: f64,
}

/// Factors `A = LLᵀ`; both triangles of `matrix` must be filled.
///
/// n³/3 multiplications, in place.
///
/// # Errors
/// [`Error::Indefinite`] with the first non-positive pivot, the operator's
/// `name` and the caller's `hint`; no jitter is added. [`Error::NotFinite`]
/// when an entry is not a number. [`Error::Cancelled`] when the monitor breaks.
pub fn factor(
    mut matrix: Mat<f64>,
    name: &'static str,
    hint: &str,
    monitor: &mut dyn Monitor,
) -> Result<Cholesky> {
    let n = matrix.nrows();
    let norm = symmetric_norm(matrix.as_ref());
    if !norm.is_finite() {
        return Err(Error::NotFinite {
            phase: "assembling the system",
            hint: "rescale the features or choose another kernel".into(),
        });
    }
    let diagonal = (0..n).map(|i| matrix[(i, i)]).collect();
    tiles::announce(PHASE, None, monitor)?;
    for start in (0..n).step_by(BLOCK) {
        let width = BLOCK.min(n - start);
        let below = n - start - width;
        let active = matrix
            .as_mut()
            .submatrix_mut(start, start, n - start, n - start);
        let (left, right) = active.split_at_col_mut(width);
        let (mut diagonal, mut panel) = left.split_at_row_mut(width);
        factor_diagonal(diagonal.as_mut(), name, hint)?;
        let diagonal = diagonal.as_ref();
        if below > 0 {
            let strips = row_strips(panel.as_mut());
            tiles::sweep(PHASE, strips, monitor, |strip| {
                // X Lᵀ = A  ⇔  L Xᵀ = Aᵀ
                solve_lower_triangular_in_place(diagonal, strip.transpose_mut(), Par::Seq);
                gemm::clean_vector_state();
                Ok(())
            })?;
            let trailing = right.subrows_mut(width, below);
            update_trailing(trailing, panel.as_ref(), monitor)?;
        }
    }
    Ok(Cholesky {
        lower: matrix,
        diagonal,
        norm,
    })
}

impl Cholesky {
    /// Number of rows of `A`.
    pub fn dim(&self) -> usize {
        self.lower.nrows()
    }

    /// `L`; only its lower triangle means anything.
    pub fn lower(&self) -> MatRef<'_, f64> {
        self.lower.as_ref()
    }

    /// Replaces `B` by `A⁻¹B`; n² multiplications a column.
    pub fn solve_in_place(&self, mut rhs: MatMut<'_, f64>) {
        solve_lower_triangular_in_place(self.lower.as_ref(), rhs.as_mut(), Par::Seq);
        solve_upper_triangular_in_place(self.lower.transpose(), rhs, Par::Seq);
        gemm::clean_vector_state();
    }

    /// Replaces `B` by `L⁻¹B`, n²/2 multiplications a column: the squares of a
    /// column then sum to `bᵀA⁻¹b`, never negative.
    pub fn solve_half_in_place(&self, rhs: MatMut<'_, f64>) {
        solve_lower_triangular_in_place(self.lower.as_ref(), rhs, Par::Seq);
        gemm::clean_vector_state();
    }

    /// The worst column's `‖B − AX‖ / ‖B‖`, with the `A` that was given.
    pub fn residual(&self, x: MatRef<'_, f64>, b: MatRef<'_, f64>) -> f64 {
        let columns: Vec<f64> = (0..b.ncols())
            .into_par_iter()
            .map(|c| self.column_residual(x.col(c), b.col(c)))
            .collect();
        let worst = |w: f64, r: f64| if r.is_nan() || r > w { r } else { w };
        columns.into_iter().fold(0.0, worst)
    }

    fn column_residual(&self, x: ColRef<'_, f64>, b: ColRef<'_, f64>) -> f64 {
        let n = self.dim();
        let mut rest: Vec<f64> = (0..n).map(|i| b[i] - self.diagonal[i] * x[i]).collect();
        for j in 0..n {
            let mut above = 0.0;
            for (i, rest) in rest.iter_mut().enumerate().take(j) {
                let a = self.lower[(i, j)];
                *rest -= a * x[j];
                above += a * x[i];
            }
            rest[j] -= above;
        }
        let left: f64 = rest.iter().map(|v| v * v).sum();
        let size: f64 = b.iter().map(|v| v * v).sum();
        if left == 0.0 {
            0.0
        } else {
            (left / size).sqrt()
        }
    }

    /// An estimate, never above the truth by more than rounding, of the
    /// 1-norm condition number `‖A‖₁‖A⁻¹‖₁`: Hager's method, a handful of solves.
    ///
    /// N. J. Higham, *FORTRAN codes for estimating the one-norm of a real or
    /// complex matrix*, ACM TOMS 14 (1988).
    pub fn condition(&self) -> f64 {
        let n = self.dim();
        if n == 0 {
            return 1.0;
        }
        let mut x = Mat::from_fn(n, 1, |_, _| 1.0 / n as f64);
        let mut inverse_norm = 0.0_f64;
        let mut last = usize::MAX;
        for _ in 0..5 {
            self.solve_in_place(x.as_mut());
            let norm: f64 = x.col(0).iter().map(|v| v.abs()).sum();
            inverse_norm = inverse_norm.max(norm);
            let mut z = Mat::from_fn(n, 1, |i, _| if x[(i, 0)] < 0.0 { -1.0 } else { 1.0 });
            self.solve_in_place(z.as_mut());
            let at = (0..n).fold(0, |best, i| {
                if z[(i, 0)].abs() > z[(best, 0)].abs() {
                    i
                } else {
                    best
                }
            });
            if at == last {
                break;
            }
            last = at;
            x = Mat::from_fn(n, 1, |i, _| f64::from(u8::from(i == at)));
        }
        self.norm * inverse_norm
    }
}

/// Factors a diagonal block in place.
fn factor_diagonal(mut block: MatMut<'_, f64>, name: &'static str, hint: &str) -> Result<()> {
    let before = block.as_ref().to_owned();
    let mut memory = MemBuffer::new(llt::factor::cholesky_in_place_scratch::<f64>(
        block.nrows(),
        Par::Seq,
        Default::default(),
    ));
    let outcome = llt::factor::cholesky_in_place(
        block.as_mut(),
        Default::default(),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    gemm::clean_vector_state();
    // faer works in the upper triangle too; ours keeps A there.
    for j in 0..block.ncols() {
        for i in 0..j {
            block[(i, j)] = before[(i, j)];
        }
    }
    match outcome {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::Indefinite {
            operator: name,
            curvature: first_bad_pivot(before),
            hint: hint.to_owned(),
        }),
    }
}

/// The first pivot that is not positive, by the textbook recurrence.
fn first_bad_pivot(mut a: Mat<f64>) -> f64 {
    for j in 0..a.nrows() {
        let pivot = a[(j, j)] - (0..j).map(|k| a[(j, k)] * a[(j, k)]).sum::<f64>();
        if pivot.is_nan() || pivot <= 0.0 {
            return pivot;
        }
        a[(j, j)] = pivot.sqrt();
        for i in j + 1..a.nrows() {
            let sum: f64 = (0..j).map(|k| a[(i, k)] * a[(j, k)]).sum();
            a[(i, j)] = (a[(i, j)] - sum) / a[(j, j)];
        }
    }
    0.0
}

/// `C -= PPᵀ` on the lower triangle, tile by tile.
fn update_trailing(
    trailing: MatMut<'_, f64>,
    panel: MatRef<'_, f64>,
    monitor: &mut dyn Monitor,
) -> Result<()> {
    let mut work = Vec::new();
    let mut rest = trailing;
    let mut column = 0;
    while rest.ncols() > 0 {
        let width = BLOCK.min(rest.ncols());
        let (strip, right) = rest.split_at_col_mut(width);
        // Tiles above the diagonal are never read.
        let (_, strip) = strip.split_at_row_mut(column);
        let mut row = column;
        for tile in row_strips(strip) {
            let height = tile.nrows();
            work.push((row, column, tile));
            row += height;
        }
        rest = right;
        column += width;
    }
    tiles::sweep(PHASE, work, monitor, |(row, column, tile)| {
        let a = panel.subrows(row, tile.nrows());
        let b = panel.subrows(column, tile.ncols());
        if row == column {
            gemm::product_lower(tile, Write::Add, a, b.transpose(), -1.0);
        } else {
            gemm::product(tile, Write::Add, a, b.transpose(), -1.0);
        }
        Ok(())
    })
}

/// The matrix cut into strips of at most [`BLOCK`] rows.
fn row_strips(mut rest: MatMut<'_, f64>) -> Vec<MatMut<'_, f64>> {
    let mut strips = Vec::with_capacity(rest.nrows().div_ceil(BLOCK));
    while rest.nrows() > 0 {
        let height = BLOCK.min(rest.nrows());
        let (strip, below) = rest.split_at_row_mut(height);
        strips.push(strip);
        rest = below;
    }
    strips
}

/// `‖A‖₁` of a symmetric matrix from its lower triangle.
fn symmetric_norm(a: MatRef<'_, f64>) -> f64 {
    let mut sums = vec![0.0; a.nrows()];
    for j in 0..a.ncols() {
        for i in j..a.nrows() {
            let v = a[(i, j)].abs();
            sums[j] += v;
            if i != j {
                sums[i] += v;
            }
        }
    }
    sums.into_iter()
        .fold(0.0, |m: f64, s| if s > m || s.is_nan() { s } else { m })
}
