//! Triangular solves in place, on the calling thread.

use faer::Par;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};

use super::gemm;
use crate::linalg::{MatMut, MatRef};

/// `B ← L⁻¹B`; the strict upper triangle of `L` is not read.
pub(crate) fn lower(l: MatRef<'_, f64>, b: MatMut<'_, f64>) {
    solve_lower_triangular_in_place(l, b, Par::Seq);
    gemm::clean_vector_state();
}

/// `B ← U⁻¹B`; the strict lower triangle of `U` is not read.
pub(crate) fn upper(u: MatRef<'_, f64>, b: MatMut<'_, f64>) {
    solve_upper_triangular_in_place(u, b, Par::Seq);
    gemm::clean_vector_state();
}
