//! Thin singular value decomposition, `A = U diag(s) Vᵀ`.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::svd::{self, ComputeSvdVectors, SvdParams};
use faer::{Par, Spec};

use super::gemm;
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatRef};

/// `A = U diag(s) Vᵀ` with k = min(m, n) columns each.
#[derive(Debug, Clone)]
pub(crate) struct Svd {
    /// Singular values, descending.
    pub values: Vec<f64>,
    /// Right vectors, n × k.
    pub v: Mat<f64>,
}

/// Decomposes `A`, O(mn·min(m, n)) on the calling thread.
///
/// # Errors
/// [`Error::NotFinite`] when an entry is no number or the iteration fails.
pub(crate) fn thin(matrix: MatRef<'_, f64>) -> Result<Svd> {
    let refuse = || Error::NotFinite {
        phase: "the singular value decomposition",
        hint: "rescale the features or choose another kernel".into(),
    };
    if !matrix.is_all_finite() {
        return Err(refuse());
    }
    let (m, n) = matrix.shape();
    let k = m.min(n);
    let (mut u, mut v) = (Mat::zeros(m, k), Mat::zeros(n, k));
    let mut values = Diag::zeros(k);
    let params: Spec<SvdParams, f64> = Spec::default();
    let thin = ComputeSvdVectors::Thin;
    let mut memory = MemBuffer::new(svd::svd_scratch::<f64>(m, n, thin, thin, Par::Seq, params));
    let outcome = svd::svd(
        matrix,
        values.as_mut(),
        Some(u.as_mut()),
        Some(v.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        params,
    );
    gemm::clean_vector_state();
    outcome.map_err(|_| refuse())?;
    let values = values.column_vector().iter().copied().collect();
    Ok(Svd { values, v })
}
