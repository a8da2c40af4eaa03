//! Data sets that are made, not read.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Points;
use crate::error::Result;

/// Points on concentric circles of radius 1, 2, … in the plane, and the circle
/// of each.  [KLAP Figure 1: four circles, classes alternating]
///
/// Angles are uniform, there is no noise; sample `i` lies on circle
/// `i mod circles`.
///
/// # Errors
/// [`crate::Error::Refused`] when `per_circle` or `circles` is 0.
pub fn circles(circles: usize, per_circle: usize, seed: u64) -> Result<(Points, Vec<u32>)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let total = circles * per_circle;
    let mut values = Vec::with_capacity(2 * total);
    let mut which = Vec::with_capacity(total);
    for i in 0..total {
        let circle = i % circles;
        let angle: f64 = rng.random_range(0.0..std::f64::consts::TAU);
        let radius = circle as f64 + 1.0;
        values.extend([radius * angle.cos(), radius * angle.sin()]);
        which.push(u32::try_from(circle).unwrap_or(u32::MAX));
    }
    Ok((Points::new(values, total, 2)?, which))
}
