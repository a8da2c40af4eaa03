//! What turns scores into labels and probabilities.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::answer::Answer;
use super::labels::Labels;
use super::scale::Scale;
use crate::error::{Error, Refusal, Result};
use crate::expansion::Scores;
use crate::linalg::Mat;
use crate::recipe::{Method, Recipe};
use crate::task::one_hot::Reading;
use crate::task::{Observed, Priors};
use crate::trust::Calibration;

/// Rows decoded in one tile.
const TILE: usize = 4096;

/// The labels of a fit, and everything that turns its scores into labels again.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Labelling {
    pub(crate) labels: Labels,
    pub(crate) scale: Scale,
    pub(crate) reading: Reading,
    pub(crate) calibration: Option<Calibration>,
    pub(crate) priors: Option<Priors>,
}

impl Labelling {
    /// How a recipe's scores for these labels are read.
    ///
    /// # Errors
    /// [`Error::Refused`] for class shares that do not fit the classes.
    pub(crate) fn new(recipe: &Recipe, labels: Labels, seen: &Observed) -> Result<Self> {
        let priors = match (&recipe.priors, labels.classes()) {
            (Some(shares), Some(names)) => {
                Some(priors(shares, names, seen)?).filter(|found| !found.is_neutral())
            }
            _ => None,
        };
        let scale = if labels.needs_scale() {
            Scale::of(&recipe.method, seen)
        } else {
            Scale::Plain
        };
        Ok(Self {
            labels,
            scale,
            reading: Self::reading(&recipe.method),
            calibration: None,
            priors,
        })
    }

    /// What a method's class scores mean.
    pub(crate) fn reading(method: &Method) -> Reading {
        match method {
            Method::KernelRidge(_) | Method::Stkr(_) | Method::Laplacian(_) | Method::Blend(_) => {
                Reading::Estimates
            }
            Method::LabelPropagation(_) | Method::Harmonic(_) => Reading::Shares,
        }
    }

    /// Numbers in a row of scores.
    pub(crate) fn columns(&self) -> usize {
        self.labels.width() + usize::from(self.scale == Scale::Mass)
    }

    /// Whether leave-one-out predicts encoded labels rather than scores: for numbers, and where
    /// scores are deviations from a mean.
    pub(crate) fn predicts_values(&self) -> bool {
        let level = matches!(self.scale, Scale::Level { .. }) && !self.labels.are_classes();
        level || !self.labels.offset().is_empty()
    }

    /// Class probabilities; uniform where no label reaches.
    pub(crate) fn probabilities(&self, row: &[f64], reached: bool) -> Vec<f64> {
        let classes = self.labels.classes().map_or(0, <[String]>::len);
        if !reached {
            return vec![1.0 / classes as f64; classes];
        }
        let plain = match &self.calibration {
            Some(found) if self.labels.are_classes() => {
                found.probabilities(&self.scale.apply(row), reached)
            }
            _ => self
                .labels
                .probabilities(&self.scale.apply(row), self.reading),
        };
        match &self.priors {
            Some(priors) => priors.apply(&plain),
            None => plain,
        }
    }

    /// What a row of scores is decided by: its probabilities where class shares are known,
    /// otherwise its scores on the scale of the encoding.
    fn decided_by(&self, row: &[f64]) -> Vec<f64> {
        if self.priors.is_some() {
            self.probabilities(row, true)
        } else {
            self.scale.apply(row)
        }
    }

    /// The class or decision of a row of scores; `None` where labels are neither.
    pub(crate) fn decide(&self, row: &[f64]) -> Option<u32> {
        self.labels.decide(&self.decided_by(row))
    }

    /// Scores as labels.
    pub(crate) fn decode(&self, scores: Scores) -> Answer {
        let Scores {
            values: scores,
            reached,
        } = scores;
        let raw = |i: usize| -> Vec<f64> { scores.row(i).iter().copied().collect() };
        let samples = reached.len();
        let row = |i: usize| reached[i].then(|| self.decided_by(&raw(i)));
        let labels = self.labels.decode(samples, &row);
        let probabilities = self.labels.classes().map(|names| {
            let mut out = Mat::zeros(samples, names.len());
            let tiles = out.as_mut().par_row_chunks_mut(TILE).enumerate();
            tiles.for_each(|(tile, mut out)| {
                for k in 0..out.nrows() {
                    let i = tile * TILE + k;
                    let shares = self.probabilities(&raw(i), reached[i]);
                    for (j, p) in shares.into_iter().enumerate() {
                        out[(k, j)] = p;
                    }
                }
            });
            out
        });
        // So the largest score is that of the class.
        let scores = match &self.scale {
            Scale::Level { means } if self.labels.are_classes() => {
                let own =
                    |i: usize, j: usize| scores[(i, j)] + if reached[i] { means[j] } else { 0.0 };
                Mat::from_fn(samples, means.len(), own)
            }
            _ => scores,
        };
        Answer {
            scores,
            reached,
            labels,
            probabilities,
        }
    }
}

/// Class shares among all rows beside those among the labels.
fn priors(shares: &BTreeMap<String, f64>, names: &[String], seen: &Observed) -> Result<Priors> {
    if let Some(unknown) = shares.keys().find(|name| !names.contains(name)) {
        return Err(Error::refused(
            Refusal::ClassShares,
            format!("class \"{unknown}\" has a share but no label"),
            format!(
                "label a row of it, or leave it out; there are {}",
                names.join(", ")
            ),
        ));
    }
    let share = |name: &String| {
        shares.get(name).copied().ok_or_else(|| {
            Error::refused(
                Refusal::ClassShares,
                format!("class \"{name}\" has labels but no share"),
                "give every class its share",
            )
        })
    };
    let shares: Vec<f64> = names.iter().map(share).collect::<Result<_>>()?;
    Priors::new(&shares, &class_counts(seen))
}

/// The labels of each class, or their summed weights.
pub(crate) fn class_counts(seen: &Observed) -> Vec<f64> {
    let count = |c: usize| {
        let column = seen.values().col(c).iter().enumerate();
        let weight = |k: usize| seen.weights().map_or(1.0, |w| w[k]);
        column.map(|(k, v)| v * weight(k)).sum::<f64>()
    };
    (0..seen.width()).map(count).collect()
}
