//! Spectral transforms `s(λ)` of a base kernel.  [STKR §3]

use super::SpectralFunction;
use crate::error::{Error, Result};

/// `s(λ)`: how strongly a mode with eigenvalue λ of the base kernel is kept.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Transform {
    /// `s(λ) = Σₚ πₚ λᵖ`, p ≥ 1; `weights[0]` is π₁.  [STKR Assumption 1]
    Polynomial {
        /// π₁, π₂, …
        weights: Vec<f64>,
    },
    /// `1/s(λ) = Σₚ ξₚ λᵖ⁻ʳ`, p ≥ 0; `weights[0]` is ξ₀.  [STKR Eqn 20;
    /// Example 1, the inverse Laplacian, is ξ = (1, −η), r = 1]
    Reciprocal {
        /// ξ₀, ξ₁, …
        weights: Vec<f64>,
        /// r ≥ 1.
        order: usize,
    },
}

impl Transform {
    /// `s(λ) = λ/(1 − ηλ)`, the inverse Laplacian.  [STKR Example 1]
    ///
    /// # Errors
    /// [`Error::Parameter`] unless 0 ≤ η < 1.
    pub fn inverse_laplacian(eta: f64) -> Result<Self> {
        if !(0.0..1.0).contains(&eta) {
            return Err(Error::parameter("eta", "at least 0 and below 1", eta));
        }
        Ok(Self::Reciprocal {
            weights: vec![1.0, -eta],
            order: 1,
        })
    }

    /// Checks that the transform is one: finite weights, not all zero, order ≥ 1.
    ///
    /// # Errors
    /// [`Error::Parameter`] naming the rule that was broken.
    pub fn check(&self) -> Result<()> {
        let (weights, order) = match self {
            Self::Polynomial { weights } => (weights, 1),
            Self::Reciprocal { weights, order } => (weights, *order),
        };
        if order == 0 {
            return Err(Error::parameter("order", "at least 1", order));
        }
        if weights.iter().any(|w| !w.is_finite()) || weights.iter().all(|w| *w == 0.0) {
            return Err(Error::parameter(
                "weights",
                "finite numbers, not all of them zero",
                weights,
            ));
        }
        Ok(())
    }
}

impl SpectralFunction for Transform {
    fn at(&self, eigenvalue: f64) -> f64 {
        let horner = |w: &[f64]| w.iter().rev().fold(0.0, |s, w| s * eigenvalue + w);
        match self {
            Self::Polynomial { weights } => eigenvalue * horner(weights),
            Self::Reciprocal { weights, order } => {
                let order = i32::try_from(*order).unwrap_or(i32::MAX);
                eigenvalue.powi(order) / horner(weights)
            }
        }
    }
}
