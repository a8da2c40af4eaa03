//! Class shares of rows without labels, where they may differ from those of the labels:
//! `p(c|x) ∝ p̂(c|x)·π_c/π⁰_c`, with π found by EM. [Saerens, Latinne, Decaestecker 2002]
//!
//! Three changes make that safe with few labels.
//!
//! 1. *What p̂ says of the labels' shares.* One slope makes p̂ right about how sure it is, not
//!    about how common each class is, and EM would take the difference for a shift. So p̂ is
//!    divided by q, its mean over the labels, each scored without itself; were p̂ exact, q
//!    would be π⁰.
//! 2. *Rows count as labels.* However many rows there are, p̂ was learned from m labels: all
//!    rows together weigh as much as m observations of a class.
//! 3. *The labels' shares count as ten labels of each class*, the number below which no
//!    probabilities are calibrated either. With C classes π maximises
//!
//! ```text
//! (m/N) Σᵢ ln Σ_c p̂(c|xᵢ)·π_c/q_c + 10·C Σ_c π⁰_c ln π_c
//! ```
//!
//! which is concave, so EM finds its only maximum. Everywhere p̂ is mixed with even shares as
//! Laplace's rule does it, (m p̂ + 1/C)/(m + 1): no ratio is ever without bound.

use super::calibration::FEWEST;
use crate::linalg::MatRef;

/// Steps at most.
const STEPS: usize = 10_000;

/// The change of the shares in one step below which they stand.
const STILL: f64 = 1e-10;

/// Classes that are named before they are only counted.
const NAMED: usize = 6;

/// Class shares of rows without labels, and how they were found.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct FoundShares {
    /// The classes.
    pub classes: Vec<String>,
    /// Their shares among the labels.
    pub labels: Vec<f64>,
    /// Their shares among the unlabelled rows that a label reaches, shrunk towards those of
    /// the labels.
    pub unlabelled: Vec<f64>,
    /// How many rows these are.
    pub rows: usize,
    /// Steps of EM.
    pub iterations: usize,
    /// Whether the shares stood when it stopped.
    pub converged: bool,
}

impl FoundShares {
    /// Estimates shares from probabilities, one row for each label, predicted without it, and one
    /// row for each unlabelled row; `counts` are the labels of each class, or their summed weights,
    /// and `weights` those of the labels in `left`.
    ///
    /// Both have at least one row, and every class has a label. O(steps · rows · classes).
    pub(crate) fn estimate(
        classes: &[String],
        counts: &[f64],
        (left, weights): (MatRef<'_, f64>, &[f64]),
        rows: MatRef<'_, f64>,
    ) -> Self {
        let width = classes.len();
        let total: f64 = counts.iter().sum();
        let labels: Vec<f64> = counts.iter().map(|c| c / total).collect();
        let seen: f64 = weights.iter().sum();
        let mixed = |p: f64| (total * p + 1.0 / width as f64) / (total + 1.0);
        let said = |c: usize| {
            let pairs = weights.iter().zip(left.col(c).iter());
            mixed(pairs.map(|(w, p)| w * p).sum::<f64>() / seen)
        };
        let said: Vec<f64> = (0..width).map(said).collect();
        let pull = FEWEST as f64 * width as f64;
        let mut unlabelled = labels.clone();
        let (mut iterations, mut converged) = (0, false);
        while iterations < STEPS && !converged {
            iterations += 1;
            let ratio: Vec<f64> = unlabelled.iter().zip(&said).map(|(p, q)| p / q).collect();
            let mut mean = vec![0.0; width];
            let mut share = vec![0.0; width];
            for i in 0..rows.nrows() {
                (0..width).for_each(|c| share[c] = mixed(rows[(i, c)]) * ratio[c]);
                let sum: f64 = share.iter().sum();
                (0..width).for_each(|c| mean[c] += share[c] / sum);
            }
            let seen = |c: usize| total * mean[c] / rows.nrows() as f64;
            let next = |c: usize| (seen(c) + pull * labels[c]) / (total + pull);
            let next: Vec<f64> = (0..width).map(next).collect();
            let moved = next.iter().zip(&unlabelled).map(|(a, b)| (a - b).abs());
            converged = moved.fold(0.0, f64::max) < STILL;
            unlabelled = next;
        }
        Self {
            classes: classes.to_vec(),
            labels,
            unlabelled,
            rows: rows.nrows(),
            iterations,
            converged,
        }
    }

    /// In words, the classes whose shares differ most: `a 81.0 % (labels 50.0 %), b …`.
    pub fn told(&self) -> String {
        let apart = |c: &usize| (self.unlabelled[*c] - self.labels[*c]).abs();
        let mut order: Vec<usize> = (0..self.classes.len()).collect();
        order.sort_by(|a, b| apart(b).total_cmp(&apart(a)));
        order.truncate(NAMED);
        order.sort_unstable();
        let one = |c: &usize| {
            let (now, then) = (100.0 * self.unlabelled[*c], 100.0 * self.labels[*c]);
            format!("{} {now:.1} % (labels {then:.1} %)", self.classes[*c])
        };
        let told: Vec<String> = order.iter().map(one).collect();
        match self.classes.len() - told.len() {
            0 => told.join(", "),
            more => format!("{} and {more} more", told.join(", ")),
        }
    }
}
