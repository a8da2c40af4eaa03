//! The n×n system between labels, `A = G + diag(c/wᵢ)` with c = nβ: its ridge, the weights
//! of its labels, and the repair of a kernel that is not positive definite.
//!
//! `A = W^-½ (W^½GW^½ + cI) W^-½`, so one eigendecomposition of `W^½GW^½` serves every
//! ridge, leave-one-out and variances. The p.s.d. twin of the inverse Laplacian has
//! `G + (N/η)I` and c/η in place of G and c: without weights that is another shift of the
//! same decomposition, with weights it has a decomposition of its own.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::params::{Repair, Ridge};
use super::polynomial;
use crate::error::Result;
use crate::estimator::centring::Centring;
use crate::estimator::ridge_path::RidgePath;
use crate::linalg::{Mat, MatRef, cholesky};
use crate::monitor::Quiet;

/// Ridges tried by [`Ridge::Auto`], times the mean eigenvalue of the kernel.
const RIDGES: [f64; 13] = [
    1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0,
];

/// What decides a system, besides its matrix and weights.
#[derive(Debug, Clone, Copy)]
pub struct SystemOptions {
    /// What to do when it is not positive definite.
    pub repair: Repair,
    /// η, when the transform is an inverse Laplacian: it has a p.s.d. twin.
    pub eta: Option<f64>,
    /// N, all visible samples.
    pub total: usize,
    /// Whether labels are centred, for leave-one-out errors.
    pub centring: Centring,
}

impl SystemOptions {
    /// `N/η`: what the p.s.d. twin's kernel has more between a label and itself, in the
    /// scale of the inverse Laplacian; 0 for a transform without a twin.
    pub(super) fn twin_lift(&self) -> f64 {
        self.eta.map_or(0.0, |eta| self.total as f64 / eta)
    }

    /// `α` for a ridge, by a Cholesky factor where that decides it: a fixed ridge on a
    /// system that is positive definite, which no repair changes. `labels` choose an open
    /// ridge, `fitted` are the values fitted to.
    ///
    /// # Errors
    /// As [`LabelSystem::at`].
    pub(super) fn coefficients(
        &self,
        gram: Mat<f64>,
        ridge: Ridge,
        labels: &Mat<f64>,
        fitted: &Mat<f64>,
    ) -> Result<Mat<f64>> {
        let unrepaired = !matches!(self.repair, Repair::PsdTwin | Repair::Clip);
        if let (Ridge::Fixed(ridge), true) = (ridge, unrepaired) {
            let mut system = gram.clone();
            let shift = labels.nrows() as f64 * ridge;
            (0..gram.nrows()).for_each(|i| system[(i, i)] += shift);
            if let Ok(factor) = cholesky::factor(system, "the kernel plus ridge", "", &mut Quiet) {
                let mut alpha = fitted.clone();
                factor.solve_in_place(alpha.as_mut());
                return Ok(alpha);
            }
        }
        let system = LabelSystem::new(gram, None, *self);
        Ok(system.at(ridge, labels)?.coefficients(fitted))
    }
}

/// The kernel between labels and their weights, decomposed at first use, for every ridge.
#[derive(Debug)]
pub struct LabelSystem {
    gram: Mat<f64>,
    weights: Option<Vec<f64>>,
    options: SystemOptions,
    path: OnceLock<RidgePath>,
    twin: OnceLock<RidgePath>,
}

impl LabelSystem {
    /// The system of a kernel matrix between labels; no weights mean that all are 1.
    pub fn new(gram: Mat<f64>, weights: Option<Vec<f64>>, options: SystemOptions) -> Self {
        Self {
            gram,
            weights,
            options,
            path: OnceLock::new(),
            twin: OnceLock::new(),
        }
    }

    /// G.
    pub fn gram(&self) -> &Mat<f64> {
        &self.gram
    }

    /// The weights of the labels; `None` where all are 1.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    fn path(&self) -> Result<&RidgePath> {
        decomposed(&self.path, || {
            RidgePath::weighted(self.gram.as_ref(), self.weights())
        })
    }

    /// The system at a ridge; an open one is chosen by the leave-one-out error of these
    /// labels.
    ///
    /// # Errors
    /// [`crate::Error::Indefinite`] when it is indefinite and that was to be refused, or
    /// singular; as [`RidgePath::new`].
    pub fn at(&self, ridge: Ridge, labels: &Mat<f64>) -> Result<RidgeSystem<'_>> {
        let Ridge::Auto = ridge else {
            return self.fixed(ridge);
        };
        let (ridge, why) = self.best(labels)?;
        let mut system = self.fixed(ridge)?;
        system.choice = format!("{why}; {}", system.choice);
        Ok(system)
    }

    fn fixed(&self, ridge: Ridge) -> Result<RidgeSystem<'_>> {
        let Ridge::Fixed(ridge) = ridge else {
            return Err(crate::Error::parameter("ridge", "a number here", "auto"));
        };
        let path = self.path()?;
        let shift = self.gram.nrows() as f64 * ridge;
        let smallest = path.smallest() + shift;
        let why = |asked: bool| {
            if asked {
                "as asked".to_owned()
            } else {
                format!("because the system as posed has the eigenvalue {smallest:.3e}")
            }
        };
        let mut system = RidgeSystem {
            path: Cow::Borrowed(path),
            shift,
            lift: 0.0,
            twin: None,
            smallest,
            choice: String::new(),
        };
        let definite = path.definite(shift);
        let repair = self.options.repair;
        let eta = self.options.eta.filter(|eta| *eta > 0.0);
        system.choice = match (repair, eta, definite) {
            (Repair::PsdTwin, Some(eta), _) | (Repair::Auto, Some(eta), false) => {
                system.twin = Some(self.options.twin_lift());
                if self.weights.is_some() {
                    system.path = Cow::Borrowed(self.twin_path()?);
                    system.shift = shift / eta;
                    system.lift = self.options.twin_lift();
                } else {
                    system.shift = (shift + self.options.total as f64) / eta;
                }
                let why = why(repair == Repair::PsdTwin);
                format!("p.s.d. twin N(I − ηS)⁻¹ with this ridge, {why}")
            }
            (Repair::Clip, ..) | (Repair::Auto, None, false) => {
                system.path = Cow::Owned(path.clone().clipped());
                let why = why(repair == Repair::Clip);
                format!("negative eigenvalues clipped, {why}")
            }
            (_, _, true) => "as posed: positive definite".to_owned(),
            (Repair::Allow, ..) => "as posed although it is indefinite, as asked".to_owned(),
            (Repair::Refuse | Repair::PsdTwin, _, false) => {
                return Err(polynomial::refuse(smallest));
            }
        };
        system.path.regular(system.shift)?;
        Ok(system)
    }

    /// `W^½(G + (N/η)I)W^½`, decomposed.
    fn twin_path(&self) -> Result<&RidgePath> {
        decomposed(&self.twin, || {
            let lift = self.options.twin_lift();
            let mut gram = self.gram.clone();
            (0..gram.nrows()).for_each(|i| gram[(i, i)] += lift);
            RidgePath::weighted(gram.as_ref(), self.weights())
        })
    }

    /// The ridge with the smallest leave-one-out squared error on a grid that follows the
    /// kernel's scale, and why it was taken.
    fn best(&self, labels: &Mat<f64>) -> Result<(Ridge, String)> {
        let n = labels.nrows() as f64;
        if labels.nrows() < 3 {
            let why = "ridge 0.001: too few labels to choose one".to_owned();
            return Ok((Ridge::Fixed(1e-3), why));
        }
        let path = self.path()?;
        let scale = path.eigenvalues().iter().map(|v| v.max(0.0)).sum::<f64>() / n / n;
        let mut best: Option<(f64, f64)> = None;
        for factor in RIDGES {
            let ridge = factor * scale;
            let Ok(system) = self.fixed(Ridge::Fixed(ridge)) else {
                continue;
            };
            let error = system.squared_error(labels, self.options.centring);
            if error.is_finite() && best.is_none_or(|(_, least)| error < least) {
                best = Some((ridge, error));
            }
        }
        let Some((ridge, _)) = best else {
            return Err(polynomial::refuse(path.smallest()));
        };
        let why = format!("ridge {ridge:.3e}, the least leave-one-label-out error of 13");
        Ok((Ridge::Fixed(ridge), why))
    }
}

/// A decomposition that is made once.
fn decomposed(
    slot: &OnceLock<RidgePath>,
    make: impl FnOnce() -> Result<RidgePath>,
) -> Result<&RidgePath> {
    match slot.get() {
        Some(path) => Ok(path),
        None => {
            let made = make()?;
            Ok(slot.get_or_init(|| made))
        }
    }
}

/// A system `A` between labels at one ridge, ready to solve.
#[derive(Debug, Clone)]
pub struct RidgeSystem<'a> {
    /// Eigenvalues and vectors of its kernel, clipped where that was the repair.
    path: Cow<'a, RidgePath>,
    /// c.
    shift: f64,
    /// What the decomposed kernel has more on its diagonal than G.
    lift: f64,
    /// N/η where it is the p.s.d. twin's.
    twin: Option<f64>,
    /// The smallest eigenvalue of `W^½AW^½` before any repair.
    pub smallest: f64,
    /// What was chosen, and why.
    pub choice: String,
}

impl RidgeSystem<'_> {
    /// `α = A⁻¹Y`, without clipped directions.  [STKR Eqn 7]
    pub fn coefficients(&self, labels: &Mat<f64>) -> Mat<f64> {
        self.path.kept(self.shift, labels.as_ref())
    }

    /// `A⁻¹`.
    pub(super) fn inverse(&self) -> Mat<f64> {
        let n = self.path.eigenvalues().len();
        self.path
            .coefficients(self.shift, Mat::identity(n, n).as_ref())
    }

    /// What A has on its diagonal besides G.
    pub(super) fn added(&self) -> Vec<f64> {
        let n = self.path.eigenvalues().len();
        (0..n)
            .map(|i| self.lift + self.shift / self.path.weight(i))
            .collect()
    }

    /// c, where it is the same for every label and nothing was clipped.
    pub(super) fn uniform(&self) -> Option<f64> {
        let clipped = matches!(self.path, Cow::Owned(_));
        Some(self.shift).filter(|_| self.path.is_even() && !clipped)
    }

    /// Whether A is positive definite beyond rounding.
    pub(super) fn definite(&self) -> bool {
        self.path.definite(self.shift)
    }

    /// N/η where this is the p.s.d. twin's system: scores at labels have `(N/η)α` more.
    pub(super) fn twin(&self) -> Option<f64> {
        self.twin
    }

    /// The condition number of `W^½AW^½`.
    pub(super) fn condition(&self) -> f64 {
        self.path.condition(self.shift)
    }

    /// As [`RidgePath::leave_one_out`].
    pub fn leave_one_out(&self, labels: &Mat<f64>, centring: Centring) -> Mat<f64> {
        self.path
            .leave_one_out(self.shift, labels.as_ref(), centring)
    }

    /// As [`RidgePath::variances`].
    pub(super) fn variances(&self, cross: MatRef<'_, f64>, own: &[f64]) -> Vec<f64> {
        self.path.variances(self.shift, cross, own)
    }

    /// The mean squared leave-one-out error, weighted, summed over columns.
    pub fn squared_error(&self, labels: &Mat<f64>, centring: Centring) -> f64 {
        let n = labels.nrows();
        let left = self.leave_one_out(labels, centring);
        let mut error = 0.0;
        for j in 0..labels.ncols() {
            let means = self.path.means_of_others(labels.as_ref(), j, centring);
            for i in 0..n {
                let loss = (labels[(i, j)] - means[i] - left[(i, j)]).powi(2);
                error += self.path.weight(i) * loss;
            }
        }
        error / n as f64
    }
}
