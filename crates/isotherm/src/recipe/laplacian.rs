//! Kernel Laplacians in a recipe: what is left open is chosen, what was chosen is told.

use super::model::{Predictor, Warning};
use super::recipe::{Recipe, Task};
use crate::data::Points;
use crate::error::Result;
use crate::estimator::Prepared as _;
use crate::estimator::laplacian::params::USUAL_STRENGTH;
use crate::estimator::laplacian::{BasisSpec, LaplacianParams, PreparedLaplacian};
use crate::monitor::Monitor;
use crate::select::laplacian::LaplacianGrid;
use crate::select::{self, Judge, Metric};
use crate::spectrum::Filter;
use crate::task::Observed;

/// Parameters, and what to say of how they were found.
pub(super) struct Open {
    pub(super) params: LaplacianParams,
    pub(super) chosen: Option<String>,
}

/// Fills in what the parameters leave open, from these rows and labels.
pub(super) fn choose(
    recipe: &Recipe,
    params: &LaplacianParams,
    points: &Points,
    seen: &Observed,
    warnings: &mut Vec<Warning>,
    monitor: &mut dyn Monitor,
) -> Result<Open> {
    if no_class_twice(recipe.task, seen) && params.filter.is_none() {
        let (params, warning) = usual_params(params, seen);
        warnings.push(warning);
        return Ok(Open {
            params,
            chosen: None,
        });
    }
    let (params, chosen) = laplacian_params(recipe, params, points, seen, monitor)?;
    Ok(Open { params, chosen })
}

/// Solves, and says first how the parameters were chosen.
pub(super) fn predictor(
    prepared: &PreparedLaplacian,
    chosen: Option<String>,
    seen: &Observed,
    monitor: &mut dyn Monitor,
) -> Result<Predictor> {
    let kernel = prepared.params().kernel.clone();
    let mut fitted = prepared.solve(seen, monitor)?;
    if let (Some(chosen), Some(choice)) = (chosen, &mut fitted.report.choice) {
        choice.insert_str(0, &chosen);
    }
    Ok(Predictor::Features { fitted, kernel })
}

/// Whether leaving a label out always leaves none of its class.
fn no_class_twice(task: Task, seen: &Observed) -> bool {
    let labels = |c: usize| seen.values().col(c).iter().sum::<f64>();
    task == Task::Classify && (0..seen.width()).all(|c| labels(c) < 2.0)
}

/// The defaults of what leave-one-out would have chosen: the median distance, 1/n and
/// [`USUAL_STRENGTH`].
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
    let open = params.filter.is_none() && params.kernel.needs_bandwidth();
    if !open || seen.index().len() < 3 || params.basis == BasisSpec::Exact {
        return Ok((params.clone(), None));
    }
    let found = select::laplacian::search(
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
