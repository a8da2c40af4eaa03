//! Recipe + data → model and, for every sample, what cannot be excluded.

use super::encode::Given;
use super::fit::Input;
use super::labels::Labels;
use super::model::Model;
use super::recipe::Recipe;
use super::session::Session;
use crate::error::{Error, Refusal, Result};
use crate::monitor::Monitor;
use crate::trust::Jackknife;

/// What cannot be excluded at a level, one entry a sample.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Sets {
    /// Classes, by their numbers; all of them where nothing reached.
    Classes(Vec<Vec<u32>>),
    /// Intervals; infinite where nothing reached.
    Values(Vec<(f64, f64)>),
}

/// Fits, and finds prediction sets or intervals of every sample by the jackknife+: the
/// truth is among them with a probability of at least `2·level − 1`, in practice close
/// to `level`, if labels were drawn at random.
///
/// # Errors
/// As [`super::fit()`]; [`Error::Refused`] when labels are neither classes nor numbers, are
/// too few for the level, or the method has no closed form.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Input, Recipe, Sets, Task};
///
/// let x = (0..30).map(|i| if i < 15 { 0.1 * i as f64 } else { 4.0 + 0.1 * i as f64 });
/// let points = Points::new(x.collect(), 30, 1)?;
/// let y: Vec<Option<&str>> = (0..30)
///     .map(|i| (i % 3 == 0).then(|| if i < 15 { "a" } else { "b" }))
///     .collect();
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.neighbours = Some(4);
/// let targets = Targets::from_names(&y);
/// let (_, sets) =
///     recipe::fit_with_sets(&recipe, Input::Table(points), (&targets).into(), 0.8, &mut Quiet)?;
/// let Sets::Classes(sets) = sets else { unreachable!() };
/// assert_eq!(sets[1], [0]); // surely "a"
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn fit_with_sets(
    recipe: &Recipe,
    input: Input,
    given: Given<'_>,
    level: f64,
    monitor: &mut dyn Monitor,
) -> Result<(Model, Sets)> {
    let mut session = Session::new(recipe, input, given, monitor)?;
    if !session.certain.iter().all(|c| *c) {
        return Err(Error::refused(
            Refusal::UnsureLabels,
            "prediction sets need labels that are sure, not sets they lie in",
            "leave the labels that are not sure blank",
        ));
    }
    let smoother = session.smoother(monitor)?;
    let labels = session.seen.values().clone();
    let jackknife = Jackknife::new(&smoother, labels.as_ref(), level)?;
    let sets = match &session.reader.labels {
        Labels::Classes(_) => {
            let truth = session.classes();
            let beta = session.ready.geometry.influence(&session.seen, monitor)?;
            let values = beta.values.as_ref();
            Sets::Classes(jackknife.sets(values, &beta.reached, &truth, monitor)?)
        }
        Labels::Values(codec) => {
            let beta = session.ready.geometry.influence(&session.seen, monitor)?;
            let found = jackknife.intervals(beta.values.as_ref(), &beta.reached, monitor)?;
            let shifted = |(low, high): (f64, f64)| (low + codec.offset, high + codec.offset);
            Sets::Values(found.into_iter().map(shifted).collect())
        }
        Labels::Structured(_) => {
            return Err(Error::refused(
                Refusal::Task,
                format!(
                    "there are no prediction sets for the task {}",
                    session.recipe.task.name()
                ),
                "use the task classify or regress",
            ));
        }
    };
    Ok((session.into_model(monitor)?, sets))
}
