//! STKR as a linear map of its labels: from `A⁻¹` of the n×n system everything follows.

use super::fit::twin_factor;
use super::params::Solver;
use super::{PreparedStkr, weighed};
use crate::base::Base;
use crate::error::{Error, Result};
use crate::estimator::smoother::{Linear, Removal, Smoother, check_labels, lonely};
use crate::estimator::stkr::Centring;
use crate::linalg::gemm::times;
use crate::linalg::{Mat, indefinite};
use crate::model::Fitted;
use crate::monitor::Monitor;
use crate::spectrum::{SpectralFunction as _, Transform};
use crate::task::Observed;

/// The n×n system of a fit, as far as a linear map needs it.
struct System {
    gram: Mat<f64>,
    inverse: Mat<f64>,
    /// What A has on its diagonal besides the kernel.
    added: Vec<f64>,
    twin: bool,
    definite: bool,
}

impl<B: Base> Linear for PreparedStkr<B> {
    /// Exact, but where negative eigenvalues were clipped: a smaller matrix has others.
    fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        check_labels(seen)?;
        if self.params.solver == Solver::Richardson {
            return Err(Error::refusal(
                "method",
                "a limited number of Richardson steps has no closed form without a label",
                "use the solver auto",
            ));
        }
        let system = self.system(seen, monitor)?;
        let n = seen.index().len();
        let lift = twin_factor(system.twin, self.form.eta(), self.base.len());
        let kernel = Mat::from_fn(n, n, |i, j| {
            system.gram[(i, j)] + if i == j { lift } else { 0.0 }
        });
        let hat = times(kernel.as_ref(), system.inverse.as_ref());
        let mut smoother = match system.definite {
            true => Smoother::least_squares(hat, system.inverse.clone(), seen),
            false => {
                let p = &system.inverse;
                let left = Mat::from_fn(n, n, |i, j| -p[(i, j)] / p[(i, i)]);
                Smoother::of(hat, left, Removal::Predicted, seen)
            }
        };
        self.correct_modes(&mut smoother, &system, seen)?;
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
        let mut setting = self.setting(self.removed(seen));
        setting.direct = self.choose(seen).0 == Solver::Direct;
        let units = seen.units()?;
        let solved = match self.modes_of(seen, monitor)? {
            Some(modal) => self.probe(&modal, seen, &units, monitor)?,
            None => self.by_labels(&setting, seen, &units, Solver::LabelBlock, monitor)?,
        };
        self.finish(&setting, seen, solved, monitor)
    }
}

impl<B: Base> PreparedStkr<B> {
    fn system(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<System> {
        let block = self.label_block(seen, &[], monitor)?;
        let n = seen.index().len();
        if let Some(weights) = seen.weights() {
            let found = weighed::pose(
                &self.posing(),
                &block.gram,
                self.params.ridge,
                seen,
                weights,
            )?;
            return Ok(System {
                added: found.added,
                definite: found.smallest > 0.0,
                gram: block.gram,
                inverse: found.inverse,
                twin: found.twin,
            });
        }
        let posed = self
            .posing()
            .pose(block.path()?, self.params.ridge, seen.values())?;
        let unit = Mat::identity(n, n);
        Ok(System {
            inverse: posed.path.coefficients(posed.shift, unit.as_ref()),
            added: vec![posed.shift; n],
            twin: posed.twin,
            definite: posed.path.definite(posed.shift),
            gram: block.gram,
        })
    }

    /// A component keeps its mode where its labels agree. Where they agree only without
    /// label i, the fit without it has the mode that the fit to all has not: a kernel
    /// with `N s(1) uuᵀ` more.
    fn correct_modes(
        &self,
        smoother: &mut Smoother,
        system: &System,
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
            let u = |k: usize| match component(k) == component(i) {
                true => modes.entry(seen.index()[k]),
                false => 0.0,
            };
            let rest: Vec<usize> = (0..n).filter(|&j| j != i).collect();
            let kernel = |a: usize, b: usize| system.gram[(a, b)] + gain * u(a) * u(b);
            let matrix = Mat::from_fn(rest.len(), rest.len(), |a, b| {
                kernel(rest[a], rest[b]) + if a == b { system.added[rest[a]] } else { 0.0 }
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

    /// s(1), the transform at a graph's largest eigenvalue.
    fn form_at_one(&self) -> f64 {
        match &self.form {
            super::setting::Form::Function(s) => s.at(1.0),
            _ => self.params.transform.at(1.0),
        }
    }
}
