//! STKR as a prior: `F = √(N s(λᵢ)) ψᵢ` of the leading modes of S.

use super::PreparedStkr;
use super::label_system::USUAL;
use super::params::Ridge;
use super::transformed_gram::Form;
use crate::base::Base;
use crate::error::{Error, Refusal, Result};
use crate::estimator::TrivialMode;
use crate::estimator::spectral::{Prior, Spectral, Weight, check_count, leading, level, trace};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::spectrum::{SpectralFunction, Transform};

impl<B: Base> Spectral for PreparedStkr<B> {
    /// `K_s = N Σ s(λᵢ) ψᵢψᵢᵀ` over the leading modes with `s(λᵢ) > 0`.
    ///
    /// A component's trivial mode `u_C` is a feature of its own, in every component:
    /// with weight `N s(1)` where trivial modes are kept, and where they are removed with
    /// the mean variance a row has from the other modes, but at most the weight of the
    /// smoothest of them: enough to carry one label through a component, not enough to
    /// drown what tells classes apart.
    ///
    /// c is nβ (β = 10⁻³ where it is left to the labels) plus, on a kernel, the mean of
    /// `s′(0)(tr S − Σλᵢ)` that the modes left out; where a base is not positive it is the
    /// p.s.d. twin's, for an inverse Laplacian `(nβ + N)/η`, whose N is that of
    /// `N(I − ηS)⁻¹ = N I + …`.
    fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior> {
        check_count(count)?;
        let s: &dyn SpectralFunction = match &self.form {
            Form::Function(s) => &**s,
            _ => &self.params.transform,
        };
        let count = match (&self.form, &self.params.transform) {
            (Form::Function(_), Transform::Truncation { rank, .. }) => count.min(*rank),
            _ => count,
        };
        let transformed = self.transformed(None);
        let (modes, component) = if self.params.centre_kernel {
            (None, None)
        } else {
            (self.modes.as_ref(), self.component.as_deref())
        };
        let weight = |v: f64| if v > 0.0 { s.at(v) } else { 0.0 };
        let gram = &*transformed.gram;
        let found = leading(gram, modes, component, count, self.seed, &weight, monitor)?;
        let n = self.base.len() as f64;
        let top = found.values.first().copied();
        let trivial = match (self.params.trivial_mode, top) {
            (TrivialMode::Remove, Some(top)) => {
                // The mean of Σ N s(λᵢ) ψᵢ² over N rows.
                let each = found.values.iter().map(|v| s.at(*v)).sum();
                Weight::Row(each, n * s.at(top))
            }
            _ => Weight::Mode(n * s.at(1.0)),
        };
        let known = modes.is_some_and(|modes| !modes.is_empty());
        if found.values.is_empty() && !known {
            return Err(Error::refused(
                Refusal::Kernel,
                "the base kernel has no positive eigenvalue",
                "use another kernel or graph",
            ));
        }
        let scale: Vec<f64> = found.values.iter().map(|v| (n * s.at(*v)).sqrt()).collect();
        let features = Mat::from_fn(self.base.len(), scale.len(), |i, j| {
            scale[j] * found.vectors[(i, j)]
        });
        let ridge = match self.params.ridge {
            Ridge::Auto => USUAL,
            Ridge::Fixed(ridge) => ridge,
        };
        let whole = found.values.len() >= self.base.len();
        let (mut share, mut left) = (whole.then_some(1.0), 0.0);
        if !whole && self.base.sparse().is_none() {
            let all = trace(gram, self.seed, monitor)?;
            let kept: f64 = found.values.iter().sum();
            left = s.ratio(0.0).max(0.0) * (all - kept).max(0.0);
            let weights: f64 = found.values.iter().map(|v| s.at(*v)).sum();
            share = Some(weights / (weights + left));
        }
        let twin = self.system_options().twin;
        let (fixed, each, how) = match twin {
            Some(twin) => (twin.lift, twin.share * ridge, "noise of the p.s.d. twin"),
            None => (left, ridge, "noise nβ and what modes leave out"),
        };
        let note = format!(
            "{} leading modes of S, eigenvalues {:.4} to {:.4}; {how}",
            found.values.len(),
            top.unwrap_or(1.0),
            found.values.last().copied().unwrap_or(1.0),
        );
        let prior = Prior::new(features, fixed, each)?.saying(share, note);
        match level(modes, component, &trivial) {
            Some(level) => prior.with_level(level),
            None => Ok(prior),
        }
    }
}
