//! Labels: in a file of their own, in cells that hold more than a class, merged into a table, and spelled in
//! several ways.

pub mod label_cells;
pub mod merge;
mod node_labels;
pub mod spellings;

pub use node_labels::{NodeLabels, looks_unlabelled, read_labels, without};
