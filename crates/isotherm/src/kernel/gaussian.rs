//! Gaussian kernel, k(x, z) = exp(−‖x − z‖² / 2σ²).  [KLAP Example 1]

use super::exp::exp_of;
use super::rate::rate;
use super::vector::{self, MapWithSlope};
use super::{Geometry, Kernel, SmoothKernel};
use crate::error::Result;

/// The Gaussian kernel with bandwidth σ; note the 2 in 2σ².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaussian {
    bandwidth: f64,
    /// −1/2σ²
    rate: f64,
}

impl Gaussian {
    /// A Gaussian kernel of the given bandwidth σ.
    ///
    /// # Errors
    /// [`crate::Error::Parameter`] when the bandwidth is not a positive finite
    /// number, or so small or large that 1/2σ² is not one.
    pub fn new(bandwidth: f64) -> Result<Self> {
        let rate = rate(bandwidth, 0.5)?;
        Ok(Self {
            bandwidth,
            rate: -rate,
        })
    }

    /// The bandwidth σ.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }
}

impl Kernel for Gaussian {
    fn geometry(&self) -> Geometry {
        Geometry::SquaredDistance
    }

    fn value(&self, tile: &mut [f64]) {
        super::exp::exp_scaled(tile, self.rate);
    }

    fn positive(&self) -> bool {
        true
    }
}

impl SmoothKernel for Gaussian {
    /// dk/dR = −k/2σ²
    fn value_and_slope(&self, tile: &mut [f64], slope: &mut [f64]) {
        vector::map_with_slope(tile, slope, Formula { rate: self.rate });
    }

    /// d²k/dR² = k/4σ⁴
    fn curvature(&self, t: f64) -> f64 {
        self.rate * self.rate * self.at(t)
    }
}

#[derive(Clone, Copy)]
struct Formula {
    rate: f64,
}

impl MapWithSlope for Formula {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> (f64, f64) {
        let k = exp_of::<FUSED>(self.rate * t);
        (k, self.rate * k)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/gaussian.rs"]
mod tests;
