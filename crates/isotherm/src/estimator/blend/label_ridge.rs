//! Ridge regression with a constant that is not penalised, between the labels:
//! `min Σ wᵢ‖yᵢ − fᵢ − b‖² + c‖f‖²`, with `A = G + cW⁻¹`.
//!
//! The minimum is `yᵀMy` up to the factor c, with `M = A⁻¹ − A⁻¹1 1ᵀA⁻¹/(1ᵀA⁻¹1)`: the
//! coefficients are `α = My`, the constant is `b = 1ᵀA⁻¹y/(1ᵀA⁻¹1)`, and the fit without label
//! i says `yᵢ − (My)ᵢ/Mᵢᵢ` of sample i.

use crate::error::Result;
use crate::estimator::ridge_path::RidgePath;
use crate::linalg::{Mat, MatRef};

/// Ridges tried, times the mean diagonal of the kernel between labels: half powers of ten.
const EXPONENTS: std::ops::RangeInclusive<i32> = -8..=4;

/// The ridge without labels to choose by, as an exponent of ten.
pub(super) const USUAL: f64 = -1.0;

/// What a distance of one power of ten from [`USUAL`] costs, in the loss of so many labels.
const RELUCTANCE: f64 = 0.5;

/// The kernel between labels, decomposed, for every ridge.
#[derive(Debug)]
pub(super) struct LabelRidge {
    path: RidgePath,
    /// The mean diagonal of the kernel.
    scale: f64,
}

/// One ridge.
#[derive(Debug, Clone)]
pub(super) struct Solved {
    /// c.
    pub(super) shift: f64,
    /// M.
    pub(super) penalty: Mat<f64>,
    /// `1ᵀA⁻¹/(1ᵀA⁻¹1)`: what each label says of the constant.
    pub(super) constant: Vec<f64>,
}

/// How the ridges are judged.
#[derive(Debug, Clone, Copy)]
pub(super) enum Loss<'a> {
    /// By the log loss of classes under the best of a few temperatures.
    Classes(&'a [usize]),
    /// By the squared error, in units of the labels' variance.
    Squares,
}

impl LabelRidge {
    pub(super) fn new(gram: MatRef<'_, f64>, weights: Option<&[f64]>) -> Result<Self> {
        let n = gram.nrows();
        let trace: f64 = (0..n).map(|i| gram[(i, i)].max(0.0)).sum();
        // Rounding leaves eigenvalues a little below zero.
        let path = RidgePath::weighted(gram, weights)?.clipped();
        let scale = trace / n.max(1) as f64;
        Ok(Self {
            path,
            scale: if scale > 0.0 { scale } else { 1.0 },
        })
    }

    /// The condition number of `W^½AW^½`.
    pub(super) fn condition(&self, shift: f64) -> f64 {
        self.path.condition(shift)
    }

    /// c of the ridge with the smallest leave-one-out loss; far from the usual one it has to
    /// be better by more. Labels that are not `judged` do not count.
    pub(super) fn choose(&self, labels: MatRef<'_, f64>, loss: Loss<'_>, judged: &[bool]) -> f64 {
        let n = labels.nrows();
        let mut best = (f64::INFINITY, USUAL);
        for half in EXPONENTS {
            let exponent = 0.5 * f64::from(half);
            let left = self.leave_one_out(self.shift(exponent), labels);
            let weight = |i: usize| if judged[i] { self.path.weight(i) } else { 0.0 };
            let found = match loss {
                Loss::Classes(truth) => log_loss(left.as_ref(), truth, weight),
                Loss::Squares => relative_error(left.as_ref(), labels, weight),
            };
            let cost = found + RELUCTANCE / n.max(1) as f64 * (exponent - USUAL).powi(2);
            if cost < best.0 {
                best = (cost, exponent);
            }
        }
        self.shift(best.1)
    }

    fn shift(&self, exponent: f64) -> f64 {
        10f64.powf(exponent) * self.scale
    }

    /// `yᵢ − (My)ᵢ/Mᵢᵢ`. O(n²) for each column.
    fn leave_one_out(&self, shift: f64, labels: MatRef<'_, f64>) -> Mat<f64> {
        let (n, width) = (labels.nrows(), labels.ncols());
        let wide = Mat::from_fn(
            n,
            width + 1,
            |i, j| {
                if j < width { labels[(i, j)] } else { 1.0 }
            },
        );
        let solved = self.path.coefficients(shift, wide.as_ref());
        let diagonal = self.path.inverse_diagonal(shift);
        let ones: f64 = solved.col(width).iter().sum();
        let constant: Vec<f64> = (0..width)
            .map(|j| solved.col(j).iter().sum::<f64>() / ones)
            .collect();
        Mat::from_fn(n, width, |i, j| {
            let one = solved[(i, width)];
            let own = diagonal[i] - one * one / ones;
            let alpha = solved[(i, j)] - constant[j] * one;
            if own > f64::EPSILON * diagonal[i] {
                labels[(i, j)] - alpha / own
            } else {
                0.0
            }
        })
    }

    /// M and what each label says of the constant, at c. O(n³).
    pub(super) fn at(&self, shift: f64) -> Solved {
        let n = self.path.eigenvalues().len();
        let inverse = self
            .path
            .coefficients(shift, Mat::<f64>::identity(n, n).as_ref());
        let rows: Vec<f64> = (0..n).map(|i| inverse.row(i).iter().sum()).collect();
        let ones: f64 = rows.iter().sum();
        Solved {
            shift,
            penalty: Mat::from_fn(n, n, |i, j| {
                0.5 * (inverse[(i, j)] + inverse[(j, i)]) - rows[i] * rows[j] / ones
            }),
            constant: rows.iter().map(|r| r / ones).collect(),
        }
    }
}

/// The mean log loss under the best of a few temperatures.
fn log_loss(scores: MatRef<'_, f64>, truth: &[usize], weight: impl Fn(usize) -> f64 + Copy) -> f64 {
    let losses = log_losses(scores, truth, weight);
    mean(&losses, weight)
}

/// The log loss of each label under the temperature, of a few, with the smallest mean: scores
/// of one-hot labels are between 0 and 1 and say little of probabilities by themselves.
pub(super) fn log_losses(
    scores: MatRef<'_, f64>,
    truth: &[usize],
    weight: impl Fn(usize) -> f64 + Copy,
) -> Vec<f64> {
    let at = |slope: f64| -> Vec<f64> {
        let one = |(i, &class): (usize, &usize)| {
            let row = scores.row(i);
            let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = row.iter().map(|s| (slope * (s - top)).exp()).sum();
            total.ln() - slope * (row[class] - top)
        };
        truth.iter().enumerate().map(one).collect()
    };
    let tried = [1.0, 2.0, 4.0, 8.0, 16.0].map(at);
    let best = tried
        .into_iter()
        .min_by(|a, b| mean(a, weight).total_cmp(&mean(b, weight)));
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
