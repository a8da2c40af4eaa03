//! Recipe + data → a prepared method: the one place where an input becomes a base.

use std::sync::Arc;

use super::input::{Input, kernel_base, neighbour_base};
use super::laplacian::{is_sampled, open};
use super::prepared::{PreparedMethod, PreparedOnGraph};
use super::row_checks::{conflicts, constants};
use crate::base::{GraphBase, NodeTable, SimilarityBase};
use crate::data::columns::Columns;
use crate::data::scaling::constant_columns;
use crate::data::{Nodes, Points, Rescaling, Targets};
use crate::error::{Error, Refusal, Result};
use crate::estimator::Estimator;
use crate::estimator::baseline::KernelRidge;
use crate::estimator::blend::Blend;
use crate::estimator::laplacian::Laplacian;
use crate::model::Warning;
use crate::monitor::Monitor;
use crate::nodes::smoothed;
use crate::recipe::{Method, Recipe, Scaling};
use crate::task::Observed;

/// A prepared method, and what was learned on the way.
pub(crate) struct Preparation {
    pub(crate) method: PreparedMethod,
    pub(crate) scaling: Option<Rescaling>,
    /// The nodes whose rows are compared, where they are nodes.
    pub(crate) nodes: Option<Arc<NodeTable>>,
    pub(crate) warnings: Vec<Warning>,
}

impl std::fmt::Debug for Preparation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preparation").finish_non_exhaustive()
    }
}

impl Preparation {
    /// Prepares a recipe that was checked; labels decide only what it leaves open.
    pub(super) fn new(
        recipe: &Recipe,
        input: Input,
        targets: &Targets,
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let of = |method| Self {
            method,
            scaling: None,
            nodes: None,
            warnings: Vec::new(),
        };
        if let Some(smooth) = &recipe.smooth {
            let parts = match input {
                Input::Nodes(nodes) => nodes.into_parts(),
                Input::Graph(graph) => (graph, None),
                Input::Table(_) | Input::Gram(_) => {
                    return Err(Error::data(
                        "rows have no edges to smooth along",
                        "give a graph",
                    ));
                }
            };
            let (nodes, solve) = smoothed(parts, smooth.etas(), recipe.seed, monitor)?;
            let (points, scaling) = scaled_nodes(recipe, nodes.rows()?, monitor)?;
            let mut warnings: Vec<Warning> = solve.iter().filter_map(Warning::of_solve).collect();
            return Ok(Self {
                method: on_rows(recipe, points, seen, &mut warnings, monitor)?,
                scaling,
                nodes: Some(Arc::new(nodes)),
                warnings,
            });
        }
        let input = match (input, &recipe.method) {
            (Input::Graph(graph), Method::Blend(_)) => Input::Nodes(Nodes::new(graph, None)?),
            // Only a blend learns from the features of nodes.
            (Input::Nodes(nodes), method) if !matches!(method, Method::Blend(_)) => {
                Input::Graph(nodes.into_parts().0)
            }
            (input, _) => input,
        };
        let points = match input {
            Input::Nodes(nodes) => {
                let Method::Blend(params) = &recipe.method else {
                    return Err(Error::data(
                        "features of nodes without a blend",
                        "use a blend",
                    ));
                };
                let blend = Blend::new(params.clone(), recipe.seed)?;
                let prepared = Estimator::<Nodes>::prepare(&blend, nodes, monitor)?;
                return Ok(of(PreparedMethod::Blend(Box::new(prepared))));
            }
            Input::Graph(graph) => {
                let normalisation = recipe.normalisation.unwrap_or_default();
                let base = GraphBase::normalised(graph, normalisation)?;
                let prepared = PreparedOnGraph::new(recipe, base, monitor)?;
                return Ok(of(PreparedMethod::Graph(prepared)));
            }
            Input::Gram(rows) => {
                let Method::Stkr(params) = &recipe.method else {
                    return Err(Error::refused(
                        Refusal::Method,
                        format!(
                            "{} does not work on given similarities",
                            recipe.method.name()
                        ),
                        "use stkr",
                    ));
                };
                let base = SimilarityBase::from_rows(&rows)?;
                let prepared = recipe.stkr(params)?.prepare(base, monitor)?;
                return Ok(of(PreparedMethod::Gram(Box::new(prepared))));
            }
            Input::Table(points) => points,
        };
        let (points, scaling, mut warnings) = scaled(recipe, points, targets, seen, monitor)?;
        Ok(Self {
            method: on_rows(recipe, points, seen, &mut warnings, monitor)?,
            scaling,
            nodes: None,
            warnings,
        })
    }
}

/// The method on rows, which are scaled already.
fn on_rows(
    recipe: &Recipe,
    points: Points,
    seen: &Observed,
    warnings: &mut Vec<Warning>,
    monitor: &mut dyn Monitor,
) -> Result<PreparedMethod> {
    Ok(match (&recipe.method, &recipe.kernel) {
        (Method::KernelRidge(params), _) => {
            let estimator = KernelRidge::new(params.clone(), recipe.seed)?;
            PreparedMethod::Ridge(estimator.prepare(points, monitor)?)
        }
        (Method::Laplacian(params), _) => {
            let opened = open(recipe, params, &points, seen, warnings, monitor)?;
            let estimator = Laplacian::new(opened.params, recipe.seed)?;
            PreparedMethod::Laplacian {
                prepared: Box::new(estimator.prepare(points, monitor)?),
                chosen: opened.chosen,
            }
        }
        (Method::Blend(params), _) => {
            let blend = Blend::new(params.clone(), recipe.seed)?.neighbours(recipe.neighbours);
            let blend = match recipe.scaling {
                Some(Scaling::None) => blend.unscaled(),
                _ => blend,
            };
            PreparedMethod::Blend(Box::new(blend.prepare(points, monitor)?))
        }
        (Method::Stkr(params), Some(kernel)) => {
            let (base, kernel) = kernel_base(points, kernel, recipe.seed)?;
            PreparedMethod::Kernel {
                prepared: Box::new(recipe.stkr(params)?.prepare(base, monitor)?),
                kernel,
            }
        }
        _ => {
            let (count, normalisation) = (recipe.neighbours, recipe.normalisation);
            let base = neighbour_base(points, count, normalisation, recipe.seed, monitor)?;
            PreparedMethod::Neighbours(PreparedOnGraph::new(recipe, base, monitor)?)
        }
    })
}

/// Rows of nodes as the recipe scales them: not at all where it does not say.
fn scaled_nodes(
    recipe: &Recipe,
    rows: Points,
    monitor: &mut dyn Monitor,
) -> Result<(Points, Option<Rescaling>)> {
    match recipe.scaling {
        Some(Scaling::Standardise) => {
            let scaling = Rescaling::standard(&rows, monitor)?;
            Ok((scaling.apply(rows, monitor)?, Some(scaling)))
        }
        Some(Scaling::None) | None => Ok((rows, None)),
    }
}

/// The rows as the recipe scales them, and what to warn of.
pub(crate) fn scaled(
    recipe: &Recipe,
    points: Points,
    targets: &Targets,
    seen: &Observed,
    monitor: &mut dyn Monitor,
) -> Result<(Points, Option<Rescaling>, Vec<Warning>)> {
    let mut columns = constant_columns(&points);
    if let Some(rows) = points.as_sparse()
        && columns.len() < points.dim()
    {
        // Columns without any number are usual there.
        columns.retain(|c| rows.row(0).0.binary_search(&(*c as u32)).is_ok());
    }
    if columns.len() < points.dim() {
        // What is one thing together, such as a picture, may have parts that never change.
        columns.retain(|c| !points.blocks().iter().any(|block| block.contains(c)));
    }
    let mut warnings = constants(columns, points.len(), points.dim())?;
    let pairs = conflicts(&points, seen.index(), targets, seen.index());
    if pairs > 0 {
        warnings.push(Warning::Conflicts { pairs });
    }
    let sampled = match &recipe.method {
        Method::Laplacian(params) => is_sampled(params, points.len()),
        _ => false,
    };
    let scaling = match recipe.scaling.unwrap_or_default() {
        // Each member scales the rows in its own way.
        _ if matches!(recipe.method, Method::Blend(_)) => None,
        // As every part of a stream of these rows would scale them.
        Scaling::Standardise if sampled && !points.is_sparse() => {
            let scaling = Columns::of(&points).scaling()?.rounded()?;
            Some(Rescaling::Columns(scaling))
        }
        Scaling::Standardise => Some(Rescaling::standard(&points, monitor)?),
        Scaling::None => None,
    };
    let points = match &scaling {
        Some(scaling) => scaling.apply(points, monitor)?,
        None => points,
    };
    Ok((points, scaling, warnings))
}
