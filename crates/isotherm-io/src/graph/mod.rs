//! Graphs: edge lists and the names of their nodes.

pub mod edges;
mod node_names;

pub use node_names::NodeNames;
