//! Every ridge from one eigendecomposition: `G = U diag(a) Uᵀ`, so
//! `(G + cI)⁻¹ = U diag(1/(a + c)) Uᵀ` for each c = nβ.

use crate::error::{Error, Result};
use crate::linalg::gemm::{self, Write};
use crate::linalg::{Mat, MatRef, eigen};

/// The kernel between labelled samples, decomposed.
#[derive(Debug, Clone)]
pub struct RidgePath {
    values: Vec<f64>,
    vectors: Mat<f64>,
    /// Directions whose eigenvalue was negative and counts as zero: the first ones.
    clipped: usize,
}

/// Whether labels were centred by the mean of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Centring {
    /// As given.
    None,
    /// By their mean, which leaving one out changes too.
    Mean,
}

impl RidgePath {
    /// Decomposes the n×n kernel matrix. O(n³).
    ///
    /// # Errors
    /// As [`eigen::symmetric`].
    pub fn new(gram: MatRef<'_, f64>) -> Result<Self> {
        let eigen::Eigen { values, vectors } = eigen::symmetric(gram)?;
        Ok(Self {
            values,
            vectors,
            clipped: 0,
        })
    }

    /// Eigenvalues of the kernel matrix, ascending.
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

    /// Whether `G + cI` is positive definite beyond rounding.
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

    /// The condition number of `G + cI`.
    pub fn condition(&self, shift: f64) -> f64 {
        let sizes = self.values.iter().map(|v| (v + shift).abs());
        let (low, high) = sizes.fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
        high / low
    }

    /// Refuses a `G + cI` that is singular to working precision.
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

    /// `α = (G + cI)⁻¹ Y`.  [STKR Eqn 7]
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

    /// `Σ_{i ≥ first} uᵢ uᵢᵀY / (aᵢ + c)`.
    fn coefficients_from(&self, first: usize, shift: f64, labels: MatRef<'_, f64>) -> Mat<f64> {
        let n = self.values.len();
        let mut rotated = Mat::zeros(n, labels.ncols());
        let back = self.vectors.as_ref().transpose();
        gemm::product(rotated.as_mut(), Write::Replace, back, labels, 1.0);
        for j in 0..rotated.ncols() {
            for (i, value) in self.values.iter().enumerate() {
                rotated[(i, j)] = match i < first {
                    true => 0.0,
                    false => rotated[(i, j)] / (value + shift),
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
        alpha
    }

    /// What the fit without label i says of sample i, for every i:
    /// `fᵢ⁽⁻ⁱ⁾ = yᵢ − αᵢ / (A⁻¹)ᵢᵢ` with `A = G + cI`, c kept.
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
        let diagonal: Vec<f64> = (0..n)
            .map(|i| {
                let row = self.vectors.row(i);
                let terms = row.iter().zip(&self.values);
                terms.map(|(u, v)| u * u / (v + shift)).sum()
            })
            .collect();
        let centred = centring == Centring::Mean && n > 1;
        let mean = |j: usize| match centred {
            true => labels.col(j).iter().sum::<f64>() / n as f64,
            false => 0.0,
        };
        let means: Vec<f64> = (0..labels.ncols()).map(mean).collect();
        let y = Mat::from_fn(n, labels.ncols(), |i, j| labels[(i, j)] - means[j]);
        let alpha = self.coefficients(shift, y.as_ref());
        let ones = self.coefficients(shift, Mat::full(n, 1, 1.0).as_ref());
        Mat::from_fn(n, labels.ncols(), |i, j| {
            // ȳ − ȳ⁽⁻ⁱ⁾ = (yᵢ − ȳ)/(n − 1)
            let moved = match centred {
                true => y[(i, j)] / (n - 1) as f64,
                false => 0.0,
            };
            y[(i, j)] + moved - (alpha[(i, j)] + moved * ones[(i, 0)]) / diagonal[i]
        })
    }

    /// Posterior variances `k(x,x) − kₓᵀ(G + cI)⁻¹kₓ` of a Gaussian process with
    /// this kernel and noise variance c; row x of `cross` is kₓ.
    pub fn variances(&self, shift: f64, cross: MatRef<'_, f64>, own: &[f64]) -> Vec<f64> {
        let solved = self.coefficients(shift, cross.transpose().to_owned().as_ref());
        let explained = |x: usize| -> f64 {
            let terms = cross.row(x).iter().zip(solved.col(x).iter());
            terms.map(|(k, a)| k * a).sum()
        };
        (0..cross.nrows()).map(|x| own[x] - explained(x)).collect()
    }
}
