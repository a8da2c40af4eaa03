//! Nodes of a graph with what is known of each, and new nodes with theirs.

use super::Graph;
use super::links::Links;
use super::relation::{Relation, check_names};
use super::sum::sum_of;
use crate::data::Points;
use crate::error::{Error, Result};
use crate::monitor::Monitor;

/// A graph whose nodes may have features.
///
/// A row of zeros stands for a node without features: what is known of it then comes from its
/// edges.
#[derive(Debug, Clone)]
pub struct Nodes {
    graph: Graph,
    features: Option<Points>,
    relations: Vec<Relation>,
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
        Ok(Self {
            graph,
            features,
            relations: Vec::new(),
        })
    }

    /// Several kinds of edges between the same nodes, or one whose directions are kept.
    ///
    /// [`Nodes::graph`] has all edges, without directions: the weight of a pair is the sum of its
    /// weights in the relations, and an edge without a weight counts one. O(edges).
    ///
    /// # Errors
    /// [`Error::Parameter`] when there is no relation or two have one name; [`Error::Shape`] when
    /// they are not of the same nodes, or there is not one row of features for each;
    /// [`Error::Memory`]; [`Error::Cancelled`].
    pub fn of_relations(
        mut relations: Vec<Relation>,
        features: Option<Points>,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        check_names(&relations)?;
        let graph = match relations.as_mut_slice() {
            // All edges are its own.
            [only] => only.edges.take(),
            _ => None,
        };
        let graph = match graph {
            Some(graph) => graph,
            None => {
                let each: Vec<&Graph> = relations.iter().filter_map(|r| r.edges.as_ref()).collect();
                sum_of(&each, monitor)?
            }
        };
        for relation in &relations {
            relation.check(graph.len(), graph.len())?;
        }
        // One that keeps no direction says nothing that the graph does not.
        relations.retain(|r| r.edges.is_some() || r.keeps_direction());
        Ok(Self {
            relations,
            ..Self::new(graph, features)?
        })
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

    /// The edges, the features and the relations that are told apart.
    pub(crate) fn into_all(self) -> (Graph, Option<Points>, Vec<Relation>) {
        (self.graph, self.features, self.relations)
    }
}

/// Nodes that a model has not seen: their edges to known nodes, and their features.
#[derive(Debug, Clone)]
pub struct NewNodes {
    links: Links,
    features: Option<Points>,
    relations: Vec<Relation<Links>>,
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
        Ok(Self {
            links,
            features,
            relations: Vec::new(),
        })
    }

    /// Edges to known nodes by relation, for a model that tells relations or directions apart.
    ///
    /// [`NewNodes::links`] are the sums over the relations.
    ///
    /// # Errors
    /// [`Error::Parameter`] when there is no relation or two have one name; [`Error::Shape`] when
    /// they are not of the same nodes, or there is not one row of features for each.
    pub fn of_relations(relations: Vec<Relation<Links>>, features: Option<Points>) -> Result<Self> {
        check_names(&relations)?;
        let each: Vec<&Links> = relations.iter().filter_map(|r| r.edges.as_ref()).collect();
        let links = Links::sum_of(&each)?;
        for relation in &relations {
            relation.check(links.len(), links.known())?;
        }
        Ok(Self {
            relations,
            ..Self::new(links, features)?
        })
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

    /// The edges by relation, where they were given so.
    pub(crate) fn relations(&self) -> &[Relation<Links>] {
        &self.relations
    }
}

impl From<Links> for NewNodes {
    fn from(links: Links) -> Self {
        Self {
            links,
            features: None,
            relations: Vec::new(),
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
