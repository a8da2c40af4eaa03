//! How far to trust a fit: accuracy, reliability, prediction sets, learning curves.

use isotherm::study::{EvaluateOptions, LabelSampling, LearningOptions, Sets};
use isotherm::trust;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::{column, column_or_none, table};
use crate::dict::to_python;
use crate::errors::wrong_value;
use crate::labels::PyLabels;
use crate::model::PyModel;
use crate::problem::Problem;
use crate::thread_pool::run;

/// How labels were chosen, from one mark and one count a row.
fn sampling(
    audit: Option<&Bound<'_, PyAny>>,
    pool: Option<&Bound<'_, PyAny>>,
) -> PyResult<LabelSampling> {
    let pool: Option<Vec<i64>> = column_or_none("pool", pool)?;
    let Some(audit) = column_or_none::<bool>("audit", audit)? else {
        return match pool {
            None => Ok(LabelSampling::Random),
            Some(_) => Err(wrong_value(
                "pool is read beside audit only; give audit too",
            )),
        };
    };
    let count = |c: i64| {
        usize::try_from(c).map_err(|_| wrong_value(format!("pool must not be negative, got {c}")))
    };
    let pool = pool.map(|pool| pool.into_iter().map(count).collect::<PyResult<_>>());
    Ok(LabelSampling::Active {
        audit,
        pool: pool.transpose()?,
    })
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, *, level, suspects, weights=None, audit=None, pool=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    recipe: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    level: f64,
    suspects: usize,
    weights: Option<&Bound<'_, PyAny>>,
    audit: Option<&Bound<'_, PyAny>>,
    pool: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = EvaluateOptions {
        sampling: sampling(audit, pool)?,
        level,
        suspects,
    };
    let problem = Problem::new(recipe, data, labels, weights, None)?;
    let found = problem.run(py, threads, on_event, |study, monitor| {
        study.evaluate(&options, monitor)
    })?;
    to_python(py, &found)
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, *, level, weights=None, audit=None, pool=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn reliability<'py>(
    py: Python<'py>,
    recipe: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    level: f64,
    weights: Option<&Bound<'_, PyAny>>,
    audit: Option<&Bound<'_, PyAny>>,
    pool: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = EvaluateOptions {
        sampling: sampling(audit, pool)?,
        level,
        suspects: 0,
    };
    let problem = Problem::new(recipe, data, labels, weights, None)?;
    let found = problem.run(py, threads, on_event, |study, monitor| {
        study.reliability(&options, monitor)
    })?;
    to_python(py, &found)
}

#[pyfunction]
#[pyo3(signature = (confidence, right, *, level, seed=0))]
pub(crate) fn reliability_of<'py>(
    py: Python<'py>,
    confidence: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    level: f64,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let confidence: Vec<f64> = column("confidence", confidence)?;
    let right: Vec<bool> = column("right", right)?;
    let found = run(py, Some(1), None, |_| {
        Ok(trust::reliability(&confidence, &right, level, seed)?)
    })?;
    to_python(py, &found)
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, *, level, repeats, points, audit=None, pool=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn learning_curve<'py>(
    py: Python<'py>,
    recipe: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    level: f64,
    repeats: usize,
    points: usize,
    audit: Option<&Bound<'_, PyAny>>,
    pool: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = LearningOptions {
        sampling: sampling(audit, pool)?,
        level,
        repeats,
        points,
    };
    let problem = Problem::new(recipe, data, labels, None, None)?;
    let found = problem.run(py, threads, on_event, |study, monitor| {
        study.learning_curve(&options, monitor)
    })?;
    to_python(py, &found)
}

#[pyfunction]
#[pyo3(signature = (recipe, data, labels, level, *, weights=None, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn fit_with_sets<'py>(
    py: Python<'py>,
    recipe: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyLabels>,
    level: f64,
    weights: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let problem = Problem::new(recipe, data, labels, weights, None)?;
    let (model, sets) = problem.run(py, threads, on_event, |study, monitor| {
        let sets = study.sets(level, monitor)?;
        Ok((study.fit(monitor)?, sets))
    })?;
    let sets = match sets {
        Sets::Classes(sets) => {
            let classes = model.names().len();
            let mut flags = vec![false; sets.len() * classes];
            for (i, set) in sets.iter().enumerate() {
                set.iter()
                    .for_each(|c| flags[i * classes + *c as usize] = true);
            }
            table(py, flags, classes)?.into_any()
        }
        Sets::Values(ranges) => {
            let ends = ranges.into_iter().flat_map(|(low, high)| [low, high]);
            table(py, ends.collect(), 2)?.into_any()
        }
        _ => return Err(wrong_value("there are no prediction sets for this task")),
    };
    (PyModel { model }, sets).into_pyobject(py)
}
