//! Filters judged one by one: a filter that the spectrum does not admit is none, and
//! the others are not held up by it.

use super::filtered::Axes;
use super::leave_one_out;
use super::prepared::{PreparedLaplacian, unweighed, weighed};
use crate::base::FeatureBase;
use crate::data::Points;
use crate::error::{Error, Result};
use crate::expansion::Fitted;
use crate::linalg::{Mat, tiles};
use crate::monitor::Monitor;
use crate::spectrum::{Filter, FilterPath};
use crate::task::Observed;

/// A filter of a path and what it predicts.
#[derive(Debug, Clone)]
pub(crate) struct Tried {
    /// ψ.
    pub filter: Filter,
    /// Predictions, one row a sample; `None` when the filter does not fit the spectrum.
    pub predictions: Option<Mat<f64>>,
}

/// One filter of a path.
#[derive(Debug, Clone)]
pub struct PathPoint {
    /// ψ.
    pub filter: Filter,
    /// Each label predicted without it, n_ℓ × outputs.
    pub left_out: Mat<f64>,
    /// The fit.
    pub fitted: Fitted<FeatureBase>,
}

impl PreparedLaplacian {
    /// Solves for several filters at once: one decomposition serves them all.
    ///
    /// # Errors
    /// As [`crate::estimator::Prepared::solve`], and when a filter does not fit the spectrum.
    pub fn solve_path(
        &self,
        filters: &[Filter],
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<PathPoint>> {
        let axes = self.axes(seen, monitor)?;
        tiles::announce("filters", Some(filters.len()), monitor)?;
        let labels = weighed(seen.values(), seen);
        let mut out = Vec::with_capacity(filters.len());
        for filter in filters {
            filter.check()?;
            let gains = axes.gains(&axes.resolve(filter)?)?;
            let left = leave_one_out::predictions(&axes, filter, &gains, labels.as_ref())?;
            out.push(PathPoint {
                filter: filter.clone(),
                left_out: unweighed(left, seen),
                fitted: self.fitted(&axes, &gains, seen)?,
            });
            tiles::tick("filters", monitor)?;
        }
        Ok(out)
    }

    /// Each label predicted without it, for every filter of a path.
    ///
    /// # Errors
    /// As [`crate::estimator::Prepared::solve`].
    pub(crate) fn left_out(
        &self,
        path: &FilterPath,
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<Tried>> {
        let labels = weighed(seen.values(), seen);
        self.along(path, seen, monitor, |axes, filter, gains, _| {
            let left = leave_one_out::predictions(axes, filter, gains, labels.as_ref())?;
            Ok(unweighed(left, seen))
        })
    }

    /// Rows as the fit to these labels predicts them, for every filter of a path.
    ///
    /// # Errors
    /// As [`crate::estimator::Prepared::solve`].
    pub(crate) fn predicted(
        &self,
        path: &FilterPath,
        seen: &Observed,
        rows: &Points,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<Tried>> {
        self.along(path, seen, monitor, |axes, _, gains, monitor| {
            let fitted = self.fitted(axes, gains, seen)?;
            Ok(fitted.scores(rows, monitor)?.values)
        })
    }

    fn along(
        &self,
        path: &FilterPath,
        seen: &Observed,
        monitor: &mut dyn Monitor,
        predict: impl Fn(&Axes, &Filter, &[f64], &mut dyn Monitor) -> Result<Mat<f64>>,
    ) -> Result<Vec<Tried>> {
        path.check()?;
        let axes = self.axes(seen, monitor)?;
        let filters = path.on(&axes.values);
        tiles::announce("filters", Some(filters.len()), monitor)?;
        let mut out = Vec::with_capacity(filters.len());
        for filter in filters {
            let gains = axes.resolve(&filter).and_then(|f| axes.gains(&f));
            let predictions = gains.and_then(|gains| predict(&axes, &filter, &gains, monitor));
            let predictions = match predictions {
                Ok(found) => Some(found),
                Err(Error::Refused { .. } | Error::Parameter { .. } | Error::NotFinite { .. }) => {
                    None
                }
                Err(other) => return Err(other),
            };
            out.push(Tried {
                filter,
                predictions,
            });
            tiles::tick("filters", monitor)?;
        }
        Ok(out)
    }
}
