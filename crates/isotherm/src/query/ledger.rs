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

/// A label: its target, and the variance of its noise, c over its weight.
#[derive(Debug, Clone)]
struct Entry {
    target: Vec<f64>,
    noise: f64,
}

/// Labels, the posterior and all scores.
///
/// Memory: F once, shared between copies, and `8(K + 2) + 4` bytes a row.
#[derive(Clone)]
pub struct Ledger {
    design: Arc<Design>,
    /// What is expected before any label, and subtracted from it: 1/K for each of K classes, or
    /// one number.
    centre: Vec<f64>,
    noise: f64,
    labels: BTreeMap<usize, Entry>,
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
    /// No label yet; labels will be one of so many classes. `noise` is c, from
    /// [`Prior::noise`] for as many labels as are hoped for; it does not change as labels come.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless c is positive and there are two classes or more.
    pub fn classes(prior: &Prior, classes: usize, noise: f64) -> Result<Self> {
        if classes < 2 {
            return Err(
                Error::parameter("the number of classes", "at least 2", classes)
                    .with_hint("name the classes that are to be told apart"),
            );
        }
        Self::new(prior, vec![1.0 / classes as f64; classes], noise)
    }

    /// No label yet; labels will be numbers, and `centre` is expected before any of them.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless c is positive and the centre finite.
    pub fn numbers(prior: &Prior, centre: f64, noise: f64) -> Result<Self> {
        if !centre.is_finite() {
            return Err(Error::parameter("centre", "a finite number", centre));
        }
        Self::new(prior, vec![centre], noise)
    }

    fn new(prior: &Prior, centre: Vec<f64>, noise: f64) -> Result<Self> {
        if !(noise > 0.0 && noise.is_finite()) {
            return Err(Error::parameter("noise", "a positive number", noise));
        }
        let design = Arc::new(Design::new(prior)?);
        let m = design.width();
        Ok(Self {
            rows: Rows::new(&design, centre.len()),
            covariance: Mat::identity(m, m),
            weights: Mat::zeros(m, centre.len()),
            slots: vec![UNTOUCHED; design.sizes().len()],
            labels: BTreeMap::new(),
            changes: 0,
            design,
            centre,
            noise,
        })
    }

    /// One more label of a class, `O(Nm + m²)`.
    ///
    /// # Errors
    /// As [`Ledger::add`].
    pub fn add_class(&mut self, row: usize, class: u32) -> Result<()> {
        let label = self.one_hot(row, class)?;
        self.add(row, &label)
    }

    /// One more label, `O(Nm + m²)`: a distribution over the classes, or one number.
    ///
    /// # Errors
    /// [`Error::Label`] when the row does not exist or has a label, or the label is no
    /// distribution or number of this ledger; the ledger is then as before.
    pub fn add(&mut self, row: usize, label: &[f64]) -> Result<()> {
        let target = self.target(row, label)?;
        self.add_target(row, target)
    }

    /// Many labels at once, solved for together: `O(Nm(m + K) + nm²)`. A label of weight w has
    /// the noise c/w; without weights all have weight 1.
    ///
    /// # Errors
    /// As [`Ledger::add`], for the first that cannot be used, its weight included;
    /// [`Error::Cancelled`]. The ledger is then as before.
    pub fn add_all(
        &mut self,
        labels: &[(usize, Vec<f64>)],
        weights: Option<&[f64]>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let mut next = self.clone();
        for (k, (row, label)) in labels.iter().enumerate() {
            let target = next.target(*row, label)?;
            let weight = weights.map_or(1.0, |w| w[k]);
            if !(weight > 0.0 && weight.is_finite()) {
                return Err(Error::Label {
                    sample: *row,
                    reason: Reason::new(
                        format!("its weight {weight} is not a positive number"),
                        "leave it out",
                    ),
                });
            }
            next.touch(*row);
            let noise = next.noise / weight;
            next.labels.insert(*row, Entry { target, noise });
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
        let Some(entry) = self.labels.remove(&row) else {
            return Err(Error::Label {
                sample: row,
                reason: Reason::new("it has no label to take back", "name a labelled row"),
            });
        };
        let f = self.coordinates(row);
        let mut w = gemm::times(self.covariance.as_ref(), f.as_ref());
        let rest = entry.noise - inner(&f, &w);
        let (denominator, residual) = if rest < SAFE * entry.noise {
            // Solved without it; then it is taken back as it would be added.
            match self.solved() {
                Ok((covariance, weights)) => {
                    (self.covariance, self.weights) = (covariance, weights);
                }
                Err(error) => {
                    self.labels.insert(row, entry);
                    return Err(error);
                }
            }
            self.changes = 0;
            w = gemm::times(self.covariance.as_ref(), f.as_ref());
            let residual = self.residual(&f, &entry.target);
            (entry.noise + inner(&f, &w), residual)
        } else {
            let residual = self.residual(&f, &entry.target);
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
        let noise = self.noise;
        self.labels.insert(row, Entry { target, noise });
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

    /// The distribution that is all on one class.
    pub(crate) fn one_hot(&self, row: usize, class: u32) -> Result<Vec<f64>> {
        let classes = self.centre.len();
        if !self.has_classes() || class as usize >= classes {
            return Err(Error::Label {
                sample: row,
                reason: if self.has_classes() {
                    format!("class {class} is not among the {classes} classes, counted from 0")
                        .into()
                } else {
                    "it is given a class, and the labels are numbers".into()
                },
            });
        }
        let mut label = vec![0.0; classes];
        label[class as usize] = 1.0;
        Ok(label)
    }

    /// Checks a label and subtracts the centre.
    fn target(&self, row: usize, label: &[f64]) -> Result<Vec<f64>> {
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
        let target: Vec<f64> = label.iter().zip(&self.centre).map(|(y, c)| y - c).collect();
        let fits = label.len() == self.centre.len();
        if self.has_classes() {
            let sum: f64 = label.iter().sum();
            let proper = label.iter().all(|s| (0.0..=1.0).contains(s));
            if !fits || !proper || (sum - 1.0).abs() > 1e-9 {
                return refuse(
                    format!(
                        "its shares must be {} numbers from 0 to 1 that sum to 1, got {label:?}",
                        self.centre.len()
                    )
                    .into(),
                );
            }
        } else if !fits || !target.iter().all(|y| y.abs() < LARGEST) {
            return refuse(Reason::new(
                format!("{label:?} is not a usable number"),
                "correct or drop it",
            ));
        }
        Ok(target)
    }
}

fn inner(a: &Mat<f64>, b: &Mat<f64>) -> f64 {
    a.col(0)
        .iter()
        .zip(b.col(0).iter())
        .map(|(a, b)| a * b)
        .sum()
}
