//! Nodes of a graph as rows of numbers that a kernel can compare.
//!
//! Rows are made of edges and features and never of labels, so leave-one-out over labels is exact
//! for whatever is fitted to them. A new node's row is in [`crate::base::node_rows`].
//!
//! | file | rows |
//! |---|---|
//! | `rows.rs` | finding several kinds of rows at once |
//! | `columns.rs` | what is spread over the graph: features, or one column for each node |
//! | `directions.rs` | the directions in which averaged features spread most |
//! | `walk.rs` | products of the normalised adjacency with panels of columns |
//! | `averages.rs` | averages of columns over the graph, and what is two steps away |
//! | `spectrum.rs` | leading eigenvectors of the graph |
//! | `links.rs` | what directed edges lead to, or come from |
//! | `relations.rs` | all of these for each of several kinds of edges |
//! | `table.rs` | averaged features of all nodes as a table |

mod averages;
mod columns;
mod directions;
mod links;
mod relations;
mod rows;
mod spectrum;
mod table;
mod walk;

pub(crate) use averages::Stopping;
pub(crate) use relations::{Wanted, find_rows};
#[cfg(test)]
pub(crate) use rows::RowFinder;
pub(crate) use table::{of_samples, smoothed};
