//! Recipe and data in; models, estimates and choices out.

use isotherm::base::{Adjacency as _, NeighbourBase};
use isotherm::labelling::WeightedTargets;
use isotherm::monitor::Monitor;
use isotherm::neighbours::Search;
use isotherm::recipe::{self, Recipe, Shape};
use isotherm::select::{Grid, laplacian::LaplacianGrid};
use isotherm::spectrum::{Filter, FilterPath};
use isotherm::study::{EvaluateOptions, Input, LabelSampling, Sets, Study, SuggestOptions};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::json;

use crate::arrays::{Rows, column_or_none, matrix, table};
use crate::errors::{Failure, read_json, wrong_value};
use crate::function::Own;
use crate::graphs::PyGraph;
use crate::labels::PyLabels;
use crate::model::{PyModel, Source};
use crate::work::run;

#[pyfunction]
pub(crate) fn check_recipe(recipe: &str, shape: &str) -> PyResult<()> {
    let recipe: Recipe = read_json("recipe", recipe)?;
    let shape = match shape {
        "table" => Shape::Table,
        "graph" => Shape::Graph,
        "gram" => Shape::Gram,
        other => {
            return Err(wrong_value(format!(
                "shape must be table, graph or gram, got {other}"
            )));
        }
    };
    recipe.check(shape).map_err(|e| wrong_value(e.to_string()))
}

/// What every function here is given.
struct Task<'a> {
    recipe: Recipe,
    source: Source,
    labels: &'a PyLabels,
    weights: Option<Vec<f64>>,
    own: Own,
}

impl<'a> Task<'a> {
    fn new(
        recipe: &str,
        data: &Bound<'_, PyAny>,
        labels: &'a Bound<'_, PyLabels>,
        weights: Option<&Bound<'_, PyAny>>,
        function: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut recipe: Recipe = read_json("recipe", recipe)?;
        let (own, function) = Own::new(function)?;
        recipe.function = function;
        Ok(Self {
            recipe,
            source: Source::new(data)?,
            labels: labels.get(),
            weights: column_or_none("weights", weights)?,
            own,
        })
    }

    /// Runs with the input made in the pool, so that no other thread is used.
    fn run<T: Send>(
        self,
        py: Python<'_>,
        threads: Option<usize>,
        on_event: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&Recipe, Input, WeightedTargets<'_>, &mut dyn Monitor) -> isotherm::Result<T>
        + Send,
    ) -> PyResult<T> {
        let Self {
            recipe,
            source,
            labels,
            weights,
            own,
        } = self;
        run(py, threads, on_event, move |monitor| {
            let given = WeightedTargets {
                targets: &labels.targets,
                weights: weights.as_deref(),
            };
            let input = source.input()?;
            own.explain(work(&recipe, input, given, monitor).map_err(Failure::from))
        })
    }
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, *, weights=None, function=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn fit(
    py: Python<'_>,
    recipe: &str,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    weights: Option<&Bound<'_, PyAny>>,
    function: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyModel> {
    let task = Task::new(recipe, data, labels, weights, function)?;
    let model = task.run(py, threads, on_event, |recipe, input, given, monitor| {
        Study::new(recipe, input, given)?.fit(monitor)
    })?;
    Ok(PyModel { model })
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, *, weights=None, function=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn leave_one_out<'py>(
    py: Python<'py>,
    recipe: &str,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    weights: Option<&Bound<'_, PyAny>>,
    function: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let task = Task::new(recipe, data, labels, weights, function)?;
    let left = task.run(py, threads, on_event, |recipe, input, given, monitor| {
        Study::new(recipe, input, given)?.leave_one_out(monitor)
    })?;
    let index = left.index.into_iter().map(|i| i as i64).collect();
    let reached = PyArray1::from_vec(py, left.reached);
    (
        PyArray1::from_vec(py, index),
        matrix(py, &left.scores)?,
        reached,
    )
        .into_pyobject(py)
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, count, *, function=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn spectrum<'py>(
    py: Python<'py>,
    recipe: &str,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    count: usize,
    function: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let task = Task::new(recipe, data, labels, None, function)?;
    let values = task.run(py, threads, on_event, |recipe, input, given, monitor| {
        Study::new(recipe, input, given).and_then(|mut study| study.eigenvalues(count, monitor))
    })?;
    Ok(PyArray1::from_vec(py, values))
}

/// As [`EvaluateOptions`], without how labels were chosen.
#[derive(serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Judged {
    level: f64,
    suspects: usize,
}

impl Default for Judged {
    fn default() -> Self {
        let EvaluateOptions {
            level, suspects, ..
        } = EvaluateOptions::default();
        Self { level, suspects }
    }
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, judging, *, weights=None, audit=None, pool=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn evaluate(
    py: Python<'_>,
    recipe: &str,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    judging: &str,
    weights: Option<&Bound<'_, PyAny>>,
    audit: Option<&Bound<'_, PyAny>>,
    pool: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let judged: Judged = read_json("judging", judging)?;
    let pool: Option<Vec<i64>> = column_or_none("pool", pool)?;
    let count = |c: i64| {
        usize::try_from(c).map_err(|_| wrong_value(format!("pool must not be negative, got {c}")))
    };
    let pool = pool.map(|pool| {
        pool.into_iter()
            .map(count)
            .collect::<PyResult<Vec<usize>>>()
    });
    let sampling = match column_or_none::<bool>("audit", audit)? {
        Some(audit) => LabelSampling::Active {
            audit,
            pool: pool.transpose()?,
        },
        None if pool.is_some() => {
            return Err(wrong_value(
                "pool is read beside audit only; give audit too",
            ));
        }
        None => LabelSampling::Random,
    };
    let judging = EvaluateOptions {
        sampling,
        level: judged.level,
        suspects: judged.suspects,
    };
    let task = Task::new(recipe, data, labels, weights, None)?;
    let found = task.run(py, threads, on_event, |recipe, input, given, monitor| {
        Study::new(recipe, input, given).and_then(|mut study| study.evaluate(&judging, monitor))
    })?;
    written(&found)
}

/// As [`SuggestOptions`].
#[derive(serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Asked {
    count: usize,
    strategy: isotherm::query::Acquisition,
    audit_every: Option<usize>,
    modes: usize,
    classes: Vec<String>,
}

impl Default for Asked {
    fn default() -> Self {
        let usual = SuggestOptions::default();
        Self {
            count: usual.count,
            strategy: usual.strategy,
            audit_every: usual.audit_every,
            modes: usual.modes,
            classes: usual.classes,
        }
    }
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, asking, *, threads=None, on_event=None))]
pub(crate) fn suggest(
    py: Python<'_>,
    recipe: &str,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    asking: &str,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let asked: Asked = read_json("asking", asking)?;
    let asking = SuggestOptions {
        count: asked.count,
        strategy: asked.strategy,
        audit_every: asked.audit_every,
        modes: asked.modes,
        classes: asked.classes,
    };
    let task = Task::new(recipe, data, labels, None, None)?;
    let found = task.run(py, threads, on_event, |recipe, input, given, monitor| {
        Study::new(recipe, input, given).and_then(|mut study| study.suggest(&asking, monitor))
    })?;
    written(&found)
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, level, *, weights=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn fit_with_sets<'py>(
    py: Python<'py>,
    recipe: &str,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    level: f64,
    weights: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let task = Task::new(recipe, data, labels, weights, None)?;
    let (model, sets) = task.run(py, threads, on_event, |recipe, input, given, monitor| {
        Study::new(recipe, input, given).and_then(|mut study| {
            let sets = study.sets(level, monitor)?;
            Ok((study.fit(monitor)?, sets))
        })
    })?;
    let sets = match sets {
        Sets::Classes(sets) => {
            let classes = model.names().len();
            let mut flags = vec![false; sets.len() * classes];
            for (i, set) in sets.iter().enumerate() {
                set.iter()
                    .for_each(|c| flags[i * classes + *c as usize] = true);
            }
            table(py, flags, classes)?.into_any()
        }
        Sets::Values(ranges) => {
            let ends = ranges.into_iter().flat_map(|(low, high)| [low, high]);
            table(py, ends.collect(), 2)?.into_any()
        }
        _ => return Err(wrong_value("there are no prediction sets for this task")),
    };
    (PyModel { model }, sets).into_pyobject(py)
}

/// A grid for kernel Laplacians; what is left out is the default's.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Searched {
    bandwidths: Option<Vec<f64>>,
    norm_shares: Option<Vec<f64>>,
    filters: Option<Vec<Filter>>,
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, grid, *, threads=None, on_event=None))]
pub(crate) fn tune(
    py: Python<'_>,
    recipe: &str,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    grid: &str,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let task = Task::new(recipe, data, labels, None, None)?;
    let found = match task.recipe.method {
        recipe::Method::Laplacian(_) => {
            let mut wanted = LaplacianGrid::default();
            if !grid.is_empty() {
                let said: Searched = read_json("grid", grid)?;
                wanted.bandwidths = said.bandwidths.unwrap_or(wanted.bandwidths);
                wanted.shares = said.norm_shares.unwrap_or(wanted.shares);
                wanted.filters = said.filters.map_or(wanted.filters, FilterPath::Given);
            }
            task.run(
                py,
                threads,
                on_event,
                move |recipe, input, given, monitor| {
                    let tuned = Study::new(recipe, input, given.targets)
                        .and_then(|mut study| study.tune_laplacian(&wanted, monitor))?;
                    let cells = tuned.search.cells.iter().map(|cell| {
                        json!({
                            "bandwidth": cell.bandwidth,
                            "norm_share": cell.share,
                            "filter": cell.filter,
                            "score": cell.score,
                        })
                    });
                    let cells: Vec<_> = cells.collect();
                    Ok(json!({
                        "recipe": tuned.recipe,
                        "best": tuned.search.best,
                        "cells": cells,
                        "metric": "squared-error",
                    }))
                },
            )?
        }
        _ => {
            let grid = match grid.is_empty() {
                true => Grid::inverse_laplacian(),
                false => read_json("grid", grid)?,
            };
            task.run(
                py,
                threads,
                on_event,
                move |recipe, input, given, monitor| {
                    let tuned = Study::new(recipe, input, given.targets)
                        .and_then(|mut study| study.tune(&grid, monitor))?;
                    let cells = tuned.search.cells.iter().map(|cell| {
                        json!({
                            "transform": tuned.search.grid.transforms[cell.transform],
                            "ridge": tuned.search.grid.ridges[cell.ridge],
                            "score": cell.score,
                        })
                    });
                    let cells: Vec<_> = cells.collect();
                    let metric = match recipe.task {
                        recipe::Task::Classify => "accuracy",
                        _ => "squared-error",
                    };
                    Ok(json!({
                        "recipe": tuned.recipe,
                        "best": tuned.search.best,
                        "cells": cells,
                        "metric": metric,
                    }))
                },
            )?
        }
    };
    Ok(found.to_string())
}

#[pyfunction]
#[pyo3(signature = (x, n_neighbors, *, seed=0, exact=false, threads=None, on_event=None))]
pub(crate) fn knn_graph(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    n_neighbors: usize,
    seed: u64,
    exact: bool,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyGraph> {
    let rows = Rows::new("x", x)?;
    let how = match exact {
        true => Search::Exact,
        false => Search::Auto,
    };
    run(py, threads, on_event, move |monitor| {
        let points = rows.points()?;
        let base = NeighbourBase::find(points, n_neighbors, how, seed, monitor)?;
        Ok(PyGraph::of(base.graph().clone()))
    })
}

fn written<T: serde::Serialize>(value: &T) -> PyResult<String> {
    serde_json::to_string(value).map_err(|e| wrong_value(e.to_string()))
}
