//! The stage a fit plays on: `S = G_K/N` without the modes taken out, and
//! `t(S)` with `t(λ) = s(λ)/λ`, which turns labels into coefficients.

use std::sync::{Arc, OnceLock};

use super::factored::Factored;
use super::reports::{exact, lanczos_report};
use crate::base::{Base, SparseParts};
use crate::error::Result;
use crate::linalg::Block;
use crate::monitor::Monitor;
use crate::operator::centred::Centred;
use crate::operator::deflated::Deflated;
use crate::operator::horner::Horner;
use crate::operator::{Modes, Operator, Symmetric};
use crate::solve::SolveReport;
use crate::solve::conjugate_gradient::{self, Definite};
use crate::solve::lanczos;
use crate::solve::resolvent::Resolvent;
use crate::spectrum::{Resolvent as ResolventParts, SpectralFunction, Transform};

/// A transform by the algorithm that serves it.
#[derive(Clone)]
pub(super) enum Form {
    /// `s(λ) = Σ πₚλᵖ`; π₁ first.  [STKR Alg. 1]
    Series(Vec<f64>),
    /// `1/s(λ) = Σ ξₚλᵖ⁻ʳ`.  [STKR Alg. 2]
    Reciprocal { weights: Vec<f64>, order: usize },
    /// Any other, by Lanczos.
    Function(Arc<dyn SpectralFunction>),
}

impl Form {
    /// The form of a transform on eigenvalues of at most `bound`.
    pub(super) fn of(transform: &Transform, bound: f64) -> Self {
        if let Some((weights, order)) = transform.reciprocal() {
            return Self::Reciprocal { weights, order };
        }
        match transform.series(bound) {
            Some(series) => Self::Series(series.weights),
            None => Self::Function(Arc::new(transform.clone())),
        }
    }

    /// η, for the inverse Laplacian.
    pub(super) fn eta(&self) -> Option<f64> {
        match self {
            Self::Reciprocal { weights, order: 1 } => match weights.as_slice() {
                [first, second] if *first == 1.0 && *second <= 0.0 => Some(-second),
                _ => None,
            },
            _ => None,
        }
    }
}

/// `t(λ) = s(λ)/λ` as a function of its own.
pub(super) struct Ratio<'s>(pub(super) &'s dyn SpectralFunction);

impl SpectralFunction for Ratio<'_> {
    fn at(&self, eigenvalue: f64) -> f64 {
        self.0.ratio(eigenvalue)
    }

    fn resolvent(&self) -> Option<ResolventParts> {
        let whole = self.0.resolvent().filter(|r| r.times)?;
        Some(ResolventParts {
            times: false,
            ..whole
        })
    }
}

/// The Gram operator with what is known of it.
pub(super) struct TransformedGram<'a> {
    pub(super) gram: Box<dyn Symmetric + 'a>,
    pub(super) sparse: Option<SparseParts<'a>>,
    /// Exact eigenvectors with eigenvalue 1.
    pub(super) known: Option<&'a Modes>,
    /// Those of them that are taken out of the kernel.
    pub(super) removed: Option<Modes>,
    pub(super) tolerance: f64,
    pub(super) iterations: usize,
    /// Whether `Q` is factored instead of iterated with.
    pub(super) direct: bool,
    pub(super) factored: OnceLock<Factored>,
}

impl<'a> TransformedGram<'a> {
    /// Entries of the modes that are taken out, at some samples.
    pub(super) fn removed_at(&self, index: &[usize]) -> Option<Vec<f64>> {
        let removed = self.removed.as_ref()?;
        Some(index.iter().map(|&i| removed.entry(i)).collect())
    }

    /// A base's Gram operator, centred or not.
    pub(super) fn new<B: Base>(
        base: &'a B,
        centre: bool,
        known: Option<&'a Modes>,
        removed: Option<Modes>,
    ) -> Self {
        let gram = base.gram();
        Self {
            gram: if centre {
                Box::new(Centred { inner: gram })
            } else {
                gram
            },
            sparse: if centre { None } else { base.sparse() },
            known: if centre { None } else { known },
            removed: if centre { None } else { removed },
            tolerance: 1e-10,
            iterations: 10_000,
            direct: false,
            factored: OnceLock::new(),
        }
    }

    /// N, all visible samples.
    pub(super) fn total(&self) -> usize {
        self.gram.dim()
    }

    /// `S` without the modes that are taken out.
    pub(super) fn kernel(&self) -> Box<dyn Symmetric + '_> {
        match &self.removed {
            Some(modes) => Box::new(Deflated {
                inner: &*self.gram,
                modes,
            }),
            None => Box::new(&*self.gram),
        }
    }

    /// `S` for functions of it, with the modes that are known.
    pub(super) fn target(&self) -> lanczos::Target<'_> {
        lanczos::Target {
            operator: &self.gram,
            modes: self.known,
        }
    }

    /// `P b`: the block without the modes that are taken out.
    pub(super) fn project(&self, block: &mut Block) {
        if let Some(modes) = &self.removed {
            modes.remove(block.as_mat_mut());
        }
    }

    /// `S x`.
    pub(super) fn times(&self, block: &Block, monitor: &mut dyn Monitor) -> Result<Block> {
        let mut out = Block::zeros(block.rows(), block.cols())?;
        self.gram.apply(block.as_mat(), out.as_mat_mut(), monitor)?;
        Ok(out)
    }

    /// `P t(S) P b`: what labels weighted by b leave as coefficients, and how
    /// well it was solved for.
    pub(super) fn smooth(
        &self,
        form: &Form,
        mut block: Block,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        self.project(&mut block);
        let (mut out, report) = match form {
            Form::Series(weights) => {
                let mut out = Block::zeros(block.rows(), block.cols())?;
                let horner = Horner::new(&*self.gram, weights.clone())?;
                horner.apply(block.as_mat(), out.as_mat_mut(), monitor)?;
                (out, exact("horner", self.total(), weights.len() - 1))
            }
            Form::Reciprocal { weights, order } => {
                let (mut theta, report) = self.invert(form, weights, block, monitor)?;
                for _ in 1..*order {
                    theta = self.times(&theta, monitor)?;
                }
                (theta, report)
            }
            Form::Function(s) => self.function(s, block, monitor)?,
        };
        self.project(&mut out);
        Ok((out, report))
    }

    /// `Q⁻¹ b` with `Q = Σ ξₚSᵖ`, known modes divided out exactly.
    fn invert(
        &self,
        form: &Form,
        weights: &[f64],
        mut block: Block,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        if self.direct {
            let factored = match self.factored.get() {
                Some(factored) => factored,
                None => {
                    let made = match (self.sparse, form.eta()) {
                        (Some(parts), Some(eta)) => Factored::sparse(parts, eta)?,
                        _ => Factored::dense(&*self.gram, weights, monitor)?,
                    };
                    self.factored.get_or_init(|| made)
                }
            };
            // Known modes are divided out exactly: what is left is well conditioned.
            let overlaps = self.known.map(|m| (m, m.remove(block.as_mat_mut())));
            let (mut theta, report) = factored.solve(&*self.gram, weights, &block, monitor)?;
            if let Some((modes, overlaps)) = overlaps {
                modes.remove(theta.as_mat_mut());
                let factor = 1.0 / weights.iter().sum::<f64>();
                modes.add(factor, overlaps.as_ref(), theta.as_mat_mut());
            }
            return Ok((theta, report));
        }
        if let (Some(parts), Some(eta)) = (self.sparse, form.eta()) {
            let system = Resolvent::new(parts, eta);
            return system.solve(self.known, block, self.tolerance, self.iterations, monitor);
        }
        let overlaps = self.known.map(|m| (m, m.remove(block.as_mat_mut())));
        let q = Horner::new(&*self.gram, weights.to_vec())?;
        let system = Definite {
            operator: &q,
            name: "Q = Σ ξₚ(G/N)ᵖ",
            hint: "1/s must be positive on the spectrum: lower eta below 1/λ₁",
        };
        let (mut theta, report) =
            conjugate_gradient::solve(system, block, self.tolerance, self.iterations, monitor)?;
        if let Some((modes, overlaps)) = overlaps {
            let factor = 1.0 / weights.iter().sum::<f64>();
            modes.add(factor, overlaps.as_ref(), theta.as_mat_mut());
        }
        Ok((theta, report))
    }

    /// `t(S) b` by Lanczos, known modes multiplied exactly.
    fn function(
        &self,
        s: &Arc<dyn SpectralFunction>,
        block: Block,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        let ratio = Ratio(&**s);
        let (out, done) = lanczos::apply(
            self.target(),
            block,
            &ratio,
            self.tolerance,
            self.iterations,
            monitor,
        )?;
        let report = lanczos_report(self.total(), &done);
        Ok((out, report))
    }
}
