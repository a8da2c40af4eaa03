//! Exponential kernel, k(x, z) = exp(−‖x − z‖ / ℓ); Matérn of smoothness 1/2.
//!
//! A [`Kernel`] but not a [`super::SmoothKernel`]: dk/dR = −k/(2ℓ√R) is
//! infinite where the two points meet.

use super::exp::exp_of;
use super::rate::rate;
use super::vector::{self, Map};
use super::{Geometry, Kernel};
use crate::error::Result;

/// The exponential kernel with length scale ℓ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponential {
    bandwidth: f64,
    /// 1/ℓ²
    rate: f64,
}

impl Exponential {
    /// An exponential kernel of the given length scale.
    ///
    /// # Errors
    /// [`crate::Error::Parameter`] when the bandwidth is not a positive finite
    /// number, or so small or large that 1/ℓ² is not one.
    pub fn new(bandwidth: f64) -> Result<Self> {
        let rate = rate(bandwidth, 1.0)?;
        Ok(Self { bandwidth, rate })
    }

    /// The length scale ℓ.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }
}

impl Kernel for Exponential {
    fn geometry(&self) -> Geometry {
        Geometry::SquaredDistance
    }

    fn value(&self, tile: &mut [f64]) {
        vector::map(tile, Formula { rate: self.rate });
    }

    fn positive(&self) -> bool {
        true
    }
}

#[derive(Clone, Copy)]
struct Formula {
    rate: f64,
}

impl Map for Formula {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> f64 {
        exp_of::<FUSED>(-(self.rate * t).sqrt())
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/exponential.rs"]
mod tests;
