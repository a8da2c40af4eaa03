//! Kernel ridge regression, `α = (G_n + nβI)⁻¹ y`.  [STKR Eqn 2]
//!
//! The supervised baseline: it sees the labelled rows only, so what the
//! unlabelled rows add to any other method is measured against it.

use std::sync::Arc;

use crate::base::{Base, KernelBase, Storage};
use crate::data::Points;
use crate::error::{Error, Result};
use crate::estimator::centring::Centring;
use crate::estimator::check::{check_stopping, check_total};
use crate::estimator::smoother::{check_alike, check_labels};
use crate::estimator::subsets::{Subsets, part};
use crate::estimator::{Estimator, Linear, Prepared, Smoother};
use crate::expansion::{Expansion, Fitted, Readout};
use crate::kernel::KernelSpec;
use crate::linalg::gemm::times;
use crate::linalg::{Block, Mat, MatRef, cholesky};
use crate::monitor::{Monitor, Quiet};
use crate::operator::shifted::Shifted;
use crate::solve::conjugate_gradient::{self, Definite};
use crate::solve::{SolveReport, direct};
use crate::task::Observed;

const SYSTEM: &str = "the kernel matrix plus ridge";
const WAY_OUT: &str =
    "labelled rows repeat or the bandwidth is very large: raise ridge or lower the bandwidth";

/// Below this summed similarity to all labelled rows, a new row is not reached:
/// the prediction would be rounding.
const REACH: f64 = 1e-12;

/// Up to so many labelled rows the system is stored and factored; beyond, it
/// is solved by conjugate gradients without being stored.
pub(crate) const DIRECT_UP_TO: usize = 8192;

/// What can be said of kernel ridge regression.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KernelRidgeParams {
    /// The kernel; a bandwidth `auto` is the median distance between rows.
    pub kernel: KernelSpec,
    /// β > 0.
    pub ridge: f64,
    /// Relative residual, when the system is too large to factor.
    pub tolerance: f64,
    /// Iterations allowed, when the system is too large to factor.
    pub iterations: usize,
}

impl Default for KernelRidgeParams {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::default(),
            ridge: 1e-3,
            tolerance: 1e-8,
            iterations: 10_000,
        }
    }
}

/// Kernel ridge regression with checked parameters.
#[derive(Debug, Clone)]
pub struct KernelRidge {
    params: KernelRidgeParams,
    seed: u64,
}

impl KernelRidge {
    /// Checks the parameters; `seed` draws the pairs of an automatic bandwidth.
    ///
    /// # Errors
    /// [`Error::Parameter`] when one is out of range.
    pub fn new(params: KernelRidgeParams, seed: u64) -> Result<Self> {
        if !(params.ridge > 0.0 && params.ridge.is_finite()) {
            return Err(Error::parameter("ridge", "a positive number", params.ridge));
        }
        check_stopping(params.tolerance, params.iterations)?;
        // Refuses bad kernel parameters before any data is touched.
        params.kernel.clone().resolved(1.0).build()?;
        Ok(Self { params, seed })
    }
}

/// A table and its kernel, the bandwidth chosen.
#[derive(Debug)]
pub struct PreparedRidge {
    points: Points,
    params: KernelRidgeParams,
}

impl PreparedRidge {
    /// The rows.
    pub fn points(&self) -> &Points {
        &self.points
    }

    pub(super) fn parts(&self) -> (&Points, &KernelRidgeParams) {
        (&self.points, &self.params)
    }

    /// The kernel with its bandwidth chosen.
    pub fn kernel(&self) -> &KernelSpec {
        &self.params.kernel
    }
}

impl Estimator<Points> for KernelRidge {
    type Prepared = PreparedRidge;

    fn prepare(&self, points: Points, _: &mut dyn Monitor) -> Result<PreparedRidge> {
        let mut params = self.params.clone();
        params.kernel = params.kernel.fitted_to(&points, self.seed)?;
        Ok(PreparedRidge { points, params })
    }
}

impl Prepared for PreparedRidge {
    type Base = KernelBase;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<KernelBase>> {
        check_total(self.points.len(), seen)?;
        let labelled = self.points.select(seen.index())?;
        let kernel = self.params.kernel.build()?;
        // Only similarities that fall off with distance can fail to reach.
        let readout = if kernel.geometry().is_distance() {
            Readout::Local { floor: REACH }
        } else {
            Readout::Global
        };
        let base = KernelBase::new(labelled, kernel, Storage::Tiled);
        let y = seen.values().as_ref();
        let (alpha, report) = if seen.index().len() <= DIRECT_UP_TO {
            let system = self.system(&base, seen, monitor)?;
            direct::definite(system, SYSTEM, WAY_OUT, y, monitor)?
        } else {
            seen.refuse_weights(
                "kernel ridge on so many labels",
                "leave the weights out, or label fewer rows",
            )?;
            self.iterate(&base, y, monitor)?
        };
        let mass = vec![1.0; seen.index().len()];
        let expansion = Expansion::new(Arc::new(base), alpha.as_ref(), &mass, readout)?;
        Ok(Fitted {
            expansion,
            visible: None,
            dual: Some(alpha),
            report,
        })
    }
}

impl PreparedRidge {
    /// `G_n + nβW⁻¹`.
    fn system(
        &self,
        base: &KernelBase,
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        let n = seen.index().len();
        let mut system = base.cross(base.points(), monitor)?;
        for i in 0..n {
            let weight = seen.weights().map_or(1.0, |w| w[i]);
            system[(i, i)] += n as f64 * self.params.ridge / weight;
        }
        Ok(system)
    }

    fn iterate(
        &self,
        base: &KernelBase,
        y: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<(Mat<f64>, SolveReport)> {
        let n = y.nrows() as f64;
        let system = Shifted {
            inner: base.gram(), // G_n / n
            scale: n,
            shift: n * self.params.ridge,
        };
        let system = Definite {
            operator: &system,
            name: SYSTEM,
            hint: WAY_OUT,
        };
        let (alpha, report) = conjugate_gradient::solve(
            system,
            Block::copy_of(y)?,
            self.params.tolerance,
            self.params.iterations,
            monitor,
        )?;
        Ok((alpha.as_mat().to_owned(), report))
    }
}

impl Linear for PreparedRidge {
    fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        check_labels(seen)?;
        check_total(self.points.len(), seen)?;
        let n = seen.index().len();
        let labelled = self.points.select(seen.index())?;
        let base = KernelBase::new(labelled, self.params.kernel.build()?, Storage::Tiled);
        let system = self.system(&base, seen, monitor)?;
        let mut inverse = Mat::identity(n, n);
        let factor = cholesky::factor(system, SYSTEM, WAY_OUT, monitor)?;
        factor.solve_in_place(inverse.as_mut());
        // G A⁻¹ = I − nβW⁻¹A⁻¹
        let hat = Mat::from_fn(n, n, |i, j| {
            let weight = seen.weights().map_or(1.0, |w| w[i]);
            let own = if i == j { 1.0 } else { 0.0 };
            own - n as f64 * self.params.ridge / weight * inverse[(i, j)]
        });
        Ok(Smoother::least_squares(hat, inverse, seen))
    }

    fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<KernelBase>> {
        self.solve(&seen.units()?, monitor)
    }

    /// `G_HT (G_TT + mβI)⁻¹ y_T`.
    fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        check_alike(seen)?;
        check_total(self.points.len(), seen)?;
        let labelled = self.points.select(seen.index())?;
        let base = KernelBase::new(labelled, self.params.kernel.build()?, Storage::Tiled);
        let gram = base.cross(base.points(), monitor)?;
        let ridge = self.params.ridge;
        let scoring = move |train: &[usize], others: &[usize], _: &Mat<f64>, y: &Mat<f64>| {
            let mut system = part(&gram, train, train);
            for i in 0..train.len() {
                system[(i, i)] += train.len() as f64 * ridge;
            }
            let mut alpha = y.clone();
            cholesky::factor(system, SYSTEM, WAY_OUT, &mut Quiet)?.solve_in_place(alpha.as_mut());
            let mut cross = part(&gram, others, train);
            for b in 0..others.len() {
                // As a fit: what is similar to no label is not reached.
                if cross.row(b).iter().map(|k| k.abs()).sum::<f64>() <= REACH {
                    (0..train.len()).for_each(|a| cross[(b, a)] = 0.0);
                }
            }
            Ok(times(cross.as_ref(), alpha.as_ref()))
        };
        Ok(Subsets::new(Box::new(scoring), None, Centring::None))
    }
}
