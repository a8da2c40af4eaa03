//! How good a recipe is on labels it did not see, with an interval, beside what labels alone
//! would give.

use super::baseline::{Baseline, KERNEL_RIDGE, MEAN, MOST_FREQUENT, Worth, most_frequent};
use super::class_shares::SharesEffect;
use super::prepared::PreparedMethod;
use super::session::{Session, row};
use super::study::Study;
use crate::error::Result;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::recipe::Task;
use crate::trust::{Counted, Estimand, Estimate, Judged, LabelSampling, suspects};

/// Labels up to which a fit is judged without being asked: nested cross-validation is cubic in
/// them.
const ESTIMATED_LABELS: usize = 300;

/// Labels below which no verdict is given.
const FEWEST_JUDGED: usize = 10;

/// How to evaluate.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluateOptions {
    /// How the labelled samples came to be labelled.
    pub sampling: LabelSampling,
    /// The level of intervals.
    pub level: f64,
    /// Suspicious labels to list at most.
    pub suspects: usize,
}

impl Default for EvaluateOptions {
    fn default() -> Self {
        Self {
            sampling: LabelSampling::Random,
            level: 0.95,
            suspects: 20,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Evaluation {
    /// The task.
    pub task: Task,
    /// Labels there are.
    pub labels: usize,
    /// Samples there are.
    pub samples: usize,
    /// Whether only audit rows count.
    pub audits_only: bool,
    /// The level of the intervals.
    pub level: f64,
    /// The measures, the first the one to quote.
    pub measures: Vec<Measured>,
    /// What labels alone would give, on the same rows; `None` where there is nothing to
    /// compare with.
    pub baseline: Option<Baseline>,
    /// What one answer for all rows would give, on the same rows.
    pub constant: Option<Constant>,
    /// The members of a blend, the largest share first; empty for another method.
    pub members: Vec<MemberMeasured>,
    /// Rows of each class predicted as each class, over the rows that count; the last
    /// column counts rows that nothing reached. Classes only.
    pub confusion: Option<Confusion>,
    /// Labels that the others contradict, most first. Classes only.
    pub suspects: Vec<SuspectLabel>,
    /// What class shares of the unlabelled rows change, or would change. Classes only, where
    /// shares are not given and probabilities are calibrated.
    pub class_shares: Option<SharesEffect>,
    /// Things to know before quoting a number.
    pub notes: Vec<String>,
}

/// One answer for all rows: the most frequent class, or the mean of the labels.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Constant {
    /// "always the most frequent class" or "the mean of the labels".
    pub name: &'static str,
    /// Its value of the first measure.
    pub value: f64,
}

/// One member of a blend on labels it did not see.
#[derive(Debug, Clone, serde::Serialize)]
pub struct MemberMeasured {
    /// What it is called.
    pub name: String,
    /// Its share of the blend, from 0 to 1.
    pub share: f64,
    /// Its value of the first measure, by itself.
    pub value: f64,
}

/// One measure.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Measured {
    /// "accuracy", "macro-F1", "mean squared error", …
    pub name: &'static str,
    /// Whether more is better.
    pub higher_is_better: bool,
    /// The number, its interval and what it is about.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// A confusion matrix.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Confusion {
    /// The classes.
    pub classes: Vec<String>,
    /// `counts[given][predicted]`.
    pub counts: Vec<Vec<usize>>,
}

/// A label that the others contradict.
#[derive(Debug, Clone, serde::Serialize)]
pub struct SuspectLabel {
    /// The sample.
    pub sample: usize,
    /// The class it was given.
    pub given: String,
    /// The class the others say.
    pub suggested: String,
    /// How far that is ahead, for an order to look in: no threshold tells right from wrong.
    pub strength: f64,
}

impl Study {
    /// Evaluates by leave-one-label-out, each label predicted by the fit to the others in closed
    /// form.
    ///
    /// # Errors
    /// As [`Study::fit`]; [`crate::Error::Refused`] when no label may count, or the method has no closed
    /// form.
    ///
    /// # Example
    /// ```
    /// use isotherm::data::{Points, Targets};
    /// use isotherm::monitor::Quiet;
    /// use isotherm::recipe::{Recipe, Shape, Task};
    /// use isotherm::study::{EvaluateOptions, Input, Study};
    ///
    /// // Two groups on a line, three labels each.
    /// let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
    /// let points = Points::new(x.collect(), 20, 1)?;
    /// let y: Vec<Option<&str>> = (0..20)
    ///     .map(|i| (i % 4 == 0 || i == 9).then(|| if i < 10 { "a" } else { "b" }))
    ///     .collect();
    /// let mut recipe = Recipe::automatic(Shape::Table, Task::Classify, 0);
    /// recipe.neighbours = Some(4);
    /// let mut study = Study::new(&recipe, Input::Table(points), &Targets::from_names(&y))?;
    /// let found = study.evaluate(&EvaluateOptions::default(), &mut Quiet)?;
    /// assert_eq!(found.measures[0].name, "accuracy");
    /// assert_eq!(found.measures[0].estimate.value, 1.0);
    /// let interval = found.measures[0].estimate.interval.unwrap();
    /// assert!(interval.low < 0.7); // six labels say little
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    pub fn evaluate(
        &mut self,
        options: &EvaluateOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<Evaluation> {
        let (mut out, counted) = self.judge(options, monitor)?;
        out.class_shares = self.shares_effect(&counted, monitor)?;
        Ok(out)
    }

    /// All but what class shares of the unlabelled rows change; the labels that count.
    fn judge(
        &mut self,
        options: &EvaluateOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<(Evaluation, Counted)> {
        crate::trust::interval::check_level(options.level)?;
        let supervised = self.supervised()?;
        let session = self.session(monitor)?;
        let seed = session.recipe.seed;
        let total = session.seen.total();
        let sampling = options.sampling.at(session.seen.index(), total)?;
        let counted = Counted::new(&sampling, &session.certain, total)?;
        let mut out = Evaluation {
            task: session.recipe.task,
            labels: session.seen.index().len(),
            samples: total,
            audits_only: counted.is_active(),
            level: options.level,
            measures: Vec::new(),
            baseline: None,
            constant: None,
            members: Vec::new(),
            confusion: None,
            suspects: Vec::new(),
            class_shares: None,
            notes: Vec::new(),
        };
        let doubtful = session.certain.iter().filter(|c| !**c).count();
        if doubtful > 0 {
            out.notes.push(format!(
                "{doubtful} labels are known in part and do not count; they were settled with all \
                 labels in view, the ones that count too"
            ));
        }
        let factor = session.inflation(&counted.rows, monitor)?;
        let counted = counted.stretched(factor);
        if factor > 1.0 {
            out.notes.push(format!(
                "intervals are {:.2} times as wide as if the model were given and only rows were \
                 drawn: that is how far nested cross-validation finds leave-one-out from this \
                 model's own",
                factor.sqrt()
            ));
        }
        out.baseline = Some(if session.labelling.labels.are_classes() {
            let own = classes(session, &counted, options, &mut out, monitor)?;
            let constant = one_class(session);
            out.constant = Some(Constant {
                name: MOST_FREQUENT,
                value: constant.pick(&counted.rows).accuracy(),
            });
            let (name, other) = match class_baseline(session, supervised, monitor)? {
                Some(judged) => (KERNEL_RIDGE, judged),
                None => (MOST_FREQUENT, constant),
            };
            let (own, other) = (own.pick(&counted.rows), other.pick(&counted.rows));
            compare(name, &own, &other, seed)
        } else {
            let own = losses(session, &counted, options, &mut out, monitor)?;
            let rows = &counted.rows;
            let mean =
                |losses: &[f64]| rows.iter().map(|&i| losses[i]).sum::<f64>() / rows.len() as f64;
            let constant = mean_losses(session);
            out.constant = Some(Constant {
                name: MEAN,
                value: mean(&constant),
            });
            let (name, other) = match supervised {
                Some(mut study) => {
                    let left = study.session(monitor)?.left_out(monitor)?;
                    (KERNEL_RIDGE, loss_of(session, &left))
                }
                None => (MEAN, constant),
            };
            let gains: Vec<f64> = rows.iter().map(|&i| other[i] - own[i]).collect();
            Baseline::new(name, mean(&other), &gains, seed)
        });
        out.members = members(session, &counted.rows, monitor)?;
        if counted.rows.len() < 20 {
            out.notes.push(format!(
                "{} rows count: quote the range, not the number",
                counted.rows.len()
            ));
        }
        if let Some(baseline) = out.baseline.as_ref().filter(|b| b.hurts()) {
            out.notes.push(format!(
                "unlabelled data hurt here: {} does better",
                baseline.name
            ));
        }
        Ok((out, counted))
    }

    /// As [`Study::evaluate`] where that costs little beside a fit, without a word on class
    /// shares; `None` where it does not.
    ///
    /// # Errors
    /// As [`Study::evaluate`].
    pub fn estimate(
        &mut self,
        options: &EvaluateOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Evaluation>> {
        let session = self.session(monitor)?;
        let labels = session.seen.index().len();
        if labels > ESTIMATED_LABELS || !session.judging_is_cheap() {
            return Ok(None);
        }
        Ok(Some(self.judge(options, monitor)?.0))
    }
}

impl Evaluation {
    /// Whether the answers are worth using; `None` where there is no measure.
    pub fn worth(&self) -> Option<Worth> {
        let first = self.measures.first()?;
        let value = first.estimate.value;
        let constant = self.constant.as_ref()?.value;
        let better = if first.higher_is_better {
            value > constant
        } else {
            value < constant
        };
        Some(match &self.baseline {
            _ if first.estimate.rows < FEWEST_JUDGED => Worth::TooFew,
            _ if !better => Worth::NoBetterThanConstant,
            Some(baseline) if baseline.name != KERNEL_RIDGE => Worth::BetterThanConstant,
            Some(baseline) if baseline.helps() => Worth::BetterThanLabelsAlone,
            Some(baseline) if baseline.hurts() => Worth::WorseThanLabelsAlone,
            _ => Worth::AsLabelsAlone,
        })
    }
}

/// The class each label would get from the others; `None` where none reaches.
fn judged(session: &mut Session, monitor: &mut dyn Monitor) -> Result<Judged> {
    let left = session.left_out(monitor)?;
    let alone = session.smoother(monitor)?.alone().to_vec();
    let decide = |i: usize| session.labelling.decide(&row(&left, i));
    let class = |i: usize| (!alone[i]).then(|| decide(i)).flatten();
    let predicted = (0..left.nrows()).map(class).collect();
    Ok(Judged::new(
        session.classes(),
        predicted,
        session.seen.width(),
    ))
}

/// Accuracy, macro-F1, confusion and suspicious labels of plain classes.
fn classes(
    session: &mut Session,
    counted: &Counted,
    options: &EvaluateOptions,
    out: &mut Evaluation,
    monitor: &mut dyn Monitor,
) -> Result<Judged> {
    let judged = judged(session, monitor)?;
    let names = session.labelling.labels.names().to_vec();
    for estimand in [Estimand::NewRow, Estimand::Unlabelled] {
        out.measures.push(Measured {
            name: "accuracy",
            higher_is_better: true,
            estimate: counted.accuracy(&judged, estimand, options.level)?,
        });
    }
    out.measures.push(Measured {
        name: "macro-F1",
        higher_is_better: true,
        estimate: counted.macro_f1(&judged, options.level, session.recipe.seed)?,
    });
    out.confusion = Some(Confusion {
        classes: names.clone(),
        counts: judged.pick(&counted.rows).confusion(),
    });
    let truth = session.classes();
    let once: Vec<&str> = (names.iter().zip(0_u32..))
        .filter(|(_, class)| truth.iter().filter(|c| *c == class).count() == 1)
        .map(|(name, _)| name.as_str())
        .collect();
    if !once.is_empty() {
        out.notes.push(format!(
            "{} with one label cannot be right without it: {}; label a second row of each",
            match once.len() {
                1 => "a class".to_owned(),
                n => format!("{n} classes"),
            },
            once.join(", ")
        ));
    }
    let left = session.left_out(monitor)?;
    let usable = session.usable(monitor)?;
    let found = suspects(left.as_ref(), &truth, &session.repeated(&usable))?;
    out.suspects = (found.iter().take(options.suspects))
        .map(|s| SuspectLabel {
            sample: session.seen.index()[s.label],
            given: names[s.given as usize].clone(),
            suggested: names[s.suggested as usize].clone(),
            strength: s.strength,
        })
        .collect();
    Ok(judged)
}

/// Kernel ridge on the labelled rows of a table.
fn class_baseline(
    session: &Session,
    supervised: Option<Study>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Judged>> {
    // Labels known in part would be settled for another method.
    let sure = session.certain.iter().all(|certain| *certain);
    match supervised.filter(|_| sure) {
        Some(mut study) => judged(study.session(monitor)?, monitor).map(Some),
        None => Ok(None),
    }
}

/// The most frequent class of all labels.
fn one_class(session: &Session) -> Judged {
    let truth = session.classes();
    let classes = session.seen.width();
    let most = most_frequent(&truth, classes);
    let predicted = vec![most; truth.len()];
    Judged::new(truth, predicted, classes)
}

/// What each member of a blend says of labels it did not see.
fn members(
    session: &Session,
    rows: &[usize],
    monitor: &mut dyn Monitor,
) -> Result<Vec<MemberMeasured>> {
    let PreparedMethod::Blend(prepared) = &session.preparation.method else {
        return Ok(Vec::new());
    };
    let labels = &session.labelling.labels;
    let classes = labels.are_classes().then(|| session.classes());
    let value = |left: &Mat<f64>| match &classes {
        Some(truth) => {
            let right = |&&i: &&usize| session.labelling.decide(&row(left, i)) == Some(truth[i]);
            rows.iter().filter(right).count() as f64 / rows.len() as f64
        }
        None => {
            let losses = loss_of(session, left);
            rows.iter().map(|&i| losses[i]).sum::<f64>() / rows.len() as f64
        }
    };
    let scores = prepared.scores(&session.seen, monitor)?;
    let mut found: Vec<MemberMeasured> = (scores.into_iter())
        .map(|member| MemberMeasured {
            value: value(&member.left_out),
            name: member.name,
            share: member.share,
        })
        .collect();
    found.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok(found)
}

fn compare(name: &'static str, own: &Judged, other: &Judged, seed: u64) -> Baseline {
    let right = |judged: &Judged, i: usize| f64::from(u8::from(judged.is_right(i)));
    let gains: Vec<f64> = (0..own.len())
        .map(|i| right(own, i) - right(other, i))
        .collect();
    Baseline::new(name, other.accuracy(), &gains, seed)
}

/// The mean loss of labels that are not plain classes. The losses, one per label.
fn losses(
    session: &mut Session,
    counted: &Counted,
    options: &EvaluateOptions,
    out: &mut Evaluation,
    monitor: &mut dyn Monitor,
) -> Result<Vec<f64>> {
    let left = session.left_out(monitor)?;
    let (labels, truth) = (&session.labelling.labels, session.seen.values());
    let found = loss_of(session, &left);
    let loss = labels.loss();
    let estimate = counted.mean(&found, loss.bound, options.level, session.recipe.seed)?;
    out.measures.push(Measured {
        name: loss.name,
        higher_is_better: false,
        estimate,
    });
    out.notes.extend(labels.remark(truth, &left, &counted.rows));
    Ok(found)
}

/// The loss of each label predicted as `left`.
fn loss_of(session: &Session, left: &Mat<f64>) -> Vec<f64> {
    let loss = session.labelling.labels.loss();
    let truth = session.seen.values();
    (0..truth.nrows())
        .map(|i| loss.at(&row(truth, i), &row(left, i)))
        .collect()
}

/// The losses of the mean of the other labels.
fn mean_losses(session: &Session) -> Vec<f64> {
    let values = session.seen.values();
    let others = (values.nrows() as f64 - 1.0).max(1.0);
    let mean = Mat::from_fn(values.nrows(), values.ncols(), |i, j| {
        let sum: f64 = values.col(j).iter().sum();
        (sum - values[(i, j)]) / others
    });
    loss_of(session, &mean)
}
