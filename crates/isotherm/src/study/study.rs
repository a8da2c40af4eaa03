//! A recipe on its data.

use std::sync::Arc;

use super::input::Input;
use super::preparation::Preparation;
use super::session::Session;
use crate::data::{Points, Targets};
use crate::error::{Error, Refusal, Result};
use crate::labelling::{WeightedTargets, encode};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::recipe::Recipe;
use crate::task::Observed;

/// A recipe on its data, prepared once, on first use, and asked several things.
///
/// No label is needed for [`Study::suggest`] and for planes; everything else refuses where there
/// is none.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{Recipe, Shape, Task};
/// use isotherm::study::{EvaluateOptions, Input, Study};
///
/// // Two groups on a line, a few labels each.
/// let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
/// let points = Points::new(x.collect(), 20, 1)?;
/// let y: Vec<Option<&str>> = (0..20)
///     .map(|i| (i % 4 == 0 || i == 9).then(|| if i < 10 { "a" } else { "b" }))
///     .collect();
/// let mut recipe = Recipe::automatic(Shape::Table, Task::Classify, 0);
/// recipe.neighbours = Some(4);
/// let mut study = Study::new(&recipe, Input::Table(points), &Targets::from_names(&y))?;
/// let found = study.evaluate(&EvaluateOptions::default(), &mut Quiet)?;
/// assert_eq!(found.measures[0].estimate.value, 1.0);
/// let model = study.fit(&mut Quiet)?;
/// let new = Points::new(vec![0.15, 6.15], 2, 1)?;
/// assert_eq!(model.predict_rows(&new, &mut Quiet)?.names(), [Some("a"), Some("b")]);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug)]
pub struct Study {
    pub(crate) recipe: Recipe,
    targets: Targets,
    weights: Option<Vec<f64>>,
    /// The rows of a table, as they were given.
    pub(crate) rows: Option<Points>,
    samples: usize,
    /// What is learned from, until it is prepared.
    input: Option<Input>,
    preparation: Option<Arc<Preparation>>,
    session: Option<Session>,
}

impl Study {
    /// Checks a recipe and labels against the data; one entry of `given` per sample, blank or
    /// not.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a parameter out of range or one that would be ignored;
    /// [`Error::Shape`] when labels or weights are not one per sample.
    pub fn new<'g>(
        recipe: &Recipe,
        input: Input,
        given: impl Into<WeightedTargets<'g>>,
    ) -> Result<Self> {
        let given = given.into();
        recipe.check(input.shape())?;
        given.check_length(input.len())?;
        Ok(Self {
            recipe: recipe.clone(),
            targets: given.targets.clone(),
            weights: given.weights.map(<[f64]>::to_vec),
            rows: input.rows().cloned(),
            samples: input.len(),
            input: Some(input),
            preparation: None,
            session: None,
        })
    }

    /// The recipe.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Samples there are.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The labels as they were given.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    pub(crate) fn given(&self) -> WeightedTargets<'_> {
        WeightedTargets {
            targets: &self.targets,
            weights: self.weights.as_deref(),
        }
    }

    /// The labels encoded as the recipe's method sees them, candidate sets by their averages;
    /// none where there is no label yet.
    pub(super) fn encoded(&self) -> Result<Observed> {
        if self.targets.labelled().is_empty() {
            let width = self.targets.names().len().max(1);
            return Observed::new(Vec::new(), Mat::zeros(0, width), self.samples);
        }
        Ok(encode(&self.recipe, self.given())?.1.seen)
    }

    /// Whether some verb has prepared the method already.
    pub(crate) fn is_prepared(&self) -> bool {
        self.preparation.is_some()
    }

    /// The method on its data, prepared on first use.
    pub(crate) fn preparation(&mut self, monitor: &mut dyn Monitor) -> Result<Arc<Preparation>> {
        match &self.preparation {
            Some(known) => Ok(known.clone()),
            None => self.prepare(&self.encoded()?, monitor),
        }
    }

    /// The same for labels that are encoded already.
    fn prepare(&mut self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Arc<Preparation>> {
        if let Some(known) = &self.preparation {
            return Ok(known.clone());
        }
        // Rows are handles; a graph is moved into its base and is gone if that fails.
        let input = match (&self.rows, self.input.take()) {
            (Some(rows), _) => Input::Table(rows.clone()),
            (None, Some(input)) => input,
            (None, None) => {
                return Err(Error::data(
                    "the graph was used up by a preparation that failed",
                    "make a new study",
                ));
            }
        };
        let made = Preparation::new(&self.recipe, input, &self.targets, seen, monitor)?;
        Ok(self.preparation.insert(Arc::new(made)).clone())
    }

    /// The labels on the prepared method, settled on first use.
    pub(crate) fn session(&mut self, monitor: &mut dyn Monitor) -> Result<&mut Session> {
        let session = match self.session.take() {
            Some(session) => session,
            None => {
                if self.samples < 2 {
                    return Err(Error::refused(
                        Refusal::TooFewRows,
                        format!("there is only {} sample", self.samples),
                        "give at least two, one of them labelled",
                    ));
                }
                self.targets.check()?;
                let (labels, encoded) = encode(&self.recipe, self.given())?;
                let preparation = self.prepare(&encoded.seen, monitor)?;
                let mut session =
                    Session::new(&self.recipe, preparation, labels, encoded, monitor)?;
                session.settle_shares(self.rows.as_ref(), monitor)?;
                session
            }
        };
        Ok(self.session.insert(session))
    }
}
