//! What a ledger tells: scores, variances, energies, how many rows a label stands for.

use super::{Entry, Ledger, UNTOUCHED, inner};
use crate::error::Result;
use crate::linalg::{Mat, gemm};
use crate::monitor::Monitor;
use crate::query::design::{Design, Linear};
use crate::query::pass;
use crate::task::OneHot;
use crate::task::one_hot::Reading;

impl Ledger {
    /// N.
    pub fn len(&self) -> usize {
        self.design.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether labels are classes, not numbers.
    pub fn has_classes(&self) -> bool {
        self.centre.len() > 1
    }

    /// c.
    pub fn noise(&self) -> f64 {
        self.noise
    }

    /// The labelled rows, ascending.
    pub fn labelled(&self) -> impl Iterator<Item = usize> + '_ {
        self.labels.keys().copied()
    }

    /// How many rows have a label.
    pub fn count(&self) -> usize {
        self.labels.len()
    }

    /// Whether a row has a label.
    pub fn has(&self, row: usize) -> bool {
        self.labels.contains_key(&row)
    }

    /// `f(x)` of a row: one score a class, about `P(class) − 1/K`; or a number less the
    /// centre.
    pub fn scores(&self, row: usize) -> &[f64] {
        self.rows.scores(row)
    }

    /// The posterior variance `v(x) = f_xᵀCf_x` of every row.
    pub fn variances(&self) -> &[f64] {
        &self.rows.variance
    }

    /// The class of the largest score of every row, the first of equal ones.
    pub fn best(&self) -> &[u32] {
        &self.rows.top
    }

    /// The largest score of every row less the next.
    pub fn margins(&self) -> &[f64] {
        &self.rows.margin
    }

    /// Scores of a row as probabilities: the nearest point of the simplex to
    /// `f(x) + 1/K`, uniform before any label. Empty for numbers.
    pub fn probabilities(&self, row: usize) -> Vec<f64> {
        if !self.has_classes() {
            return Vec::new();
        }
        let scores = self.scores(row).iter().zip(&self.centre);
        let shifted: Vec<f64> = scores.map(|(s, even)| s + even).collect();
        OneHot::new(self.centre.len()).probabilities(&shifted, Reading::Estimates, true)
    }

    /// By how much the energy `min_θ Σ‖y − Fθ‖²/c + ‖θ‖²` grows with one more label:
    /// `‖y − f(x)‖²/(c + v(x))`. Nothing is refitted.
    ///
    /// # Errors
    /// As [`Ledger::add`].
    pub fn energy(&self, row: usize, label: &[f64]) -> Result<f64> {
        let target = self.target(row, label)?;
        let square: f64 = (target.iter().zip(self.scores(row)))
            .map(|(y, f)| (y - f).powi(2))
            .sum();
        Ok(square / (self.noise + self.rows.variance[row]))
    }

    /// The variance `1ᵀFCFᵀ1` of the sum of all rows, of which
    /// [`Acquisition::SigmaOptimal`](crate::query::Acquisition::SigmaOptimal) says what a label
    /// takes off. `O(Nm²)` the first time, `O(m²)` after that.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn variance_of_sum(&self, monitor: &mut dyn Monitor) -> Result<f64> {
        Ok(crate::query::acquisition::sum_of_rows(self, monitor)?.1)
    }

    /// How many rows a label of this row would stand for: `Σ_z ρ(x, z)²`, with the
    /// correlation of what is not yet known of both. One pass, `O(Nm)`.
    pub fn stands_for(&self, row: usize) -> f64 {
        let (w, d) = self.probe(row);
        pass::stands_for(&self.design, &self.rows.variance, &w, d)
    }

    /// `Cf̃_x` as a linear form and `c + v(x)`.
    fn probe(&self, row: usize) -> (Linear, f64) {
        let f = self.coordinates(row);
        let w = gemm::times(self.covariance.as_ref(), f.as_ref());
        let mut v = inner(&f, &w);
        let mut form = self.along(&w);
        if let Some((c, e)) = self.design.level(row)
            && self.slots[c] == UNTOUCHED
        {
            form.own[c] = e;
            v += e * e;
        }
        (form, self.noise + v)
    }

    /// Classes that some label names, by its largest target; 0 or 1 is a cold start.
    pub(in crate::query) fn seen(&self) -> usize {
        let mut seen = vec![false; self.centre.len()];
        for Entry { target, .. } in self.labels.values() {
            let best = (0..target.len()).fold(0, |b, k| if target[k] > target[b] { k } else { b });
            seen[best] = true;
        }
        seen.into_iter().filter(|s| *s).count()
    }

    pub(in crate::query) fn design(&self) -> &Design {
        &self.design
    }

    pub(in crate::query) fn covariance(&self) -> &Mat<f64> {
        &self.covariance
    }

    /// The place of a component's constant in C, if a label has touched it.
    pub(in crate::query) fn slot(&self, component: usize) -> Option<usize> {
        Some(self.slots[component]).filter(|slot| *slot != UNTOUCHED)
    }
}
