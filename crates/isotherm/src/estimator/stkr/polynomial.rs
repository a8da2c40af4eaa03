//! `s(λ) = Σ πₚλᵖ`: the system `A = G_{Kₛ,n} + nβI` between labels, never formed.
//!
//! [STKR Alg. 1] is Richardson's iteration on it, here with other iterations
//! beside it; [STKR Alg. 3] forms it.

use super::transformed_gram::TransformedGram;
use crate::error::{Error, Result};
use crate::linalg::{Block, Mat, MatRef};
use crate::monitor::Monitor;
use crate::operator::horner::Horner;
use crate::operator::masked::Masked;
use crate::operator::shifted::Shifted;
use crate::operator::{SpectrumBounds, Symmetric};
use crate::solve::conjugate_gradient::{self, Definite};
use crate::solve::minres::Minres;
use crate::solve::richardson::Richardson;
use crate::solve::{self, SolveReport, Stop, direct};

/// What a solve of `Aα = y` is given.
pub(super) struct Labels<'a> {
    /// The labelled samples.
    pub(super) index: &'a [usize],
    /// nβ.
    pub(super) shift: f64,
    /// `y`, one row a labelled sample.
    pub(super) values: MatRef<'a, f64>,
}

const SYSTEM: &str = "the transformed kernel between labels plus ridge";
const WAY_OUT: &str = "a graph is not a positive kernel: raise ridge, use lazy or self-loops, \
     even powers, or the label-block solver with repair clip";

/// A polynomial of a kernel between labels, scaled and shifted.
type System<'s> = Shifted<Masked<Horner<Box<dyn Symmetric + 's>>>>;

/// `N Eᵀ s(S) E + nβI` as an operator on the labels.
fn system<'s>(
    transformed: &'s TransformedGram<'_>,
    weights: &[f64],
    labels: &Labels<'_>,
) -> Result<System<'s>> {
    let powers: Vec<f64> = std::iter::once(0.0)
        .chain(weights.iter().copied())
        .collect();
    let whole = Horner::new(transformed.kernel(), powers)?;
    Ok(Shifted {
        inner: Masked::new(whole, labels.index.to_vec())?,
        scale: transformed.total() as f64,
        shift: labels.shift,
    })
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
    let iteration = Richardson::new(&system, Block::copy_of(labels.values)?, step)?;
    let (alpha, report) = solve::drive(iteration, stop(transformed, steps), monitor)?;
    Ok((alpha.as_mat().to_owned(), report))
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
    let rhs = Block::copy_of(labels.values)?;
    let (alpha, report) = conjugate_gradient::solve(
        system,
        rhs,
        transformed.tolerance,
        transformed.iterations,
        monitor,
    )?;
    Ok((alpha.as_mat().to_owned(), report))
}

/// MINRES on `A`, positive or not.
pub(super) fn minres(
    transformed: &TransformedGram<'_>,
    weights: &[f64],
    labels: &Labels<'_>,
    monitor: &mut dyn Monitor,
) -> Result<(Mat<f64>, SolveReport)> {
    let system = system(transformed, weights, labels)?;
    let iteration = Minres::new(
        &system,
        Block::copy_of(labels.values)?,
        transformed.tolerance,
    )?;
    let (alpha, report) = solve::drive(iteration, stop(transformed, None), monitor)?;
    Ok((alpha.as_mat().to_owned(), report))
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
