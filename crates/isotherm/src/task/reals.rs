//! Several real values a sample: each column is its distance from its labels' mean.

use super::real::check_finite;
use super::{Checked, Codec, check_width};
use crate::error::{Error, Result};

/// `width` real numbers per sample, encoded as `y − offset` column by column; the
/// loss is the mean of the squares.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reals {
    offset: Vec<f64>,
}

impl Reals {
    /// Offsets given.
    ///
    /// # Errors
    /// [`Error::Parameter`] when there is none or one is not finite.
    pub(crate) fn new(offset: Vec<f64>) -> Result<Self> {
        if offset.is_empty() || offset.iter().any(|v| !v.is_finite()) {
            return Err(Error::parameter(
                "offset",
                "one finite number a column, at least one",
                offset,
            ));
        }
        Ok(Self { offset })
    }

    /// Centred on the mean of the labels that are there; 0 where none is.
    ///
    /// # Errors
    /// [`Error::Label`] when a label has not `width` finite numbers;
    /// [`Error::Parameter`] when the width is 0.
    pub(crate) fn centred(width: usize, labels: &[Option<Vec<f64>>]) -> Result<Self> {
        let plain = Self::new(vec![0.0; width])?;
        let n = labels.iter().flatten().count().max(1) as f64;
        let mut offset = vec![0.0; width];
        for (sample, label) in labels.iter().enumerate() {
            let Some(label) = label else { continue };
            (plain.check(label)).map_err(|reason| Error::Label { sample, reason })?;
            for (o, y) in offset.iter_mut().zip(label) {
                *o += y / n;
            }
        }
        Self::new(offset)
    }

    /// What is taken from each column and added to each prediction.
    pub(crate) fn offset(&self) -> &[f64] {
        &self.offset
    }
}

impl Codec for Reals {
    type Label = Vec<f64>;

    fn width(&self) -> usize {
        self.offset.len()
    }

    fn check(&self, label: &Vec<f64>) -> Checked {
        check_width("numbers", label.len(), self.width())?;
        label.iter().try_for_each(|y| check_finite(*y))
    }

    fn encode(&self, label: &Vec<f64>, out: &mut [f64]) {
        out.fill(0.0);
        for ((slot, y), o) in out.iter_mut().zip(label).zip(&self.offset) {
            *slot = y - o;
        }
    }

    fn decode(&self, scores: &[f64]) -> Vec<f64> {
        scores
            .iter()
            .zip(&self.offset)
            .map(|(s, o)| s + o)
            .collect()
    }

    /// `‖y − z‖² / width`.
    fn loss(&self, truth: &Vec<f64>, guess: &Vec<f64>) -> f64 {
        let squares = truth.iter().zip(guess).map(|(y, z)| (y - z).powi(2));
        squares.sum::<f64>() / self.width() as f64
    }
}
