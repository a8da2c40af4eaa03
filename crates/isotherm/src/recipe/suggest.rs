//! Recipe + data → the rows to label next, with reasons.

use super::encode::{Given, encode};
use super::fit::Input;
use super::prepare::Ready;
use super::recipe::{Recipe, Task};
use crate::data::Targets;
use crate::error::{Error, Result};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::query::{Acquisition, Kind, Ledger, Options, Suggestion, Value};
use crate::task::Observed;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asking {
    /// How many rows.
    pub count: usize,
    /// How they are chosen.
    pub strategy: Acquisition,
    /// One row in so many is drawn at random, to judge the model on; `None` for none.
    pub audit_every: Option<usize>,
    /// Features of the method that are looked at.
    pub modes: usize,
    /// Classes that may occur, those among the labels included; empty for those only.
    pub classes: Vec<String>,
}

impl Default for Asking {
    fn default() -> Self {
        Self {
            count: 1,
            strategy: Acquisition::default(),
            audit_every: Some(5),
            modes: 64,
            classes: Vec::new(),
        }
    }
}

/// Rows to label, in the order to label them.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Suggested {
    /// The rows.
    pub rows: Vec<Next>,
    /// How the method was seen: features, and what they leave out.
    pub note: String,
    /// Samples without a label.
    pub unlabelled: usize,
}

/// A row to label.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Next {
    /// The row, its score and why.
    #[serde(flatten)]
    pub suggestion: Suggestion,
    /// Rows without a label before it is: what
    /// [`Chosen::Active`](super::Chosen) wants to know.
    pub pool: usize,
}

/// The rows whose labels would tell most, by the method's own geometry; no label is
/// needed to begin.
///
/// # Errors
/// As [`super::fit()`] but for missing labels; as [`crate::query::suggest()`].
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Asking, Input, Recipe, Task};
///
/// // Two groups, one label: the next row is in the other group.
/// let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
/// let points = Points::new(x.collect(), 20, 1)?;
/// let mut y = vec![None; 20];
/// y[0] = Some("a");
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.neighbours = Some(4);
/// let asking = Asking { audit_every: None, ..Asking::default() };
/// let targets = Targets::from_names(&y);
/// let found = recipe::suggest(&recipe, Input::Table(points), (&targets).into(), &asking, &mut Quiet)?;
/// assert!(found.rows[0].suggestion.row >= 10);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn suggest(
    recipe: &Recipe,
    input: Input,
    given: Given<'_>,
    asking: &Asking,
    monitor: &mut dyn Monitor,
) -> Result<Suggested> {
    recipe.check(input.shape())?;
    let targets = given.targets;
    if targets.len() != input.len() {
        return Err(Error::Shape {
            what: "labels, one for each sample, blank or not",
            expected: input.len(),
            got: targets.len(),
        });
    }
    if asking.modes == 0 {
        return Err(Error::parameter("modes", "at least 1", 0));
    }
    let labels = labels(recipe, given, &asking.classes)?;
    let ready = Ready::new(recipe, input, targets, &labels.seen, monitor)?;
    suggest_in(&ready, recipe, labels, asking, monitor)
}

/// The same where the data are prepared for these labels already.
pub(super) fn suggest_again(
    ready: &Ready,
    recipe: &Recipe,
    given: Given<'_>,
    asking: &Asking,
    monitor: &mut dyn Monitor,
) -> Result<Suggested> {
    if asking.modes == 0 {
        return Err(Error::parameter("modes", "at least 1", 0));
    }
    let labels = labels(recipe, given, &asking.classes)?;
    suggest_in(ready, recipe, labels, asking, monitor)
}

fn suggest_in(
    ready: &Ready,
    recipe: &Recipe,
    labels: Entries,
    asking: &Asking,
    monitor: &mut dyn Monitor,
) -> Result<Suggested> {
    let total = labels.seen.total();
    let prior = ready.geometry.spectral(asking.modes.min(total), monitor)?;
    let known = labels.values.len();
    let noise = prior.noise((known + asking.count).max(1));
    let mut ledger = Ledger::new(&prior, labels.kind, noise)?;
    ledger.add_all(&labels.values, monitor)?;
    let options = Options {
        count: asking.count,
        strategy: asking.strategy,
        audit_every: asking.audit_every,
        seed: recipe.seed,
        names: labels.names,
        ..Options::default()
    };
    let found = crate::query::suggest(&ledger, &options, monitor)?;
    let unlabelled = total - known;
    let next = |(k, suggestion): (usize, Suggestion)| Next {
        suggestion,
        pool: unlabelled - k,
    };
    Ok(Suggested {
        rows: found.into_iter().enumerate().map(next).collect(),
        note: prior.note().to_owned(),
        unlabelled,
    })
}

/// Labels as a ledger takes them.
struct Entries {
    seen: Observed,
    kind: Kind,
    values: Vec<(usize, Value)>,
    names: Vec<String>,
}

fn labels(recipe: &Recipe, given: Given<'_>, classes: &[String]) -> Result<Entries> {
    let targets = given.targets;
    let total = targets.len();
    let seen = match targets.labelled().is_empty() {
        true => Observed::new(
            Vec::new(),
            Mat::zeros(0, targets.names().len().max(1)),
            total,
        )?,
        false => encode(recipe, given)?.1.start()?,
    };
    let of_classes = matches!(recipe.task, Task::Classify | Task::Ordinal | Task::Shares);
    if !of_classes {
        let centre = match targets {
            Targets::Values(values) => {
                let known: Vec<f64> = values.iter().flatten().copied().collect();
                known.iter().sum::<f64>() / known.len().max(1) as f64
            }
            _ => 0.0,
        };
        let value = |&i: &usize| match targets {
            Targets::Values(values) => (i, Value::Number(values[i].unwrap_or(centre))),
            // What is known of variances does not depend on the labels' values.
            _ => (i, Value::Number(centre)),
        };
        return Ok(Entries {
            values: seen.index().iter().map(value).collect(),
            kind: Kind::Numbers { centre },
            names: Vec::new(),
            seen,
        });
    }
    let mut names = targets.names().to_vec();
    names.extend(
        classes
            .iter()
            .filter(|c| !targets.names().contains(c))
            .cloned(),
    );
    while names.len() < 2 {
        names.push("another class".to_owned());
    }
    let all = names.len();
    let shares = |row: &[f64]| -> Vec<f64> {
        let mut out = vec![0.0; all];
        out[..row.len()].copy_from_slice(row);
        out
    };
    let value = |i: usize| -> Option<Value> {
        Some(match targets {
            Targets::Classes { labels, .. } => Value::Class(labels[i]?),
            Targets::Shares { labels, .. } => Value::Shares(shares(labels[i].as_ref()?)),
            Targets::Sets { labels, .. } => {
                let set = labels[i].as_ref()?;
                let mut row = vec![0.0; all];
                for &class in set {
                    row[class as usize] = 1.0 / set.len() as f64;
                }
                Value::Shares(row)
            }
            _ => return None,
        })
    };
    let values = (seen.index().iter()).filter_map(|&i| value(i).map(|v| (i, v)));
    Ok(Entries {
        values: values.collect(),
        kind: Kind::Classes(all),
        names,
        seen,
    })
}
