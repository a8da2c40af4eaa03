//! Rows that Python brings part by part.

use isotherm::data::{Points, RowStream};
use isotherm::distributed;
use isotherm::monitor::Monitor;
use isotherm::recipe::Recipe;
use pyo3::prelude::*;

use crate::arrays::Rows;
use crate::dict::from_python;
use crate::errors::Failure;
use crate::labels::PyLabels;
use crate::model::PyModel;
use crate::thread_pool::run;

/// `source.rewind()` and `source.next()`.
struct PythonRows {
    source: Py<PyAny>,
    dim: usize,
    at: usize,
}

impl RowStream for PythonRows {
    type Error = Failure;

    fn dim(&self) -> usize {
        self.dim
    }

    fn rewind(&mut self) -> Result<(), Failure> {
        self.at = 0;
        Python::attach(|py| self.source.call_method0(py, "rewind"))?;
        Ok(())
    }

    fn next(&mut self, _: &mut dyn Monitor) -> Result<Option<Points>, Failure> {
        let part = Python::attach(|py| {
            let part = self.source.bind(py).call_method0("next")?;
            if part.is_none() {
                return Ok(None);
            }
            Rows::new("a part of the rows", &part).map(Some)
        });
        let Some(rows) = part.map_err(Failure::Python)? else {
            return Ok(None);
        };
        let first = self.at;
        let points = rows.points().map_err(|failure| match failure {
            Failure::Core(error) => Failure::Core(error.after_rows(first)),
            other => other,
        })?;
        self.at += points.len();
        Ok(Some(points))
    }
}

#[pyfunction]
#[pyo3(signature = (recipe, source, dim, labels, *, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn fit_streamed(
    py: Python<'_>,
    recipe: &Bound<'_, PyAny>,
    source: &Bound<'_, PyAny>,
    dim: usize,
    labels: &Bound<'_, PyLabels>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyModel> {
    let recipe: Recipe = from_python("recipe", recipe)?;
    let mut parts = PythonRows {
        source: source.clone().unbind(),
        dim,
        at: 0,
    };
    let targets = &labels.get().targets;
    let model = run(py, threads, on_event, move |monitor| {
        distributed::fit_streamed(&recipe, &mut parts, targets, monitor)
    })?;
    Ok(PyModel { model })
}
