//! Spectrally transformed kernel regression: ridge regression with
//! `Kₛ = Σ s(λᵢ) ψᵢ ψᵢ`, the base kernel with its spectrum transformed.  \[STKR\]
//!
//! Every route ends in the same object, coefficients c over all visible samples
//! with `f(x) = Σⱼ K(x, xⱼ) cⱼ`: `c = t(S) [α; 0]` with `t(λ) = s(λ)/λ`.
//!
//! | file | what |
//! |---|---|
//! | `setting.rs` | `S = G_K/N` without the modes taken out, and `t(S) b` |
//! | `label_block.rs` | `G_{Kₛ,n}`, one column a label |
//! | `ridge_path.rs` | every ridge, leave-one-out, variances from it |
//! | `pose.rs` | the ridge and the repair of a kernel that is not positive |
//! | `weighed.rs` | labels that count differently |
//! | `fit.rs` | the routes, and what a fit leaves |
//! | `linear.rs` | the fit as a linear map of its labels: leave-one-out, influence |
//! | `factored.rs` | Cholesky of `I − ηS`, sparse or dense |
//! | `polynomial.rs` | Algorithms 1 and 3 |
//! | `reciprocal.rs` | Algorithm 2 and its symmetric form |
//! | `truncation.rs` | kernel PCA, Eqns 8–9 |
//! | `spectral.rs` | the prior that choosing rows needs |
//! | `smoothness.rs` | `r_{Kᵖ}(f)`, `‖f‖` |

mod factored;
mod fit;
pub mod label_block;
mod linear;
mod params;
mod polynomial;
mod pose;
mod reciprocal;
mod ridge_path;
mod setting;
mod smoothness;
mod spectral;
mod truncation;
mod watch;
mod weighed;

pub use fit::{BLOCK_NUMBERS, FEW_LABELS};
pub use label_block::LabelBlock;
pub use params::{Repair, Ridge, Solver, StkrParams};
pub use pose::{Posed, Posing};
pub use ridge_path::{Centring, RidgePath};
pub use smoothness::{Smoothness, smoothness};
pub use truncation::Modal;
pub use watch::Watch;

use std::sync::{Arc, Mutex, PoisonError};

use self::setting::{Form, Ratio, Setting};
use super::Estimator;
use super::baseline::check_total;
use super::trivial_mode::{TrivialMode, removable};
use crate::base::Base;
use crate::error::{Error, Refusal, Result};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::operator::{Modes, Operator, Symmetric};
use crate::solve::SolveReport;
use crate::spectrum::{Encoder, SpectralFunction, Transform, conditions};
use crate::task::Observed;

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
        let params = StkrParams {
            transform: Transform::Power { degree: 1 },
            ..params
        };
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
    /// The last label block, for a smoother, influences or other values of the same
    /// labels after a fit to them.
    last: Mutex<Option<(BlockKey, LabelBlock)>>,
}

/// What a label block depends on besides what was prepared.
#[derive(Debug, Clone, PartialEq)]
struct BlockKey {
    index: Vec<usize>,
    /// Entries of the modes that are taken out, at the labels.
    removed: Option<Vec<f64>>,
    direct: bool,
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
        let truncated =
            matches!(params.transform, Transform::Truncation { .. }) && self.function.is_none();
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
            last: Mutex::new(None),
        };
        match &self.function {
            Some(s) => prepared.check(&**s, monitor)?,
            None if truncated => {}
            None => prepared.check(&prepared.params.transform, monitor)?,
        }
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

    /// The same with every mode kept, as labels that are still to be chosen need it: a
    /// component without its constant prefers labels that vary.
    #[must_use]
    pub fn keeping_modes(&self) -> Self {
        Self {
            base: self.base.clone(),
            params: StkrParams {
                trivial_mode: TrivialMode::Keep,
                ..self.params.clone()
            },
            form: self.form.clone(),
            modes: self.modes.clone(),
            component: self.component.clone(),
            modal: self.modal.clone(),
            seed: self.seed,
            last: Mutex::new(None),
        }
    }

    /// Theorem 1's conditions on [0, λ₁], with λ₁ sought where its bound is too wide.
    ///
    /// # Errors
    /// [`Error::Parameter`] naming the eigenvalue at which one fails.
    pub fn check(&self, s: &dyn SpectralFunction, monitor: &mut dyn Monitor) -> Result<()> {
        let high = self.base.gram().spectrum().high;
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
        let top = (value + error).max(0.0);
        let found = conditions::check_on(s, top).map(|_| ());
        found.map_err(|refusal| match (refusal, self.form.eta()) {
            (refusal @ Error::Parameter { .. }, Some(eta)) if eta * top >= 1.0 => refusal
                .with_hint(format!(
                    "choose eta below {:.6}, or divide the similarities by {top:.6}",
                    1.0 / top
                )),
            (refusal, _) => refusal,
        })
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
            (TrivialMode::Remove, Some(modes)) => {
                Some(removable(modes, seen)).filter(|modes| !modes.is_empty())
            }
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
    /// [`Error::Refused`] when no sample is left to encode from.
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
                    return Err(Error::refused(
                        Refusal::AllLabelled,
                        "every sample is labelled: nothing is left to encode from",
                        "use the encoder all",
                    ));
                }
                Some(rest)
            }
        };
        self.modal(rank, removed, rest.as_deref(), monitor)
            .map(Some)
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
        let mut setting = self.setting(self.removed(seen));
        setting.direct = self.choose(seen).0 == Solver::Direct;
        match watched {
            [] => self.block_of(&setting, seen, monitor),
            _ => LabelBlock::new(&setting, &self.form, seen.index(), watched, monitor),
        }
    }

    /// The label block of a setting, kept for the next that asks for the same.
    fn block_of(
        &self,
        setting: &Setting<'_>,
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<LabelBlock> {
        let key = BlockKey {
            index: seen.index().to_vec(),
            removed: setting.removed_at(seen.index()),
            direct: setting.direct,
        };
        // A poisoned lock holds a block like any other.
        let known = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, block)) = known().as_ref().filter(|(k, _)| *k == key) {
            return Ok(block.clone());
        }
        let block = LabelBlock::new(setting, &self.form, seen.index(), &[], monitor)?;
        *known() = Some((key, block.clone()));
        Ok(block)
    }

    /// The transformed kernel for several transforms from one Krylov space,
    /// between the labels and from them to watched samples; this estimator's own
    /// transform plays no part. Its cost is that of the hardest of them.
    ///
    /// # Errors
    /// As [`PreparedStkr::label_block`].
    pub fn label_blocks(
        &self,
        transforms: &[&dyn SpectralFunction],
        seen: &Observed,
        watch: Watch<'_, B::Query>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<LabelBlock>> {
        check_total(self.base.len(), seen)?;
        let setting = self.setting(self.removed(seen));
        let (rows, support) = self.rows_for(seen, watch);
        // At new samples the coefficients t(S)E are expanded over the base.
        let ratios: Vec<Ratio<'_>> = transforms.iter().map(|s| Ratio(*s)).collect();
        let mut functions = transforms.to_vec();
        if let Watch::New(_) = watch {
            functions.extend(ratios.iter().map(|r| r as &dyn SpectralFunction));
        }
        let (mut values, report) =
            label_block::family(&setting, &functions, seen.index(), &rows, monitor)?;
        let coefficients = values.split_off(transforms.len());
        self.assembled(
            (&values, &coefficients),
            &support,
            report,
            seen,
            watch,
            monitor,
        )
    }

    /// As [`PreparedStkr::label_blocks`] for polynomials, π₁ first, by products
    /// alone: samples beyond a polynomial's reach have exact zeros.
    ///
    /// # Errors
    /// As [`PreparedStkr::label_block`].
    pub fn polynomial_blocks(
        &self,
        weights: &[Vec<f64>],
        seen: &Observed,
        watch: Watch<'_, B::Query>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<LabelBlock>> {
        check_total(self.base.len(), seen)?;
        let setting = self.setting(self.removed(seen));
        let (rows, support) = self.rows_for(seen, watch);
        let walked = label_block::polynomials(&setting, weights, seen.index(), &rows, monitor)?;
        let parts = (walked.values.as_slice(), walked.ratios.as_slice());
        self.assembled(parts, &support, walked.report, seen, watch, monitor)
    }

    /// The rows to know: the labelled, then those that watched samples are read from.
    fn rows_for(&self, seen: &Observed, watch: Watch<'_, B::Query>) -> (Vec<usize>, Vec<usize>) {
        let support = match watch {
            Watch::Visible(watched) => watched.to_vec(),
            Watch::New(queries) => match self.base.support(queries) {
                Some(support) => support,
                None => (0..self.base.len()).collect(),
            },
        };
        let mut rows = seen.index().to_vec();
        rows.extend(&support);
        (rows, support)
    }

    /// Label blocks from `s(S)E` and, for new samples, `t(S)E` at the known rows.
    fn assembled(
        &self,
        (values, coefficients): (&[Mat<f64>], &[Mat<f64>]),
        support: &[usize],
        report: SolveReport,
        seen: &Observed,
        watch: Watch<'_, B::Query>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<LabelBlock>> {
        let (n, labelled) = (self.base.len() as f64, seen.index().len());
        let mut blocks = Vec::with_capacity(values.len());
        for (k, values) in values.iter().enumerate() {
            let gram = Mat::from_fn(labelled, labelled, |i, j| n * values[(i, j)]);
            let cross = match watch {
                Watch::Visible(_) => Mat::from_fn(support.len(), labelled, |i, j| {
                    n * values[(labelled + i, j)]
                }),
                Watch::New(queries) => {
                    let mut whole = Mat::zeros(self.base.len(), labelled);
                    for (i, &row) in support.iter().enumerate() {
                        for j in 0..labelled {
                            whole[(row, j)] = coefficients[k][(labelled + i, j)];
                        }
                    }
                    self.expand_centred(queries, whole, monitor)?
                }
            };
            blocks.push(LabelBlock {
                index: seen.index().to_vec(),
                gram: label_block::symmetrised(&gram),
                cross,
                report: report.clone(),
            });
        }
        Ok(blocks)
    }

    /// `K(queries, ·) · coefficients` for the base kernel, centred if it is.
    fn expand_centred(
        &self,
        queries: &B::Query,
        mut coefficients: Mat<f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        if !self.params.centre_kernel {
            return self.base.expand(queries, coefficients.as_ref(), monitor);
        }
        let (rows, cols) = (coefficients.nrows(), coefficients.ncols());
        for j in 0..cols {
            let mean = coefficients.col(j).iter().sum::<f64>() / rows as f64;
            (0..rows).for_each(|i| coefficients[(i, j)] -= mean);
        }
        let mut image = Mat::zeros(rows, cols);
        let plain = self.base.gram();
        plain.apply(coefficients.as_ref(), image.as_mut(), monitor)?;
        let mut out = self.base.expand(queries, coefficients.as_ref(), monitor)?;
        for j in 0..cols {
            let offset: f64 = image.col(j).iter().sum();
            (0..out.nrows()).for_each(|i| out[(i, j)] -= offset);
        }
        Ok(out)
    }

    /// The truncated kernel for several ranks from one set of modes, as
    /// [`PreparedStkr::label_blocks`]; this estimator's transform is the
    /// truncation of the largest rank.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless the transform is a truncation.
    pub fn truncated_blocks(
        &self,
        ranks: &[usize],
        seen: &Observed,
        watch: Watch<'_, B::Query>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<LabelBlock>> {
        check_total(self.base.len(), seen)?;
        let Some(modal) = self.modes_of(seen, monitor)? else {
            let got = self.params.transform.name();
            return Err(Error::parameter("transform", "a truncation", got));
        };
        let new = match watch {
            Watch::Visible(_) => None,
            Watch::New(queries) => {
                let encoder = modal.encoder().clone();
                Some(self.expand_centred(queries, encoder, monitor)?)
            }
        };
        Ok(ranks
            .iter()
            .map(|&rank| match (watch, &new) {
                (Watch::Visible(watched), _) => modal.label_block(rank, seen.index(), watched),
                (Watch::New(_), Some(new)) => modal.label_block_at(rank, seen.index(), new),
                (Watch::New(_), None) => modal.label_block(rank, seen.index(), &[]),
            })
            .collect())
    }

    /// Closed-form leave-one-label-out scores at the labelled samples, in the
    /// order of `seen`; deviations from the other labels' mean where labels are
    /// centred.  See [`RidgePath::leave_one_out`].
    ///
    /// As a grid judges its cells: the modes that are taken out are those for all
    /// labels. [`Smoother::left_out`](super::Smoother::left_out) takes out those for the
    /// others, which differ where a component's labels agree but for one.
    ///
    /// # Errors
    /// As [`PreparedStkr::label_block`]; as a fit when the system is indefinite.
    pub fn leave_one_out(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        seen.refuse_weights("a grid's leave-one-out", "use the smoother's")?;
        let block = self.label_block(seen, &[], monitor)?;
        let posed = self
            .posing()
            .pose(block.path()?, self.params.ridge, seen.values())?;
        Ok(posed.leave_one_out(seen.values(), self.centring()))
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
        seen.refuse_weights("posterior variances", "leave the weights out")?;
        let block = self.label_block(seen, samples, monitor)?;
        let posed = self
            .posing()
            .pose(block.path()?, self.params.ridge, seen.values())?;
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

    /// What decides the n×n system, besides its matrix.
    pub fn posing(&self) -> Posing {
        Posing {
            repair: self.params.repair,
            eta: self.form.eta(),
            total: self.base.len(),
            centring: self.centring(),
        }
    }

    fn centring(&self) -> Centring {
        match self.params.centre_labels {
            true => Centring::Mean,
            false => Centring::None,
        }
    }
}
