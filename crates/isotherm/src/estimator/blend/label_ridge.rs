//! Ridge regression with a constant that is not penalised, between the labels:
//! `min Σ wᵢ‖yᵢ − fᵢ − b‖² + c‖f‖²`, with `A = G + cW⁻¹`.
//!
//! The minimum is `yᵀMy` up to the factor c, with `M = A⁻¹ − A⁻¹1 1ᵀA⁻¹/(1ᵀA⁻¹1)`: the
//! coefficients are `α = My`, the constant is `b = 1ᵀA⁻¹y/(1ᵀA⁻¹1)`, and the fit without label
//! i says `yᵢ − (My)ᵢ/Mᵢᵢ` of sample i.

use crate::error::Result;
use crate::estimator::ridge_choice::{Loss, least};
use crate::estimator::ridge_path::RidgePath;
use crate::linalg::{Mat, MatRef};

/// Ridges tried, times the mean diagonal of the kernel between labels: half powers of ten.
const EXPONENTS: std::ops::RangeInclusive<i32> = -8..=4;

/// The ridge without labels to choose by, as an exponent of ten.
pub(super) const USUAL: f64 = -1.0;

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
        let exponents = EXPONENTS.map(|half| 0.5 * f64::from(half));
        let weight = |i: usize| if judged[i] { self.path.weight(i) } else { 0.0 };
        let best = least(exponents, labels.nrows(), |&exponent| {
            let left = self.leave_one_out(self.shift(exponent), labels);
            Some((loss.of(left.as_ref(), labels, weight), exponent - USUAL))
        });
        self.shift(best.map_or(USUAL, |(exponent, _)| exponent))
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
