//! Which n×n system is solved: the ridge, and the repair of a kernel that is not
//! positive definite.

use super::params::{Repair, Ridge};
use super::polynomial;
use super::ridge_path::{Centring, RidgePath};
use crate::error::Result;
use crate::linalg::{Mat, cholesky};
use crate::monitor::Quiet;

/// Ridges tried by [`Ridge::Auto`], times the mean eigenvalue of the kernel.
pub(super) const RIDGES: [f64; 13] = [
    1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0,
];

/// What decides a system, besides its matrix.
#[derive(Debug, Clone, Copy)]
pub struct Posing {
    /// What to do when it is not positive definite.
    pub repair: Repair,
    /// η, when the transform is an inverse Laplacian: it has a p.s.d. twin.
    pub eta: Option<f64>,
    /// N, all visible samples.
    pub total: usize,
    /// Whether labels are centred, for leave-one-out errors.
    pub centring: Centring,
}

/// A system `G + cI` between labels, ready to solve.
#[derive(Debug, Clone)]
pub struct Posed {
    /// Its eigenvalues and vectors, clipped where that was the repair.
    pub path: RidgePath,
    /// c.
    pub shift: f64,
    /// Whether it is the p.s.d. twin's, whose scores at labels have `(N/η)α` more.
    pub twin: bool,
    /// Whether negative eigenvalues were clipped.
    pub clipped: bool,
    /// The smallest eigenvalue of the system as it was posed.
    pub smallest: f64,
    /// What was chosen, and why.
    pub choice: String,
}

impl Posing {
    /// The system for a ridge.
    ///
    /// # Errors
    /// [`crate::Error::Indefinite`] when it is indefinite and that was to be
    /// refused, or singular.
    pub fn pose(&self, path: RidgePath, ridge: Ridge, labels: &Mat<f64>) -> Result<Posed> {
        let labelled = labels.nrows() as f64;
        let (ridge, how) = match ridge {
            Ridge::Fixed(ridge) => (ridge, None),
            Ridge::Auto => self.best(&path, labels)?,
        };
        let shift = labelled * ridge;
        let smallest = path.smallest() + shift;
        let why = format!("because the system as posed has the eigenvalue {smallest:.3e}");
        let mut clipped = false;
        let (path, shift, twin, what) = match (self.way(&path, shift), self.repair) {
            (Way::AsPosed, Repair::Allow) if !path.definite(shift) => (
                path,
                shift,
                false,
                "as posed although it is indefinite, as asked".to_owned(),
            ),
            (Way::AsPosed, _) => (path, shift, false, "as posed: positive definite".to_owned()),
            (Way::Twin(eta), repair) => {
                let why = match repair {
                    Repair::PsdTwin => "as asked",
                    _ => &why,
                };
                let what = format!("p.s.d. twin N(I − ηS)⁻¹ with this ridge, {why}");
                (path, self.twin(shift, eta), true, what)
            }
            (Way::Clip, repair) => {
                clipped = true;
                let why = match repair {
                    Repair::Clip => "as asked",
                    _ => &why,
                };
                let what = format!("negative eigenvalues clipped, {why}");
                (path.clipped(), shift, false, what)
            }
            (Way::Refuse, _) => return Err(polynomial::refuse(smallest)),
        };
        path.regular(shift)?;
        Ok(Posed {
            path,
            shift,
            twin,
            clipped,
            smallest,
            choice: match how {
                Some(how) => format!("{how}; {what}"),
                None => what,
            },
        })
    }

    /// `α` for a ridge, by a Cholesky factor where that decides it: a fixed ridge on a
    /// system that is positive definite, which no repair changes. `labels` choose an open
    /// ridge, `fitted` are what is fitted to.
    ///
    /// # Errors
    /// As [`Posing::pose`].
    pub(super) fn coefficients(
        &self,
        gram: Mat<f64>,
        ridge: Ridge,
        labels: &Mat<f64>,
        fitted: &Mat<f64>,
    ) -> Result<Mat<f64>> {
        let as_posed = !matches!(self.repair, Repair::PsdTwin | Repair::Clip);
        if let (Ridge::Fixed(ridge), true) = (ridge, as_posed) {
            let mut system = gram.clone();
            let shift = labels.nrows() as f64 * ridge;
            (0..gram.nrows()).for_each(|i| system[(i, i)] += shift);
            if let Ok(factor) = cholesky::factor(system, "the kernel plus ridge", "", &mut Quiet) {
                let mut alpha = fitted.clone();
                factor.solve_in_place(alpha.as_mut());
                return Ok(alpha);
            }
        }
        let posed = self.pose(RidgePath::new(gram.as_ref())?, ridge, labels)?;
        Ok(posed.coefficients(fitted))
    }

    /// The twin's ridge β is the inverse Laplacian's `(β + N/n)/η`.
    fn twin(&self, shift: f64, eta: f64) -> f64 {
        (shift + self.total as f64) / eta
    }

    fn way(&self, path: &RidgePath, shift: f64) -> Way {
        let eta = self.eta.filter(|eta| *eta > 0.0);
        match (self.repair, eta, path.definite(shift)) {
            (Repair::PsdTwin, Some(eta), _) => Way::Twin(eta),
            (Repair::Clip, ..) => Way::Clip,
            (Repair::Allow, ..) | (_, _, true) => Way::AsPosed,
            (Repair::Auto, Some(eta), false) => Way::Twin(eta),
            (Repair::Auto, None, false) => Way::Clip,
            (Repair::Refuse | Repair::PsdTwin, _, false) => Way::Refuse,
        }
    }

    /// The ridge with the smallest leave-one-out squared error on a grid that
    /// follows the kernel's scale.
    fn best(&self, path: &RidgePath, labels: &Mat<f64>) -> Result<(f64, Option<String>)> {
        let n = labels.nrows() as f64;
        if labels.nrows() < 3 {
            let how = "ridge 0.001: too few labels to choose one".to_owned();
            return Ok((1e-3, Some(how)));
        }
        let scale = path.eigenvalues().iter().map(|v| v.max(0.0)).sum::<f64>() / n / n;
        let mut best: Option<(f64, f64)> = None;
        for factor in RIDGES {
            let ridge = factor * scale;
            let Ok(posed) = self.pose(path.clone(), Ridge::Fixed(ridge), labels) else {
                continue;
            };
            let error = posed.squared_error(labels, self.centring);
            if error.is_finite() && best.is_none_or(|(_, least)| error < least) {
                best = Some((ridge, error));
            }
        }
        let Some((ridge, _)) = best else {
            return Err(polynomial::refuse(path.smallest()));
        };
        let how = format!("ridge {ridge:.3e}, the least leave-one-label-out error of 13");
        Ok((ridge, Some(how)))
    }
}

/// How an n×n system is made solvable.
enum Way {
    AsPosed,
    Twin(f64),
    Clip,
    Refuse,
}

impl Posed {
    /// `α`, without clipped directions.  [STKR Eqn 7]
    pub fn coefficients(&self, labels: &Mat<f64>) -> Mat<f64> {
        self.path.kept(self.shift, labels.as_ref())
    }

    /// As [`RidgePath::leave_one_out`].
    pub fn leave_one_out(&self, labels: &Mat<f64>, centring: Centring) -> Mat<f64> {
        self.path
            .leave_one_out(self.shift, labels.as_ref(), centring)
    }

    /// The mean squared leave-one-out error, summed over columns.
    pub fn squared_error(&self, labels: &Mat<f64>, centring: Centring) -> f64 {
        let n = labels.nrows() as f64;
        let left = self.leave_one_out(labels, centring);
        let mut error = 0.0;
        for j in 0..labels.ncols() {
            let sum: f64 = labels.col(j).iter().sum();
            for i in 0..labels.nrows() {
                let mean = match centring {
                    Centring::Mean if n > 1.0 => (sum - labels[(i, j)]) / (n - 1.0),
                    _ => 0.0,
                };
                error += (labels[(i, j)] - mean - left[(i, j)]).powi(2);
            }
        }
        error / n
    }
}
