//! Nodes of a graph as rows of one table: features averaged over the graph, side by side.

use std::sync::Arc;

use super::Adjacency as _;
use super::blend_base::NodeSamples;
use super::node_rows::NodeRows;
use crate::data::{NewNodes, Points, Table};
use crate::error::{Error, Result};
use crate::linalg::distance::normalise;

/// Averages of the features of nodes side by side, each with rows of length `1/√m` for m of them:
/// inner products are the mean of the cosines, and rows have length one.
///
/// A node of which nothing is known is a row of zeros.
#[derive(Debug)]
pub(crate) struct NodeTable {
    samples: NodeSamples,
    blocks: Vec<Arc<NodeRows>>,
}

impl NodeTable {
    /// From the averages; there is at least one.
    pub(crate) fn new(samples: NodeSamples, blocks: Vec<Arc<NodeRows>>) -> Self {
        Self { samples, blocks }
    }

    /// The nodes.
    pub(crate) fn samples(&self) -> &NodeSamples {
        &self.samples
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.samples.graph.graph().len()
    }

    /// Feature columns of a node.
    pub(crate) fn features(&self) -> usize {
        (self.samples.features.as_ref()).map_or(0, |features| features.given.dim())
    }

    /// One row for each node; nothing is copied.
    ///
    /// # Errors
    /// As [`Points::shared`].
    pub(crate) fn rows(&self) -> Result<Points> {
        side_by_side(self.blocks.iter().map(|block| block.rows.clone()).collect())
    }

    /// The same for new nodes, while the rows of the known ones stay as they are.
    ///
    /// # Errors
    /// As [`NodeRows::of_new`].
    pub(crate) fn of_new(&self, new: &NewNodes) -> Result<Points> {
        let rescaled = self.samples.rescaled_of(new)?;
        let new = NewNodes::new(new.links().clone(), rescaled)?;
        let graph = self.samples.graph.graph();
        let blocks = (self.blocks.iter()).map(|block| block.of_new(&new, graph));
        side_by_side(blocks.collect::<Result<_>>()?)
    }
}

fn side_by_side(blocks: Vec<Points>) -> Result<Points> {
    let rows = blocks
        .first()
        .map(Points::len)
        .ok_or_else(|| Error::data("there is no average of the features", "give at least one η"))?;
    let dim = blocks.iter().map(Points::dim).sum();
    Points::shared(Arc::new(SideBySide { blocks, rows, dim }))
}

/// Tables with the same rows as one, each row of each divided by its length and by `√m`.
#[derive(Debug)]
struct SideBySide {
    blocks: Vec<Points>,
    rows: usize,
    dim: usize,
}

impl Table for SideBySide {
    fn rows(&self) -> usize {
        self.rows
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn contiguous(&self) -> Option<&[f64]> {
        None
    }

    fn read(&self, first: usize, out: &mut [f64]) {
        let share = (self.blocks.len() as f64).sqrt().recip();
        for (i, row) in (first..).zip(out.chunks_exact_mut(self.dim)) {
            let mut rest = row;
            for block in &self.blocks {
                let (own, others) = rest.split_at_mut(block.dim());
                block.read(i, own);
                normalise(own);
                own.iter_mut().for_each(|v| *v *= share);
                rest = others;
            }
        }
    }
}
