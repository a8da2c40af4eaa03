//! Predictions that somebody else made of rows held back: how good they are, and prediction sets.

use isotherm::linalg::Mat;
use isotherm::trust::{Counted, Estimand, Estimate, Judged, Sampling, Split};
use numpy::PyArray2;
use pyo3::prelude::*;
use serde::Serialize;

use crate::arrays::{Rows, column, column_or_none, table};
use crate::dict::to_python;
use crate::errors::{Failure, wrong_value};
use crate::thread_pool::run;

/// One measure, as an evaluation has it.
#[derive(Serialize)]
struct Measured {
    name: &'static str,
    higher_is_better: bool,
    #[serde(flatten)]
    estimate: Estimate,
}

#[derive(Serialize)]
struct Judgement {
    measures: Vec<Measured>,
    confusion: Option<Vec<Vec<usize>>>,
}

/// Which labels count, of so many rows.
fn counted(
    labels: usize,
    audit: Option<Vec<bool>>,
    pool: Option<Vec<i64>>,
    rows: usize,
) -> Result<Counted, Failure> {
    let sampling = match audit {
        None => Sampling::Random,
        Some(audit) => {
            let count = |c: i64| usize::try_from(c).unwrap_or_default();
            let pool = pool.map(|pool| pool.into_iter().map(count).collect());
            Sampling::Active { audit, pool }
        }
    };
    Ok(Counted::new(&sampling, &vec![true; labels], rows)?)
}

fn codes(what: &str, given: &Bound<'_, PyAny>, classes: usize) -> PyResult<Vec<u32>> {
    let code = |c: i64| {
        let known = u32::try_from(c).ok().filter(|c| (*c as usize) < classes);
        known.ok_or_else(|| wrong_value(format!("{what}: {c} is none of {classes} classes")))
    };
    column::<i64>(what, given)?.into_iter().map(code).collect()
}

/// Classes of labelled rows beside those predicted without them; `rows` counts all rows.
#[pyfunction]
#[pyo3(signature = (truth, predicted, *, classes, rows, level, audit=None, pool=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn judge_classes<'py>(
    py: Python<'py>,
    truth: &Bound<'_, PyAny>,
    predicted: &Bound<'_, PyAny>,
    classes: usize,
    rows: usize,
    level: f64,
    audit: Option<&Bound<'_, PyAny>>,
    pool: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let truth = codes("truth", truth, classes)?;
    let predicted = codes("predicted", predicted, classes)?;
    let (audit, pool) = (
        column_or_none("audit", audit)?,
        column_or_none("pool", pool)?,
    );
    let found = run(py, Some(1), None, |_| {
        let counted = counted(truth.len(), audit, pool, rows)?;
        let judged = Judged::new(truth, predicted.into_iter().map(Some).collect(), classes);
        let mut measures = Vec::new();
        for estimand in [Estimand::NewRow, Estimand::Unlabelled] {
            measures.push(Measured {
                name: "accuracy",
                higher_is_better: true,
                estimate: counted.accuracy(&judged, estimand, level)?,
            });
        }
        measures.push(Measured {
            name: "macro-F1",
            higher_is_better: true,
            estimate: counted.macro_f1(&judged, level, 0)?,
        });
        Ok(Judgement {
            measures,
            confusion: Some(judged.pick(&counted.rows).confusion()),
        })
    })?;
    to_python(py, &found)
}

/// Squared errors of labelled rows, each predicted without its label.
#[pyfunction]
#[pyo3(signature = (errors, *, rows, level, audit=None))]
pub(crate) fn judge_values<'py>(
    py: Python<'py>,
    errors: &Bound<'_, PyAny>,
    rows: usize,
    level: f64,
    audit: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let errors: Vec<f64> = column("errors", errors)?;
    let audit = column_or_none("audit", audit)?;
    let found = run(py, Some(1), None, |_| {
        let counted = counted(errors.len(), audit, None, rows)?;
        Ok(Judgement {
            measures: vec![Measured {
                name: "mean squared error",
                higher_is_better: false,
                estimate: counted.mean(&errors, None, level, 0)?,
            }],
            confusion: None,
        })
    })?;
    to_python(py, &found)
}

fn scores(what: &str, given: &Bound<'_, PyAny>, py: Python<'_>) -> PyResult<Mat<f64>> {
    let rows = Rows::new(what, given)?;
    run(py, Some(1), None, |_| {
        let points = rows.points()?;
        let (n, width) = (points.len(), points.dim());
        let all = points.tile(0..n);
        Ok(Mat::from_fn(n, width, |i, j| all[i * width + j]))
    })
}

/// For each row of `scores` which classes cannot be excluded, by the scores of labelled rows that
/// were held back.
#[pyfunction]
pub(crate) fn split_classes<'py>(
    py: Python<'py>,
    held: &Bound<'_, PyAny>,
    truth: &Bound<'_, PyAny>,
    rows: &Bound<'_, PyAny>,
    level: f64,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let (held, all) = (scores("held", held, py)?, scores("rows", rows, py)?);
    let classes = all.ncols();
    let truth = codes("truth", truth, held.ncols().min(classes))?;
    let flags = run(py, Some(1), None, |_| {
        let split = Split::classes(held.as_ref(), &truth, level)?;
        let mut flags = vec![false; all.nrows() * classes];
        for (row, flags) in (0..).zip(flags.chunks_exact_mut(classes.max(1))) {
            let own: Vec<f64> = all.row(row).iter().copied().collect();
            split
                .set(&own, true)
                .into_iter()
                .for_each(|c| flags[c as usize] = true);
        }
        Ok(flags)
    })?;
    table(py, flags, classes)
}

/// Ends of an interval about each prediction, by labelled rows that were held back.
#[pyfunction]
pub(crate) fn split_values<'py>(
    py: Python<'py>,
    held: &Bound<'_, PyAny>,
    truth: &Bound<'_, PyAny>,
    predictions: &Bound<'_, PyAny>,
    level: f64,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let held: Vec<f64> = column("held", held)?;
    let truth: Vec<f64> = column("truth", truth)?;
    let predictions: Vec<f64> = column("predictions", predictions)?;
    let split = run(py, Some(1), None, |_| {
        Ok(Split::values(&held, &truth, level)?)
    })?;
    let ends = predictions.into_iter().flat_map(|p| {
        let (low, high) = split.interval(p);
        [low, high]
    });
    table(py, ends.collect(), 2)
}
