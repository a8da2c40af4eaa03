//! What a transform must be on a spectrum.  [STKR Theorem 1]

use super::SpectralFunction;
use crate::error::{Error, Result};

/// Places at which a transform is looked at.
const PLACES: usize = 1024;

/// How far a value may fall below an earlier one, relative to the largest: rounding.
const SLACK: f64 = 1e-10;

/// Checks Theorem 1's conditions for eigenvalues in [0, high]: `s(0) = 0`,
/// `s ≥ 0` and non-decreasing, `s(λ) ≤ Mλ`; and returns the smallest such M.
///
/// A function is looked at in 1025 places, evenly spread and crowding towards
/// both ends; smoothness is taken on trust.
///
/// # Errors
/// [`Error::Parameter`] naming the eigenvalue at which a condition fails.
pub(crate) fn check_on(s: &dyn SpectralFunction, high: f64) -> Result<f64> {
    let refuse = |expected: &str, at: f64, value: f64| {
        let expected = format!("{expected} for eigenvalues in [0, {high:.6}]");
        Err(Error::parameter(
            "the transform s",
            expected,
            format!("s({at:.6}) = {value:.6e}"),
        ))
    };
    let at_zero = s.at(0.0);
    if at_zero.abs() > f64::EPSILON {
        return refuse("zero at zero", 0.0, at_zero);
    }
    // sin² crowds the places towards both ends, where poles and kinks are.
    let place = |k: usize| {
        let angle = std::f64::consts::FRAC_PI_2 * k as f64 / PLACES as f64;
        high * angle.sin().powi(2)
    };
    let scale = s.at(high).abs();
    let (mut before, mut steepest) = (0.0, 0.0_f64);
    for k in 1..=PLACES {
        let at = place(k);
        let value = s.at(at);
        if !value.is_finite() {
            return refuse("finite", at, value);
        }
        if value < -SLACK * scale {
            return refuse(
                "at least zero (a pole lies below, or it is negative)",
                at,
                value,
            );
        }
        if value < before - SLACK * scale.max(before) {
            return refuse("non-decreasing", at, value);
        }
        before = value;
        let ratio = s.ratio(at);
        if !ratio.is_finite() {
            return refuse("at most Mλ", at, value);
        }
        steepest = steepest.max(ratio.abs());
    }
    Ok(steepest)
}
