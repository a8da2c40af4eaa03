//! Symmetric eigendecomposition, `A = UΛUᵀ`.

use faer::Par;
use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors};

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
    let mut vectors = Mat::zeros(n, n);
    let mut values = Diag::zeros(n);
    let mut memory = MemBuffer::new(evd::self_adjoint_evd_scratch::<f64>(
        n,
        ComputeEigenvectors::Yes,
        Par::Seq,
        Default::default(),
    ));
    let outcome = evd::self_adjoint_evd(
        matrix,
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    gemm::clean_vector_state();
    outcome.map_err(|_| refuse())?;
    Ok(Eigen {
        values: values.column_vector().iter().copied().collect(),
        vectors,
    })
}
