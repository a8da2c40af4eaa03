//! The data-dependent kernel `k̃ = ⟨k_x, (L̂ + μ)⁻¹ k_z⟩`, exactly.  [KLAP Eq 5, §3.2]
//!
//! With the gradients as observations, `k̃ = μ⁻¹[k − k_∂ᵀ(G_∂∂ + nμI)⁻¹k_∂]`: one
//! positive definite system of size nd, factored once for every strength, filter and
//! set of labels. Eq 5 is then kernel ridge regression with k̃: no pencil at all.

use std::sync::Arc;

use super::coordinates::Coordinates;
use super::params::Route;
use crate::data::Points;
use crate::error::{Error, Result};
use crate::feature::{Features as _, Landmarks, WithDerivatives};
use crate::kernel::SmoothKernel;
use crate::linalg::cholesky::{self, Cholesky};
use crate::linalg::gemm::times;
use crate::linalg::whiten::whiten;
use crate::linalg::{Mat, tiles};
use crate::monitor::Monitor;

/// The largest system that is factored, nd.
pub(crate) const LARGEST: usize = 20_000;

/// `k̃` over the rows that define `L̂`.
///
/// Any method that takes a kernel can take this one. As the base kernel of \[STKR\] it
/// goes through [`crate::base::SimilarityBase`]: `k̃` between the rows is the base, and a
/// new row is its similarities `k̃(new, rows)`. With `s(λ) = λ` and the ridge β = λ that
/// is Eq 5 itself, as `E‖∇g‖² + μ‖g‖²` is the norm of k̃; other transforms start from
/// there.
///
/// ```
/// use std::sync::Arc;
///
/// use isotherm::base::SimilarityBase;
/// use isotherm::data::Points;
/// use isotherm::estimator::Estimator;
/// use isotherm::estimator::laplacian::DataKernel;
/// use isotherm::estimator::stkr::{Stkr, StkrParams};
/// use isotherm::kernel::Gaussian;
/// use isotherm::monitor::Quiet;
/// use isotherm::spectrum::Transform;
/// use isotherm::task::{Observed, OneHot};
///
/// // Two rows of points, one label in each.
/// let row = |y: f64| (0..15).flat_map(move |i| [0.4 * i as f64, y]);
/// let points = Points::new(row(0.0).chain(row(3.0)).collect(), 30, 2)?;
/// let mut labels = vec![None; 30];
/// (labels[0], labels[29]) = (Some(0), Some(1));
/// let seen = Observed::encode(&OneHot::new(2), &labels)?;
///
/// let gaussian = Arc::new(Gaussian::new(0.8)?);
/// let kernel = DataKernel::new(Arc::new(points.clone()), gaussian, 1e-3, &mut Quiet)?;
/// let base = SimilarityBase::new(kernel.matrix(&points, &points, &mut Quiet)?)?;
/// let params = StkrParams::as_printed(Transform::Power { degree: 2 }, 1e-2);
/// let fitted = Stkr::new(params)?.fit(base, &seen, &mut Quiet)?;
///
/// let new = Points::new(vec![5.9, 0.1, 0.1, 2.9], 2, 2)?;
/// let similarities = kernel.matrix(&new, &points, &mut Quiet)?;
/// let similarities = Points::from_mat(similarities.as_ref())?;
/// let scores = fitted.scores(&similarities, &mut Quiet)?.values;
/// assert!(scores[(0, 0)] > scores[(0, 1)] && scores[(1, 1)] > scores[(1, 0)]);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct DataKernel {
    points: Arc<Points>,
    kernel: Arc<dyn SmoothKernel>,
    share: f64,
    /// `∂ₐk_x` of all rows.
    slopes: WithDerivatives,
    /// `G_∂∂ + nμI`, factored.
    factor: Cholesky,
}

impl DataKernel {
    /// Factors the system of all gradients. O((nd)³) time, O((nd)²) memory.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless μ > 0; [`Error::Memory`] when nd is above
    /// `LARGEST`; [`Error::Indefinite`] when μ is too small for the arithmetic;
    /// [`Error::Cancelled`].
    pub fn new(
        points: Arc<Points>,
        kernel: Arc<dyn SmoothKernel>,
        share: f64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        if !(share > 0.0 && share.is_finite()) {
            return Err(Error::parameter(
                "norm_share",
                "a positive number for the exact method",
                share,
            ));
        }
        let size = points.len().saturating_mul(points.dim());
        if size > LARGEST {
            let bytes = (size as u64).saturating_mul(size as u64).saturating_mul(8);
            return Err(Error::no_memory(
                format!(
                    "the exact method on {} rows of {} columns, a system of size {size} (at most \
                     {LARGEST}); use landmarks",
                    points.len(),
                    points.dim()
                ),
                bytes,
            ));
        }
        tiles::announce("the gradients' Gram matrix", None, monitor)?;
        let slopes = WithDerivatives::new(None, points.clone(), kernel.clone())?;
        let mut system = slopes.gram(monitor)?;
        let noise = points.len() as f64 * share;
        (0..size).for_each(|i| system[(i, i)] += noise);
        let factor = cholesky::factor(
            system,
            "the gradients' Gram matrix plus nμ",
            "raise the norm share or lower the bandwidth",
            monitor,
        )?;
        Ok(Self {
            points,
            kernel,
            share,
            slopes,
            factor,
        })
    }

    /// `k̃(a, b)`, stored. Between equal rows it is symmetric up to rounding.
    ///
    /// O(|b|(nd)²) time for |b| solves with the factor, and |a||b|nd for the product.
    ///
    /// # Errors
    /// [`Error::Shape`] when columns differ; [`Error::Cancelled`].
    pub fn matrix(&self, a: &Points, b: &Points, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        let plain = Landmarks::new(Arc::new(b.clone()), self.kernel.clone());
        let direct = plain.matrix(a, monitor)?;
        let left = self.slopes.matrix(a, monitor)?;
        let mut right = self.slopes.matrix(b, monitor)?.transpose().to_owned();
        self.factor.solve_in_place(right.as_mut());
        let product = times(left.as_ref(), right.as_ref());
        Ok(Mat::from_fn(a.len(), b.len(), |i, j| {
            (direct[(i, j)] - product[(i, j)]) / self.share
        }))
    }

    /// Coordinates in the span of `k̃_x` of all rows, over the basis of `k_x` and
    /// then `∂ₐk_x`, in which `L̂ + μ` is the identity.
    pub(super) fn coordinates(
        &self,
        monitor: &mut dyn Monitor,
    ) -> Result<(WithDerivatives, Coordinates)> {
        let (n, size) = (self.points.len(), self.points.len() * self.points.dim());
        let square = self.matrix(&self.points, &self.points, monitor)?;
        let square = Mat::from_fn(n, n, |i, j| 0.5 * (square[(i, j)] + square[(j, i)]));
        let whitening = whiten(square.as_ref())?;
        // k̃_x = μ⁻¹[k_x − Σ ∂ₐk_z ((G_∂∂ + nμ)⁻¹ k_∂(x))]
        let mut pull = self
            .slopes
            .matrix(&self.points, monitor)?
            .transpose()
            .to_owned();
        self.factor.solve_in_place(pull.as_mut());
        let above = &whitening.map;
        let below = times(pull.as_ref(), above.as_ref());
        let map = Mat::from_fn(n + size, whitening.rank(), |i, j| match i.checked_sub(n) {
            None => above[(i, j)] / self.share,
            Some(i) => -below[(i, j)] / self.share,
        });
        let basis = WithDerivatives::new(
            Some(self.points.clone()),
            self.points.clone(),
            self.kernel.clone(),
        )?;
        let condition = self.factor.condition();
        let coordinates = Coordinates {
            map,
            flat: None,
            route: Route::Panel,
            error: f64::EPSILON * condition,
            condition,
            rank: whitening.rank(),
            resolved: whitening.rank(),
            cuts: false,
            known: None,
        };
        Ok((basis, coordinates))
    }
}
