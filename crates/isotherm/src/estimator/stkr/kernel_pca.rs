//! Kernel PCA and a ridge probe: `s(λᵢ) = λᵢ` for the leading modes, 0 for the
//! others.  [STKR Eqns 8–9]
//!
//! With unit eigenvectors `V` of the encoder's Gram operator, the encoder is
//! `ψᵢ(x) = Σⱼ vᵢ[j] K(xⱼ, x)/√(mλ̃ᵢ)`; the probe's ridge is solved in its dual,
//! with the n×n kernel `Ψₗ Ψₗᵀ`.

use super::label_block::LabelBlock;
use super::transformed_gram::TransformedGram;
use crate::error::{Error, Refusal, Result};
use crate::linalg::gemm::{self, Write};
use crate::linalg::{Block, Mat, MatRef};
use crate::monitor::Monitor;
use crate::operator::masked::Masked;
use crate::operator::scaled::Scaled;
use crate::operator::{Operator, Symmetric};
use crate::solve::components::leading_by_component;
use crate::solve::eigenpairs::{self, Leading, LeadingOptions};
use crate::solve::{Outcome, SolveReport};

/// Eigenvalues this close, relative to the largest, count as equal.
const TIE: f64 = 1e-8;

/// Eigenvalues below this, relative to the largest, count as zero.
const NOTHING: f64 = 1e-12;

/// The leading modes of a base, and what they make of every sample.
#[derive(Debug, Clone)]
pub struct KernelPca {
    /// λ̃ᵢ, descending, all positive.
    values: Vec<f64>,
    /// Coefficients of the encoder: ψᵢ = K(·, X) column i; N×d.
    encoder: Mat<f64>,
    /// ψᵢ at every visible sample; N×d.
    features: Mat<f64>,
    /// The next eigenvalue, which was left out.
    next: Option<f64>,
    /// Modes asked for.
    asked: usize,
    report: SolveReport,
}

impl KernelPca {
    /// The `rank` leading modes over all visible samples, or over `unlabelled`
    /// ones only.
    pub(super) fn new(
        transformed: &TransformedGram<'_>,
        component: Option<&[u32]>,
        rank: usize,
        unlabelled: Option<&[usize]>,
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let total = transformed.total();
        let options = LeadingOptions {
            tolerance: transformed.tolerance.max(1e-10),
            seed,
            at_most: 500,
        };
        let samples: Vec<usize> = match unlabelled {
            Some(rows) => rows.to_vec(),
            None => (0..total).collect(),
        };
        let m = samples.len();
        // One more than asked for tells whether the cut falls into a tie.
        let count = (rank + 1).min(m);
        let kernel = transformed.kernel();
        let found = match unlabelled {
            None => leading(&*kernel, component, count, &options, monitor)?,
            Some(_) => {
                let inner = Masked::new(&*kernel, samples.clone())?;
                let scaled = Scaled {
                    inner,
                    factor: total as f64 / m.max(1) as f64, // G_{K,m}/m
                };
                let component: Option<Vec<u32>> =
                    component.map(|c| samples.iter().map(|&i| c[i]).collect());
                leading(&scaled, component.as_deref(), count, &options, monitor)?
            }
        };
        let largest = found.values.first().copied().unwrap_or(0.0);
        let positive = |v: &&f64| **v > NOTHING * largest.max(f64::MIN_POSITIVE);
        let kept = found.values.iter().take(rank).filter(positive).count();
        if kept == 0 {
            return Err(Error::refused(
                Refusal::Kernel,
                "the base kernel has no positive eigenvalue",
                "use another kernel or graph",
            ));
        }
        let mut encoder = Mat::zeros(total, kept);
        for i in 0..kept {
            let scale = 1.0 / (m as f64 * found.values[i]).sqrt();
            for (k, &sample) in samples.iter().enumerate() {
                encoder[(sample, i)] = scale * found.vectors[(k, i)];
            }
        }
        // ψ at all samples: K · encoder = N S encoder.
        let mut features = Mat::zeros(total, kept);
        kernel.apply(encoder.as_ref(), features.as_mut(), monitor)?;
        for j in 0..kept {
            for i in 0..total {
                features[(i, j)] *= total as f64;
            }
        }
        let residual = found.residuals.iter().take(kept);
        let residual = residual.fold(0.0_f64, |w, r| w.max(*r)) / largest;
        Ok(Self {
            next: found.values.get(kept).copied(),
            values: found.values[..kept].to_vec(),
            encoder,
            features,
            asked: rank,
            report: SolveReport {
                solver: "block lanczos".to_owned(),
                size: m,
                iterations: found.products,
                residual,
                condition: None,
                outcome: if found.converged {
                    Outcome::Converged
                } else {
                    Outcome::Exhausted
                },
                error_estimate: None,
                smallest: None,
                choice: None,
            },
        })
    }

    /// λ̃ᵢ, descending.
    pub fn eigenvalues(&self) -> &[f64] {
        &self.values
    }

    /// ψᵢ at every visible sample, one column per mode.
    pub fn features(&self) -> &Mat<f64> {
        &self.features
    }

    /// What is to be said of a cut at `rank`: fewer modes than asked for, or a cut
    /// through equal eigenvalues, where the subspace is an arbitrary choice.
    pub fn remark(&self, rank: usize) -> Option<String> {
        let kept = rank.min(self.values.len());
        if kept < rank.min(self.asked) {
            return Some(format!(
                "only {kept} of the {rank} modes asked for have a positive eigenvalue"
            ));
        }
        let last = *self.values.get(kept.wrapping_sub(1))?;
        let next = self.values.get(kept).copied().or(self.next)?;
        let tie = TIE * self.values.first()?;
        if last - next > tie {
            return None;
        }
        let equal = self.values.iter().filter(|v| (**v - last).abs() <= tie);
        Some(format!(
            "rank {rank} cuts through at least {} equal eigenvalues {last:.6}; ties are kept in \
             the order of component size, another rank may serve better",
            equal.count() + usize::from(kept == self.values.len())
        ))
    }

    /// Coefficients of the encoder over the base, one column per mode.
    pub fn encoder(&self) -> &Mat<f64> {
        &self.encoder
    }

    /// The kernel of the leading `rank` modes between labels and evaluated samples.
    pub fn label_block(&self, rank: usize, index: &[usize], evaluated: &[usize]) -> LabelBlock {
        let pick = |k: usize, i: usize| self.features[(evaluated[k], i)];
        let features = Mat::from_fn(evaluated.len(), self.values.len(), pick);
        self.label_block_at(rank, index, &features)
    }

    /// As [`KernelPca::label_block`] at samples with the given features, one row each.
    pub fn label_block_at(&self, rank: usize, index: &[usize], features: &Mat<f64>) -> LabelBlock {
        let d = rank.min(self.values.len());
        let labelled = Mat::from_fn(index.len(), d, |k, i| self.features[(index[k], i)]);
        let product = |left: MatRef<'_, f64>| {
            let mut out = Mat::zeros(left.nrows(), index.len());
            let right = labelled.as_ref().transpose();
            gemm::product(out.as_mut(), Write::Replace, left, right, 1.0);
            out
        };
        LabelBlock {
            index: index.to_vec(),
            gram: product(labelled.as_ref()),
            cross: product(features.as_ref().subcols(0, d)),
            report: self.report.clone(),
        }
    }

    /// `c = V Ψₗᵀ α`: the probe as coefficients over the base.
    pub(super) fn coefficients(
        &self,
        rank: usize,
        index: &[usize],
        alpha: &Mat<f64>,
    ) -> Result<Block> {
        let d = rank.min(self.values.len());
        let labelled = Mat::from_fn(d, index.len(), |i, k| self.features[(index[k], i)]);
        let mut probe = Mat::zeros(d, alpha.ncols());
        gemm::product(
            probe.as_mut(),
            Write::Replace,
            labelled.as_ref(),
            alpha.as_ref(),
            1.0,
        );
        let mut out = Mat::zeros(self.encoder.nrows(), alpha.ncols());
        let encoder = self.encoder.as_ref().subcols(0, d);
        gemm::product(out.as_mut(), Write::Replace, encoder, probe.as_ref(), 1.0);
        Block::copy_of(out.as_ref())
    }
}

fn leading(
    operator: &dyn Symmetric,
    component: Option<&[u32]>,
    count: usize,
    options: &LeadingOptions,
    monitor: &mut dyn Monitor,
) -> Result<Leading> {
    match component {
        Some(component) => leading_by_component(operator, component, count, options, monitor),
        None => eigenpairs::leading(operator, count, options, monitor),
    }
}
