//! Whether one method does better than another on the same rows, or only by chance.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::interval::at_least;

/// Draws of signs.
const DRAWS: u32 = 1999;

/// How likely it is that the better of two methods on the same rows is so by chance:
/// the two-sided sign test over the rows where one is right and the other wrong.
pub(crate) fn sign_test(better: usize, worse: usize) -> f64 {
    let n = better + worse;
    if n == 0 {
        return 1.0;
    }
    (2.0 * at_least(better.max(worse), n, 0.5)).min(1.0)
}

/// How likely a mean difference as far from zero is by chance: the share of 1999 draws of
/// signs, and of the differences as they are, whose sum is at least as far.  [Fisher 1935]
///
/// Were two methods equally good, the difference of their losses on a row could as well
/// have had the other sign. Of differences that are 1, 0 or −1 it is the sign test, up to
/// the draws. O(n) a draw.
pub(crate) fn sign_flip(differences: &[f64], seed: u64) -> f64 {
    let sum: f64 = differences.iter().sum();
    // Sums that are equal but for rounding are equal.
    let size: f64 = differences.iter().map(|d| d.abs()).sum();
    let far = sum.abs() - 1e-12 * size;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let as_far = (0..DRAWS).filter(|_| {
        let mut drawn = 0.0;
        for chunk in differences.chunks(64) {
            let signs: u64 = random.random();
            for (k, d) in chunk.iter().enumerate() {
                drawn += if signs >> k & 1 == 1 { *d } else { -*d };
            }
        }
        drawn.abs() >= far
    });
    f64::from(1 + u32::try_from(as_far.count()).unwrap_or(DRAWS)) / f64::from(1 + DRAWS)
}
