//! A kernel Laplacian as a linear map of its labels.

use super::leave_one_out;
use super::prepared::{PreparedLaplacian, unweighed, weighed};
use crate::base::FeatureBase;
use crate::error::Result;
use crate::estimator::centring::Centring;
use crate::estimator::smoother::{Linear, Removal, Smoother, check_alike, check_labels};
use crate::estimator::subsets::Subsets;
use crate::expansion::Fitted;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::spectrum::Filter;
use crate::task::Observed;

impl Linear for PreparedLaplacian {
    /// Tikhonov over the labels is penalised least squares, `M = I − H`. Other filters
    /// over the labels are fitted again without each label; over all rows a sum lacks a
    /// term, and the other labels count `n/(n − 1)`.
    fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        check_labels(seen)?;
        let axes = self.axes(seen, monitor)?;
        let (filter, gains, _) = self.filtered(&axes, seen)?;
        let n = seen.index().len();
        let unit = Mat::<f64>::identity(n, n);
        let hat = axes.solve(&gains, unit.as_ref()).fitted;
        // In the coordinates √w·y least squares is unweighed.
        let root = |i: usize| seen.weights().map_or(1.0, |w| w[i].sqrt());
        let back = |m: &Mat<f64>| Mat::from_fn(n, n, |i, j| m[(i, j)] * root(j) / root(i));
        if axes.own && matches!(filter, Filter::Tikhonov { .. }) {
            let penalty = Mat::from_fn(n, n, |i, j| {
                root(i) * ((if i == j { 1.0 } else { 0.0 }) - hat[(i, j)]) * root(j)
            });
            return Ok(Smoother::least_squares(back(&hat), penalty, seen));
        }
        let left = leave_one_out::predictions(&axes, &filter, &gains, unit.as_ref())?;
        Ok(Smoother::of(back(&hat), back(&left), Removal::Other, seen))
    }

    fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<FeatureBase>> {
        check_labels(seen)?;
        let axes = self.axes(seen, monitor)?;
        let (_, gains, _) = self.filtered(&axes, seen)?;
        self.fitted(&axes, &gains, &seen.units()?)
    }
    /// Over the labels the axes are found anew for each part of them, in the coordinates
    /// of all; over all rows they stay, and sums have fewer terms.
    fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        check_alike(seen)?;
        let axes = self.axes(seen, monitor)?;
        let (filter, gains, _) = self.filtered(&axes, seen)?;
        let scoring = move |train: &[usize], others: &[usize], _: &Mat<f64>, y: &Mat<f64>| {
            axes.part(&filter, &gains, train, others, y.as_ref())
        };
        Ok(Subsets::new(Box::new(scoring), None, Centring::None))
    }
}

impl PreparedLaplacian {
    /// Each label as the others predict it, and the labels that no other reaches: what
    /// [`Linear::smoother`] says, without matrices of labels by labels. `None` for a filter that
    /// is fitted again without each label.
    ///
    /// # Errors
    /// As [`Linear::smoother`].
    pub(crate) fn judged(
        &self,
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<(Mat<f64>, Vec<bool>)>> {
        let axes = self.axes(seen, monitor)?;
        let (filter, gains, _) = self.filtered(&axes, seen)?;
        let labels = weighed(seen.values(), seen);
        let found = leave_one_out::judged(&axes, &filter, &gains, labels.as_ref());
        Ok(found.map(|(left, alone)| (unweighed(left, seen), alone)))
    }
}
