//! The one pass over all rows that a label costs.
//!
//! `h = F̃w` and, while the row is at hand, `scores ← scores + h·step`, `variance ←
//! variance − shrink·h²`, the best class and its margin. F is read once and nothing else
//! of its size is touched, so the pass runs at the speed of memory. Tiles are fixed and
//! their sums are added in order: the thread count changes no bit. It is short (about
//! 50 ms for a million rows of 64 features) and cannot be stopped halfway, so rows never
//! disagree about which labels they have seen.

use rayon::prelude::*;

use super::design::{Design, Linear, TILE, dot};

/// What is known of every row.
#[derive(Clone)]
pub(super) struct Rows {
    /// Outputs a row.
    pub(super) outputs: usize,
    /// `f(x)`, row by row.
    pub(super) scores: Vec<f64>,
    /// `v(x) = f̃ᵀCf̃`.
    pub(super) variance: Vec<f64>,
    /// The class of the largest score, the first of equal ones.
    pub(super) top: Vec<u32>,
    /// The largest score less the next.
    pub(super) margin: Vec<f64>,
}

impl Rows {
    /// Before any label.
    pub(super) fn new(design: &Design, outputs: usize) -> Self {
        let n = design.len();
        Self {
            outputs,
            scores: vec![0.0; n * outputs],
            variance: design.prior().to_vec(),
            top: vec![0; n],
            margin: vec![0.0; n],
        }
    }

    pub(super) fn scores(&self, i: usize) -> &[f64] {
        &self.scores[i * self.outputs..(i + 1) * self.outputs]
    }

    /// Adds `h·step` to scores and takes `shrink·h²` off variances, `h = F̃w`.
    pub(super) fn update(&mut self, design: &Design, w: &Linear, step: &[f64], shrink: f64) {
        let outputs = self.outputs;
        (self.scores.par_chunks_mut(TILE * outputs))
            .zip(self.variance.par_chunks_mut(TILE))
            .zip(self.top.par_chunks_mut(TILE))
            .zip(self.margin.par_chunks_mut(TILE))
            .enumerate()
            .for_each(|(at, (((scores, variance), top), margin))| {
                let (stride, rows, component, entry) = design.tile(at);
                let state = (scores.chunks_exact_mut(outputs))
                    .zip(variance)
                    .zip(top)
                    .zip(margin);
                for (k, (row, (((scores, v), top), margin))) in
                    rows.chunks_exact(stride).zip(state).enumerate()
                {
                    let mut h = dot(row, &w.dense);
                    if let (Some(c), Some(e)) = (component.get(k), entry.get(k)) {
                        h += e * w.own[*c as usize];
                    }
                    *v = (*v - shrink * (h * h)).max(0.0);
                    scores.iter_mut().zip(step).for_each(|(s, r)| *s += h * r);
                    (*top, *margin) = lead(scores);
                }
            });
    }

    /// Best classes and margins anew.
    pub(super) fn rank(&mut self) {
        let outputs = self.outputs;
        (self.scores.par_chunks(TILE * outputs))
            .zip(self.top.par_chunks_mut(TILE))
            .zip(self.margin.par_chunks_mut(TILE))
            .for_each(|((scores, top), margin)| {
                for ((scores, top), margin) in scores.chunks_exact(outputs).zip(top).zip(margin) {
                    (*top, *margin) = lead(scores);
                }
            });
    }
}

/// The first of the largest scores, and by how much it leads the next one.
fn lead(scores: &[f64]) -> (u32, f64) {
    let (mut best, mut next, mut at) = (f64::NEG_INFINITY, f64::NEG_INFINITY, 0);
    for (k, &s) in (0_u32..).zip(scores) {
        if s > best {
            (next, best, at) = (best, s, k);
        } else if s > next {
            next = s;
        }
    }
    (at, if next.is_finite() { best - next } else { 0.0 })
}

/// `Σ_z h_z²/(d·v_z)` over rows with variance left: how many rows a label stands for,
/// each counted by its squared correlation.
pub(super) fn stands_for(design: &Design, variance: &[f64], w: &Linear, d: f64) -> f64 {
    let parts: Vec<f64> = (variance.par_chunks(TILE))
        .enumerate()
        .map(|(at, variance)| {
            let (stride, rows, component, entry) = design.tile(at);
            let mut sum = 0.0;
            for (k, (row, v)) in rows.chunks_exact(stride).zip(variance).enumerate() {
                let mut h = dot(row, &w.dense);
                if let (Some(c), Some(e)) = (component.get(k), entry.get(k)) {
                    h += e * w.own[*c as usize];
                }
                if *v > 0.0 {
                    sum += (h * h / (d * v)).min(1.0);
                }
            }
            sum
        })
        .collect();
    parts.into_iter().sum()
}
