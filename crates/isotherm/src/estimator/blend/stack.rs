//! The weights of several predictors: non-negative least squares on leave-one-out
//! predictions, pulled towards prior weights.  [Breiman 1996, Stacked regressions]
//!
//! `min_{w ≥ 0} Σᵢ vᵢ‖tᵢ − Σₖ wₖ pₖᵢ‖² + n₀ s Σₖ (wₖ − πₖ)²/(Kπₖ)` with prior weights π that
//! sum to one and `s` the mean square of the predictions: n₀ labels' worth of pull, so few
//! labels leave the weights near the prior. The prior is `πₖ ∝ pₖ exp(−τ Σᵢ ℓₖᵢ)` with ℓₖᵢ
//! the loss of member k on label i: a member that is clearly the best gets nearly all of it.

use crate::linalg::{Mat, MatRef};

/// Sweeps of coordinate descent at most; K is a handful.
const SWEEPS: usize = 2000;

/// τ. Below one, because leave-one-out losses on the same labels are not independent. On the
/// deciding half of the bank in `experiments/defaults` values from 0.05 to 0.2 did the same.
const RATE: f64 = 0.1;

/// The part of its prior weight that a member keeps, whatever its losses.
const KEPT: f64 = 0.02;

/// What weights are pulled towards, and how strongly.
#[derive(Debug, Clone)]
pub(crate) struct Pull {
    /// p, the weights without any label: positive, with the sum one.
    pub prior: Vec<f64>,
    /// n₀: as strongly as so many labels.
    pub labels: f64,
}

/// The normal equations of K predictors.
#[derive(Debug, Clone)]
pub(crate) struct Stack {
    /// `pₖᵢ·pₗᵢ` of each row, K×K numbers one row after the other, weighted.
    products: Vec<f64>,
    /// `pₖᵢ·tᵢ` of each row, weighted.
    towards: Vec<f64>,
    /// ℓₖᵢ of each row, weighted.
    losses: Vec<f64>,
    members: usize,
    /// Rows that count.
    rows: usize,
    counts: Vec<bool>,
    pull: Pull,
}

impl Stack {
    /// From predictions and what they should be, each a deviation from what is known without
    /// them; `loss` is the log loss of a member on a row, and `weight` says how much a row
    /// counts, zero for not at all.
    pub(crate) fn new(
        predictions: &[Mat<f64>],
        targets: MatRef<'_, f64>,
        loss: impl Fn(usize, usize) -> f64,
        weight: impl Fn(usize) -> f64,
        pull: Pull,
    ) -> Self {
        let (members, rows) = (predictions.len(), targets.nrows());
        let mut products = Vec::with_capacity(rows * members * members);
        let mut towards = Vec::with_capacity(rows * members);
        let mut losses = Vec::with_capacity(rows * members);
        for i in 0..rows {
            let own = weight(i);
            for (k, p) in predictions.iter().enumerate() {
                losses.push(if own > 0.0 { own * loss(k, i) } else { 0.0 });
                let dot = |other: MatRef<'_, f64>| -> f64 {
                    let pairs = p.row(i).iter().zip(other.row(i).iter());
                    pairs.map(|(a, b)| a * b).sum()
                };
                products.extend(predictions.iter().map(|q| own * dot(q.as_ref())));
                towards.push(own * dot(targets));
            }
        }
        let counts: Vec<bool> = (0..rows).map(|i| weight(i) > 0.0).collect();
        Self {
            products,
            towards,
            losses,
            members,
            rows: counts.iter().filter(|c| **c).count(),
            counts,
            pull,
        }
    }

    /// The weights from all rows.
    pub(crate) fn weights(&self) -> Vec<f64> {
        self.solve(self.sums(), self.rows)
    }

    /// The weights from all rows but one, for each: what the blend would be without it.
    pub(crate) fn weights_without_each(&self) -> Vec<Vec<f64>> {
        let all = self.sums();
        let without = |i: usize| {
            let minus = |all: &[f64], each: &[f64]| -> Vec<f64> {
                let own = &each[i * all.len()..(i + 1) * all.len()];
                all.iter().zip(own).map(|(all, own)| all - own).collect()
            };
            let sums = Sums {
                square: minus(&all.square, &self.products),
                linear: minus(&all.linear, &self.towards),
                loss: minus(&all.loss, &self.losses),
            };
            self.solve(sums, self.rows - usize::from(self.counts[i]))
        };
        (0..self.counts.len()).map(without).collect()
    }

    fn sums(&self) -> Sums {
        let k = self.members;
        Sums {
            square: summed(&self.products, k * k),
            linear: summed(&self.towards, k),
            loss: summed(&self.losses, k),
        }
    }

    /// π from the summed losses.
    fn prior(&self, loss: &[f64]) -> Vec<f64> {
        let least = loss.iter().copied().fold(f64::INFINITY, f64::min);
        let own = |(p, loss): (&f64, &f64)| p * (-RATE * (loss - least)).exp().max(KEPT);
        let found: Vec<f64> = self.pull.prior.iter().zip(loss).map(own).collect();
        let total: f64 = found.iter().sum();
        found.iter().map(|p| p / total).collect()
    }

    /// Coordinate descent: the pull makes the problem strictly convex.
    fn solve(&self, sums: Sums, rows: usize) -> Vec<f64> {
        let k = self.members;
        let prior = self.prior(&sums.loss);
        let (mut square, mut linear) = (sums.square, sums.linear);
        let trace: f64 = (0..k).map(|j| square[j * k + j]).sum();
        let mean = trace / (k * rows.max(1)) as f64;
        // Where no row counts, or all predictions are zero, the prior stands. Removing the only
        // row that counts leaves rounding.
        if rows == 0 || mean <= 0.0 || !mean.is_finite() {
            return prior;
        }
        let pull = self.pull.labels * mean / k as f64;
        for j in 0..k {
            square[j * k + j] += pull / prior[j];
            linear[j] += pull;
        }
        let mut weights = prior.clone();
        for _ in 0..SWEEPS {
            let mut moved = 0.0_f64;
            for j in 0..k {
                let row = &square[j * k..(j + 1) * k];
                let slope: f64 = row.iter().zip(&weights).map(|(q, w)| q * w).sum();
                let next = (weights[j] + (linear[j] - slope) / row[j]).max(0.0);
                moved = moved.max((next - weights[j]).abs());
                weights[j] = next;
            }
            if moved < 1e-12 {
                break;
            }
        }
        weights
    }
}

/// Sums over the rows.
struct Sums {
    square: Vec<f64>,
    linear: Vec<f64>,
    loss: Vec<f64>,
}

fn summed(rows: &[f64], width: usize) -> Vec<f64> {
    let mut sum = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        sum.iter_mut().zip(row).for_each(|(s, v)| *s += v);
    }
    sum
}
