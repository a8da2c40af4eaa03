//! Rows to label next, each with the numbers that made it.

use std::borrow::Cow;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::acquisition::Acquisition;
use super::cover::Cover;
use super::ledger::Ledger;
use crate::error::{Error, Refusal, Result};
use crate::linalg::tiles;
use crate::monitor::{Monitor, Within};

const PHASE: &str = "choosing rows";

/// What is asked for.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How many rows.
    pub count: usize,
    /// How they are chosen.
    pub strategy: Acquisition,
    /// Of so many labels one is an audit row: drawn at random, whatever the strategy, so
    /// that an accuracy can be estimated from it. Labels that are there count, so that
    /// asking for one row at a time audits as often as asking for many. `None`: none.
    pub audit_every: Option<usize>,
    /// Every draw follows from it and from how many labels there are.
    pub seed: u64,
    /// Names of the classes, for reasons; without them they are numbers.
    pub names: Vec<String>,
    /// Rows that must not be suggested, labelled or not.
    pub skip: Vec<usize>,
}

impl Default for Options {
    /// One row by Σ-optimality, one audit row in five.
    fn default() -> Self {
        Self {
            count: 1,
            strategy: Acquisition::default(),
            audit_every: Some(5),
            seed: 0,
            names: Vec::new(),
            skip: Vec::new(),
        }
    }
}

/// A row to label.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Suggestion {
    /// The row.
    pub row: usize,
    /// The strategy's score, 0 for rows that were drawn.
    pub score: f64,
    /// Why, with the numbers.
    pub reason: String,
    /// Of an audit row, the probability with which it was drawn among the rows that were
    /// then open.
    pub audit: Option<f64>,
}

/// The next rows to label.
///
/// A batch is chosen row by row, each as if the ones before it had been labelled as
/// expected: a number with its mean, a class with the most probable one (with its scores
/// as they are before two classes have been seen). That makes the rows near a chosen one
/// certain, so a batch is spread, and it is what asking one row at a time and being
/// answered as expected would give. Ties go to the smaller row.
///
/// Strategies that compare classes start with [`Acquisition::Cover`] until two classes
/// have been seen.
///
/// # Errors
/// [`Error::Parameter`] when no row is asked for, the audit is of none, or the strategy
/// compares classes and there are none; [`Error::Refused`] when fewer rows are open than
/// asked for; [`Error::Label`] when a row to skip does not exist; [`Error::Cancelled`].
pub fn suggest(
    ledger: &Ledger,
    options: &Options,
    monitor: &mut dyn Monitor,
) -> Result<Vec<Suggestion>> {
    let mut open = check(ledger, options)?;
    let cold = options.strategy.needs_classes() && ledger.seen() < 2;
    let strategy = if cold {
        Acquisition::Cover
    } else {
        options.strategy
    };
    let mut state = Cow::Borrowed(ledger);
    let mut cover = match strategy {
        Acquisition::Cover => Some(Cover::new(ledger, &mut Within(monitor))?),
        _ => None,
    };
    let mut left = open.iter().filter(|o| **o).count();
    tiles::announce(PHASE, Some(options.count), monitor)?;
    let mut out = Vec::with_capacity(options.count);
    for k in 0..options.count {
        let place = ledger.count() + k;
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        rng.set_stream(place as u64);
        let audited = options
            .audit_every
            .is_some_and(|every| (place + 1).is_multiple_of(every));
        let suggestion = if audited || strategy == Acquisition::Random {
            let row = nth(&open, rng.random_range(0..left));
            let why = if audited { "audit row, drawn" } else { "drawn" };
            Suggestion {
                row,
                score: 0.0,
                reason: format!("{why} at random among {left} rows without a label"),
                audit: audited.then_some(1.0 / left as f64),
            }
        } else {
            let scores = match &cover {
                Some(cover) => cover.scores(&state),
                None => strategy.scores(&state, &mut Within(monitor))?,
            };
            let row = largest(&scores, &open);
            let reason = match &cover {
                Some(cover) => covered(cover, &state, row, scores[row], cold),
                None => {
                    let of = whole(strategy, &state, &mut Within(monitor))?;
                    reason(strategy, &state, row, (scores[row], of), &options.names)
                }
            };
            Suggestion {
                row,
                score: scores[row],
                reason,
                audit: None,
            }
        };
        let row = suggestion.row;
        open[row] = false;
        left -= 1;
        out.push(suggestion);
        if k + 1 < options.count {
            match &mut cover {
                Some(cover) => cover.add(&state, &[row], &mut Within(monitor))?,
                None if strategy == Acquisition::Random => {}
                None => believe(state.to_mut(), row)?,
            }
        }
        tiles::done(PHASE, k + 1, monitor)?;
    }
    Ok(out)
}

/// Which rows may be suggested.
fn check(ledger: &Ledger, options: &Options) -> Result<Vec<bool>> {
    options.strategy.check(ledger)?;
    if options.count == 0 {
        return Err(Error::parameter("the number of rows", "at least 1", 0));
    }
    if options.audit_every == Some(0) {
        return Err(Error::parameter("audit_every", "at least 1, or none", 0));
    }
    let mut open: Vec<bool> = (0..ledger.len()).map(|i| !ledger.has(i)).collect();
    for &row in &options.skip {
        match open.get_mut(row) {
            Some(slot) => *slot = false,
            None => {
                return Err(Error::Label {
                    sample: row,
                    reason: format!(
                        "it is to be skipped, but there are only {} rows",
                        ledger.len()
                    )
                    .into(),
                });
            }
        }
    }
    let left = open.iter().filter(|o| **o).count();
    if left == 0 {
        return Err(Error::refused(
            Refusal::AllLabelled,
            format!("none of the {} rows is without a label", ledger.len()),
            "there is nothing left to ask; take a label back, or give more rows",
        ));
    }
    if options.count > left {
        return Err(Error::refused(
            Refusal::TooManyAsked,
            format!(
                "{} rows were asked for and {left} are without a label",
                options.count
            ),
            format!("ask for at most {left}"),
        ));
    }
    Ok(open)
}

/// Labels a row as expected.
fn believe(ledger: &mut Ledger, row: usize) -> Result<()> {
    if ledger.has_classes() && ledger.seen() >= 2 {
        return ledger.add_class(row, ledger.best()[row]);
    }
    let target = ledger.scores(row).to_vec();
    ledger.add_target(row, target)
}

/// The open row of the largest score, the first of equal ones.
fn largest(scores: &[f64], open: &[bool]) -> usize {
    let rows = (0..scores.len()).filter(|&i| open[i]);
    let best = rows.fold(None, |best: Option<usize>, i| match best {
        Some(b) if scores[i] <= scores[b] => best,
        _ => Some(i),
    });
    best.unwrap_or(0)
}

/// The n-th open row.
fn nth(open: &[bool], n: usize) -> usize {
    let mut rows = (0..open.len()).filter(|&i| open[i]);
    rows.nth(n).unwrap_or(0)
}

fn covered(cover: &Cover, ledger: &Ledger, row: usize, score: f64, cold: bool) -> String {
    let start = if cold {
        "no two classes seen yet: "
    } else {
        ""
    };
    match cover.unreached(ledger, row) {
        Some(1) => format!("{start}no label reaches this row"),
        Some(rows) => {
            format!("{start}the most central of {rows} rows that no label reaches")
        }
        None => format!("{start}farthest from every labelled row, at distance {score:.2} of 2"),
    }
}

/// What a score is a part of, 0 where it is not a part.
fn whole(strategy: Acquisition, ledger: &Ledger, monitor: &mut dyn Monitor) -> Result<f64> {
    match strategy {
        Acquisition::VOptimal => Ok(ledger.variances().iter().sum()),
        Acquisition::SigmaOptimal => ledger.variance_of_sum(monitor),
        _ => Ok(0.0),
    }
}

fn reason(
    strategy: Acquisition,
    ledger: &Ledger,
    row: usize,
    (score, of): (f64, f64),
    names: &[String],
) -> String {
    let between = between(ledger, row, names);
    let rows = ledger.stands_for(row);
    let stands = format!("stands for about {rows:.1} rows");
    let part = 100.0 * score / of.max(f64::MIN_POSITIVE);
    match strategy {
        Acquisition::Maximin => {
            format!(
                "{between}; whatever its class, adds at least {score:.3} to the energy; {stands}"
            )
        }
        Acquisition::VOptimal => {
            format!(
                "takes {part:.2} % off the variance of all rows; {stands}{}",
                comma(&between)
            )
        }
        Acquisition::SigmaOptimal => {
            format!(
                "takes {part:.1} % off the variance of the sum of all rows; {stands}{}",
                comma(&between)
            )
        }
        Acquisition::Entropy => format!("{between}, entropy {score:.2}; {stands}"),
        Acquisition::Margin | Acquisition::Cover | Acquisition::Random => {
            format!("{between}; {stands}")
        }
    }
}

fn comma(between: &str) -> String {
    match between {
        "" => String::new(),
        text => format!("; {text}"),
    }
}

/// `between a and b`, the two classes of the largest shares; empty for numbers and before any
/// label. The shares are the strategy's own and not the fit's probabilities, so they are not
/// shown: the row's confidence is another number.
fn between(ledger: &Ledger, row: usize, names: &[String]) -> String {
    let shares = ledger.probabilities(row);
    if ledger.count() == 0 || shares.len() < 2 {
        return String::new();
    }
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
    let name = |k: usize| {
        names
            .get(k)
            .cloned()
            .unwrap_or_else(|| format!("class {k}"))
    };
    format!("between {} and {}", name(order[0]), name(order[1]))
}
