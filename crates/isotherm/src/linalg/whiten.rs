//! Whitening, `Wᵀ A W = I` on the numerical range of a positive matrix.
//!
//! By Cholesky with diagonal pivoting, `A = P L Lᵀ Pᵀ`, cut where a pivot falls to
//! n·ε of the largest: what lies below is rounding. No diagonal is ever added.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt_pivoting::factor::{
    PivLltParams, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::{Par, Spec};

use super::{gemm, triangular};
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatRef};

/// A whitening map and what was cut.
#[derive(Debug, Clone)]
pub(crate) struct Whitening {
    /// `W`, n × rank: rows of what was cut are zero.
    pub map: Mat<f64>,
    /// The pivots kept, descending up to rounding.
    pub pivots: Vec<f64>,
    /// The pivots' order: the first `rank` are kept.
    pub order: Vec<usize>,
}

impl Whitening {
    /// The numerical rank.
    pub(crate) fn rank(&self) -> usize {
        self.map.ncols()
    }

    /// The largest pivot, `‖A‖` up to a factor n.
    pub(crate) fn largest(&self) -> f64 {
        self.pivots.first().copied().unwrap_or(0.0)
    }

    /// The smallest pivot kept.
    pub(crate) fn smallest(&self) -> f64 {
        self.pivots.last().copied().unwrap_or(0.0)
    }

    /// The whitening cut at a smaller rank: its first columns, since pivots nest.
    #[must_use]
    pub(crate) fn leading(&self, rank: usize) -> Self {
        Self {
            map: self.map.subcols(0, rank).to_owned(),
            pivots: self.pivots[..rank].to_vec(),
            order: self.order.clone(),
        }
    }
}

/// Whitens a symmetric positive semidefinite matrix. O(n³) on the calling thread.
///
/// # Errors
/// [`Error::NotFinite`] when an entry is no number; [`Error::Indefinite`] when no
/// pivot is positive.
pub(crate) fn whiten(matrix: MatRef<'_, f64>) -> Result<Whitening> {
    whiten_above(matrix, f64::EPSILON)
}

/// Like `whiten`, cut where a pivot falls to `n·epsilon` of the largest: for use with
/// other matrices that are known to that precision only.
///
/// # Errors
/// As `whiten`.
pub(crate) fn whiten_above(matrix: MatRef<'_, f64>, epsilon: f64) -> Result<Whitening> {
    let n = matrix.nrows();
    if !matrix.is_all_finite() {
        return Err(Error::NotFinite {
            phase: "whitening",
            hint: "rescale the features or choose another kernel".into(),
        });
    }
    let mut lower = matrix.to_owned();
    let (mut order, mut inverse) = (vec![0_usize; n], vec![0_usize; n]);
    let params: Spec<PivLltParams, f64> = PivLltParams::default().into();
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<usize, f64>(n, Par::Seq, params));
    let outcome = cholesky_in_place(
        lower.as_mut(),
        &mut order,
        &mut inverse,
        Par::Seq,
        MemStack::new(&mut memory),
        params,
    );
    gemm::clean_vector_state();
    let indefinite = |curvature: f64| Error::Indefinite {
        operator: "the Gram matrix of the basis",
        curvature,
        hint: "choose a positive kernel and landmarks that are not all zero".into(),
    };
    let found = match outcome {
        Ok((info, _)) => info.rank,
        Err(_) => return Err(indefinite(0.0)),
    };
    let pivot = |k: usize| lower[(k, k)] * lower[(k, k)];
    let largest = if found > 0 { pivot(0) } else { 0.0 };
    let cut = n as f64 * epsilon * largest;
    let rank = (0..found).take_while(|&k| pivot(k) > cut).count();
    if rank == 0 {
        return Err(indefinite(largest));
    }
    // W = P [L⁻ᵀ; 0]
    let mut upper: Mat<f64> = Mat::identity(rank, rank);
    let factor = lower.as_ref().submatrix(0, 0, rank, rank);
    triangular::upper(factor.transpose(), upper.as_mut());
    let mut map = Mat::zeros(n, rank);
    for (k, &at) in order.iter().take(rank).enumerate() {
        for j in 0..rank {
            map[(at, j)] = upper[(k, j)];
        }
    }
    Ok(Whitening {
        map,
        pivots: (0..rank).map(pivot).collect(),
        order,
    })
}
