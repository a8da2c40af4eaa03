//! Soft labels: a distribution over classes a sample, φ(y) = y.

use super::{Checked, Codec, check_width, simplex};
use crate::error::{Error, Reason, Result};

/// How far a distribution's sum may be from one.
pub(crate) const ROUNDING: f64 = 1e-6;

/// Distributions over `classes`; scores decode to the nearest one, the loss is the
/// squared distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Soft {
    classes: usize,
}

impl Soft {
    /// Over so many classes.
    ///
    /// # Errors
    /// [`Error::Parameter`] for none.
    pub(crate) fn new(classes: usize) -> Result<Self> {
        if classes == 0 {
            return Err(Error::parameter("classes", "at least 1", classes));
        }
        Ok(Self { classes })
    }
}

impl Codec for Soft {
    type Label = Vec<f64>;

    fn width(&self) -> usize {
        self.classes
    }

    fn check(&self, label: &Vec<f64>) -> Checked {
        check_width("shares", label.len(), self.classes)?;
        if let Some((class, share)) =
            (label.iter().enumerate()).find(|(_, p)| !(p.is_finite() && **p >= 0.0))
        {
            return Err(Reason::new(
                format!("its share {share} of class {class} is not a number from 0 to 1"),
                "give a distribution",
            ));
        }
        let sum: f64 = label.iter().sum();
        if (sum - 1.0).abs() > ROUNDING {
            return Err(Reason::new(
                format!("its shares sum to {sum}"),
                "divide them by their sum so that it is 1",
            ));
        }
        Ok(())
    }

    fn encode(&self, label: &Vec<f64>, out: &mut [f64]) {
        out.fill(0.0);
        for (slot, p) in out.iter_mut().zip(label) {
            *slot = *p;
        }
    }

    fn decode(&self, scores: &[f64]) -> Vec<f64> {
        simplex::project(scores)
    }

    /// `‖y − z‖²`.
    fn loss(&self, truth: &Vec<f64>, guess: &Vec<f64>) -> f64 {
        truth.iter().zip(guess).map(|(y, z)| (y - z).powi(2)).sum()
    }
}
