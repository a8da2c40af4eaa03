//! Symmetric indefinite systems: `PAPᵀ = LBLᵀ` by Bunch and Kaufman.

use faer::Par;
use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::lblt;
use faer::perm::PermRef;

use super::gemm;
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatMut};

/// The factor of a symmetric matrix, definite or not.
#[derive(Debug, Clone)]
pub(crate) struct BunchKaufman {
    lower: Mat<f64>,
    diagonal: Diag<f64>,
    subdiagonal: Diag<f64>,
    forward: Vec<usize>,
    backward: Vec<usize>,
}

/// Factors a symmetric matrix, of which only the lower triangle is read.
///
/// n³/3 multiplications on the calling thread, in place.
///
/// # Errors
/// [`Error::NotFinite`] when the matrix holds a number that is not finite or is
/// exactly singular.
pub(crate) fn factor(mut matrix: Mat<f64>) -> Result<BunchKaufman> {
    let n = matrix.nrows();
    let mut subdiagonal = Diag::zeros(n);
    let mut forward = vec![0_usize; n];
    let mut backward = vec![0_usize; n];
    let mut memory = MemBuffer::new(lblt::factor::cholesky_in_place_scratch::<usize, f64>(
        n,
        Par::Seq,
        Default::default(),
    ));
    lblt::factor::cholesky_in_place(
        matrix.as_mut(),
        subdiagonal.as_mut(),
        &mut forward,
        &mut backward,
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    gemm::clean_vector_state();
    let mut diagonal = Diag::zeros(n);
    for i in 0..n {
        diagonal[i] = matrix[(i, i)];
        matrix[(i, i)] = 1.0;
        for j in i + 1..n {
            matrix[(i, j)] = 0.0;
        }
    }
    let factor = BunchKaufman {
        lower: matrix,
        diagonal,
        subdiagonal,
        forward,
        backward,
    };
    if (0..n).any(|i| !factor.pivot(i).is_finite() || factor.pivot(i) == 0.0) {
        return Err(Error::NotFinite {
            phase: "the symmetric factorisation",
            hint: "the system is exactly singular or overflows; change the ridge".into(),
        });
    }
    Ok(factor)
}

impl BunchKaufman {
    /// Replaces `B` by `A⁻¹B`.
    pub(crate) fn solve_in_place(&self, rhs: MatMut<'_, f64>) {
        let n = self.lower.nrows();
        let mut memory = MemBuffer::new(lblt::solve::solve_in_place_scratch::<usize, f64>(
            n,
            rhs.ncols(),
            Par::Seq,
        ));
        lblt::solve::solve_in_place(
            self.lower.as_ref(),
            self.diagonal.as_ref(),
            self.subdiagonal.as_ref(),
            PermRef::new_checked(&self.forward, &self.backward, n),
            rhs,
            Par::Seq,
            MemStack::new(&mut memory),
        );
        gemm::clean_vector_state();
    }

    /// A 1 × 1 pivot, or the determinant of the 2 × 2 pivot that starts or ends at `i`.
    fn pivot(&self, i: usize) -> f64 {
        let two_by_two = |i: usize| {
            self.diagonal[i] * self.diagonal[i + 1] - self.subdiagonal[i] * self.subdiagonal[i]
        };
        if self.subdiagonal[i] != 0.0 {
            two_by_two(i)
        } else if i > 0 && self.subdiagonal[i - 1] != 0.0 {
            two_by_two(i - 1)
        } else {
            self.diagonal[i]
        }
    }
}
