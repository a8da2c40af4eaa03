//! Spectral filters `ψ(x)` of the pencil `(Σ, L + μ)`.  [KLAP §2.2, Prop. 1, Eq 7]
//!
//! An eigenvalue is large where a mode is smooth; every filter tends to `1/x`
//! there and stays bounded as x → 0.

use super::SpectralFunction;
use crate::error::{Error, Result};

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
    /// Checks that the parameter is a positive finite number.
    ///
    /// # Errors
    /// [`Error::Parameter`] otherwise.
    pub fn check(&self) -> Result<()> {
        let (name, value) = match *self {
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

impl SpectralFunction for Filter {
    fn at(&self, x: f64) -> f64 {
        match *self {
            Self::Tikhonov { strength } => 1.0 / (x + strength),
            Self::CutOff { threshold } if x > threshold => 1.0 / x,
            Self::CutOff { .. } => 0.0,
            Self::GradientFlow { time } if x == 0.0 => time,
            Self::GradientFlow { time } => -(-time * x).exp_m1() / x,
            Self::Heat { .. } if x <= 0.0 => 0.0,
            Self::Heat { time } => (-time / x).exp() / x,
        }
    }
}
