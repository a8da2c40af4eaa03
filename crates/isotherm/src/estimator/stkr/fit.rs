//! Labels → coefficients → fitted model, by the route that was chosen.

use super::factored::Factored;
use super::label_block::{self, LabelBlock};
use super::params::{Repair, Ridge, Solver, StkrParams};
use super::polynomial::{self, Labels};
use super::setting::{Form, Setting};
use super::{Modal, PreparedStkr, reciprocal, weighed};
use crate::base::{Base, Reach};
use crate::error::{Error, Result};
use crate::estimator::Prepared;
use crate::estimator::baseline::check_total;
use crate::linalg::{Block, Mat};
use crate::model::{Expansion, Fitted, Readout, Scores};
use crate::monitor::Monitor;
use crate::operator::{Operator, Symmetric};
use crate::solve::SolveReport;
use crate::spectrum::Transform;
use crate::task::Observed;

/// Labels up to which [`Solver::Auto`] takes the label block.
pub const FEW_LABELS: usize = 2048;

/// Numbers in the N×n columns of a label block up to which [`Solver::Auto`]
/// takes it for the inverse Laplacian, which has a cheaper way for many.
pub const BLOCK_NUMBERS: usize = 1 << 23;

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

/// The n×n system between labels, solved.
struct Between {
    alpha: Mat<f64>,
    /// c, where it is the same for every label and nothing was clipped.
    uniform: Option<f64>,
    indefinite: bool,
    twin: bool,
    smallest: f64,
    condition: f64,
    choice: String,
    solver: Option<String>,
}

impl Between {
    fn into_report(self, block: SolveReport) -> SolveReport {
        SolveReport {
            condition: Some(self.condition),
            smallest: Some(self.smallest),
            choice: Some(self.choice),
            solver: self.solver.unwrap_or(block.solver),
            ..block
        }
    }
}

/// `N/η`: what the p.s.d. twin's kernel has more between a label and itself, in the
/// scale of the inverse Laplacian; 0 without a twin.
pub(super) fn twin_factor(twin: bool, eta: Option<f64>, total: usize) -> f64 {
    match eta.filter(|_| twin) {
        Some(eta) => total as f64 / eta,
        None => 0.0,
    }
}

impl<B: Base> Prepared for PreparedStkr<B> {
    type Base = B;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        check_total(self.base.len(), seen)?;
        let centred;
        let labels = match self.params.centre_labels {
            true => {
                centred = seen.centred();
                &centred
            }
            false => seen,
        };
        let mut setting = self.setting(self.removed(seen));
        let (solver, why) = self.choose(seen);
        setting.direct = solver == Solver::Direct;
        let mut solved = match (self.modes_of(seen, monitor)?, solver) {
            (Some(modal), _) => self.probe(&modal, seen, labels, monitor)?,
            (None, Solver::Auto | Solver::LabelBlock | Solver::Direct) => {
                self.by_labels(&setting, seen, labels, solver, monitor)?
            }
            (None, _) => self.by_classes(&setting, labels, solver, monitor)?,
        };
        solved.report.choice = Some(match solved.report.choice.take() {
            Some(choice) => format!("{} ({why}); {choice}", solver.name()),
            None => format!("{} ({why})", solver.name()),
        });
        self.finish(&setting, seen, solved, monitor)
    }
}

impl<B: Base> PreparedStkr<B> {
    /// The solver for these labels, and why.
    pub(super) fn choose(&self, seen: &Observed) -> (Solver, String) {
        let (n, total) = (seen.index().len(), self.base.len());
        if self.params.solver != Solver::Auto {
            return (self.params.solver, "as asked".to_owned());
        }
        if seen.weights().is_some() {
            let why = "one column a label, because labels are weighed";
            return (Solver::LabelBlock, why.to_owned());
        }
        let numbers = n.saturating_mul(total);
        let cheap = self.form.eta().is_some_and(|eta| eta > 0.0)
            && self.params.ridge != Ridge::Auto
            && !matches!(
                self.params.repair,
                Repair::Refuse | Repair::Clip | Repair::Allow
            );
        if cheap && (n > FEW_LABELS || numbers > BLOCK_NUMBERS) {
            return (
                Solver::ConjugateGradients,
                format!("one column a class, because {n} labels on {total} samples are many"),
            );
        }
        // Whoever says when to stop iterating wants iterations.
        let usual = StkrParams::default();
        let stopping = (self.params.tolerance, self.params.iterations);
        if self.form.eta().is_some()
            && stopping == (usual.tolerance, usual.iterations)
            && !self.params.centre_kernel
            && self.base.sparse().is_some_and(Factored::fills_little)
        {
            let why = "a factor of the graph has few more entries than the graph";
            return (Solver::Direct, why.to_owned());
        }
        (
            Solver::LabelBlock,
            format!("one column a label, because {n} labels are few"),
        )
    }

    /// Kernel PCA and its ridge probe.
    pub(super) fn probe(
        &self,
        modal: &Modal,
        seen: &Observed,
        labels: &Observed,
        _: &mut dyn Monitor,
    ) -> Result<Solved> {
        let rank = match self.params.transform {
            Transform::Truncation { rank, .. } => rank,
            _ => modal.eigenvalues().len(),
        };
        let block = modal.label_block(rank, seen.index(), &[]);
        let mut between = self.between(&block, seen, labels)?;
        if let Some(remark) = modal.remark(rank) {
            between.choice = format!("{}; {remark}", between.choice);
        }
        let coefficients = modal.coefficients(rank, seen.index(), &between.alpha)?;
        Ok(Solved {
            alpha: between.alpha.clone(),
            coefficients,
            at_labels: None,
            report: between.into_report(block.report),
        })
    }

    /// One column a label, then n×n algebra; then one column a class for the
    /// coefficients.
    pub(super) fn by_labels(
        &self,
        setting: &Setting<'_>,
        seen: &Observed,
        labels: &Observed,
        solver: Solver,
        monitor: &mut dyn Monitor,
    ) -> Result<Solved> {
        let block = self.block_of(setting, seen, monitor)?;
        let mut between = self.between(&block, seen, labels)?;
        if solver == Solver::Direct
            && let Some(shift) = between.uniform
        {
            let given = Labels {
                index: seen.index(),
                shift,
                values: labels.values().as_ref(),
            };
            let indefinite = between.indefinite;
            let (alpha, solved) = polynomial::factor(&block.gram, &given, indefinite, monitor)?;
            between.solver = Some(solved.solver);
            between.alpha = alpha;
        }
        let (alpha, twin) = (between.alpha.clone(), between.twin);
        let report = between.into_report(block.report);
        let (coefficients, last) = setting.smooth(
            &self.form,
            lifted(setting.total(), seen.index(), &alpha)?,
            monitor,
        )?;
        let report = label_block::worse(report, last);
        Ok(Solved {
            coefficients,
            at_labels: self.twin_part(twin, &alpha),
            alpha,
            report,
        })
    }

    /// `(N/η)α`, what the p.s.d. twin's scores have more at labels.
    fn twin_part(&self, twin: bool, alpha: &Mat<f64>) -> Option<Mat<f64>> {
        let factor = twin_factor(twin, self.form.eta(), self.base.len());
        twin.then(|| Mat::from_fn(alpha.nrows(), alpha.ncols(), |i, j| factor * alpha[(i, j)]))
    }

    /// α of the system between the labels; `labels` are their values, perhaps centred.
    fn between(&self, block: &LabelBlock, seen: &Observed, labels: &Observed) -> Result<Between> {
        if let Some(weights) = seen.weights() {
            let found = weighed::pose(
                &self.posing(),
                &block.gram,
                self.params.ridge,
                seen,
                weights,
            )?;
            return Ok(Between {
                alpha: found.coefficients(labels.values()),
                uniform: None,
                indefinite: found.smallest <= 0.0,
                twin: found.twin,
                smallest: found.smallest,
                condition: found.condition,
                choice: found.choice,
                solver: None,
            });
        }
        let posed = self
            .posing()
            .pose(block.path()?, self.params.ridge, seen.values())?;
        Ok(Between {
            alpha: posed.coefficients(labels.values()),
            uniform: Some(posed.shift).filter(|_| !posed.clipped),
            indefinite: !posed.path.definite(posed.shift),
            twin: posed.twin,
            smallest: posed.smallest,
            condition: posed.path.condition(posed.shift),
            choice: posed.choice,
            solver: None,
        })
    }

    /// Iterations with one column a class.
    fn by_classes(
        &self,
        setting: &Setting<'_>,
        labels: &Observed,
        solver: Solver,
        monitor: &mut dyn Monitor,
    ) -> Result<Solved> {
        labels.refuse_weights(
            "an iteration with one column a class",
            "use the solver auto or label-block",
        )?;
        let n = labels.index().len() as f64;
        let ridge = match self.params.ridge {
            Ridge::Fixed(ridge) => ridge,
            Ridge::Auto => return Err(Error::parameter("ridge", "a number here", "auto")),
        };
        let mut given = Labels {
            index: labels.index(),
            shift: n * ridge,
            values: labels.values().as_ref(),
        };
        let (step, steps) = (self.params.step_size, self.params.steps);
        match &self.form {
            Form::Series(weights) => {
                let (alpha, report) = match solver {
                    Solver::Richardson => {
                        polynomial::algorithm_1(setting, weights, &given, step, steps, monitor)?
                    }
                    Solver::Minres => polynomial::minres(setting, weights, &given, monitor)?,
                    _ => polynomial::conjugate_gradients(setting, weights, &given, monitor)?,
                };
                let lifted = lifted(setting.total(), given.index, &alpha)?;
                let (coefficients, _) = setting.smooth(&self.form, lifted, monitor)?;
                Ok(Solved {
                    alpha,
                    coefficients,
                    at_labels: None,
                    report,
                })
            }
            Form::Reciprocal { weights, order } => {
                let both = (weights.as_slice(), *order);
                let mut twin = false;
                let mut choice = None;
                let positive = setting.gram.spectrum().low >= 0.0;
                let (theta, report) = match (solver, self.form.eta().filter(|e| *e > 0.0)) {
                    (Solver::Richardson, _) => {
                        reciprocal::algorithm_2(setting, both, &given, step, steps, monitor)?
                    }
                    (Solver::Minres, Some(eta)) if self.params.repair == Repair::Allow => {
                        reciprocal::symmetric_form(setting, eta, &given, monitor)?
                    }
                    (_, Some(eta)) if !positive || self.params.repair == Repair::PsdTwin => {
                        let total = setting.total() as f64;
                        let posed = given.shift > total / eta;
                        twin = match self.params.repair {
                            Repair::PsdTwin => true,
                            Repair::Auto => !posed,
                            _ if posed => false,
                            _ => return Err(polynomial::refuse(given.shift - total / eta)),
                        };
                        if twin {
                            given.shift = (given.shift + total) / eta;
                            choice = Some(
                                "p.s.d. twin N(I − ηS)⁻¹ with this ridge: a graph is not a \
                                 positive kernel"
                                    .to_owned(),
                            );
                        }
                        reciprocal::symmetric_form(setting, eta, &given, monitor)?
                    }
                    (Solver::Minres, _) => {
                        return Err(Error::parameter(
                            "solver",
                            "label-block or conjugate-gradients here: MINRES serves the inverse \
                             Laplacian with repair allow",
                            "minres",
                        ));
                    }
                    _ => reciprocal::weighted_gradients(setting, both, &given, monitor)?,
                };
                let alpha = reciprocal::alpha_of(setting, weights, &theta, given.index, monitor)?;
                let at_labels = self.twin_part(twin, &alpha);
                let mut coefficients = theta;
                for _ in 1..*order {
                    coefficients = setting.times(&coefficients, monitor)?;
                }
                setting.project(&mut coefficients);
                Ok(Solved {
                    alpha,
                    coefficients,
                    at_labels,
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

    /// Coefficients → expansion, scores of visible samples, what was reached.
    pub(super) fn finish(
        &self,
        setting: &Setting<'_>,
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
        let image = match self.params.centre_kernel {
            true => {
                let mut image = Block::zeros(rows, cols + 1)?;
                let plain = self.base.gram();
                plain.apply(wide.as_mat(), image.as_mat_mut(), monitor)?;
                image
            }
            false => setting.times(&wide, monitor)?,
        };
        let floor = match self.base.reach() {
            Reach::Edges => 0.0,
            Reach::Fading => FADED,
            Reach::Everywhere => -1.0,
        };
        let mut reached: Vec<bool> = (0..rows)
            .map(|i| total * image.row(i)[cols] > floor)
            .collect();
        let mut values = Mat::from_fn(rows, cols, |i, j| match reached[i] {
            true => total * image.row(i)[j] + offset.as_ref().map_or(0.0, |o| o[j]),
            false => 0.0,
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
        let component = match self.params.centre_kernel {
            true => return None,
            false => self.component.as_ref()?,
        };
        let count = component.iter().max().map_or(0, |c| *c as usize + 1);
        let mut bright = vec![false; count];
        for &i in seen.index() {
            bright[component[i] as usize] = true;
        }
        Some(component.iter().map(|&c| bright[c as usize]).collect())
    }
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
