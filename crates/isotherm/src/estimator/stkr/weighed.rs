//! Labels that count differently: `A = G + diag(nβ/wᵢ)`.
//!
//! One eigendecomposition no longer serves every ridge, so each is factored; the p.s.d.
//! twin's diagonal is `(nβ/wᵢ + N)/η`.

use super::params::{Repair, Ridge};
use super::polynomial;
use super::pose::{Posing, RIDGES};
use crate::error::{Error, Result};
use crate::linalg::gemm::times;
use crate::linalg::{Mat, eigen};
use crate::task::Observed;

/// A system between weighed labels.
#[derive(Debug, Clone)]
pub(super) struct Weighed {
    /// `A⁻¹`.
    pub(super) inverse: Mat<f64>,
    /// What A has on its diagonal besides the kernel.
    pub(super) added: Vec<f64>,
    /// Whether it is the p.s.d. twin's.
    pub(super) twin: bool,
    /// The smallest eigenvalue of A, and its condition number.
    pub(super) smallest: f64,
    pub(super) condition: f64,
    pub(super) choice: String,
}

impl Weighed {
    /// `α = A⁻¹y`.
    pub(super) fn coefficients(&self, labels: &Mat<f64>) -> Mat<f64> {
        times(self.inverse.as_ref(), labels.as_ref())
    }

    /// `Σ wᵢ (αᵢ / (A⁻¹)ᵢᵢ)²`, the weighed leave-one-out error of centred labels.
    fn squared_error(&self, centred: &Mat<f64>, weights: &[f64]) -> f64 {
        let alpha = self.coefficients(centred);
        let mut error = 0.0;
        for (i, w) in weights.iter().enumerate() {
            for j in 0..alpha.ncols() {
                error += w * (alpha[(i, j)] / self.inverse[(i, i)]).powi(2);
            }
        }
        error
    }
}

/// Poses and inverts the system for these labels.
pub(super) fn pose(
    posing: &Posing,
    gram: &Mat<f64>,
    ridge: Ridge,
    seen: &Observed,
    weights: &[f64],
) -> Result<Weighed> {
    let n = weights.len() as f64;
    if let Ridge::Fixed(ridge) = ridge {
        return at(posing, gram, n * ridge, weights);
    }
    if weights.len() < 3 {
        return at(posing, gram, n * 1e-3, weights);
    }
    let centred = seen.centred();
    let scale = (0..gram.nrows())
        .map(|i| gram[(i, i)].max(0.0))
        .sum::<f64>()
        / n
        / n;
    let mut best: Option<(f64, Weighed, f64)> = None;
    for factor in RIDGES {
        let Ok(found) = at(posing, gram, n * factor * scale, weights) else {
            continue;
        };
        let error = found.squared_error(centred.values(), weights);
        if error.is_finite() && best.as_ref().is_none_or(|(least, ..)| error < *least) {
            best = Some((error, found, factor * scale));
        }
    }
    let Some((_, mut found, ridge)) = best else {
        return Err(polynomial::refuse(0.0));
    };
    found.choice = format!(
        "ridge {ridge:.3e}, the least weighed leave-one-label-out error of 13; {}",
        found.choice
    );
    Ok(found)
}

fn at(posing: &Posing, gram: &Mat<f64>, shift: f64, weights: &[f64]) -> Result<Weighed> {
    let plain = |i: usize| shift / weights[i];
    let eta = posing.eta.filter(|eta| *eta > 0.0);
    let twin = |eta: f64| {
        let lift = posing.total as f64;
        invert(gram, |i| (plain(i) + lift) / eta, false)
    };
    if let (Repair::PsdTwin, Some(eta)) = (posing.repair, eta) {
        let what = "p.s.d. twin N(I − ηS)⁻¹ with weighed labels, as asked";
        return Ok(twin(eta)?.saying(what, true));
    }
    match invert(gram, plain, posing.repair == Repair::Allow) {
        Ok(found) => Ok(found.saying("as posed, labels weighed", false)),
        Err(refused @ Error::Indefinite { .. }) => match (posing.repair, eta) {
            (Repair::Auto, Some(eta)) => {
                let what = "p.s.d. twin N(I − ηS)⁻¹ with weighed labels, because the system as \
                            posed is not positive";
                Ok(twin(eta)?.saying(what, true))
            }
            _ => Err(refused),
        },
        Err(other) => Err(other),
    }
}

impl Weighed {
    fn saying(mut self, what: &str, twin: bool) -> Self {
        self.choice = what.to_owned();
        self.twin = twin;
        self
    }
}

fn invert(gram: &Mat<f64>, shift: impl Fn(usize) -> f64, indefinite: bool) -> Result<Weighed> {
    let n = gram.nrows();
    let system = Mat::from_fn(n, n, |i, j| {
        gram[(i, j)] + if i == j { shift(i) } else { 0.0 }
    });
    let eigen::Eigen { values, vectors } = eigen::symmetric(system.as_ref())?;
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let floor = f64::EPSILON * largest * n as f64;
    let smallest = values.first().copied().unwrap_or(0.0);
    let singular = values.iter().any(|v| v.abs() <= floor);
    if singular || (smallest <= 0.0 && !indefinite) {
        return Err(Error::Indefinite {
            operator: "the transformed kernel between weighed labels plus ridge",
            curvature: smallest,
            hint: "raise the ridge, use a lazy walk, or leave the weights out".to_owned(),
        });
    }
    let scaled = Mat::from_fn(n, n, |i, j| vectors[(i, j)] / values[j]);
    let least = values.iter().fold(f64::INFINITY, |m, v| m.min(v.abs()));
    Ok(Weighed {
        inverse: times(scaled.as_ref(), vectors.transpose()),
        added: (0..n).map(shift).collect(),
        twin: false,
        smallest,
        condition: largest / least,
        choice: String::new(),
    })
}
