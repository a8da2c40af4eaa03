//! Symmetric eigendecomposition, `A = UΛUᵀ`.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors, SelfAdjointEvdParams};
use faer::{Auto, ColRef, Par, Spec};

use super::gemm;
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatRef};

/// Eigenvalues, ascending, and the eigenvectors in the columns beside them.
#[derive(Debug, Clone)]
pub struct Eigen {
    /// Eigenvalues, ascending.
    pub values: Vec<f64>,
    /// Column `i` belongs to `values[i]`; orthonormal.
    pub vectors: Mat<f64>,
}

/// Decomposes a symmetric matrix, of which only the lower triangle is read.
///
/// O(n³) on the calling thread (so that the thread count cannot change a bit);
/// about 0.2 s at n = 1000. Not interruptible: use it for label blocks and
/// landmark systems.
///
/// # Errors
/// [`Error::NotFinite`] when an entry is not a number or the iteration fails.
pub fn symmetric(matrix: MatRef<'_, f64>) -> Result<Eigen> {
    let n = matrix.nrows();
    let refuse = || Error::NotFinite {
        phase: "the eigendecomposition",
        hint: "rescale the features or choose another kernel".into(),
    };
    for j in 0..n {
        if (j..n).any(|i| !matrix[(i, j)].is_finite()) {
            return Err(refuse());
        }
    }
    if n == 0 {
        return Ok(Eigen {
            values: Vec::new(),
            vectors: Mat::zeros(0, 0),
        });
    }
    // Divide and conquer is fast, but on matrices that are mostly zero it may
    // fail where the QR algorithm does not; and that may fail where entries are
    // small beside a zero diagonal, which a shift by the norm fills.
    let fast = <SelfAdjointEvdParams as Auto<f64>>::auto();
    let sure = SelfAdjointEvdParams {
        recursion_threshold: usize::MAX,
        ..fast
    };
    decompose(matrix, fast)
        .or_else(|| decompose(matrix, sure))
        .or_else(|| shifted(matrix, sure))
        .ok_or_else(refuse)
}

/// By way of `A + ‖A‖I`, which has the same vectors: errors are of the order ε‖A‖,
/// as they are without the shift.
fn shifted(matrix: MatRef<'_, f64>, params: SelfAdjointEvdParams) -> Option<Eigen> {
    let shift = matrix.norm_l2();
    let entry = |i, j| matrix[(i, j)] + if i == j { shift } else { 0.0 };
    let mut eigen = decompose(
        Mat::from_fn(matrix.nrows(), matrix.ncols(), entry).as_ref(),
        params,
    )?;
    eigen.values.iter_mut().for_each(|v| *v -= shift);
    Some(eigen)
}

/// `None` when the iteration fails.
fn decompose(matrix: MatRef<'_, f64>, params: SelfAdjointEvdParams) -> Option<Eigen> {
    let n = matrix.nrows();
    let mut vectors = Mat::zeros(n, n);
    let mut values = Diag::zeros(n);
    let params: Spec<SelfAdjointEvdParams, f64> = Spec::new(params);
    let mut memory = MemBuffer::new(evd::self_adjoint_evd_scratch::<f64>(
        n,
        ComputeEigenvectors::Yes,
        Par::Seq,
        params,
    ));
    let outcome = evd::self_adjoint_evd(
        matrix,
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        params,
    );
    gemm::clean_vector_state();
    outcome.ok()?;
    Some(Eigen {
        values: values.column_vector().iter().copied().collect(),
        vectors,
    })
}

/// Decomposes the symmetric tridiagonal matrix with this diagonal and these
/// numbers beside it.
///
/// By divide and conquer from 128 rows on, else by implicit QR; O(n³) at worst
/// on the calling thread, about 4 ms at n = 200.
///
/// # Errors
/// [`Error::Shape`] unless there is one number less beside the diagonal than
/// on it; [`Error::NotFinite`] as [`symmetric`].
pub(crate) fn tridiagonal(diagonal: &[f64], beside: &[f64]) -> Result<Eigen> {
    let n = diagonal.len();
    if beside.len() + 1 != n.max(1) {
        return Err(Error::Shape {
            what: "numbers beside the diagonal",
            expected: n.saturating_sub(1),
            got: beside.len(),
        });
    }
    let refuse = || Error::NotFinite {
        phase: "the eigendecomposition",
        hint: "rescale the features or choose another kernel".into(),
    };
    if diagonal.iter().chain(beside).any(|v| !v.is_finite()) {
        return Err(refuse());
    }
    let mut vectors = Mat::zeros(n, n);
    let mut values = Diag::zeros(n);
    if n > 0 {
        // faer gives no size for this one; the whole decomposition's holds it.
        let mut memory = MemBuffer::new(evd::self_adjoint_evd_scratch::<f64>(
            n,
            ComputeEigenvectors::Yes,
            Par::Seq,
            Default::default(),
        ));
        let outcome = evd::tridiagonal_self_adjoint_evd(
            ColRef::from_slice(diagonal).as_diagonal(),
            ColRef::from_slice(beside).as_diagonal(),
            values.as_mut(),
            Some(vectors.as_mut()),
            Par::Seq,
            MemStack::new(&mut memory),
            Default::default(),
        );
        gemm::clean_vector_state();
        outcome.map_err(|_| refuse())?;
    }
    Ok(Eigen {
        values: values.column_vector().iter().copied().collect(),
        vectors,
    })
}
