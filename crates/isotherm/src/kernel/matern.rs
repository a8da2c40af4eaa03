//! Matérn kernels of smoothness 3/2 and 5/2.
//!
//! With a = √(2ν)·‖x − z‖/ℓ: (1 + a)·e⁻ᵃ for ν = 3/2, (1 + a + a²/3)·e⁻ᵃ for
//! ν = 5/2. Smoothness 1/2 is the [`super::Exponential`] kernel, which has no
//! gradient at zero; smoothness ∞ is the [`super::Gaussian`].
//! [Rasmussen and Williams 2006, Eqns 4.16–4.17]

use super::exp::exp_of;
use super::rate::rate;
use super::vector::{self, Map, MapWithSlope, mul_add};
use super::{Geometry, Kernel, SmoothKernel};
use crate::error::Result;

/// How often the functions of a Matérn kernel can be differentiated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Smoothness {
    /// ν = 3/2: once.
    #[default]
    #[serde(rename = "3/2")]
    ThreeHalves,
    /// ν = 5/2: twice.
    #[serde(rename = "5/2")]
    FiveHalves,
}

/// A Matérn kernel with length scale ℓ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matern {
    smoothness: Smoothness,
    bandwidth: f64,
    /// 2ν/ℓ², so that a² = rate·R
    rate: f64,
}

impl Matern {
    /// A Matérn kernel of the given smoothness and length scale.
    ///
    /// # Errors
    /// [`crate::Error::Parameter`] when the bandwidth is not a positive finite
    /// number, or so small or large that 1/ℓ² is not one.
    pub fn new(smoothness: Smoothness, bandwidth: f64) -> Result<Self> {
        let factor = match smoothness {
            Smoothness::ThreeHalves => 3.0,
            Smoothness::FiveHalves => 5.0,
        };
        let rate = rate(bandwidth, factor)?;
        Ok(Self {
            smoothness,
            bandwidth,
            rate,
        })
    }

    /// The length scale ℓ.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// The smoothness ν.
    pub fn smoothness(&self) -> Smoothness {
        self.smoothness
    }
}

impl Kernel for Matern {
    fn geometry(&self) -> Geometry {
        Geometry::SquaredDistance
    }

    fn value(&self, tile: &mut [f64]) {
        match self.smoothness {
            Smoothness::ThreeHalves => vector::map(tile, ThreeHalves { rate: self.rate }),
            Smoothness::FiveHalves => vector::map(tile, FiveHalves { rate: self.rate }),
        }
    }

    fn positive(&self) -> bool {
        true
    }
}

impl SmoothKernel for Matern {
    /// ν = 3/2: dk/dR = −(3/2ℓ²)·e⁻ᵃ; ν = 5/2: dk/dR = −(5/6ℓ²)·(1 + a)·e⁻ᵃ;
    /// both finite at R = 0.
    fn value_and_slope(&self, tile: &mut [f64], slope: &mut [f64]) {
        let rate = self.rate;
        match self.smoothness {
            Smoothness::ThreeHalves => vector::map_with_slope(tile, slope, ThreeHalves { rate }),
            Smoothness::FiveHalves => vector::map_with_slope(tile, slope, FiveHalves { rate }),
        }
    }

    /// ν = 3/2: d²k/dR² = (9/4ℓ⁴)·e⁻ᵃ/a; ν = 5/2: (25/12ℓ⁴)·e⁻ᵃ.
    fn curvature(&self, t: f64) -> f64 {
        let a = capped(self.rate * t).sqrt();
        let e = self.rate * self.rate * (-a).exp();
        match self.smoothness {
            Smoothness::ThreeHalves if a == 0.0 => 0.0,
            Smoothness::ThreeHalves => e / (4.0 * a),
            Smoothness::FiveHalves => e / 12.0,
        }
    }
}

/// Beyond a = 1000 the exponential is 0; stopping there keeps ∞·0 away.
#[inline(always)]
fn capped(square: f64) -> f64 {
    if square > 1e6 { 1e6 } else { square }
}

#[derive(Clone, Copy)]
struct ThreeHalves {
    rate: f64,
}

impl MapWithSlope for ThreeHalves {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> (f64, f64) {
        let a = capped(self.rate * t).sqrt();
        let e = exp_of::<FUSED>(-a);
        (mul_add::<FUSED>(a, e, e), (-0.5 * self.rate) * e)
    }
}

impl Map for ThreeHalves {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> f64 {
        MapWithSlope::at::<FUSED>(self, t).0
    }
}

#[derive(Clone, Copy)]
struct FiveHalves {
    rate: f64,
}

impl MapWithSlope for FiveHalves {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> (f64, f64) {
        let square = capped(self.rate * t);
        let a = square.sqrt();
        let e = exp_of::<FUSED>(-a);
        let linear = 1.0 + a;
        let k = mul_add::<FUSED>(square, 1.0 / 3.0, linear) * e;
        (k, (self.rate / -6.0) * (linear * e))
    }
}

impl Map for FiveHalves {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> f64 {
        MapWithSlope::at::<FUSED>(self, t).0
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/matern.rs"]
mod tests;
