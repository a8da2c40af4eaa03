//! The nodes of a blend ↔ parts: edges and features are kept, the rows that nodes become are found
//! again when a model is read.

use std::sync::Arc;

use super::blend_outline::{Comparison, Outline};
use super::graph_parts::{put_graph, take_graph};
use super::parts::{Array, Parts, broken, number};
use crate::base::{
    Adjacency as _, BlendPart, GraphBase, NodeFeatures, NodeRowsSpec, Samples, Similarity, View,
};
use crate::data::Points;
use crate::error::Result;
use crate::monitor::Quiet;
use crate::nodes::{RowFinder, Stopping};

/// Writes edges, and the features row by row: those that are not zero.
pub(super) fn put_nodes(parts: &mut Parts, graph: &GraphBase, features: Option<&NodeFeatures>) {
    put_graph(parts, graph.graph());
    let Some(NodeFeatures { given, .. }) = features else {
        return;
    };
    let (mut ends, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..given.len() {
        for (j, v) in given.row(i).iter().enumerate().filter(|(_, v)| **v != 0.0) {
            columns.push(j as u32);
            values.push(*v);
        }
        ends.push(columns.len() as u64);
    }
    parts.text("node_feature_columns", given.dim().to_string());
    parts.put("node_feature_ends", vec![ends.len()], Array::U64(ends));
    parts.put(
        "node_feature_column",
        vec![columns.len()],
        Array::U32(columns),
    );
    parts.floats("node_feature_value", vec![values.len()], values);
}

/// What [`put_nodes`] put.
pub(super) fn take_nodes(parts: &mut Parts) -> Result<Samples> {
    let graph = Arc::new(GraphBase::new(take_graph(parts)?));
    let nodes = graph.graph().len();
    let features = match parts.metadata.remove("node_feature_columns") {
        Some(columns) => {
            let dim = number(&columns, "node_feature_columns")?;
            let given = take_features(parts, nodes, dim)?;
            Some(NodeFeatures::learn(given, &mut Quiet)?)
        }
        None => None,
    };
    Ok(Samples::Nodes(graph, features))
}

fn take_features(parts: &mut Parts, nodes: usize, dim: usize) -> Result<Points> {
    let name = "node_feature_ends";
    let Array::U64(ends) = parts.take(name, &[Some(nodes)])?.array else {
        return Err(broken(name, "must be 64-bit unsigned integers"));
    };
    let Array::U32(columns) = parts.take("node_feature_column", &[None])?.array else {
        return Err(broken(
            "node_feature_column",
            "must be 32-bit unsigned integers",
        ));
    };
    let (_, values) = parts.take_floats("node_feature_value", &[Some(columns.len())])?;
    let end = |end: &u64| usize::try_from(*end).unwrap_or(usize::MAX);
    let starts = std::iter::once(0).chain(ends.iter().map(end)).collect();
    Points::sparse(starts, columns, values, dim)
}

/// The parts of a blend of nodes.
pub(super) fn node_parts(
    outlines: Vec<Outline>,
    (samples, labelled): (&Samples, &[usize]),
    (stopping, seed): (Stopping, u64),
) -> Result<Vec<BlendPart>> {
    let Samples::Nodes(graph, features) = samples else {
        return Err(broken("blend", "compares nodes, and there is no graph"));
    };
    let specs: Vec<NodeRowsSpec> = (outlines.iter())
        .filter_map(|outline| match &outline.similarity {
            Comparison::Nodes { rows, .. } => Some(*rows),
            _ => None,
        })
        .collect();
    specs.iter().try_for_each(NodeRowsSpec::check)?;
    let rescaled = match features {
        Some(known) => Some(known.rescale(&known.given)?),
        None => None,
    };
    let mut finder = RowFinder::new(graph, rescaled.as_ref(), stopping, seed);
    let mut rows = finder.find(&specs, &mut Quiet)?.into_iter();
    let mut parts = Vec::with_capacity(outlines.len());
    for outline in outlines {
        outline.check()?;
        let named = (outline.name, outline.share);
        parts.push(match (outline.similarity, rows.as_slice()) {
            (Comparison::Nodes { kernel, .. }, [_, ..]) => {
                let own = rows.next().ok_or_else(|| broken("blend", "lacks rows"))?;
                BlendPart::kernel(named, View::Nodes(own), (samples, labelled), kernel)?
            }
            (Comparison::Edges { eta }, _) if (0.0..1.0).contains(&eta) => {
                by_edges(named, Similarity::Edges { eta })
            }
            (Comparison::Reach, _) => by_edges(named, Similarity::Reach),
            _ => {
                return Err(broken(
                    "blend",
                    "compares rows of a table, and there are nodes",
                ));
            }
        });
    }
    Ok(parts)
}

fn by_edges((name, share): (String, f64), similarity: Similarity) -> BlendPart {
    BlendPart {
        name,
        share,
        view: View::Edges,
        similarity,
    }
}
