//! Recipe + data → how good it is, honestly: on labels it did not see, with an interval,
//! beside what labels alone would give.

use super::encode::Given;
use super::fit::Input;
use super::labels::{Labels, Structured, loss_matrix};
use super::recipe::{Method, Recipe, Task};
use super::session::Session;
use crate::data::{Points, Targets};
use crate::error::{Error, Result};
use crate::estimator::baseline::KernelRidgeParams;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::task::thresholds::{Measure, f1};
use crate::task::{Codec, MultiLabel, OneHot, Ordinal, Ranking, Real, Reals, Soft};
use crate::trust::{Counted, Estimand, Estimate, Judged, Sampling, sign_flip, sign_test, suspects};

/// How to judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Judging {
    /// How the labelled samples came to be labelled.
    pub sampling: Chosen,
    /// The level of intervals.
    pub level: f64,
    /// Suspicious labels to list at most.
    pub suspects: usize,
}

impl Default for Judging {
    fn default() -> Self {
        Self {
            sampling: Chosen::Random,
            level: 0.95,
            suspects: 20,
        }
    }
}

/// How labels were chosen, one entry a sample; read where there is a label.
#[derive(Debug, Clone, PartialEq)]
pub enum Chosen {
    /// At random.
    Random,
    /// Some by a model.
    Active {
        /// Whether the sample was drawn at random.
        audit: Vec<bool>,
        /// How many samples had no label before it was chosen.
        pool: Option<Vec<usize>>,
    },
}

impl Chosen {
    /// How the labels of these samples were chosen.
    pub(super) fn at(&self, index: &[usize], total: usize) -> Result<Sampling> {
        let (audit, pool) = match self {
            Self::Random => return Ok(Sampling::Random),
            Self::Active { audit, pool } => (audit, pool),
        };
        for got in [Some(audit.len()), pool.as_ref().map(Vec::len)] {
            if let Some(got) = got.filter(|got| *got != total) {
                return Err(Error::Shape {
                    what: "audit marks and pools, one for each sample",
                    expected: total,
                    got,
                });
            }
        }
        Ok(Sampling::Active {
            audit: index.iter().map(|&i| audit[i]).collect(),
            pool: (pool.as_ref()).map(|pool| index.iter().map(|&i| pool[i]).collect()),
        })
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
    /// Rows of each class predicted as each class, over the rows that count; the last
    /// column counts rows that nothing reached. Classes only.
    pub confusion: Option<Confusion>,
    /// Labels that the others contradict, most first. Classes only.
    pub suspects: Vec<SuspectLabel>,
    /// Things to know before quoting a number.
    pub notes: Vec<String>,
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

/// What labels alone would give.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Baseline {
    /// "kernel ridge on the labelled rows", "always the most frequent class" or "the mean of
    /// the labels".
    pub name: &'static str,
    /// Its value of the first measure, on the same rows.
    pub value: f64,
    /// Rows where the method does better than the baseline, and worse.
    pub better: usize,
    /// Rows where it does worse.
    pub worse: usize,
    /// How likely so large a difference of the two values is by chance: by the sign test for
    /// an accuracy, by drawing signs of the differences for a mean of losses.
    pub chance: f64,
    /// How likely so uneven a pair of counts is by chance; the same as `chance` for an
    /// accuracy.
    pub count_chance: f64,
    /// What the method's losses are below the baseline's in the mean: above zero, the method
    /// is better.
    pub gain: f64,
    /// What follows from all that.
    pub verdict: Verdict,
}

/// Whether unlabelled data helped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The measure is better, beyond chance.
    Helped,
    /// The measure is worse, beyond chance.
    Hurt,
    /// Most rows are better beyond chance while the mean is worse, or the other way round.
    Split,
    /// No difference that chance could not make.
    Open,
}

impl Baseline {
    /// A baseline of this value of the measure; `gains` are how much better the method does
    /// on each row that counts, in the measure's own terms.
    pub fn new(name: &'static str, value: f64, gains: &[f64], seed: u64) -> Self {
        let better = gains.iter().filter(|g| **g > 0.0).count();
        let worse = gains.iter().filter(|g| **g < 0.0).count();
        let count_chance = sign_test(better, worse);
        let whole = gains.iter().all(|g| [-1.0, 0.0, 1.0].contains(g));
        let chance = match whole {
            true => count_chance,
            false => sign_flip(gains, seed),
        };
        let gain = gains.iter().sum::<f64>() / gains.len().max(1) as f64;
        let rows_say = match count_chance < UNLIKELY {
            true => better.cmp(&worse),
            false => std::cmp::Ordering::Equal,
        };
        let verdict = match (chance < UNLIKELY, gain > 0.0, rows_say) {
            (_, true, std::cmp::Ordering::Less) | (_, false, std::cmp::Ordering::Greater) => {
                Verdict::Split
            }
            (true, true, _) => Verdict::Helped,
            (true, false, _) => Verdict::Hurt,
            (false, ..) => Verdict::Open,
        };
        Self {
            name,
            value,
            better,
            worse,
            chance,
            count_chance,
            gain,
            verdict,
        }
    }

    /// Whether unlabelled data helped, beyond chance.
    pub fn helps(&self) -> bool {
        self.verdict == Verdict::Helped
    }

    /// Whether unlabelled data hurt, beyond chance.
    pub fn hurts(&self) -> bool {
        self.verdict == Verdict::Hurt
    }

    /// The verdict in words.
    pub fn describe(&self) -> &'static str {
        match self.verdict {
            Verdict::Helped => "the unlabelled data helped",
            Verdict::Hurt => "the unlabelled data hurt",
            Verdict::Split if self.gain > 0.0 => {
                "better in the mean, but worse on most rows: neither helped nor hurt"
            }
            Verdict::Split => "better on most rows, but not in the mean: neither helped nor hurt",
            Verdict::Open => "no difference that chance could not make",
        }
    }
}

/// Below it a chance is taken for none.
const UNLIKELY: f64 = 0.05;

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

/// Judges a recipe by leave-one-label-out, each label predicted by the fit to the others
/// in closed form.
///
/// # Errors
/// As [`super::fit()`]; [`Error::Refused`] when no label may count, or the method has no
/// closed form.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Input, Judging, Recipe, Task};
///
/// // Two groups on a line, three labels each.
/// let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
/// let points = Points::new(x.collect(), 20, 1)?;
/// let y: Vec<Option<&str>> = (0..20)
///     .map(|i| (i % 4 == 0 || i == 9).then(|| if i < 10 { "a" } else { "b" }))
///     .collect();
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.neighbours = Some(4);
/// let targets = Targets::from_names(&y);
/// let found = recipe::evaluate(
///     &recipe, Input::Table(points), (&targets).into(), &Judging::default(), &mut Quiet)?;
/// assert_eq!(found.measures[0].name, "accuracy");
/// assert_eq!(found.measures[0].estimate.value, 1.0);
/// let interval = found.measures[0].estimate.interval.unwrap();
/// assert!(interval.low < 0.7); // six labels say little
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn evaluate(
    recipe: &Recipe,
    input: Input,
    given: Given<'_>,
    judging: &Judging,
    monitor: &mut dyn Monitor,
) -> Result<Evaluation> {
    let rows = match &input {
        Input::Table(points) => Some(points.clone()),
        Input::Graph(_) | Input::Gram(_) => None,
    };
    let mut session = Session::new(recipe, input, given, monitor)?;
    evaluate_in(&mut session, rows, given, judging, monitor)
}

/// The same in a session on these labels; `rows` are those of a table.
pub(super) fn evaluate_in(
    session: &mut Session,
    rows: Option<Points>,
    given: Given<'_>,
    judging: &Judging,
    monitor: &mut dyn Monitor,
) -> Result<Evaluation> {
    crate::trust::interval::check_level(judging.level)?;
    let recipe = &session.recipe.clone();
    let index = session.seen.index().to_vec();
    let total = session.seen.total();
    let sampling = judging.sampling.at(&index, total)?;
    let certain = session.certain.clone();
    let counted = Counted::new(&sampling, &certain, total)?;
    let mut out = Evaluation {
        task: recipe.task,
        labels: index.len(),
        samples: total,
        audits_only: counted.is_active(),
        level: judging.level,
        measures: Vec::new(),
        baseline: None,
        confusion: None,
        suspects: Vec::new(),
        notes: Vec::new(),
    };
    let doubtful = certain.iter().filter(|c| !**c).count();
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
            "intervals are {:.2} times as wide as if the model were given and only rows were drawn: \
             that is how far nested cross-validation finds leave-one-out from this model's own",
            factor.sqrt()
        ));
    }
    let setting = Setting {
        counted: &counted,
        judging,
        seed: recipe.seed,
    };
    match session.reader.labels.clone() {
        Labels::Classes(names) => {
            classes(session, &names, &setting, &mut out, monitor)?;
            let truth = session.classes();
            let own = judged(session, names.len(), monitor)?;
            let other = majority_or_ridge(recipe, rows, given, &truth, names.len(), monitor)?;
            out.baseline = other.map(|(name, other)| {
                let (own, other) = (own.pick(&counted.rows), other.pick(&counted.rows));
                compare(name, &own, &other, recipe.seed)
            });
        }
        labels => {
            let own = losses(session, &labels, &setting, &mut out, monitor)?;
            out.baseline = Some(without_unlabelled(
                session,
                recipe,
                (rows, given),
                &own,
                &counted,
                monitor,
            )?);
        }
    }
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
    Ok(out)
}

struct Setting<'a> {
    counted: &'a Counted,
    judging: &'a Judging,
    seed: u64,
}

/// The class each label would get from the others; `None` where none reaches.
fn judged(session: &mut Session, classes: usize, monitor: &mut dyn Monitor) -> Result<Judged> {
    let left = session.left_out(monitor)?;
    let alone = session.smoother(monitor)?.alone().to_vec();
    let decide = session.reader.decider();
    let class = |i: usize| (!alone[i]).then(|| decide(&row(&left, i))).flatten();
    let predicted = (0..left.nrows()).map(class).collect();
    Ok(Judged::new(session.classes(), predicted, classes))
}

fn classes(
    session: &mut Session,
    names: &[String],
    setting: &Setting<'_>,
    out: &mut Evaluation,
    monitor: &mut dyn Monitor,
) -> Result<()> {
    let judged = judged(session, names.len(), monitor)?;
    let level = setting.judging.level;
    for estimand in [Estimand::NewRow, Estimand::Unlabelled] {
        out.measures.push(Measured {
            name: "accuracy",
            higher_is_better: true,
            estimate: setting.counted.accuracy(&judged, estimand, level)?,
        });
    }
    out.measures.push(Measured {
        name: "macro-F1",
        higher_is_better: true,
        estimate: setting.counted.macro_f1(&judged, level, setting.seed)?,
    });
    let counted = judged.pick(&setting.counted.rows);
    out.confusion = Some(Confusion {
        classes: names.to_vec(),
        counts: counted.confusion(),
    });
    let truth = session.classes();
    let mut count = vec![0_usize; names.len()];
    truth.iter().for_each(|c| count[*c as usize] += 1);
    let once: Vec<&str> = (names.iter().zip(&count))
        .filter(|(_, n)| **n == 1)
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
    let repeated: Vec<bool> = (0..truth.len())
        .map(|i| usable[i] && count[truth[i] as usize] > 1)
        .collect();
    let found = suspects(left.as_ref(), &truth, &repeated)?;
    out.suspects = (found.iter().take(setting.judging.suspects))
        .map(|s| SuspectLabel {
            sample: session.seen.index()[s.label],
            given: names[s.given as usize].clone(),
            suggested: names[s.suggested as usize].clone(),
            strength: s.strength,
        })
        .collect();
    Ok(())
}

/// Kernel ridge on the labelled rows of a table, or the most frequent class of all labels,
/// the first of equal ones. Leaving the label out would make its class the rarer one: among
/// balanced classes the answer would always be wrong.
fn majority_or_ridge(
    recipe: &Recipe,
    rows: Option<Points>,
    given: Given<'_>,
    truth: &[u32],
    classes: usize,
    monitor: &mut dyn Monitor,
) -> Result<Option<(&'static str, Judged)>> {
    let supervised = matches!(recipe.method, Method::KernelRidge(_));
    if let (Some(points), false, Targets::Classes { .. }) = (rows, supervised, given.targets) {
        let mut plain = Recipe::of(
            Method::KernelRidge(KernelRidgeParams::default()),
            Task::Classify,
            recipe.seed,
        );
        plain.scaling = recipe.scaling;
        let mut session = Session::new(&plain, Input::Table(points), given, monitor)?;
        let found = judged(&mut session, classes, monitor)?;
        return Ok(Some(("kernel ridge on the labelled rows", found)));
    }
    let mut count = vec![0_usize; classes];
    truth.iter().for_each(|c| count[*c as usize] += 1);
    let most = (0..classes).max_by_key(|&c| (count[c], std::cmp::Reverse(c)));
    let most = most.and_then(|c| u32::try_from(c).ok());
    let found = Judged::new(truth.to_vec(), vec![most; truth.len()], classes);
    Ok(Some((MOST_FREQUENT, found)))
}

/// What the baseline without rows to learn from is called.
pub(super) const MOST_FREQUENT: &str = "always the most frequent class";

fn compare(name: &'static str, own: &Judged, other: &Judged, seed: u64) -> Baseline {
    let right = |judged: &Judged, i: usize| f64::from(u8::from(judged.is_right(i)));
    let gains: Vec<f64> = (0..own.len())
        .map(|i| right(own, i) - right(other, i))
        .collect();
    Baseline::new(name, other.accuracy(), &gains, seed)
}

/// Labels that are not plain classes: the mean of their loss. The losses, one a label.
fn losses(
    session: &mut Session,
    labels: &Labels,
    setting: &Setting<'_>,
    out: &mut Evaluation,
    monitor: &mut dyn Monitor,
) -> Result<Vec<f64>> {
    let left = session.left_out(monitor)?;
    let values = session.seen.values().clone();
    let (name, found) = loss_of(labels, &values, &left)?;
    let bound = bound_of(labels);
    let level = setting.judging.level;
    let estimate = (setting.counted).mean(&found, bound, level, setting.seed)?;
    out.measures.push(Measured {
        name,
        higher_is_better: false,
        estimate,
    });
    if let Labels::Structured(Structured::Flags { thresholds, .. }) = labels {
        let codec = MultiLabel::with_thresholds(thresholds.clone())?;
        out.notes
            .push(tags(&codec, &values, &left, &setting.counted.rows));
    }
    Ok(found)
}

/// What the loss is called, and its value for each label predicted as `left`.
fn loss_of(
    labels: &Labels,
    values: &Mat<f64>,
    left: &Mat<f64>,
) -> Result<(&'static str, Vec<f64>)> {
    let name = match labels {
        Labels::Values(_) | Labels::Structured(Structured::Numbers { .. }) => "mean squared error",
        Labels::Classes(_) => "error rate",
        Labels::Structured(structured) => match structured {
            Structured::Flags { .. } => "share of wrong tags",
            Structured::Orders { .. } => "Kendall distance",
            Structured::Ordinal { .. } => "mean distance in grades",
            Structured::Shares { .. } => "squared distance of shares",
            _ => "mean cost",
        },
    };
    let loss = loss_at(labels)?;
    let found = (0..values.nrows()).map(|i| loss(&row(values, i), &row(left, i)));
    Ok((name, found.collect()))
}

/// The largest that a loss can be; `None` for squared errors.
fn bound_of(labels: &Labels) -> Option<f64> {
    match labels {
        Labels::Values(_) | Labels::Structured(Structured::Numbers { .. }) => None,
        Labels::Classes(_) => Some(1.0),
        Labels::Structured(structured) => match structured {
            Structured::Numbers { .. } => None,
            Structured::Flags { .. } | Structured::Orders { .. } => Some(1.0),
            Structured::Ordinal { names } => Some(names.len().saturating_sub(1) as f64),
            // Of two distributions.
            Structured::Shares { .. } => Some(2.0),
            Structured::Decisions { losses, .. } => {
                Some(losses.iter().flatten().fold(0.0, |a: f64, b| a.max(*b)))
            }
        },
    }
}

/// The loss of one encoded label for a row of scores on its scale.
#[allow(clippy::type_complexity)]
pub(super) fn loss_at(labels: &Labels) -> Result<Box<dyn Fn(&[f64], &[f64]) -> f64>> {
    fn of<C: Codec + 'static>(codec: C) -> Box<dyn Fn(&[f64], &[f64]) -> f64> {
        Box::new(move |truth, left| codec.loss(&codec.decode(truth), &codec.decode(left)))
    }
    Ok(match labels {
        Labels::Values(_) => of(Real::default()),
        Labels::Classes(names) => of(OneHot::new(names.len())),
        Labels::Structured(structured) => match structured {
            Structured::Numbers { names, .. } => of(Reals::new(vec![0.0; names.len()])?),
            Structured::Flags { thresholds, .. } => {
                of(MultiLabel::with_thresholds(thresholds.clone())?)
            }
            Structured::Orders { names } => of(Ranking::new(names.len())?),
            Structured::Ordinal { names } => of(Ordinal::new(names.len())?),
            Structured::Shares { names } => of(Soft::new(names.len())?),
            Structured::Decisions { names, losses, .. } => {
                let codec = loss_matrix(names.len(), losses)?;
                let class = OneHot::new(names.len());
                Box::new(move |truth, left| codec.loss(&class.decode(truth), &codec.decode(left)))
            }
        },
    })
}

/// Kernel ridge on the labelled rows of a table, or the mean of the other labels.
fn without_unlabelled(
    session: &mut Session,
    recipe: &Recipe,
    (rows, given): (Option<Points>, Given<'_>),
    own: &[f64],
    counted: &Counted,
    monitor: &mut dyn Monitor,
) -> Result<Baseline> {
    let labels = session.reader.labels.clone();
    let values = session.seen.values().clone();
    let supervised = matches!(recipe.method, Method::KernelRidge(_));
    let (name, left) = match rows {
        Some(points) if !supervised => {
            let plain = Recipe {
                method: Method::KernelRidge(KernelRidgeParams::default()),
                neighbours: None,
                kernel: None,
                normalisation: None,
                ..recipe.clone()
            };
            let mut other = Session::new(&plain, Input::Table(points), given, monitor)?;
            let left = other.left_out(monitor)?;
            ("kernel ridge on the labelled rows", left)
        }
        _ => {
            let others = (values.nrows() as f64 - 1.0).max(1.0);
            let mean = Mat::from_fn(values.nrows(), values.ncols(), |i, j| {
                let sum: f64 = values.col(j).iter().sum();
                (sum - values[(i, j)]) / others
            });
            ("the mean of the labels", mean)
        }
    };
    let (_, other) = loss_of(&labels, &values, &left)?;
    let rows = &counted.rows;
    let gains: Vec<f64> = rows.iter().map(|&i| other[i] - own[i]).collect();
    let value = rows.iter().map(|&i| other[i]).sum::<f64>() / rows.len() as f64;
    Ok(Baseline::new(name, value, &gains, recipe.seed))
}

pub(super) fn row(m: &Mat<f64>, i: usize) -> Vec<f64> {
    m.row(i).iter().copied().collect()
}

fn tags(codec: &MultiLabel, values: &Mat<f64>, left: &Mat<f64>, rows: &[usize]) -> String {
    let truths: Vec<Vec<Option<bool>>> = (rows.iter())
        .map(|&i| row(values, i).iter().map(|v| Some(*v > 0.5)).collect())
        .collect();
    let guesses: Vec<Vec<bool>> = (rows.iter())
        .map(|&i| codec.decode(&row(left, i)))
        .collect();
    format!(
        "F1 over the same rows: macro {:.3}, micro {:.3}",
        f1(&truths, &guesses, Measure::Macro),
        f1(&truths, &guesses, Measure::Micro)
    )
}
