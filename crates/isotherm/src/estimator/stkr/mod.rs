//! Spectrally transformed kernel regression: ridge regression with
//! `Kₛ = Σ s(λᵢ) ψᵢ ψᵢ`, the base kernel with its spectrum transformed.  [STKR]
//!
//! Every route ends in the same object, coefficients c over all visible samples
//! with `f(x) = Σⱼ K(x, xⱼ) cⱼ`: `c = t(S) [α; 0]` with `t(λ) = s(λ)/λ`.
//!
//! | file | what |
//! |---|---|
//! | `setting.rs` | `S = G_K/N` without the modes taken out, and `t(S) b` |
//! | `label_block.rs` | `G_{Kₛ,n}`, one column a label |
//! | `ridge_path.rs` | every ridge, leave-one-out, variances from it |
//! | `polynomial.rs` | Algorithms 1 and 3 |
//! | `reciprocal.rs` | Algorithm 2 and its symmetric form |
//! | `truncation.rs` | kernel PCA, Eqns 8–9 |
//! | `smoothness.rs` | `r_{Kᵖ}(f)`, `‖f‖` |

mod label_block;
mod params;
mod polynomial;
mod reciprocal;
mod ridge_path;
mod setting;
mod smoothness;
mod truncation;

pub use label_block::LabelBlock;
pub use params::{Repair, Ridge, Solver, StkrParams};
pub use ridge_path::{Centring, RidgePath};
pub use smoothness::{Smoothness, smoothness};
pub use truncation::Modal;

use std::sync::Arc;

use self::polynomial::Labels;
use self::setting::{Form, Setting};
use super::baseline::check_total;
use super::trivial_mode::{TrivialMode, removable};
use super::{Estimator, Prepared};
use crate::base::{Base, Reach};
use crate::error::{Error, Result};
use crate::linalg::{Block, Mat};
use crate::model::{Expansion, Fitted, Readout, Scores};
use crate::monitor::Monitor;
use crate::operator::Modes;
use crate::solve::SolveReport;
use crate::spectrum::{Encoder, SpectralFunction, Transform, conditions};
use crate::task::Observed;

/// Labels up to which [`Solver::Auto`] takes the label block.
pub const FEW_LABELS: usize = 2048;

/// Numbers in the N×n columns of a label block up to which [`Solver::Auto`]
/// takes it for the inverse Laplacian, which has a cheaper way for many.
pub const BLOCK_NUMBERS: usize = 1 << 23;

/// Below this mass, relative to the largest, a fading similarity counts as none.
const FADED: f64 = 1e-12;

/// Ridges tried by [`Ridge::Auto`], times the mean diagonal of the kernel.
const RIDGES: [f64; 13] = [
    1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0,
];

/// STKR with checked parameters.
///
/// ```
/// use isotherm::base::GraphBase;
/// use isotherm::data::graph::{EdgeRules, GraphBuilder};
/// use isotherm::estimator::Estimator;
/// use isotherm::estimator::stkr::{Stkr, StkrParams};
/// use isotherm::monitor::Quiet;
/// use isotherm::task::{Observed, OneHot};
///
/// // Two triangles joined by an edge, one label in each.
/// let mut edges = GraphBuilder::new(EdgeRules::default());
/// for (u, v) in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)] {
///     edges.push(u, v, None)?;
/// }
/// let (graph, _) = edges.finish(&mut Quiet)?;
/// let labels = [Some(0), None, None, None, None, Some(1)];
/// let seen = Observed::encode(&OneHot::new(2), &labels)?;
/// let fitted = Stkr::new(StkrParams::default())?.fit(GraphBase::new(graph), &seen, &mut Quiet)?;
/// let scores = fitted.visible.unwrap().values;
/// assert!(scores[(2, 0)] > scores[(2, 1)] && scores[(3, 1)] > scores[(3, 0)]);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Clone)]
pub struct Stkr {
    params: StkrParams,
    function: Option<Arc<dyn SpectralFunction>>,
    seed: u64,
}

impl Stkr {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] when one is out of range or would be ignored.
    pub fn new(params: StkrParams) -> Result<Self> {
        params.check()?;
        Ok(Self {
            params,
            function: None,
            seed: 0,
        })
    }

    /// Any monotone `s` with `s(0) = 0`, by Lanczos; it stands in place of
    /// `params.transform`.
    ///
    /// Theorem 1's conditions are checked on the spectrum's interval in `prepare`.
    ///
    /// # Errors
    /// As [`Stkr::new`]; and for a solver that needs a short formula.
    pub fn with_function(
        function: impl SpectralFunction + 'static,
        params: StkrParams,
    ) -> Result<Self> {
        params.check()?;
        if !matches!(params.solver, Solver::Auto | Solver::LabelBlock) {
            return Err(Error::parameter(
                "solver",
                "auto or label-block for a function, which has no short formula",
                params.solver.name(),
            ));
        }
        Ok(Self {
            params,
            function: Some(Arc::new(function)),
            seed: 0,
        })
    }

    /// Every random choice (the start of an eigensolver) follows from it.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}

/// A base ready for any set of labels.
pub struct PreparedStkr<B> {
    base: Arc<B>,
    params: StkrParams,
    form: Form,
    modes: Option<Modes>,
    component: Option<Vec<u32>>,
    modal: Option<Modal>,
    seed: u64,
}

impl<B: Base> Estimator<B> for Stkr {
    type Prepared = PreparedStkr<B>;

    fn prepare(&self, base: B, monitor: &mut dyn Monitor) -> Result<PreparedStkr<B>> {
        self.prepare_shared(Arc::new(base), monitor)
    }
}

impl Stkr {
    /// As [`Estimator::prepare`] for a base that others use too.
    ///
    /// # Errors
    /// [`Error::Parameter`] when the transform breaks Theorem 1's conditions on
    /// the base's spectrum.
    pub fn prepare_shared<B: Base>(
        &self,
        base: Arc<B>,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedStkr<B>> {
        let params = self.params.clone();
        let spectrum = base.gram().spectrum();
        let bound = spectrum.low.abs().max(spectrum.high.abs());
        let form = match &self.function {
            Some(s) => Form::Function(s.clone()),
            None => Form::of(&params.transform, bound),
        };
        let truncated = matches!(params.transform, Transform::Truncation { .. })
            && self.function.is_none();
        let modes = match truncated && params.trivial_mode == TrivialMode::Keep {
            true => None,
            false => base.modes(monitor)?,
        };
        let component = match &modes {
            Some(modes) => Some(modes.component().to_vec()),
            None => base.components(monitor)?,
        };
        let mut prepared = PreparedStkr {
            base,
            params,
            form,
            modes,
            component,
            modal: None,
            seed: self.seed,
        };
        prepared.check_transform(self.function.as_ref(), spectrum.high, monitor)?;
        if let (true, Transform::Truncation { rank, encoder }) =
            (truncated, &prepared.params.transform)
            && *encoder == Encoder::All
            && prepared.params.trivial_mode == TrivialMode::Keep
        {
            prepared.modal = Some(prepared.modal(*rank, None, None, monitor)?);
        }
        Ok(prepared)
    }
}

impl<B: Base> PreparedStkr<B> {
    /// The base.
    pub fn base(&self) -> &Arc<B> {
        &self.base
    }

    /// Theorem 1's conditions on [0, λ₁], with λ₁ sought where its bound is too wide.
    fn check_transform(
        &self,
        function: Option<&Arc<dyn SpectralFunction>>,
        high: f64,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let s: &dyn SpectralFunction = match function {
            Some(s) => &**s,
            None => &self.params.transform,
        };
        if matches!(self.params.transform, Transform::Truncation { .. }) && function.is_none() {
            return Ok(());
        }
        if high.is_finite() && conditions::check_on(s, high).is_ok() {
            return Ok(());
        }
        // The bound may be far from λ₁; the conditions are about the spectrum.
        let setting = self.setting(None);
        let options = crate::solve::eigenpairs::LeadingOptions {
            tolerance: 1e-6,
            seed: self.seed,
            at_most: 200,
        };
        let top = crate::solve::eigenpairs::leading(&*setting.gram, 1, &options, monitor)?;
        let (value, error) = match (top.values.first(), top.residuals.first()) {
            (Some(value), Some(error)) => (*value, *error),
            _ => (0.0, 0.0),
        };
        conditions::check_on(s, (value + error).max(0.0)).map(|_| ())
    }

    fn setting(&self, removed: Option<Modes>) -> Setting<'_> {
        let known = self.modes.as_ref();
        Setting {
            tolerance: self.params.tolerance,
            iterations: self.params.iterations,
            ..Setting::new(&*self.base, self.params.centre_kernel, known, removed)
        }
    }

    /// The modes to take out for these labels.
    fn removed(&self, seen: &Observed) -> Option<Modes> {
        match (self.params.trivial_mode, &self.modes) {
            (TrivialMode::Remove, Some(modes)) => removable(modes, seen),
            _ => None,
        }
    }

    /// The leading modes of a truncation.
    fn modal(
        &self,
        rank: usize,
        removed: Option<Modes>,
        unlabelled: Option<&[usize]>,
        monitor: &mut dyn Monitor,
    ) -> Result<Modal> {
        let component = match self.params.centre_kernel {
            true => None,
            false => self.component.as_deref(),
        };
        let setting = self.setting(removed);
        Modal::new(&setting, component, rank, unlabelled, self.seed, monitor)
    }

    /// The truncation's modes for these labels, kept from `prepare` where they
    /// do not depend on them; `None` for another transform.
    ///
    /// # Errors
    /// [`Error::Data`] when no sample is left to encode from.
    pub fn modes_of(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Option<Modal>> {
        let Transform::Truncation { rank, encoder } = self.params.transform else {
            return Ok(None);
        };
        if let Some(modal) = &self.modal {
            return Ok(Some(modal.clone()));
        }
        let removed = self.removed(seen);
        let rest: Option<Vec<usize>> = match encoder {
            Encoder::All => None,
            Encoder::Unlabelled => {
                let mut labelled = vec![false; seen.total()];
                seen.index().iter().for_each(|&i| labelled[i] = true);
                let rest: Vec<usize> = (0..seen.total()).filter(|&i| !labelled[i]).collect();
                if rest.is_empty() {
                    return Err(Error::data(
                        "every sample is labelled: nothing is left to encode from",
                        "use the encoder all",
                    ));
                }
                Some(rest)
            }
        };
        self.modal(rank, removed, rest.as_deref(), monitor).map(Some)
    }

    /// The transformed kernel between the labels and from them to `watched`
    /// samples: the start of every ridge, leave-one-out and variances.
    ///
    /// # Errors
    /// [`Error::Shape`] when the labels are of other samples; whatever stops a solver.
    pub fn label_block(
        &self,
        seen: &Observed,
        watched: &[usize],
        monitor: &mut dyn Monitor,
    ) -> Result<LabelBlock> {
        check_total(self.base.len(), seen)?;
        if let (Some(modal), Transform::Truncation { rank, .. }) =
            (self.modes_of(seen, monitor)?, &self.params.transform)
        {
            return Ok(modal.label_block(*rank, seen.index(), watched));
        }
        let setting = self.setting(self.removed(seen));
        LabelBlock::new(&setting, &self.form, seen.index(), watched, monitor)
    }

    /// As [`PreparedStkr::label_block`] for several transforms from one Krylov
    /// space; this estimator's own transform plays no part.
    ///
    /// # Errors
    /// As [`PreparedStkr::label_block`].
    pub fn label_blocks(
        &self,
        transforms: &[&dyn SpectralFunction],
        seen: &Observed,
        watched: &[usize],
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<LabelBlock>> {
        check_total(self.base.len(), seen)?;
        let setting = self.setting(self.removed(seen));
        LabelBlock::family(&setting, transforms, seen.index(), watched, monitor)
    }

    /// Closed-form leave-one-label-out scores at the labelled samples, in the
    /// order of `seen`; deviations from the other labels' mean where labels are
    /// centred.  See [`RidgePath::leave_one_out`].
    ///
    /// # Errors
    /// As [`PreparedStkr::label_block`]; as a fit when the system is indefinite.
    pub fn leave_one_out(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        let block = self.label_block(seen, &[], monitor)?;
        let posed = self.pose(block.path()?, seen)?;
        Ok(posed
            .path
            .leave_one_out(posed.shift, seen.values().as_ref(), self.centring()))
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
        let block = self.label_block(seen, samples, monitor)?;
        let posed = self.pose(block.path()?, seen)?;
        // k(x, x): the samples as labels of their own.
        let values = Mat::zeros(samples.len(), 1);
        let probes = Observed::new(samples.to_vec(), values, seen.total())?;
        let setting = self.setting(self.removed(seen));
        let own: Vec<f64> = match self.modes_of(seen, monitor)? {
            Some(modal) => {
                let rank = modal.eigenvalues().len();
                let block = modal.label_block(rank, samples, &[]);
                (0..samples.len()).map(|i| block.gram[(i, i)]).collect()
            }
            None => {
                let block = LabelBlock::new(&setting, &self.form, probes.index(), &[], monitor)?;
                (0..samples.len()).map(|i| block.gram[(i, i)]).collect()
            }
        };
        Ok(posed
            .path
            .variances(posed.shift, block.cross.as_ref(), &own))
    }

    fn centring(&self) -> Centring {
        match self.params.centre_labels {
            true => Centring::Mean,
            false => Centring::None,
        }
    }

    /// Which system the label block is solved with: ridge and repair decided.
    fn pose(&self, path: RidgePath, seen: &Observed) -> Result<Posed> {
        let labelled = seen.index().len() as f64;
        let total = self.base.len() as f64;
        let smallest = path.smallest();
        let eta = self.form.eta().filter(|eta| *eta > 0.0);
        let twin = |ridge: f64, eta: f64| (labelled * ridge + total) / eta;
        let (ridge, how) = match self.params.ridge {
            Ridge::Fixed(ridge) => (ridge, String::new()),
            Ridge::Auto => self.best_ridge(&path, seen, eta, total)?,
        };
        let shift = labelled * ridge;
        let say = |what: &str| match how.is_empty() {
            true => what.to_owned(),
            false => format!("{how}; {what}"),
        };
        let posed = |path: RidgePath, shift: f64, twin: bool, choice: String| {
            path.regular(shift)?;
            Ok(Posed {
                path,
                shift,
                twin,
                smallest: smallest + shift,
                choice,
            })
        };
        let positive = path.definite(shift);
        match (self.params.repair, eta) {
            (Repair::PsdTwin, Some(eta)) => posed(
                path,
                twin(ridge, eta),
                true,
                say("p.s.d. twin N(I − ηS)⁻¹, as asked"),
            ),
            (Repair::Allow, _) => posed(
                path,
                shift,
                false,
                say(match positive {
                    true => "as posed: positive definite",
                    false => "as posed although it is indefinite, as asked",
                }),
            ),
            (Repair::Clip, _) => posed(
                path.clipped(),
                shift,
                false,
                say("negative eigenvalues clipped, as asked"),
            ),
            (_, _) if positive => posed(path, shift, false, say("as posed: positive definite")),
            (Repair::Auto, Some(eta)) => posed(
                path,
                twin(ridge, eta),
                true,
                say(&format!(
                    "p.s.d. twin N(I − ηS)⁻¹ with this ridge, because the system as posed has the \
                     eigenvalue {:.3e}",
                    smallest + shift
                )),
            ),
            (Repair::Auto, None) => posed(
                path.clipped(),
                shift,
                false,
                say(&format!(
                    "negative eigenvalues clipped, because the system as posed has the \
                     eigenvalue {:.3e}",
                    smallest + shift
                )),
            ),
            _ => Err(polynomial::refuse(smallest + shift)),
        }
    }

    /// The ridge with the smallest leave-one-out squared error on a grid that
    /// follows the kernel's scale.
    fn best_ridge(
        &self,
        path: &RidgePath,
        seen: &Observed,
        eta: Option<f64>,
        total: f64,
    ) -> Result<(f64, String)> {
        let n = seen.index().len() as f64;
        let y = seen.values();
        if seen.index().len() < 3 {
            return Ok((1e-3, "ridge 0.001: too few labels to choose one".to_owned()));
        }
        let values = path.eigenvalues();
        let scale = values.iter().map(|v| v.max(0.0)).sum::<f64>() / n / n;
        let mut best: Option<(f64, f64)> = None;
        for factor in RIDGES {
            let ridge = factor * scale;
            let (candidate, shift) = match (path.definite(n * ridge), self.params.repair, eta) {
                (true, Repair::PsdTwin, Some(eta)) | (false, Repair::Auto | Repair::PsdTwin, Some(eta)) => {
                    (path.clone(), (n * ridge + total) / eta)
                }
                (true, ..) => (path.clone(), n * ridge),
                (false, Repair::Auto | Repair::Clip, None) | (false, Repair::Clip, Some(_)) => {
                    (path.clone().clipped(), n * ridge)
                }
                (false, ..) => continue,
            };
            if candidate.regular(shift).is_err() {
                continue;
            }
            let left = candidate.leave_one_out(shift, y.as_ref(), self.centring());
            let mut error = 0.0;
            for j in 0..y.ncols() {
                let sum: f64 = y.col(j).iter().sum();
                for i in 0..y.nrows() {
                    let mean = match self.params.centre_labels {
                        true => (sum - y[(i, j)]) / (n - 1.0),
                        false => 0.0,
                    };
                    error += (y[(i, j)] - mean - left[(i, j)]).powi(2);
                }
            }
            if error.is_finite() && best.is_none_or(|(_, least)| error < least) {
                best = Some((ridge, error));
            }
        }
        match best {
            Some((ridge, _)) => Ok((
                ridge,
                format!("ridge {ridge:.3e}, the least leave-one-label-out error of 13"),
            )),
            None => Err(polynomial::refuse(path.smallest())),
        }
    }

    /// The solver for these labels, and why.
    fn choose(&self, seen: &Observed) -> (Solver, String) {
        let (n, total) = (seen.index().len(), self.base.len());
        if self.params.solver != Solver::Auto {
            return (self.params.solver, "as asked".to_owned());
        }
        let numbers = n.saturating_mul(total);
        let cheap = self.form.eta().is_some_and(|eta| eta > 0.0)
            && self.params.ridge != Ridge::Auto
            && !matches!(self.params.repair, Repair::Refuse | Repair::Clip | Repair::Allow);
        if cheap && (n > FEW_LABELS || numbers > BLOCK_NUMBERS) {
            return (
                Solver::ConjugateGradients,
                format!("one column a class, because {n} labels on {total} samples are many"),
            );
        }
        (
            Solver::LabelBlock,
            format!("one column a label, because {n} labels are few"),
        )
    }
}

/// A system between labels, ready to solve.
struct Posed {
    path: RidgePath,
    shift: f64,
    /// Whether it is the p.s.d. twin's.
    twin: bool,
    smallest: f64,
    choice: String,
}

/// α and what came of solving for it.
struct Solved {
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
        let labels = match self.params.centre_labels {
            true => {
                centred = seen.centred();
                &centred
            }
            false => seen,
        };
        let setting = self.setting(self.removed(seen));
        let (solver, why) = self.choose(seen);
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
    /// Kernel PCA and its ridge probe.
    fn probe(
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
        let mut posed = self.pose(block.path()?, seen)?;
        let alpha = posed.path.coefficients(posed.shift, labels.values().as_ref());
        if let Some(remark) = modal.remark(rank) {
            posed.choice = format!("{}; {remark}", posed.choice);
        }
        let coefficients = modal.coefficients(rank, seen.index(), &alpha)?;
        Ok(Solved {
            coefficients,
            at_labels: None,
            report: SolveReport {
                condition: Some(posed.path.condition(posed.shift)),
                smallest: Some(posed.smallest),
                choice: Some(posed.choice),
                ..block.report
            },
        })
    }

    /// One column a label, then n×n algebra; then one column a class for the
    /// coefficients.
    fn by_labels(
        &self,
        setting: &Setting<'_>,
        seen: &Observed,
        labels: &Observed,
        solver: Solver,
        monitor: &mut dyn Monitor,
    ) -> Result<Solved> {
        let block = LabelBlock::new(setting, &self.form, seen.index(), &[], monitor)?;
        let posed = self.pose(block.path()?, seen)?;
        let mut report = SolveReport {
            condition: Some(posed.path.condition(posed.shift)),
            smallest: Some(posed.smallest),
            choice: Some(posed.choice.clone()),
            ..block.report.clone()
        };
        let values = labels.values().as_ref();
        let clipped = posed.path.smallest() > block.path()?.smallest();
        let alpha = match solver == Solver::Direct && !clipped {
            true => {
                let given = Labels {
                    index: seen.index(),
                    shift: posed.shift,
                    values,
                };
                let indefinite = !posed.path.definite(posed.shift);
                let (alpha, solved) =
                    polynomial::factor(&block.gram, &given, indefinite, monitor)?;
                report.solver = solved.solver;
                alpha
            }
            false => posed.path.coefficients(posed.shift, values),
        };
        let (coefficients, last) =
            setting.smooth(&self.form, lifted(setting.total(), seen.index(), &alpha)?, monitor)?;
        let report = label_block::worse(report, last);
        Ok(Solved {
            coefficients,
            at_labels: self.twin_part(&posed.twin, &alpha),
            report,
        })
    }

    /// `(N/η)α`, what the p.s.d. twin's scores have more at labels.
    fn twin_part(&self, twin: &bool, alpha: &Mat<f64>) -> Option<Mat<f64>> {
        let eta = self.form.eta().filter(|_| *twin)?;
        let factor = self.base.len() as f64 / eta;
        Some(Mat::from_fn(alpha.nrows(), alpha.ncols(), |i, j| {
            factor * alpha[(i, j)]
        }))
    }

    /// Iterations with one column a class.
    fn by_classes(
        &self,
        setting: &Setting<'_>,
        labels: &Observed,
        solver: Solver,
        monitor: &mut dyn Monitor,
    ) -> Result<Solved> {
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
                let at_labels = match twin {
                    true => {
                        let alpha =
                            reciprocal::alpha_of(setting, weights, &theta, given.index, monitor)?;
                        self.twin_part(&true, &alpha)
                    }
                    false => None,
                };
                let mut coefficients = theta;
                for _ in 1..*order {
                    coefficients = setting.times(&coefficients, monitor)?;
                }
                setting.project(&mut coefficients);
                Ok(Solved {
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
    fn finish(
        &self,
        setting: &Setting<'_>,
        seen: &Observed,
        solved: Solved,
        monitor: &mut dyn Monitor,
    ) -> Result<Fitted<B>> {
        let Solved {
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
        for i in 0..rows {
            let row = wide.row_mut(i);
            row[..cols].copy_from_slice(coefficients.row(i));
            row[cols] = mass[i];
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
        let expansion =
            Expansion::new(self.base.clone(), coefficients.as_mat(), &mass, readout)?;
        let expansion = match offset {
            Some(offset) => expansion.with_offset(offset)?,
            None => expansion,
        };
        Ok(Fitted {
            expansion,
            visible: Some(Scores { values, reached }),
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
