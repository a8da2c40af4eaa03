//! Which rows carry the basis.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::data::Points;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::monitor::Monitor;

/// How landmarks are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// Uniformly.
    #[default]
    Uniform,
}

/// Chooses.
///
/// # Errors
/// None.
pub fn choose(
    points: &Points,
    _: &dyn Kernel,
    count: usize,
    _: Selection,
    seed: u64,
    _: &mut dyn Monitor,
) -> Result<Vec<usize>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut index = rand::seq::index::sample(&mut rng, points.len(), count).into_vec();
    index.sort_unstable();
    Ok(index)
}
