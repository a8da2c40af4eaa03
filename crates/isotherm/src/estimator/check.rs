//! What several methods check of labels and parameters.

use crate::error::{Error, Result};
use crate::task::Observed;

/// Refuses labels of other samples.
pub(super) fn check_total(expected: usize, seen: &Observed) -> Result<()> {
    if seen.total() == expected {
        return Ok(());
    }
    Err(Error::Shape {
        what: "labels, one for each sample, blank or not",
        expected,
        got: seen.total(),
    })
}

/// Refuses a tolerance or an iteration limit that can never be met.
pub(super) fn check_stopping(tolerance: f64, iterations: usize) -> Result<()> {
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(Error::parameter(
            "tolerance",
            "above 0 and below 1",
            tolerance,
        ));
    }
    if iterations == 0 {
        return Err(Error::parameter("iterations", "at least 1", iterations));
    }
    Ok(())
}
