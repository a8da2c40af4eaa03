//! Nodes of a graph with what is known of each, and new nodes with theirs.

use super::Graph;
use super::links::Links;
use crate::data::Points;
use crate::error::{Error, Result};

/// A graph whose nodes may have features.
///
/// A row of zeros stands for a node without features: what is known of it then comes from its
/// edges.
#[derive(Debug, Clone)]
pub struct Nodes {
    graph: Graph,
    features: Option<Points>,
}

impl Nodes {
    /// A graph, and one row of features a node where there are features.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one row for each node.
    pub fn new(graph: Graph, features: Option<Points>) -> Result<Self> {
        same_count(
            features.as_ref(),
            graph.len(),
            "rows of features, one for each node",
        )?;
        Ok(Self { graph, features })
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.graph.is_empty()
    }

    /// The edges.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// One row for each node.
    pub fn features(&self) -> Option<&Points> {
        self.features.as_ref()
    }

    /// The edges and the features, given away.
    pub fn into_parts(self) -> (Graph, Option<Points>) {
        (self.graph, self.features)
    }
}

/// Nodes that a model has not seen: their edges to known nodes, and their features.
#[derive(Debug, Clone)]
pub struct NewNodes {
    links: Links,
    features: Option<Points>,
}

impl NewNodes {
    /// Edges to known nodes, and one row of features a new node where the model learned from
    /// features.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one row for each node.
    pub fn new(links: Links, features: Option<Points>) -> Result<Self> {
        same_count(
            features.as_ref(),
            links.len(),
            "rows of features, one for each new node",
        )?;
        Ok(Self { links, features })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Their edges to known nodes.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// One row for each new node.
    pub fn features(&self) -> Option<&Points> {
        self.features.as_ref()
    }
}

impl From<Links> for NewNodes {
    fn from(links: Links) -> Self {
        Self {
            links,
            features: None,
        }
    }
}

impl From<&Links> for NewNodes {
    fn from(links: &Links) -> Self {
        links.clone().into()
    }
}

fn same_count(features: Option<&Points>, nodes: usize, what: &'static str) -> Result<()> {
    match features {
        Some(rows) if rows.len() != nodes => Err(Error::Shape {
            what,
            expected: nodes,
            got: rows.len(),
        }),
        _ => Ok(()),
    }
}
