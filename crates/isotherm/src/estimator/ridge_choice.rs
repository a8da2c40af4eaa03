//! Which ridge, or which cell of a grid: the one with the least leave-one-out loss, where
//! being far from the usual one has to be paid for.

use crate::linalg::{Mat, MatRef};

/// What a distance of one power of ten from the usual costs, in the loss of so many labels.
const RELUCTANCE: f64 = 0.5;

/// Slopes of scores of one-hot labels, which are between 0 and 1.
pub(crate) const SLOPES: [f64; 5] = [1.0, 2.0, 4.0, 8.0, 16.0];

/// Slopes of scores in units of their own spread.
const SPREAD_SLOPES: [f64; 7] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

/// How leave-one-out predictions are judged.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Loss<'a> {
    /// By the log loss of classes under the best of a few temperatures.
    Classes(&'a [usize]),
    /// By the same, with temperatures in units of the scores' spread: for scores whose size
    /// means nothing, as where a ridge shrinks them.
    ClassesBySpread(&'a [usize]),
    /// By the squared error, in units of the labels' variance.
    Squares,
    /// By half its logarithm, the log loss of numbers under the best noise variance.
    LogSquares,
}

impl Loss<'_> {
    /// The loss per label of predictions of the labels, weighted.
    pub(crate) fn of(
        self,
        left: MatRef<'_, f64>,
        labels: MatRef<'_, f64>,
        weight: impl Fn(usize) -> f64,
    ) -> f64 {
        match self {
            Self::Classes(truth) => log_loss(left, truth, &SLOPES, weight),
            Self::ClassesBySpread(truth) => {
                let spread = spread(left, &weight);
                let slopes = SPREAD_SLOPES.map(|s| if spread > 0.0 { s / spread } else { 0.0 });
                log_loss(left, truth, &slopes, weight)
            }
            Self::Squares => relative_error(left, labels, weight),
            Self::LogSquares => {
                let error = relative_error(left, labels, weight);
                0.5 * error.max(f64::MIN_POSITIVE).ln()
            }
        }
    }
}

/// What a distance from the usual, in powers of ten, adds to the loss per label of n labels.
pub(crate) fn reluctance(distance: f64, n: usize) -> f64 {
    RELUCTANCE / n.max(1) as f64 * distance.powi(2)
}

/// The candidate with the least cost, and that cost: its loss and what its distance from the
/// usual adds. The first of equals; `None` where no candidate has a finite cost.
pub(crate) fn least<C>(
    candidates: impl IntoIterator<Item = C>,
    n: usize,
    mut judged: impl FnMut(&C) -> Option<(f64, f64)>,
) -> Option<(C, f64)> {
    let mut best: Option<(C, f64)> = None;
    for candidate in candidates {
        let Some((loss, distance)) = judged(&candidate) else {
            continue;
        };
        let cost = loss + reluctance(distance, n);
        if cost.is_finite() && best.as_ref().is_none_or(|(_, least)| cost < *least) {
            best = Some((candidate, cost));
        }
    }
    best
}

/// The class of each label, where every label is one of several classes.
pub(crate) fn one_hot(labels: MatRef<'_, f64>) -> Option<Vec<usize>> {
    let class = |i: usize| {
        let row = labels.row(i);
        let ones = row.iter().filter(|v| **v == 1.0).count();
        let zeros = row.iter().filter(|v| **v == 0.0).count();
        let whole = ones == 1 && ones + zeros == labels.ncols();
        row.iter().position(|v| *v == 1.0).filter(|_| whole)
    };
    if labels.ncols() < 2 {
        return None;
    }
    (0..labels.nrows()).map(class).collect()
}

/// The root mean square of what the largest score of a row has more than the smallest.
fn spread(scores: MatRef<'_, f64>, weight: &impl Fn(usize) -> f64) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for i in 0..scores.nrows() {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let row = scores.row(i);
        let (low, high) = (row.iter()).fold(ends, |(l, h), v| (l.min(*v), h.max(*v)));
        sum += weight(i) * (high - low).powi(2);
        total += weight(i);
    }
    (sum / total).sqrt()
}

/// The mean log loss under the best of a few temperatures.
fn log_loss(
    scores: MatRef<'_, f64>,
    truth: &[usize],
    slopes: &[f64],
    weight: impl Fn(usize) -> f64,
) -> f64 {
    mean(&log_losses(scores, truth, slopes, &weight), &weight)
}

/// The log loss of each label under the temperature, of a few, with the smallest mean: scores
/// say little of probabilities by themselves.
pub(crate) fn log_losses(
    scores: MatRef<'_, f64>,
    truth: &[usize],
    slopes: &[f64],
    weight: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let at = |slope: &f64| -> Vec<f64> {
        let one = |(i, &class): (usize, &usize)| {
            let row = scores.row(i);
            let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = row.iter().map(|s| (slope * (s - top)).exp()).sum();
            total.ln() - slope * (row[class] - top)
        };
        truth.iter().enumerate().map(one).collect()
    };
    let tried = slopes.iter().map(at);
    let best = tried.min_by(|a, b| mean(a, &weight).total_cmp(&mean(b, &weight)));
    best.unwrap_or_default()
}

fn mean(losses: &[f64], weight: impl Fn(usize) -> f64) -> f64 {
    let sum: f64 = losses.iter().enumerate().map(|(i, l)| weight(i) * l).sum();
    sum / losses.len().max(1) as f64
}

/// The squared error over the variance of the labels.
fn relative_error(
    scores: MatRef<'_, f64>,
    labels: MatRef<'_, f64>,
    weight: impl Fn(usize) -> f64,
) -> f64 {
    let (mut error, mut spread) = (0.0, 0.0);
    let n = labels.nrows();
    for j in 0..labels.ncols() {
        let mean = labels.col(j).iter().sum::<f64>() / n.max(1) as f64;
        for i in 0..n {
            error += weight(i) * (labels[(i, j)] - scores[(i, j)]).powi(2);
            spread += weight(i) * (labels[(i, j)] - mean).powi(2);
        }
    }
    if spread > 0.0 { error / spread } else { error }
}

/// Predictions with the mean of the other labels put back, from deviations.
pub(crate) fn with_means(deviations: &Mat<f64>, means: &[Vec<f64>]) -> Mat<f64> {
    Mat::from_fn(deviations.nrows(), deviations.ncols(), |i, j| {
        deviations[(i, j)] + means[j][i]
    })
}
