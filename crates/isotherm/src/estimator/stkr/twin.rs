//! The positive twin of a transformed kernel, on a base that is not positive: which one it is
//! follows from the base and the transform, never from the labels or the solver.

use crate::error::Result;
use crate::monitor::Monitor;
use crate::operator::Symmetric;
use crate::operator::shifted::Shifted;
use crate::solve::eigenpairs::{self, LeadingOptions};
use crate::spectrum::SpectralFunction;

/// A negative eigenvalue below this part of the largest is rounding: similarities that were
/// written in single precision have such.
const ROUNDING: f64 = 1e-7;

/// Places at which a transform is looked at between the lowest eigenvalue and zero.
const PLACES: usize = 1024;

/// A kernel with more between a sample and itself: `Kₛ + ℓI` with the ridge `σβ`.
///
/// Off the labels its fit is that of `Kₛ` with the ridge `σβ + ℓ/n`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twin {
    /// ℓ.
    pub lift: f64,
    /// σ.
    pub share: f64,
    /// Whether it is `N(I − ηS)⁻¹/η`.
    resolvent: bool,
}

impl Twin {
    /// Of the inverse Laplacian on N samples: `N(I − ηS)⁻¹ = η(Kₛ + (N/η)I)`, so ℓ = N/η and
    /// σ = 1/η. Positive for every S with ηS < I.
    pub fn of_inverse_laplacian(eta: f64, total: usize) -> Self {
        Self {
            lift: total as f64 / eta,
            share: 1.0 / eta,
            resolvent: true,
        }
    }

    /// Of any transform: ℓ = −N min s between the lowest eigenvalue and zero, σ = 1; `None`
    /// where s is not negative there, or not a number.
    pub fn least(s: &dyn SpectralFunction, lowest: f64, total: usize) -> Option<Self> {
        let at = |k: usize| s.at(lowest * k as f64 / PLACES as f64);
        let least = (1..=PLACES).map(at).fold(0.0, |m: f64, v| match v {
            v if v.is_nan() || m.is_nan() => f64::NAN,
            v => m.min(v),
        });
        Some(Self {
            lift: -(total as f64) * least,
            share: 1.0,
            resolvent: false,
        })
        .filter(|twin| twin.lift > 0.0 && twin.lift.is_finite())
    }

    /// What it is, for a report.
    pub(super) fn name(&self, total: usize) -> String {
        if self.resolvent {
            "p.s.d. twin N(I − ηS)⁻¹ with this ridge".to_owned()
        } else {
            let lift = self.lift / total as f64;
            format!("p.s.d. twin N(s(S) + {lift:.3}I) with this ridge")
        }
    }
}

/// The lowest eigenvalue of a base, or a bound below it; 0 where none is negative. A
/// normalised graph is known by its bound; similarities that promise nothing are looked at.
pub(super) fn lowest(
    gram: &dyn Symmetric,
    normalised: bool,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<f64> {
    let bound = gram.spectrum();
    if bound.low >= -1e-12 {
        return Ok(0.0);
    }
    if normalised && bound.low.is_finite() {
        return Ok(bound.low);
    }
    let options = LeadingOptions {
        tolerance: 1e-4,
        seed,
        at_most: 100,
    };
    let negated = Shifted {
        inner: gram,
        scale: -1.0,
        shift: 0.0,
    };
    let pair = |found: &eigenpairs::Leading| {
        let first = found.values.first().zip(found.residuals.first());
        first.map_or((0.0, 0.0), |(value, residual)| (*value, *residual))
    };
    // A Ritz value is never above the eigenvalue it stands for.
    let (low, error) = pair(&eigenpairs::leading(&negated, 1, &options, monitor)?);
    let (high, _) = pair(&eigenpairs::leading(gram, 1, &options, monitor)?);
    if low > ROUNDING * high.max(0.0) {
        Ok((-low - error).max(bound.low))
    } else {
        Ok(0.0)
    }
}
