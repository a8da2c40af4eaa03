//! Recipe + data + grid → the recipe with the best transform and ridge in it.
//!
//! Judged by closed-form leave-one-label-out: no label is set aside.

use std::sync::Arc;

use super::encode::encode;
use super::fit::{Input, kernel_base, neighbour_base};
use super::recipe::{Method, Recipe, Scaling, Task};
use crate::base::{Base, GraphBase, SimilarityBase};
use crate::data::{Points, Standardiser, Targets};
use crate::error::{Error, Refusal, Result};
use crate::estimator::stkr::StkrParams;
use crate::monitor::Monitor;
use crate::select::laplacian::{LaplacianGrid, LaplacianSearch};
use crate::select::{self, Grid, Judge, Metric, Search};
use crate::task::Observed;

/// What came of tuning.
#[derive(Debug, Clone)]
pub struct Tuned {
    /// The recipe with the best cell's transform and ridge.
    pub recipe: Recipe,
    /// Every cell and its score.
    pub search: Search,
}

/// Tries every cell of a grid on the labels there are.
///
/// For classes the measure is leave-one-label-out accuracy, for values minus
/// the mean squared error.
///
/// # Errors
/// [`Error::Refused`] unless the method is stkr and there are at least three
/// labels; otherwise as a fit.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Input, Recipe, Task};
/// use isotherm::select::Grid;
///
/// let x = vec![0.0, 0.1, 0.2, 0.3, 5.0, 5.1, 5.2, 5.3];
/// let y = [Some("a"), None, Some("a"), None, Some("b"), None, None, Some("b")];
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.neighbours = Some(2);
/// let table = Input::Table(Points::new(x, 8, 1)?);
/// let grid = Grid::inverse_laplacian();
/// let tuned = recipe::tune(&recipe, table, &Targets::from_names(&y), &grid, &mut Quiet)?;
/// assert_eq!(tuned.search.score(), 1.0);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn tune(
    recipe: &Recipe,
    input: Input,
    targets: &Targets,
    grid: &Grid,
    monitor: &mut dyn Monitor,
) -> Result<Tuned> {
    recipe.check(input.shape())?;
    let Method::Stkr(params) = &recipe.method else {
        return Err(Error::refused(
            Refusal::Method,
            format!("{} has no transform to tune", recipe.method.name()),
            "use the method stkr",
        ));
    };
    if targets.len() != input.len() {
        return Err(Error::Shape {
            what: "labels, one for each sample, blank or not",
            expected: input.len(),
            got: targets.len(),
        });
    }
    targets.check()?;
    let (_, known) = encode(recipe, targets.into())?;
    let seen = known.full("tuning")?;
    if seen.index().len() < 3 {
        return Err(Error::refused(
            Refusal::TooFewLabels,
            format!("there are only {} labels", seen.index().len()),
            "label at least three samples: each is predicted from the others",
        ));
    }
    let search = match input {
        Input::Graph(graph) => {
            let base = GraphBase::normalised(graph, recipe.normalisation.unwrap_or_default())?;
            over(recipe.task, params, base, &seen, grid, monitor)?
        }
        Input::Gram(rows) => {
            let base = SimilarityBase::from_rows(&rows)?;
            over(recipe.task, params, base, &seen, grid, monitor)?
        }
        Input::Table(points) => {
            let points = scaled(recipe, points, monitor)?;
            match &recipe.kernel {
                Some(kernel) => {
                    let (base, _) = kernel_base(points, kernel, recipe.seed)?;
                    over(recipe.task, params, base, &seen, grid, monitor)?
                }
                None => {
                    let base = neighbour_base(recipe, points, monitor)?;
                    over(recipe.task, params, base, &seen, grid, monitor)?
                }
            }
        }
    };
    let recipe = Recipe {
        method: Method::Stkr(search.params(params)),
        ..recipe.clone()
    };
    Ok(Tuned { recipe, search })
}

/// What came of tuning a kernel Laplacian.
#[derive(Debug, Clone)]
pub struct TunedLaplacian {
    /// The recipe with the best cell's bandwidth, norm share and filter.
    pub recipe: Recipe,
    /// Every cell and its score, minus the squared error.
    pub search: LaplacianSearch,
}

/// Tries every bandwidth, norm share and filter of a grid on the labels there are, by
/// the squared error of leave-one-label-out: with few labels accuracy ties.
///
/// # Errors
/// [`Error::Refused`] unless the method is laplacian on a table with at least three
/// labels; otherwise as a fit.
pub fn tune_laplacian(
    recipe: &Recipe,
    input: Input,
    targets: &Targets,
    grid: &LaplacianGrid,
    monitor: &mut dyn Monitor,
) -> Result<TunedLaplacian> {
    recipe.check(input.shape())?;
    let (Method::Laplacian(params), Input::Table(points)) = (&recipe.method, input) else {
        return Err(Error::refused(
            Refusal::Method,
            format!("{} has no bandwidth to tune", recipe.method.name()),
            "use the method laplacian on a table",
        ));
    };
    if targets.len() != points.len() {
        return Err(Error::Shape {
            what: "labels, one for each sample, blank or not",
            expected: points.len(),
            got: targets.len(),
        });
    }
    targets.check()?;
    let (_, known) = encode(recipe, targets.into())?;
    let seen = known.full("tuning")?;
    let points = scaled(recipe, points, monitor)?;
    let judge = Judge::LeaveOneOut {
        metric: Metric::SquaredError,
    };
    let seed = recipe.seed;
    let search = select::laplacian::search(params, &points, &seen, grid, &judge, seed, monitor)?;
    let recipe = Recipe {
        method: Method::Laplacian(search.params.clone()),
        ..recipe.clone()
    };
    Ok(TunedLaplacian { recipe, search })
}

fn scaled(recipe: &Recipe, points: Points, monitor: &mut dyn Monitor) -> Result<Points> {
    match recipe.scaling.unwrap_or_default() {
        Scaling::Standardise => Standardiser::learn(&points, monitor)?.apply(points, monitor),
        Scaling::None => Ok(points),
    }
}

fn over<B: Base>(
    task: Task,
    params: &StkrParams,
    base: B,
    seen: &Observed,
    grid: &Grid,
    monitor: &mut dyn Monitor,
) -> Result<Search> {
    let metric = match task {
        Task::Classify => Metric::Accuracy,
        _ => Metric::SquaredError,
    };
    let judge = Judge::LeaveOneOut { metric };
    select::search(params, &Arc::new(base), seen, grid, &judge, monitor)
}
