//! The rate of a kernel that falls off with distance.

use crate::error::{Error, Result};

/// `factor / bandwidth²`, refusing bandwidths for which it is no usable number.
pub(super) fn rate(bandwidth: f64, factor: f64) -> Result<f64> {
    let rate = factor / (bandwidth * bandwidth);
    if bandwidth > 0.0 && bandwidth.is_finite() && rate.is_normal() {
        return Ok(rate);
    }
    let expected = if bandwidth > 0.0 && bandwidth.is_finite() {
        "a positive number whose square is neither 0 nor infinite; rescale the columns"
    } else {
        "a positive number"
    };
    Err(Error::parameter("bandwidth", expected, bandwidth))
}
