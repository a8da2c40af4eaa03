//! What the labels were, and how scores become labels again.
//!
//! Classes are read off scores as they are, the largest wins. Every other label needs
//! scores on the scale of its encoding ([`Scale`]): deviations get their mean back, and
//! label propagation, whose scores have no scale, carries a column of ones beside the
//! labels and is divided by it.

use rayon::prelude::*;

use crate::error::{Error, Refusal, Result};
use crate::linalg::Mat;
use crate::model::Scores;
use crate::task::one_hot::Reading;
use crate::task::{Codec, LossMatrix, MultiLabel, OneHot, Ordinal, Priors, Ranking, Real, simplex};
use crate::trust::Calibration;

use super::model::{Answer, Decoded};

/// Rows decoded in one tile.
const TILE: usize = 4096;

/// What the labels were.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Labels {
    /// Class names, in the order of the score columns.
    Classes(Vec<String>),
    /// Numbers about an offset.
    Values(Real),
    /// Everything else.
    Structured(Structured),
}

/// Labels that are more than a class or a number.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Structured {
    /// Several numbers about their offsets.
    Numbers {
        names: Vec<String>,
        offset: Vec<f64>,
    },
    /// Tags, each with its threshold.
    Flags {
        names: Vec<String>,
        thresholds: Vec<f64>,
    },
    /// Items in an order.
    Orders { names: Vec<String> },
    /// Classes in an order.
    Ordinal { names: Vec<String> },
    /// Shares of classes.
    Shares { names: Vec<String> },
    /// Classes, and decisions that cost `losses[class][decision]`.
    Decisions {
        names: Vec<String>,
        decisions: Vec<String>,
        losses: Vec<Vec<f64>>,
    },
}

/// How scores are brought to the scale of the labels' encoding.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Scale {
    /// They are on it, or it does not matter.
    #[default]
    Plain,
    /// They are deviations from these means.
    Level { means: Vec<f64> },
    /// The last column is what labels of one would have given.
    Mass,
}

/// A row of scores → its class or decision.
pub(super) type Decider<'a> = Box<dyn Fn(&[f64]) -> Option<u32> + Send + Sync + 'a>;

/// Everything that turns scores into labels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reader {
    pub(super) labels: Labels,
    pub(super) scale: Scale,
    pub(super) reading: Reading,
    pub(super) calibration: Option<Calibration>,
    pub(super) priors: Option<Priors>,
}

impl Labels {
    /// Numbers a label is encoded by.
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Classes(names) => names.len(),
            Self::Values(_) => 1,
            Self::Structured(structured) => structured.width(),
        }
    }

    /// Names of classes, where labels are classes of some kind.
    pub(super) fn classes(&self) -> Option<&[String]> {
        match self {
            Self::Classes(names)
            | Self::Structured(
                Structured::Ordinal { names }
                | Structured::Shares { names }
                | Structured::Decisions { names, .. },
            ) => Some(names),
            _ => None,
        }
    }

    /// Names of what is answered: classes, decisions, tags, items or values.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::Classes(names) => names,
            Self::Values(_) => &[],
            Self::Structured(Structured::Decisions { decisions, .. }) => decisions,
            Self::Structured(structured) => structured.names(),
        }
    }

    /// Whether scores must be on the scale of the encoding.
    pub(super) fn needs_scale(&self) -> bool {
        matches!(self, Self::Structured(_))
    }
}

impl Structured {
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::Numbers { names, .. }
            | Self::Flags { names, .. }
            | Self::Orders { names }
            | Self::Ordinal { names }
            | Self::Shares { names }
            | Self::Decisions { names, .. } => names,
        }
    }

    fn width(&self) -> usize {
        let k = self.names().len();
        match self {
            Self::Orders { .. } => k * k.saturating_sub(1) / 2,
            Self::Ordinal { .. } => k.saturating_sub(1),
            _ => k,
        }
    }

    /// Refuses parts, perhaps from a file, that cannot be read with.
    pub(super) fn check(&self) -> Result<()> {
        let names = self.names();
        match self {
            Self::Numbers { offset, .. } => {
                if names.is_empty()
                    || offset.len() != names.len()
                    || offset.iter().any(|v| !v.is_finite())
                {
                    return Err(Error::parameter(
                        "offset",
                        "one finite number a value, at least one",
                        format!("{offset:?}"),
                    ));
                }
                Ok(())
            }
            Self::Flags { thresholds, .. } => {
                MultiLabel::with_thresholds(thresholds.clone())?;
                match thresholds.len() == names.len() {
                    true => Ok(()),
                    false => Err(Error::Shape {
                        what: "thresholds, one for each tag",
                        expected: names.len(),
                        got: thresholds.len(),
                    }),
                }
            }
            Self::Orders { .. } => Ranking::new(names.len()).map(|_| ()),
            Self::Ordinal { .. } => Ordinal::new(names.len()).map(|_| ()),
            Self::Shares { .. } => match names.len() {
                0 | 1 => Err(Error::refused(
                    Refusal::ClassShares,
                    "shares of fewer than two classes say nothing",
                    "name at least two classes",
                )),
                _ => Ok(()),
            },
            Self::Decisions {
                decisions, losses, ..
            } => {
                let codec = loss_matrix(names.len(), losses)?;
                match codec.decisions() == decisions.len() {
                    true => Ok(()),
                    false => Err(Error::Shape {
                        what: "decisions, one for each column of losses",
                        expected: codec.decisions(),
                        got: decisions.len(),
                    }),
                }
            }
        }
    }
}

/// The codec of a loss for every class and decision.
pub(super) fn loss_matrix(classes: usize, losses: &[Vec<f64>]) -> Result<LossMatrix> {
    if losses.len() != classes {
        return Err(Error::Shape {
            what: "rows of losses, one for each class",
            expected: classes,
            got: losses.len(),
        });
    }
    let decisions = losses.first().map_or(0, Vec::len);
    if let Some(ragged) = losses.iter().find(|row| row.len() != decisions) {
        return Err(Error::Shape {
            what: "losses of a class, one for each decision",
            expected: decisions,
            got: ragged.len(),
        });
    }
    LossMatrix::new(Mat::from_fn(classes, decisions, |y, z| losses[y][z]))
}

impl Reader {
    /// Numbers a row of scores has.
    pub(super) fn columns(&self) -> usize {
        self.labels.width() + usize::from(self.scale == Scale::Mass)
    }

    /// Scores on the scale of the labels' encoding.
    pub(super) fn scaled(&self, row: &[f64]) -> Vec<f64> {
        match &self.scale {
            Scale::Plain => row.to_vec(),
            Scale::Level { means } => row.iter().zip(means).map(|(s, m)| s + m).collect(),
            Scale::Mass => {
                let (mass, scores) = match row.split_last() {
                    Some((mass, scores)) if *mass > 0.0 => (*mass, scores),
                    Some((_, scores)) => return vec![0.0; scores.len()],
                    None => return Vec::new(),
                };
                scores.iter().map(|s| s / mass).collect()
            }
        }
    }

    /// Probabilities of classes; uniform where nothing reached.
    pub(super) fn probabilities(&self, row: &[f64], reached: bool) -> Vec<f64> {
        let classes = self.labels.classes().map_or(0, <[String]>::len);
        let uniform = || vec![1.0 / classes as f64; classes];
        if !reached {
            return uniform();
        }
        let plain = match &self.labels {
            Labels::Classes(_) => match &self.calibration {
                Some(found) => found.probabilities(row, reached),
                None => OneHot::new(classes).probabilities(row, self.reading, reached),
            },
            Labels::Structured(Structured::Ordinal { .. }) => {
                // P(y > k) → P(y = k)
                let above = self.scaled(row);
                let at = |k: usize| {
                    let low = if k == 0 { 1.0 } else { above[k - 1] };
                    let high = above.get(k).copied().unwrap_or(0.0);
                    low - high
                };
                simplex::project(&(0..classes).map(at).collect::<Vec<f64>>())
            }
            _ => simplex::project(&self.scaled(row)),
        };
        match &self.priors {
            Some(priors) => priors.apply(&plain),
            None => plain,
        }
    }

    /// What turns a row of scores into its class or decision; `None` where the labels are
    /// neither.
    pub(super) fn decider(&self) -> Decider<'_> {
        let read = |row: &[f64]| match &self.priors {
            Some(_) => self.probabilities(row, true),
            None => self.scaled(row),
        };
        match &self.labels {
            Labels::Structured(Structured::Ordinal { names }) => {
                let codec = Ordinal::new(names.len()).ok();
                Box::new(move |row| codec.as_ref().map(|c| c.decode(&self.scaled(row))))
            }
            Labels::Structured(Structured::Decisions { names, losses, .. }) => {
                let codec = loss_matrix(names.len(), losses).ok();
                Box::new(move |row| codec.as_ref().map(|c| c.decode(&read(row))))
            }
            labels => {
                let codec = labels.classes().map(|names| OneHot::new(names.len()));
                Box::new(move |row| codec.map(|c| c.decode(&read(row))))
            }
        }
    }

    /// Scores as labels.
    pub(super) fn decode(&self, scores: Scores) -> Answer {
        let Scores {
            values: scores,
            reached,
        } = scores;
        let row = |i: usize| -> Vec<f64> { scores.row(i).iter().copied().collect() };
        let n = reached.len();
        let decoded = match &self.labels {
            Labels::Values(codec) => {
                let value = |i: usize| reached[i].then(|| codec.decode(&row(i)));
                Decoded::Values((0..n).map(value).collect())
            }
            Labels::Structured(Structured::Numbers { offset, .. }) => {
                let value = |i: usize| {
                    let scaled = self.scaled(&row(i));
                    let sum = scaled.iter().zip(offset).map(|(s, o)| s + o);
                    reached[i].then(|| sum.collect())
                };
                Decoded::Numbers((0..n).into_par_iter().map(value).collect())
            }
            Labels::Structured(Structured::Flags { thresholds, .. }) => {
                let flags = |i: usize| {
                    let scaled = self.scaled(&row(i));
                    let pairs = scaled.iter().zip(thresholds);
                    reached[i].then(|| pairs.map(|(s, t)| s > t).collect())
                };
                Decoded::Flags((0..n).into_par_iter().map(flags).collect())
            }
            Labels::Structured(Structured::Orders { names }) => {
                let order = |i: usize| {
                    let codec = Ranking::new(names.len()).ok()?;
                    reached[i].then(|| codec.decode(&self.scaled(&row(i))))
                };
                Decoded::Orders((0..n).into_par_iter().map(order).collect())
            }
            _ => {
                let classes = self.labels.classes().map_or(0, <[String]>::len);
                let mut probabilities = Mat::zeros(n, classes);
                let tiles = probabilities.as_mut().par_row_chunks_mut(TILE).enumerate();
                tiles.for_each(|(tile, mut out)| {
                    for k in 0..out.nrows() {
                        let i = tile * TILE + k;
                        let shares = self.probabilities(&row(i), reached[i]);
                        for (j, p) in shares.into_iter().enumerate() {
                            out[(k, j)] = p;
                        }
                    }
                });
                let decide = self.decider();
                let label = |i: usize| reached[i].then(|| decide(&row(i))).flatten();
                Decoded::Classes {
                    labels: (0..n).into_par_iter().map(label).collect(),
                    probabilities,
                }
            }
        };
        Answer {
            scores,
            reached,
            decoded,
        }
    }
}
