//! K flags a sample, φ(y) ∈ {0, 1}ᴷ: least squares estimates each flag's probability.

use super::thresholds::{self, Measure};
use super::{Checked, Codec, check_width};
use crate::error::{Error, Result};
use crate::linalg::MatRef;

/// K flags; a flag is up where its score is above its threshold, ½ unless tuned,
/// which minimises the Hamming loss, the share of wrong flags.
///
/// ```
/// use isotherm::linalg::Mat;
/// use isotherm::task::thresholds::Measure;
/// use isotherm::task::{Codec, MultiLabel};
/// let codec = MultiLabel::new(2)?;
/// assert_eq!(codec.decode(&[0.7, 0.3]), [true, false]);
/// assert_eq!(codec.loss(&vec![true, true], &vec![true, false]), 0.5);
///
/// // Leave-one-out scores of a rare flag stay below ½; F1 wants it all the same.
/// let rows = [[0.9, 0.30], [0.2, 0.05], [0.8, 0.25]];
/// let scores = Mat::from_fn(3, 2, |i, k| rows[i][k]);
/// let truths = [[true, true], [false, false], [true, true]]
///     .map(|row| row.map(Some).to_vec());
/// let tuned = codec.tuned(scores.as_ref(), &truths, Measure::Macro)?;
/// assert_eq!(tuned.decode(&[0.9, 0.28]), [true, true]);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MultiLabel {
    thresholds: Vec<f64>,
}

impl MultiLabel {
    /// So many flags, with thresholds of ½.
    ///
    /// # Errors
    /// [`Error::Parameter`] for none.
    pub fn new(flags: usize) -> Result<Self> {
        Self::with_thresholds(vec![0.5; flags])
    }

    /// One threshold a flag.
    ///
    /// # Errors
    /// [`Error::Parameter`] when there is none or one is not finite.
    pub fn with_thresholds(thresholds: Vec<f64>) -> Result<Self> {
        if thresholds.is_empty() || thresholds.iter().any(|t| !t.is_finite()) {
            return Err(Error::parameter(
                "thresholds",
                "one finite number a flag, at least one",
                thresholds,
            ));
        }
        Ok(Self { thresholds })
    }

    /// The thresholds.
    pub fn thresholds(&self) -> &[f64] {
        &self.thresholds
    }

    /// Thresholds that maximise an F1 on scores the truths had no part in
    /// (leave-one-out), starting from the present ones; as [`thresholds::tune`].
    ///
    /// # Errors
    /// As [`thresholds::tune`].
    pub fn tuned(
        &self,
        scores: MatRef<'_, f64>,
        truths: &[Vec<Option<bool>>],
        measure: Measure,
    ) -> Result<Self> {
        let start = self.thresholds.clone();
        Self::with_thresholds(thresholds::tune(start, scores, truths, measure)?)
    }
}

impl Codec for MultiLabel {
    type Label = Vec<bool>;

    fn width(&self) -> usize {
        self.thresholds.len()
    }

    fn check(&self, label: &Vec<bool>) -> Checked {
        check_width("flags", label.len(), self.width())
    }

    fn encode(&self, label: &Vec<bool>, out: &mut [f64]) {
        out.fill(0.0);
        for (slot, flag) in out.iter_mut().zip(label) {
            *slot = f64::from(u8::from(*flag));
        }
    }

    fn decode(&self, scores: &[f64]) -> Vec<bool> {
        scores
            .iter()
            .zip(&self.thresholds)
            .map(|(s, t)| s > t)
            .collect()
    }

    /// Hamming: the share of flags that differ.
    fn loss(&self, truth: &Vec<bool>, guess: &Vec<bool>) -> f64 {
        let wrong = truth.iter().zip(guess).filter(|(y, z)| y != z).count();
        wrong as f64 / self.width() as f64
    }
}
