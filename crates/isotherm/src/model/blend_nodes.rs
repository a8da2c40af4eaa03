//! The nodes of a blend ↔ parts: edges and features are kept, the rows that nodes become are found
//! again when a model is read.

use std::sync::Arc;

use super::blend_outline::{Comparison, Outline};
use super::graph_parts::{put_edges, put_graph, put_links, take_edges, take_graph, take_links};
use super::parts::{Array, Parts, broken, from_json, json, number};
use crate::base::{
    Adjacency as _, BlendPart, GraphBase, NodeFeatures, NodeSamples, Samples, Similarity, View,
};
use crate::data::Points;
use crate::data::graph::Relation;
use crate::error::Result;
use crate::monitor::Quiet;
use crate::nodes::{Stopping, Wanted, find_rows};

/// A relation but for its arrays, which are named after its place.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    name: String,
    /// Whether it has edges of its own; otherwise all edges are its own.
    edges: bool,
    outgoing: bool,
    incoming: bool,
}

/// Writes edges, those of each relation, and the features row by row: those that are not zero.
pub(super) fn put_nodes(parts: &mut Parts, nodes: &NodeSamples) {
    put_graph(parts, nodes.graph.graph());
    if !nodes.relations.is_empty() {
        let kind = |r: &Relation<Arc<GraphBase>>| Kind {
            name: r.name.clone(),
            edges: r.edges.is_some(),
            outgoing: r.outgoing.is_some(),
            incoming: r.incoming.is_some(),
        };
        let kinds: Vec<Kind> = nodes.relations.iter().map(kind).collect();
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
    let Some(NodeFeatures { given, .. }) = &nodes.features else {
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
pub(super) fn take_nodes(parts: &mut Parts) -> Result<NodeSamples> {
    let graph = Arc::new(GraphBase::new(take_graph(parts)?));
    let nodes = graph.graph().len();
    let kinds: Vec<Kind> = match parts.metadata.remove("relations") {
        Some(text) => from_json(&text, "relations")?,
        None => Vec::new(),
    };
    let mut relations = Vec::with_capacity(kinds.len());
    for (k, kind) in kinds.into_iter().enumerate() {
        relations.push(take_relation(parts, (k, nodes), kind)?);
    }
    let features = match parts.metadata.remove("node_feature_columns") {
        Some(columns) => {
            let dim = number(&columns, "node_feature_columns")?;
            let given = take_features(parts, nodes, dim)?;
            Some(NodeFeatures::learn(given, &mut Quiet)?)
        }
        None => None,
    };
    Ok(NodeSamples {
        graph,
        features,
        relations: relations.into(),
    })
}

fn take_relation(
    parts: &mut Parts,
    (k, nodes): (usize, usize),
    kind: Kind,
) -> Result<Relation<Arc<GraphBase>>> {
    let edges = match kind.edges {
        true => Some(take_edges(parts, &format!("relation_{k}"))?),
        false => None,
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
