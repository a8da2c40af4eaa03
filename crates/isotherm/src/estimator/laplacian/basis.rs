//! The functions predictors are sums of: landmarks, their derivatives, random waves.

use std::sync::Arc;

use super::params::{self, BasisSpec, LaplacianParams};
use crate::base::Basis;
use crate::data::Points;
use crate::error::{Error, Refusal, Result};
use crate::feature::{Fourier, Landmarks, WithDerivatives};
use crate::kernel::SmoothKernel;
use crate::landmark;
use crate::monitor::Monitor;

/// The functions that were asked for.
pub(super) fn basis(
    params: &LaplacianParams,
    points: &Points,
    kernel: &Arc<dyn SmoothKernel>,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Basis> {
    let (chosen, derivatives) = match &params.basis {
        BasisSpec::Fourier { count } => {
            let waves = Fourier::draw(&params.kernel, points.dim(), *count, seed)?;
            return Ok(Basis::Fourier(Arc::new(waves)));
        }
        BasisSpec::Landmarks {
            count,
            selection,
            derivatives,
        } => {
            let count = count.unwrap_or_else(|| params::usual_count(points.len()));
            let index = landmark::choose(points, &**kernel, count, *selection, seed, monitor)?;
            (Arc::new(points.select(&index)?), *derivatives)
        }
        BasisSpec::Rows { index, derivatives } => {
            each_once(index)?;
            (Arc::new(points.select(index)?), *derivatives)
        }
        BasisSpec::Exact => (Arc::new(points.clone()), true),
    };
    landmarks(chosen, derivatives, kernel)
}

/// Refuses a landmark that is named twice.
pub(super) fn each_once(index: &[usize]) -> Result<()> {
    let mut sorted = index.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(Error::refused(
            Refusal::Landmarks,
            format!("row {} is a landmark twice", pair[0]),
            "name each row once",
        )),
    }
}

/// `k_z` of these points, with `∂ₐk_z` if so wanted.
pub(super) fn landmarks(
    chosen: Arc<Points>,
    derivatives: bool,
    kernel: &Arc<dyn SmoothKernel>,
) -> Result<Basis> {
    Ok(if derivatives {
        let both = WithDerivatives::new(Some(chosen.clone()), chosen, kernel.clone())?;
        Basis::Derivatives(Arc::new(both))
    } else {
        Basis::Landmarks(Arc::new(Landmarks::new(chosen, kernel.clone())))
    })
}
