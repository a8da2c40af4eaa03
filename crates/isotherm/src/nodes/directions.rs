//! The directions in which averaged features spread most, for features with many columns.
//!
//! Neighbours are averaged away, so the rows of `Z = (1 − η)(I − ηŜ)⁻¹X̂` lie close to few
//! directions even where X̂ has thousands of columns. They are found by a random start and two
//! steps of subspace iteration with `ZᵀZ`. [Halko, Martinsson and Tropp 2011]

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::averages::average;
use super::columns::SparseColumns;
use super::walk::Walk;
use crate::error::Result;
use crate::linalg::{Block, qr};
use crate::monitor::Monitor;

/// η of the averages whose directions are found.
const ETA: f64 = 0.8;

/// Steps of subspace iteration.
const STEPS: usize = 2;

/// `rank` orthonormal columns, one row for each feature; `walk` is Ŝ.
///
/// # Errors
/// As [`average`].
pub(super) fn directions(
    walk: &Walk,
    features: &SparseColumns,
    (rank, seed): (usize, u64),
    monitor: &mut dyn Monitor,
) -> Result<Block> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut found = Block::zeros(features.count(), rank)?;
    for j in 0..found.rows() {
        (found.row_mut(j).iter_mut()).for_each(|v| *v = rng.random_range(-1.0..1.0));
    }
    for _ in 0..STEPS {
        let mut spread = features.times(&found)?;
        for _ in 0..2 {
            spread = average(walk, spread, ETA, monitor)?;
        }
        let image = features.transposed_times(&spread)?;
        found = Block::copy_of(qr::thin(image.as_mat()).q.as_ref())?;
    }
    Ok(found)
}
