//! Real values: a label is its distance from the labels' mean.
//!
//! A ridge pulls scores towards zero; with the mean taken out first it pulls
//! predictions towards the mean, which is what users expect of a regression.

use super::{Checked, Codec};
use crate::error::Reason;

/// One real number per sample, encoded as `y − offset`; the loss is squared.
///
/// ```
/// use isotherm::task::{Codec, Real};
/// let codec = Real::centred(&[Some(1.0), None, Some(3.0)]);
/// assert_eq!(codec.decode(&[0.5]), 2.5);
/// assert_eq!(codec.loss(&1.0, &3.0), 4.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Real {
    /// What is taken from each label and added to each prediction.
    pub offset: f64,
}

impl Real {
    /// Centred on the mean of the labels that are there; 0 where none is.
    pub fn centred(labels: &[Option<f64>]) -> Self {
        let known: Vec<f64> = labels.iter().flatten().copied().collect();
        let n = known.len().max(1) as f64;
        Self {
            offset: known.iter().map(|y| y / n).sum(),
        }
    }
}

impl Codec for Real {
    type Label = f64;

    fn width(&self) -> usize {
        1
    }

    fn check(&self, label: &f64) -> Checked {
        check_finite(*label)
    }

    fn encode(&self, label: &f64, out: &mut [f64]) {
        out[0] = label - self.offset;
    }

    fn decode(&self, scores: &[f64]) -> f64 {
        scores[0] + self.offset
    }

    /// (y − z)².
    fn loss(&self, truth: &f64, guess: &f64) -> f64 {
        (truth - guess).powi(2)
    }
}

/// A number one can learn from.
pub(super) fn check_finite(value: f64) -> Checked {
    if value.is_finite() {
        return Ok(());
    }
    Err(Reason::new(
        format!("its label {value} is not a finite number"),
        "leave the label out",
    ))
}
