//! What kind of data a recipe meets.

/// What kind of data a recipe meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Rows of numbers.
    Table,
    /// Nodes and edges.
    Graph,
    /// Similarities of all samples with all samples.
    Gram,
}
