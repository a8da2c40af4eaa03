//! From a stream of edges to a [`Graph`], and what happened on the way.
//!
//! The stream is kept in chunks that never move: 8 bytes an edge, 16 when
//! weighted. At the end the edges are sorted into buckets of consecutive rows
//! by their smaller node ([`super::buckets`]), each chunk freed once sorted; a
//! bucket becomes sorted, merged rows of the upper triangle
//! ([`super::upper_triangle`]); these are mirrored in row order, which leaves every row sorted. No step compares
//! edges by arrival, so neither their order nor the thread count matters.

use serde::{Deserialize, Serialize};

use super::Graph;
use super::buckets::{Buckets, Chunk, PHASE};
use super::limits::{LARGEST_WEIGHT, MOST_NODES};
use super::rules::{Duplicates, EdgeRules, Loops};
use super::upper_triangle::{UpperTriangle, mirror};
use crate::error::{Error, Reason, Refusal, Result};
use crate::linalg::tiles;
use crate::monitor::Monitor;

/// Edges in the first chunk of the stream; each chunk is twice the one before…
const FIRST_CHUNK: usize = 1 << 10;
/// … up to this many (2 MB unweighted).
const LARGEST_CHUNK: usize = 1 << 18;

/// What a [`GraphBuilder`] found in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[must_use]
pub struct GraphReport {
    /// Nodes, isolated ones included.
    pub nodes: usize,
    /// Undirected edges kept, loops included.
    pub edges: usize,
    /// Edges merged into an earlier one of the same pair.
    pub duplicates: usize,
    /// Loops met, dropped or kept.
    pub loops: usize,
    /// Edges dropped because their weight was zero (or below 2.3e-308).
    pub zero_weights: usize,
    /// Pairs given with differing weights.
    pub asymmetric: usize,
    /// Nodes left without any edge.
    pub isolated: usize,
}

/// Collects edges in any order and builds a [`Graph`] from them.
///
/// Cost: `O(edges)` time and a sort in each row. Peak memory is the larger of
/// the sorting, 8 bytes an edge pushed and 4 an undirected edge (16 and 12
/// weighted), and of the mirroring, 12 bytes an undirected edge (36 weighted),
/// plus 12 bytes a node: 6 bytes a stored entry when each edge is pushed once,
/// 10 when both directions are.
///
/// ```
/// use isotherm::data::graph::{EdgeRules, GraphBuilder};
/// use isotherm::monitor::Quiet;
///
/// let mut edges = GraphBuilder::new(EdgeRules::default());
/// edges.push(0, 1, None)?;
/// edges.push(1, 0, None)?;
/// edges.push(2, 1, None)?;
/// let (graph, report) = edges.finish(&mut Quiet)?;
/// assert_eq!(graph.neighbours(1), [0, 2]);
/// assert_eq!(report.duplicates, 1);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub struct GraphBuilder {
    rules: EdgeRules,
    nodes: Option<usize>,
    weighted: Option<bool>,
    chunks: Vec<Chunk>,
    /// Edges pushed so far, whatever became of them.
    given: usize,
    highest: Option<u32>,
    report: GraphReport,
}

impl GraphBuilder {
    /// Weights of edges are below it.
    pub const LARGEST_WEIGHT: f64 = LARGEST_WEIGHT;

    /// An empty stream under these rules.
    pub fn new(rules: EdgeRules) -> Self {
        Self {
            rules,
            nodes: None,
            weighted: None,
            chunks: Vec::new(),
            given: 0,
            highest: None,
            report: GraphReport::default(),
        }
    }

    /// Fixes the number of nodes: those without edges are kept, and an edge to
    /// a node beyond is refused. Without it the graph ends at the highest node
    /// that an edge names.
    #[must_use]
    pub fn with_nodes(mut self, nodes: usize) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// Takes one undirected edge.
    ///
    /// Either every edge has a weight or none has. A weight of zero (or so
    /// small that it is not a normal number) leaves no edge.
    ///
    /// # Errors
    /// [`Error::Edge`], and the edge is not taken: a weight that is negative,
    /// NaN, infinite or at least 1e150; a weight where earlier edges had none,
    /// or none where they had; a node beyond [`GraphBuilder::with_nodes`] or
    /// beyond 2³² − 2; a loop under [`Loops::Refuse`]. [`Error::Memory`] when
    /// the system refuses a chunk.
    pub fn push(&mut self, u: u32, v: u32, weight: Option<f64>) -> Result<()> {
        let (low, high) = (u.min(v), u.max(v));
        self.check(low, high, weight)?;
        self.weighted = Some(weight.is_some());
        self.given += 1;
        self.highest = self.highest.max(Some(high));
        if low == high {
            self.report.loops += 1;
            if self.rules.loops == Loops::Drop {
                return Ok(());
            }
        }
        if weight.is_some_and(|w| !w.is_normal()) {
            self.report.zero_weights += 1;
            return Ok(());
        }
        self.store([low, high], weight)
    }

    fn check(&self, low: u32, high: u32, weight: Option<f64>) -> Result<()> {
        let refuse = |reason: Reason| {
            Err(Error::Edge {
                edge: self.given,
                reason,
            })
        };
        let limit = self.nodes.unwrap_or(MOST_NODES).min(MOST_NODES);
        if high as usize >= limit {
            return refuse(match self.nodes {
                Some(nodes) => Reason::new(
                    format!(
                        "node {high} is not among the {nodes} nodes, 0 to {}",
                        nodes.saturating_sub(1)
                    ),
                    "raise their number or drop the edge",
                ),
                None => Reason::new(
                    format!("node {high} is beyond the largest, {}", MOST_NODES - 1),
                    "number the nodes from 0 without gaps",
                ),
            });
        }
        match (self.weighted, weight) {
            (Some(true), None) => {
                return refuse(Reason::new(
                    "it has no weight but edges before it have",
                    "give every edge a weight, or none",
                ));
            }
            (Some(false), Some(_)) => {
                return refuse(Reason::new(
                    "it has a weight but edges before it have none",
                    "give every edge a weight, or none",
                ));
            }
            _ => {}
        }
        if let Some(w) = weight
            && !(0.0..LARGEST_WEIGHT).contains(&w)
        {
            return refuse(Reason::new(
                format!("weight must be a number from 0 to {LARGEST_WEIGHT:e}, got {w:e}"),
                "drop the edge or rescale the weights",
            ));
        }
        if low == high && self.rules.loops == Loops::Refuse {
            return refuse(Reason::new(
                format!("it joins node {low} to itself"),
                "drop it or set loops to drop or keep",
            ));
        }
        Ok(())
    }

    fn store(&mut self, pair: [u32; 2], weight: Option<f64>) -> Result<()> {
        let last = self.chunks.last();
        if last.is_none_or(|c| c.pairs.len() == c.pairs.capacity()) {
            let size = last.map_or(FIRST_CHUNK, |c| (2 * c.pairs.len()).min(LARGEST_CHUNK));
            self.chunks.push(Chunk::with_room(size, weight.is_some())?);
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.pairs.push(pair);
            chunk.weights.extend(weight);
        }
        Ok(())
    }

    /// Builds the graph and says what was done to the stream.
    ///
    /// # Errors
    /// [`Error::Refused`] when there is no node, or when a pair is repeated under
    /// [`Duplicates::Refuse`]; [`Error::Parameter`] when more than 2³² − 1
    /// nodes were asked for; [`Error::Memory`]; [`Error::Cancelled`] when the
    /// monitor breaks.
    pub fn finish(self, monitor: &mut dyn Monitor) -> Result<(Graph, GraphReport)> {
        let nodes = self
            .nodes
            .unwrap_or(self.highest.map_or(0, |h| h as usize + 1));
        if nodes == 0 {
            return Err(Error::refused(
                Refusal::EmptyGraph,
                "the graph has no nodes",
                "give at least one edge, or the number of nodes",
            ));
        }
        if nodes > MOST_NODES {
            return Err(Error::parameter(
                "nodes",
                format!("at most {MOST_NODES}"),
                nodes,
            ));
        }
        let weighted = self.weighted.unwrap_or(false);
        let sorted = Buckets::of(self.chunks, nodes, weighted, monitor)?;
        let buckets = sorted.buckets();
        let mut triangles: Vec<Option<UpperTriangle>> = Vec::new();
        triangles.resize_with(buckets.len(), || None);
        let tiles: Vec<_> = buckets.into_iter().zip(&mut triangles).collect();
        let rule = self.rules.duplicates;
        tiles::walk(PHASE, tiles, monitor, |(bucket, triangle)| {
            *triangle = Some(UpperTriangle::of(&bucket, rule, weighted)?);
            Ok(())
        })?;
        drop(sorted);
        let triangles: Vec<UpperTriangle> = triangles.into_iter().flatten().collect();

        let mut report = self.report;
        report.nodes = nodes;
        for triangle in &triangles {
            report.edges += triangle.columns.len();
            report.duplicates += triangle.merged;
            report.asymmetric += triangle.asymmetric;
        }
        if rule == Duplicates::Refuse
            && let Some([u, v]) = triangles.iter().find_map(|h| h.repeated)
        {
            return Err(Error::refused(
                Refusal::Edge,
                format!("nodes {u} and {v} are joined more than once"),
                "drop the repeated edges or set duplicates to max, sum or mean",
            ));
        }
        let (starts, columns, weights) = mirror(triangles, nodes, weighted, monitor)?;
        let graph = Graph {
            starts,
            columns,
            weights,
        };
        report.isolated = graph.isolated();
        Ok((graph, report))
    }
}

impl std::fmt::Debug for GraphBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GraphBuilder({} edges given)", self.given)
    }
}

/// Peak bytes to build a graph of `edges` distinct undirected edges, each
/// given once; [`GraphBuilder`] says what the terms are.
pub(crate) fn memory_estimate(nodes: u64, edges: u64, weighted: bool) -> u64 {
    let edge = if weighted { 36 } else { 12 };
    let node = 12;
    (edges.saturating_mul(edge)).saturating_add(nodes.saturating_mul(node))
}
