//! A graph as base kernel: `K = N · D^-½ W D^-½`.  [STKR Eqn 23]

use std::sync::Arc;

use rayon::prelude::*;

use super::{Adjacency, Base, Reach, SparseParts};
use crate::data::{Graph, Links};
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatRef, tiles};
use crate::monitor::Monitor;
use crate::operator::sparse::{NormalisedAdjacency, Sparse, inverse_roots};
use crate::operator::{Modes, Operator, SpectrumBounds, Symmetric};

/// How edge weights become similarities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Normalisation {
    /// `S = D^-½ W D^-½`; eigenvalues in [−1, 1], in general not positive.  [STKR Eqn 23]
    #[default]
    Symmetric,
    /// The lazy walk `(I + S)/2`; eigenvalues in [0, 1].
    Lazy,
    /// `D̃^-½ (W + I) D̃^-½` with `D̃ = D + I`; eigenvalues above −1.
    SelfLoops,
    /// `K = W`: the weights are similarities already, loops the diagonal.
    Given,
}

/// The nodes of a graph, similar where an edge joins them.
///
/// Degrees are those of the visible graph on both sides of Eqn 23; a new node's
/// own degree is the sum of its links to visible nodes. An isolated node has a
/// zero row, so a new node whose only links are to isolated nodes is not reached.
#[derive(Debug)]
pub struct GraphBase {
    graph: Graph,
    roots: Arc<[f64]>,
    normalisation: Normalisation,
    /// Whether the roots are those of the graph's own degrees, so that
    /// `D^½1_C` is an exact eigenvector.
    own_degrees: bool,
}

/// New nodes expanded in one tile.
const TILE: usize = 1024;

impl GraphBase {
    /// The graph of Eqn 23.
    pub fn new(graph: Graph) -> Self {
        let roots = inverse_roots(graph.degrees());
        Self {
            graph,
            roots,
            normalisation: Normalisation::Symmetric,
            own_degrees: true,
        }
    }

    /// The graph under another normalisation. Self-loops cost a copy of the graph.
    ///
    /// # Errors
    /// [`Error::Refused`] when self-loops are asked for and the graph has some.
    pub fn normalised(graph: Graph, normalisation: Normalisation) -> Result<Self> {
        let graph = match normalisation {
            Normalisation::SelfLoops => graph.with_loops()?,
            _ => graph,
        };
        Ok(Self::stored(graph, normalisation))
    }

    /// From a graph that has its self-loops already, as [`Adjacency::graph`] gives it.
    pub fn stored(graph: Graph, normalisation: Normalisation) -> Self {
        Self {
            normalisation,
            ..Self::new(graph)
        }
    }

    /// The graph under degrees that count edges outside it too.
    ///
    /// [STKR App. D.1]'s inductive `D(x) = Σ over non-test nodes` counts edges to
    /// validation nodes, which are not among the visible ones.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one degree a node; [`Error::Value`]-like
    /// [`Error::Parameter`] when one is below the graph's own.
    pub fn with_degrees(graph: Graph, degrees: Vec<f64>) -> Result<Self> {
        if degrees.len() != graph.len() {
            return Err(Error::Shape {
                what: "degrees, one for each node",
                expected: graph.len(),
                got: degrees.len(),
            });
        }
        let own = graph.degrees();
        let below = |(own, given): (&f64, &f64)| !given.is_finite() || *given < own * (1.0 - 1e-12);
        if let Some(node) = own.iter().zip(&degrees).position(below) {
            return Err(Error::parameter(
                "degrees",
                format!("at least the node's own, {} at node {node}", own[node]),
                degrees[node],
            ));
        }
        let own_degrees = own == degrees;
        Ok(Self {
            graph,
            roots: inverse_roots(degrees),
            normalisation: Normalisation::Symmetric,
            own_degrees,
        })
    }

    /// The graph, for another base.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// How its weights become similarities.
    pub fn normalisation(&self) -> Normalisation {
        self.normalisation
    }

    /// One row of `K(x, ·) · columns`.
    fn expand_row(&self, links: &Links, i: usize, columns: MatRef<'_, f64>, out: &mut [f64]) {
        out.fill(0.0);
        let own: f64 = match self.normalisation {
            Normalisation::SelfLoops => 1.0,
            _ => 0.0,
        };
        let degree: f64 = own + links.row(i).map(|(_, w)| w).sum::<f64>();
        if degree == 0.0 {
            return;
        }
        let scale = match self.normalisation {
            Normalisation::Symmetric | Normalisation::SelfLoops => {
                self.len() as f64 / degree.sqrt()
            }
            Normalisation::Lazy => 0.5 * self.len() as f64 / degree.sqrt(),
            Normalisation::Given => 1.0,
        };
        for (node, weight) in links.row(i) {
            let root = match self.normalisation {
                Normalisation::Given => 1.0,
                _ => self.roots[node],
            };
            let similarity = scale * weight * root;
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
        let s = || NormalisedAdjacency::known(&self.graph, self.roots.clone());
        match self.normalisation {
            Normalisation::Symmetric | Normalisation::SelfLoops => Box::new(s()),
            Normalisation::Lazy => Box::new(s().affine(0.5, 0.5)),
            Normalisation::Given => Box::new(Weights::new(&self.graph)),
        }
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

    fn components(&self, monitor: &mut dyn Monitor) -> Result<Option<Vec<u32>>> {
        self.graph.components(monitor).map(Some)
    }

    fn support(&self, queries: &Links) -> Option<Vec<usize>> {
        let mut linked = vec![false; self.len()];
        for i in 0..queries.len() {
            for (node, _) in queries.row(i) {
                *linked.get_mut(node)? = true;
            }
        }
        Some((0..self.len()).filter(|&i| linked[i]).collect())
    }

    fn reach(&self) -> Reach {
        Reach::Edges
    }

    fn sparse(&self) -> Option<SparseParts<'_>> {
        let (roots, shift, scale) = match self.normalisation {
            Normalisation::Symmetric | Normalisation::SelfLoops => (Some(&*self.roots), 0.0, 1.0),
            Normalisation::Lazy => (Some(&*self.roots), 0.5, 0.5),
            Normalisation::Given => (None, 0.0, 1.0 / self.len() as f64),
        };
        Some(SparseParts {
            graph: &self.graph,
            roots,
            shift,
            scale,
        })
    }

    fn modes(&self, monitor: &mut dyn Monitor) -> Result<Option<Modes>> {
        if !self.own_degrees || self.normalisation == Normalisation::Given {
            return Ok(None);
        }
        // u ∝ √d on each component, in the lazy walk as in the plain one.
        let root = |r: &f64| if *r > 0.0 { 1.0 / r } else { 0.0 };
        let roots = self.roots.iter().map(root).collect();
        Ok(Some(Modes::new(self.graph.components(monitor)?, roots)))
    }
}

impl Adjacency for GraphBase {
    fn graph(&self) -> &Graph {
        &self.graph
    }
}

/// `W / N`: weights that are similarities already.
struct Weights<'a> {
    inner: Sparse<'a>,
    bound: f64,
}

impl<'a> Weights<'a> {
    fn new(graph: &'a Graph) -> Self {
        let n = graph.len() as f64;
        let largest = graph.degrees().into_iter().fold(0.0, f64::max);
        Self {
            inner: Sparse::adjacency(graph).affine(0.0, 1.0 / n),
            bound: largest / n,
        }
    }
}

impl Operator for Weights<'_> {
    fn dim(&self) -> usize {
        self.inner.dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        out: crate::linalg::MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        self.inner.apply(block, out, monitor)
    }
}

impl Symmetric for Weights<'_> {
    /// By Gershgorin: no eigenvalue is larger than the largest row sum.
    fn spectrum(&self) -> SpectrumBounds {
        SpectrumBounds {
            low: -self.bound,
            high: self.bound,
        }
    }
}
