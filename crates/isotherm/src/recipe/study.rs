//! Recipe + data → everything a report asks, from one preparation.
//!
//! [`evaluate()`](super::evaluate()) and its siblings each prepare the data anew, which for a large
//! table is most of their time. A study prepares once and gives the same answers.

use super::encode::Given;
use super::evaluate::{Evaluation, Judging, evaluate_in};
use super::fit::Input;
use super::learning_curve::{Learning, LearningCurve, learning_curve_in};
use super::map::Placed;
use super::model::Model;
use super::plane::{Planar, plane_in};
use super::recipe::Recipe;
use super::reliability::reliability_in;
use super::session::Session;
use super::spectrum::{SpectrumCurve, spectrum_curve_in};
use super::suggest::{Asking, Suggested, suggest_again};
use crate::data::Points;
use crate::error::Result;
use crate::monitor::Monitor;
use crate::trust::Reliability;

/// A recipe on its data, prepared once and asked several things.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{Input, Judging, Recipe, Study, Task};
///
/// let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
/// let points = Points::new(x.collect(), 20, 1)?;
/// let y: Vec<Option<&str>> = (0..20)
///     .map(|i| (i % 4 == 0 || i == 9).then(|| if i < 10 { "a" } else { "b" }))
///     .collect();
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.neighbours = Some(4);
/// let targets = Targets::from_names(&y);
/// let mut study = Study::new(&recipe, Input::Table(points), (&targets).into(), &mut Quiet)?;
/// let found = study.evaluate(&Judging::default(), &mut Quiet)?;
/// assert_eq!(found.measures[0].estimate.value, 1.0);
/// let model = study.into_model(&mut Quiet)?;
/// assert_eq!(model.classes().map(<[String]>::len), Some(2));
/// # Ok::<(), isotherm::Error>(())
/// ```
pub struct Study<'g> {
    session: Session,
    rows: Option<Points>,
    given: Given<'g>,
}

impl<'g> Study<'g> {
    /// Prepares a recipe's data.
    ///
    /// # Errors
    /// As [`super::fit()`].
    pub fn new(
        recipe: &Recipe,
        input: Input,
        given: Given<'g>,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let rows = match &input {
            Input::Table(points) => Some(points.clone()),
            Input::Graph(_) | Input::Gram(_) => None,
        };
        let session = Session::new(recipe, input, given, monitor)?;
        Ok(Self {
            session,
            rows,
            given,
        })
    }

    /// As [`super::evaluate()`].
    ///
    /// # Errors
    /// As [`super::evaluate()`].
    pub fn evaluate(&mut self, judging: &Judging, monitor: &mut dyn Monitor) -> Result<Evaluation> {
        let rows = self.rows.clone();
        evaluate_in(&mut self.session, rows, self.given, judging, monitor)
    }

    /// As [`super::reliability()`].
    ///
    /// # Errors
    /// As [`super::reliability()`].
    pub fn reliability(
        &mut self,
        judging: &Judging,
        monitor: &mut dyn Monitor,
    ) -> Result<Reliability> {
        reliability_in(&mut self.session, judging, monitor)
    }

    /// As [`super::learning_curve()`].
    ///
    /// # Errors
    /// As [`super::learning_curve()`].
    pub fn learning_curve(
        &self,
        learning: &Learning,
        monitor: &mut dyn Monitor,
    ) -> Result<LearningCurve> {
        let rows = self.rows.clone();
        learning_curve_in(&self.session, rows, self.given, learning, monitor)
    }

    /// As [`super::spectrum_curve()`].
    ///
    /// # Errors
    /// As [`super::spectrum_curve()`].
    pub fn spectrum(&self, count: usize, monitor: &mut dyn Monitor) -> Result<SpectrumCurve> {
        spectrum_curve_in(&self.session, count, monitor)
    }

    /// As [`super::suggest()`].
    ///
    /// # Errors
    /// As [`super::suggest()`].
    pub fn suggest(&self, asking: &Asking, monitor: &mut dyn Monitor) -> Result<Suggested> {
        let (ready, recipe) = (&self.session.ready, &self.session.recipe);
        suggest_again(ready, recipe, self.given, asking, monitor)
    }

    /// The samples in the plane as [`super::plane()`] places them, labelled ones first, with the
    /// neighbours that are known where all are shown: [`super::map()`] before its answers. The
    /// labels that others contradict are not looked for.
    ///
    /// # Errors
    /// As [`super::plane()`].
    pub fn placed(&self, planar: &Planar, monitor: &mut dyn Monitor) -> Result<Placed> {
        let (geometry, rows) = (&self.session.ready.geometry, self.rows.clone());
        let keep = self.session.seen.index();
        let plane = plane_in(geometry, &self.session.recipe, rows, keep, planar, monitor)?;
        Ok(Placed::new(plane, &self.session, self.given))
    }

    /// Solves, and leaves the model; as [`super::fit_given()`].
    ///
    /// # Errors
    /// As [`super::fit()`].
    pub fn into_model(self, monitor: &mut dyn Monitor) -> Result<Model> {
        self.session.into_model(monitor)
    }
}
