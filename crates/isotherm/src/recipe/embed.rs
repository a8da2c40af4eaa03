//! Table → coordinates: the smoothest functions on the rows, for plots and other methods.

use super::recipe::Scaling;
use crate::data::scaling::constant_columns;
use crate::data::{Points, Standardiser};
use crate::error::{Error, Result};
use crate::estimator::Estimator as _;
use crate::estimator::laplacian::{Covariance, Laplacian, LaplacianParams};
use crate::kernel::KernelSpec;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::solve::SolveReport;

/// Coordinates of every row.
#[derive(Debug, Clone)]
pub struct Embedded {
    /// One column a mode, each of mean 0 and variance λ over the rows: smooth
    /// directions are long.
    pub coordinates: Mat<f64>,
    /// λ, descending.
    pub eigenvalues: Vec<f64>,
    /// The kernel with its bandwidth.
    pub kernel: KernelSpec,
    /// How the modes were found.
    pub report: SolveReport,
}

/// The leading modes of `(Σ̂, L̂ + μ)` over all rows, constants left out.  [KLAP §2.2, Figure 2]
///
/// `params` says kernel, basis, norm share and route; its filter and covariance are
/// not used. No label is looked at.
///
/// # Errors
/// [`Error::Parameter`] unless 1 ≤ dimensions ≤ the rank of the basis; as a fit.
///
/// # Example
/// ```
/// use isotherm::data::Points;
/// use isotherm::estimator::laplacian::LaplacianParams;
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{Scaling, embed};
///
/// let x = (0..40).map(|i| if i < 20 { 0.1 * i as f64 } else { 8.0 + 0.1 * i as f64 });
/// let points = Points::new(x.collect(), 40, 1)?;
/// let found = embed(&LaplacianParams::default(), points, Scaling::Standardise, 1, 0, &mut Quiet)?;
/// // The smoothest function that is not constant tells the two groups apart.
/// let side = |i: usize| found.coordinates[(i, 0)] > 0.0;
/// assert!((0..40).all(|i| side(i) == side(if i < 20 { 0 } else { 39 })));
/// assert_ne!(side(0), side(39));
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn embed(
    params: &LaplacianParams,
    points: Points,
    scaling: Scaling,
    dimensions: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Embedded> {
    if dimensions == 0 {
        return Err(Error::parameter("dimensions", "at least 1", 0));
    }
    if constant_columns(&points).len() == points.dim() {
        return Err(Error::data(
            format!(
                "all {} rows are equal: nothing tells them apart",
                points.len()
            ),
            "choose other feature columns",
        ));
    }
    let points = match scaling {
        Scaling::Standardise => Standardiser::learn(&points, monitor)?.apply(points, monitor)?,
        Scaling::None => points,
    };
    let params = LaplacianParams {
        covariance: Covariance::All,
        free_constant: true,
        filter: None,
        ..params.clone()
    };
    let prepared = Laplacian::new(params, seed)?.prepare(points.clone(), monitor)?;
    let rank = prepared.coordinates().map.ncols();
    if dimensions > rank {
        return Err(Error::parameter(
            "dimensions",
            format!("at most {rank}, the rank of the basis; use more landmarks"),
            dimensions,
        ));
    }
    let modes = prepared.modes(dimensions, monitor)?;
    Ok(Embedded {
        coordinates: modes.transform(&points, monitor)?,
        eigenvalues: modes.eigenvalues.clone(),
        kernel: prepared.params().kernel.clone(),
        report: modes.report,
    })
}
