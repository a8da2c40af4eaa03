//! STKR as a linear map of its labels: from `A⁻¹` of the n×n system everything follows.

use super::label_block::LabelBlock;
use super::label_system::RidgeSystem;
use super::params::Solver;
use super::prepared::PreparedStkr;
use crate::base::Base;
use crate::error::{Error, Result};
use crate::estimator::centring::Centring;
use crate::estimator::check::check_total;
use crate::estimator::smoother::{Linear, Removal, Smoother, check_alike, check_labels, lonely};
use crate::estimator::subsets::{Returning, Subsets};
use crate::expansion::Fitted;
use crate::linalg::gemm::times;
use crate::linalg::{Mat, indefinite};
use crate::monitor::Monitor;
use crate::spectrum::Transform;
use crate::task::Observed;

impl<B: Base> Linear for PreparedStkr<B> {
    /// Exact, but where negative eigenvalues were clipped: a smaller matrix has others.
    fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        check_labels(seen)?;
        self.refuse_steps()?;
        check_total(self.base.len(), seen)?;
        let known = self.label_system(&self.transformed_for(seen), seen, monitor)?;
        let system = known.system.at(self.params.ridge, seen.values())?;
        let (gram, inverse) = (known.system.gram(), system.inverse());
        let n = seen.index().len();
        let lift = system.twin().unwrap_or(0.0);
        let kernel = Mat::from_fn(n, n, |i, j| gram[(i, j)] + if i == j { lift } else { 0.0 });
        let hat = times(kernel.as_ref(), inverse.as_ref());
        let mut smoother = if system.definite() {
            Smoother::least_squares(hat, inverse, seen)
        } else {
            let left = Mat::from_fn(n, n, |i, j| -inverse[(i, j)] / inverse[(i, i)]);
            Smoother::of(hat, left, Removal::Predicted, seen)
        };
        self.correct_modes(&mut smoother, gram, &system, seen)?;
        if let (Some(component), false) = (&self.component, self.params.centre_kernel) {
            let lonely = lonely(component, seen);
            smoother = smoother.alone_where(|i| lonely[i]);
        }
        Ok(match self.centring() {
            Centring::Mean => smoother.centred(),
            Centring::None => smoother,
        })
    }

    fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        check_labels(seen)?;
        check_total(self.base.len(), seen)?;
        let (transformed, units) = (self.transformed_for(seen), seen.units()?);
        let solved = self.by_labels(&transformed, seen, &units, Solver::LabelBlock, monitor)?;
        self.finish(&transformed, seen, solved, monitor)
    }

    /// The kernel between all labels is solved for once; a fit to m of them poses and
    /// solves the system of their part of it, an open ridge and the repair chosen anew.
    fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        check_alike(seen)?;
        self.refuse_steps()?;
        let gram = self.label_block(seen, &[], monitor)?.gram;
        let cut = matches!(self.params.transform, Transform::Truncation { .. });
        let returning = match (&self.modes, self.removed(seen)) {
            (Some(modes), Some(removed)) if !cut => Some(Returning {
                component: (seen.index().iter())
                    .map(|&i| modes.component()[i])
                    .collect(),
                entry: seen.index().iter().map(|&i| removed.entry(i)).collect(),
                gain: self.base.len() as f64 * self.form_at_one(),
            }),
            _ => None,
        };
        let component = match (&self.component, self.params.centre_kernel) {
            (Some(component), false) => Some(seen.index().iter().map(|&i| component[i]).collect()),
            _ => None,
        };
        let (options, ridge) = (self.system_options(), self.params.ridge);
        let scoring = move |train: &[usize], others: &[usize], given: &Mat<f64>, y: &Mat<f64>| {
            let agreeing = match &returning {
                Some(returning) => returning.agreeing(train, given),
                None => Vec::new(),
            };
            let more = |i: usize, j: usize| match &returning {
                Some(returning) => returning.more(&agreeing, i, j),
                None => 0.0,
            };
            let kernel = |rows: &[usize]| {
                Mat::from_fn(rows.len(), train.len(), |a, b| {
                    gram[(rows[a], train[b])] + more(rows[a], train[b])
                })
            };
            let alpha = options.coefficients(kernel(train), ridge, given, y)?;
            Ok(times(kernel(others).as_ref(), alpha.as_ref()))
        };
        Ok(Subsets::new(Box::new(scoring), component, self.centring()))
    }
}

impl<B: Base> PreparedStkr<B> {
    /// Closed-form leave-one-label-out scores at the labelled samples, in the
    /// order of `seen`; deviations from the other labels' mean where labels are
    /// centred.  See [`RidgePath::leave_one_out`](super::RidgePath::leave_one_out).
    ///
    /// As a grid judges its cells: the modes that are taken out are those for all
    /// labels. [`Smoother::left_out`](crate::estimator::Smoother::left_out) takes out those for the
    /// others, which differ where a component's labels agree but for one.
    ///
    /// # Errors
    /// As [`PreparedStkr::label_block`]; as a fit when the system is indefinite.
    pub fn leave_one_out(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        check_total(self.base.len(), seen)?;
        let known = self.label_system(&self.transformed_for(seen), seen, monitor)?;
        let system = known.system.at(self.params.ridge, seen.values())?;
        Ok(system.leave_one_out(seen.values(), self.centring()))
    }

    /// Posterior variances at given samples, of a Gaussian process with the
    /// transformed kernel and noise nβ; one more solve for each sample.
    ///
    /// # Errors
    /// As [`PreparedStkr::leave_one_out`].
    pub fn variances(
        &self,
        seen: &Observed,
        samples: &[usize],
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<f64>> {
        let cross = self.label_block(seen, samples, monitor)?.cross;
        let transformed = self.transformed_for(seen);
        let known = self.label_system(&transformed, seen, monitor)?;
        let system = known.system.at(self.params.ridge, seen.values())?;
        // k(x, x): the samples as labels of their own.
        let own = match &known.pca {
            Some(pca) => pca.label_block(self.rank(pca), samples, &[]),
            None => LabelBlock::new(&transformed, &self.form, samples, &[], monitor)?,
        };
        let own: Vec<f64> = (0..samples.len()).map(|i| own.gram[(i, i)]).collect();
        Ok(system.variances(cross.as_ref(), &own))
    }

    /// A component keeps its mode where its labels agree. Where they agree only without
    /// label i, the fit without it has the mode that the fit to all has not: a kernel
    /// with `N s(1) uuᵀ` more.
    fn correct_modes(
        &self,
        smoother: &mut Smoother,
        gram: &Mat<f64>,
        system: &RidgeSystem<'_>,
        seen: &Observed,
    ) -> Result<()> {
        let (Some(modes), Some(removed)) = (&self.modes, self.removed(seen)) else {
            return Ok(());
        };
        if matches!(self.params.transform, Transform::Truncation { .. }) {
            return Ok(());
        }
        let n = seen.index().len();
        let component = |k: usize| modes.component()[seen.index()[k]];
        let same = |a: usize, b: usize| {
            (0..seen.width()).all(|c| seen.values()[(a, c)] == seen.values()[(b, c)])
        };
        let gain = self.base.len() as f64 * self.form_at_one();
        let added = system.added();
        for i in 0..n {
            let others: Vec<usize> = (0..n)
                .filter(|&j| j != i && component(j) == component(i))
                .collect();
            let Some(&first) = others.first() else {
                continue;
            };
            let was_removed = removed.entry(seen.index()[i]) != 0.0;
            if !was_removed || !others.iter().all(|&j| same(first, j)) {
                continue;
            }
            let u = |k: usize| {
                if component(k) == component(i) {
                    modes.entry(seen.index()[k])
                } else {
                    0.0
                }
            };
            let rest: Vec<usize> = (0..n).filter(|&j| j != i).collect();
            let kernel = |a: usize, b: usize| gram[(a, b)] + gain * u(a) * u(b);
            let matrix = Mat::from_fn(rest.len(), rest.len(), |a, b| {
                kernel(rest[a], rest[b]) + if a == b { added[rest[a]] } else { 0.0 }
            });
            let mut row = Mat::from_fn(rest.len(), 1, |a, _| kernel(rest[a], i));
            indefinite::factor(matrix)?.solve_in_place(row.as_mut());
            let mut weights = vec![0.0; n];
            for (a, &j) in rest.iter().enumerate() {
                weights[j] = row[(a, 0)];
            }
            smoother.replace_left(i, &weights);
        }
        Ok(())
    }

    fn refuse_steps(&self) -> Result<()> {
        match self.params.solver {
            Solver::Richardson => Err(Error::data(
                "a limited number of Richardson steps has no closed form without a label",
                "use the solver auto",
            )),
            _ => Ok(()),
        }
    }

    /// s(1), the transform at a graph's largest eigenvalue.
    fn form_at_one(&self) -> f64 {
        self.gain(1.0)
    }
}
