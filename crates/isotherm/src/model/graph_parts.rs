//! The edges of a graph ↔ parts.

use super::parts::{Array, Parts, broken};
use crate::data::{Graph, Links};
use crate::error::Result;

pub(crate) fn put_graph(parts: &mut Parts, graph: &Graph) {
    put_edges(parts, "graph", graph);
}

pub(crate) fn take_graph(parts: &mut Parts) -> Result<Graph> {
    take_edges(parts, "graph")
}

/// Edges under names that begin with this word.
pub(super) fn put_edges(parts: &mut Parts, word: &str, graph: &Graph) {
    let starts = graph.starts().to_vec();
    let columns = graph.columns().to_vec();
    let (rows, places) = (format!("{word}_starts"), format!("{word}_columns"));
    parts.put(&rows, vec![starts.len()], Array::U64(starts));
    parts.put(&places, vec![columns.len()], Array::U32(columns));
    if let Some(weights) = graph.all_weights() {
        let name = format!("{word}_weights");
        parts.floats(&name, vec![weights.len()], weights.to_vec());
    }
}

/// What [`put_edges`] put.
pub(super) fn take_edges(parts: &mut Parts, word: &str) -> Result<Graph> {
    let (starts, columns) = take_rows(parts, word)?;
    let name = format!("{word}_weights");
    let weights = if parts.tensors.contains_key(&name) {
        Some(parts.take_floats(&name, &[None])?.1)
    } else {
        None
    };
    Graph::from_parts(starts, columns, weights)
}

fn take_rows(parts: &mut Parts, word: &str) -> Result<(Vec<u64>, Vec<u32>)> {
    let (rows, places) = (format!("{word}_starts"), format!("{word}_columns"));
    let Array::U64(starts) = parts.take(&rows, &[None])?.array else {
        return Err(broken(&rows, "must be 64-bit unsigned integers"));
    };
    let Array::U32(columns) = parts.take(&places, &[None])?.array else {
        return Err(broken(&places, "must be 32-bit unsigned integers"));
    };
    Ok((starts, columns))
}

/// Directed edges under names that begin with this word.
pub(super) fn put_links(parts: &mut Parts, word: &str, links: &Links) {
    let (mut starts, mut columns, mut weights) = (vec![0], Vec::new(), Vec::new());
    for i in 0..links.len() {
        for (j, weight) in links.row(i) {
            columns.push(j as u32);
            weights.push(weight);
        }
        starts.push(columns.len() as u64);
    }
    let (rows, places) = (format!("{word}_starts"), format!("{word}_columns"));
    parts.put(&rows, vec![starts.len()], Array::U64(starts));
    parts.put(&places, vec![columns.len()], Array::U32(columns));
    parts.floats(&format!("{word}_weights"), vec![weights.len()], weights);
}

/// What [`put_links`] put, of so many nodes.
pub(super) fn take_links(parts: &mut Parts, word: &str, nodes: usize) -> Result<Links> {
    let (starts, columns) = take_rows(parts, word)?;
    let name = format!("{word}_weights");
    let (_, weights) = parts.take_floats(&name, &[Some(columns.len())])?;
    let sound = starts.len() == nodes + 1
        && starts.first() == Some(&0)
        && starts.last() == Some(&(columns.len() as u64))
        && starts.windows(2).all(|w| w[0] <= w[1]);
    if !sound {
        return Err(broken(
            &format!("{word}_starts"),
            "must be where the rows of a graph start",
        ));
    }
    let mut list = Vec::with_capacity(columns.len());
    for (i, row) in starts.windows(2).enumerate() {
        for at in row[0] as usize..row[1] as usize {
            list.push((i as u32, columns[at], weights[at]));
        }
    }
    Links::new(nodes, nodes, &list)
}
