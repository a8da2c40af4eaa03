//! Polynomial kernel, k(x, z) = (γ x·z + c)^degree.

use super::vector::{self, Map, MapWithSlope, mul_add};
use super::{Geometry, Kernel, SmoothKernel};
use crate::error::{Error, Result};

/// The largest degree: beyond it the numbers overflow before they teach anything.
pub(crate) const LARGEST_DEGREE: u32 = 32;

/// The polynomial kernel with scale γ and offset c.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial {
    degree: u32,
    scale: f64,
    offset: f64,
}

impl Polynomial {
    /// A polynomial kernel.
    ///
    /// # Errors
    /// [`Error::Parameter`] when the degree is not 1 to 32, the scale γ not a
    /// positive number, or the offset c negative (the kernel is then not
    /// positive) or not finite.
    pub fn new(degree: u32, scale: f64, offset: f64) -> Result<Self> {
        if !(1..=LARGEST_DEGREE).contains(&degree) {
            return Err(Error::parameter(
                "degree",
                "a whole number from 1 to 32",
                degree,
            ));
        }
        if !(scale > 0.0 && scale.is_finite()) {
            return Err(Error::parameter("scale", "a positive number", scale));
        }
        if !(offset >= 0.0 && offset.is_finite()) {
            return Err(Error::parameter("offset", "zero or positive", offset));
        }
        Ok(Self {
            degree,
            scale,
            offset,
        })
    }

    /// The degree.
    pub fn degree(&self) -> u32 {
        self.degree
    }

    /// The scale γ.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The offset c.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

impl Kernel for Polynomial {
    fn geometry(&self) -> Geometry {
        Geometry::InnerProduct
    }

    fn value(&self, tile: &mut [f64]) {
        vector::map(tile, Formula(*self));
    }

    fn positive(&self) -> bool {
        true
    }
}

impl SmoothKernel for Polynomial {
    /// dk/d(x·z) = γ·degree·(γ x·z + c)^(degree − 1)
    fn value_and_slope(&self, tile: &mut [f64], slope: &mut [f64]) {
        vector::map_with_slope(tile, slope, Formula(*self));
    }

    /// d²k/d(x·z)² = γ²·degree·(degree − 1)·(γ x·z + c)^(degree − 2)
    fn curvature(&self, t: f64) -> f64 {
        let Some(lower) = self.degree.checked_sub(2) else {
            return 0.0;
        };
        let factor = f64::from(self.degree) * f64::from(self.degree - 1);
        let base = self.scale * t + self.offset;
        self.scale * self.scale * factor * power(base, lower)
    }
}

#[derive(Clone, Copy)]
struct Formula(Polynomial);

impl MapWithSlope for Formula {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> (f64, f64) {
        let Self(kernel) = self;
        let base = mul_add::<FUSED>(kernel.scale, t, kernel.offset);
        let lower = power(base, kernel.degree - 1);
        let factor = kernel.scale * f64::from(kernel.degree);
        (lower * base, factor * lower)
    }
}

impl Map for Formula {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> f64 {
        MapWithSlope::at::<FUSED>(self, t).0
    }
}

/// `base` to a power of at most 31: five squarings without a branch on the
/// base, so that the loop around it stays a vector loop.
#[inline(always)]
fn power(base: f64, exponent: u32) -> f64 {
    let (mut result, mut square) = (1.0, base);
    for bit in 0..5 {
        let factor = if exponent >> bit & 1 == 1 {
            square
        } else {
            1.0
        };
        result *= factor;
        // Stops before a square that is not needed could overflow.
        square *= if exponent >> bit > 1 { square } else { 1.0 };
    }
    result
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/polynomial.rs"]
mod tests;
