//! The one matrix product: faer's, on one thread, with the vector state cleaned after it.
//!
//! faer's product leaves the upper halves of the vector registers dirty;
//! scalar code on the same thread then runs 2–4 times slower until a
//! `vzeroupper`. Calling the product through here is how nobody has to
//! remember that. Parallelism is over tiles ([`super::tiles`]), never inside a
//! product, so that the thread count cannot change its bits.

use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, Mat, MatMut, MatRef, Par};

/// Whether a product overwrites its destination or adds to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Write {
    /// `C = αAB`
    Replace,
    /// `C = C + αAB`
    Add,
}

impl From<Write> for Accum {
    fn from(write: Write) -> Self {
        match write {
            Write::Replace => Self::Replace,
            Write::Add => Self::Add,
        }
    }
}

/// `C = αAB` or `C += αAB`, on the calling thread.
///
/// # Panics
/// When the shapes do not fit: a bug in the caller.
pub(crate) fn product(
    c: MatMut<'_, f64>,
    write: Write,
    a: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    alpha: f64,
) {
    faer::linalg::matmul::matmul(c, write.into(), a, b, alpha, Par::Seq);
    clean_vector_state();
}

/// `AB` as a matrix of its own, on the calling thread.
///
/// Unlike faer's `*`, whose threads depend on which features other crates ask for.
///
/// # Panics
/// When the shapes do not fit: a bug in the caller.
pub(crate) fn times(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    let mut c = Mat::zeros(a.nrows(), b.ncols());
    product(c.as_mut(), Write::Replace, a, b, 1.0);
    c
}

/// `C = AB` in single precision, on the calling thread: for bounds, and for sums whose
/// error is measured (`feature/cell.rs`).
///
/// # Panics
/// When the shapes do not fit: a bug in the caller.
pub(crate) fn product_f32(c: MatMut<'_, f32>, a: MatRef<'_, f32>, b: MatRef<'_, f32>) {
    faer::linalg::matmul::matmul(c, Accum::Replace, a, b, 1.0, Par::Seq);
    clean_vector_state();
}

/// The lower triangle of a square `C = αAB` or `C += αAB`, at half the work;
/// the strict upper triangle is left as it was.
///
/// # Panics
/// When the shapes do not fit: a bug in the caller.
pub(crate) fn product_lower(
    c: MatMut<'_, f64>,
    write: Write,
    a: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    alpha: f64,
) {
    triangular::matmul(
        c,
        BlockStructure::TriangularLower,
        write.into(),
        a,
        BlockStructure::Rectangular,
        b,
        BlockStructure::Rectangular,
        alpha,
        Par::Seq,
    );
    clean_vector_state();
}

/// Ends the slow state that wide vector code may leave behind.
#[inline]
pub(crate) fn clean_vector_state() {
    #[cfg(target_arch = "x86_64")]
    vector_state::clean();
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod vector_state {
    /// Zeroes the upper halves of the vector registers if the processor has any.
    #[inline]
    pub(super) fn clean() {
        if std::arch::is_x86_feature_detected!("avx") {
            // SAFETY: `avx` was detected on this processor in the line above.
            unsafe { zero_upper() };
        }
    }

    #[target_feature(enable = "avx")]
    fn zero_upper() {
        std::arch::x86_64::_mm256_zeroupper();
    }
}
