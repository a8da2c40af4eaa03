//! One kind of edges between nodes: citations, common authors, and which way they lead.

use super::Graph;
use super::links::Links;
use crate::error::{Error, Result};

/// One kind of edges, by name, with the directions that are kept.
///
/// `Relation` is of known nodes, `Relation<Links>` of new ones to known ones.
///
/// ```
/// use isotherm::data::graph::{EdgeRules, Relation};
/// use isotherm::data::{GraphBuilder, Links, Nodes};
/// use isotherm::monitor::Quiet;
///
/// let cites = [(0, 1), (1, 2)];
/// let mut edges = GraphBuilder::new(EdgeRules::default()).with_nodes(3);
/// for (from, to) in cites {
///     edges.push(from, to, None)?;
/// }
/// let out = Links::new(3, 3, &cites.map(|(from, to)| (from, to, 1.0)))?;
/// let (graph, _) = edges.finish(&mut Quiet)?;
/// let nodes = Nodes::of_relations(
///     vec![Relation::new("cites", graph).directed(Some(out), None)],
///     None,
///     &mut Quiet,
/// )?;
/// assert_eq!(nodes.len(), 3);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Relation<E = Graph> {
    pub(crate) name: String,
    /// The edges without directions; none where they are all edges there are.
    pub(crate) edges: Option<E>,
    /// From each node to where its edges lead.
    pub(crate) outgoing: Option<Links>,
    /// From each node to where edges to it come from.
    pub(crate) incoming: Option<Links>,
}

impl<E> Relation<E> {
    /// Edges that lead both ways.
    pub fn new(name: impl Into<String>, edges: E) -> Self {
        Self {
            name: name.into(),
            edges: Some(edges),
            outgoing: None,
            incoming: None,
        }
    }

    /// The same with directions kept: row i of `outgoing` holds the nodes that edges lead to
    /// from node i, row i of `incoming` those from which edges lead to it.
    #[must_use]
    pub fn directed(mut self, outgoing: Option<Links>, incoming: Option<Links>) -> Self {
        self.outgoing = outgoing;
        self.incoming = incoming;
        self
    }

    /// The same with other edges without directions.
    pub(crate) fn map<F>(self, edges: impl FnOnce(E) -> F) -> Relation<F> {
        Relation {
            name: self.name,
            edges: self.edges.map(edges),
            outgoing: self.outgoing,
            incoming: self.incoming,
        }
    }

    /// Whether any direction is kept.
    pub(crate) fn keeps_direction(&self) -> bool {
        self.outgoing.is_some() || self.incoming.is_some()
    }

    /// Refuses links that are not of so many nodes to so many known ones.
    pub(super) fn check(&self, nodes: usize, known: usize) -> Result<()> {
        for links in [&self.outgoing, &self.incoming].into_iter().flatten() {
            let counts = [
                ("nodes of a relation", nodes, links.len()),
                ("known nodes of a relation", known, links.known()),
            ];
            for (what, expected, got) in counts {
                if expected != got {
                    return Err(Error::Shape {
                        what,
                        expected,
                        got,
                    });
                }
            }
        }
        Ok(())
    }
}

/// Refuses relations that cannot be told apart.
pub(super) fn check_names<E>(relations: &[Relation<E>]) -> Result<()> {
    if relations.is_empty() {
        return Err(Error::parameter("relations", "at least one", 0));
    }
    for (k, relation) in relations.iter().enumerate() {
        if relations[..k].iter().any(|r| r.name == relation.name) {
            return Err(Error::parameter(
                "relations",
                "of different names",
                &relation.name,
            ));
        }
    }
    Ok(())
}
