//! Thin QR, `A = QR` with orthonormal `Q`, by Householder reflections.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::householder;
use faer::linalg::qr::no_pivoting::factor;
use faer::{Conj, Par};

use super::gemm;
use crate::linalg::{Mat, MatRef};

/// `A = QR`: `Q` is m × k, `R` is k × n upper triangular, k = min(m, n).
#[cfg_attr(not(test), allow(dead_code))] // tests alone need Q
#[derive(Debug, Clone)]
pub(crate) struct Qr {
    /// Orthonormal columns.
    pub q: Mat<f64>,
    /// Upper triangular (trapezoidal when m < n).
    pub r: Mat<f64>,
}

/// `R` of `A = QR` alone, min(m, n) × n: what sums of squares `‖Ax‖ = ‖Rx‖` need.
///
/// 2mn² multiplications on the calling thread, in place.
pub(crate) fn upper(mut matrix: Mat<f64>) -> Mat<f64> {
    let (m, n) = matrix.shape();
    let k = m.min(n);
    factor_in_place(&mut matrix);
    gemm::clean_vector_state();
    Mat::from_fn(k, n, |i, j| if i <= j { matrix[(i, j)] } else { 0.0 })
}

/// Reflections below the diagonal, `R` on and above it; their coefficients.
fn factor_in_place(basis: &mut Mat<f64>) -> Mat<f64> {
    let (m, n) = basis.shape();
    let block = factor::recommended_block_size::<f64>(m, n);
    let mut coefficients = Mat::zeros(block, m.min(n));
    let mut memory = MemBuffer::new(factor::qr_in_place_scratch::<f64>(
        m,
        n,
        block,
        Par::Seq,
        Default::default(),
    ));
    factor::qr_in_place(
        basis.as_mut(),
        coefficients.as_mut(),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    coefficients
}

/// Factors `A`; 2mn² multiplications on the calling thread.
#[cfg_attr(not(test), allow(dead_code))] // tests alone need Q
pub(crate) fn thin(matrix: MatRef<'_, f64>) -> Qr {
    let (m, n) = matrix.shape();
    let k = m.min(n);
    let mut basis = matrix.to_owned();
    let coefficients = factor_in_place(&mut basis);
    let block = coefficients.nrows();
    let r = Mat::from_fn(k, n, |i, j| if i <= j { basis[(i, j)] } else { 0.0 });
    let mut q = Mat::identity(m, k);
    let mut memory = MemBuffer::new(
        householder::apply_block_householder_sequence_on_the_left_in_place_scratch::<f64>(
            m, block, k,
        ),
    );
    householder::apply_block_householder_sequence_on_the_left_in_place_with_conj(
        basis.as_ref().subcols(0, k),
        coefficients.as_ref(),
        Conj::No,
        q.as_mut(),
        Par::Seq,
        MemStack::new(&mut memory),
    );
    gemm::clean_vector_state();
    Qr { q, r }
}
