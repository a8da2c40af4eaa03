//! The edges of a graph ↔ parts.

use super::parts::{Array, Parts, broken};
use crate::data::Graph;
use crate::error::Result;

pub(crate) fn put_graph(parts: &mut Parts, graph: &Graph) {
    let starts = graph.starts().to_vec();
    let columns = graph.columns().to_vec();
    parts.put("graph_starts", vec![starts.len()], Array::U64(starts));
    parts.put("graph_columns", vec![columns.len()], Array::U32(columns));
    if let Some(weights) = graph.all_weights() {
        parts.floats("graph_weights", vec![weights.len()], weights.to_vec());
    }
}

pub(crate) fn take_graph(parts: &mut Parts) -> Result<Graph> {
    let Array::U64(starts) = parts.take("graph_starts", &[None])?.array else {
        return Err(broken("graph_starts", "must be 64-bit unsigned integers"));
    };
    let Array::U32(columns) = parts.take("graph_columns", &[None])?.array else {
        return Err(broken("graph_columns", "must be 32-bit unsigned integers"));
    };
    let weights = if parts.tensors.contains_key("graph_weights") {
        Some(parts.take_floats("graph_weights", &[None])?.1)
    } else {
        None
    };
    Graph::from_parts(starts, columns, weights)
}
