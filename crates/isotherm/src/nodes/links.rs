//! What directed edges lead to, `B = PT`, row by row: `P` takes means over a node's links.
//!
//! `T` are the features with rows of length one, or the nodes themselves, each divided by the
//! square root of the links that lead to it: a node that everybody cites says little. `BBᵀ` is
//! bibliographic coupling along out-links and co-citation along in-links. Where `T` has many
//! columns, it is replaced by the directions in which `B` spreads most.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::columns::SparseColumns;
use super::rows::single;
use crate::base::node_rows::{NodeRows, NodeRowsSpec, RowKind, directions, node_columns};
use crate::data::{Links, Points};
use crate::error::{Error, Refusal, Result};
use crate::linalg::tiles;
use crate::linalg::{Block, qr};
use crate::monitor::Monitor;

/// Steps of subspace iteration.
const STEPS: usize = 2;

/// Rows of what the links of a relation lead to.
///
/// Cost: O((entries of P + entries of T) k) for k columns, five times where they are directions;
/// 8Nk bytes.
///
/// # Errors
/// [`Error::Refused`] where features are needed and there are none; [`Error::Memory`];
/// [`Error::Cancelled`].
pub(super) fn linked(
    links: &Links,
    (spec, relation): (NodeRowsSpec, Option<usize>),
    features: Option<&Points>,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<NodeRows> {
    let nodes = links.len();
    let (columns, factors, most) = match spec {
        NodeRowsSpec::LinkedFeatures { .. } => {
            let none = || {
                Error::refused(
                    Refusal::Method,
                    "the nodes have no features",
                    "give features, or choose members that work on edges alone",
                )
            };
            let columns = SparseColumns::of_features(features.ok_or_else(none)?);
            (columns, vec![1.0; nodes], directions(nodes))
        }
        _ => (
            SparseColumns::of_nodes(nodes),
            rarities(links),
            node_columns(nodes),
        ),
    };
    let steps = Steps { links, factors };
    let start = if columns.count() <= most {
        identity(columns.count())?
    } else {
        steps.directions(&columns, (most, seed), monitor)?
    };
    let mut targets = columns.times(&start)?;
    for (j, factor) in steps.factors.iter().enumerate() {
        targets.row_mut(j).iter_mut().for_each(|v| *v *= factor);
    }
    let dim = targets.cols();
    let rows = steps.means(&targets)?;
    Ok(NodeRows {
        spec,
        relation,
        kind: RowKind::Linked {
            targets: points(&targets, dim)?,
        },
        rows: points(&rows, dim)?,
    })
}

/// `1/√(links to j)`; 0 where nothing leads to it.
fn rarities(links: &Links) -> Vec<f64> {
    let mut into = vec![0.0; links.known()];
    for i in 0..links.len() {
        links.row(i).for_each(|(j, weight)| into[j] += weight);
    }
    let rarity = |d: f64| if d > 0.0 { d.powf(-0.5) } else { 0.0 };
    into.into_iter().map(rarity).collect()
}

fn identity(size: usize) -> Result<Block> {
    let mut one = Block::zeros(size, size)?;
    (0..size).for_each(|i| one.row_mut(i)[i] = 1.0);
    Ok(one)
}

fn points(block: &Block, dim: usize) -> Result<Points> {
    let values = (0..block.rows())
        .flat_map(|i| block.row(i))
        .map(|v| *v as f32);
    single(values.collect(), block.rows(), dim)
}

/// `P` with its columns multiplied by factors.
struct Steps<'a> {
    links: &'a Links,
    factors: Vec<f64>,
}

impl Steps<'_> {
    /// Means over links of rows that are multiplied already.
    fn means(&self, of: &Block) -> Result<Block> {
        let mut out = Block::zeros(self.links.len(), of.cols())?;
        for i in 0..self.links.len() {
            let total: f64 = self.links.row(i).map(|(_, w)| w).sum();
            for (j, weight) in self.links.row(i) {
                add(out.row_mut(i), weight / total, of.row(j));
            }
        }
        Ok(out)
    }

    /// `FPᵀP F`, with the factors F.
    fn both_ways(&self, mut of: Block) -> Result<Block> {
        for (j, factor) in self.factors.iter().enumerate() {
            of.row_mut(j).iter_mut().for_each(|v| *v *= factor);
        }
        let means = self.means(&of)?;
        let mut out = Block::zeros(self.links.known(), of.cols())?;
        for i in 0..self.links.len() {
            let total: f64 = self.links.row(i).map(|(_, w)| w).sum();
            for (j, weight) in self.links.row(i) {
                let share = self.factors[j] * weight / total;
                add(out.row_mut(j), share, means.row(i));
            }
        }
        Ok(out)
    }

    /// Orthonormal columns, one row a column of T: where B spreads most, by subspace iteration.
    fn directions(
        &self,
        columns: &SparseColumns,
        (rank, seed): (usize, u64),
        monitor: &mut dyn Monitor,
    ) -> Result<Block> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut found = Block::zeros(columns.count(), rank)?;
        for j in 0..found.rows() {
            (found.row_mut(j).iter_mut()).for_each(|v| *v = rng.random_range(-1.0..1.0));
        }
        for _ in 0..STEPS {
            tiles::tick("following directed edges", monitor)?;
            let image = columns.transposed_times(&self.both_ways(columns.times(&found)?)?)?;
            found = Block::copy_of(qr::thin(image.as_mat()).q.as_ref())?;
        }
        Ok(found)
    }
}

fn add(row: &mut [f64], factor: f64, other: &[f64]) {
    row.iter_mut()
        .zip(other)
        .for_each(|(v, o)| *v += factor * o);
}
