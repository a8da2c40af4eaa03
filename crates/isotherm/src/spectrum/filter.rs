//! Spectral filters `ψ(x)` of the pencil `(Σ, L + μ)`.  [KLAP §2.2, Prop. 1, Eq 7]
//!
//! An eigenvalue is large where a mode is smooth; every filter tends to `1/x`
//! there and stays bounded as x → 0.

use super::SpectralFunction;
use crate::error::{Error, Refusal, Result};

/// `ψ(x)`: a stable substitute for `1/x`.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Filter {
    /// `1/(x + λ)`
    Tikhonov {
        /// λ > 0.
        strength: f64,
    },
    /// `1/x` above the threshold, else 0.
    CutOff {
        /// λ > 0.
        threshold: f64,
    },
    /// `1/x` on the leading eigenvalues, else 0: regression on the smoothest modes.
    Leading {
        /// How many, at least 1.
        rank: usize,
    },
    /// `(1 − (1 − τx)^T)/x`, which is τT at 0: T steps of gradient descent.
    Landweber {
        /// T, at least 1.
        steps: u32,
        /// τ > 0, at most one over the largest eigenvalue; without it that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<f64>,
    },
    /// `(1 − e^{−tx})/x`, which is t at 0.
    GradientFlow {
        /// t > 0.
        time: f64,
    },
    /// `e^{−t/x}/x`, which is 0 at 0.
    Heat {
        /// t > 0.
        time: f64,
    },
}

impl Filter {
    /// Checks that the parameters are positive finite numbers.
    ///
    /// # Errors
    /// [`Error::Parameter`] otherwise.
    pub fn check(&self) -> Result<()> {
        let (name, value) = match *self {
            Self::Leading { rank: 0 } => {
                return Err(Error::parameter("rank", "at least 1", 0));
            }
            Self::Landweber { steps: 0, .. } => {
                return Err(Error::parameter("steps", "at least 1", 0));
            }
            Self::Leading { .. } | Self::Landweber { step: None, .. } => return Ok(()),
            Self::Landweber {
                step: Some(step), ..
            } => ("step", step),
            Self::Tikhonov { strength } => ("strength", strength),
            Self::CutOff { threshold } => ("threshold", threshold),
            Self::GradientFlow { time } | Self::Heat { time } => ("time", time),
        };
        if !(value > 0.0 && value.is_finite()) {
            return Err(Error::parameter(name, "a positive number", value));
        }
        Ok(())
    }
}

impl Filter {
    /// The filter for this spectrum: a rank becomes a threshold, a missing step one
    /// over the largest eigenvalue. Eigenvalues descend.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a Landweber step above `2/λ₁`, where descent diverges;
    /// [`Error::Refused`] when the rank cuts a repeated eigenvalue, whose modes are
    /// interchangeable.
    pub fn resolved(&self, eigenvalues: &[f64]) -> Result<Self> {
        let largest = eigenvalues.first().copied().unwrap_or(0.0).max(0.0);
        match *self {
            Self::Leading { rank } => {
                let last = eigenvalues.get(rank.saturating_sub(1)).copied();
                let next = eigenvalues.get(rank).copied().unwrap_or(0.0).max(0.0);
                let Some(last) = last.filter(|v| *v > largest * f64::EPSILON) else {
                    // Fewer modes than asked for: all there are.
                    let threshold = largest.max(f64::MIN_POSITIVE) * f64::EPSILON;
                    return Ok(Self::CutOff { threshold });
                };
                if last - next <= 1e-10 * largest {
                    return Err(Error::refused(
                        Refusal::Rank,
                        format!("rank {rank} cuts between equal eigenvalues, {last:e}"),
                        "choose a rank at a gap of the spectrum",
                    ));
                }
                let threshold = (last * next).sqrt().max(0.5 * (last + next) * 1e-3);
                Ok(Self::CutOff {
                    threshold: threshold.clamp(next.max(f64::MIN_POSITIVE), last * (1.0 - 1e-12)),
                })
            }
            Self::Landweber { steps, step } => {
                let step = step.unwrap_or(1.0 / largest.max(f64::MIN_POSITIVE));
                if step * largest >= 2.0 {
                    return Err(Error::parameter(
                        "step",
                        format!("below 2/λ₁ = {:e}, or descent diverges", 2.0 / largest),
                        step,
                    ));
                }
                Ok(Self::Landweber {
                    steps,
                    step: Some(step),
                })
            }
            ref other => Ok(other.clone()),
        }
    }
}

impl SpectralFunction for Filter {
    fn at(&self, x: f64) -> f64 {
        match *self {
            Self::Tikhonov { strength } => 1.0 / (x + strength),
            Self::CutOff { threshold } if x > threshold => 1.0 / x,
            Self::CutOff { .. } => 0.0,
            // Ranks and steps are resolved by the spectrum first.
            Self::Leading { .. } if x > 0.0 => 1.0 / x,
            Self::Leading { .. } => 0.0,
            Self::Landweber { steps, step } => {
                let step = step.unwrap_or(1.0);
                if x == 0.0 {
                    return step * f64::from(steps);
                }
                // (1 − τx)^T without cancellation for small x.
                let factor = 1.0 - step * x;
                if factor > 0.0 {
                    -(f64::from(steps) * (-step * x).ln_1p()).exp_m1() / x
                } else {
                    (1.0 - factor.powi(i32::try_from(steps).unwrap_or(i32::MAX))) / x
                }
            }
            Self::GradientFlow { time } if x == 0.0 => time,
            Self::GradientFlow { time } => -(-time * x).exp_m1() / x,
            Self::Heat { .. } if x <= 0.0 => 0.0,
            Self::Heat { time } => (-time / x).exp() / x,
        }
    }
}
