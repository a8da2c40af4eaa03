//! Parameters of a kernel Laplacian that a recipe leaves open, chosen from the data.

use std::borrow::Cow;

use crate::data::{Points, Survey};
use crate::error::Result;
use crate::estimator::laplacian::params::USUAL_STRENGTH;
use crate::estimator::laplacian::{BasisSpec, LaplacianParams};
use crate::model::Warning;
use crate::monitor::Monitor;
use crate::recipe::{Recipe, Task};
use crate::select::laplacian::LaplacianGrid;
use crate::select::{self, Judge, Metric};
use crate::spectrum::Filter;
use crate::task::Observed;

/// Parameters, and what to say of how they were found.
pub(crate) struct Opened {
    pub(crate) params: LaplacianParams,
    pub(crate) chosen: Option<String>,
}

/// Rows beside the labelled ones that a bandwidth is chosen on, at most: the choice costs a
/// preparation for each bandwidth, which more rows make no better (decision 053).
const CHOICE: usize = 4_000;

/// Whether a table of so many rows is fitted from a sample of them and their moments, as a
/// stream of them would be.
pub(crate) fn is_sampled(params: &LaplacianParams, rows: usize) -> bool {
    rows > params.sample_size(rows) && !params.needs_table()
}

/// Fills in what the parameters leave open, from these rows and labels; of a large table
/// from the labelled rows and a sample, which where rows are fitted from a sample is part of it.
pub(crate) fn open(
    recipe: &Recipe,
    params: &LaplacianParams,
    points: &Points,
    seen: &Observed,
    warnings: &mut Vec<Warning>,
    monitor: &mut dyn Monitor,
) -> Result<Opened> {
    let sampled = is_sampled(params, points.len());
    if !sampled && (!is_open(params) || points.len() <= seen.index().len() + CHOICE) {
        return open_whole(recipe, params, points, seen, warnings, monitor);
    }
    let labelled = points.select(seen.index())?;
    let sample = if sampled {
        Cow::Owned(drawn(
            points,
            params.sample_size(points.len()),
            recipe.seed,
        )?)
    } else {
        Cow::Borrowed(points)
    };
    open_from_sample(recipe, params, &labelled, &sample, seen, warnings, monitor)
}

/// Whether there is a bandwidth to choose.
fn is_open(params: &LaplacianParams) -> bool {
    params.filter.is_none() && params.kernel.needs_bandwidth() && params.basis != BasisSpec::Exact
}

/// So many rows, drawn as a survey draws them.
fn drawn(points: &Points, size: usize, seed: u64) -> Result<Points> {
    let mut survey = Survey::new(points.dim(), size, seed);
    survey.add(points, 0, &[])?;
    survey.sample()
}

/// What is left open, chosen on the labelled rows and at most `CHOICE` rows of the sample below
/// them.
pub(crate) fn open_from_sample(
    recipe: &Recipe,
    params: &LaplacianParams,
    labelled: &Points,
    sample: &Points,
    seen: &Observed,
    warnings: &mut Vec<Warning>,
    monitor: &mut dyn Monitor,
) -> Result<Opened> {
    let sample = if sample.len() > CHOICE {
        Cow::Owned(drawn(sample, CHOICE, recipe.seed)?)
    } else {
        Cow::Borrowed(sample)
    };
    let total = labelled.len() + sample.len();
    let mut values = labelled.tile(0..labelled.len()).into_owned();
    values.extend_from_slice(&sample.tile(0..sample.len()));
    let table = Points::new(values, total, labelled.dim())?;
    let here = seen.moved((0..labelled.len()).collect(), total)?;
    // Rows named as landmarks are not in this table: others stand in for them.
    let mut trial = params.clone();
    if let BasisSpec::Rows { index, derivatives } = &params.basis {
        trial.basis = BasisSpec::Landmarks {
            count: Some(index.len().min(total)),
            selection: Default::default(),
            derivatives: *derivatives,
        };
    }
    let opened = open_whole(recipe, &trial, &table, &here, warnings, monitor)?;
    Ok(Opened {
        params: LaplacianParams {
            basis: params.basis.clone(),
            ..opened.params
        },
        ..opened
    })
}

/// Fills in what the parameters leave open, from all of these rows.
fn open_whole(
    recipe: &Recipe,
    params: &LaplacianParams,
    points: &Points,
    seen: &Observed,
    warnings: &mut Vec<Warning>,
    monitor: &mut dyn Monitor,
) -> Result<Opened> {
    if no_class_twice(recipe.task, seen) && params.filter.is_none() {
        let (params, warning) = usual_params(params, seen);
        warnings.push(warning);
        return Ok(Opened {
            params,
            chosen: None,
        });
    }
    let (params, chosen) = laplacian_params(recipe, params, points, seen, monitor)?;
    Ok(Opened { params, chosen })
}

/// Whether leaving a label out always leaves none of its class.
fn no_class_twice(task: Task, seen: &Observed) -> bool {
    let labels = |c: usize| seen.values().col(c).iter().sum::<f64>();
    task == Task::Classify && (0..seen.width()).all(|c| labels(c) < 2.0)
}

/// The defaults of what leave-one-out would have chosen: the median distance, 1/n and
/// `USUAL_STRENGTH`.
fn usual_params(params: &LaplacianParams, seen: &Observed) -> (LaplacianParams, Warning) {
    let strength = USUAL_STRENGTH;
    let warning = Warning::NothingToLeaveOut {
        classes: seen.width(),
        strength,
        bandwidth: params.kernel.needs_bandwidth(),
    };
    let params = LaplacianParams {
        filter: Some(Filter::Tikhonov { strength }),
        ..params.clone()
    };
    (params, warning)
}

/// With neither bandwidth nor filter given, both and the norm share by leave-one-out
/// over [`LaplacianGrid`]; the text says what came of it.
fn laplacian_params(
    recipe: &Recipe,
    params: &LaplacianParams,
    points: &Points,
    seen: &Observed,
    monitor: &mut dyn Monitor,
) -> Result<(LaplacianParams, Option<String>)> {
    if !is_open(params) || seen.index().len() < 3 {
        return Ok((params.clone(), None));
    }
    let found = select::laplacian::search_whole(
        params,
        points,
        seen,
        &LaplacianGrid::default(),
        &Judge::LeaveOneOut {
            metric: Metric::SquaredError,
        },
        recipe.seed,
        monitor,
    )?;
    let cell = found.cell();
    let filter = match cell.filter {
        Filter::Tikhonov { strength } => format!("strength {strength:e}"),
        ref other => format!("{other:?}"),
    };
    let text = format!(
        "bandwidth {:.3} and {filter} by leave-one-out over {} fits (squared error {:.3}); ",
        cell.bandwidth.unwrap_or(f64::NAN),
        found.cells.len(),
        -cell.score.unwrap_or(f64::NAN)
    );
    Ok((found.params, Some(text)))
}
