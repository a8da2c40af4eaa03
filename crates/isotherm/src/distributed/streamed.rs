//! A fit to a table larger than memory, read twice.

use super::plan::{Plan, rows_to_keep, sample_size};
use crate::data::{RowStream, Survey};
use crate::error::{Error, Refusal};
use crate::labelling::WeightedTargets;
use crate::linalg::tiles;
use crate::model::Model;
use crate::monitor::{Monitor, Within};
use crate::recipe::Recipe;

const PHASE: &str = "moments of the basis";

/// Fits a recipe to rows that are read twice and never held together.
///
/// The first pass counts and scales the rows and keeps the labelled ones and a random
/// sample; bandwidth, norm share and strength, where they are left open, are chosen on
/// those, and landmarks are drawn from them. The second pass sums. It is not needed where
/// the sample holds all rows, and the model is then [`Study::fit`](crate::study::Study::fit)'s.
///
/// The model does not depend on how many rows come at a time, as [`Plan`] says.
///
/// # Errors
/// [`Error::Refused`] for a method that needs all rows at once; as
/// [`Study::fit`](crate::study::Study::fit); whatever the stream says.
///
/// # Example
/// ```
/// use isotherm::data::stream::Slice;
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::distributed;
/// use isotherm::recipe::{Method, Recipe, Task};
///
/// // Two clusters on a line, read three rows at a time.
/// let x = [0.0, 0.1, 0.2, 0.3, 5.0, 5.1, 5.2, 5.3];
/// let y = [Some("a"), None, None, None, Some("b"), None, None, None];
/// let mut recipe = Recipe::on_graph(Task::Classify, 0);
/// recipe.method = Method::laplacian(Task::Classify);
/// let mut rows = Slice::new(&x, 1, 3)?;
/// let model = distributed::fit_streamed(&recipe, &mut rows, &Targets::from_names(&y), &mut Quiet)?;
/// let new = Points::new(vec![0.15, 5.15], 2, 1)?;
/// let answer = model.predict_rows(&new, &mut Quiet)?;
/// assert_eq!(answer.names(), [Some("a"), Some("b")]);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn fit_streamed<'g, S: RowStream>(
    recipe: &Recipe,
    rows: &mut S,
    given: impl Into<WeightedTargets<'g>>,
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
        added.map_err(|e| e.after_rows(first))?;
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
