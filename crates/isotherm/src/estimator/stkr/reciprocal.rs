//! `1/s(λ) = Σ ξₚλᵖ⁻ʳ`: `M θ = ỹ` over all samples, one column a class.  [STKR Alg. 2, Eqn 20]
//!
//! `M = N Ĩ Sʳ + nβ Q` with `Q = Σ ξₚSᵖ` (line 5 of the printed algorithm lacks
//! the power r of `G_K`). M is not symmetric, but `SʳM` is: conjugate gradients
//! run in ⟨u, v⟩ = uᵀSʳv where S is positive. For the inverse Laplacian the
//! unlabelled rows, which read `nβ(Qθ)ᵤ = 0`, may be rescaled to
//! `[(N/η)Ĩ + κQ] θ = ỹ`, κ = nβ − N/η: symmetric for any S, positive for κ > 0. The p.s.d.
//! twin has κ = nβ/η; with weights each label has its own κ, and its row is divided by it.

use super::polynomial::{Labels, stop};
use super::transformed_gram::TransformedGram;
use crate::error::{Error, Result};
use crate::linalg::{Block, Mat, MatMut, MatRef};
use crate::monitor::Monitor;
use crate::operator::horner::Horner;
use crate::operator::{Operator, SpectrumBounds, Symmetric};
use crate::solve::conjugate_gradient::{self, ConjugateGradient, Definite, InnerProduct};
use crate::solve::minres::Minres;
use crate::solve::richardson::Richardson;
use crate::solve::{self, SolveReport};

/// The labels over all samples, as far as each pulls.
fn lifted(total: usize, labels: &Labels<'_>) -> Result<Block> {
    let mut block = Block::zeros(total, labels.values.ncols())?;
    for (k, &i) in labels.index.iter().enumerate() {
        for (j, slot) in block.row_mut(i).iter_mut().enumerate() {
            *slot = labels.pull(k) * labels.values[(k, j)];
        }
    }
    Ok(block)
}

/// `M = N P Ĩ Sʳ + nβ Q`, lines 3 to 5 of Algorithm 2; P are the pulls of the labels, 1
/// without weights.
struct Printed<'s> {
    kernel: Box<dyn Symmetric + 's>,
    weights: Vec<f64>,
    order: usize,
    /// The labelled samples and their pulls.
    labels: Vec<(usize, f64)>,
    shift: f64,
}

impl Operator for Printed<'_> {
    fn dim(&self) -> usize {
        self.kernel.dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        // v ← Q θ
        let q = Horner::new(&*self.kernel, self.weights.clone())?;
        q.apply(block, out.as_mut(), monitor)?;
        // u ← [N (Sʳθ)[labelled], 0] + nβ v
        let mut power = Block::copy_of(block)?;
        let mut next = Block::zeros(block.nrows(), block.ncols())?;
        for _ in 0..self.order {
            self.kernel
                .apply(power.as_mat(), next.as_mat_mut(), monitor)?;
            std::mem::swap(&mut power, &mut next);
        }
        for j in 0..out.ncols() {
            for i in 0..out.nrows() {
                out[(i, j)] *= self.shift;
            }
            for &(i, pull) in &self.labels {
                out[(i, j)] += self.kernel.dim() as f64 * pull * power.row(i)[j];
            }
        }
        Ok(())
    }
}

/// [STKR Alg. 2]: `θ ← θ − γ(Mθ − ỹ)` from zero, to a residual or for exactly so
/// many steps. Without γ, `1/(Nλʳ + nβ max ρ)` at the edge of the spectrum.
pub(super) fn algorithm_2(
    transformed: &TransformedGram<'_>,
    (weights, order): (&[f64], usize),
    labels: &Labels<'_>,
    step: Option<f64>,
    steps: Option<usize>,
    monitor: &mut dyn Monitor,
) -> Result<(Block, SolveReport)> {
    let n = transformed.total();
    let system = printed(transformed, weights, order, labels);
    let step = step.unwrap_or_else(|| {
        let SpectrumBounds { low, high } = transformed.gram.spectrum();
        let edge = low.abs().max(high.abs());
        let horner = |x: f64| weights.iter().rev().fold(0.0, |s, w| s * x + w);
        let rho = horner(low).abs().max(horner(high).abs()).max(weights[0]);
        let power = edge.powi(i32::try_from(order).unwrap_or(i32::MAX));
        let pull = (0..labels.index.len()).fold(1.0_f64, |m, k| m.max(labels.pull(k)));
        1.0 / (n as f64 * pull * power + labels.shift * rho)
    });
    let iteration = Richardson::new(&system, lifted(n, labels)?, step)?;
    solve::drive(iteration, stop(transformed, steps), monitor)
}

fn printed<'s>(
    transformed: &'s TransformedGram<'_>,
    weights: &[f64],
    order: usize,
    labels: &Labels<'_>,
) -> Printed<'s> {
    Printed {
        kernel: transformed.kernel(),
        weights: weights.to_vec(),
        order,
        labels: labels
            .index
            .iter()
            .enumerate()
            .map(|(k, &i)| (i, labels.pull(k)))
            .collect(),
        shift: labels.shift,
    }
}

/// Conjugate gradients on `M` in the `Sʳ` inner product, for a positive `S`.
pub(super) fn weighted_gradients(
    transformed: &TransformedGram<'_>,
    (weights, order): (&[f64], usize),
    labels: &Labels<'_>,
    monitor: &mut dyn Monitor,
) -> Result<(Block, SolveReport)> {
    let system = printed(transformed, weights, order, labels);
    let mut powers = vec![0.0; order + 1];
    powers[order] = 1.0;
    let weight = Horner::new(transformed.kernel(), powers)?;
    let definite = Definite {
        operator: &system,
        name: "Algorithm 2's matrix in the Sʳ inner product",
        hint: "the base kernel is not positive: use the label-block solver or minres",
    };
    let rhs = lifted(transformed.total(), labels)?;
    let inner = InnerProduct::Weighted(&weight);
    let iteration = ConjugateGradient::new(definite, inner, rhs, transformed.tolerance, monitor)?;
    solve::drive(iteration, stop(transformed, None), monitor)
}

/// `(N/η)κ⁻¹Ĩ + Q` with `Q = I − ηS`, scaled on both sides to a unit diagonal where labelled.
struct SymmetricForm<'s> {
    kernel: Box<dyn Symmetric + 's>,
    eta: f64,
    /// N/(ηκᵢ) at labelled samples, else 0.
    pull: Vec<f64>,
    /// The two-sided scaling.
    scale: Vec<f64>,
}

impl<'s> SymmetricForm<'s> {
    fn new(
        transformed: &'s TransformedGram<'_>,
        eta: f64,
        kappa: &[f64],
        labels: &Labels<'_>,
    ) -> Self {
        let n = transformed.total();
        let mut pull = vec![0.0; n];
        let mut scale = vec![1.0; n];
        for (&i, kappa) in labels.index.iter().zip(kappa) {
            pull[i] = n as f64 / (eta * kappa);
            // The diagonal is 1 more, up to S's own, which is small beside it.
            scale[i] = (1.0 + pull[i]).abs().max(1.0).sqrt().recip();
        }
        Self {
            kernel: transformed.kernel(),
            eta,
            pull,
            scale,
        }
    }
}

impl Operator for SymmetricForm<'_> {
    fn dim(&self) -> usize {
        self.kernel.dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let mut scaled = Block::copy_of(block)?;
        for (i, scale) in self.scale.iter().enumerate() {
            scaled.row_mut(i).iter_mut().for_each(|v| *v *= scale);
        }
        self.kernel.apply(scaled.as_mat(), out.as_mut(), monitor)?;
        for (i, scale) in self.scale.iter().enumerate() {
            for (j, v) in scaled.row(i).iter().enumerate() {
                let q = v - self.eta * out[(i, j)];
                out[(i, j)] = scale * (self.pull[i] * v + q);
            }
        }
        Ok(())
    }
}

impl Symmetric for SymmetricForm<'_> {
    fn spectrum(&self) -> SpectrumBounds {
        SpectrumBounds {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        }
    }
}

/// The inverse Laplacian's symmetric form: conjugate gradients when every κᵢ is positive,
/// MINRES otherwise. `κᵢ = addedᵢ − N/η`, given because the difference loses digits.
pub(super) fn symmetric_form(
    transformed: &TransformedGram<'_>,
    eta: f64,
    kappa: &[f64],
    labels: &Labels<'_>,
    monitor: &mut dyn Monitor,
) -> Result<(Block, SolveReport)> {
    let n = transformed.total() as f64;
    if let Some(kappa) = kappa.iter().find(|k| k.abs() <= f64::EPSILON * n / eta) {
        return Err(Error::parameter(
            "ridge",
            "another number: at this one the equations over all samples degenerate",
            format!("κ = {kappa:e}"),
        )
        .with_hint("use label-block"));
    }
    let system = SymmetricForm::new(transformed, eta, kappa, labels);
    let mut rhs = Block::zeros(transformed.total(), labels.values.ncols())?;
    for (k, (&i, kappa)) in labels.index.iter().zip(kappa).enumerate() {
        for (j, slot) in rhs.row_mut(i).iter_mut().enumerate() {
            *slot = system.scale[i] * labels.values[(k, j)] / kappa;
        }
    }
    let (mut theta, report) = if kappa.iter().all(|k| *k > 0.0) {
        let definite = Definite {
            operator: &system,
            name: "(N/η)κ⁻¹Ĩ + (I − ηS)",
            hint: "lower eta below 1/λ₁",
        };
        conjugate_gradient::solve(
            definite,
            rhs,
            transformed.tolerance,
            transformed.iterations,
            monitor,
        )?
    } else {
        let iteration = Minres::new(&system, rhs, transformed.tolerance)?;
        solve::drive(iteration, stop(transformed, None), monitor)?
    };
    for (i, scale) in system.scale.iter().enumerate() {
        theta.row_mut(i).iter_mut().for_each(|v| *v *= scale);
    }
    Ok((theta, report))
}

/// `α = (Qθ)` at the labels.
pub(super) fn alpha_of(
    transformed: &TransformedGram<'_>,
    weights: &[f64],
    theta: &Block,
    index: &[usize],
    monitor: &mut dyn Monitor,
) -> Result<Mat<f64>> {
    let mut image = Block::zeros(theta.rows(), theta.cols())?;
    let q = Horner::new(transformed.kernel(), weights.to_vec())?;
    q.apply(theta.as_mat(), image.as_mat_mut(), monitor)?;
    Ok(Mat::from_fn(index.len(), theta.cols(), |k, j| {
        image.row(index[k])[j]
    }))
}
