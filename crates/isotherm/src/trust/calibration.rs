//! Scores → probabilities: `p(c|x) ∝ exp(a·f_c(x)/σ)`, with a fitted to leave-one-out
//! scores.
//!
//! The likelihood of one slope is concave, so its maximum is found by bisection. Labels
//! that are all right without being seen would want a = ∞; as after Laplace's rule, each
//! counts as right with probability (n + 1)/(n + 2) only, so no probability is ever 1.

use crate::error::{Error, Refusal, Result};
use crate::linalg::MatRef;

/// Labels below which a slope says little.
pub(crate) const FEWEST: usize = 10;

/// A fitted slope.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Calibration {
    /// a/σ, at least 0.
    slope: f64,
    /// Labels it was fitted to.
    labels: usize,
}

impl Calibration {
    /// Fits the slope to scores of rows with a label, each scored without its own; one
    /// row a label.
    ///
    /// # Errors
    /// [`Error::Refused`] with fewer than 10 labels, or scores that are all equal;
    /// [`Error::Shape`]; [`Error::NotFinite`].
    pub(crate) fn learn(left: MatRef<'_, f64>, truth: &[u32]) -> Result<Self> {
        let (n, classes) = (left.nrows(), left.ncols());
        if truth.len() != n {
            return Err(Error::Shape {
                what: "classes, one for each row of scores",
                expected: n,
                got: truth.len(),
            });
        }
        if n < FEWEST {
            return Err(Error::refused(
                Refusal::TooFewLabels,
                format!("{n} labels are too few to calibrate probabilities"),
                format!("label at least {FEWEST} rows, two of each class"),
            ));
        }
        let row = |i: usize| -> Vec<f64> { left.row(i).iter().copied().collect() };
        let spreads: Vec<Vec<f64>> = (0..n).map(|i| deviations(&row(i))).collect();
        let square: f64 = spreads.iter().flatten().map(|d| d * d).sum();
        let sigma = (square / (n * classes) as f64).sqrt();
        if !sigma.is_finite() {
            return Err(Error::NotFinite {
                phase: "calibrating probabilities",
                hint: "the scores overflow; rescale the data".to_owned(),
            });
        }
        if sigma <= 0.0 {
            return Err(Error::refused(
                Refusal::TooFewLabels,
                "the scores without a label are all equal: they tell no class apart",
                "label more rows of each class",
            ));
        }
        let sure = (n + 1) as f64 / (n + 2) as f64;
        let rest = (1.0 - sure) / (classes.max(2) - 1) as f64;
        // d/da of the log likelihood: Σᵢ E_target[s] − E_p[s], falling in a.
        let slope_at = |a: f64| -> f64 {
            let mut sum = 0.0;
            for (i, spread) in spreads.iter().enumerate() {
                let p = softmax(spread, a / sigma);
                for (c, d) in spread.iter().enumerate() {
                    let target = if truth[i] as usize == c { sure } else { rest };
                    sum += (target - p[c]) * d / sigma;
                }
            }
            sum
        };
        let (mut low, mut high) = (0.0, 1.0);
        if slope_at(0.0) <= 0.0 {
            // The scores point the wrong way: they say nothing.
            high = 0.0;
        } else {
            while slope_at(high) > 0.0 && high < 1e6 {
                low = high;
                high *= 2.0;
            }
        }
        for _ in 0..60 {
            let a = 0.5 * (low + high);
            if slope_at(a) > 0.0 { low = a } else { high = a }
        }
        Ok(Self {
            slope: 0.5 * (low + high) / sigma,
            labels: n,
        })
    }

    /// Labels it was fitted to.
    pub(crate) fn labels(&self) -> usize {
        self.labels
    }

    /// Whether its numbers can be used.
    pub(crate) fn is_sound(&self) -> bool {
        self.slope >= 0.0 && self.slope.is_finite()
    }

    /// Finite and summing to one for any scores; uniform for a row that was not reached.
    pub(crate) fn probabilities(&self, scores: &[f64], reached: bool) -> Vec<f64> {
        if !reached || scores.iter().any(|s| !s.is_finite()) {
            return vec![1.0 / scores.len() as f64; scores.len()];
        }
        softmax(scores, self.slope)
    }
}

fn deviations(row: &[f64]) -> Vec<f64> {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    row.iter().map(|v| v - mean).collect()
}

fn softmax(scores: &[f64], slope: f64) -> Vec<f64> {
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // A gap that overflows is a very large one: slope 0 times it is still 0.
    let gap = |s: &f64| (s - top).max(f64::MIN);
    let raised: Vec<f64> = scores.iter().map(|s| (slope * gap(s)).exp()).collect();
    let sum: f64 = raised.iter().sum();
    raised.into_iter().map(|v| v / sum).collect()
}
