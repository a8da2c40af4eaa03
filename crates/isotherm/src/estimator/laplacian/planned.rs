//! A method with its basis and bandwidth settled, before the rows are summed: what every
//! part of a table that is read in parts has to know.

use std::sync::Arc;

use super::averages::nothing_summed;
use super::coordinates::{Coordinates, Sources, surely_panel};
use super::params::{LaplacianParams, Route};
use super::prepared::PreparedLaplacian;
use super::rows::Rows;
use crate::base::Basis;
use crate::data::Points;
use crate::error::{Error, Refusal, Result};
use crate::feature::moments::Averages;
use crate::feature::{BasisMoments, Features};
use crate::linalg::Precision;
use crate::monitor::Monitor;

/// What a basis is chosen from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowSample<'a> {
    /// n, all rows.
    pub count: usize,
    /// Some of them, drawn at random.
    pub sample: &'a Points,
    /// The rows that [`BasisSpec::Rows`](super::BasisSpec::Rows) names, in its order.
    pub named: Option<&'a Points>,
}

/// A method with its basis and bandwidth settled.
#[derive(Debug, Clone)]
pub(crate) struct Planned {
    params: LaplacianParams,
    basis: Basis,
    share: f64,
    count: usize,
}

impl Planned {
    /// From settled parts, perhaps out of a file.
    ///
    /// # Errors
    /// As [`LaplacianParams::check`]; [`Error::Parameter`] for a norm share or a number of
    /// rows that cannot be, or a bandwidth that is still open.
    pub(crate) fn new(
        params: LaplacianParams,
        basis: Basis,
        share: f64,
        count: usize,
    ) -> Result<Self> {
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
    pub(crate) fn params(&self) -> &LaplacianParams {
        &self.params
    }

    /// The functions predictors are sums of.
    pub(crate) fn basis(&self) -> &Basis {
        &self.basis
    }

    /// μ.
    pub(crate) fn share(&self) -> f64 {
        self.share
    }

    /// Sums of nothing yet, to add rows to.
    pub(crate) fn moments(&self) -> BasisMoments {
        nothing_summed(&self.params, &self.basis.features())
    }

    /// The preparation, from sums over all rows and those rows that labels belong to.
    ///
    /// # Errors
    /// [`Error::Refused`] when the sums are of other rows than the plan; as
    /// [`crate::estimator::Estimator::prepare`].
    pub(crate) fn finish(
        &self,
        moments: BasisMoments,
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
        self.summed(moments, rows, monitor)
    }

    /// As [`Planned::finish`] for a table in memory, which stays at hand.
    pub(super) fn finish_table(
        &self,
        points: Arc<Points>,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedLaplacian> {
        let mut moments = self.moments();
        moments.add(&points, monitor)?;
        self.summed(moments, Rows::Table(points), monitor)
    }

    /// The preparation of a table whose gradients may be written out.
    pub(super) fn finish_whole(
        &self,
        points: Arc<Points>,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedLaplacian> {
        let (features, params) = (self.basis.features(), &self.params);
        let panel = surely_panel(params.route, &*features, self.count, self.share);
        let (route, averages) = if params.precision == Precision::Double && panel {
            (Route::Panel, None)
        } else {
            let mut moments = self.moments();
            moments.add(&points, monitor)?;
            (params.route, Some(moments.finish()?))
        };
        let sources = self.sources(&*features, Some(&points));
        let coordinates = Coordinates::new(&sources, route, averages.as_ref(), monitor)?;
        self.assembled(Rows::Table(points), coordinates, averages, monitor)
    }

    fn summed(
        &self,
        moments: BasisMoments,
        rows: Rows,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedLaplacian> {
        let averages = moments.finish()?;
        let features = self.basis.features();
        let sources = self.sources(&*features, None);
        let route = self.params.route;
        let coordinates = Coordinates::new(&sources, route, Some(&averages), monitor)?;
        self.assembled(rows, coordinates, Some(averages), monitor)
    }

    fn sources<'a>(&self, features: &'a dyn Features, rows: Option<&'a Points>) -> Sources<'a> {
        Sources {
            features,
            rows,
            count: self.count,
            share: self.share,
            precision: self.params.precision,
        }
    }

    fn assembled(
        &self,
        rows: Rows,
        coordinates: Coordinates,
        averages: Option<Averages>,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedLaplacian> {
        let kernel = self.params.kernel.build_smooth()?;
        PreparedLaplacian::assemble(
            rows,
            self.params.clone(),
            (self.basis.clone(), &*kernel),
            (coordinates, averages),
            self.share,
            monitor,
        )
    }
}
