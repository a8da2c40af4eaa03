//! Finding rows for nodes whose edges are of several kinds: those of each relation, and of all.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::averages::Stopping;
use super::links::linked;
use super::rows::RowFinder;
use crate::base::node_rows::{NodeRows, NodeRowsSpec};
use crate::base::{GraphBase, NodeSamples};
use crate::error::{Error, Result};
use crate::monitor::Monitor;
use crate::solve::SolveReport;

/// Rows, and the relation whose edges they are made of: its place among those of the nodes.
pub(crate) type Wanted = (NodeRowsSpec, Option<usize>);

/// The rows of each of these kinds, in their order, and the worst of the solves.
///
/// # Errors
/// As [`RowFinder::find`]; [`Error::Refused`] where a direction is needed that is not kept.
pub(crate) fn find_rows(
    nodes: &NodeSamples,
    wanted: &[Wanted],
    (stopping, seed): (Stopping, u64),
    monitor: &mut dyn Monitor,
) -> Result<(Vec<Arc<NodeRows>>, Option<SolveReport>)> {
    let features = nodes.rescaled()?;
    let mut found: Vec<Option<Arc<NodeRows>>> = vec![None; wanted.len()];
    let mut report = None;
    let places: BTreeSet<Option<usize>> = wanted.iter().map(|(_, relation)| *relation).collect();
    for relation in places {
        let graph: &GraphBase = nodes.edges(relation);
        let mut finder = RowFinder::new(graph, features.as_ref(), stopping, seed);
        let own: Vec<usize> = (0..wanted.len())
            .filter(|&at| wanted[at].1 == relation && wanted[at].0.outgoing().is_none())
            .collect();
        let specs: Vec<NodeRowsSpec> = own.iter().map(|&at| wanted[at].0).collect();
        for (at, rows) in own.into_iter().zip(finder.find(&specs, monitor)?) {
            found[at] = Some(match relation {
                None => rows,
                Some(_) => Arc::new(NodeRows {
                    relation,
                    ..(*rows).clone()
                }),
            });
        }
        if let Some(solve) = finder.report() {
            report = Some(SolveReport::worse(report, solve.clone()));
        }
    }
    for ((spec, relation), slot) in wanted.iter().zip(&mut found) {
        let Some(outgoing) = spec.outgoing() else {
            continue;
        };
        let own = relation.and_then(|k| nodes.relations.get(k));
        let links = own.and_then(|own| {
            if outgoing {
                own.outgoing.as_ref()
            } else {
                own.incoming.as_ref()
            }
        });
        let links = links.ok_or_else(|| {
            Error::data(
                format!("{} need edges with a direction", spec.name()),
                "keep the direction of the edges, and name the relation",
            )
        })?;
        let rows = linked(links, (*spec, *relation), features.as_ref(), seed, monitor)?;
        *slot = Some(Arc::new(rows));
    }
    Ok((found.into_iter().flatten().collect(), report))
}
