//! Rows → the base that STKR or a graph method works on.

use crate::base::{KernelBase, NeighbourBase, Normalisation, Storage};
use crate::data::{Points, bandwidth};
use crate::error::Result;
use crate::kernel::KernelSpec;
use crate::monitor::Monitor;
use crate::neighbours::Search;
use crate::recipe::default_neighbours;

/// All rows under a kernel, its bandwidth chosen where it is left open.
pub(crate) fn kernel_base(
    points: Points,
    kernel: &KernelSpec,
    seed: u64,
) -> Result<(KernelBase, KernelSpec)> {
    let kernel = if kernel.needs_bandwidth() {
        let bandwidth = bandwidth::median_distance(&points, seed)?;
        kernel.clone().resolved(bandwidth)
    } else {
        kernel.clone()
    };
    let base = KernelBase::new(points, kernel.build()?, Storage::Auto);
    Ok((base, kernel))
}

/// All rows, joined to their neighbours; the usual number where none is given.
pub(crate) fn neighbour_base(
    points: Points,
    neighbours: Option<usize>,
    normalisation: Option<Normalisation>,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<NeighbourBase> {
    let count = neighbours.unwrap_or_else(|| default_neighbours(points.len()));
    let base = NeighbourBase::find(points, count, Search::Auto, seed, monitor)?;
    match normalisation {
        Some(normalisation) => base.normalised(normalisation),
        None => Ok(base),
    }
}
