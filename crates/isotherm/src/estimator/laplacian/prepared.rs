//! Everything known before a label is seen, and the fit to labels.

use std::sync::Arc;

use super::averages::{averages, free};
use super::coordinates::Coordinates;
use super::filtered::{Averaged, Axes, Measured};
use super::leave_one_out;
use super::params::{self, BasisSpec, LaplacianParams, NormShare, Route};
use super::rows::Rows;
use crate::base::{Base as _, Basis, FeatureBase};
use crate::data::Points;
use crate::error::{Error, Refusal, Result};
use crate::estimator::Prepared;
use crate::estimator::check::check_total;
use crate::expansion::{Expansion, Fitted, Readout};
use crate::feature::moments::Averages;
use crate::kernel::{Geometry, SmoothKernel};
use crate::linalg::gemm::times;
use crate::linalg::{Mat, MatRef, Precision};
use crate::monitor::Monitor;
use crate::solve::{Outcome, SolveReport};
use crate::spectrum::Filter;
use crate::task::Observed;

/// Below this summed similarity to all landmarks a new row is not reached.
const REACH: f64 = 1e-12;

/// Everything known before a label is seen.
#[derive(Debug)]
pub struct PreparedLaplacian {
    pub(super) rows: Rows,
    pub(super) params: LaplacianParams,
    pub(super) base: Arc<FeatureBase>,
    pub(super) coordinates: Coordinates,
    share: f64,
    pub(super) averages: Option<Averaged>,
    moments: Option<Averages>,
    readout: Readout,
}

impl PreparedLaplacian {
    pub(super) fn assemble(
        rows: Rows,
        params: LaplacianParams,
        (basis, kernel): (Basis, &dyn SmoothKernel),
        (coordinates, moments): (Coordinates, Option<Averages>),
        share: f64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let readout = match (&basis, kernel.geometry()) {
            (Basis::Fourier(_), _) => Readout::Global,
            (_, Geometry::SquaredDistance) => Readout::Local { floor: REACH },
            _ => Readout::Global,
        };
        let base = Arc::new(FeatureBase::new(basis));
        let (features, known) = (base.features(), moments.as_ref());
        Ok(Self {
            averages: averages(&params, features, &rows, &coordinates, known, monitor)?,
            rows,
            params,
            base,
            coordinates,
            share,
            moments,
            readout,
        })
    }

    /// The parameters, a bandwidth from the data filled in.
    pub fn params(&self) -> &LaplacianParams {
        &self.params
    }

    /// The rows it was prepared on.
    ///
    /// # Errors
    /// [`Error::Refused`] when they passed by and were not kept.
    pub fn points(&self) -> Result<&Points> {
        self.rows.whole()
    }

    /// The functions predictors are sums of.
    pub fn base(&self) -> &Arc<FeatureBase> {
        &self.base
    }

    /// The coordinates, and what is known of their accuracy.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// μ.
    pub fn norm_share(&self) -> f64 {
        self.share
    }

    /// The same basis and rows with another μ, from what is known already.
    ///
    /// # Errors
    /// [`Error::Refused`] for the exact method, which has to be prepared anew; as a
    /// preparation.
    pub fn with_share(&self, share: f64, monitor: &mut dyn Monitor) -> Result<Self> {
        let params = LaplacianParams {
            norm_share: NormShare::Fixed(share),
            ..self.params.clone()
        };
        params.check()?;
        let Some(coordinates) = self.coordinates.with_share(share, monitor)? else {
            return Err(Error::refused(
                Refusal::Method,
                "the exact method is factored for one norm share",
                "prepare it again",
            ));
        };
        let features = self.base.features();
        let moments = self.moments.as_ref();
        let rows = &self.rows;
        Ok(Self {
            averages: averages(&params, features, rows, &coordinates, moments, monitor)?,
            rows: self.rows.clone(),
            params,
            base: self.base.clone(),
            coordinates,
            share,
            moments: self.moments.clone(),
            readout: self.readout,
        })
    }

    pub(super) fn axes(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Axes> {
        check_total(self.rows.len(), seen)?;
        let labelled = self.rows.select(seen.index())?;
        let values = self.base.features().matrix(&labelled, monitor)?;
        let features = times(values.as_ref(), self.coordinates.map.as_ref());
        let constant = self.params.free_constant;
        let free = free(values.as_ref(), &self.coordinates, constant);
        Axes::new(Measured {
            features: weighed(&features, seen),
            free: weighed(&free, seen),
            averages: self.averages.clone(),
        })
    }

    /// The generalised eigenvalues of `(Σ̂, L̂ + μ)`, descending; those of unpenalised
    /// functions, which are infinite, are not among them.
    ///
    /// # Errors
    /// When the labels do not fit the rows.
    pub fn eigenvalues(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
        Ok(self.axes(seen, monitor)?.values)
    }

    /// The filter, chosen where it was left open, and its value at each of
    /// [`PreparedLaplacian::eigenvalues`].
    ///
    /// # Errors
    /// As [`Prepared::solve`].
    pub fn gains(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<(Filter, Vec<f64>)> {
        let axes = self.axes(seen, monitor)?;
        let (filter, gains, _) = self.filtered(&axes, seen)?;
        Ok((filter, gains))
    }

    /// The filter, chosen where it was left open, and its gains; a strength that was
    /// chosen comes with its leave-one-out error.
    #[allow(clippy::type_complexity)]
    pub(super) fn filtered(
        &self,
        axes: &Axes,
        seen: &Observed,
    ) -> Result<(Filter, Vec<f64>, Option<(f64, f64)>)> {
        let (filter, chosen) = match &self.params.filter {
            Some(filter) => (filter.clone(), None),
            None => {
                let (strength, error) = strength(axes, weighed(seen.values(), seen).as_ref())?;
                (Filter::Tikhonov { strength }, error.map(|e| (strength, e)))
            }
        };
        let gains = axes.gains(&axes.resolve(&filter)?)?;
        Ok((filter, gains, chosen))
    }

    pub(super) fn fitted(
        &self,
        axes: &Axes,
        gains: &[f64],
        seen: &Observed,
    ) -> Result<Fitted<FeatureBase>> {
        let found = axes.solve(gains, weighed(seen.values(), seen).as_ref());
        let (coefficients, offset) = self.in_basis(&found.features, &found.free);
        let expansion = Expansion::new(
            self.base.clone(),
            coefficients.as_ref(),
            &self.base.mass(),
            self.readout,
        )?;
        let expansion = if self.params.free_constant {
            expansion.with_offset(offset)?
        } else {
            expansion
        };
        Ok(Fitted {
            expansion,
            visible: None,
            dual: None,
            report: self.report(axes),
        })
    }

    /// Coefficients over the basis, and the constant.
    pub(super) fn in_basis(&self, features: &Mat<f64>, free: &Mat<f64>) -> (Mat<f64>, Vec<f64>) {
        let mut coefficients = times(self.coordinates.map.as_ref(), features.as_ref());
        let q = usize::from(self.params.free_constant);
        if let Some(flat) = &self.coordinates.flat {
            coefficients += times(flat.as_ref(), free.subrows(q, flat.ncols()));
        }
        let constant = |j: usize| if q > 0 { free[(0, j)] } else { 0.0 };
        (coefficients, (0..features.ncols()).map(constant).collect())
    }

    pub(super) fn report(&self, axes: &Axes) -> SolveReport {
        let Coordinates {
            route,
            error,
            condition,
            rank,
            resolved,
            ..
        } = &self.coordinates;
        let how = match (route, &self.params.basis) {
            (_, BasisSpec::Exact) => "the exact kernel of Eq 5",
            (Route::Gram, _) if self.params.precision == Precision::Single => {
                "the Gram form in single precision"
            }
            (Route::Gram, _) => "the Gram form",
            _ => "QR of the gradients",
        };
        let cut = if resolved > rank {
            format!(" ({resolved} before what the sums do not resolve was left out)")
        } else {
            String::new()
        };
        let doubt = if *error <= 1e-6 {
            ""
        } else {
            "; raise the norm share or lower the bandwidth to be surer"
        };
        SolveReport {
            solver: format!("kernel Laplacian by {how}"),
            size: self.base.len(),
            iterations: 0,
            residual: 0.0,
            error_estimate: Some(error.min(f64::MAX)),
            condition: Some(*condition),
            outcome: Outcome::Direct,
            smallest: axes.values.last().copied(),
            choice: Some(format!(
                "{how}: effective rank {rank} of {}{cut}, norm share {:.1e}, relative error about \
                 {error:.0e}{doubt}",
                self.base.len(),
                self.share
            )),
        }
    }

    /// The Dirichlet energy `n⁻¹Σ‖∇g(xₗ)‖²` over the rows and `‖g‖²` in the kernel's
    /// space of a fitted g, one pair an output. O(ndp).
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn energy(
        &self,
        fitted: &Fitted<FeatureBase>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<(f64, f64)>> {
        let columns = fitted.expansion.columns();
        let coefficients = columns.subcols(0, columns.ncols() - 1);
        let features = self.base.features();
        let gradients = features.gradient(self.rows.whole()?, coefficients, monitor)?;
        let gram = features.gram(monitor)?;
        let image = times(gram.as_ref(), coefficients);
        let n = self.rows.len() as f64;
        Ok((0..coefficients.ncols())
            .map(|j| {
                let pairs = coefficients.col(j).iter().zip(image.col(j).iter());
                let norm: f64 = pairs.map(|(a, b)| a * b).sum();
                (gradients.col(j).squared_norm_l2() / n, norm.max(0.0))
            })
            .collect())
    }
}

impl Prepared for PreparedLaplacian {
    type Base = FeatureBase;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<FeatureBase>> {
        let axes = self.axes(seen, monitor)?;
        let (_, gains, chosen) = self.filtered(&axes, seen)?;
        let mut fitted = self.fitted(&axes, &gains, seen)?;
        if let (Some((strength, error)), Some(choice)) = (chosen, &mut fitted.report.choice) {
            let text =
                format!("strength {strength:e} by leave-one-out (squared error {error:.3}); ");
            choice.insert_str(0, &text);
        }
        Ok(fitted)
    }
}

/// Rows times √w: in these coordinates `Σ wᵢ‖g(xᵢ) − yᵢ‖²` is a plain sum.
pub(super) fn weighed(rows: &Mat<f64>, seen: &Observed) -> Mat<f64> {
    match seen.weights() {
        None => rows.clone(),
        Some(w) => Mat::from_fn(rows.nrows(), rows.ncols(), |i, j| {
            w[i].sqrt() * rows[(i, j)]
        }),
    }
}

/// Predictions in the labels' own scale again.
pub(super) fn unweighed(mut rows: Mat<f64>, seen: &Observed) -> Mat<f64> {
    for (i, w) in seen.weights().into_iter().flatten().enumerate() {
        (0..rows.ncols()).for_each(|j| rows[(i, j)] /= w.sqrt());
    }
    rows
}

/// The first of the strengths with the smallest leave-one-out squared error.
fn strength(axes: &Axes, labels: MatRef<'_, f64>) -> Result<(f64, Option<f64>)> {
    if labels.nrows() < 3 {
        return Ok((1.0, None));
    }
    let mut best: Option<(f64, f64)> = None;
    for strength in params::STRENGTHS {
        let filter = Filter::Tikhonov { strength };
        let gains = axes.gains(&filter)?;
        let left = leave_one_out::predictions(axes, &filter, &gains, labels)?;
        let error = (&left - labels).squared_norm_l2() / labels.nrows() as f64;
        if best.is_none_or(|(_, least)| error < least) {
            best = Some((strength, error));
        }
    }
    Ok(best.map_or((1.0, None), |(strength, error)| (strength, Some(error))))
}
