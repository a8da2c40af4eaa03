//! Labels: in a file of their own, in cells that hold more than a class, and merged into a table.

pub mod label_cells;
pub mod merge;
mod node_labels;

pub use node_labels::{NodeLabels, looks_unlabelled, read_labels, without};
