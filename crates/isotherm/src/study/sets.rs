//! For every sample, the labels that cannot be excluded.

use super::study::Study;
use crate::error::{Error, Refusal, Result};
use crate::monitor::Monitor;
use crate::trust::Jackknife;

/// What cannot be excluded at a level, one entry per sample.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Sets {
    /// Classes, by their numbers; all of them where no label reaches.
    Classes(Vec<Vec<u32>>),
    /// Intervals; infinite where no label reaches.
    Values(Vec<(f64, f64)>),
}

impl Study {
    /// Prediction sets or intervals of every sample by the jackknife+: the truth is among them
    /// with a probability of at least `2·level − 1`, in practice close to `level`, if labels were
    /// drawn at random.
    ///
    /// # Errors
    /// As [`Study::fit`]; [`Error::Refused`] when labels are neither classes nor numbers, are
    /// too few for the level, or the method has no closed form.
    ///
    /// # Example
    /// ```
    /// use isotherm::data::{Points, Targets};
    /// use isotherm::monitor::Quiet;
    /// use isotherm::recipe::{Recipe, Task};
    /// use isotherm::study::{Input, Sets, Study};
    ///
    /// let x = (0..30).map(|i| if i < 15 { 0.1 * i as f64 } else { 4.0 + 0.1 * i as f64 });
    /// let points = Points::new(x.collect(), 30, 1)?;
    /// let y: Vec<Option<&str>> = (0..30)
    ///     .map(|i| (i % 3 == 0).then(|| if i < 15 { "a" } else { "b" }))
    ///     .collect();
    /// let mut recipe = Recipe::on_graph(Task::Classify, 0);
    /// recipe.neighbours = Some(4);
    /// let mut study = Study::new(&recipe, Input::Table(points), &Targets::from_names(&y))?;
    /// let Sets::Classes(sets) = study.sets(0.8, &mut Quiet)? else { unreachable!() };
    /// assert_eq!(sets[1], [0]); // surely "a"
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    pub fn sets(&mut self, level: f64, monitor: &mut dyn Monitor) -> Result<Sets> {
        let session = self.session(monitor)?;
        if !session.certain.iter().all(|c| *c) {
            return Err(Error::refused(
                Refusal::UnsureLabels,
                "prediction sets need labels that are sure, not sets they lie in",
                "leave the labels that are not sure blank",
            ));
        }
        let (classes, values) = {
            let labels = &session.labelling.labels;
            (labels.are_classes(), labels.are_values())
        };
        let encoded = session.seen.values().clone();
        let smoother = session.smoother(monitor)?.clone();
        let jackknife = Jackknife::new(&smoother, encoded.as_ref(), level)?;
        if !classes && !values {
            return Err(Error::refused(
                Refusal::Task,
                format!(
                    "there are no prediction sets for the task {}",
                    session.recipe.task.name()
                ),
                "use the task classify or regress",
            ));
        }
        let beta = (session.preparation.method).influence(&session.seen, monitor)?;
        let influence = beta.values.as_ref();
        if classes {
            let truth = session.classes();
            let sets = jackknife.sets(influence, &beta.reached, &truth, monitor)?;
            return Ok(Sets::Classes(sets));
        }
        let found = jackknife.intervals(influence, &beta.reached, monitor)?;
        let offset: f64 = session.labelling.labels.offset().iter().sum();
        let shifted = |(low, high): (f64, f64)| (low + offset, high + offset);
        Ok(Sets::Values(found.into_iter().map(shifted).collect()))
    }
}
