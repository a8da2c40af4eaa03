//! Labels, and everything that follows from them, one label at a time.
//!
//! With `C = (I + FₗᵀFₗ/c)⁻¹` and `θ = C Fₗᵀy/c`, one more label (x, y) is, by Sherman and
//! Morrison, with `w = Cf_x`, `v = f_xᵀw` and `r = y − f(x)`:
//!
//! ```text
//! C ← C − wwᵀ/(c + v)    θ ← θ + wrᵀ/(c + v)    scores ← scores + (Fw)rᵀ/(c + v)
//! ```
//!
//! and one less is the same with `c − v` and the signs turned. C and θ are solved anew
//! from the Cholesky factor of `I + FₗᵀFₗ/c` after every 32 changes, and before a removal
//! with `c − v < c/2`, where subtracting would lose digits: that label is then taken back
//! as it would be added to what is left. Both cost `O(nm² + m³)`, nothing of N.
//!
//! Classes are `e_c − 1/K`: no target depends on how many labels there are, and a row of
//! which nothing is known has equal scores.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::design::{Design, Linear, Quadratic, TILE};
use super::pass::{self, Rows};
use crate::error::{Error, Result};
use crate::estimator::Prior;
use crate::linalg::{Mat, cholesky, gemm, tiles};
use crate::monitor::{Monitor, Quiet};
use crate::task::OneHot;
use crate::task::one_hot::Reading;

/// Changes after which C and θ are solved anew.
const ANEW: usize = 32;

/// A removal with `c − v` below this part of c is solved anew.
const SAFE: f64 = 0.5;

/// Numbers beyond this cannot be squared.
const LARGEST: f64 = 1e150;

/// A component that no label has touched.
const UNTOUCHED: usize = usize::MAX;

/// What labels are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// One of so many classes.
    Classes(usize),
    /// A number; scores are distances from `centre`, what is expected before any label.
    Numbers {
        /// What is expected before any label.
        centre: f64,
    },
}

impl Kind {
    fn outputs(self) -> usize {
        match self {
            Self::Classes(classes) => classes,
            Self::Numbers { .. } => 1,
        }
    }
}

/// A label.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A class, from 0.
    Class(u32),
    /// A distribution over the classes.
    Shares(Vec<f64>),
    /// A number.
    Number(f64),
}

/// Labels, the posterior and all scores.
///
/// Memory: F once, shared between copies, and `8(K + 2) + 4` bytes a row.
#[derive(Clone)]
pub struct Ledger {
    design: Arc<Design>,
    kind: Kind,
    noise: f64,
    /// Targets of the labelled rows.
    labels: BTreeMap<usize, Vec<f64>>,
    /// C over m features and the constants of touched components.
    covariance: Mat<f64>,
    /// θ.
    weights: Mat<f64>,
    /// The place of each component's constant in C.
    slots: Vec<usize>,
    rows: Rows,
    changes: usize,
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rows, labels) = (self.len(), self.labels.len());
        write!(f, "Ledger {{ rows: {rows}, labels: {labels} }}")
    }
}

impl Ledger {
    /// No label yet. `noise` is c, from [`Prior::noise`] for as many labels as are hoped
    /// for; it does not change as labels come.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless c is positive and there are two classes or more.
    pub fn new(prior: &Prior, kind: Kind, noise: f64) -> Result<Self> {
        if !(noise > 0.0 && noise.is_finite()) {
            return Err(Error::parameter("noise", "a positive number", noise));
        }
        match kind {
            Kind::Classes(classes) if classes < 2 => {
                return Err(Error::parameter(
                    "the number of classes",
                    "at least 2; name the classes that are to be told apart",
                    classes,
                ));
            }
            Kind::Numbers { centre } if !centre.is_finite() => {
                return Err(Error::parameter("centre", "a finite number", centre));
            }
            _ => {}
        }
        let design = Arc::new(Design::new(prior)?);
        let m = design.width();
        Ok(Self {
            rows: Rows::new(&design, kind.outputs()),
            covariance: Mat::identity(m, m),
            weights: Mat::zeros(m, kind.outputs()),
            slots: vec![UNTOUCHED; design.sizes().len()],
            labels: BTreeMap::new(),
            changes: 0,
            design,
            kind,
            noise,
        })
    }

    /// One more label, `O(Nm + m²)`.
    ///
    /// # Errors
    /// [`Error::Label`] when the row does not exist or has a label, or the value is no
    /// class or number of this ledger; the ledger is then as before.
    pub fn add(&mut self, row: usize, value: &Value) -> Result<()> {
        let target = self.target(row, value)?;
        self.add_target(row, target)
    }

    /// Many labels at once, solved for together: `O(Nm(m + K) + nm²)`.
    ///
    /// # Errors
    /// As [`Ledger::add`], for the first that cannot be used; [`Error::Cancelled`]. The
    /// ledger is then as before.
    pub fn add_all(&mut self, labels: &[(usize, Value)], monitor: &mut dyn Monitor) -> Result<()> {
        let mut next = self.clone();
        for (row, value) in labels {
            let target = next.target(*row, value)?;
            next.touch(*row);
            next.labels.insert(*row, target);
        }
        next.refit(monitor)?;
        *self = next;
        Ok(())
    }

    /// Takes a label back, `O(Nm + nm² + m³)` at worst.
    ///
    /// # Errors
    /// [`Error::Label`] when the row has none.
    pub fn remove(&mut self, row: usize) -> Result<()> {
        let Some(target) = self.labels.remove(&row) else {
            return Err(Error::Label {
                sample: row,
                reason: "it has no label to take back; name a labelled row".into(),
            });
        };
        let f = self.coordinates(row);
        let mut w = gemm::times(self.covariance.as_ref(), f.as_ref());
        let rest = self.noise - inner(&f, &w);
        let (denominator, residual) = if rest < SAFE * self.noise {
            // Solved without it; then it is taken back as it would be added.
            match self.solved() {
                Ok((covariance, weights)) => {
                    (self.covariance, self.weights) = (covariance, weights);
                }
                Err(error) => {
                    self.labels.insert(row, target);
                    return Err(error);
                }
            }
            self.changes = 0;
            w = gemm::times(self.covariance.as_ref(), f.as_ref());
            let residual = self.residual(&f, &target);
            (self.noise + inner(&f, &w), residual)
        } else {
            let residual = self.residual(&f, &target);
            let turned: Vec<f64> = residual.iter().map(|r| -r).collect();
            self.change(&w, &turned, -rest);
            (rest, residual)
        };
        let step: Vec<f64> = residual.iter().map(|r| -r / denominator).collect();
        let along = self.along(&w);
        self.rows
            .update(&self.design, &along, &step, -1.0 / denominator);
        self.counted()
    }

    pub(super) fn add_target(&mut self, row: usize, target: Vec<f64>) -> Result<()> {
        self.touch(row);
        let f = self.coordinates(row);
        let w = gemm::times(self.covariance.as_ref(), f.as_ref());
        let residual = self.residual(&f, &target);
        let denominator = self.noise + inner(&f, &w);
        let step: Vec<f64> = residual.iter().map(|r| r / denominator).collect();
        let along = self.along(&w);
        self.rows
            .update(&self.design, &along, &step, 1.0 / denominator);
        self.change(&w, &residual, denominator);
        self.labels.insert(row, target);
        self.counted()
    }

    /// `C ← C − wwᵀ/d`, `θ ← θ + wrᵀ/|d|`.
    fn change(&mut self, w: &Mat<f64>, residual: &[f64], d: f64) {
        let t = w.nrows();
        for j in 0..t {
            for i in 0..t {
                self.covariance[(i, j)] -= w[(i, 0)] * w[(j, 0)] / d;
            }
        }
        for (k, r) in residual.iter().enumerate() {
            for i in 0..t {
                self.weights[(i, k)] += w[(i, 0)] * r / d.abs();
            }
        }
    }

    fn counted(&mut self) -> Result<()> {
        self.changes += 1;
        if self.changes >= ANEW {
            (self.covariance, self.weights) = self.solved()?;
            self.changes = 0;
        }
        Ok(())
    }

    /// Checks a label and encodes it.
    fn target(&self, row: usize, value: &Value) -> Result<Vec<f64>> {
        let refuse = |reason: String| {
            Err(Error::Label {
                sample: row,
                reason,
            })
        };
        if row >= self.len() {
            return refuse(format!(
                "there are only {} rows, counted from 0",
                self.len()
            ));
        }
        if self.labels.contains_key(&row) {
            return refuse("it has a label already; take that back first".into());
        }
        match (self.kind, value) {
            (Kind::Classes(classes), Value::Class(class)) => {
                if *class as usize >= classes {
                    return refuse(format!(
                        "class {class} is not among the {classes} classes, counted from 0"
                    ));
                }
                let even = 1.0 / classes as f64;
                let one = |k: usize| if k == *class as usize { 1.0 } else { 0.0 };
                Ok((0..classes).map(|k| one(k) - even).collect())
            }
            (Kind::Classes(classes), Value::Shares(shares)) => {
                let sum: f64 = shares.iter().sum();
                let proper = shares.iter().all(|s| (0.0..=1.0).contains(s));
                if shares.len() != classes || !proper || (sum - 1.0).abs() > 1e-9 {
                    return refuse(format!(
                        "its shares must be {classes} numbers from 0 to 1 that sum to 1, got {shares:?}"
                    ));
                }
                let even = 1.0 / classes as f64;
                Ok(shares.iter().map(|s| s - even).collect())
            }
            (Kind::Numbers { centre }, Value::Number(number)) => match number - centre {
                distance if distance.abs() < LARGEST => Ok(vec![distance]),
                _ => refuse(format!(
                    "{number} is not a usable number; correct or drop it"
                )),
            },
            (Kind::Classes(_), Value::Number(number)) => {
                refuse(format!("{number} is a number, and the labels are classes"))
            }
            (Kind::Numbers { .. }, _) => {
                refuse("it is given a class, and the labels are numbers".into())
            }
        }
    }

    /// Gives the constant of a row's component a place of its own.
    fn touch(&mut self, row: usize) {
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
        let old = std::mem::replace(&mut self.weights, Mat::zeros(t + 1, self.kind.outputs()));
        self.weights.as_mut().subrows_mut(0, t).copy_from(&old);
    }

    /// f̃ of a row over the places of C, as a column.
    fn coordinates(&self, row: usize) -> Mat<f64> {
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

    fn residual(&self, f: &Mat<f64>, target: &[f64]) -> Vec<f64> {
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
    fn along(&self, w: &Mat<f64>) -> Linear {
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
    fn solved(&self) -> Result<(Mat<f64>, Mat<f64>)> {
        let (t, n, outputs) = (
            self.covariance.nrows(),
            self.labels.len(),
            self.kind.outputs(),
        );
        let mut features = Mat::zeros(t, n);
        let mut targets = Mat::zeros(n, outputs);
        for (k, (&row, target)) in self.labels.iter().enumerate() {
            features
                .as_mut()
                .subcols_mut(k, 1)
                .copy_from(&self.coordinates(row));
            for (j, y) in target.iter().enumerate() {
                targets[(k, j)] = *y;
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
    /// [`Error::Cancelled`]; the ledger is then as before.
    pub fn refit(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let (covariance, weights) = self.solved()?;
        let outputs = self.kind.outputs();
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
    pub(super) fn quadratic(
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

    /// N.
    pub fn len(&self) -> usize {
        self.design.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What labels are.
    pub fn kind(&self) -> Kind {
        self.kind
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
        let Kind::Classes(classes) = self.kind else {
            return Vec::new();
        };
        let even = 1.0 / classes as f64;
        let shifted: Vec<f64> = self.scores(row).iter().map(|s| s + even).collect();
        OneHot::new(classes).probabilities(&shifted, Reading::Estimates, true)
    }

    /// By how much the energy `min_θ Σ‖y − Fθ‖²/c + ‖θ‖²` grows with one more label:
    /// `‖y − f(x)‖²/(c + v(x))`. Nothing is refitted.
    ///
    /// # Errors
    /// As [`Ledger::add`].
    pub fn energy(&self, row: usize, value: &Value) -> Result<f64> {
        let target = self.target(row, value)?;
        let square: f64 = (target.iter().zip(self.scores(row)))
            .map(|(y, f)| (y - f).powi(2))
            .sum();
        Ok(square / (self.noise + self.rows.variance[row]))
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
    pub(super) fn seen(&self) -> usize {
        let mut seen = vec![false; self.kind.outputs()];
        for target in self.labels.values() {
            let best = (0..target.len()).fold(0, |b, k| if target[k] > target[b] { k } else { b });
            seen[best] = true;
        }
        seen.into_iter().filter(|s| *s).count()
    }

    pub(super) fn design(&self) -> &Design {
        &self.design
    }

    pub(super) fn covariance(&self) -> &Mat<f64> {
        &self.covariance
    }

    /// The place of a component's constant in C, if a label has touched it.
    pub(super) fn slot(&self, component: usize) -> Option<usize> {
        Some(self.slots[component]).filter(|slot| *slot != UNTOUCHED)
    }
}

fn inner(a: &Mat<f64>, b: &Mat<f64>) -> f64 {
    a.col(0)
        .iter()
        .zip(b.col(0).iter())
        .map(|(a, b)| a * b)
        .sum()
}
