//! Class shares that the user knows: `p(c|x) ∝ p̂(c|x)·π_c/π̂_c`.
//!
//! Bayes' rule under label shift: the labelled rows have the shares π̂, rows to come
//! have π, and within a class both look alike. Labels chosen class by class ("twenty
//! of each") are the usual case.

use crate::error::{Error, Refusal, Result};

/// How far the shares' sum may be from one.
const ROUNDING: f64 = 1e-6;

/// The ratio π_c/π̂_c of each class.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Priors {
    /// π_c/π̂_c, divided by the largest of them.
    ratio: Vec<f64>,
}

impl Priors {
    /// `shares` of the classes among all rows, and the labelled rows (or their summed
    /// weights) of each class.
    ///
    /// # Errors
    /// [`Error::Shape`] when the two differ in length; [`Error::Parameter`] when a
    /// share is not positive or they do not sum to one; [`Error::Refused`] naming a
    /// class that has no label: its probability would be 0 whatever its share.
    pub(crate) fn new(shares: &[f64], labelled: &[f64]) -> Result<Self> {
        if shares.len() != labelled.len() {
            return Err(Error::Shape {
                what: "class shares, one for each class",
                expected: labelled.len(),
                got: shares.len(),
            });
        }
        if shares.is_empty() || shares.iter().any(|s| !(*s > 0.0 && s.is_finite())) {
            return Err(Error::parameter(
                "class shares",
                "positive numbers that sum to 1",
                shares,
            ));
        }
        let sum: f64 = shares.iter().sum();
        if (sum - 1.0).abs() > ROUNDING {
            return Err(
                Error::parameter("class shares", "positive numbers that sum to 1", sum)
                    .with_hint("divide them by their sum"),
            );
        }
        for (class, count) in labelled.iter().enumerate() {
            if !(*count > 0.0 && count.is_finite()) {
                return Err(Error::refused(
                    Refusal::ClassShares,
                    format!(
                        "class {class} has a share of {} but {count} labels",
                        shares[class]
                    ),
                    "label a row of it, or leave it out of the shares",
                ));
            }
        }
        let total: f64 = labelled.iter().sum();
        let mut ratio: Vec<f64> = (shares.iter().zip(labelled))
            .map(|(s, c)| s / (c / total))
            .collect();
        let top = ratio.iter().copied().fold(0.0, f64::max);
        ratio.iter_mut().for_each(|r| *r /= top);
        Ok(Self { ratio })
    }

    /// Whether the known shares are those of the labels, up to rounding: nothing is moved.
    pub(crate) fn is_neutral(&self) -> bool {
        self.ratio.iter().all(|r| *r >= 1.0 - ROUNDING)
    }

    /// How many classes it is for.
    pub(crate) fn classes(&self) -> usize {
        self.ratio.len()
    }

    /// Whether its numbers, perhaps from a file, can be used.
    pub(crate) fn is_sound(&self) -> bool {
        self.ratio.iter().all(|r| *r > 0.0 && r.is_finite())
    }

    /// Probabilities under the known shares; finite and summing to one. A row without
    /// any probability (all zero) gets uniform ones.
    pub(crate) fn apply(&self, probabilities: &[f64]) -> Vec<f64> {
        let mut out: Vec<f64> = (probabilities.iter().zip(&self.ratio))
            .map(|(p, r)| if p.is_finite() { p.max(0.0) * r } else { 0.0 })
            .collect();
        // Divided by the largest first: the sum can neither overflow nor vanish.
        let top = out.iter().copied().fold(0.0, f64::max);
        if top <= 0.0 {
            return vec![1.0 / out.len() as f64; out.len()];
        }
        out.iter_mut().for_each(|p| *p /= top);
        let sum: f64 = out.iter().sum();
        out.iter_mut().for_each(|p| *p /= sum);
        out
    }
}
