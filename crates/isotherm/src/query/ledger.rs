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

mod posterior;
mod reading;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::design::Design;
use super::pass::Rows;
use crate::error::{Error, Reason, Result};
use crate::estimator::Prior;
use crate::linalg::{Mat, gemm};
use crate::monitor::Monitor;

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
                return Err(
                    Error::parameter("the number of classes", "at least 2", classes)
                        .with_hint("name the classes that are to be told apart"),
                );
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
                reason: Reason::new("it has no label to take back", "name a labelled row"),
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
        let refuse = |reason: Reason| {
            Err(Error::Label {
                sample: row,
                reason,
            })
        };
        if row >= self.len() {
            return refuse(format!("there are only {} rows, counted from 0", self.len()).into());
        }
        if self.labels.contains_key(&row) {
            return refuse(Reason::new(
                "it has a label already",
                "take that back first",
            ));
        }
        match (self.kind, value) {
            (Kind::Classes(classes), Value::Class(class)) => {
                if *class as usize >= classes {
                    return refuse(
                        format!("class {class} is not among the {classes} classes, counted from 0")
                            .into(),
                    );
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
                    ).into());
                }
                let even = 1.0 / classes as f64;
                Ok(shares.iter().map(|s| s - even).collect())
            }
            (Kind::Numbers { centre }, Value::Number(number)) => match number - centre {
                distance if distance.abs() < LARGEST => Ok(vec![distance]),
                _ => refuse(Reason::new(
                    format!("{number} is not a usable number"),
                    "correct or drop it",
                )),
            },
            (Kind::Classes(_), Value::Number(number)) => {
                refuse(format!("{number} is a number, and the labels are classes").into())
            }
            (Kind::Numbers { .. }, _) => {
                refuse("it is given a class, and the labels are numbers".into())
            }
        }
    }
}

fn inner(a: &Mat<f64>, b: &Mat<f64>) -> f64 {
    a.col(0)
        .iter()
        .zip(b.col(0).iter())
        .map(|(a, b)| a * b)
        .sum()
}
