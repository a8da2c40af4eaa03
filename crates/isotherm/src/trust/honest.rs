//! An accuracy one can repeat: which rows may count, what is estimated, how sure it is.
//!
//! Labels that were chosen because the model was unsure are hard rows: judged on them a
//! model looks worse than it is, and the rows that are left are easier than those that
//! were taken. So once labels were chosen actively, only *audit* rows count, each drawn
//! uniformly from the pool of rows without a label at the time; and since the pool has
//! changed since, what is known of the rows that left it is taken into account.

use super::bounded::of_bounded_mean;
use super::interval::{self, FEWEST, Interval};
use super::judged::Judged;
use crate::error::{Error, Refusal, Result};

/// How the labelled rows came to be labelled.
#[derive(Debug, Clone, PartialEq)]
pub enum Sampling {
    /// Drawn at random from all rows: every label counts.
    Random,
    /// Some were suggested by a model.
    Active {
        /// Whether label k was drawn at random from the rows without one.
        audit: Vec<bool>,
        /// How many rows had no label just before label k was chosen, which is the order
        /// of labels too; `None` counts audits as drawn before any other label.
        pool: Option<Vec<usize>>,
    },
}

/// What an accuracy is the accuracy of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimand {
    /// A new row like these.
    NewRow,
    /// The rows that have no label yet.
    Unlabelled,
}

impl Estimand {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::NewRow => "on a new row like these",
            Self::Unlabelled => "on the rows still unlabelled",
        }
    }
}

/// A number with its interval and what it is an estimate of.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// What it is about.
    pub estimand: Estimand,
    /// The estimate.
    pub value: f64,
    /// How sure it is; `None` where that cannot be told.
    pub interval: Option<Interval>,
    /// Why there is no interval, where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<&'static str>,
    /// Rows it was measured on.
    pub rows: usize,
}

/// Rows that may count, and how many there are of the others.
#[derive(Debug, Clone)]
pub struct Counted {
    /// Positions among the labels.
    pub rows: Vec<usize>,
    /// All labels.
    pub labelled: usize,
    /// All rows.
    pub total: usize,
    /// How many rows were open when each label was chosen; `None` for random labels.
    pool: Option<Vec<usize>>,
    /// By how much intervals are stretched.
    stretch: f64,
}

impl Counted {
    /// The labels that may count: all, or audits only; never one that was left out
    /// because nothing could be said of it (`usable`).
    ///
    /// # Errors
    /// [`Error::Shape`] when audits are not one a label; [`Error::Refused`] when none counts.
    pub fn new(sampling: &Sampling, usable: &[bool], total: usize) -> Result<Self> {
        let n = usable.len();
        let rows: Vec<usize> = match sampling {
            Sampling::Random => (0..n).filter(|&k| usable[k]).collect(),
            Sampling::Active { audit, pool } => {
                for got in [Some(audit.len()), pool.as_ref().map(Vec::len)] {
                    if let Some(got) = got.filter(|got| *got != n) {
                        return Err(Error::Shape {
                            what: "audit marks and pools, one for each label",
                            expected: n,
                            got,
                        });
                    }
                }
                if let Some(k) = pool
                    .iter()
                    .flatten()
                    .position(|open| *open == 0 || *open > total)
                {
                    return Err(Error::refused(
                        Refusal::Pool,
                        format!(
                            "label {k} was drawn from a pool that cannot be: there are {total} rows"
                        ),
                        "give the number of rows that had no label when it was chosen",
                    ));
                }
                (0..n).filter(|&k| audit[k] && usable[k]).collect()
            }
        };
        if rows.is_empty() {
            return Err(Error::refused(
                Refusal::NoAudit,
                "no label may count: none was drawn at random",
                "label some rows drawn at random, or take all labels as drawn at random (`all_labels`)",
            ));
        }
        Ok(Self {
            rows,
            labelled: n,
            total,
            pool: match sampling {
                Sampling::Random => None,
                Sampling::Active { pool, .. } => {
                    Some(pool.clone().unwrap_or_else(|| vec![total; n]))
                }
            },
            stretch: 1.0,
        })
    }

    /// With intervals stretched about their estimates by √factor, a factor of
    /// [`super::nested::inflation`]: rows are judged by models that are not this one.
    #[must_use]
    pub(crate) fn stretched(mut self, factor: f64) -> Self {
        self.stretch = factor.max(1.0).sqrt();
        self
    }

    /// Whether labels that were suggested are left out.
    pub(crate) fn is_active(&self) -> bool {
        self.pool.is_some()
    }

    /// The accuracy of either kind of row, k of n counted rows being right.
    ///
    /// Labels drawn at random: k/n; for a new row with the exact interval of a share,
    /// for the rows still unlabelled with that of what is left in an urn.
    ///
    /// Labels chosen actively: an audit drawn from a pool of P rows, when B rows that had
    /// a label already are right, says that `P·right + B` of all N rows are right. Over
    /// all audits that is `R = P̄k/n + B̄`, with P̄k/n as uncertain as a share of an urn of
    /// P̄ rows. A new row is right with probability R/N; of the rows still unlabelled
    /// R − S are, S being those with a label.
    ///
    /// # Errors
    /// As [`interval::clopper_pearson`].
    pub fn accuracy(&self, judged: &Judged, estimand: Estimand, level: f64) -> Result<Estimate> {
        let counted = judged.pick(&self.rows);
        let (k, n) = (counted.right(), counted.len());
        let share = counted.accuracy();
        let exact = interval::clopper_pearson(k, n, level)?;
        let rest = self.total - self.labelled.min(self.total);
        let estimate = |value: f64, low: f64, high: f64| Estimate {
            estimand,
            value: value.clamp(0.0, 1.0),
            interval: Some(Interval {
                low: (value - self.stretch * (value - low)).clamp(0.0, 1.0),
                high: (value + self.stretch * (high - value)).clamp(0.0, 1.0),
                level,
            }),
            no_interval: None,
            rows: n,
        };
        let Some(pool) = &self.pool else {
            return match (estimand, rest) {
                (Estimand::NewRow, _) | (_, 0) => Ok(estimate(share, exact.low, exact.high)),
                (Estimand::Unlabelled, _) => {
                    // Labels that cannot count are as good as not drawn.
                    let urn = rest + n;
                    let (low, high) = interval::of_population(k, n, urn, level)?;
                    let left = |r: usize| (r - k) as f64 / rest as f64;
                    Ok(estimate(share, left(low), left(high)))
                }
            };
        };
        let audits = self.rows.len() as f64;
        let mean_pool = self.rows.iter().map(|&a| pool[a] as f64).sum::<f64>() / audits;
        let before = |a: usize| {
            let right = (0..judged.len()).filter(|&b| pool[b] > pool[a] && judged.is_right(b));
            right.count() as f64
        };
        let known = self.rows.iter().map(|&a| before(a)).sum::<f64>() / audits;
        let urn = (mean_pool.round() as usize).max(n);
        let all = self.total.max(1) as f64;
        match estimand {
            Estimand::NewRow => {
                let mix = |p: f64| (mean_pool * p + known) / all;
                Ok(estimate(mix(share), mix(exact.low), mix(exact.high)))
            }
            Estimand::Unlabelled => {
                let (low, high) = interval::of_population(k, n, urn, level)?;
                let labelled = judged.right() as f64;
                let left = |right: f64| (right + known - labelled) / rest.max(1) as f64;
                Ok(estimate(
                    left(mean_pool * share),
                    left(low as f64),
                    left(high as f64),
                ))
            }
        }
    }

    /// By how much intervals of means are stretched: what [`Counted::stretched`] says, and
    /// by how much the difference to the other rows of a finite population spreads more
    /// than a mean of n of them: `√(1 + n/(N − n))`.
    fn spread(&self) -> f64 {
        let rest = self.total.saturating_sub(self.labelled).max(1) as f64;
        self.stretch * (1.0 + self.rows.len() as f64 / rest).sqrt()
    }

    /// Macro-F1 over the rows that count, a bootstrap interval.
    ///
    /// # Errors
    /// As `interval::of_macro_f1`.
    pub fn macro_f1(&self, judged: &Judged, level: f64, seed: u64) -> Result<Estimate> {
        let counted = judged.pick(&self.rows);
        let interval = interval::of_macro_f1(&counted, level, self.spread(), seed)?;
        Ok(self.estimate(counted.macro_f1(), interval))
    }

    /// The mean of losses over the rows that count; `bound` is the largest a loss can be,
    /// `None` for losses without one, such as squared errors.
    ///
    /// # Errors
    /// As `of_bounded_mean` and `interval::of_mean`.
    pub fn mean(
        &self,
        losses: &[f64],
        bound: Option<f64>,
        level: f64,
        seed: u64,
    ) -> Result<Estimate> {
        let counted: Vec<f64> = self.rows.iter().map(|&k| losses[k]).collect();
        let spread = self.spread();
        let interval = match bound {
            Some(bound) => Some(of_bounded_mean(&counted, bound, level, spread, seed)?),
            None => interval::of_mean(&counted, level, spread, seed)?,
        };
        let value = counted.iter().sum::<f64>() / counted.len() as f64;
        Ok(self.estimate(value, interval))
    }

    fn estimate(&self, value: f64, interval: Option<Interval>) -> Estimate {
        let rows = self.rows.len();
        Estimate {
            estimand: Estimand::Unlabelled,
            value,
            no_interval: match (interval, rows < FEWEST) {
                (Some(_), _) => None,
                (None, true) => Some("too few rows count for an interval"),
                (None, false) => Some("the rows do not differ, which tells of no spread"),
            },
            interval,
            rows,
        }
    }
}
