//! When a column's results have settled: by the residual of every resolvent, or by
//! how much the result of any other function changed between two looks.

use super::finite::{finite, overflow};
use super::process::Tridiagonal;
use crate::error::Result;
use crate::linalg::eigen;
use crate::spectrum::SpectralFunction;

/// Below this many steps two looks in a row must be satisfied.
const YOUNG: usize = 8;

/// So many looks in a row that do not halve the change, once it is below √ε, are
/// the end: the change is rounding.
const STALE: usize = 4;

/// What is known of one column's results.
pub(super) struct Known {
    /// `‖b‖ f(T) e₁`, one for each function.
    pub(super) coefficients: Vec<Vec<f64>>,
    /// One for each function, while all of them are resolvents.
    residuals: Option<Vec<Residual>>,
    pub(super) error: f64,
    /// Looks in a row that were satisfied.
    satisfied: usize,
    /// The smallest error seen, and looks in a row that did not halve it.
    best: f64,
    stale: usize,
    pub(super) done: bool,
}

impl Known {
    pub(super) fn new(column: &Tridiagonal, functions: &[&dyn SpectralFunction]) -> Self {
        let residual = |f: &&dyn SpectralFunction| f.resolvent().map(|r| Residual::new(r.eta));
        Self {
            coefficients: vec![Vec::new(); functions.len()],
            residuals: functions.iter().map(residual).collect(),
            error: if column.ended { 0.0 } else { f64::INFINITY },
            satisfied: 0,
            best: f64::INFINITY,
            stale: 0,
            done: column.ended,
        }
    }

    /// Follows the residuals one step; whether all have met the tolerance, or
    /// `None` when they are not known.
    pub(super) fn follow(&mut self, t: &Tridiagonal, tolerance: f64) -> Option<bool> {
        let residuals = self.residuals.take()?.into_iter().map(|r| r.step(t));
        let residuals = residuals.collect::<Option<Vec<Residual>>>()?;
        let worst = residuals.iter().fold(0.0, |w: f64, r| w.max(r.relative));
        self.residuals = Some(residuals);
        self.error = worst;
        Some(worst <= tolerance)
    }
}

/// The residual of `(I − ηT) x = ‖b‖ e₁` relative to `‖b‖`, step by step.
///
/// With the pivots dₖ of `I − ηT = L D Lᵀ` the last entry of x is
/// `ζₖ = ζₖ₋₁ dₖ₋₁ · (ηβₖ₋₁/dₖ₋₁) / dₖ`, and what the space leaves of b is `ηβₖ ζₖ`.
#[derive(Clone, Copy)]
struct Residual {
    eta: f64,
    /// dₖ and dₖζₖ.
    pivot: f64,
    value: f64,
    relative: f64,
}

impl Residual {
    fn new(eta: f64) -> Self {
        Self {
            eta,
            pivot: 1.0,
            value: 1.0,
            relative: 1.0,
        }
    }

    /// Takes the last row of `T` in; `None` when `I − ηT` is not positive definite.
    fn step(mut self, t: &Tridiagonal) -> Option<Self> {
        let k = t.diagonal.len().checked_sub(1)?;
        let mut pivot = 1.0 - self.eta * t.diagonal[k];
        if k > 0 {
            let off = self.eta * t.beside[k - 1];
            self.value *= off / self.pivot;
            pivot -= off * off / self.pivot;
        }
        self.pivot = pivot;
        self.relative = (self.eta * t.beside[k] * self.value / pivot).abs();
        (pivot > 0.0 && self.relative.is_finite()).then_some(self)
    }
}

/// `‖b‖ f(T) e₁` from the eigenvalues and vectors of `T`.
fn spectral(eigen: &eigen::Eigen, function: &dyn SpectralFunction, norm: f64) -> Result<Vec<f64>> {
    let mut out = vec![0.0; eigen.values.len()];
    for (i, &value) in eigen.values.iter().enumerate() {
        let f = finite(function, value)?;
        let vector = eigen.vectors.col(i);
        let scale = norm * f * vector[0];
        for (slot, u) in out.iter_mut().zip(vector.iter()) {
            *slot += scale * u;
        }
    }
    Ok(out)
}

/// One look: the coefficients of every function and how good they are.
pub(super) fn evaluate(
    t: &Tridiagonal,
    functions: &[&dyn SpectralFunction],
    tolerance: f64,
    known: &mut Known,
) -> Result<()> {
    let k = t.diagonal.len();
    let mut eigen = None;
    let (mut error, mut rounding) = (0.0_f64, 0.0_f64);
    for (function, old) in functions.iter().zip(&mut known.coefficients) {
        let short = function.resolvent().and_then(|parts| t.resolve(parts));
        let new = match (short, &mut eigen) {
            (Some(new), _) => new,
            (None, Some(eigen)) => spectral(eigen, *function, t.norm)?,
            (None, none) => spectral(none.insert(t.eigen()?), *function, t.norm)?,
        };
        let square = |change: f64, y: f64| change + y * y;
        let size = new.iter().copied().fold(0.0, square);
        let padded = old.iter().copied().chain(std::iter::repeat(0.0));
        let change = (new.iter().zip(padded)).fold(0.0, |sum, (a, b)| square(sum, a - b));
        if !size.is_finite() {
            return Err(overflow());
        }
        if change > 0.0 {
            error = error.max((change / size).sqrt());
        }
        rounding = rounding.max(f64::EPSILON * size.sqrt() / t.norm);
        *old = new;
    }
    if known.residuals.is_some() && !t.ended {
        // No residual is below the rounding of b − (I − ηA)x.
        known.error = known.error.max(rounding);
        known.done = true;
        return Ok(());
    }
    known.error = if t.ended { 0.0 } else { error };
    let satisfied = known.error <= tolerance;
    known.satisfied = if satisfied { known.satisfied + 1 } else { 0 };
    known.stale = if known.error < 0.5 * known.best {
        known.best = known.error;
        0
    } else {
        known.stale + 1
    };
    // The digits of the arithmetic are used up: more steps only cost.
    let stagnated = known.stale >= STALE && known.error <= f64::EPSILON.sqrt();
    known.done = t.ended || stagnated || known.satisfied >= if k < YOUNG { 2 } else { 1 };
    Ok(())
}
