//! Laplace kernel, k(x, z) = exp(−‖x − z‖₁ / ℓ): a product over the columns.
//!
//! Outliers, skewed columns and columns that say nothing change it less than a kernel of the
//! Euclidean distance. A [`Kernel`] but not a [`super::SmoothKernel`]: it has a corner
//! wherever two rows agree in a column.

use super::exp::exp_of;
use super::rate::rate;
use super::vector::{self, Map};
use super::{Geometry, Kernel};
use crate::error::Result;

/// The Laplace kernel with length scale ℓ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Laplace {
    bandwidth: f64,
}

impl Laplace {
    /// A Laplace kernel of the given length scale.
    ///
    /// # Errors
    /// [`crate::Error::Parameter`] when the bandwidth is not a positive finite number, or so
    /// small or large that 1/ℓ² is not one.
    pub(crate) fn new(bandwidth: f64) -> Result<Self> {
        rate(bandwidth, 1.0)?;
        Ok(Self { bandwidth })
    }
}

impl Kernel for Laplace {
    fn geometry(&self) -> Geometry {
        Geometry::Manhattan
    }

    fn value(&self, tile: &mut [f64]) {
        let rate = 1.0 / self.bandwidth;
        vector::map(tile, Formula { rate });
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
        exp_of::<FUSED>(-self.rate * t)
    }
}
