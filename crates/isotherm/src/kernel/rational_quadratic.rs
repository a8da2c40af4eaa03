//! Rational quadratic kernel, k(x, z) = (1 + ‖x − z‖² / 2αℓ²)^−α.
//!
//! A mixture of Gaussians of all bandwidths; as the shape α grows it becomes
//! the Gaussian of bandwidth ℓ. [Rasmussen and Williams 2006, Eqn 4.19]

use super::exp::exp_of;
use super::ln::ln_1p_of;
use super::rate::rate;
use super::vector::{self, Map, MapWithSlope};
use super::{Geometry, Kernel, SmoothKernel};
use crate::error::{Error, Result};

/// The rational quadratic kernel with length scale ℓ and shape α.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RationalQuadratic {
    bandwidth: f64,
    shape: f64,
    /// 1/2αℓ²
    rate: f64,
}

impl RationalQuadratic {
    /// A rational quadratic kernel of the given length scale and shape.
    ///
    /// # Errors
    /// [`Error::Parameter`] when the shape or the bandwidth is not a positive
    /// finite number, or so small or large that 1/2αℓ² is not one.
    pub fn new(bandwidth: f64, shape: f64) -> Result<Self> {
        if !(shape > 0.0 && shape.is_finite()) {
            return Err(Error::parameter("shape", "a positive number", shape));
        }
        let rate = rate(bandwidth, 0.5 / shape)?;
        Ok(Self {
            bandwidth,
            shape,
            rate,
        })
    }

    /// The length scale ℓ.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// The shape α.
    pub fn shape(&self) -> f64 {
        self.shape
    }

    fn formula(&self) -> Formula {
        Formula {
            rate: self.rate,
            shape: self.shape,
        }
    }
}

impl Kernel for RationalQuadratic {
    fn geometry(&self) -> Geometry {
        Geometry::SquaredDistance
    }

    fn value(&self, tile: &mut [f64]) {
        vector::map(tile, self.formula());
    }

    fn positive(&self) -> bool {
        true
    }
}

impl SmoothKernel for RationalQuadratic {
    /// dk/dR = −k / (2ℓ²·(1 + R/2αℓ²))
    fn value_and_slope(&self, tile: &mut [f64], slope: &mut [f64]) {
        vector::map_with_slope(tile, slope, self.formula());
    }

    /// d²k/dR² = (1 + 1/α)·k / (4ℓ⁴·(1 + R/2αℓ²)²)
    fn curvature(&self, t: f64) -> f64 {
        let base = 1.0 + self.rate * t;
        self.shape * (self.shape + 1.0) * (self.rate / base).powi(2) * self.at(t)
    }
}

#[derive(Clone, Copy)]
struct Formula {
    rate: f64,
    shape: f64,
}

impl Map for Formula {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> f64 {
        exp_of::<FUSED>(-self.shape * ln_1p_of::<FUSED>(self.rate * t))
    }
}

impl MapWithSlope for Formula {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> (f64, f64) {
        let k = Map::at::<FUSED>(self, t);
        (k, -self.shape * self.rate * k / (1.0 + self.rate * t))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/rational_quadratic.rs"]
mod tests;
