//! Edges sorted into buckets of consecutive rows.
//!
//! All buckets lie in one anonymous map: its pages come into being as they are
//! written, while the chunks of the stream go, and the system has them back
//! the moment it is dropped.

use std::ops::Range;

use memmap2::MmapMut;

use super::mapped::room;
use crate::error::{Error, Result};
use crate::linalg::tiles;
use crate::monitor::Monitor;

/// The phase that the monitor sees while a graph is built.
pub(super) const PHASE: &str = "building the graph";

/// Edges a bucket should have, and how many buckets there are at most.
const BUCKET: usize = 1 << 16;
const MOST_BUCKETS: usize = 256;
/// Nodes are counted in at most 2 to this many groups to balance the buckets.
const GROUP_BITS: u32 = 16;

/// Edges of one stretch of the stream, smaller node first.
#[derive(Default)]
pub(super) struct Chunk {
    pub(super) pairs: Vec<[u32; 2]>,
    /// Beside `pairs`, or empty.
    pub(super) weights: Vec<f64>,
}

impl Chunk {
    pub(super) fn with_room(edges: usize, weighted: bool) -> Result<Self> {
        let mut chunk = Self::default();
        let refuse = |_| {
            Error::no_memory(
                "one more chunk of edges",
                edges as u64 * if weighted { 16 } else { 8 },
            )
        };
        chunk.pairs.try_reserve_exact(edges).map_err(refuse)?;
        if weighted {
            chunk.weights.try_reserve_exact(edges).map_err(refuse)?;
        }
        Ok(chunk)
    }
}

/// All edges, bucket by bucket.
pub(super) struct Buckets {
    pairs: MmapMut,
    weights: Option<MmapMut>,
    runs: Vec<Run>,
}

/// Where a bucket lies: its rows of the graph, its place among the edges.
struct Run {
    rows: Range<usize>,
    edges: Range<usize>,
}

/// The edges whose smaller node lies in `rows`.
pub(super) struct Bucket<'d> {
    pub(super) rows: Range<usize>,
    pub(super) pairs: &'d [[u32; 2]],
    /// Beside `pairs`, or empty.
    pub(super) weights: &'d [f64],
}

impl Buckets {
    /// Sorts the edges into buckets with about as many edges each, freeing
    /// every chunk once it is sorted.
    pub(super) fn of(
        chunks: Vec<Chunk>,
        nodes: usize,
        weighted: bool,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let shift = (usize::BITS - (nodes - 1).leading_zeros()).saturating_sub(GROUP_BITS);
        let mut counts = vec![0_usize; ((nodes - 1) >> shift) + 1];
        for chunk in &chunks {
            for [low, _] in &chunk.pairs {
                counts[*low as usize >> shift] += 1;
            }
            tiles::tick(PHASE, monitor)?;
        }
        let (runs, bucket_of) = plan(&counts, shift, nodes);
        let edges: usize = counts.iter().sum();
        let mut buckets = Self {
            pairs: room(8 * edges)?,
            weights: if weighted {
                Some(room(8 * edges)?)
            } else {
                None
            },
            runs,
        };
        let mut cursors: Vec<usize> = buckets.runs.iter().map(|r| r.edges.start).collect();
        let pairs: &mut [[u32; 2]] = bytemuck::cast_slice_mut(&mut buckets.pairs);
        let mut weights: Option<&mut [f64]> =
            (buckets.weights.as_mut()).map(|w| bytemuck::cast_slice_mut(w));
        for chunk in chunks {
            for (e, pair) in chunk.pairs.iter().enumerate() {
                let cursor = &mut cursors[bucket_of[pair[0] as usize >> shift] as usize];
                pairs[*cursor] = *pair;
                if let Some(weights) = &mut weights {
                    weights[*cursor] = chunk.weights[e];
                }
                *cursor += 1;
            }
            tiles::tick(PHASE, monitor)?;
        }
        Ok(buckets)
    }

    /// The buckets, in the order of their rows.
    pub(super) fn buckets(&self) -> Vec<Bucket<'_>> {
        let pairs: &[[u32; 2]] = bytemuck::cast_slice(&self.pairs);
        let weights: Option<&[f64]> = self.weights.as_ref().map(|w| bytemuck::cast_slice(w));
        let bucket = |run: &Run| Bucket {
            rows: run.rows.clone(),
            pairs: &pairs[run.edges.clone()],
            weights: weights.map_or(&[], |w| &w[run.edges.clone()]),
        };
        self.runs.iter().map(bucket).collect()
    }
}

/// Cuts the groups of nodes into buckets; also which bucket each group is in.
fn plan(counts: &[usize], shift: u32, nodes: usize) -> (Vec<Run>, Vec<u16>) {
    let total: usize = counts.iter().sum();
    let share = total / (total / BUCKET).clamp(1, MOST_BUCKETS) + 1;
    let mut runs: Vec<Run> = Vec::new();
    let mut bucket_of = Vec::with_capacity(counts.len());
    let (mut row, mut begin, mut end) = (0, 0, 0);
    for (group, count) in counts.iter().enumerate() {
        bucket_of.push(runs.len() as u16);
        end += count;
        let next = ((group + 1) << shift).min(nodes);
        if end - begin >= share || group + 1 == counts.len() {
            runs.push(Run {
                rows: row..next,
                edges: begin..end,
            });
            (row, begin) = (next, end);
        }
    }
    (runs, bucket_of)
}
