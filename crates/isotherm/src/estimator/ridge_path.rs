//! Every ridge from one eigendecomposition: `W^½GW^½ = U diag(a) Uᵀ`, so
//! `(G + cW⁻¹)⁻¹ = W^½U diag(1/(a + c)) UᵀW^½` for each c = nβ.

use crate::error::{Error, Result};
use crate::estimator::centring::Centring;
use crate::linalg::gemm::{self, Write};
use crate::linalg::{Mat, MatRef, eigen};

/// The kernel between labelled samples, decomposed.
#[derive(Debug, Clone)]
pub struct RidgePath {
    values: Vec<f64>,
    vectors: Mat<f64>,
    /// Directions whose eigenvalue was negative and counts as zero: the first ones.
    clipped: usize,
    /// wᵢ; `None` where every label counts the same.
    weights: Option<Vec<f64>>,
}

impl RidgePath {
    /// Decomposes the n×n kernel matrix. O(n³).
    ///
    /// # Errors
    /// As [`eigen::symmetric`].
    pub fn new(gram: MatRef<'_, f64>) -> Result<Self> {
        Self::weighted(gram, None)
    }

    /// As [`RidgePath::new`] for labels that count differently.
    pub(crate) fn weighted(gram: MatRef<'_, f64>, weights: Option<&[f64]>) -> Result<Self> {
        let n = gram.nrows();
        let eigen::Eigen { values, vectors } = match weights {
            None => eigen::symmetric(gram)?,
            Some(w) => {
                let scaled = Mat::from_fn(n, n, |i, j| (w[i] * w[j]).sqrt() * gram[(i, j)]);
                eigen::symmetric(scaled.as_ref())?
            }
        };
        Ok(Self {
            values,
            vectors,
            clipped: 0,
            weights: weights.map(<[f64]>::to_vec),
        })
    }

    /// wᵢ.
    pub(crate) fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[i])
    }

    /// Whether every label counts the same.
    pub(crate) fn is_even(&self) -> bool {
        self.weights.is_none()
    }

    /// `W^½ m`.
    fn scaled(&self, mut m: Mat<f64>) -> Mat<f64> {
        if let Some(weights) = &self.weights {
            for j in 0..m.ncols() {
                let column = m.col_mut(j).iter_mut().zip(weights);
                column.for_each(|(v, weight)| *v *= weight.sqrt());
            }
        }
        m
    }

    /// Eigenvalues of the kernel matrix, scaled by weights, ascending.
    pub fn eigenvalues(&self) -> &[f64] {
        &self.values
    }

    /// The smallest eigenvalue.
    pub fn smallest(&self) -> f64 {
        self.values.first().copied().unwrap_or(0.0)
    }

    /// What rounding makes of an eigenvalue that is zero.
    pub fn rounding(&self) -> f64 {
        let largest = self.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        f64::EPSILON * largest * self.values.len() as f64
    }

    /// Whether `G + cW⁻¹` is positive definite beyond rounding.
    pub fn definite(&self, shift: f64) -> bool {
        self.smallest() + shift > 0.0 && (self.smallest() + shift).abs() > self.rounding()
    }

    /// Negative eigenvalues set to zero.
    ///
    /// A positive kernel that is zero along a direction between labels is zero
    /// from it to any other sample; the clipped one has to be made so, see
    /// [`RidgePath::kept`].
    #[must_use]
    pub fn clipped(mut self) -> Self {
        self.clipped = self.values.iter().filter(|v| **v < 0.0).count();
        self.values.iter_mut().for_each(|v| *v = v.max(0.0));
        self
    }

    /// The condition number of `W^½GW^½ + cI`.
    pub fn condition(&self, shift: f64) -> f64 {
        let sizes = self.values.iter().map(|v| (v + shift).abs());
        let (low, high) = sizes.fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
        high / low
    }

    /// Refuses a `G + cW⁻¹` that is singular to working precision.
    ///
    /// # Errors
    /// [`Error::Indefinite`] with the eigenvalue that vanishes.
    pub fn regular(&self, shift: f64) -> Result<()> {
        let floor = self.rounding();
        match self.values.iter().find(|v| (*v + shift).abs() <= floor) {
            None => Ok(()),
            Some(v) => Err(Error::Indefinite {
                operator: "the transformed kernel between labels plus ridge",
                curvature: v + shift,
                hint: "an eigenvalue is zero to working precision: change the ridge".to_owned(),
            }),
        }
    }

    /// `α = (G + cW⁻¹)⁻¹ Y`.  [STKR Eqn 7]
    pub fn coefficients(&self, shift: f64, labels: MatRef<'_, f64>) -> Mat<f64> {
        self.coefficients_from(0, shift, labels)
    }

    /// `α` without its part along clipped directions.
    ///
    /// At labels that part is nothing, `G₊α` is the same. Elsewhere the kernel
    /// that was not clipped would blow it up: α is 1/c there, and c is small.
    pub fn kept(&self, shift: f64, labels: MatRef<'_, f64>) -> Mat<f64> {
        self.coefficients_from(self.clipped, shift, labels)
    }

    /// `W^½ Σ_{i ≥ first} uᵢ uᵢᵀW^½Y / (aᵢ + c)`.
    fn coefficients_from(&self, first: usize, shift: f64, labels: MatRef<'_, f64>) -> Mat<f64> {
        let n = self.values.len();
        let mut rotated = Mat::zeros(n, labels.ncols());
        let back = self.vectors.as_ref().transpose();
        let scaled = self.scaled(labels.to_owned());
        gemm::product(rotated.as_mut(), Write::Replace, back, scaled.as_ref(), 1.0);
        for j in 0..rotated.ncols() {
            for (i, value) in self.values.iter().enumerate() {
                rotated[(i, j)] = if i < first {
                    0.0
                } else {
                    rotated[(i, j)] / (value + shift)
                };
            }
        }
        let mut alpha = Mat::zeros(n, labels.ncols());
        gemm::product(
            alpha.as_mut(),
            Write::Replace,
            self.vectors.as_ref(),
            rotated.as_ref(),
            1.0,
        );
        self.scaled(alpha)
    }

    /// The diagonal of `(G + cW⁻¹)⁻¹`. O(n²).
    pub(crate) fn inverse_diagonal(&self, shift: f64) -> Vec<f64> {
        (0..self.values.len())
            .map(|i| {
                let row = self.vectors.row(i);
                let terms = row.iter().zip(&self.values);
                let sum: f64 = terms.map(|(u, v)| u * u / (v + shift)).sum();
                self.weight(i) * sum
            })
            .collect()
    }

    /// What the fit without label i says of sample i, for every i:
    /// `fᵢ⁽⁻ⁱ⁾ = yᵢ − αᵢ / (A⁻¹)ᵢᵢ` with `A = G + cW⁻¹`, c and W kept.
    ///
    /// With [`Centring::Mean`] the mean is that of the other labels, and the
    /// result is the deviation from it: with `y` the labels as given,
    /// `fᵢ = yᵢ − ȳ⁽⁻ⁱ⁾ − (αᵢ + (ȳ − ȳ⁽⁻ⁱ⁾)(A⁻¹1)ᵢ) / (A⁻¹)ᵢᵢ`. Exact, both.
    /// O(n²) for each column.
    pub fn leave_one_out(
        &self,
        shift: f64,
        labels: MatRef<'_, f64>,
        centring: Centring,
    ) -> Mat<f64> {
        let n = self.values.len();
        let diagonal = self.inverse_diagonal(shift);
        let centred = centring == Centring::Mean && n > 1;
        let total: f64 = (0..n).map(|i| self.weight(i)).sum();
        let mean = |j: usize| {
            if centred {
                self.weighted_sum(labels, j) / total
            } else {
                0.0
            }
        };
        let means: Vec<f64> = (0..labels.ncols()).map(mean).collect();
        let y = Mat::from_fn(n, labels.ncols(), |i, j| labels[(i, j)] - means[j]);
        let alpha = self.coefficients(shift, y.as_ref());
        let ones = self.coefficients(shift, Mat::full(n, 1, 1.0).as_ref());
        Mat::from_fn(n, labels.ncols(), |i, j| {
            // ȳ − ȳ⁽⁻ⁱ⁾ = wᵢ(yᵢ − ȳ)/(Σw − wᵢ)
            let weight = self.weight(i);
            let moved = if centred {
                weight * y[(i, j)] / (total - weight)
            } else {
                0.0
            };
            y[(i, j)] + moved - (alpha[(i, j)] + moved * ones[(i, 0)]) / diagonal[i]
        })
    }

    /// The mean of the other labels for every label, weighted; 0 where none is taken off.
    pub(crate) fn means_of_others(
        &self,
        labels: MatRef<'_, f64>,
        column: usize,
        centring: Centring,
    ) -> Vec<f64> {
        let n = labels.nrows();
        if centring == Centring::None || n < 2 {
            return vec![0.0; n];
        }
        let sum = self.weighted_sum(labels, column);
        let total: f64 = (0..n).map(|i| self.weight(i)).sum();
        let others = |i: usize| {
            let weight = self.weight(i);
            (sum - weight * labels[(i, column)]) / (total - weight)
        };
        (0..n).map(others).collect()
    }

    fn weighted_sum(&self, labels: MatRef<'_, f64>, column: usize) -> f64 {
        let column = labels.col(column);
        let terms = column.iter().enumerate();
        terms.map(|(i, y)| self.weight(i) * y).sum()
    }

    /// Posterior variances `k(x,x) − kₓᵀ(G + cW⁻¹)⁻¹kₓ` of a Gaussian process with
    /// this kernel and noise variances c/wᵢ; row x of `cross` is kₓ.
    pub fn variances(&self, shift: f64, cross: MatRef<'_, f64>, own: &[f64]) -> Vec<f64> {
        let solved = self.coefficients(shift, cross.transpose().to_owned().as_ref());
        let explained = |x: usize| -> f64 {
            let terms = cross.row(x).iter().zip(solved.col(x).iter());
            terms.map(|(k, a)| k * a).sum()
        };
        (0..cross.nrows()).map(|x| own[x] - explained(x)).collect()
    }
}
