//! Filters judged one by one: a filter that the spectrum does not admit is none, and
//! the others are not held up by it.

use super::filtered::Axes;
use super::{PreparedLaplacian, leave_one_out, unweighed, weighed};
use crate::data::Points;
use crate::error::{Error, Result};
use crate::linalg::{Mat, tiles};
use crate::monitor::Monitor;
use crate::spectrum::{Filter, FilterPath};
use crate::task::Observed;

/// A filter of a path and what it predicts.
#[derive(Debug, Clone)]
pub struct Tried {
    /// ψ.
    pub filter: Filter,
    /// Predictions, one row a sample; `None` when the filter does not fit the spectrum.
    pub predictions: Option<Mat<f64>>,
}

impl PreparedLaplacian {
    /// Each label predicted without it, for every filter of a path.
    ///
    /// # Errors
    /// As [`super::Prepared::solve`].
    pub fn left_out(
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
    /// As [`super::Prepared::solve`].
    pub fn predicted(
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
