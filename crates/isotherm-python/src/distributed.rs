//! A kernel Laplacian in parts: surveys, a plan, and sums that merge.

use std::path::Path;

use isotherm::data::Survey;
use isotherm::distributed::messages::{survey_from_parts, survey_to_parts};
use isotherm::distributed::{self, Moments, Plan};
use isotherm::labelling;
use isotherm::model::parts::Parts;
use isotherm::recipe::Recipe;
use isotherm_io::model_file;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{Rows, column, column_or_none};
use crate::dict::from_python;
use crate::errors::{Failure, wrong_value};
use crate::labels::PyLabels;
use crate::model::PyModel;
use crate::thread_pool::run;

fn written<'py>(py: Python<'py>, parts: Parts) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = run(py, Some(1), None, move |_| {
        Ok(model_file::to_bytes(&parts)?)
    })?;
    Ok(PyBytes::new(py, &bytes))
}

fn read(data: &[u8]) -> Result<Parts, Failure> {
    Ok(model_file::from_bytes(data, Path::new("message"))?)
}

/// How many rows a survey for this recipe draws.
#[pyfunction]
pub(crate) fn sample_size(recipe: &Bound<'_, PyAny>, rows: usize) -> PyResult<usize> {
    let recipe: Recipe = from_python("recipe", recipe)?;
    Ok(distributed::sample_size(&recipe, rows))
}

/// The rows that a survey for this recipe must keep, ascending.
#[pyfunction]
pub(crate) fn rows_to_keep<'py>(
    py: Python<'py>,
    recipe: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let recipe: Recipe = from_python("recipe", recipe)?;
    let targets = &labels.get().targets;
    let rows = run(py, Some(1), None, |_| {
        Ok(distributed::rows_to_keep(&recipe, targets)?)
    })?;
    let rows = rows.into_iter().map(|i| i as i64).collect();
    Ok(PyArray1::from_vec(py, rows))
}

/// What one light pass over a part of the rows found.
#[pyclass(name = "Survey", module = "isotherm._core", frozen)]
pub(crate) struct PySurvey {
    survey: Survey,
}

#[pymethods]
impl PySurvey {
    #[staticmethod]
    fn of(
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        first: usize,
        labelled: &Bound<'_, PyAny>,
        size: usize,
        seed: u64,
    ) -> PyResult<Self> {
        let rows = Rows::new("x", x)?;
        let keep: Vec<i64> = column("labelled", labelled)?;
        let place = |i: i64| {
            usize::try_from(i).map_err(|_| wrong_value(format!("row {i} is not in this part")))
        };
        let keep: Vec<usize> = keep.into_iter().map(place).collect::<PyResult<_>>()?;
        run(py, Some(1), None, move |_| {
            let points = rows.points()?;
            let mut survey = Survey::new(points.dim(), size, seed);
            survey.add(&points, first, &keep)?;
            Ok(Self { survey })
        })
    }

    fn merge(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<Self> {
        let other = &other.get().survey;
        run(py, Some(1), None, |_| {
            let mut survey = self.survey.clone();
            survey.merge(other)?;
            Ok(Self { survey })
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        written(py, survey_to_parts(&self.survey))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        run(py, Some(1), None, |_| {
            let survey = survey_from_parts(read(data)?)?;
            Ok(Self { survey })
        })
    }

    #[getter]
    fn count(&self) -> usize {
        self.survey.count()
    }
}

/// A recipe with its basis and open parameters settled.
#[pyclass(name = "Plan", module = "isotherm._core", frozen)]
pub(crate) struct PyPlan {
    plan: Plan,
}

#[pymethods]
impl PyPlan {
    #[staticmethod]
    #[pyo3(signature = (recipe, survey, labels, *, weights=None, threads=None, on_event=None))]
    fn of(
        py: Python<'_>,
        recipe: &Bound<'_, PyAny>,
        survey: &Bound<'_, PySurvey>,
        labels: &Bound<'_, PyLabels>,
        weights: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let recipe: Recipe = from_python("recipe", recipe)?;
        let weights: Option<Vec<f64>> = column_or_none("weights", weights)?;
        let (survey, targets) = (&survey.get().survey, &labels.get().targets);
        run(py, threads, on_event, move |monitor| {
            let given = labelling::WeightedTargets {
                targets,
                weights: weights.as_deref(),
            };
            let plan = Plan::of(&recipe, survey, given, monitor)?;
            Ok(Self { plan })
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        written(py, self.plan.to_parts())
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        run(py, Some(1), None, |_| {
            let plan = Plan::from_parts(read(data)?)?;
            Ok(Self { plan })
        })
    }

    #[getter]
    fn needs_sums(&self) -> bool {
        self.plan.needs_sums()
    }

    #[pyo3(signature = (x, first, *, threads=None))]
    fn moments(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        first: usize,
        threads: Option<usize>,
    ) -> PyResult<PyMoments> {
        let rows = Rows::new("x", x)?;
        run(py, threads, None, move |monitor| {
            let mut moments = self.plan.moments();
            moments.add(&rows.points()?, first, monitor)?;
            Ok(PyMoments { moments })
        })
    }

    #[pyo3(signature = (moments, *, threads=None, on_event=None))]
    fn solve(
        &self,
        py: Python<'_>,
        moments: &Bound<'_, PyMoments>,
        threads: Option<usize>,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyModel> {
        let moments = &moments.get().moments;
        let model = run(py, threads, on_event, |monitor| {
            Ok(self.plan.solve(moments, monitor)?)
        })?;
        Ok(PyModel { model })
    }
}

/// Sums over a part of the rows.
#[pyclass(name = "Moments", module = "isotherm._core", frozen)]
pub(crate) struct PyMoments {
    moments: Moments,
}

#[pymethods]
impl PyMoments {
    fn merge(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<Self> {
        let other = &other.get().moments;
        run(py, Some(1), None, |_| {
            let mut moments = self.moments.clone();
            moments.merge(other)?;
            Ok(Self { moments })
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        written(py, self.moments.to_parts())
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, plan: &Bound<'_, PyPlan>, data: &[u8]) -> PyResult<Self> {
        let plan = &plan.get().plan;
        run(py, Some(1), None, |_| {
            let moments = Moments::from_parts(plan, read(data)?)?;
            Ok(Self { moments })
        })
    }

    #[getter]
    fn count(&self) -> usize {
        self.moments.count()
    }
}
