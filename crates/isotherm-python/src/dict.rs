//! Values of the library that can be serialised ↔ Python's dicts, lists, numbers and words.
//!
//! Recipes, reports and estimates cross the boundary as plain Python values, typed in
//! `_core.pyi`. They are small, so they go through JSON text; arrays never do.

use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::errors::wrong_value;

/// A dict as a value of the library; `what` is the argument's name.
///
/// # Errors
/// `ValueError` when the library refuses it, what Python says when it cannot be written.
pub(crate) fn from_python<T: DeserializeOwned>(
    what: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<T> {
    let json = value.py().import("json")?;
    let text: String = json.call_method1("dumps", (value,))?.extract()?;
    serde_json::from_str(&text).map_err(|e| wrong_value(format!("{what}: {e}")))
}

/// A value of the library as a dict.
///
/// # Errors
/// `ValueError` when it cannot be serialised.
pub(crate) fn to_python<'py, T: Serialize>(
    py: Python<'py>,
    value: &T,
) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(|e| wrong_value(e.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
