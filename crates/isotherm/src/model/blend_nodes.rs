//! The nodes of a blend ↔ parts: edges and features are kept, the rows that nodes become are found
//! again when a model is read.

use std::sync::Arc;

use super::blend_outline::{Comparison, Outline};
use super::graph_parts::{put_graph, take_graph};
use super::parts::{Parts, SparseNames, broken};
use crate::base::{
    Adjacency as _, BlendPart, GraphBase, NodeFeatures, NodeRowsSpec, Samples, Similarity, View,
};
use crate::error::Result;
use crate::linalg::rows::sparse::SparseRows;
use crate::monitor::Quiet;
use crate::nodes::{RowFinder, Stopping};

/// Features of nodes.
const FEATURES: SparseNames = SparseNames {
    columns: "node_feature_columns",
    ends: "node_feature_ends",
    column: "node_feature_column",
    value: "node_feature_value",
};

/// Writes edges, and the features row by row: those that are not zero.
pub(super) fn put_nodes(parts: &mut Parts, graph: &GraphBase, features: Option<&NodeFeatures>) {
    put_graph(parts, graph.graph());
    let Some(NodeFeatures { given, .. }) = features else {
        return;
    };
    match given.as_sparse() {
        Some(rows) => FEATURES.put(parts, rows),
        None => {
            let dense = given.tile(0..given.len());
            FEATURES.put(parts, &SparseRows::of_dense(&dense, given.dim()));
        }
    }
}

/// What [`put_nodes`] put.
pub(super) fn take_nodes(parts: &mut Parts) -> Result<Samples> {
    let graph = Arc::new(GraphBase::new(take_graph(parts)?));
    let nodes = graph.graph().len();
    let features = if parts.metadata.contains_key(FEATURES.columns) {
        let given = FEATURES.take(parts, Some(nodes))?;
        Some(NodeFeatures::learn(given, &mut Quiet)?)
    } else {
        None
    };
    Ok(Samples::Nodes(graph, features))
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
