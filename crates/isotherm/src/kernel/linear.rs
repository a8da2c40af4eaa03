//! Linear kernel, k(x, z) = x·z.

use super::{Geometry, Kernel, SmoothKernel};

/// The linear kernel: ridge regression seen as a kernel method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Linear;

impl Kernel for Linear {
    fn geometry(&self) -> Geometry {
        Geometry::InnerProduct
    }

    fn value(&self, _: &mut [f64]) {}

    fn positive(&self) -> bool {
        true
    }
}

impl SmoothKernel for Linear {
    /// dk/d(x·z) = 1
    fn value_and_slope(&self, tile: &mut [f64], slope: &mut [f64]) {
        let both = tile.len().min(slope.len());
        slope[..both].fill(1.0);
    }

    fn curvature(&self, _: f64) -> f64 {
        0.0
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/linear.rs"]
mod tests;
