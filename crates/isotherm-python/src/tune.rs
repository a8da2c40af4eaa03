//! Parameters by closed-form leave-one-label-out.

use isotherm::recipe::{Method, Recipe, Task};
use isotherm::select::{Grid, laplacian::LaplacianGrid};
use isotherm::spectrum::{Filter, FilterPath};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::dict::{from_python, to_python};
use crate::labels::PyLabels;
use crate::problem::Problem;

/// A grid for kernel Laplacians; what is left out is the default's.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct LaplacianAxes {
    bandwidths: Option<Vec<f64>>,
    norm_shares: Option<Vec<f64>>,
    filters: Option<Vec<Filter>>,
}

impl LaplacianAxes {
    fn grid(self) -> LaplacianGrid {
        let usual = LaplacianGrid::default();
        LaplacianGrid {
            bandwidths: self.bandwidths.unwrap_or(usual.bandwidths),
            shares: self.norm_shares.unwrap_or(usual.shares),
            filters: self.filters.map_or(usual.filters, FilterPath::Given),
        }
    }
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, grid=None, *, weights=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn tune<'py>(
    py: Python<'py>,
    recipe: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    grid: Option<&Bound<'_, PyAny>>,
    weights: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let problem = Problem::new(recipe, data, labels, weights, None)?;
    let found = if matches!(problem.recipe.method, Method::Laplacian(_)) {
        let axes: Option<LaplacianAxes> = grid.map(|g| from_python("grid", g)).transpose()?;
        let grid = axes.map_or_else(LaplacianGrid::default, LaplacianAxes::grid);
        problem.run(py, threads, on_event, |study, monitor| {
            let tuned = study.tune_laplacian(&grid, monitor)?;
            let cells = tuned.search.cells.iter().map(|cell| {
                json!({
                    "bandwidth": cell.bandwidth,
                    "norm_share": cell.share,
                    "filter": cell.filter,
                    "score": cell.score,
                })
            });
            Ok(report(
                &tuned.recipe,
                tuned.search.best,
                cells,
                "squared-error",
                None,
            ))
        })?
    } else {
        let grid = grid.map(|g| from_python("grid", g)).transpose()?;
        let grid = grid.unwrap_or_else(Grid::inverse_laplacian);
        problem.run(py, threads, on_event, |study, monitor| {
            let tuned = study.tune(&grid, monitor)?;
            let cells = tuned.search.cells.iter().map(|cell| {
                json!({
                    "transform": tuned.search.grid.transforms[cell.transform],
                    "ridge": tuned.search.grid.ridges[cell.ridge],
                    "score": cell.score,
                })
            });
            let classes = matches!(study.recipe().task, Task::Classify);
            let metric = if classes { "accuracy" } else { "squared-error" };
            let (best, nested) = (tuned.search.best, tuned.search.nested);
            Ok(report(&tuned.recipe, best, cells, metric, nested))
        })?
    };
    to_python(py, &found)
}

fn report(
    recipe: &Recipe,
    best: usize,
    cells: impl Iterator<Item = Value>,
    metric: &str,
    nested: Option<(f64, f64)>,
) -> Value {
    json!({
        "recipe": recipe,
        "best": best,
        "cells": cells.collect::<Vec<_>>(),
        "metric": metric,
        "nested": nested,
    })
}
