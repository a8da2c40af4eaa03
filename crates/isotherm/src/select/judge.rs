//! How a fit is judged: on which labels, by which measure.

use crate::estimator::{Centring, EvaluationPoints};
use crate::linalg::Mat;
use crate::task::{Codec, Observed, OneHot};

/// The labels a fit is judged on.
#[derive(Debug)]
pub enum Judge<'a, Q: ?Sized> {
    /// Each training label, predicted without itself: no other label is needed.
    LeaveOneOut {
        /// The measure.
        metric: Metric,
    },
    /// As [`Judge::LeaveOneOut`], with a choice by a proper score, which does not tie where few
    /// labels are right in many cells: the log loss of classes under one temperature, the
    /// squared error of numbers. Far from the usual parameters a cell has to be better by more.
    Proper {
        /// The measure that cells show.
        metric: Metric,
    },
    /// Labels that were kept back.
    Validation {
        /// The samples.
        points: EvaluationPoints<'a, Q>,
        /// Their encoded labels, one row each.
        values: &'a Mat<f64>,
        /// The measure.
        metric: Metric,
    },
}

/// The measure; larger is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// The share of samples whose largest score is their class; ties go to the
    /// first class.
    #[default]
    Accuracy,
    /// Minus the mean squared error, summed over columns.
    SquaredError,
}

impl Metric {
    /// Of scores against encoded labels, and its standard error; `mean` is what centring
    /// took off a column.
    ///
    /// The error of a share counts two more rows that are right and two that are wrong (Agresti
    /// and Coull): rows that are all right are not without doubt. It is one row at least: two fits
    /// that differ in one row are told apart by a coin.
    pub(super) fn at(
        self,
        scores: &Mat<f64>,
        values: &Mat<f64>,
        mean: impl Fn(usize) -> f64,
    ) -> (f64, f64) {
        let (rows, cols) = (scores.nrows(), scores.ncols());
        if rows == 0 {
            return (f64::NAN, f64::NAN);
        }
        let n = rows as f64;
        match self {
            Self::Accuracy => {
                let codec = OneHot::new(cols);
                let class = |m: &Mat<f64>, i: usize| {
                    let row: Vec<f64> = m.row(i).iter().copied().collect();
                    codec.decode(&row)
                };
                let right = (0..rows).filter(|&i| class(scores, i) == class(values, i));
                let right = right.count() as f64;
                let (share, of) = ((right + 2.0) / (n + 4.0), n + 4.0);
                (right / n, (share * (1.0 - share) / of).sqrt().max(1.0 / n))
            }
            Self::SquaredError => {
                let mut losses = vec![0.0; rows];
                for j in 0..cols {
                    let mean = mean(j);
                    for (i, loss) in losses.iter_mut().enumerate() {
                        *loss += (scores[(i, j)] + mean - values[(i, j)]).powi(2);
                    }
                }
                let mean = losses.iter().sum::<f64>() / n;
                let square: f64 = losses.iter().map(|l| (l - mean).powi(2)).sum();
                (-mean, (square / (n - 1.0).max(1.0) / n).sqrt())
            }
        }
    }

    /// Of leave-one-out scores, which are deviations from the other labels' weighted mean
    /// where labels are centred. Every label counts once, whatever its weight in the fit.
    pub(super) fn leave_one_out(
        self,
        left: &Mat<f64>,
        seen: &Observed,
        centring: Centring,
    ) -> (f64, f64) {
        let labels = seen.values();
        let weight = |i: usize| seen.weights().map_or(1.0, |w| w[i]);
        let total: f64 = (0..labels.nrows()).map(weight).sum();
        let whole = Mat::from_fn(left.nrows(), left.ncols(), |i, j| match (self, centring) {
            (Self::SquaredError, Centring::Mean) if labels.nrows() > 1 => {
                let sum: f64 = (0..labels.nrows())
                    .map(|k| weight(k) * labels[(k, j)])
                    .sum();
                left[(i, j)] + (sum - weight(i) * labels[(i, j)]) / (total - weight(i))
            }
            _ => left[(i, j)],
        });
        self.at(&whole, labels, |_| 0.0)
    }
}
