//! What can be said of spectrally transformed kernel regression.

use crate::error::{Error, Result};
use crate::estimator::TrivialMode;
use crate::spectrum::Transform;

/// The transform, the ridge and everything that decides a fit.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StkrParams {
    /// `s(λ)`.
    pub transform: Transform,
    /// β ≥ 0 of Eqn 5, entering as nβ; or `auto`, the value with the smallest
    /// leave-one-label-out loss. Where the kernel is not positive it is the ridge of its twin.
    pub ridge: Ridge,
    /// Whether each column's mean over the labels is taken off before solving;
    /// scores are then deviations from it.
    pub centre_labels: bool,
    /// Whether a graph's trivial modes stay in the kernel.
    pub trivial_mode: TrivialMode,
    /// Whether the base kernel is centred, `HKH`.  [STKR §2 (ii)]
    pub centre_kernel: bool,
    /// What to do when the kernel is not positive definite enough for the ridge.
    pub repair: Repair,
    /// How the system is solved.
    pub solver: Solver,
    /// Relative residual of iterative solves.
    pub tolerance: f64,
    /// Iterations allowed.
    pub iterations: usize,
    /// Exactly so many Richardson steps from zero; with `solver = "richardson"` only.
    pub steps: Option<usize>,
    /// γ of Richardson's iteration; with `solver = "richardson"` only. Absent
    /// means the largest that is sure to converge on a positive kernel.
    pub step_size: Option<f64>,
}

impl Default for StkrParams {
    /// The inverse Laplacian with η = 0.99, centred labels, the trivial mode
    /// removed: flat in η without an iteration limit.
    fn default() -> Self {
        Self {
            transform: Transform::InverseLaplacian { eta: 0.99 },
            ridge: Ridge::Fixed(1e-3),
            centre_labels: true,
            trivial_mode: TrivialMode::Remove,
            centre_kernel: false,
            repair: Repair::Auto,
            solver: Solver::Auto,
            tolerance: 1e-10,
            iterations: 10_000,
            steps: None,
            step_size: None,
        }
    }
}

impl StkrParams {
    /// The paper's own form: labels as given, every mode kept, the system solved
    /// as it is posed, positive or not.
    pub fn as_printed(transform: Transform, ridge: f64) -> Self {
        Self {
            transform,
            ridge: Ridge::Fixed(ridge),
            centre_labels: false,
            trivial_mode: TrivialMode::Keep,
            repair: Repair::Allow,
            ..Self::default()
        }
    }

    /// Checks everything that can be checked without data.
    pub(super) fn check(&self) -> Result<()> {
        self.transform.check()?;
        if let Ridge::Fixed(ridge) = self.ridge
            && !(ridge >= 0.0 && ridge.is_finite())
        {
            return Err(Error::parameter("ridge", "at least 0, or auto", ridge));
        }
        crate::estimator::check::check_stopping(self.tolerance, self.iterations)?;
        if self.steps == Some(0) {
            return Err(Error::parameter("steps", "at least 1", 0));
        }
        if let Some(gamma) = self.step_size
            && !(gamma > 0.0 && gamma.is_finite())
        {
            return Err(Error::parameter("step_size", "a positive number", gamma));
        }
        if self.solver != Solver::Richardson && (self.steps.is_some() || self.step_size.is_some()) {
            return Err(Error::parameter(
                "steps and step_size",
                "left out unless the solver is richardson",
                format!("solver {}", self.solver.name()),
            ));
        }
        let truncated = matches!(self.transform, Transform::Truncation { .. });
        if truncated && !matches!(self.solver, Solver::Auto | Solver::LabelBlock) {
            return Err(Error::parameter(
                "solver",
                "auto for a truncation, which is an eigenproblem and a small ridge",
                self.solver.name(),
            ));
        }
        if self.ridge == Ridge::Auto && !matches!(self.solver, Solver::Auto | Solver::LabelBlock) {
            return Err(Error::parameter(
                "ridge",
                "a number unless the solver is label-block, which has the whole path",
                "auto",
            ));
        }
        if self.repair == Repair::PsdTwin && self.transform.eta().is_none() {
            return Err(Error::parameter(
                "repair",
                "psd-twin with the inverse Laplacian only",
                self.transform.name(),
            )
            .with_hint("use lazy, self-loops or clip"));
        }
        if self.repair == Repair::Clip
            && !matches!(
                self.solver,
                Solver::Auto | Solver::LabelBlock | Solver::Direct
            )
        {
            return Err(Error::parameter(
                "repair",
                "clip with the label-block solver only, which knows the eigenvalues",
                self.solver.name(),
            ));
        }
        Ok(())
    }
}

/// The ridge β.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Said", into = "Said")]
pub enum Ridge {
    /// The one with the smallest leave-one-label-out loss: log loss of classes, squared error
    /// of numbers; far from the usual ridge it has to be better by more.
    Auto,
    /// This number.
    Fixed(f64),
}

/// A ridge as it is written: a number or a word.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
enum Said {
    Number(f64),
    Word(String),
}

impl TryFrom<Said> for Ridge {
    type Error = Error;

    fn try_from(said: Said) -> Result<Self> {
        match said {
            Said::Number(value) => Ok(Self::Fixed(value)),
            Said::Word(word) if word == "auto" => Ok(Self::Auto),
            Said::Word(word) => Err(Error::parameter("ridge", "\"auto\" or a number", word)),
        }
    }
}

impl From<Ridge> for Said {
    fn from(ridge: Ridge) -> Self {
        match ridge {
            Ridge::Auto => Self::Word("auto".into()),
            Ridge::Fixed(value) => Self::Number(value),
        }
    }
}

/// What is solved where the transformed kernel is not positive, as on a graph, whose adjacency
/// has negative eigenvalues.
///
/// The lazy walk and self-loops are other base kernels, chosen with the base
/// ([`crate::base::Normalisation`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// As posed on a base kernel that is positive; else the p.s.d. twin with this ridge:
    /// [`Repair::PsdTwin`] for the inverse Laplacian, `Kₛ − N min s` for other transforms.
    /// The base and the transform decide, never the labels or the solver.
    #[default]
    Auto,
    /// Refuse, with the smallest eigenvalue and the ways out.
    Refuse,
    /// Solve as posed, whatever its sign; a singular system is refused.
    Allow,
    /// The kernel `N(I − ηS)⁻¹` with ridge β ≥ 0: off the labels the same as the
    /// inverse Laplacian with ridge `(β + N/n)/η`.
    PsdTwin,
    /// Negative eigenvalues of `G_{Kₛ,n}` count as zero, and labels say nothing
    /// along their directions.
    Clip,
}

/// How the system is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Whatever is sure and fast; the report says what and why.
    #[default]
    Auto,
    /// `Kₛ` between the labels, one column a label, then one n×n
    /// eigendecomposition: every ridge, leave-one-out and variances.
    LabelBlock,
    /// Conjugate gradients on all samples, one column a class.
    ConjugateGradients,
    /// MINRES on the symmetric form, for systems that are not definite.
    Minres,
    /// Algorithms 1 and 2 as printed.
    Richardson,
    /// Factorisations: Algorithm 3, sparse or dense Cholesky of `I − ηG`.
    Direct,
}

impl Solver {
    /// Its name as the user spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::LabelBlock => "label-block",
            Self::ConjugateGradients => "conjugate-gradients",
            Self::Minres => "minres",
            Self::Richardson => "richardson",
            Self::Direct => "direct",
        }
    }
}
