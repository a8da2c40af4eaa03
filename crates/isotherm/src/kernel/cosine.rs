//! Cosine kernel, k(x, z) = x·z / (‖x‖‖z‖), and 0 where a row is zero.
//!
//! A [`Kernel`] but not a [`super::SmoothKernel`]: it has no gradient where a
//! row is zero.

use super::{Geometry, Kernel};

/// The cosine kernel, for counts and word vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cosine;

impl Kernel for Cosine {
    fn geometry(&self) -> Geometry {
        Geometry::Cosine
    }

    fn value(&self, _: &mut [f64]) {}

    fn positive(&self) -> bool {
        true
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/cosine.rs"]
mod tests;
