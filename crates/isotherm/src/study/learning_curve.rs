//! How good a recipe would be with fewer labels, and without the unlabelled rows.

use super::baseline::{KERNEL_RIDGE, MEAN, MOST_FREQUENT, most_frequent};
use super::learning_splits::{LearningOptions, LearningSplits, Split};
use super::session::{Session, row};
use super::study::Study;
use crate::error::{Error, Result};
use crate::estimator::Subsets;
use crate::labelling::Labelling;
use crate::linalg::{Mat, tiles};
use crate::monitor::Monitor;
use crate::task::Observed;
use crate::trust::Counted;
use crate::trust::interval::{check_level, quantile};

const PHASE: &str = "fits to fewer labels";

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

impl Study {
    /// Fits the recipe to growing random parts of the labels and judges it on labels held out,
    /// a fifth of them, the same for all sizes of a repeat. The first labels of every repeat
    /// are one of each class, so a class with one label is never judged.
    ///
    /// No fit looks at the samples again: the kernel between labels is worked out once, one
    /// column per label as for leave-one-out, and a fit to m labels is O(m³). The result is that
    /// of fits to these labels alone ([`Subsets`]).
    ///
    /// # Errors
    /// As [`Study::fit`]; [`Error::Refused`] with fewer labels than a curve needs, which it says,
    /// labels with weights or known in part, labels that are neither classes nor numbers, or a
    /// method without a closed form.
    ///
    /// # Example
    /// ```
    /// use isotherm::data::{Points, Targets};
    /// use isotherm::monitor::Quiet;
    /// use isotherm::recipe::{Recipe, Task};
    /// use isotherm::study::{Input, LearningOptions, Study};
    ///
    /// let x = (0..40).map(|i| if i < 20 { 0.1 * i as f64 } else { 3.0 + 0.1 * i as f64 });
    /// let points = Points::new(x.collect(), 40, 1)?;
    /// let y: Vec<Option<&str>> = (0..40)
    ///     .map(|i| (i % 3 == 0).then(|| if i < 20 { "a" } else { "b" }))
    ///     .collect();
    /// let mut recipe = Recipe::on_graph(Task::Classify, 0);
    /// recipe.neighbours = Some(5);
    /// let mut study = Study::new(&recipe, Input::Table(points), &Targets::from_names(&y))?;
    /// let curve = study.learning_curve(&LearningOptions::default(), &mut Quiet)?;
    /// assert_eq!((curve.labels, curve.held_out), (14, 3));
    /// assert_eq!((curve.points[0].labels, curve.points[0].method.mean), (2, 1.0));
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    pub fn learning_curve(
        &mut self,
        options: &LearningOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<LearningCurve> {
        check_level(options.level)?;
        if options.repeats == 0 || options.points == 0 {
            return Err(Error::parameter("repeats and points", "at least 1", 0));
        }
        let supervised = self.supervised()?;
        let session = self.session(monitor)?;
        let labels = &session.labelling.labels;
        if !labels.are_classes() && !labels.are_values() {
            return Err(Error::data(
                format!(
                    "there is no learning curve of the task {}",
                    session.recipe.task.name()
                ),
                "use the task classify or regress",
            ));
        }
        if !session.certain.iter().all(|c| *c) {
            return Err(Error::data(
                "a learning curve needs labels that are sure, not sets they lie in",
                "leave the labels that are not sure blank",
            ));
        }
        let truth = labels.are_classes().then(|| session.classes());
        let count = session.seen.index().len();
        let sampling = (options.sampling).at(session.seen.index(), session.seen.total())?;
        let counted = Counted::new(&sampling, &session.certain, session.seen.total())?.rows;
        let seed = session.recipe.seed;
        let splits = LearningSplits::new(truth.as_deref(), &counted, count, options, seed)?;
        let ours = Contender::new(session, &splits.used, monitor)?;
        let (baseline_name, other) = match supervised {
            Some(mut study) => {
                let found = Contender::new(study.session(monitor)?, &splits.used, monitor)?;
                (KERNEL_RIDGE, Some(found))
            }
            None if truth.is_some() => (MOST_FREQUENT, None),
            None => (MEAN, None),
        };
        let found = run(&splits, &ours, other.as_ref(), monitor)?;
        let higher_is_better = truth.is_some();
        let points = splits.sizes.iter().enumerate().map(|(k, &labels)| {
            let band = |of: fn((f64, f64)) -> f64| {
                let values = found.iter().map(|repeat| of(repeat[k])).collect();
                Band::of(values, options.level)
            };
            CurvePoint {
                labels,
                method: band(|(own, _)| own),
                baseline: band(|(_, other)| other),
                gain: if higher_is_better {
                    band(|(own, other)| own - other)
                } else {
                    band(|(own, other)| other - own)
                },
            }
        });
        Ok(LearningCurve {
            measure: if higher_is_better {
                "accuracy"
            } else {
                "mean squared error"
            },
            higher_is_better,
            labels: count,
            used: splits.used.len(),
            held_out: splits.splits.first().map_or(0, |s| s.held.len()),
            repeats: splits.splits.len(),
            level: options.level,
            baseline_name,
            points: points.collect(),
        })
    }
}

/// The measures of the method and its baseline, repeat by repeat and size by size.
fn run(
    splits: &LearningSplits,
    ours: &Contender,
    other: Option<&Contender>,
    monitor: &mut dyn Monitor,
) -> Result<Vec<Vec<(f64, f64)>>> {
    let mut found: Vec<Vec<(f64, f64)>> = vec![Vec::new(); splits.splits.len()];
    tiles::announce(PHASE, Some(splits.splits.len()), monitor)?;
    let work = splits.splits.iter().zip(&mut found).collect();
    tiles::sweep(
        PHASE,
        work,
        monitor,
        |(split, out): (&Split, &mut Vec<_>)| {
            for &size in &splits.sizes {
                let train = &split.order[..size];
                let own = ours.judge(train, &split.held)?;
                let other = match other {
                    Some(other) => other.judge(train, &split.held)?,
                    None => by_frequency(splits, ours, train, &split.held),
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
fn by_frequency(splits: &LearningSplits, ours: &Contender, train: &[usize], held: &[usize]) -> f64 {
    match &splits.truth {
        Some(truth) => {
            let classes = truth.iter().max().map_or(0, |c| *c as usize + 1);
            let most = most_frequent(truth, classes);
            let right = held.iter().filter(|&&i| most == Some(truth[i]));
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

/// A method that can be fitted to some labels and judged on others.
struct Contender {
    labelling: Labelling,
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
            labelling: session.labelling.clone(),
        })
    }

    /// The share of held-out labels that are right, or their mean squared error.
    fn judge(&self, train: &[usize], held: &[usize]) -> Result<f64> {
        let labels = &self.labelling.labels;
        let numbers = labels.are_values();
        let values = self.seen.values();
        let found = (self.subsets).scores(train, held, values.as_ref(), numbers)?;
        let sum: f64 = if numbers {
            // Where nothing reaches, the mean is all that is known.
            let mean = train.iter().map(|&i| values[(i, 0)]).sum::<f64>() / train.len() as f64;
            let loss = labels.loss();
            let said = |b: usize| {
                if found.reached[b] {
                    row(&found.values, b)
                } else {
                    vec![mean]
                }
            };
            (held.iter().enumerate())
                .map(|(b, &i)| loss.at(&row(values, i), &said(b)))
                .sum()
        } else {
            let decide = |b: usize| self.labelling.decide(&row(&found.values, b));
            let right = |b: &usize| {
                let given = (0_u32..).zip(values.row(held[*b]).iter());
                let given = given.filter(|(_, v)| **v == 1.0).map(|(c, _)| c).next();
                given.is_some() && found.reached[*b] && decide(*b) == given
            };
            (0..held.len()).filter(right).count() as f64
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
