//! Refusals of the library as Python's exceptions: one mapping a variant.

use isotherm_codes::{self as codes, Code};
use numpy::{PyArrayDescrMethods as _, PyUntypedArrayMethods as _};
use pyo3::exceptions::{
    PyFileExistsError, PyMemoryError, PyOSError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// What can go wrong below Python.
pub(crate) enum Failure {
    Core(isotherm::Error),
    Files(isotherm_io::Error),
    /// Something that Python itself said: a callback, a source of rows.
    Python(PyErr),
}

impl From<isotherm::Error> for Failure {
    fn from(error: isotherm::Error) -> Self {
        Self::Core(error)
    }
}

impl From<isotherm_io::Error> for Failure {
    fn from(error: isotherm_io::Error) -> Self {
        Self::Files(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl Failure {
    /// Whether the monitor stopped the work.
    pub(crate) fn is_cancelled(&self) -> bool {
        matches!(
            self,
            Self::Core(isotherm::Error::Cancelled { .. })
                | Self::Files(isotherm_io::Error::Cancelled { .. })
        )
    }

    /// As the exception that says it.
    pub(crate) fn into_exception(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Core(error) => coded(py, core(py, &error), error.name()),
            Self::Files(error) => coded(py, files(&error), error.code()),
            Self::Python(error) => error,
        }
    }
}

/// The number of a word, as users see it: `ISO201`.
pub(crate) fn number(word: &str) -> String {
    codes::find(word).map_or_else(|| word.to_owned(), Code::id)
}

/// The exception with its number as `code` and its word as `name`.
fn coded(py: Python<'_>, error: PyErr, word: &str) -> PyErr {
    let value = error.value(py);
    let set = value
        .setattr("code", number(word))
        .and_then(|()| value.setattr("name", word));
    match set {
        Ok(()) => error,
        Err(other) => other,
    }
}

fn core(py: Python<'_>, error: &isotherm::Error) -> PyErr {
    use isotherm::Error as E;
    // Shares that are given are a dict there.
    let text = isotherm::error::spelled(&error.to_string(), |name, _| {
        (name == "priors").then(|| "class_shares".to_owned())
    });
    match error {
        E::Indefinite { .. } | E::NotFinite { .. } => linear_algebra(py, text),
        E::Memory { .. } => PyMemoryError::new_err(text),
        E::Cancelled { .. } => PyRuntimeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

fn files(error: &isotherm_io::Error) -> PyErr {
    use isotherm_io::Error as E;
    let text = match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    };
    match error {
        E::Cancelled { .. } => PyRuntimeError::new_err(text),
        E::Exists { .. } => PyFileExistsError::new_err(text),
        E::Io { source, .. } => match source.raw_os_error() {
            Some(code) => PyOSError::new_err((code, text)),
            None => PyOSError::new_err(text),
        },
        _ => PyValueError::new_err(text),
    }
}

/// `numpy.linalg.LinAlgError`, which is a `ValueError`.
fn linear_algebra(py: Python<'_>, text: String) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match CLASS.import(py, "numpy.linalg", "LinAlgError") {
        Ok(class) => PyErr::from_type(class.clone(), (text,)),
        Err(error) => error,
    }
}

/// An argument of a type that nothing here can use.
pub(crate) fn wrong_type(what: &str, expected: &str, got: &Bound<'_, PyAny>) -> PyErr {
    let kind = match got.cast::<numpy::PyUntypedArray>() {
        Ok(array) => format!(
            "an array of {} with {} axes",
            array
                .dtype()
                .typeobj()
                .name()
                .map_or_else(|_| "?".to_owned(), |n| n.to_string()),
            array.ndim()
        ),
        Err(_) => match got.get_type().name() {
            Ok(name) => name.to_string(),
            Err(error) => return error,
        },
    };
    PyTypeError::new_err(format!("{what} must be {expected}, got {kind}"))
}

/// A value that nothing here can use.
pub(crate) fn wrong_value(text: impl Into<String>) -> PyErr {
    PyValueError::new_err(text.into())
}
