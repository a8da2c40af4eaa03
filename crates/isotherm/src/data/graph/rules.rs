//! What happens to loops and to edges given twice.

use serde::{Deserialize, Serialize};

/// What to do with an edge from a node to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loops {
    /// Leave it out and count it.
    #[default]
    Drop,
    /// Keep it, as one entry on the diagonal; it adds its weight once to the degree.
    Keep,
    /// Refuse it.
    Refuse,
}

/// What to do when an unordered pair of nodes is given more than once, in
/// either direction.
///
/// Without weights the edge is kept once, whatever the rule (except
/// [`Duplicates::Refuse`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Duplicates {
    /// Keep the largest weight.
    #[default]
    Max,
    /// Add the weights; a file that lists both directions doubles every edge.
    Sum,
    /// Take the mean of the weights given, zero weights not counted.
    Mean,
    /// Refuse it.
    Refuse,
}

/// The rules a [`GraphBuilder`](super::GraphBuilder) applies to edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct EdgeRules {
    /// Edges from a node to itself.
    pub loops: Loops,
    /// Pairs given more than once.
    pub duplicates: Duplicates,
}
