//! Recipe + data → samples in the plane with what is said of each: the map.

use std::collections::BTreeSet;

use super::encode::Given;
use super::fit::Input;
use super::labels::Labels;
use super::model::{Answer, Decoded, Model};
use super::plane::{Planar, Plane, plane};
use super::recipe::{Recipe, Task};
use super::session::Session;
use crate::data::{Points, Targets};
use crate::error::{Error, Result};
use crate::monitor::Monitor;
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
        Some(match low < high {
            true => (low, high),
            false => (values[0], values[last]),
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
    pub(super) fn new(plane: Plane, session: &Session, given: Given<'_>) -> Self {
        Self {
            plane,
            task: session.recipe.task,
            index: session.seen.index().to_vec(),
            classes: known(session),
            numbers: match given.targets {
                Targets::Values(values) => Some(values.clone()),
                _ => None,
            },
        }
    }

    /// The map, by an answer for every sample there is, in order. Answers that are neither
    /// classes nor numbers have no colour: then a map says where samples are and which have a
    /// label. `doubted` are the samples whose label the others contradict, `names` the classes.
    ///
    /// # Errors
    /// [`Error::Shape`] when there is not one answer a sample.
    pub fn told(self, answer: &Answer, names: &[String], doubted: &[usize]) -> Result<Map> {
        if answer.reached.len() != self.plane.total {
            return Err(Error::Shape {
                what: "answers, one for each sample",
                expected: self.plane.total,
                got: answer.reached.len(),
            });
        }
        let at = self.plane.samples.clone();
        Ok(self.by(answer, Some(&at), names, doubted))
    }

    /// The same; sample k shown is entry `at[k]` of the answer, or entry k.
    fn by(self, answer: &Answer, at: Option<&[usize]>, names: &[String], doubted: &[usize]) -> Map {
        let pick = |k: usize| at.map_or(k, |at| at[k]);
        let rows = 0..self.plane.samples.len();
        let none = || vec![None; rows.len()];
        let (predicted, confidence, values) = match &answer.decoded {
            Decoded::Classes {
                labels,
                probabilities,
            } => {
                let sure = |k: usize| {
                    let of = probabilities.row(pick(k));
                    of.iter()
                        .copied()
                        .fold(None, |m: Option<f64>, p| Some(m.map_or(p, |m| m.max(p))))
                };
                (
                    rows.clone().map(|k| labels[pick(k)]).collect(),
                    rows.clone().map(sure).collect(),
                    vec![None; rows.len()],
                )
            }
            Decoded::Values(values) => (
                none(),
                vec![None; rows.len()],
                rows.clone().map(|k| values[pick(k)]).collect(),
            ),
            _ => (none(), vec![None; rows.len()], vec![None; rows.len()]),
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
            classes: match answer.decoded {
                Decoded::Classes { .. } => names.to_vec(),
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

/// Fits, and tells of the samples that a plane shows what their labels are, how sure that is
/// and which labels look wrong.
///
/// A label is suspicious where the others say another class ([`suspects`]): the same labels that
/// [`super::evaluate()`] lists.
///
/// # Errors
/// As [`super::fit()`] and [`plane()`]; [`Error::Refused`] when labels are neither classes nor
/// numbers.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Input, Planar, Recipe, Task};
///
/// let x = (0..40).flat_map(|i| [(i as f64 * 0.1).cos(), (i as f64 * 0.1).sin()]);
/// let points = Points::new(x.collect(), 40, 2)?;
/// let y: Vec<Option<&str>> = (0..40)
///     .map(|i| (i % 8 == 0).then(|| if i < 20 { "a" } else { "b" }))
///     .collect();
/// let recipe = Recipe::automatic(Task::Classify, 0);
/// let targets = Targets::from_names(&y);
/// let planar = Planar::default();
/// let found =
///     recipe::map(&recipe, Input::Table(points), (&targets).into(), &planar, &mut Quiet)?;
/// assert_eq!((found.predicted[1], found.predicted[38]), (Some(0), Some(1)));
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn map(
    recipe: &Recipe,
    input: Input,
    given: Given<'_>,
    planar: &Planar,
    monitor: &mut dyn Monitor,
) -> Result<Map> {
    let points = match &input {
        Input::Table(points) => Some(points.clone()),
        Input::Graph(_) | Input::Gram(_) => None,
    };
    let mut session = Session::new(recipe, input.clone(), given, monitor)?;
    if !matches!(session.reader.labels, Labels::Values(_))
        && session.reader.labels.classes().is_none()
    {
        return Err(Error::data(
            format!("there is no map of the task {}", recipe.task.name()),
            "use the task classify or regress",
        ));
    }
    let index = session.seen.index().to_vec();
    let plane = plane(recipe, input, &index, planar, monitor)?;
    let doubted = match planar.doubt {
        true => doubted(&mut session, monitor)?,
        false => Vec::new(),
    };
    let placed = Placed::new(plane, &session, given);
    let model = session.into_model(monitor)?;
    let (answer, at) = answers(&model, points, &placed.plane.samples, monitor)?;
    Ok(placed.by(&answer, at.as_deref(), model.names(), &doubted))
}

/// What the model says, and where in it the samples stand unless it is of them alone.
fn answers(
    model: &Model,
    points: Option<Points>,
    samples: &[usize],
    monitor: &mut dyn Monitor,
) -> Result<(Answer, Option<Vec<usize>>)> {
    match (model.visible(), points) {
        (Some(answer), _) => Ok((answer, Some(samples.to_vec()))),
        (None, Some(points)) => Ok((model.predict_rows(&points.select(samples)?, monitor)?, None)),
        (None, None) => Err(Error::data(
            "this fit has no scores of its own samples",
            "ask it for new ones",
        )),
    }
}

/// Samples whose label the others contradict.
fn doubted(session: &mut Session, monitor: &mut dyn Monitor) -> Result<Vec<usize>> {
    let Labels::Classes(names) = &session.reader.labels else {
        return Ok(Vec::new());
    };
    let classes = names.len();
    let left = match session.left_out(monitor) {
        Ok(left) => left,
        Err(stopped @ Error::Cancelled { .. }) => return Err(stopped),
        // Not every setting is linear; then no label is doubted.
        Err(_) => return Ok(Vec::new()),
    };
    let truth = session.classes();
    let mut count = vec![0_usize; classes];
    truth.iter().for_each(|c| count[*c as usize] += 1);
    let usable = session.usable(monitor)?;
    let repeated: Vec<bool> = (0..truth.len())
        .map(|i| usable[i] && count[truth[i] as usize] > 1)
        .collect();
    let found = suspects(left.as_ref(), &truth, &repeated)?;
    let sample = |s: &crate::trust::Suspect| session.seen.index()[s.label];
    Ok(found.iter().map(sample).collect())
}

/// The class of each label, where that is what it is.
fn known(session: &Session) -> Option<Vec<u32>> {
    matches!(session.reader.labels, Labels::Classes(_)).then(|| session.classes())
}
