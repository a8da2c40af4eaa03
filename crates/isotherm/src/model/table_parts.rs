//! Nodes whose averaged features are rows ↔ parts: edges and features are kept, the averages are
//! found again when a model is read.

use std::sync::Arc;

use super::blend_nodes::{put_features, take_features};
use super::graph_parts::{put_edges, take_edges};
use super::parts::{Parts, broken};
use crate::base::{Adjacency as _, GraphBase, NodeSamples, NodeTable};
use crate::data::{Points, Rescaling};
use crate::error::Result;
use crate::monitor::Quiet;
use crate::nodes::of_samples;
use crate::recipe::Recipe;

/// The edges, beside those that a method makes of rows.
const EDGES: &str = "nodes";

pub(super) fn put_table(parts: &mut Parts, table: &NodeTable) {
    put_edges(parts, EDGES, table.samples().graph.graph());
    if let Some(features) = &table.samples().features {
        put_features(parts, features);
    }
}

/// What [`put_table`] put, where the recipe smooths features.
pub(super) fn take_table(parts: &mut Parts, recipe: &Recipe) -> Result<Option<Arc<NodeTable>>> {
    let Some(smooth) = &recipe.smooth else {
        return Ok(None);
    };
    let graph = Arc::new(GraphBase::new(take_edges(parts, EDGES)?));
    let features = take_features(parts, graph.graph().len())?;
    if features.is_none() {
        return Err(broken("node_feature_columns", "is missing"));
    }
    let samples = NodeSamples {
        graph,
        features,
        relations: Arc::default(),
    };
    let (table, _) = of_samples(samples, smooth.etas(), recipe.seed, &mut Quiet)?;
    Ok(Some(Arc::new(table)))
}

/// The rows of all nodes as the method sees them.
pub(super) fn scaled_rows(table: &NodeTable, scaling: Option<&Rescaling>) -> Result<Points> {
    match scaling {
        Some(scaling) => scaling.view(&table.rows()?),
        None => table.rows(),
    }
}
