//! The nodes of a blend ↔ parts: edges and features are kept, the rows that nodes become are found
//! again when a model is read.

use std::sync::Arc;

use super::blend_outline::{Comparison, Outline};
use super::graph_parts::{put_edges, put_graph, put_links, take_edges, take_graph, take_links};
use super::parts::{Parts, SparseNames, broken, from_json, json};
use crate::base::{
    Adjacency as _, BlendPart, GraphBase, NodeFeatures, NodeSamples, Samples, Similarity, View,
};
use crate::data::graph::Relation;
use crate::error::Result;
use crate::linalg::rows::sparse::SparseRows;
use crate::monitor::Quiet;
use crate::nodes::{Stopping, Wanted, find_rows};

/// Features of nodes.
const FEATURES: SparseNames = SparseNames {
    columns: "node_feature_columns",
    ends: "node_feature_ends",
    column: "node_feature_column",
    value: "node_feature_value",
};

/// A relation but for its arrays, which are named after its place.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RelationParts {
    name: String,
    /// Whether it has edges of its own; otherwise all edges are its own.
    edges: bool,
    outgoing: bool,
    incoming: bool,
}

/// Writes edges, those of each relation, and the features.
pub(super) fn put_nodes(parts: &mut Parts, nodes: &NodeSamples) {
    put_graph(parts, nodes.graph.graph());
    if !nodes.relations.is_empty() {
        let kind = |r: &Relation<Arc<GraphBase>>| RelationParts {
            name: r.name.clone(),
            edges: r.edges.is_some(),
            outgoing: r.outgoing.is_some(),
            incoming: r.incoming.is_some(),
        };
        let kinds: Vec<RelationParts> = nodes.relations.iter().map(kind).collect();
        parts.text("relations", json(&kinds));
    }
    for (k, relation) in nodes.relations.iter().enumerate() {
        if let Some(edges) = &relation.edges {
            put_edges(parts, &format!("relation_{k}"), edges.graph());
        }
        let directed = [("out", &relation.outgoing), ("in", &relation.incoming)];
        for (way, links) in directed {
            if let Some(links) = links {
                put_links(parts, &format!("relation_{k}_{way}"), links);
            }
        }
    }
    if let Some(features) = &nodes.features {
        put_features(parts, features);
    }
}

/// Writes features of nodes row by row: those that are not zero.
pub(super) fn put_features(parts: &mut Parts, features: &NodeFeatures) {
    let given = &features.given;
    match given.as_sparse() {
        Some(rows) => FEATURES.put(parts, rows),
        None => {
            let dense = given.tile(0..given.len());
            FEATURES.put(parts, &SparseRows::of_dense(&dense, given.dim()));
        }
    }
}

/// What [`put_features`] put, where there are features, of so many nodes.
pub(super) fn take_features(parts: &mut Parts, nodes: usize) -> Result<Option<NodeFeatures>> {
    if !parts.metadata.contains_key(FEATURES.columns) {
        return Ok(None);
    }
    let given = FEATURES.take(parts, Some(nodes))?;
    NodeFeatures::learn(given, &mut Quiet).map(Some)
}

/// What [`put_nodes`] put.
pub(super) fn take_nodes(parts: &mut Parts) -> Result<NodeSamples> {
    let graph = Arc::new(GraphBase::new(take_graph(parts)?));
    let nodes = graph.graph().len();
    let kinds: Vec<RelationParts> = match parts.metadata.remove("relations") {
        Some(text) => from_json(&text, "relations")?,
        None => Vec::new(),
    };
    let mut relations = Vec::with_capacity(kinds.len());
    for (k, kind) in kinds.into_iter().enumerate() {
        relations.push(take_relation(parts, (k, nodes), kind)?);
    }
    let features = take_features(parts, nodes)?;
    Ok(NodeSamples {
        graph,
        features,
        relations: relations.into(),
    })
}

fn take_relation(
    parts: &mut Parts,
    (k, nodes): (usize, usize),
    kind: RelationParts,
) -> Result<Relation<Arc<GraphBase>>> {
    let edges = if kind.edges {
        Some(take_edges(parts, &format!("relation_{k}"))?)
    } else {
        None
    };
    if edges.as_ref().is_some_and(|edges| edges.len() != nodes) {
        return Err(broken("relations", "are of different numbers of nodes"));
    }
    let mut links = |way: &str, kept: bool| {
        let word = format!("relation_{k}_{way}");
        kept.then(|| take_links(parts, &word, nodes)).transpose()
    };
    Ok(Relation {
        name: kind.name,
        edges: edges.map(|edges| Arc::new(GraphBase::new(edges))),
        outgoing: links("out", kind.outgoing)?,
        incoming: links("in", kind.incoming)?,
    })
}

/// The parts of a blend of nodes.
pub(super) fn node_parts(
    outlines: Vec<Outline>,
    (samples, labelled): (&Samples, &[usize]),
    (stopping, seed): (Stopping, u64),
) -> Result<Vec<BlendPart>> {
    let Samples::Nodes(nodes) = samples else {
        return Err(broken("blend", "compares nodes, and there is no graph"));
    };
    let known = |relation: &Option<usize>| relation.is_none_or(|k| k < nodes.relations.len());
    let mut wanted: Vec<Wanted> = Vec::new();
    for outline in &outlines {
        let relation = match &outline.similarity {
            Comparison::Nodes { rows, relation, .. } => {
                rows.check()?;
                wanted.push((*rows, *relation));
                relation
            }
            Comparison::Edges { relation, .. } => relation,
            _ => &None,
        };
        if !known(relation) {
            return Err(broken("blend", "names a relation that is not there"));
        }
    }
    let (rows, _) = find_rows(nodes, &wanted, (stopping, seed), &mut Quiet)?;
    let mut rows = rows.into_iter();
    let mut parts = Vec::with_capacity(outlines.len());
    for outline in outlines {
        outline.check()?;
        let named = (outline.name, outline.share);
        parts.push(match (outline.similarity, rows.as_slice()) {
            (Comparison::Nodes { kernel, .. }, [_, ..]) => {
                let own = rows.next().ok_or_else(|| broken("blend", "lacks rows"))?;
                BlendPart::kernel(named, View::Nodes(own), (samples, labelled), kernel)?
            }
            (Comparison::Edges { eta, relation }, _) if (0.0..1.0).contains(&eta) => {
                by_edges(named, Similarity::Edges { eta, relation })
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
