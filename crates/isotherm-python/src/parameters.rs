//! The library's tables of parameters and of kernels.

use isotherm::kernel::KernelSpec;
use isotherm::recipe::schema;
use pyo3::prelude::*;
use serde::Serialize;

use crate::dict::to_python;

#[pyfunction]
pub(crate) fn parameters(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &schema::parameters())
}

/// A kernel by the name it is chosen by.
#[derive(Serialize)]
struct NamedKernel {
    name: &'static str,
    /// How a recipe writes it, with its usual numbers.
    recipe: KernelSpec,
    smooth: bool,
}

#[pyfunction]
pub(crate) fn kernels(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let named = KernelSpec::NAMES.into_iter().filter_map(|name| {
        let recipe = KernelSpec::named(name)?;
        let smooth = recipe.has_gradient();
        Some(NamedKernel {
            name,
            recipe,
            smooth,
        })
    });
    to_python(py, &named.collect::<Vec<_>>())
}
