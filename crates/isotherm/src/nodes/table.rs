//! The nodes of a graph as a table of their averaged features.

use std::sync::Arc;

use super::averages::Stopping;
use super::relations::find_rows;
use crate::base::node_rows::NodeRowsSpec;
use crate::base::{GraphBase, NodeFeatures, NodeSamples, NodeTable};
use crate::data::{Graph, Points};
use crate::error::{Error, Refusal, Result};
use crate::monitor::Monitor;
use crate::solve::SolveReport;

/// More is lost in single precision.
const STOPPING: Stopping = Stopping {
    tolerance: 1e-6,
    iterations: 10_000,
};

/// The features of nodes, averaged with each η, and how the averages went.
///
/// Cost: as that of averages with the largest η; 4Nd bytes for each η, d being at most 512.
///
/// # Errors
/// [`Error::Refused`] where nodes have no features; [`Error::Parameter`] for an η out of range;
/// [`Error::Cancelled`].
pub(crate) fn smoothed(
    (graph, features): (Graph, Option<Points>),
    etas: &[f64],
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<(NodeTable, Option<SolveReport>)> {
    let given = features.ok_or_else(|| {
        Error::refused(
            Refusal::Method,
            "the nodes have no features to smooth",
            "give features of the nodes, or leave `smooth` out",
        )
    })?;
    let samples = NodeSamples {
        graph: Arc::new(GraphBase::new(graph)),
        features: Some(NodeFeatures::learn(given, monitor)?),
        relations: Arc::default(),
    };
    of_samples(samples, etas, seed, monitor)
}

/// As [`smoothed`] of nodes that are put together already.
///
/// # Errors
/// As [`smoothed`].
pub(crate) fn of_samples(
    samples: NodeSamples,
    etas: &[f64],
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<(NodeTable, Option<SolveReport>)> {
    let wanted = |&eta: &f64| (NodeRowsSpec::SmoothedFeatures { eta }, None);
    let wanted: Vec<_> = etas.iter().map(wanted).collect();
    let (blocks, report) = find_rows(&samples, &wanted, (STOPPING, seed), monitor)?;
    Ok((NodeTable::new(samples, blocks), report))
}
