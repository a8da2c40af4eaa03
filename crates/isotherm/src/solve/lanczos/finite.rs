//! Numbers that overflow are refused.

use crate::error::{Error, Result};
use crate::spectrum::SpectralFunction;

pub(super) const PHASE: &str = "matrix functions by lanczos";

/// `f(λ)`, which must be a number.
pub(super) fn finite(function: &dyn SpectralFunction, at: f64) -> Result<f64> {
    let f = function.at(at);
    if f.is_finite() {
        return Ok(f);
    }
    Err(Error::NotFinite {
        phase: PHASE,
        hint: format!("the function is {f} at {at}; keep its poles off the spectrum"),
    })
}

pub(super) fn overflow() -> Error {
    Error::NotFinite {
        phase: PHASE,
        hint: "rescale the data: numbers overflow".to_owned(),
    }
}
