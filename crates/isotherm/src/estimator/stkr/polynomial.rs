//! `s(λ) = Σ πₚλᵖ`: the system `A = G_{Kₛ,n} + nβI` between labels, never formed.
//!
//! [STKR Alg. 1] is Richardson's iteration on it, here with other iterations
//! beside it; [STKR Alg. 3] forms it.

use super::transformed_gram::TransformedGram;
use crate::error::{Error, Result};
use crate::linalg::{Block, Mat, MatMut, MatRef};
use crate::monitor::Monitor;
use crate::operator::horner::Horner;
use crate::operator::masked::Masked;
use crate::operator::shifted::Shifted;
use crate::operator::{Operator, SpectrumBounds, Symmetric};
use crate::solve::conjugate_gradient::{self, Definite};
use crate::solve::minres::Minres;
use crate::solve::richardson::Richardson;
use crate::solve::{self, SolveReport, Stop, direct};
use crate::task::Observed;

/// What a solve of `Aα = y` is given, `A = G_{Kₛ,n} + diag(added)`.
pub(super) struct Labels<'a> {
    /// The labelled samples.
    pub(super) index: &'a [usize],
    /// nβ where all labels count the same; with a twin `ℓ + σnβ`.
    pub(super) shift: f64,
    /// `shift/addedᵢ`; `None` where they are all 1.
    pub(super) pull: Option<Vec<f64>>,
    /// `y`, one row a labelled sample.
    pub(super) values: MatRef<'a, f64>,
}

impl Labels<'_> {
    /// `shift/addedᵢ`.
    pub(super) fn pull(&self, label: usize) -> f64 {
        self.pull.as_ref().map_or(1.0, |pull| pull[label])
    }
}

/// `nβ/wᵢ` of every label.
pub(super) struct Ridges {
    whole: f64,
    each: Vec<f64>,
}

impl Ridges {
    pub(super) fn new(labels: &Observed, ridge: f64) -> Self {
        let whole = labels.index().len() as f64 * ridge;
        let each = match labels.weights() {
            Some(weights) => weights.iter().map(|w| whole / w).collect(),
            None => vec![whole; labels.index().len()],
        };
        Self { whole, each }
    }

    /// A number of every label, from its ridge.
    pub(super) fn each(&self, of: impl Fn(f64) -> f64) -> Vec<f64> {
        self.each.iter().map(|ridge| of(*ridge)).collect()
    }

    /// The labels of a system with `lift + share · nβ/wᵢ` on its diagonal.
    pub(super) fn labels<'l>(&self, labels: &'l Observed, lift: f64, share: f64) -> Labels<'l> {
        let shift = lift + share * self.whole;
        // At a ridge of zero without a lift the limit is what each label counts.
        let pull = |(k, ridge): (usize, &f64)| match labels.weights() {
            Some(weights) if shift == 0.0 => weights[k],
            _ => shift / (lift + share * ridge),
        };
        Labels {
            index: labels.index(),
            shift,
            pull: labels
                .weights()
                .map(|_| self.each.iter().enumerate().map(pull).collect()),
            values: labels.values().as_ref(),
        }
    }
}

const SYSTEM: &str = "the transformed kernel between labels plus ridge";
const WAY_OUT: &str = "a graph is not a positive kernel: raise ridge, use lazy or self-loops, \
     even powers, or the label-block solver with repair clip";

/// A polynomial of a kernel between labels, scaled and shifted.
type System<'s> = Shifted<Pulled<Masked<Horner<Box<dyn Symmetric + 's>>>>>;

/// `P^½ A P^½` with a diagonal P, the pulls of the labels.
struct Pulled<A> {
    inner: A,
    roots: Option<Vec<f64>>,
}

impl<A: Operator> Operator for Pulled<A> {
    fn dim(&self) -> usize {
        self.inner.dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let Some(roots) = &self.roots else {
            return self.inner.apply(block, out, monitor);
        };
        let mut scaled = Block::copy_of(block)?;
        for (i, root) in roots.iter().enumerate() {
            scaled.row_mut(i).iter_mut().for_each(|v| *v *= root);
        }
        self.inner.apply(scaled.as_mat(), out.as_mut(), monitor)?;
        for j in 0..out.ncols() {
            for (i, root) in roots.iter().enumerate() {
                out[(i, j)] *= root;
            }
        }
        Ok(())
    }
}

impl<A: Symmetric> Symmetric for Pulled<A> {
    fn spectrum(&self) -> SpectrumBounds {
        let inner = self.inner.spectrum();
        let roots = self.roots.iter().flatten();
        let most = roots.fold(1.0_f64, |m, root| m.max(root * root));
        SpectrumBounds {
            low: (most * inner.low).min(0.0),
            high: (most * inner.high).max(0.0),
        }
    }
}

/// `P^½ N Eᵀ s(S) E P^½ + shift I` as an operator on the labels.
fn system<'s>(
    transformed: &'s TransformedGram<'_>,
    weights: &[f64],
    labels: &Labels<'_>,
) -> Result<System<'s>> {
    let powers: Vec<f64> = std::iter::once(0.0)
        .chain(weights.iter().copied())
        .collect();
    let whole = Horner::new(transformed.kernel(), powers)?;
    let roots = |pull: &Vec<f64>| pull.iter().map(|p| p.sqrt()).collect();
    Ok(Shifted {
        inner: Pulled {
            inner: Masked::new(whole, labels.index.to_vec())?,
            roots: labels.pull.as_ref().map(roots),
        },
        scale: transformed.total() as f64,
        shift: labels.shift,
    })
}

/// `P^½ b`: `Aα = y` is `(P^½GP^½ + shift I) P^-½α = P^½y`.
fn scaled(labels: &Labels<'_>, block: MatRef<'_, f64>) -> Mat<f64> {
    Mat::from_fn(block.nrows(), block.ncols(), |i, j| match &labels.pull {
        Some(pull) => pull[i].sqrt() * block[(i, j)],
        None => block[(i, j)],
    })
}

fn rhs(labels: &Labels<'_>) -> Result<Block> {
    Block::copy_of(scaled(labels, labels.values).as_ref())
}

/// [STKR Alg. 1]: `α ← α − γ(Aα − y)` from zero, to a residual or for exactly
/// so many steps. Without γ, `1/(N s(λ) + nβ)` at the edge of the spectrum.
pub(super) fn algorithm_1(
    transformed: &TransformedGram<'_>,
    weights: &[f64],
    labels: &Labels<'_>,
    step: Option<f64>,
    steps: Option<usize>,
    monitor: &mut dyn Monitor,
) -> Result<(Mat<f64>, SolveReport)> {
    let system = system(transformed, weights, labels)?;
    let step = step.unwrap_or_else(|| {
        let SpectrumBounds { low, high } = system.spectrum();
        1.0 / low.abs().max(high.abs())
    });
    let iteration = Richardson::new(&system, rhs(labels)?, step)?;
    let (alpha, report) = solve::drive(iteration, stop(transformed, steps), monitor)?;
    Ok((scaled(labels, alpha.as_mat()), report))
}

pub(super) fn stop(transformed: &TransformedGram<'_>, steps: Option<usize>) -> Stop {
    match steps {
        Some(iterations) => Stop::After { iterations },
        None => Stop::Residual {
            relative: transformed.tolerance,
            at_most: transformed.iterations,
        },
    }
}

/// Conjugate gradients on `A`, refused where it is not positive definite.
pub(super) fn conjugate_gradients(
    transformed: &TransformedGram<'_>,
    weights: &[f64],
    labels: &Labels<'_>,
    monitor: &mut dyn Monitor,
) -> Result<(Mat<f64>, SolveReport)> {
    let system = system(transformed, weights, labels)?;
    let system = Definite {
        operator: &system,
        name: SYSTEM,
        hint: WAY_OUT,
    };
    let rhs = rhs(labels)?;
    let (alpha, report) = conjugate_gradient::solve(
        system,
        rhs,
        transformed.tolerance,
        transformed.iterations,
        monitor,
    )?;
    Ok((scaled(labels, alpha.as_mat()), report))
}

/// MINRES on `A`, positive or not.
pub(super) fn minres(
    transformed: &TransformedGram<'_>,
    weights: &[f64],
    labels: &Labels<'_>,
    monitor: &mut dyn Monitor,
) -> Result<(Mat<f64>, SolveReport)> {
    let system = system(transformed, weights, labels)?;
    let iteration = Minres::new(&system, rhs(labels)?, transformed.tolerance)?;
    let (alpha, report) = solve::drive(iteration, stop(transformed, None), monitor)?;
    Ok((scaled(labels, alpha.as_mat()), report))
}

/// The last line of [STKR Alg. 3]: `A α = y` for the `A` that was formed, by
/// Cholesky, or by Bunch and Kaufman when it need not be positive.
pub(super) fn factor(
    gram: &Mat<f64>,
    labels: &Labels<'_>,
    indefinite: bool,
    monitor: &mut dyn Monitor,
) -> Result<(Mat<f64>, SolveReport)> {
    let n = gram.nrows();
    let a = Mat::from_fn(n, n, |i, j| {
        gram[(i, j)] + if i == j { labels.shift } else { 0.0 }
    });
    if indefinite {
        direct::symmetric(&a, labels.values)
    } else {
        direct::definite(a, SYSTEM, WAY_OUT, labels.values, monitor)
    }
}

/// The refusal of a kernel that is not positive enough for its ridge.
pub(super) fn refuse(curvature: f64) -> Error {
    Error::Indefinite {
        operator: SYSTEM,
        curvature,
        hint: "a graph is not a positive kernel: raise ridge, use lazy or self-loops, or choose \
               the repair psd-twin, clip or allow"
            .to_owned(),
    }
}
