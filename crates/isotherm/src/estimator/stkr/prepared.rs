//! A base with everything of STKR that does not need labels.

use std::sync::{Arc, Mutex};

use super::cached::Cached;
use super::kernel_pca::KernelPca;
use super::label_system::SystemOptions;
use super::params::{Repair, StkrParams};
use super::transformed_gram::{Form, TransformedGram};
use super::twin::Twin;
use crate::base::Base;
use crate::error::{Error, Refusal, Result};
use crate::estimator::centring::Centring;
use crate::estimator::trivial_mode::{TrivialMode, removable};
use crate::monitor::Monitor;
use crate::operator::{Modes, Symmetric};
use crate::spectrum::{Encoder, SpectralFunction, Transform, conditions};
use crate::task::Observed;

/// A base ready for any set of labels.
pub struct PreparedStkr<B> {
    pub(super) base: Arc<B>,
    pub(super) params: StkrParams,
    pub(super) form: Form,
    pub(super) modes: Option<Modes>,
    pub(super) component: Option<Vec<u32>>,
    pub(super) pca: Option<KernelPca>,
    pub(super) seed: u64,
    /// The lowest eigenvalue of the base kernel or a bound below it; 0 where none is
    /// negative, or where no repair asks.
    pub(super) lowest: f64,
    /// The last label system, for a smoother, influences or other values of the same
    /// labels after a fit to them.
    pub(super) last: Mutex<Option<Arc<Cached>>>,
}

impl<B: Base> PreparedStkr<B> {
    /// The base.
    pub fn base(&self) -> &Arc<B> {
        &self.base
    }

    /// The same with every mode kept, as labels that are still to be chosen need it: a
    /// component without its constant prefers labels that vary.
    #[must_use]
    pub fn keeping_modes(&self) -> Self {
        Self {
            base: self.base.clone(),
            params: StkrParams {
                trivial_mode: TrivialMode::Keep,
                ..self.params.clone()
            },
            form: self.form.clone(),
            modes: self.modes.clone(),
            component: self.component.clone(),
            pca: self.pca.clone(),
            seed: self.seed,
            lowest: self.lowest,
            last: Mutex::new(None),
        }
    }

    /// Theorem 1's conditions on [0, λ₁], with λ₁ sought where its bound is too wide.
    ///
    /// # Errors
    /// [`Error::Parameter`] naming the eigenvalue at which one fails.
    pub fn check(&self, s: &dyn SpectralFunction, monitor: &mut dyn Monitor) -> Result<()> {
        let high = self.base.gram().spectrum().high;
        if high.is_finite() && conditions::check_on(s, high).is_ok() {
            return Ok(());
        }
        // The bound may be far from λ₁; the conditions are about the spectrum.
        let transformed = self.transformed(None);
        let options = crate::solve::eigenpairs::LeadingOptions {
            tolerance: 1e-6,
            seed: self.seed,
            at_most: 200,
        };
        let top = crate::solve::eigenpairs::leading(&*transformed.gram, 1, &options, monitor)?;
        let (value, error) = match (top.values.first(), top.residuals.first()) {
            (Some(value), Some(error)) => (*value, *error),
            _ => (0.0, 0.0),
        };
        let top = (value + error).max(0.0);
        let found = conditions::check_on(s, top).map(|_| ());
        found.map_err(|refusal| match (refusal, self.form.eta()) {
            (refusal @ Error::Parameter { .. }, Some(eta)) if eta * top >= 1.0 => refusal
                .with_hint(format!(
                    "choose eta below {:.6}, or divide the similarities by {top:.6}",
                    1.0 / top
                )),
            (refusal, _) => refusal,
        })
    }

    pub(super) fn transformed(&self, removed: Option<Modes>) -> TransformedGram<'_> {
        let known = self.modes.as_ref();
        TransformedGram {
            tolerance: self.params.tolerance,
            iterations: self.params.iterations,
            ..TransformedGram::new(&*self.base, self.params.centre_kernel, known, removed)
        }
    }

    /// The modes to take out for these labels.
    pub(super) fn removed(&self, seen: &Observed) -> Option<Modes> {
        match (self.params.trivial_mode, &self.modes) {
            (TrivialMode::Remove, Some(modes)) => {
                Some(removable(modes, seen)).filter(|modes| !modes.is_empty())
            }
            _ => None,
        }
    }

    /// The leading modes of a truncation.
    pub(super) fn decompose(
        &self,
        rank: usize,
        removed: Option<Modes>,
        unlabelled: Option<&[usize]>,
        monitor: &mut dyn Monitor,
    ) -> Result<KernelPca> {
        let component = if self.params.centre_kernel {
            None
        } else {
            self.component.as_deref()
        };
        let transformed = self.transformed(removed);
        KernelPca::new(
            &transformed,
            component,
            rank,
            unlabelled,
            self.seed,
            monitor,
        )
    }

    /// The truncation's modes for these labels, kept from `prepare` where they
    /// do not depend on them; `None` for another transform.
    ///
    /// # Errors
    /// [`Error::Refused`] when no sample is left to encode from.
    pub fn kernel_pca(
        &self,
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<KernelPca>> {
        let Transform::Truncation { rank, encoder } = self.params.transform else {
            return Ok(None);
        };
        if let Some(pca) = &self.pca {
            return Ok(Some(pca.clone()));
        }
        let removed = self.removed(seen);
        let rest: Option<Vec<usize>> = match encoder {
            Encoder::All => None,
            Encoder::Unlabelled => {
                let mut labelled = vec![false; seen.total()];
                seen.index().iter().for_each(|&i| labelled[i] = true);
                let rest: Vec<usize> = (0..seen.total()).filter(|&i| !labelled[i]).collect();
                if rest.is_empty() {
                    return Err(Error::refused(
                        Refusal::AllLabelled,
                        "every sample is labelled: nothing is left to encode from",
                        "use the encoder all",
                    ));
                }
                Some(rest)
            }
        };
        self.decompose(rank, removed, rest.as_deref(), monitor)
            .map(Some)
    }

    /// What decides the n×n system, besides its matrix and weights.
    pub fn system_options(&self) -> SystemOptions {
        match &self.form {
            Form::Function(s) => self.options_by(&**s, &self.params.transform),
            _ => self.system_options_of(&self.params.transform),
        }
    }

    /// As [`PreparedStkr::system_options`] for another transform on the same base.
    pub fn system_options_of(&self, transform: &Transform) -> SystemOptions {
        self.options_by(transform, transform)
    }

    fn options_by(&self, s: &dyn SpectralFunction, transform: &Transform) -> SystemOptions {
        SystemOptions {
            repair: self.params.repair,
            twin: self.twin_of(s, transform),
            total: self.base.len(),
            centring: self.centring(),
        }
    }

    /// The twin that a transform is fitted through; `None` where it is fitted as posed.
    fn twin_of(&self, s: &dyn SpectralFunction, transform: &Transform) -> Option<Twin> {
        let total = self.base.len();
        let eta = transform.eta().filter(|eta| *eta > 0.0);
        // A truncation keeps positive eigenvalues only.
        let cut = matches!(transform, Transform::Truncation { .. });
        match (self.params.repair, eta) {
            (Repair::PsdTwin, Some(eta)) => Some(Twin::of_inverse_laplacian(eta, total)),
            (Repair::Auto, _) if self.lowest >= 0.0 || cut => None,
            (Repair::Auto, Some(eta)) => Some(Twin::of_inverse_laplacian(eta, total)),
            (Repair::Auto, None) => Twin::least(s, self.lowest, total),
            _ => None,
        }
    }

    pub(super) fn centring(&self) -> Centring {
        Centring::if_wanted(self.params.centre_labels)
    }

    /// s(λ), the transform at an eigenvalue; of a truncation, that of a mode it keeps.
    pub fn gain(&self, eigenvalue: f64) -> f64 {
        match &self.form {
            Form::Function(s) => s.at(eigenvalue),
            _ => self.params.transform.at(eigenvalue),
        }
    }
}
