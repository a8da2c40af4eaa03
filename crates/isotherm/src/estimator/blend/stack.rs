//! The weights of several predictors: non-negative least squares on leave-one-out
//! predictions, pulled towards equal weights.  [Breiman 1996, Stacked regressions]
//!
//! `min_{w ≥ 0} Σᵢ vᵢ‖tᵢ − Σₖ wₖ pₖᵢ‖² + n₀ s ‖w − 1/K‖²` with `s` the mean square of the
//! predictions: n₀ labels' worth of pull, so few labels leave the weights nearly equal.

use crate::linalg::{Mat, MatRef};

/// Sweeps of coordinate descent at most; K is a handful.
const SWEEPS: usize = 2000;

/// The normal equations of K predictors.
#[derive(Debug, Clone)]
pub struct Stack {
    /// `pₖᵢ·pₗᵢ` of each row, K×K numbers one row after the other, weighted.
    products: Vec<f64>,
    /// `pₖᵢ·tᵢ` of each row, weighted.
    towards: Vec<f64>,
    members: usize,
    rows: usize,
    pull: f64,
}

impl Stack {
    /// From predictions and what they should be, each a deviation from what is known without
    /// them; `weight` says how much a row counts.
    pub fn new(
        predictions: &[Mat<f64>],
        targets: MatRef<'_, f64>,
        weight: impl Fn(usize) -> f64,
        pull: f64,
    ) -> Self {
        let (members, rows) = (predictions.len(), targets.nrows());
        let mut products = Vec::with_capacity(rows * members * members);
        let mut towards = Vec::with_capacity(rows * members);
        for i in 0..rows {
            let own = weight(i);
            for p in predictions {
                let dot = |other: MatRef<'_, f64>| -> f64 {
                    let pairs = p.row(i).iter().zip(other.row(i).iter());
                    pairs.map(|(a, b)| a * b).sum()
                };
                products.extend(predictions.iter().map(|q| own * dot(q.as_ref())));
                towards.push(own * dot(targets));
            }
        }
        Self {
            products,
            towards,
            members,
            rows,
            pull,
        }
    }

    /// The weights from all rows.
    pub fn weights(&self) -> Vec<f64> {
        let (square, linear) = self.sums();
        self.solve(square, linear, self.rows)
    }

    /// The weights from all rows but one, for each: what the blend would be without it.
    pub fn weights_without_each(&self) -> Vec<Vec<f64>> {
        let (square, linear) = self.sums();
        let k = self.members;
        let without = |i: usize| {
            let own = &self.products[i * k * k..(i + 1) * k * k];
            let square = square.iter().zip(own).map(|(all, own)| all - own);
            let own = &self.towards[i * k..(i + 1) * k];
            let linear = linear.iter().zip(own).map(|(all, own)| all - own);
            self.solve(square.collect(), linear.collect(), self.rows - 1)
        };
        (0..self.rows).map(without).collect()
    }

    fn sums(&self) -> (Vec<f64>, Vec<f64>) {
        let k = self.members;
        let mut square = vec![0.0; k * k];
        let mut linear = vec![0.0; k];
        for row in self.products.chunks_exact(k * k) {
            square.iter_mut().zip(row).for_each(|(s, v)| *s += v);
        }
        for row in self.towards.chunks_exact(k) {
            linear.iter_mut().zip(row).for_each(|(s, v)| *s += v);
        }
        (square, linear)
    }

    /// Coordinate descent: the pull makes the problem strictly convex.
    fn solve(&self, mut square: Vec<f64>, mut linear: Vec<f64>, rows: usize) -> Vec<f64> {
        let k = self.members;
        let equal = 1.0 / k as f64;
        let trace: f64 = (0..k).map(|j| square[j * k + j]).sum();
        let mean = trace / (k * rows.max(1)) as f64;
        // Predictions that are all zero say nothing: equal weights.
        if mean <= 0.0 || !mean.is_finite() {
            return vec![equal; k];
        }
        let pull = self.pull * mean;
        for j in 0..k {
            square[j * k + j] += pull;
            linear[j] += pull * equal;
        }
        let mut weights = vec![equal; k];
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
