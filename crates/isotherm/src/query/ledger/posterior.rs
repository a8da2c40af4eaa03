//! C and θ: solved from the labels, extended by components, and read as forms of rows.

use super::{Ledger, UNTOUCHED};
use crate::error::Result;
use crate::linalg::{Mat, cholesky, gemm, tiles};
use crate::monitor::{Monitor, Quiet};
use crate::query::design::{Linear, Quadratic, TILE};

impl Ledger {
    /// Gives the constant of a row's component a place of its own.
    pub(super) fn touch(&mut self, row: usize) {
        let Some((c, e)) = self.design.level(row) else {
            return;
        };
        if self.slots[c] != UNTOUCHED || e == 0.0 {
            return;
        }
        let t = self.covariance.nrows();
        self.slots[c] = t;
        let old = std::mem::replace(&mut self.covariance, Mat::identity(t + 1, t + 1));
        self.covariance
            .as_mut()
            .submatrix_mut(0, 0, t, t)
            .copy_from(&old);
        let old = std::mem::replace(&mut self.weights, Mat::zeros(t + 1, self.centre.len()));
        self.weights.as_mut().subrows_mut(0, t).copy_from(&old);
    }

    /// f̃ of a row over the places of C, as a column.
    pub(super) fn coordinates(&self, row: usize) -> Mat<f64> {
        let mut f = Mat::zeros(self.covariance.nrows(), 1);
        for (j, v) in self.design.row(row).iter().enumerate() {
            f[(j, 0)] = *v;
        }
        if let Some((c, e)) = self.design.level(row)
            && self.slots[c] != UNTOUCHED
        {
            f[(self.slots[c], 0)] = e;
        }
        f
    }

    pub(super) fn residual(&self, f: &Mat<f64>, target: &[f64]) -> Vec<f64> {
        let at = |k: usize| -> f64 {
            let weights = self.weights.col(k);
            f.col(0)
                .iter()
                .zip(weights.iter())
                .map(|(f, w)| f * w)
                .sum()
        };
        target.iter().enumerate().map(|(k, y)| y - at(k)).collect()
    }

    /// A vector over the places of C as a linear form of rows.
    pub(super) fn along(&self, w: &Mat<f64>) -> Linear {
        let dense: Vec<f64> = (0..self.design.width()).map(|j| w[(j, 0)]).collect();
        let mut form = self.design.linear(&dense);
        for (own, slot) in form.own.iter_mut().zip(&self.slots) {
            if *slot != UNTOUCHED {
                *own = w[(*slot, 0)];
            }
        }
        form
    }

    /// C and θ from the labels alone.
    pub(super) fn solved(&self) -> Result<(Mat<f64>, Mat<f64>)> {
        let (t, n, outputs) = (
            self.covariance.nrows(),
            self.labels.len(),
            self.centre.len(),
        );
        let mut features = Mat::zeros(t, n);
        let mut targets = Mat::zeros(n, outputs);
        // Rows of weight w count √w times on both sides.
        for (k, (&row, entry)) in self.labels.iter().enumerate() {
            let root = (self.noise / entry.noise).sqrt();
            let coordinates = self.coordinates(row);
            for i in 0..t {
                features[(i, k)] = root * coordinates[(i, 0)];
            }
            for (j, y) in entry.target.iter().enumerate() {
                targets[(k, j)] = root * y;
            }
        }
        let mut system = gemm::times(features.as_ref(), features.transpose());
        for j in 0..t {
            for i in 0..t {
                system[(i, j)] = system[(i, j)] / self.noise + if i == j { 1.0 } else { 0.0 };
            }
        }
        let hint = "raise the noise";
        let factor = cholesky::factor(system, "I + FᵀF/c over the labels", hint, &mut Quiet)?;
        let mut inverse = Mat::identity(t, t);
        factor.solve_in_place(inverse.as_mut());
        let covariance = Mat::from_fn(t, t, |i, j| 0.5 * (inverse[(i, j)] + inverse[(j, i)]));
        let mut weights = gemm::times(features.as_ref(), targets.as_ref());
        factor.solve_in_place(weights.as_mut());
        for k in 0..outputs {
            weights.col_mut(k).iter_mut().for_each(|w| *w /= self.noise);
        }
        Ok((covariance, weights))
    }

    /// Everything anew from the labels: the slow twin of every change, `O(Nm(m + K))`.
    ///
    /// # Errors
    /// [`crate::Error::Cancelled`]; the ledger is then as before.
    pub fn refit(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let (covariance, weights) = self.solved()?;
        let outputs = self.centre.len();
        let m = self.design.width();
        let mut scores = vec![0.0; self.len() * outputs];
        let work = scores.chunks_mut(TILE * outputs).enumerate().collect();
        tiles::sweep(
            "scores of all rows",
            work,
            monitor,
            |(at, out): (usize, &mut [f64])| {
                let (stride, rows, component, entry) = self.design.tile(at);
                for (i, (out, row)) in out
                    .chunks_exact_mut(outputs)
                    .zip(rows.chunks_exact(stride))
                    .enumerate()
                {
                    for (k, out) in out.iter_mut().enumerate() {
                        let weights = weights.col(k);
                        *out = row[..m]
                            .iter()
                            .zip(weights.iter())
                            .map(|(f, w)| f * w)
                            .sum();
                        if let (Some(c), Some(e)) = (component.get(i), entry.get(i))
                            && self.slots[*c as usize] != UNTOUCHED
                        {
                            *out += e * weights[self.slots[*c as usize]];
                        }
                    }
                }
                Ok(())
            },
        )?;
        let form = self.quadratic(&covariance, None);
        let mut variance =
            self.design
                .quadratic_at_rows("variances of all rows", &form, monitor)?;
        variance.iter_mut().for_each(|v| *v = v.max(0.0));
        (self.covariance, self.weights) = (covariance, weights);
        (self.rows.scores, self.rows.variance) = (scores, variance);
        self.rows.rank();
        self.changes = 0;
        Ok(())
    }

    /// A symmetric matrix over the places of C as a quadratic form of rows; untouched
    /// components have `(q, o)`, or (0, 1).
    pub(in crate::query) fn quadratic(
        &self,
        matrix: &Mat<f64>,
        untouched: Option<(&[f64], &[f64])>,
    ) -> Quadratic {
        let m = self.design.width();
        let parts = self.slots.len();
        let (mut mixed, mut own) = match untouched {
            Some((mixed, own)) => (mixed.to_vec(), own.to_vec()),
            None => (vec![0.0; parts * m], vec![1.0; parts]),
        };
        for (c, &slot) in self.slots.iter().enumerate() {
            if slot != UNTOUCHED {
                own[c] = matrix[(slot, slot)];
                for (j, q) in mixed[c * m..(c + 1) * m].iter_mut().enumerate() {
                    *q = matrix[(j, slot)];
                }
            }
        }
        Quadratic {
            dense: matrix.as_ref().submatrix(0, 0, m, m).to_owned(),
            mixed,
            own,
        }
    }
}
