//! Every member's ridge and weight for one set of labels.

use super::label_ridge::{LabelRidge, Solved};
use super::stack::{Pull, Stack};
use crate::error::Result;
use crate::estimator::Smoother;
use crate::estimator::ridge_choice::{Loss, SLOPES, log_losses, one_hot};
use crate::linalg::gemm::times;
use crate::linalg::{Mat, MatRef};
use crate::task::Observed;

/// The part of the classes' shares among the labels that is taken off the scores: frequent
/// classes would win too often otherwise. Chosen on the deciding half of the bank in
/// `experiments/defaults`: macro-F1 rose by 0.3 points, accuracy stayed.
const TAKEN_OFF: f64 = 0.25;

/// The members at their ridges, and their weights.
#[derive(Debug)]
pub(super) struct Tuned {
    /// The labels it is for.
    pub(super) seen: Observed,
    /// One member each.
    pub(super) members: Vec<Solved>,
    /// The members as linear methods.
    pub(super) smoothers: Vec<Smoother>,
    /// Leave-one-out predictions of the labels, one matrix per member.
    pub(super) left: Vec<Mat<f64>>,
    /// The weights.
    pub(super) weights: Vec<f64>,
    /// The weights fitted without each label, one row per label.
    pub(super) without: Vec<Vec<f64>>,
    /// The largest condition number of a member.
    pub(super) condition: f64,
    /// The part of the labels' mean that is taken off the scores: of classes only.
    taken_off: f64,
}

impl Tuned {
    /// Chooses ridges and weights from the kernels between labels. O(Kn³).
    pub(super) fn new(grams: &[Mat<f64>], seen: &Observed, pull: &Pull) -> Result<Self> {
        let labels = seen.values().as_ref();
        let classes = one_hot(labels);
        let loss = match &classes {
            Some(truth) => Loss::Classes(truth),
            None => Loss::Squares,
        };
        let judged = judged(labels);
        let mut members = Vec::with_capacity(grams.len());
        let mut smoothers = Vec::with_capacity(grams.len());
        let mut left = Vec::with_capacity(grams.len());
        let mut condition = 1.0_f64;
        for gram in grams {
            let ridge = LabelRidge::new(gram.as_ref(), seen.weights())?;
            let shift = ridge.choose(labels, loss, &judged);
            condition = condition.max(ridge.condition(shift));
            let solved = ridge.at(shift);
            let smoother =
                Smoother::least_squares(hat(&solved, seen), solved.penalty.clone(), seen);
            left.push(smoother.left_out(labels));
            smoothers.push(smoother);
            members.push(solved);
        }
        let stack = stack(&left, seen, pull);
        Ok(Self {
            seen: seen.clone(),
            weights: stack.weights(),
            without: stack.weights_without_each(),
            members,
            smoothers,
            left,
            condition,
            taken_off: if classes.is_some() { TAKEN_OFF } else { 0.0 },
        })
    }

    /// Whether it is for these labels.
    pub(super) fn is_for(&self, seen: &Observed) -> bool {
        self.seen.index() == seen.index()
            && self.seen.weights() == seen.weights()
            && self.seen.values() == seen.values()
    }

    /// How much of the labels' mean is added to members of these weights.
    pub(super) fn rest(&self, weights: &[f64]) -> f64 {
        1.0 - weights.iter().sum::<f64>() - self.taken_off
    }

    /// The part of the labels' mean that is taken off the scores.
    pub(super) fn taken_off(&self) -> f64 {
        self.taken_off
    }

    /// Each member's part of the weights.
    pub(super) fn shares(&self) -> Vec<f64> {
        let total: f64 = self.weights.iter().sum();
        let share = |w: &f64| if total > 0.0 { w / total } else { 0.0 };
        self.weights.iter().map(share).collect()
    }

    /// The mean of one column of label values, by the labels' weights.
    pub(super) fn mean_of(&self, labels: &Mat<f64>, column: usize) -> f64 {
        let n = labels.nrows();
        let total: f64 = (0..n).map(|i| self.weight(i)).sum();
        let sum: f64 = (0..n).map(|i| self.weight(i) * labels[(i, column)]).sum();
        sum / total
    }

    /// What label i counts.
    pub(super) fn weight(&self, i: usize) -> f64 {
        self.seen.weights().map_or(1.0, |w| w[i])
    }

    /// A member's coefficients and constant for these values of the labels: `My` and
    /// `1ᵀA⁻¹y/(1ᵀA⁻¹1)`.
    pub(super) fn coefficients(&self, member: usize, labels: &Mat<f64>) -> (Mat<f64>, Vec<f64>) {
        let solved = &self.members[member];
        let alpha = times(solved.penalty.as_ref(), labels.as_ref());
        let constant = (0..labels.ncols())
            .map(|j| {
                let pairs = solved.constant.iter().zip(labels.col(j).iter());
                pairs.map(|(a, y)| a * y).sum()
            })
            .collect();
        (alpha, constant)
    }

    /// What the fit says of other samples, from the kernels to the labels.
    pub(super) fn scores(&self, cross: &[Mat<f64>]) -> Mat<f64> {
        let labels = self.seen.values();
        let rows = cross.first().map_or(0, Mat::nrows);
        let means: Vec<f64> = (0..labels.ncols())
            .map(|j| self.mean_of(labels, j))
            .collect();
        let mut out = Mat::from_fn(rows, means.len(), |_, j| {
            self.rest(&self.weights) * means[j]
        });
        for (k, cross) in cross.iter().enumerate() {
            let (alpha, constant) = self.coefficients(k, labels);
            let image = times(cross.as_ref(), alpha.as_ref());
            for (j, constant) in constant.iter().enumerate() {
                for i in 0..rows {
                    out[(i, j)] += self.weights[k] * (image[(i, j)] + constant);
                }
            }
        }
        out
    }
}

/// `I − cW⁻¹M`.
fn hat(solved: &Solved, seen: &Observed) -> Mat<f64> {
    let n = solved.penalty.nrows();
    Mat::from_fn(n, n, |i, j| {
        let weight = seen.weights().map_or(1.0, |w| w[i]);
        let own = if i == j { 1.0 } else { 0.0 };
        own - solved.shift / weight * solved.penalty[(i, j)]
    })
}

/// The stacking problem of leave-one-out predictions, as deviations from the mean of the
/// other labels.
pub(super) fn stack(left: &[Mat<f64>], seen: &Observed, pull: &Pull) -> Stack {
    let labels = seen.values();
    let (n, width) = (labels.nrows(), labels.ncols());
    let weight = |i: usize| seen.weights().map_or(1.0, |w| w[i]);
    let total: f64 = (0..n).map(weight).sum();
    let sums: Vec<f64> = (0..width)
        .map(|j| (0..n).map(|i| weight(i) * labels[(i, j)]).sum())
        .collect();
    let mean = |i: usize, j: usize| {
        let others = total - weight(i);
        if others > 0.0 {
            (sums[j] - weight(i) * labels[(i, j)]) / others
        } else {
            0.0
        }
    };
    let about = |m: &Mat<f64>| Mat::from_fn(n, width, |i, j| m[(i, j)] - mean(i, j));
    let predictions: Vec<Mat<f64>> = left.iter().map(about).collect();
    let judged = judged(labels.as_ref());
    let counts = |i: usize| if judged[i] { weight(i) } else { 0.0 };
    let losses = losses(left, labels.as_ref(), counts);
    let loss = |k: usize, i: usize| losses[k][i];
    let targets = about(labels);
    Stack::new(&predictions, targets.as_ref(), loss, counts, pull.clone())
}

/// The log loss of each member on each label: of classes at the member's best temperature, of
/// numbers as normal errors with the variance of the best member.
fn losses(
    left: &[Mat<f64>],
    labels: MatRef<'_, f64>,
    weight: impl Fn(usize) -> f64 + Copy,
) -> Vec<Vec<f64>> {
    let n = labels.nrows();
    if let Some(truth) = one_hot(labels) {
        let of = |member: &Mat<f64>| log_losses(member.as_ref(), &truth, &SLOPES, weight);
        return left.iter().map(of).collect();
    }
    let square = |member: &Mat<f64>, i: usize| -> f64 {
        let pairs = member.row(i).iter().zip(labels.row(i).iter());
        pairs.map(|(p, y)| (p - y).powi(2)).sum()
    };
    let total: f64 = (0..n).map(weight).sum();
    let mean = |member: &Mat<f64>| {
        let sum: f64 = (0..n).map(|i| weight(i) * square(member, i)).sum();
        sum / total
    };
    let least = left.iter().map(mean).fold(f64::INFINITY, f64::min);
    // Labels that a member predicts exactly, such as equal ones, are no evidence.
    let unit = if least > f64::MIN_POSITIVE {
        least
    } else {
        f64::INFINITY
    };
    let of = |member: &Mat<f64>| (0..n).map(|i| square(member, i) / (2.0 * unit)).collect();
    left.iter().map(of).collect()
}

/// Which labels can be judged by the others: not the only one of its class, which every fit
/// without it gets wrong.
fn judged(labels: MatRef<'_, f64>) -> Vec<bool> {
    let Some(classes) = one_hot(labels) else {
        return vec![true; labels.nrows()];
    };
    let mut count = vec![0_usize; labels.ncols()];
    classes.iter().for_each(|&c| count[c] += 1);
    classes.iter().map(|&c| count[c] > 1).collect()
}
