//! Finding several kinds of rows for the nodes of one graph.

use std::sync::Arc;

use super::averages::{Stopping, averages, two_steps};
use super::columns::{Columns, SparseColumns};
use super::directions::directions;
use super::spectrum::spectrum;
use super::walk::Walk;
use crate::base::node_rows::{
    Averaged, NodeRows, NodeRowsSpec, RowKind, directions as most, node_columns,
};
use crate::base::role_counts::{NUMBERS, counts, scale, scaling};
use crate::base::{Adjacency as _, GraphBase};
use crate::data::table::Foreign;
use crate::data::{Points, Rescaling};
use crate::error::{Error, Refusal, Result};
use crate::linalg::Block;
use crate::monitor::Monitor;
use crate::solve::SolveReport;

/// What is averaged, and the directions it was multiplied by.
type Spread = (Arc<Columns>, Option<Arc<Block>>);

/// Finds rows of the nodes of one graph, and does what several of them need once.
pub(crate) struct RowFinder<'a> {
    graph: &'a GraphBase,
    features: Option<&'a Points>,
    looped: Option<Walk>,
    features_spread: Option<Spread>,
    nodes_spread: Option<Spread>,
    spectrum: Option<(Vec<f64>, Vec<f32>)>,
    stopping: Stopping,
    seed: u64,
    report: Option<SolveReport>,
}

impl<'a> RowFinder<'a> {
    /// Of a graph without loops whose nodes may have features.
    pub(crate) fn new(
        graph: &'a GraphBase,
        features: Option<&'a Points>,
        stopping: Stopping,
        seed: u64,
    ) -> Self {
        Self {
            graph,
            features,
            looped: None,
            features_spread: None,
            nodes_spread: None,
            spectrum: None,
            stopping,
            seed,
            report: None,
        }
    }

    /// The worst of the solves so far.
    pub(crate) fn report(&self) -> Option<&SolveReport> {
        self.report.as_ref()
    }

    /// The rows of each of these kinds.
    ///
    /// # Errors
    /// [`Error::Refused`] where features are needed and there are none; as the solvers.
    pub(crate) fn find(
        &mut self,
        specs: &[NodeRowsSpec],
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<Arc<NodeRows>>> {
        let mut found: Vec<Option<Arc<NodeRows>>> = vec![None; specs.len()];
        for of_features in [true, false] {
            let wanted: Vec<(usize, f64)> = (specs.iter().enumerate())
                .filter_map(|(at, spec)| match spec {
                    NodeRowsSpec::SmoothedFeatures { eta } if of_features => Some((at, *eta)),
                    NodeRowsSpec::Surroundings { eta } if !of_features => Some((at, *eta)),
                    _ => None,
                })
                .collect();
            let etas: Vec<f64> = wanted.iter().map(|(_, eta)| *eta).collect();
            let rows = self.averaged(of_features, &etas, monitor)?;
            for ((at, _), rows) in wanted.into_iter().zip(rows) {
                found[at] = Some(rows);
            }
        }
        let ranks = specs.iter().filter_map(|spec| match spec {
            NodeRowsSpec::Spectrum { rank } => Some(*rank),
            _ => None,
        });
        let most_ranks = ranks.max().unwrap_or(0);
        for (spec, slot) in specs.iter().zip(&mut found) {
            if slot.is_none() {
                *slot = Some(Arc::new(self.one(spec, most_ranks, monitor)?));
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn averaged(
        &mut self,
        of_features: bool,
        etas: &[f64],
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<Arc<NodeRows>>> {
        if etas.is_empty() {
            return Ok(Vec::new());
        }
        let (columns, of) = self.columns(of_features, monitor)?;
        let nodes = self.graph.graph().len();
        let stopping = self.stopping;
        let (found, solve) = averages(self.looped(), &columns, etas, stopping, monitor)?;
        if let Some(solve) = solve {
            self.report = Some(SolveReport::worse(self.report.take(), solve));
        }
        (etas.iter().zip(found))
            .map(|(&eta, values)| {
                let spec = if of_features {
                    NodeRowsSpec::SmoothedFeatures { eta }
                } else {
                    NodeRowsSpec::Surroundings { eta }
                };
                Ok(Arc::new(NodeRows {
                    spec,
                    relation: None,
                    kind: RowKind::Averages {
                        eta,
                        of: of.clone(),
                    },
                    rows: single(values, nodes, columns.count())?,
                }))
            })
            .collect()
    }

    fn one(
        &mut self,
        spec: &NodeRowsSpec,
        most_ranks: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<NodeRows> {
        let graph = self.graph.graph();
        let nodes = graph.len();
        let (kind, rows) = match spec {
            NodeRowsSpec::Features { scaling } => {
                let features = self.features()?;
                let rescaling = Rescaling::learn(*scaling, features, monitor)?;
                let rows = rescaling.copy(features)?;
                (RowKind::Features(rescaling), rows)
            }
            NodeRowsSpec::FeaturesTwoStepsAway {} => self.two_steps(true, monitor)?,
            NodeRowsSpec::NodesTwoStepsAway {} => self.two_steps(false, monitor)?,
            NodeRowsSpec::Spectrum { rank } => {
                let (values, rows) = self.leading(*rank, most_ranks, monitor)?;
                let dim = values.len();
                let kind = RowKind::Spectrum {
                    values: values.into(),
                };
                (kind, single(rows, nodes, dim)?)
            }
            NodeRowsSpec::Roles {} => {
                let mut rows = counts(graph);
                let roles = scaling(&rows)?;
                rows.chunks_exact_mut(NUMBERS)
                    .for_each(|row| scale(&roles, row));
                (RowKind::Roles(roles), Points::new(rows, nodes, NUMBERS)?)
            }
            NodeRowsSpec::SmoothedFeatures { .. } | NodeRowsSpec::Surroundings { .. } => {
                return Err(Error::data(
                    "averages are found together",
                    "ask for all of them",
                ));
            }
            NodeRowsSpec::LinkedFeatures { .. } | NodeRowsSpec::LinkedNodes { .. } => {
                return Err(Error::data(
                    format!("{} need edges with a direction", spec.name()),
                    "keep the direction of the edges",
                ));
            }
        };
        Ok(NodeRows {
            spec: *spec,
            relation: None,
            kind,
            rows,
        })
    }

    /// The first `rank` of the `most` leading eigenvectors, which are found once.
    fn leading(
        &mut self,
        rank: usize,
        most: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<(Vec<f64>, Vec<f32>)> {
        let (values, rows) = match self.spectrum.take() {
            Some(known) => known,
            None => spectrum(self.graph, most, self.seed, monitor)?,
        };
        let own = values.len().min(rank.max(1));
        let first = rows.chunks_exact(values.len()).flat_map(|row| &row[..own]);
        let leading = (values[..own].to_vec(), first.copied().collect());
        self.spectrum = Some((values, rows));
        Ok(leading)
    }

    fn two_steps(
        &mut self,
        of_features: bool,
        monitor: &mut dyn Monitor,
    ) -> Result<(RowKind, Points)> {
        let (columns, _) = self.columns(of_features, monitor)?;
        let dim = columns.count();
        let nodes = self.graph.graph().len();
        let walk = Walk::new(self.graph.graph());
        let (near, far) = two_steps(&walk, &columns, monitor)?;
        let near = single(near, nodes, dim)?;
        Ok((RowKind::TwoSteps { near }, single(far, nodes, dim)?))
    }

    /// X̂ column by column: as it is, or the directions in which its averages spread most.
    fn columns(
        &mut self,
        of_features: bool,
        monitor: &mut dyn Monitor,
    ) -> Result<(Arc<Columns>, Averaged)> {
        let known = if of_features {
            self.features_spread.take()
        } else {
            self.nodes_spread.take()
        };
        let spread = match known {
            Some(spread) => spread,
            None => self.spread(of_features, monitor)?,
        };
        let directions = spread.1.clone();
        let columns = spread.0.clone();
        let slot = if of_features {
            &mut self.features_spread
        } else {
            &mut self.nodes_spread
        };
        *slot = Some(spread);
        let of = if of_features {
            Averaged::Features { directions }
        } else {
            Averaged::Nodes
        };
        Ok((columns, of))
    }

    fn spread(&mut self, of_features: bool, monitor: &mut dyn Monitor) -> Result<Spread> {
        let nodes = self.graph.graph().len();
        let (sparse, most) = if of_features {
            (SparseColumns::of_features(self.features()?), most(nodes))
        } else {
            (SparseColumns::of_nodes(nodes), node_columns(nodes))
        };
        if sparse.count() <= most {
            return Ok((Arc::new(Columns::Sparse(sparse)), None));
        }
        let how = (most, self.seed);
        let found = directions(self.looped(), &sparse, how, monitor)?;
        let columns = Columns::Dense(sparse.times(&found)?);
        Ok((Arc::new(columns), Some(Arc::new(found))))
    }

    fn features(&self) -> Result<&'a Points> {
        self.features.ok_or_else(|| {
            Error::refused(
                Refusal::Method,
                "the nodes have no features",
                "give features, or choose members that work on edges alone",
            )
        })
    }

    fn looped(&mut self) -> &Walk {
        let graph = self.graph.graph();
        self.looped.get_or_insert_with(|| Walk::with_loops(graph))
    }
}

pub(super) fn single(values: Vec<f32>, rows: usize, dim: usize) -> Result<Points> {
    Points::shared(Arc::new(Foreign::row_major(values, rows, dim)?))
}
