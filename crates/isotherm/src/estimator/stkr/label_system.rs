//! The n×n system between labels, `A = G + diag(c/wᵢ)` with c = nβ: its ridge, the weights
//! of its labels, and the repair of a kernel that is not positive definite.
//!
//! `A = W^-½ (W^½GW^½ + cI) W^-½`, so one eigendecomposition of `W^½GW^½` serves every
//! ridge, leave-one-out and variances. The p.s.d. twin has `G + ℓI` and σc in place of G and
//! c: without weights that is another shift of the same decomposition.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::params::{Repair, Ridge};
use super::polynomial;
use super::twin::Twin;
use crate::error::Result;
use crate::estimator::centring::Centring;
use crate::estimator::ridge_choice::{Loss, least, one_hot, with_means};
use crate::estimator::ridge_path::RidgePath;
use crate::linalg::{Mat, MatRef, cholesky};
use crate::monitor::Quiet;

/// The ridge where nobody says.
pub(super) const USUAL: f64 = 1e-3;

/// Ridges tried by [`Ridge::Auto`], times the mean diagonal of the kernel, the twin's where
/// there is one.
const RIDGES: [f64; 13] = [
    1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0,
];

/// What decides a system, besides its matrix and weights.
#[derive(Debug, Clone, Copy)]
pub struct SystemOptions {
    /// What to do when it is not positive definite.
    pub repair: Repair,
    /// The twin that is solved in place of it.
    pub twin: Option<Twin>,
    /// N, all visible samples.
    pub total: usize,
    /// Whether labels are centred, for leave-one-out errors.
    pub centring: Centring,
}

impl SystemOptions {
    /// ℓ and σ: what is added to the kernel's diagonal, and what nβ is multiplied by.
    pub(super) fn added(&self) -> (f64, f64) {
        self.twin.map_or((0.0, 1.0), |twin| (twin.lift, twin.share))
    }

    /// What is solved, where that is a twin.
    pub(super) fn choice(&self) -> Option<String> {
        let name = self.twin?.name(self.total);
        Some(match self.repair {
            Repair::PsdTwin => format!("{name}, as asked"),
            _ => format!("{name}, because the base is not a positive kernel"),
        })
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
        if let (Ridge::Fixed(ridge), true) = (ridge, self.repair != Repair::Clip) {
            let mut system = gram.clone();
            let (lift, share) = self.added();
            let shift = lift + share * labels.nrows() as f64 * ridge;
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
}

impl LabelSystem {
    /// The system of a kernel matrix between labels; no weights mean that all are 1.
    pub fn new(gram: Mat<f64>, weights: Option<Vec<f64>>, options: SystemOptions) -> Self {
        Self {
            gram,
            weights,
            options,
            path: OnceLock::new(),
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

    /// `W^½(G + ℓI)W^½` decomposed; without weights ℓ is left to the shift.
    fn path(&self) -> Result<&RidgePath> {
        if let Some(path) = self.path.get() {
            return Ok(path);
        }
        let made = match (self.weights(), self.options.twin) {
            (Some(weights), Some(twin)) => {
                let mut gram = self.gram.clone();
                (0..gram.nrows()).for_each(|i| gram[(i, i)] += twin.lift);
                RidgePath::weighted(gram.as_ref(), Some(weights))?
            }
            (weights, _) => RidgePath::weighted(self.gram.as_ref(), weights)?,
        };
        Ok(self.path.get_or_init(|| made))
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
        let (lift, share) = self.options.added();
        let shift = share * self.gram.nrows() as f64 * ridge;
        // The decomposition has ℓ in it already where labels have weights.
        let shift = match self.weights {
            Some(_) => shift,
            None => shift + lift,
        };
        let smallest = path.smallest() + shift;
        let mut system = RidgeSystem {
            path: Cow::Borrowed(path),
            shift,
            lift: self.weights.as_ref().map_or(0.0, |_| lift),
            twin: self.options.twin.map(|twin| twin.lift),
            smallest,
            choice: String::new(),
        };
        let definite = path.definite(shift);
        let clipped = |why: &str| format!("negative eigenvalues clipped, {why}");
        system.choice = match (self.options.choice(), self.options.repair) {
            (Some(choice), _) => choice,
            (None, Repair::Clip) => clipped("as asked"),
            _ if definite => "as posed: positive definite".to_owned(),
            (None, Repair::Allow) => "as posed although it is indefinite, as asked".to_owned(),
            (None, Repair::Auto) => clipped(&format!(
                "because the system as posed has the eigenvalue {smallest:.3e}"
            )),
            (None, Repair::Refuse | Repair::PsdTwin) => return Err(polynomial::refuse(smallest)),
        };
        let clip = match self.options.repair {
            Repair::Clip => true,
            Repair::Auto => !definite && self.options.twin.is_none(),
            _ => false,
        };
        if clip {
            system.path = Cow::Owned(path.clone().clipped());
        }
        system.path.regular(system.shift)?;
        Ok(system)
    }

    /// How far a ridge is from the usual one: powers of ten between what the two add to the
    /// kernel's diagonal, the twin's ℓ with them.
    pub(crate) fn distance(&self, ridge: f64) -> f64 {
        let (lift, share) = self.options.added();
        let added = |ridge: f64| lift + share * self.gram.nrows() as f64 * ridge;
        (added(ridge.max(1e-9 * USUAL)) / added(USUAL)).log10()
    }

    /// The ridge with the smallest leave-one-out loss on a grid that follows the kernel's
    /// scale, and why it was taken: log loss of classes, squared error of numbers, and what
    /// leaving the usual ridge costs.
    fn best(&self, labels: &Mat<f64>) -> Result<(Ridge, String)> {
        let n = labels.nrows();
        if n < 3 {
            let why = format!("ridge {USUAL}: too few labels to choose one");
            return Ok((Ridge::Fixed(USUAL), why));
        }
        let (lift, share) = self.options.added();
        let trace: f64 = (0..n).map(|i| self.gram[(i, i)].max(0.0)).sum();
        let scale = (lift + trace / n as f64) / (share * n as f64);
        let truth = one_hot(labels.as_ref());
        let ridges = RIDGES.map(|factor| factor * scale);
        let found = least(ridges, n, |&ridge| {
            let system = self.fixed(Ridge::Fixed(ridge)).ok()?;
            let loss = system.loss(labels, self.options.centring, truth.as_deref());
            Some((loss, self.distance(ridge)))
        });
        let Some((ridge, _)) = found else {
            return Err(polynomial::refuse(self.path()?.smallest()));
        };
        let loss = match truth {
            Some(_) => "log loss",
            None => "squared error",
        };
        let why = format!("ridge {ridge:.3e}, the least leave-one-label-out {loss} of 13");
        Ok((Ridge::Fixed(ridge), why))
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
    /// ℓ where it is the p.s.d. twin's.
    twin: Option<f64>,
    /// The smallest eigenvalue of `W^½AW^½` before any clipping.
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

    /// ℓ where this is the p.s.d. twin's system: scores at labels have `ℓα` more.
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

    /// The leave-one-out loss per label, weighted as the fit weights them: the log loss of
    /// classes under one temperature, the log loss of numbers under one noise variance.
    pub(crate) fn loss(
        &self,
        labels: &Mat<f64>,
        centring: Centring,
        truth: Option<&[usize]>,
    ) -> f64 {
        let left = self.leave_one_out(labels, centring);
        let weight = |i: usize| self.path.weight(i);
        match truth {
            // A fit decides by deviations from the mean.
            Some(truth) => Loss::ClassesBySpread(truth).of(left.as_ref(), labels.as_ref(), weight),
            None => {
                let others = |j: usize| self.path.means_of_others(labels.as_ref(), j, centring);
                let means: Vec<Vec<f64>> = (0..labels.ncols()).map(others).collect();
                let values = with_means(&left, &means);
                Loss::LogSquares.of(values.as_ref(), labels.as_ref(), weight)
            }
        }
    }
}
