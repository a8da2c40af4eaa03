//! A table as a graph: rows joined to their nearest rows.
//!
//! Two rows are joined when either is among the other's k nearest. Edges weigh
//! what `JoinedRows` gives them, or all the same: then a small group of rows
//! is joined to a far one as firmly as to itself. A new row is linked to its k
//! nearest known rows, so a model of the graph answers for rows it has never
//! seen.

use super::joined_rows::{JoinedRows, Metric};
use super::{Adjacency, Base, GraphBase, Normalisation, Reach, SparseParts};
use crate::data::graph::EdgeRules;
use crate::data::{Graph, GraphBuilder, Links, Points};
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatRef};
use crate::monitor::Monitor;
use crate::neighbours::{self, Found, Recall, Search};
use crate::operator::{Modes, Symmetric};

/// Rows, and the graph of their nearest neighbours.
#[derive(Debug)]
pub struct NeighbourBase {
    points: Points,
    count: usize,
    graph: GraphBase,
    recall: Option<Recall>,
    /// What weighs edges; `None` where all weigh one.
    weights: Option<JoinedRows>,
}

impl NeighbourBase {
    /// Joins each row to its `count` nearest points by weights that fall with distance, equal
    /// rows being one point (`JoinedRows`).
    ///
    /// # Errors
    /// As [`neighbours::find`].
    pub fn weighted(
        points: Points,
        count: usize,
        search: Search,
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let (rows, graph) =
            JoinedRows::find(points, count, Metric::Euclidean, search, seed, monitor)?;
        Ok(Self {
            points: rows.points().clone(),
            count,
            graph: GraphBase::new(graph),
            recall: rows.recall(),
            weights: Some(rows),
        })
    }

    /// Finds each row's `count` nearest rows exactly and joins them by edges that all weigh
    /// one.
    ///
    /// O(n²d) by tiles of matrix products. Ties go to the smaller index.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless 1 ≤ count < number of rows.
    pub fn new(points: Points, count: usize, monitor: &mut dyn Monitor) -> Result<Self> {
        Self::find(points, count, Search::Exact, 0, monitor)
    }

    /// Finds each row's `count` nearest rows, or most of them, and joins them by edges that all
    /// weigh one.
    ///
    /// Cost: as [`neighbours::find`].
    ///
    /// # Errors
    /// As [`NeighbourBase::new`].
    pub fn find(
        points: Points,
        count: usize,
        search: Search,
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let Found { neighbours, recall } = neighbours::find(&points, count, search, seed, monitor)?;
        let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(points.len());
        for (row, near) in (0_u32..).zip(neighbours.index.chunks_exact(count)) {
            for &other in near {
                builder.push(row, other, None)?;
            }
        }
        drop(neighbours);
        let (graph, _) = builder.finish(monitor)?;
        Ok(Self {
            points,
            count,
            graph: GraphBase::new(graph),
            recall: Some(recall),
            weights: None,
        })
    }

    /// From stored rows and their graph.
    ///
    /// # Errors
    /// [`Error::Shape`] when the graph has not one node a row;
    /// [`Error::Parameter`] when the count cannot be.
    pub fn from_parts(
        points: Points,
        count: usize,
        graph: Graph,
        normalisation: Normalisation,
    ) -> Result<Self> {
        if graph.len() != points.len() {
            return Err(Error::Shape {
                what: "nodes of the neighbour graph",
                expected: points.len(),
                got: graph.len(),
            });
        }
        if count == 0 || count >= points.len() {
            return Err(Error::parameter("neighbours", "below the rows", count));
        }
        Ok(Self {
            points,
            count,
            graph: GraphBase::stored(graph, normalisation),
            recall: None,
            weights: None,
        })
    }

    /// From stored rows with new rows linked by weights: `spread` is σ of each row.
    ///
    /// # Errors
    /// [`Error::Shape`] when σ is not one positive number a row.
    pub fn with_spread(mut self, spread: Vec<f64>) -> Result<Self> {
        let points = self.points.clone();
        let rows = JoinedRows::from_parts(points, self.count, Metric::Euclidean, spread)?;
        self.weights = Some(rows);
        Ok(self)
    }

    /// σ of each row; `None` where edges all weigh one.
    pub fn spread(&self) -> Option<&[f64]> {
        self.weights.as_ref().map(JoinedRows::spread)
    }

    /// The same graph under another normalisation.
    ///
    /// # Errors
    /// As [`GraphBase::normalised`].
    pub fn normalised(self, normalisation: Normalisation) -> Result<Self> {
        Ok(Self {
            graph: GraphBase::normalised(self.graph.into_graph(), normalisation)?,
            ..self
        })
    }

    /// How its edges become similarities.
    pub fn normalisation(&self) -> Normalisation {
        self.graph.normalisation()
    }

    /// The rows.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Neighbours of each row.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The share of true neighbours in the graph; `None` for a stored graph,
    /// which does not say.
    pub fn recall(&self) -> Option<Recall> {
        self.recall
    }
}

impl Base for NeighbourBase {
    type Query = Points;

    fn len(&self) -> usize {
        self.points.len()
    }

    fn gram(&self) -> Box<dyn Symmetric + '_> {
        self.graph.gram()
    }

    fn expand(
        &self,
        queries: &Points,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        if let Some(rows) = &self.weights {
            let links = rows.links(queries, monitor)?;
            return self.graph.expand(&links, coefficients, monitor);
        }
        let found = neighbours::search(&self.points, queries, self.count, monitor)?;
        let links: Vec<(u32, u32, f64)> = (0_u32..)
            .zip(found.index.chunks_exact(self.count))
            .flat_map(|(row, near)| near.iter().map(move |&node| (row, node, 1.0)))
            .collect();
        let links = Links::new(queries.len(), self.len(), &links)?;
        self.graph.expand(&links, coefficients, monitor)
    }

    fn components(&self, monitor: &mut dyn Monitor) -> Result<Option<Vec<u32>>> {
        self.graph.components(monitor)
    }

    fn reach(&self) -> Reach {
        Reach::Edges
    }

    fn sparse(&self) -> Option<SparseParts<'_>> {
        self.graph.sparse()
    }

    fn modes(&self, monitor: &mut dyn Monitor) -> Result<Option<Modes>> {
        self.graph.modes(monitor)
    }
}

impl Adjacency for NeighbourBase {
    fn graph(&self) -> &Graph {
        self.graph.graph()
    }
}
