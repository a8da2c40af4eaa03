//! Recipe + rows that pass by → model: tables larger than memory.

use super::encode::{Given, encode};
use super::fit::{Input, fit_given};
use super::model::Model;
use super::plan::{Plan, needs_table, rows_to_keep, sample_size};
use super::recipe::{Method, Recipe};
use crate::data::stream::{Tiles, at_row};
use crate::data::{Points, RowStream, Survey};
use crate::error::{Error, Refusal, Result};
use crate::linalg::tiles;
use crate::monitor::{Monitor, Within};

const PHASE: &str = "moments of the basis";

/// Rows of a table in memory that are copied and scaled at a time.
const EACH: usize = 8192;

/// Fits a recipe to rows that are read twice and never held together.
///
/// The first pass counts and scales the rows and keeps the labelled ones and a random
/// sample; bandwidth, norm share and strength, where they are left open, are chosen on
/// those, and landmarks are drawn from them. The second pass sums. It is not needed where
/// the sample holds all rows, and the model is then [`super::fit()`]'s.
///
/// The model does not depend on how many rows come at a time: [`super::plan`].
///
/// # Errors
/// [`Error::Refused`] for a method that needs all rows at once; as
/// [`super::fit()`]; whatever the stream says.
///
/// # Example
/// ```
/// use isotherm::data::stream::Slice;
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Method, Recipe, Task};
///
/// // Two clusters on a line, read three rows at a time.
/// let x = [0.0, 0.1, 0.2, 0.3, 5.0, 5.1, 5.2, 5.3];
/// let y = [Some("a"), None, None, None, Some("b"), None, None, None];
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.method = Method::laplacian(Task::Classify);
/// let mut rows = Slice::new(&x, 1, 3)?;
/// let model = recipe::fit_streamed(&recipe, &mut rows, &Targets::from_names(&y), &mut Quiet)?;
/// let new = Points::new(vec![0.15, 5.15], 2, 1)?;
/// let answer = model.predict_rows(&new, &mut Quiet)?;
/// assert_eq!(answer.names(&model), [Some("a"), Some("b")]);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn fit_streamed<'g, S: RowStream>(
    recipe: &Recipe,
    rows: &mut S,
    given: impl Into<Given<'g>>,
    monitor: &mut dyn Monitor,
) -> std::result::Result<Model, S::Error> {
    let given = given.into();
    let keep = rows_to_keep(recipe, given)?;
    let size = sample_size(recipe, given.targets.len());
    let survey = Survey::take(rows, size, &keep, recipe.seed, monitor)?;
    let plan = Plan::of(recipe, &survey, given, monitor)?;
    drop(survey);
    if !plan.needs_sums() {
        return Ok(plan.finish(None, monitor)?);
    }
    let mut moments = plan.moments();
    rows.rewind()?;
    tiles::announce(PHASE, Some(plan.count()), monitor)?;
    while let Some(part) = rows.next(&mut Within(monitor))? {
        let first = moments.count();
        let added = moments.add(&part, first, &mut Within(monitor));
        added.map_err(|e| at_row(e, first))?;
        tiles::done(PHASE, moments.count(), monitor)?;
    }
    if moments.count() != plan.count() {
        return Err(Error::refused(
            Refusal::Changed,
            format!(
                "the stream had {} rows at first and {} the second time",
                plan.count(),
                moments.count()
            ),
            "keep the source as it is while it is read",
        )
        .into());
    }
    Ok(plan.finish(moments.complete(&plan)?, monitor)?)
}

/// Fits a recipe to a table in memory, as [`fit_streamed`] would fit it: where the table is
/// larger than the sample, landmarks come from the sample, and scaled rows are never held
/// together. What [`fit_streamed`] refuses, [`super::fit_given`] does.
///
/// # Errors
/// As [`super::fit_given`].
pub fn fit_planned<'g>(
    recipe: &Recipe,
    points: Points,
    given: impl Into<Given<'g>>,
    monitor: &mut dyn Monitor,
) -> Result<Model> {
    let given = given.into();
    let sums = match &recipe.method {
        Method::Laplacian(params) => !needs_table(params) && encode(recipe, given)?.1.is_full(),
        _ => false,
    };
    // Up to the size of the sample the two are the same, and this one copies less.
    if !sums || points.len() <= sample_size(recipe, points.len()) {
        return fit_given(recipe, Input::Table(points), given, monitor);
    }
    let mut rows = Tiles::new(&points, EACH)?;
    fit_streamed(recipe, &mut rows, given, monitor)
}
