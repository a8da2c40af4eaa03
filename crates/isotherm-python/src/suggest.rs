//! Which rows to label next.

use isotherm::study::SuggestOptions;
use pyo3::prelude::*;

use crate::dict::{from_python, to_python};
use crate::labels::PyLabels;
use crate::problem::Problem;

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, *, count, strategy, audit_every=None, modes, classes, weights=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn suggest<'py>(
    py: Python<'py>,
    recipe: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    count: usize,
    strategy: &Bound<'_, PyAny>,
    audit_every: Option<usize>,
    modes: usize,
    classes: Vec<String>,
    weights: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = SuggestOptions {
        count,
        strategy: from_python("strategy", strategy)?,
        audit_every,
        modes,
        classes,
    };
    let problem = Problem::new(recipe, data, labels, weights, None)?;
    let found = problem.run(py, threads, on_event, |study, monitor| {
        study.suggest(&options, monitor)
    })?;
    to_python(py, &found)
}
