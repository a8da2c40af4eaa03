//! Arc-cosine kernel of order 1, k(x, z) = (sin φ − φ cos φ)/π with cos φ = −t.
//!
//! t is the cosine between the rows, so that only directions count. It is the covariance of a
//! wide layer of rectified linear units, `2·E[(w·x)₊(w·z)₊]` for rows of length one.
//! [Cho and Saul 2009, Kernel methods for deep learning]

use super::vector::{self, Map, MapWithSlope};
use super::{Geometry, Kernel, SmoothKernel};

/// The arc-cosine kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ArcCosine {
    geometry: Geometry,
}

impl ArcCosine {
    /// Of the directions of rows: t is their cosine.
    pub(crate) fn of_directions() -> Self {
        Self {
            geometry: Geometry::Cosine,
        }
    }

    /// Of rows of length at most one: t is their inner product, so that there is a gradient.
    /// Beyond −1 and 1 it goes on as a straight line.
    pub(crate) fn of_products() -> Self {
        Self {
            geometry: Geometry::InnerProduct,
        }
    }
}

impl Kernel for ArcCosine {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn value(&self, tile: &mut [f64]) {
        vector::map(tile, Formula);
    }

    /// Its series in t has no negative coefficient; beyond one it is not the series.
    fn positive(&self) -> bool {
        self.geometry == Geometry::Cosine
    }
}

impl SmoothKernel for ArcCosine {
    /// dk/dt = φ/π
    fn value_and_slope(&self, tile: &mut [f64], slope: &mut [f64]) {
        vector::map_with_slope(tile, slope, Formula);
    }

    /// 1/(π√(1 − t²)), which is infinite at −1 and 1: 0 there, as beyond.
    fn curvature(&self, t: f64) -> f64 {
        if t.abs() < 1.0 {
            1.0 / (std::f64::consts::PI * ((1.0 - t) * (1.0 + t)).sqrt())
        } else {
            0.0
        }
    }
}

/// φ below which sin φ − φ cos φ is summed as a series: the difference would cancel.
const SMALL: f64 = 0.5;

/// The series of (sin φ − φ cos φ)/φ³ in φ².
const SERIES: [f64; 7] = [
    1.0 / 3.0,
    -1.0 / 30.0,
    1.0 / 840.0,
    -1.0 / 45_360.0,
    1.0 / 3_991_680.0,
    -1.0 / 518_918_400.0,
    1.0 / 93_405_312_000.0,
];

#[derive(Clone, Copy)]
struct Formula;

impl Formula {
    /// Value and slope.
    fn both<const FUSED: bool>(t: f64) -> (f64, f64) {
        use std::f64::consts::FRAC_1_PI;
        if t >= 1.0 {
            return (t, 1.0);
        }
        if t <= -1.0 {
            return (0.0, 0.0);
        }
        let phi = 2.0 * (0.5 * (1.0 + t)).sqrt().asin();
        let value = if phi < SMALL {
            let square = phi * phi;
            phi * square * vector::horner::<FUSED, 7>(&SERIES, square)
        } else {
            // −cos φ is t.
            phi.sin() + phi * t
        };
        (FRAC_1_PI * value, FRAC_1_PI * phi)
    }
}

impl Map for Formula {
    fn at<const FUSED: bool>(self, t: f64) -> f64 {
        Self::both::<FUSED>(t).0
    }
}

impl MapWithSlope for Formula {
    fn at<const FUSED: bool>(self, t: f64) -> (f64, f64) {
        Self::both::<FUSED>(t)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/arc_cosine.rs"]
mod tests;
