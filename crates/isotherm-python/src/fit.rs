//! Fits, and what is asked of a fit to these labels.

use isotherm::recipe::{Recipe, Shape};
use isotherm::study::Study;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::matrix;
use crate::dict::from_python;
use crate::errors::wrong_value;
use crate::labels::PyLabels;
use crate::model::PyModel;
use crate::problem::Problem;

#[pyfunction]
pub(crate) fn check_recipe(recipe: &Bound<'_, PyAny>, shape: &str) -> PyResult<()> {
    let recipe: Recipe = from_python("recipe", recipe)?;
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

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, *, weights=None, function=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn fit(
    py: Python<'_>,
    recipe: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    weights: Option<&Bound<'_, PyAny>>,
    function: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyModel> {
    let problem = Problem::new(recipe, data, labels, weights, function)?;
    let model = problem.run(py, threads, on_event, Study::fit)?;
    Ok(PyModel { model })
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, *, weights=None, function=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn leave_one_out<'py>(
    py: Python<'py>,
    recipe: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    weights: Option<&Bound<'_, PyAny>>,
    function: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let problem = Problem::new(recipe, data, labels, weights, function)?;
    let left = problem.run(py, threads, on_event, Study::leave_one_out)?;
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
    recipe: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    count: usize,
    function: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let problem = Problem::new(recipe, data, labels, None, function)?;
    let values = problem.run(py, threads, on_event, |study, monitor| {
        study.eigenvalues(count, monitor)
    })?;
    Ok(PyArray1::from_vec(py, values))
}
