//! The library's table of parameters.

use isotherm::recipe::schema;
use pyo3::prelude::*;

use crate::dict::to_python;

#[pyfunction]
pub(crate) fn parameters(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &schema::parameters())
}
