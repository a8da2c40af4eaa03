//! Labels → coefficients → fitted model, by the route that was chosen.

use super::params::{Repair, Ridge, Solver};
use super::polynomial::{self, Labels, Ridges};
use super::prepared::PreparedStkr;
use super::reciprocal;
use super::reports::worse;
use super::transformed_gram::{Form, TransformedGram};
use crate::base::{Base, Reach};
use crate::error::{Error, Result};
use crate::estimator::Prepared;
use crate::estimator::check::check_total;
use crate::expansion::{Expansion, Fitted, Readout, Scores};
use crate::linalg::{Block, Mat};
use crate::monitor::Monitor;
use crate::operator::{Operator, Symmetric};
use crate::solve::SolveReport;
use crate::task::Observed;

/// Below this mass, relative to the largest, a fading similarity counts as none.
const FADED: f64 = 1e-12;

/// α and what came of solving for it.
pub(super) struct Solved {
    alpha: Mat<f64>,
    coefficients: Block,
    /// What the p.s.d. twin adds to the scores at labelled samples.
    at_labels: Option<Mat<f64>>,
    report: SolveReport,
}

impl<B: Base> Prepared for PreparedStkr<B> {
    type Base = B;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        check_total(self.base.len(), seen)?;
        let centred;
        let labels = if self.params.centre_labels {
            centred = seen.centred();
            &centred
        } else {
            seen
        };
        let (solver, why) = self.choose(seen);
        let transformed = self.transformed_for(seen);
        let mut solved = match solver {
            Solver::Auto | Solver::LabelBlock | Solver::Direct => {
                self.by_labels(&transformed, seen, labels, solver, monitor)?
            }
            _ => self.by_classes(&transformed, labels, solver, monitor)?,
        };
        solved.report.choice = Some(match solved.report.choice.take() {
            Some(choice) => format!("{} ({why}); {choice}", solver.name()),
            None => format!("{} ({why})", solver.name()),
        });
        self.finish(&transformed, seen, solved, monitor)
    }
}

impl<B: Base> PreparedStkr<B> {
    /// One column a label, then n×n algebra; then one column a class for the
    /// coefficients. `labels` are the values fitted to, perhaps centred.
    pub(super) fn by_labels(
        &self,
        transformed: &TransformedGram<'_>,
        seen: &Observed,
        labels: &Observed,
        solver: Solver,
        monitor: &mut dyn Monitor,
    ) -> Result<Solved> {
        let known = self.label_system(transformed, seen, monitor)?;
        let system = known.system.at(self.params.ridge, seen.values())?;
        let mut report = SolveReport {
            condition: Some(system.condition()),
            smallest: Some(system.smallest),
            choice: Some(system.choice.clone()),
            ..known.report.clone()
        };
        let mut alpha = None;
        if solver == Solver::Direct
            && let Some(shift) = system.uniform()
        {
            let given = Labels {
                index: seen.index(),
                shift,
                pull: None,
                values: labels.values().as_ref(),
            };
            let gram = known.system.gram();
            let (found, solved) = polynomial::factor(gram, &given, !system.definite(), monitor)?;
            report.solver = solved.solver;
            alpha = Some(found);
        }
        let alpha = alpha.unwrap_or_else(|| system.coefficients(labels.values()));
        let coefficients = match &known.pca {
            Some(pca) => {
                let rank = self.rank(pca);
                if let Some(remark) = pca.remark(rank) {
                    report.choice = Some(format!("{}; {remark}", system.choice));
                }
                pca.coefficients(rank, seen.index(), &alpha)?
            }
            None => {
                let lifted = lifted(transformed.total(), seen.index(), &alpha)?;
                let (coefficients, last) = transformed.smooth(&self.form, lifted, monitor)?;
                report = worse(report, last);
                coefficients
            }
        };
        Ok(Solved {
            coefficients,
            at_labels: system.twin().map(|lift| times_number(lift, &alpha)),
            alpha,
            report,
        })
    }

    /// Iterations with one column a class.
    fn by_classes(
        &self,
        transformed: &TransformedGram<'_>,
        labels: &Observed,
        solver: Solver,
        monitor: &mut dyn Monitor,
    ) -> Result<Solved> {
        let ridge = match self.params.ridge {
            Ridge::Fixed(ridge) => ridge,
            Ridge::Auto => return Err(Error::parameter("ridge", "a number here", "auto")),
        };
        let options = self.system_options();
        let (lift, share) = options.added();
        let ridges = Ridges::new(labels, ridge);
        let given = ridges.labels(labels, lift, share);
        let choice = options.choice();
        let at_labels = |alpha: &Mat<f64>| options.twin.map(|twin| times_number(twin.lift, alpha));
        let (step, steps) = (self.params.step_size, self.params.steps);
        match &self.form {
            Form::Series(weights) => {
                let (alpha, report) = match solver {
                    Solver::Richardson => {
                        polynomial::algorithm_1(transformed, weights, &given, step, steps, monitor)?
                    }
                    Solver::Minres => polynomial::minres(transformed, weights, &given, monitor)?,
                    _ => polynomial::conjugate_gradients(transformed, weights, &given, monitor)?,
                };
                let lifted = lifted(transformed.total(), given.index, &alpha)?;
                let (coefficients, _) = transformed.smooth(&self.form, lifted, monitor)?;
                Ok(Solved {
                    at_labels: at_labels(&alpha),
                    alpha,
                    coefficients,
                    report: SolveReport { choice, ..report },
                })
            }
            Form::Reciprocal { weights, order } => {
                let both = (weights.as_slice(), *order);
                let total = transformed.total() as f64;
                let eta = self.form.eta().filter(|eta| *eta > 0.0);
                let posed = |eta: f64| ridges.each(|ridge| ridge - total / eta);
                let (theta, report) = match (solver, eta, options.twin) {
                    (Solver::Richardson, Some(eta), Some(_)) => {
                        // s(λ) = 1/(1 − ηλ) has r = 0, and α of it is α/η.
                        let given = ridges.labels(labels, 0.0, 1.0);
                        let plain = (weights.as_slice(), 0);
                        let (mut theta, report) = reciprocal::algorithm_2(
                            transformed,
                            plain,
                            &given,
                            step,
                            steps,
                            monitor,
                        )?;
                        for i in 0..theta.rows() {
                            theta.row_mut(i).iter_mut().for_each(|v| *v *= eta);
                        }
                        (theta, report)
                    }
                    (Solver::Richardson, ..) => {
                        reciprocal::algorithm_2(transformed, both, &given, step, steps, monitor)?
                    }
                    (_, Some(eta), Some(twin)) => {
                        let kappa = ridges.each(|ridge| twin.share * ridge);
                        reciprocal::symmetric_form(transformed, eta, &kappa, &given, monitor)?
                    }
                    (_, Some(eta), None) => {
                        let kappa = posed(eta);
                        let least = kappa.iter().copied().fold(f64::INFINITY, f64::min);
                        let allowed =
                            solver == Solver::Minres && self.params.repair == Repair::Allow;
                        if least <= 0.0 && !allowed && !self.positive(transformed) {
                            return Err(polynomial::refuse(least));
                        }
                        reciprocal::symmetric_form(transformed, eta, &kappa, &given, monitor)?
                    }
                    (Solver::Minres, ..) => {
                        return Err(Error::parameter(
                            "solver",
                            "label-block or conjugate-gradients here: MINRES serves polynomials \
                             and the inverse Laplacian",
                            "minres",
                        ));
                    }
                    _ => reciprocal::weighted_gradients(transformed, both, &given, monitor)?,
                };
                let alpha =
                    reciprocal::alpha_of(transformed, weights, &theta, given.index, monitor)?;
                let mut coefficients = theta;
                for _ in 1..*order {
                    coefficients = transformed.times(&coefficients, monitor)?;
                }
                transformed.project(&mut coefficients);
                Ok(Solved {
                    at_labels: at_labels(&alpha),
                    alpha,
                    coefficients,
                    report: SolveReport { choice, ..report },
                })
            }
            Form::Function(_) => Err(Error::parameter(
                "solver",
                "auto or label-block for a function, which has no short formula",
                solver.name(),
            )),
        }
    }

    /// Whether the base kernel is known to be positive.
    fn positive(&self, transformed: &TransformedGram<'_>) -> bool {
        let looked = self.params.repair == Repair::Auto && self.lowest >= 0.0;
        looked || transformed.gram.spectrum().low >= 0.0
    }

    /// Coefficients → expansion, scores of visible samples, what was reached.
    pub(super) fn finish(
        &self,
        transformed: &TransformedGram<'_>,
        seen: &Observed,
        solved: Solved,
        monitor: &mut dyn Monitor,
    ) -> Result<Fitted<B>> {
        let Solved {
            alpha,
            mut coefficients,
            at_labels,
            report,
        } = solved;
        let (rows, cols) = (coefficients.rows(), coefficients.cols());
        let total = rows as f64;
        let mut offset = None;
        if self.params.centre_kernel {
            // f(x) = K(x, ·)Hc − (1/N) 1ᵀG Hc at new samples.
            for j in 0..cols {
                let mean: f64 = (0..rows).map(|i| coefficients.row(i)[j]).sum::<f64>() / total;
                (0..rows).for_each(|i| coefficients.row_mut(i)[j] -= mean);
            }
            let mut image = Block::zeros(rows, cols)?;
            let plain = self.base.gram();
            plain.apply(coefficients.as_mat(), image.as_mat_mut(), monitor)?;
            let sum = |j: usize| -(0..rows).map(|i| image.row(i)[j]).sum::<f64>();
            offset = Some((0..cols).map(sum).collect::<Vec<f64>>());
        }
        let lit = self.lit(seen);
        let mut mass = vec![0.0; rows];
        let mut largest = 0.0_f64;
        for (i, mass) in mass.iter_mut().enumerate() {
            let row = coefficients.row_mut(i);
            if lit.as_ref().is_some_and(|lit| !lit[i]) {
                row.fill(0.0);
            }
            *mass = row.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            largest = largest.max(*mass);
        }
        if largest > 0.0 {
            mass.iter_mut().for_each(|m| *m /= largest);
        }
        // f = N S c, and the mass beside it.
        let mut wide = Block::zeros(rows, cols + 1)?;
        for (i, mass) in mass.iter().enumerate() {
            let row = wide.row_mut(i);
            row[..cols].copy_from_slice(coefficients.row(i));
            row[cols] = *mass;
        }
        let image = if self.params.centre_kernel {
            let mut image = Block::zeros(rows, cols + 1)?;
            let plain = self.base.gram();
            plain.apply(wide.as_mat(), image.as_mat_mut(), monitor)?;
            image
        } else {
            transformed.times(&wide, monitor)?
        };
        let floor = match self.base.reach() {
            Reach::Edges => 0.0,
            Reach::Fading => FADED,
            Reach::Everywhere => -1.0,
        };
        let mut reached: Vec<bool> = (0..rows)
            .map(|i| total * image.row(i)[cols] > floor)
            .collect();
        let mut values = Mat::from_fn(rows, cols, |i, j| {
            if reached[i] {
                total * image.row(i)[j] + offset.as_ref().map_or(0.0, |o| o[j])
            } else {
                0.0
            }
        });
        if let Some(more) = at_labels {
            for (k, &i) in seen.index().iter().enumerate() {
                reached[i] = true;
                for j in 0..cols {
                    values[(i, j)] += more[(k, j)];
                }
            }
        }
        let readout = match self.base.reach() {
            Reach::Edges => Readout::Local { floor: 0.0 },
            Reach::Fading => Readout::Local { floor: FADED },
            Reach::Everywhere => Readout::Global,
        };
        let expansion = Expansion::new(self.base.clone(), coefficients.as_mat(), &mass, readout)?;
        let expansion = match offset {
            Some(offset) => expansion.with_offset(offset)?,
            None => expansion,
        };
        Ok(Fitted {
            expansion,
            visible: Some(Scores { values, reached }),
            dual: Some(alpha),
            report,
        })
    }

    /// Which samples share a component with a label, where there are components.
    fn lit(&self, seen: &Observed) -> Option<Vec<bool>> {
        if self.params.centre_kernel {
            return None;
        }
        let component = self.component.as_ref()?;
        let count = component.iter().max().map_or(0, |c| *c as usize + 1);
        let mut bright = vec![false; count];
        for &i in seen.index() {
            bright[component[i] as usize] = true;
        }
        Some(component.iter().map(|&c| bright[c as usize]).collect())
    }
}

fn times_number(factor: f64, m: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(m.nrows(), m.ncols(), |i, j| factor * m[(i, j)])
}

/// `[α; 0]` with α at the labelled samples.
fn lifted(total: usize, index: &[usize], alpha: &Mat<f64>) -> Result<Block> {
    let mut block = Block::zeros(total, alpha.ncols())?;
    for (k, &i) in index.iter().enumerate() {
        for (j, slot) in block.row_mut(i).iter_mut().enumerate() {
            *slot = alpha[(k, j)];
        }
    }
    Ok(block)
}
