//! Kernel Laplacians with checked parameters, and their preparation on rows.

use std::sync::Arc;

use super::basis::{basis, each_once, landmarks};
use super::exact::DataKernel;
use super::params::{self, BasisSpec, LaplacianParams, NormShare};
use super::planned::{Planned, RowSample};
use super::prepared::PreparedLaplacian;
use super::rows::Rows;
use crate::base::Basis;
use crate::data::{Points, RowStream, Survey, bandwidth};
use crate::error::{Error, Refusal, Result};
use crate::estimator::Estimator;
use crate::kernel::SmoothKernel;
use crate::linalg::tiles;
use crate::monitor::{Monitor, Within};

const PHASE: &str = "moments of the basis";

/// Kernel Laplacian regularisation with checked parameters.
#[derive(Debug, Clone)]
pub struct Laplacian {
    params: LaplacianParams,
    seed: u64,
}

impl Laplacian {
    /// Checks the parameters; `seed` draws landmarks, waves and an automatic bandwidth.
    ///
    /// # Errors
    /// As [`LaplacianParams::check`].
    pub fn new(params: LaplacianParams, seed: u64) -> Result<Self> {
        params.check()?;
        Ok(Self { params, seed })
    }
}

impl Estimator<Points> for Laplacian {
    type Prepared = PreparedLaplacian;

    /// A table of more rows than [`LaplacianParams::sample_size`] is prepared as a stream of
    /// its rows would be: landmarks and bandwidth from the same sample, moments over all
    /// rows. A smaller one is prepared whole.
    fn prepare(&self, points: Points, monitor: &mut dyn Monitor) -> Result<PreparedLaplacian> {
        let count = points.len();
        let size = self.params.sample_size(count);
        if count <= size || self.params.needs_table() {
            return self.prepare_whole(points, monitor);
        }
        let mut survey = Survey::new(points.dim(), size, self.seed);
        survey.add(&points, 0, self.named())?;
        let planned = self.plan_from(&survey, monitor)?;
        planned.finish_table(Arc::new(points), monitor)
    }
}

impl Laplacian {
    /// Prepares a table that is its own sample, however many rows it has.
    ///
    /// # Errors
    /// As [`Estimator::prepare`].
    pub(crate) fn prepare_whole(
        &self,
        points: Points,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedLaplacian> {
        let points = Arc::new(points);
        if let BasisSpec::Exact = self.params.basis {
            return self.prepare_exact(points, monitor);
        }
        let named = match &self.params.basis {
            BasisSpec::Rows { index, .. } => Some(points.select(index)?),
            _ => None,
        };
        let rows = RowSample {
            count: points.len(),
            sample: &points,
            named: named.as_ref(),
        };
        self.settled(rows, monitor)?.finish_whole(points, monitor)
    }

    fn prepare_exact(
        &self,
        points: Arc<Points>,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedLaplacian> {
        let (params, share) = self.resolved(points.len(), &points)?;
        let kernel: Arc<dyn SmoothKernel> = params.kernel.build_smooth()?.into();
        let exact = DataKernel::new(points.clone(), kernel.clone(), share, monitor)?;
        let (basis, coordinates) = exact.coordinates(monitor)?;
        PreparedLaplacian::assemble(
            Rows::Table(points),
            params,
            (Basis::Derivatives(Arc::new(basis)), &*kernel),
            (coordinates, None),
            share,
            monitor,
        )
    }

    /// Prepares from a stream that is read twice: the survey was the first pass and keeps
    /// what landmarks, the bandwidth and the labels need; the moments are summed in the
    /// second. Memory: the survey, one part of the stream, a handful of p × p matrices.
    ///
    /// Landmarks are chosen among the survey's sample. The Gram form is taken, since
    /// gradients cannot be written out; where its error estimate is not small, fewer
    /// functions of the basis are kept until it is, and the report says how many.
    ///
    /// # Errors
    /// [`Error::Refused`] for the exact method and the panel route, which need all rows;
    /// as [`Estimator::prepare`]; whatever the stream says.
    pub fn prepare_streamed<S: RowStream>(
        &self,
        stream: &mut S,
        survey: &Survey,
        monitor: &mut dyn Monitor,
    ) -> std::result::Result<PreparedLaplacian, S::Error> {
        let planned = self.plan_from(survey, monitor)?;
        let mut moments = planned.moments();
        stream.rewind()?;
        tiles::announce(PHASE, Some(survey.count()), monitor)?;
        while let Some(part) = stream.next(&mut Within(monitor))? {
            moments.add(&part, &mut Within(monitor))?;
            tiles::done(PHASE, moments.count(), monitor)?;
        }
        let (index, kept) = survey.kept()?;
        Ok(planned.finish(moments, index, kept, monitor)?)
    }

    fn plan_from(&self, survey: &Survey, monitor: &mut dyn Monitor) -> Result<Planned> {
        let sample = survey.sample()?;
        let named = match &self.params.basis {
            BasisSpec::Rows { index, .. } => Some(survey.select(index)?),
            _ => None,
        };
        let rows = RowSample {
            count: survey.count(),
            sample: &sample,
            named: named.as_ref(),
        };
        self.plan(rows, monitor)
    }

    /// The rows that are named as landmarks.
    fn named(&self) -> &[usize] {
        match &self.params.basis {
            BasisSpec::Rows { index, .. } => index,
            _ => &[],
        }
    }

    /// Settles basis, bandwidth and norm share from a sample of the rows.
    ///
    /// # Errors
    /// [`Error::Refused`] for the exact method and the panel route, which need all rows; as
    /// the choice of landmarks.
    pub(crate) fn plan(&self, rows: RowSample<'_>, monitor: &mut dyn Monitor) -> Result<Planned> {
        if self.params.needs_table() {
            return Err(Error::refused(
                Refusal::Streamed,
                "the exact method and the panel route need all rows in memory",
                "use landmarks or waves and the gram route, or do not stream",
            ));
        }
        self.settled(rows, monitor)
    }

    /// The parameters with the bandwidth of the sample, and μ.
    fn resolved(&self, count: usize, sample: &Points) -> Result<(LaplacianParams, f64)> {
        let mut params = self.params.clone();
        if params.kernel.needs_bandwidth() {
            let bandwidth = bandwidth::median_distance(sample, self.seed)?;
            params.kernel = params.kernel.resolved(bandwidth);
        }
        let share = match params.norm_share {
            NormShare::Auto => 1.0 / count as f64,
            NormShare::Fixed(share) => share,
        };
        Ok((params, share))
    }

    fn settled(&self, rows: RowSample<'_>, monitor: &mut dyn Monitor) -> Result<Planned> {
        let (params, share) = self.resolved(rows.count, rows.sample)?;
        let kernel: Arc<dyn SmoothKernel> = params.kernel.build_smooth()?.into();
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
                basis(&open, rows.sample, &kernel, self.seed, monitor)?
            }
        };
        Planned::new(params, basis, share, rows.count)
    }
}
