//! Landmarks at random, each row alike.  [KLAP Alg. 1]

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::data::{Distinct, Points};
use crate::error::Result;
use crate::monitor::Monitor;

/// Rows drawn without replacement; one equal to a row drawn before is passed over.
///
/// A value that n₀ of n rows share is thus n₀ times as likely to come next as a single
/// row, and comes once. Returned in the order drawn; fewer than `count` when there are
/// fewer distinct rows.
///
/// Cost: O(nd), to tell equal rows.
///
/// # Errors
/// [`crate::Error::Cancelled`].
pub(crate) fn draw(
    points: &Points,
    count: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Vec<usize>> {
    let distinct = Distinct::of(points, monitor)?;
    let mut taken = vec![false; points.len()];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let drawn = order(points.len(), &mut rng).into_iter();
    let firsts = drawn.map(|i| distinct.first(i));
    let fresh = firsts.filter(|&i| !std::mem::replace(&mut taken[i], true));
    Ok(fresh.take(count).collect())
}

/// A random order of `0..total`.
pub(super) fn order(total: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..total).collect();
    order.shuffle(rng);
    order
}
