//! The best transform and ridge, or bandwidth, norm share and filter, of a grid.
//!
//! Judged by closed-form leave-one-label-out: no label is set aside.

use super::preparation::scaled;
use super::prepared::{PreparedMethod, PreparedOnGraph};
use super::study::Study;
use crate::base::Base;
use crate::error::{Error, Refusal, Result};
use crate::estimator::stkr::{PreparedStkr, StkrParams};
use crate::labelling::encode;
use crate::monitor::Monitor;
use crate::recipe::{Method, Recipe, Task};
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

/// What came of tuning a kernel Laplacian.
#[derive(Debug, Clone)]
pub struct TunedLaplacian {
    /// The recipe with the best cell's bandwidth, norm share and filter.
    pub recipe: Recipe,
    /// Every cell and its score, minus the squared error.
    pub search: LaplacianSearch,
}

impl Study {
    /// Tries every cell of a grid of transforms and ridges on the labels there are, each label
    /// predicted from the others, and takes the one with the least log loss of classes, or
    /// squared error of values; with few labels it stays near the defaults.
    ///
    /// Cells show leave-one-label-out accuracy, for values minus the mean squared error. That of
    /// the chosen cell is optimistic; [`Search::nested`] is what choosing like this scores.
    ///
    /// # Errors
    /// [`Error::Refused`] unless the method is stkr and there are at least three labels;
    /// otherwise as [`Study::fit`].
    ///
    /// # Example
    /// ```
    /// use isotherm::data::{Points, Targets};
    /// use isotherm::monitor::Quiet;
    /// use isotherm::recipe::{Recipe, Task};
    /// use isotherm::select::Grid;
    /// use isotherm::study::{Input, Study};
    ///
    /// let x = vec![0.0, 0.1, 0.2, 0.3, 5.0, 5.1, 5.2, 5.3];
    /// let y = [Some("a"), None, Some("a"), None, Some("b"), None, None, Some("b")];
    /// let mut recipe = Recipe::on_graph(Task::Classify, 0);
    /// recipe.neighbours = Some(2);
    /// let table = Input::Table(Points::new(x, 8, 1)?);
    /// let mut study = Study::new(&recipe, table, &Targets::from_names(&y))?;
    /// let tuned = study.tune(&Grid::inverse_laplacian(), &mut Quiet)?;
    /// assert_eq!(tuned.search.score(), 1.0);
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    pub fn tune(&mut self, grid: &Grid, monitor: &mut dyn Monitor) -> Result<Tuned> {
        let Method::Stkr(params) = self.recipe.method.clone() else {
            return Err(Error::refused(
                Refusal::Method,
                format!("{} has no transform to tune", self.recipe.method.name()),
                "use the method stkr",
            ));
        };
        let seen = self.tuned_on()?;
        if seen.index().len() < 3 {
            return Err(Error::refused(
                Refusal::TooFewLabels,
                format!("there are only {} labels", seen.index().len()),
                "label at least three samples: each is predicted from the others",
            ));
        }
        let task = self.recipe.task;
        let preparation = self.preparation(monitor)?;
        let search = match &preparation.method {
            PreparedMethod::Kernel { prepared, .. } => {
                over(task, &params, prepared, &seen, grid, monitor)?
            }
            PreparedMethod::Neighbours(PreparedOnGraph::Stkr(prepared)) => {
                over(task, &params, prepared, &seen, grid, monitor)?
            }
            PreparedMethod::Graph(PreparedOnGraph::Stkr(prepared)) => {
                over(task, &params, prepared, &seen, grid, monitor)?
            }
            PreparedMethod::Gram(prepared) => over(task, &params, prepared, &seen, grid, monitor)?,
            _ => {
                return Err(Error::refused(
                    Refusal::Method,
                    "this preparation has no transform to tune",
                    "use the method stkr",
                ));
            }
        };
        let recipe = Recipe {
            method: Method::Stkr(search.params(&params)),
            ..self.recipe.clone()
        };
        Ok(Tuned { recipe, search })
    }

    /// Tries every bandwidth, norm share and filter of a grid on the labels there are, by
    /// the squared error of leave-one-label-out: with few labels accuracy ties.
    ///
    /// # Errors
    /// [`Error::Refused`] unless the method is laplacian on a table with at least three
    /// labels; otherwise as [`Study::fit`].
    pub fn tune_laplacian(
        &mut self,
        grid: &LaplacianGrid,
        monitor: &mut dyn Monitor,
    ) -> Result<TunedLaplacian> {
        let (Method::Laplacian(params), Some(rows)) = (&self.recipe.method, &self.rows) else {
            return Err(Error::refused(
                Refusal::Method,
                format!("{} has no bandwidth to tune", self.recipe.method.name()),
                "use the method laplacian on a table",
            ));
        };
        let seen = self.tuned_on()?;
        let (points, ..) = scaled(&self.recipe, rows.clone(), self.targets(), &seen, monitor)?;
        let judge = Judge::LeaveOneOut {
            metric: Metric::SquaredError,
        };
        let seed = self.recipe.seed;
        let search =
            select::laplacian::search(params, &points, &seen, grid, &judge, seed, monitor)?;
        let recipe = Recipe {
            method: Method::Laplacian(search.params.clone()),
            ..self.recipe.clone()
        };
        Ok(TunedLaplacian { recipe, search })
    }

    /// The labels that cells are judged on, all known exactly.
    fn tuned_on(&self) -> Result<Observed> {
        self.targets().check()?;
        encode(&self.recipe, self.given())?.1.into_exact("tuning")
    }
}

fn over<B: Base>(
    task: Task,
    params: &StkrParams,
    prepared: &PreparedStkr<B>,
    seen: &Observed,
    grid: &Grid,
    monitor: &mut dyn Monitor,
) -> Result<Search> {
    let metric = match task {
        Task::Classify => Metric::Accuracy,
        _ => Metric::SquaredError,
    };
    let judge = Judge::Proper { metric };
    select::search(params, prepared.base(), seen, grid, &judge, monitor)
}
