//! Exact nearest neighbours of sparse rows, by tiles of distances over the columns they share.
//!
//! Every distance is computed. Ties go to the smaller index, and a distance depends on its two
//! rows alone, so what is found does not depend on the number of threads.

use super::lists::{Neighbours, PHASE};
use crate::data::Points;
use crate::error::Result;
use crate::linalg::pairwise::{Anchors, Geometry, PANEL, ROWS};
use crate::linalg::rows::runs;
use crate::linalg::tiles;
use crate::monitor::Monitor;

/// The k nearest rows of `points` to each of `queries`; without queries, the k nearest others of
/// each of its own rows.
///
/// Cost: pairs of rows that share a column, for each such column; one pass over all pairs.
pub(super) fn nearest(
    points: &Points,
    queries: Option<&Points>,
    k: usize,
    monitor: &mut dyn Monitor,
) -> Result<Neighbours> {
    let anchors = Anchors::over(Geometry::SquaredDistance, points);
    let asked = queries.unwrap_or(points);
    let mut found = Neighbours::room(asked.len(), k);
    let slots = found.index.chunks_mut(ROWS * k);
    let slots = slots.zip(found.squared.chunks_mut(ROWS * k));
    let work: Vec<_> = runs(asked.len(), ROWS).zip(slots).collect();
    tiles::walk(PHASE, work, monitor, |(rows, (index, squared))| {
        let block = anchors.load_from(asked, rows.clone());
        let mut kept = vec![(f64::INFINITY, u32::MAX); rows.len() * k];
        let mut scratch = vec![0.0; rows.len() * PANEL];
        for p in 0..anchors.panels() {
            let panel = anchors.panel(p);
            let tile = anchors.tile(&block, p, &mut scratch);
            let strips = tile.chunks_exact(panel.len());
            for ((i, strip), own) in rows.clone().zip(strips).zip(kept.chunks_exact_mut(k)) {
                let itself = queries.is_none().then_some(i);
                for (j, distance) in panel.clone().zip(strip) {
                    // Rows come in order: of equal distances the first stays.
                    if *distance < own[k - 1].0 && Some(j) != itself {
                        let at = own.partition_point(|(d, _)| *d <= *distance);
                        own.copy_within(at..k - 1, at + 1);
                        own[at] = (*distance, j as u32);
                    }
                }
            }
        }
        for ((slot, square), (distance, j)) in index.iter_mut().zip(squared).zip(kept) {
            (*slot, *square) = (j, distance);
        }
        Ok(())
    })?;
    Ok(found)
}
