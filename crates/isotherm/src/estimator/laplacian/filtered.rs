//! Spectral filtering, `ĝ = Σ ψ(λᵢ)⟨θ̂, θᵢ⟩ Sθᵢ`.  [KLAP Eq 7, Eq 9, Prop. 1]
//!
//! In the coordinates of [`super::coordinates`] the modes are the principal axes of
//! the features F over the measure of Σ̂. Functions that are not penalised (constants,
//! and with μ = 0 whatever is flat) have λ = ∞ and `λψ(λ) = 1` [KLAP D.4]: they are
//! projected out of features and labels, and fitted by themselves.

use crate::error::{Error, Result};
use crate::linalg::gemm::times;
use crate::linalg::{Mat, MatRef, eigen, svd};
use crate::spectrum::{Filter, SpectralFunction as _};

/// What is known of F and of the free functions e at the labels and on average.
pub(super) struct Measured {
    /// F at the labels, n_ℓ × r.
    pub(super) features: Mat<f64>,
    /// e at the labels, n_ℓ × q.
    pub(super) free: Mat<f64>,
    /// Over the measure of Σ̂, unless that is the labels themselves.
    pub(super) averages: Option<Averaged>,
}

/// Averages over all rows.
#[derive(Debug, Clone)]
pub(super) struct Averaged {
    /// `E[FᵀF]`, r × r.
    pub(super) features: Mat<f64>,
    /// `E[eᵀF]`, q × r.
    pub(super) mixed: Mat<f64>,
    /// `E[eᵀe]`, q × q.
    pub(super) free: Mat<f64>,
}

/// The principal axes of F once the free functions are out.
#[derive(Debug, Clone)]
pub(super) struct Axes {
    /// λᵢ, descending, none negative.
    pub(super) values: Vec<f64>,
    /// vᵢ, r × k.
    vectors: Mat<f64>,
    /// `E[eᵀe]⁻¹E[eᵀF]`, q × r: what F has of the free functions.
    shadow: Mat<f64>,
    /// `E[eᵀe]⁻¹`, q × q.
    inverse: Mat<f64>,
    /// F′ at the labels along the axes, n_ℓ × k.
    pub(super) labelled: Mat<f64>,
    /// e at the labels.
    free: Mat<f64>,
    /// Whether the measure is the labels' own.
    pub(super) own: bool,
}

/// `g = F c + e a`.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    /// r × outputs.
    pub(super) features: Mat<f64>,
    /// q × outputs.
    pub(super) free: Mat<f64>,
    /// ĝ at the labels.
    pub(super) fitted: Mat<f64>,
}

impl Axes {
    pub(super) fn new(measured: Measured) -> Result<Self> {
        let Measured {
            features,
            free,
            averages,
        } = measured;
        let (labels, q) = (features.nrows(), free.ncols());
        let scale = 1.0 / labels as f64;
        let own = averages.is_none();
        let Averaged {
            features: covariance,
            mixed,
            free: mass,
        } = match averages {
            Some(averages) => averages,
            None => Averaged {
                features: Mat::zeros(0, 0),
                mixed: scaled(&times(free.transpose(), features.as_ref()), scale),
                free: scaled(&times(free.transpose(), free.as_ref()), scale),
            },
        };
        let inverse = pseudo_inverse(&mass)?;
        let shadow = times(inverse.as_ref(), mixed.as_ref());
        let rest = &features - times(free.as_ref(), shadow.as_ref()); // F′ = F − e E[eᵀe]⁻¹E[eᵀF]
        let (values, vectors) = if own {
            // Singular values keep the digits that squaring would lose.
            let svd = svd::thin(scaled(&rest, scale.sqrt()).as_ref())?;
            (svd.values.iter().map(|s| s * s).collect(), svd.v)
        } else {
            let covariance = match q {
                0 => covariance,
                _ => &covariance - times(mixed.transpose(), shadow.as_ref()),
            };
            let found = eigen::symmetric(covariance.as_ref())?;
            let k = found.values.len();
            let values = found.values.iter().rev().map(|v| v.max(0.0)).collect();
            let vectors = Mat::from_fn(k, k, |i, j| found.vectors[(i, k - 1 - j)]);
            (values, vectors)
        };
        Ok(Self {
            labelled: times(rest.as_ref(), vectors.as_ref()),
            values,
            vectors,
            shadow,
            inverse,
            free,
            own,
        })
    }

    /// The filter with its rank or step resolved by the spectrum.
    pub(super) fn resolve(&self, filter: &Filter) -> Result<Filter> {
        filter.resolved(&self.values)
    }

    /// ψ of every eigenvalue, 0 where the eigenvalue is rounding: such a mode is
    /// zero wherever Σ̂ looks, and no label says anything of it.
    pub(super) fn gains(&self, filter: &Filter) -> Result<Vec<f64>> {
        let largest = self.values.first().copied().unwrap_or(0.0);
        let cut = self.values.len() as f64 * f64::EPSILON * f64::EPSILON * largest;
        (self.values.iter())
            .map(|&x| match filter.at(x) {
                _ if x <= cut => Ok(0.0),
                psi if psi.is_finite() => Ok(psi),
                psi => Err(Error::NotFinite {
                    phase: "filtering the spectrum",
                    hint: format!("the filter is {psi} at the eigenvalue {x:e}"),
                }),
            })
            .collect()
    }

    /// `c = Σ ψ(λᵢ) vᵢ ⟨vᵢ, E_ℓ[F′(y − e a₀)]⟩` and `a₀ = E[eᵀe]⁻¹E_ℓ[e y]`, brought
    /// back to `g = F c + e a`.
    pub(super) fn solve(&self, gains: &[f64], labels: MatRef<'_, f64>) -> Solution {
        let scale = 1.0 / labels.nrows() as f64;
        let sums = scaled(&times(self.free.transpose(), labels), scale);
        let start = times(self.inverse.as_ref(), sums.as_ref()); // a₀
        let level = times(self.free.as_ref(), start.as_ref());
        let left = labels - &level;
        let along = scaled(&times(self.labelled.transpose(), left.as_ref()), scale);
        let along = Mat::from_fn(along.nrows(), along.ncols(), |i, j| {
            gains[i] * along[(i, j)]
        });
        let features = times(self.vectors.as_ref(), along.as_ref());
        let fitted = times(self.labelled.as_ref(), along.as_ref()) + level;
        Solution {
            free: &start - times(self.shadow.as_ref(), features.as_ref()),
            features,
            fitted,
        }
    }

    /// What the fit to some of the labels says of others: `F′c + e a₀` there.
    ///
    /// `filter` as it was given, `gains` its values on the spectrum of all labels.
    pub(super) fn part(
        &self,
        filter: &Filter,
        gains: &[f64],
        train: &[usize],
        others: &[usize],
        labels: MatRef<'_, f64>,
    ) -> Result<Mat<f64>> {
        let rows = |from: &Mat<f64>, index: &[usize]| {
            Mat::from_fn(index.len(), from.ncols(), |a, c| from[(index[a], c)])
        };
        let (bent, flat) = (rows(&self.labelled, others), rows(&self.free, others));
        if self.own {
            // F up to what the free functions explain, and a rotation: neither changes a fit.
            let fewer = Self::new(Measured {
                features: rows(&self.labelled, train),
                free: rows(&self.free, train),
                averages: None,
            })?;
            let gains = fewer.gains(&fewer.resolve(filter)?)?;
            let found = fewer.solve(&gains, labels);
            return Ok(times(bent.as_ref(), found.features.as_ref())
                + times(flat.as_ref(), found.free.as_ref()));
        }
        let scale = 1.0 / train.len() as f64;
        let (own, free) = (rows(&self.labelled, train), rows(&self.free, train));
        let sums = scaled(&times(free.transpose(), labels), scale);
        let start = times(self.inverse.as_ref(), sums.as_ref()); // a₀
        let left = labels - times(free.as_ref(), start.as_ref());
        let along = scaled(&times(own.transpose(), left.as_ref()), scale);
        let along = Mat::from_fn(along.nrows(), along.ncols(), |i, j| {
            gains[i] * along[(i, j)]
        });
        Ok(times(bent.as_ref(), along.as_ref()) + times(flat.as_ref(), start.as_ref()))
    }

    /// The free functions at the labels, and `E[eᵀe]⁻¹`.
    pub(super) fn free(&self) -> (&Mat<f64>, &Mat<f64>) {
        (&self.free, &self.inverse)
    }

    /// The leading modes as coefficients of features and free functions.
    pub(super) fn modes(&self, count: usize) -> (Mat<f64>, Mat<f64>) {
        let features = self
            .vectors
            .subcols(0, count.min(self.values.len()))
            .to_owned();
        let free = scaled(&times(self.shadow.as_ref(), features.as_ref()), -1.0);
        (features, free)
    }
}

fn scaled(a: &Mat<f64>, by: f64) -> Mat<f64> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| by * a[(i, j)])
}

/// Of a symmetric positive semidefinite matrix, cut at q·ε.
fn pseudo_inverse(a: &Mat<f64>) -> Result<Mat<f64>> {
    let q = a.nrows();
    if q == 0 {
        return Ok(Mat::zeros(0, 0));
    }
    let found = eigen::symmetric(a.as_ref())?;
    let largest = found.values.last().copied().unwrap_or(0.0);
    let cut = q as f64 * f64::EPSILON * largest;
    let inverse = |v: f64| if v > cut { 1.0 / v } else { 0.0 };
    let half = Mat::from_fn(q, q, |i, j| {
        found.vectors[(i, j)] * inverse(found.values[j])
    });
    Ok(times(half.as_ref(), found.vectors.transpose()))
}
