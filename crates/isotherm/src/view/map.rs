//! Samples in the plane with the prediction for each: the map.

use std::collections::BTreeSet;

use super::plane::{Plane, PlaneOptions};
use crate::data::Targets;
use crate::error::{Error, Result};
use crate::labelling::Answer;
use crate::model::Model;
use crate::monitor::Monitor;
use crate::recipe::Task;
use crate::study::{Session, Study};
use crate::trust::suspects;

/// The share of numbers at either end that are beyond the colours.
const FAR: f64 = 0.02;

/// A map. Every list of the answers has one entry a sample shown.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Map {
    /// Where the samples are.
    pub plane: Plane,
    /// The task.
    pub task: Task,
    /// Labels there are.
    pub labels: usize,
    /// The classes; none for numbers.
    pub classes: Vec<String>,
    /// The class that was predicted; `None` where nothing reached, and for numbers.
    pub predicted: Vec<Option<u32>>,
    /// How probable it is; `None` for numbers.
    pub confidence: Vec<Option<f64>>,
    /// The number that was predicted; `None` where nothing reached, and for classes.
    pub values: Vec<Option<f64>>,
    /// The class that was given, where there is a label; `None` for numbers.
    pub given: Vec<Option<u32>>,
    /// The number that was given, where there is a label; `None` for classes.
    pub given_values: Vec<Option<f64>>,
    /// Whether there is a label.
    pub labelled: Vec<bool>,
    /// Whether a label reaches the sample.
    pub reached: Vec<bool>,
    /// Whether its label is one that the others contradict.
    pub suspicious: Vec<bool>,
    /// Samples that no label reaches, those not shown included where they were looked at.
    pub unreached: usize,
}

impl Map {
    /// From where to where colours of numbers go: the 2nd and the 98th percentile of the numbers
    /// that were predicted, so that one far out does not make all the others look alike. `None`
    /// where there are none.
    pub fn limits(&self) -> Option<(f64, f64)> {
        let mut values: Vec<f64> = self.values.iter().flatten().copied().collect();
        values.retain(|v| v.is_finite());
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let at = |share: f64| values[(share * last as f64).round() as usize];
        let (low, high) = (at(FAR), at(1.0 - FAR));
        Some(if low < high {
            (low, high)
        } else {
            (values[0], values[last])
        })
    }
}

/// Samples in the plane with what was given of each: a map before its answers.
#[derive(Debug, Clone)]
pub struct Placed {
    /// Where the samples are.
    pub plane: Plane,
    task: Task,
    /// Which samples have a label.
    index: Vec<usize>,
    /// The class of each label, where that is what it is.
    classes: Option<Vec<u32>>,
    /// The number of every sample, where there is one.
    numbers: Option<Vec<Option<f64>>>,
}

impl Placed {
    /// The map, by an answer for every sample there is, in order. Answers that are neither
    /// classes nor numbers have no colour: then a map says where samples are and which have a
    /// label. `doubted` are the samples whose label the others contradict.
    ///
    /// # Errors
    /// [`Error::Shape`] when there is not one answer a sample.
    pub fn map(self, answer: &Answer, doubted: &[usize]) -> Result<Map> {
        if answer.reached.len() != self.plane.total {
            return Err(Error::Shape {
                what: "answers, one for each sample",
                expected: self.plane.total,
                got: answer.reached.len(),
            });
        }
        let at = self.plane.samples.clone();
        Ok(self.by(answer, Some(&at), doubted))
    }

    /// The same; sample k shown is entry `at[k]` of the answer, or entry k.
    fn by(self, answer: &Answer, at: Option<&[usize]>, doubted: &[usize]) -> Map {
        let pick = |k: usize| at.map_or(k, |at| at[k]);
        let rows = 0..self.plane.samples.len();
        let predicted = match answer.classes() {
            Some(classes) => rows.clone().map(|k| classes[pick(k)]).collect(),
            None => vec![None; rows.len()],
        };
        let values = match answer.values() {
            Some(values) => rows.clone().map(|k| values[pick(k)]).collect(),
            None => vec![None; rows.len()],
        };
        let confidence = match &answer.probabilities {
            Some(shares) => {
                let most = |k: usize| shares.row(pick(k)).iter().copied().reduce(f64::max);
                rows.clone().map(most).collect()
            }
            None => vec![None; rows.len()],
        };
        let mut given = vec![None; self.plane.total];
        let mut labelled = vec![false; self.plane.total];
        for (k, &i) in self.index.iter().enumerate() {
            labelled[i] = true;
            given[i] = self.classes.as_ref().map(|classes| classes[k]);
        }
        let doubted: BTreeSet<usize> = doubted.iter().copied().collect();
        let sample = |k: usize| self.plane.samples[k];
        let number = |k: usize| self.numbers.as_ref().and_then(|all| all[sample(k)]);
        Map {
            task: self.task,
            labels: self.index.len(),
            classes: match &answer.labels {
                Targets::Classes { names, .. } => names.clone(),
                _ => Vec::new(),
            },
            predicted,
            confidence,
            values,
            given: rows.clone().map(|k| given[sample(k)]).collect(),
            given_values: rows.clone().map(number).collect(),
            labelled: rows.clone().map(|k| labelled[sample(k)]).collect(),
            reached: rows.clone().map(|k| answer.reached[pick(k)]).collect(),
            suspicious: rows.clone().map(|k| doubted.contains(&sample(k))).collect(),
            unreached: answer.reached.iter().filter(|r| !**r).count(),
            plane: self.plane,
        }
    }
}

impl Study {
    /// The samples in the plane, with what was given of each: a map before its answers. Labels
    /// that others contradict are not looked for.
    ///
    /// # Errors
    /// As [`Study::plane`] and [`Study::fit`].
    pub fn placed(&mut self, options: &PlaneOptions, monitor: &mut dyn Monitor) -> Result<Placed> {
        // Neighbours that the method needs anyway place the samples too.
        self.session(monitor)?;
        let plane = self.plane(options, monitor)?;
        let numbers = match self.targets() {
            Targets::Values(values) => Some(values.clone()),
            _ => None,
        };
        let session = self.session(monitor)?;
        Ok(Placed {
            plane,
            task: session.recipe.task,
            index: session.seen.index().to_vec(),
            classes: (session.labelling.labels.are_classes()).then(|| session.classes()),
            numbers,
        })
    }

    /// Fits, and says of the samples that a plane shows what their labels are, how sure that is
    /// and which labels look wrong.
    ///
    /// A label looks wrong where the other labels predict another class. [`Study::evaluate`] lists
    /// the same labels.
    ///
    /// # Errors
    /// As [`Study::fit`] and [`Study::plane`]; [`Error::Refused`] when labels are neither classes
    /// nor numbers.
    ///
    /// # Example
    /// ```
    /// use isotherm::data::{Points, Targets};
    /// use isotherm::monitor::Quiet;
    /// use isotherm::recipe::{Recipe, Task};
    /// use isotherm::study::{Input, Study};
    /// use isotherm::view::PlaneOptions;
    ///
    /// let x = (0..40).flat_map(|i| [(i as f64 * 0.1).cos(), (i as f64 * 0.1).sin()]);
    /// let points = Points::new(x.collect(), 40, 2)?;
    /// let y: Vec<Option<&str>> = (0..40)
    ///     .map(|i| (i % 8 == 0).then(|| if i < 20 { "a" } else { "b" }))
    ///     .collect();
    /// let recipe = Recipe::on_graph(Task::Classify, 0);
    /// let mut study = Study::new(&recipe, Input::Table(points), &Targets::from_names(&y))?;
    /// let found = study.map(&PlaneOptions::default(), &mut Quiet)?;
    /// assert_eq!((found.predicted[1], found.predicted[38]), (Some(0), Some(1)));
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    pub fn map(&mut self, options: &PlaneOptions, monitor: &mut dyn Monitor) -> Result<Map> {
        let session = self.session(monitor)?;
        let labels = &session.labelling.labels;
        if !labels.are_values() && labels.classes().is_none() {
            return Err(Error::data(
                format!("there is no map of the task {}", session.recipe.task.name()),
                "use the task classify or regress",
            ));
        }
        let placed = self.placed(options, monitor)?;
        let session = self.session(monitor)?;
        let doubted = if options.doubt {
            doubted(session, monitor)?
        } else {
            Vec::new()
        };
        let model = session.fit(monitor)?;
        let (answer, at) = self.shown_answer(&model, &placed.plane.samples, monitor)?;
        Ok(placed.by(&answer, at.as_deref(), &doubted))
    }

    /// What the model predicts, and where in it the samples stand unless it is of them alone.
    fn shown_answer(
        &self,
        model: &Model,
        samples: &[usize],
        monitor: &mut dyn Monitor,
    ) -> Result<(Answer, Option<Vec<usize>>)> {
        match (model.training_answer(), &self.rows) {
            (None, Some(rows)) => {
                let answer = model.predict_rows(&rows.select(samples)?, monitor)?;
                Ok((answer, None))
            }
            (Some(answer), _) => Ok((answer, Some(samples.to_vec()))),
            (None, None) => Err(Error::data(
                "this fit has no scores of its own samples",
                "ask it for new ones",
            )),
        }
    }
}

/// Samples whose label the others contradict.
fn doubted(session: &mut Session, monitor: &mut dyn Monitor) -> Result<Vec<usize>> {
    if !session.labelling.labels.are_classes() {
        return Ok(Vec::new());
    }
    let left = match session.left_out(monitor) {
        Ok(left) => left,
        Err(stopped @ Error::Cancelled { .. }) => return Err(stopped),
        // Not every setting is linear; then no label is doubted.
        Err(_) => return Ok(Vec::new()),
    };
    let usable = session.usable(monitor)?;
    let found = suspects(
        left.as_ref(),
        &session.classes(),
        &session.repeated(&usable),
    )?;
    let sample = |s: &crate::trust::Suspect| session.seen.index()[s.label];
    Ok(found.iter().map(sample).collect())
}
