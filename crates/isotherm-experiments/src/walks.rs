//! Iterations cut after T ≤ 32 steps, every cell of a grid from shared products:
//! label propagation, and [STKR Alg. 2] for the inverse Laplacian.

use anyhow::Result;
use isotherm::base::Base;
use isotherm::linalg::Block;
use isotherm::monitor::Quiet;
use isotherm::operator::Operator;
use isotherm::select::grid::{ETAS, RIDGES};
use rayon::prelude::*;

use crate::grid::STEPS;
use crate::stage::{Stage, Verdict, right};

/// A cell of a grid with steps.
#[derive(Debug, Clone, Copy)]
pub struct Walk {
    /// η.
    pub eta: f64,
    /// β; 0 for label propagation.
    pub ridge: f64,
    /// T.
    pub steps: usize,
    /// Per cent right on the validation nodes.
    pub validation: f64,
    /// On the others.
    pub verdict: Verdict,
}

/// T steps of `F ← ηSF + Y` from zero are `Σ_{k<T} ηᵏSᵏY`: every T and η from
/// one walk through the powers. The first of the best on validation.
///
/// Cells in the order of T, then η.
///
/// # Errors
/// When a product fails.
pub fn label_propagation(stage: &Stage) -> Result<Vec<(usize, f64, f64)>> {
    let gram = stage.base.gram();
    let nodes = stage.validation_rows();
    let mut power = stage.seen.lifted()?;
    let width = power.cols();
    let mut sums = vec![vec![0.0; nodes.len() * width]; ETAS.len()];
    let mut weights = [1.0; ETAS.len()];
    let mut cells = Vec::new();
    for t in 1..=STEPS[STEPS.len() - 1] {
        for ((sum, weight), eta) in sums.iter_mut().zip(&mut weights).zip(ETAS) {
            for (slot, &i) in sum.chunks_exact_mut(width).zip(nodes) {
                for (s, v) in slot.iter_mut().zip(power.row(i)) {
                    *s += *weight * v;
                }
            }
            *weight *= eta;
        }
        if STEPS.contains(&t) {
            for (sum, eta) in sums.iter().zip(ETAS) {
                cells.push((t, eta, right(sum.chunks_exact(width), &stage.validation)));
            }
        }
        let mut next = Block::zeros(power.rows(), width)?;
        gram.apply(power.as_mat(), next.as_mat_mut(), &mut Quiet)?;
        power = next;
    }
    Ok(cells)
}

/// [STKR Alg. 2] for `1/s = 1/λ − η`, `θ ← θ − γ(Mθ − ỹ)` from zero with
/// `M = NĨS + nβ(I − ηS)` and γ = 1/(n(1 + 2β)): all ridges of an η in one block.
///
/// For each η the first of the best cells, by β and then T. Transductive only.
///
/// # Errors
/// When a product fails.
pub fn inverse_laplacian(stage: &Stage) -> Result<Vec<Walk>> {
    let gram = stage.base.gram();
    let (total, n) = (stage.base.len() as f64, stage.seen.index().len() as f64);
    let classes = stage.seen.width();
    let labels = stage.seen.values();
    let gamma: Vec<f64> = (RIDGES.iter())
        .map(|b| 1.0 / (n * (1.0 + 2.0 * b)))
        .collect();
    let mut found = Vec::new();
    for eta in ETAS {
        let columns = RIDGES.len() * classes;
        let mut theta = Block::zeros(stage.base.len(), columns)?;
        let mut image = Block::zeros(stage.base.len(), columns)?;
        let stride = theta.stride();
        let mut keep = vec![0.0; stride];
        let mut take = vec![0.0; stride];
        for c in 0..columns {
            let pull = gamma[c / classes] * n * RIDGES[c / classes];
            (keep[c], take[c]) = (1.0 - pull, pull * eta);
        }
        let mut cells: Vec<Walk> = Vec::new();
        for t in 1..=STEPS[STEPS.len() - 1] {
            // θ ← (1 − γnβ)θ + γnβη Sθ, and on labels γ(y − N Sθ) more.
            (theta.as_slice_mut().par_chunks_mut(stride * 512))
                .zip(image.as_slice().par_chunks(stride * 512))
                .for_each(|(theta, image)| {
                    let rows = theta.chunks_exact_mut(stride);
                    for (theta, image) in rows.zip(image.chunks_exact(stride)) {
                        for c in 0..stride {
                            theta[c] = keep[c] * theta[c] + take[c] * image[c];
                        }
                    }
                });
            for (k, &i) in stage.seen.index().iter().enumerate() {
                for c in 0..columns {
                    let more = labels[(k, c % classes)] - total * image.row(i)[c];
                    theta.row_mut(i)[c] += gamma[c / classes] * more;
                }
            }
            // f = N Sθ, which the next step needs as well.
            gram.apply(theta.as_mat(), image.as_mat_mut(), &mut Quiet)?;
            if STEPS.contains(&t) {
                let some: Vec<Walk> = (0..RIDGES.len())
                    .into_par_iter()
                    .map(|b| {
                        let row = |i: usize| &image.row(i)[b * classes..(b + 1) * classes];
                        let nodes = stage.validation_rows();
                        Walk {
                            eta,
                            ridge: RIDGES[b],
                            steps: t,
                            validation: right(nodes.iter().map(|&i| row(i)), &stage.validation),
                            verdict: stage.judge_visible(&row),
                        }
                    })
                    .collect();
                cells.extend(some);
            }
        }
        // In the order of the grid: β, then T.
        cells.sort_by(|a, b| b.ridge.total_cmp(&a.ridge).then(a.steps.cmp(&b.steps)));
        let mut best: Option<Walk> = None;
        for cell in cells {
            if best.is_none_or(|b| cell.validation > b.validation) {
                best = Some(cell);
            }
        }
        found.extend(best);
    }
    Ok(found)
}
