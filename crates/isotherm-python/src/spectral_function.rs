//! A Python function of an eigenvalue.

use std::sync::{Arc, Mutex, PoisonError};

use isotherm::recipe::Function;
use isotherm::spectrum::SpectralFunction;
use pyo3::prelude::*;

use crate::errors::{Failure, wrong_value};

/// `s(λ)` by calling Python; what it raises is kept for the caller.
struct Called {
    callable: Py<PyAny>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl SpectralFunction for Called {
    fn at(&self, eigenvalue: f64) -> f64 {
        let value = Python::attach(|py| self.callable.call1(py, (eigenvalue,))?.extract(py));
        match value {
            Ok(value) => value,
            Err(error) => {
                let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
                raised.get_or_insert(error);
                f64::NAN
            }
        }
    }
}

/// The caller's own function, if there is one, and what it raised.
#[derive(Default)]
pub(crate) struct Own {
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Own {
    /// The function for a recipe.
    pub(crate) fn new(callable: Option<&Bound<'_, PyAny>>) -> PyResult<(Self, Option<Function>)> {
        let own = Self::default();
        let Some(callable) = callable else {
            return Ok((own, None));
        };
        if !callable.is_callable() {
            return Err(wrong_value(
                "function must be callable: s(eigenvalue) -> float",
            ));
        }
        let called = Called {
            callable: callable.clone().unbind(),
            raised: own.raised.clone(),
        };
        Ok((own, Some(Function(Arc::new(called)))))
    }

    /// What the function raised comes before what the library made of it.
    pub(crate) fn explain<T>(self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        match raised.take() {
            Some(error) => Err(Failure::Python(error)),
            None => outcome,
        }
    }
}
