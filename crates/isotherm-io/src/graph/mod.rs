//! Graphs: edge lists, the names of their nodes, and features of nodes in long form.

pub mod edges;
mod node_features;
mod node_names;

pub use node_features::{SparseFeatures, read_node_features};
pub use node_names::NodeNames;
