//! Recipe + data → how good it would be with fewer labels, and without the unlabelled rows.

use super::encode::Given;
use super::evaluate::{Chosen, MOST_FREQUENT, loss_at, row};
use super::fit::Input;
use super::labels::{Labels, Reader};
use super::learning_plan::{Plan, Split};
use super::recipe::{Method, Recipe};
use super::session::Session;
use crate::data::Points;
use crate::error::{Error, Result};
use crate::estimator::Subsets;
use crate::estimator::baseline::KernelRidgeParams;
use crate::linalg::{Mat, tiles};
use crate::monitor::Monitor;
use crate::task::Observed;
use crate::trust::Counted;
use crate::trust::interval::{check_level, quantile};

const PHASE: &str = "fits to fewer labels";

/// How a curve is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Learning {
    /// How the labelled samples came to be labelled: only those drawn at random are judged.
    pub sampling: Chosen,
    /// The share of the repeats that a band holds.
    pub level: f64,
    /// Repeats at most; fewer, but ten, where they would take long.
    pub repeats: usize,
    /// Numbers of labels to try.
    pub points: usize,
}

impl Default for Learning {
    /// Labels drawn at random; bands hold four fifths of 40 repeats; eight sizes.
    fn default() -> Self {
        Self {
            sampling: Chosen::Random,
            level: 0.8,
            repeats: 40,
            points: 8,
        }
    }
}

/// How good fits to fewer labels are, beside what the labels alone would give.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LearningCurve {
    /// "accuracy" or "mean squared error".
    pub measure: &'static str,
    /// Whether more is better.
    pub higher_is_better: bool,
    /// Labels there are.
    pub labels: usize,
    /// Labels that took part: all, or 2000 drawn at random.
    pub used: usize,
    /// Labels held out in each repeat, on which its fits are judged.
    pub held_out: usize,
    /// Repeats, each with its own labels held out and its own order of the others.
    pub repeats: usize,
    /// The share of the repeats that a band holds.
    pub level: f64,
    /// What it is compared with: "kernel ridge on the labelled rows", "always the most
    /// frequent class" or "the mean of the labels".
    pub baseline_name: &'static str,
    /// Numbers of labels, ascending.
    pub points: Vec<CurvePoint>,
}

/// What fits to so many labels came to.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct CurvePoint {
    /// Labels trained on.
    pub labels: usize,
    /// The method's measure.
    pub method: Band,
    /// The baseline's, on the same splits.
    pub baseline: Band,
    /// How far the method is better than the baseline, split by split.
    pub gain: Band,
}

/// A mean over repeats and where most of them lie.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Band {
    /// The mean.
    pub mean: f64,
    /// The lower end of the middle share.
    pub low: f64,
    /// The upper end of it.
    pub high: f64,
}

/// Fits the recipe to growing random parts of the labels and judges it on labels held out,
/// a fifth of them, the same for all sizes of a repeat. The first labels of every repeat
/// are one of each class, so a class with one label is never judged.
///
/// No fit looks at the samples again: the kernel between labels is worked out once, one
/// column a label as for leave-one-out, and a fit to m labels is O(m³). The result is that
/// of fits to these labels alone ([`Subsets`]).
///
/// # Errors
/// As [`super::fit()`]; [`Error::Refused`] with fewer labels than a curve needs, which it says,
/// labels with weights or known in part, labels that are neither classes nor numbers, or a
/// method without a closed form.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Input, Learning, Recipe, Task};
///
/// let x = (0..40).map(|i| if i < 20 { 0.1 * i as f64 } else { 3.0 + 0.1 * i as f64 });
/// let points = Points::new(x.collect(), 40, 1)?;
/// let y: Vec<Option<&str>> = (0..40)
///     .map(|i| (i % 3 == 0).then(|| if i < 20 { "a" } else { "b" }))
///     .collect();
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.neighbours = Some(5);
/// let targets = Targets::from_names(&y);
/// let curve = recipe::learning_curve(
///     &recipe, Input::Table(points), (&targets).into(), &Learning::default(), &mut Quiet)?;
/// assert_eq!((curve.labels, curve.held_out), (14, 3));
/// assert_eq!((curve.points[0].labels, curve.points[0].method.mean), (2, 1.0));
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn learning_curve(
    recipe: &Recipe,
    input: Input,
    given: Given<'_>,
    learning: &Learning,
    monitor: &mut dyn Monitor,
) -> Result<LearningCurve> {
    let rows = match &input {
        Input::Table(points) => Some(points.clone()),
        Input::Graph(_) | Input::Gram(_) => None,
    };
    let session = Session::new(recipe, input, given, monitor)?;
    learning_curve_in(&session, rows, given, learning, monitor)
}

/// The same in a session on these labels; `rows` are those of a table.
pub(super) fn learning_curve_in(
    session: &Session,
    rows: Option<Points>,
    given: Given<'_>,
    learning: &Learning,
    monitor: &mut dyn Monitor,
) -> Result<LearningCurve> {
    check_level(learning.level)?;
    let recipe = &session.recipe;
    if learning.repeats == 0 || learning.points == 0 {
        return Err(Error::parameter("repeats and points", "at least 1", 0));
    }
    let truth = match &session.reader.labels {
        Labels::Classes(_) => Some(session.classes()),
        Labels::Values(_) => None,
        Labels::Structured(_) => {
            return Err(Error::data(
                format!(
                    "there is no learning curve of the task {}",
                    recipe.task.name()
                ),
                "use the task classify or regress",
            ));
        }
    };
    if !session.certain.iter().all(|c| *c) {
        return Err(Error::data(
            "a learning curve needs labels that are sure, not sets they lie in",
            "leave the labels that are not sure blank",
        ));
    }
    let labels = session.seen.index().len();
    let sampling = (learning.sampling).at(session.seen.index(), session.seen.total())?;
    let counted = Counted::new(&sampling, &session.certain, session.seen.total())?.rows;
    let plan = Plan::new(truth.as_deref(), &counted, labels, learning, recipe.seed)?;
    let ours = Contender::new(session, &plan.used, monitor)?;
    let supervised = matches!(recipe.method, Method::KernelRidge(_));
    let (baseline_name, other) = match rows {
        Some(points) if !supervised => {
            let plain = Recipe {
                method: Method::KernelRidge(KernelRidgeParams::default()),
                neighbours: None,
                kernel: None,
                normalisation: None,
                ..recipe.clone()
            };
            let session = Session::new(&plain, Input::Table(points), given, monitor)?;
            let found = Contender::new(&session, &plan.used, monitor)?;
            ("kernel ridge on the labelled rows", Some(found))
        }
        _ if truth.is_some() => (MOST_FREQUENT, None),
        _ => ("the mean of the labels", None),
    };
    let found = plan.run(&ours, other.as_ref(), monitor)?;
    let higher_is_better = truth.is_some();
    let points = plan.sizes.iter().enumerate().map(|(k, &labels)| {
        let band = |of: fn((f64, f64)) -> f64| {
            let values = found.iter().map(|repeat| of(repeat[k])).collect();
            Band::of(values, learning.level)
        };
        CurvePoint {
            labels,
            method: band(|(own, _)| own),
            baseline: band(|(_, other)| other),
            gain: match higher_is_better {
                true => band(|(own, other)| own - other),
                false => band(|(own, other)| other - own),
            },
        }
    });
    Ok(LearningCurve {
        measure: match higher_is_better {
            true => "accuracy",
            false => "mean squared error",
        },
        higher_is_better,
        labels,
        used: plan.used.len(),
        held_out: plan.splits.first().map_or(0, |s| s.held.len()),
        repeats: plan.splits.len(),
        level: learning.level,
        baseline_name,
        points: points.collect(),
    })
}

impl Plan {
    /// The measures of both, repeat by repeat and size by size.
    fn run(
        &self,
        ours: &Contender,
        other: Option<&Contender>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<Vec<(f64, f64)>>> {
        let mut found: Vec<Vec<(f64, f64)>> = vec![Vec::new(); self.splits.len()];
        tiles::announce(PHASE, Some(self.splits.len()), monitor)?;
        let work = self.splits.iter().zip(&mut found).collect();
        tiles::sweep(
            PHASE,
            work,
            monitor,
            |(split, out): (&Split, &mut Vec<_>)| {
                for &size in &self.sizes {
                    let train = &split.order[..size];
                    let own = ours.judge(train, &split.held)?;
                    let other = match other {
                        Some(other) => other.judge(train, &split.held)?,
                        None => self.by_frequency(ours, train, &split.held),
                    };
                    out.push((own, other));
                }
                Ok(())
            },
        )?;
        Ok(found)
    }

    /// The most frequent class of all labels, or the mean of the training labels. Of the
    /// training labels it would be a class that is rare among those held out.
    fn by_frequency(&self, ours: &Contender, train: &[usize], held: &[usize]) -> f64 {
        match &self.truth {
            Some(truth) => {
                let classes = truth.iter().max().map_or(0, |c| *c as usize + 1);
                let mut count = vec![0_usize; classes];
                truth.iter().for_each(|&c| count[c as usize] += 1);
                let most = (0..classes).max_by_key(|&c| (count[c], std::cmp::Reverse(c)));
                let right = held.iter().filter(|&&i| most == Some(truth[i] as usize));
                right.count() as f64 / held.len() as f64
            }
            None => {
                let values = ours.seen.values();
                let mean = train.iter().map(|&i| values[(i, 0)]).sum::<f64>() / train.len() as f64;
                let square = |i: &usize| (values[(*i, 0)] - mean).powi(2);
                held.iter().map(square).sum::<f64>() / held.len() as f64
            }
        }
    }
}

/// A method that can be fitted to some labels and judged on others.
struct Contender {
    reader: Reader,
    seen: Observed,
    subsets: Subsets,
}

impl Contender {
    fn new(session: &Session, used: &[usize], monitor: &mut dyn Monitor) -> Result<Self> {
        let all = &session.seen;
        all.refuse_weights("a learning curve", "leave the weights out")?;
        let index = used.iter().map(|&i| all.index()[i]).collect();
        let values = Mat::from_fn(used.len(), all.width(), |a, c| all.values()[(used[a], c)]);
        let seen = Observed::new(index, values, all.total())?;
        Ok(Self {
            subsets: session.subsets(&seen, monitor)?,
            seen,
            reader: session.reader.clone(),
        })
    }

    /// The share of held-out labels that are right, or their mean squared error.
    fn judge(&self, train: &[usize], held: &[usize]) -> Result<f64> {
        let labels = &self.reader.labels;
        let numbers = matches!(labels, Labels::Values(_));
        let values = self.seen.values();
        let found = (self.subsets).scores(train, held, values.as_ref(), numbers)?;
        let loss = loss_at(labels)?;
        let decide = self.reader.decider();
        let class_of = |b: usize| found.reached[b].then(|| decide(&row(&found.values, b)));
        let sum: f64 = match numbers {
            true => {
                // Where nothing reaches, the mean is all that is known.
                let mean = train.iter().map(|&i| values[(i, 0)]).sum::<f64>() / train.len() as f64;
                let said = |b: usize| match found.reached[b] {
                    true => row(&found.values, b),
                    false => vec![mean],
                };
                (held.iter().enumerate())
                    .map(|(b, &i)| loss(&row(values, i), &said(b)))
                    .sum()
            }
            false => {
                let right = |b: &usize| {
                    let given = (0_u32..).zip(values.row(held[*b]).iter());
                    let given = given.filter(|(_, v)| **v == 1.0).map(|(c, _)| c).next();
                    given.is_some() && class_of(*b).flatten() == given
                };
                (0..held.len()).filter(right).count() as f64
            }
        };
        Ok(sum / held.len() as f64)
    }
}

impl Band {
    fn of(mut values: Vec<f64>, level: f64) -> Self {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.sort_by(f64::total_cmp);
        let tail = (1.0 - level) / 2.0;
        Self {
            mean,
            low: quantile(&values, tail),
            high: quantile(&values, 1.0 - tail),
        }
    }
}
