//! A graph as base kernel: `K = N · D^-½ W D^-½`.  [STKR Eqn 23]

use rayon::prelude::*;

use super::{Adjacency, Base};
use crate::data::{Graph, Links};
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatRef, tiles};
use crate::monitor::Monitor;
use crate::operator::Symmetric;
use crate::operator::sparse::NormalisedAdjacency;

/// The nodes of a graph, similar where an edge joins them.
///
/// Degrees are those of the visible graph on both sides of Eqn 23; a new node's
/// own degree is the sum of its links to visible nodes. An isolated node has a
/// zero row, so a new node whose only links are to isolated nodes is not reached.
#[derive(Debug)]
pub struct GraphBase {
    graph: Graph,
    roots: Vec<f64>,
}

/// New nodes expanded in one tile.
const TILE: usize = 1024;

impl GraphBase {
    /// Keeps the graph and the inverse roots of its degrees.
    pub fn new(graph: Graph) -> Self {
        let roots = NormalisedAdjacency::new(&graph).roots().to_vec();
        Self { graph, roots }
    }

    /// One row of `K(x, ·) · columns`.
    fn expand_row(&self, links: &Links, i: usize, columns: MatRef<'_, f64>, out: &mut [f64]) {
        out.fill(0.0);
        let degree: f64 = links.row(i).map(|(_, w)| w).sum();
        if degree == 0.0 {
            return;
        }
        for (node, weight) in links.row(i) {
            let similarity = self.len() as f64 * weight * self.roots[node] / degree.sqrt();
            for (j, slot) in out.iter_mut().enumerate() {
                *slot += similarity * columns[(node, j)];
            }
        }
    }
}

impl Base for GraphBase {
    type Query = Links;

    fn len(&self) -> usize {
        self.graph.len()
    }

    fn gram(&self) -> Box<dyn Symmetric + '_> {
        Box::new(NormalisedAdjacency::new(&self.graph))
    }

    fn expand(
        &self,
        queries: &Links,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        if queries.known() != self.len() {
            return Err(Error::Shape {
                what: "known nodes that the links were made for",
                expected: self.len(),
                got: queries.known(),
            });
        }
        let mut out = Mat::zeros(queries.len(), coefficients.ncols());
        let work: Vec<_> = out.as_mut().par_row_chunks_mut(TILE).enumerate().collect();
        tiles::walk("predicting", work, monitor, |(tile, mut rows)| {
            let mut row = vec![0.0; coefficients.ncols()];
            for k in 0..rows.nrows() {
                self.expand_row(queries, tile * TILE + k, coefficients, &mut row);
                for (j, v) in row.iter().enumerate() {
                    rows[(k, j)] = *v;
                }
            }
            Ok(())
        })?;
        Ok(out)
    }
}

impl Adjacency for GraphBase {
    fn graph(&self) -> &Graph {
        &self.graph
    }
}
