//! Coordinates of the data, for rows seen and new ones.

use std::path::Path;

use isotherm::embedding::{Embedding, EmbeddingParams};
use isotherm::recipe::Scaling;
use isotherm_io::model_file;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::arrays::{Rows, matrix};
use crate::dict::{from_python, to_python};
use crate::graphs::PyLinks;
use crate::model::Source;
use crate::thread_pool::run;

/// Modes of the data.
#[pyclass(name = "Embedding", module = "isotherm._core", frozen)]
pub(crate) struct PyEmbedding {
    embedding: Embedding,
}

#[pymethods]
impl PyEmbedding {
    #[staticmethod]
    #[pyo3(signature = (params, data, n_components, *, standardize=true, seed=0, threads=None, on_event=None))]
    #[allow(clippy::too_many_arguments)]
    fn fit(
        py: Python<'_>,
        params: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        n_components: usize,
        standardize: bool,
        seed: u64,
        threads: Option<usize>,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let params: EmbeddingParams = from_python("params", params)?;
        let source = Source::new(data)?;
        let scaling = if standardize {
            Scaling::Standardise
        } else {
            Scaling::None
        };
        run(py, threads, on_event, move |monitor| {
            let input = source.input()?;
            let embedding = Embedding::fit(&params, input, scaling, n_components, seed, monitor)?;
            Ok(Self { embedding })
        })
    }

    #[getter]
    fn eigenvalues<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.embedding.eigenvalues())
    }

    fn visible<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix(py, self.embedding.visible())
    }

    #[pyo3(signature = (data, *, threads=None, on_event=None))]
    fn transform<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'_, PyAny>,
        threads: Option<usize>,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let found = if let Ok(links) = data.cast::<PyLinks>() {
            let links = &links.get().links;
            run(py, threads, on_event, |monitor| {
                Ok(self.embedding.transform_nodes(links, monitor)?)
            })?
        } else {
            let rows = Rows::new("data", data)?;
            run(py, threads, on_event, |monitor| {
                Ok(self.embedding.transform(&rows.points()?, monitor)?)
            })?
        };
        matrix(py, &found)
    }

    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = json!({
            "params": self.embedding.params(),
            "kernel": self.embedding.kernel(),
            "dim": self.embedding.dim(),
            "report": self.embedding.report(),
        });
        to_python(py, &info)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = run(py, Some(1), None, |_| {
            Ok(model_file::to_bytes(&self.embedding.to_parts())?)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        run(py, Some(1), None, |_| {
            let parts = model_file::from_bytes(data, Path::new("embedding"))?;
            Ok(Self {
                embedding: Embedding::from_parts(parts)?,
            })
        })
    }
}
