//! A method with its basis and bandwidth settled, before the sums: what every part of a
//! table that is read in parts has to know.

use std::sync::Arc;

use super::coordinates::{Coordinates, Sources};
use super::params::{self, BasisSpec, LaplacianParams, NormShare, Route};
use super::rows::Rows;
use super::{Laplacian, PreparedLaplacian, basis, each_once, landmarks, nothing_summed};
use crate::base::Basis;
use crate::data::{Points, bandwidth};
use crate::error::{Error, Refusal, Result};
use crate::feature::Moments;
use crate::kernel::SmoothKernel;
use crate::monitor::Monitor;

/// What is known of rows that pass by when a basis is chosen.
#[derive(Debug, Clone, Copy)]
pub struct Glimpse<'a> {
    /// n, all rows.
    pub count: usize,
    /// Some of them, drawn at random.
    pub sample: &'a Points,
    /// The rows that [`BasisSpec::Rows`] names, in its order.
    pub named: Option<&'a Points>,
}

/// A method with its basis and bandwidth settled.
#[derive(Debug, Clone)]
pub struct Planned {
    params: LaplacianParams,
    basis: Basis,
    share: f64,
    count: usize,
}

impl Laplacian {
    /// Settles basis, bandwidth and norm share from a glimpse of the rows.
    ///
    /// # Errors
    /// [`Error::Refused`] for the exact method and the panel route, which need all rows; as
    /// the choice of landmarks.
    pub fn plan(&self, rows: Glimpse<'_>, monitor: &mut dyn Monitor) -> Result<Planned> {
        let mut params = self.params.clone();
        if params.route == Route::Panel || matches!(params.basis, BasisSpec::Exact) {
            return Err(Error::refused(
                Refusal::Streamed,
                "the exact method and the panel route need all rows in memory",
                "use landmarks or waves and the gram route, or do not stream",
            ));
        }
        if params.kernel.needs_bandwidth() {
            let bandwidth = bandwidth::median_distance(rows.sample, self.seed)?;
            params.kernel = params.kernel.resolved(bandwidth);
        }
        let kernel: Arc<dyn SmoothKernel> = params.kernel.build_smooth()?.into();
        let share = match params.norm_share {
            NormShare::Auto => 1.0 / rows.count as f64,
            NormShare::Fixed(share) => share,
        };
        let basis = match (&params.basis, rows.named) {
            (BasisSpec::Rows { index, derivatives }, Some(named)) => {
                each_once(index)?;
                landmarks(Arc::new(named.clone()), *derivatives, &kernel)?
            }
            (BasisSpec::Rows { .. }, None) => {
                return Err(Error::refused(
                    Refusal::Parts,
                    "the rows named as landmarks were read in passing and not kept",
                    "name them before the rows are streamed",
                ));
            }
            _ => {
                let mut open = params.clone();
                if let BasisSpec::Landmarks { count, .. } = &mut open.basis {
                    *count = Some(count.unwrap_or_else(|| params::usual_count(rows.count)));
                }
                let sample = Arc::new(rows.sample.clone());
                basis(&open, &sample, &kernel, self.seed, monitor)?
            }
        };
        Planned::new(params, basis, share, rows.count)
    }
}

impl Planned {
    /// From settled parts, perhaps out of a file.
    ///
    /// # Errors
    /// As [`LaplacianParams::check`]; [`Error::Parameter`] for a norm share or a number of
    /// rows that cannot be, or a bandwidth that is still open.
    pub fn new(params: LaplacianParams, basis: Basis, share: f64, count: usize) -> Result<Self> {
        params.check()?;
        params.kernel.build_smooth()?;
        if !(share >= 0.0 && share.is_finite()) {
            return Err(Error::parameter(
                "norm_share",
                "zero or a positive number",
                share,
            ));
        }
        if count == 0 {
            return Err(Error::parameter("rows", "at least one", count));
        }
        Ok(Self {
            params,
            basis,
            share,
            count,
        })
    }

    /// The parameters, a bandwidth from the data filled in.
    pub fn params(&self) -> &LaplacianParams {
        &self.params
    }

    /// The functions predictors are sums of.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// μ.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// n, all rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Sums of nothing yet, to add rows to.
    pub fn moments(&self) -> Moments {
        nothing_summed(&self.params, &self.basis.features())
    }

    /// The preparation, from sums over all rows and those rows that labels belong to.
    ///
    /// # Errors
    /// [`Error::Refused`] when the sums are of other rows than the plan; as
    /// [`super::super::Estimator::prepare`].
    pub fn finish(
        &self,
        moments: Moments,
        index: Vec<usize>,
        kept: Points,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedLaplacian> {
        if moments.count() != self.count {
            return Err(Error::refused(
                Refusal::Changed,
                format!(
                    "there were {} rows at first and {} the second time",
                    self.count,
                    moments.count()
                ),
                "keep the source as it is while it is read, and merge the sums of every part",
            ));
        }
        let rows = Rows::kept(self.count, index, kept)?;
        let averages = moments.finish()?;
        let features = self.basis.features();
        let sources = Sources {
            features: &*features,
            rows: None,
            count: self.count,
            share: self.share,
            precision: self.params.precision,
        };
        let route = self.params.route;
        let coordinates = Coordinates::new(&sources, route, Some(&averages), monitor)?;
        let kernel = self.params.kernel.build_smooth()?;
        PreparedLaplacian::assemble(
            rows,
            self.params.clone(),
            (self.basis.clone(), &*kernel),
            (coordinates, Some(averages)),
            self.share,
            monitor,
        )
    }
}
