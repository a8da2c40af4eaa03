//! Yes or no as one column, φ(y) = ±1, decoded by the sign.  [KLAP Example 2]
//!
//! Half the columns of two one-hot classes, and the same decisions wherever a
//! method reproduces constants; a method that pulls scores to zero pulls both
//! classes towards the boundary alike.

use super::{Checked, Codec};

/// `true` is +1, `false` is −1; the loss is 0-1. A score of exactly 0 is `false`.
///
/// ```
/// use isotherm::task::{Binary, Codec};
/// assert!(Binary.decode(&[0.3]) && !Binary.decode(&[-0.1]));
/// assert_eq!(Binary.loss(&true, &false), 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Binary;

impl Codec for Binary {
    type Label = bool;

    fn width(&self) -> usize {
        1
    }

    fn check(&self, _: &bool) -> Checked {
        Ok(())
    }

    fn encode(&self, label: &bool, out: &mut [f64]) {
        out[0] = if *label { 1.0 } else { -1.0 };
    }

    fn decode(&self, scores: &[f64]) -> bool {
        scores[0] > 0.0
    }

    /// `(1 − φ(y)φ(z))/2`: 0 or 1.
    fn loss(&self, truth: &bool, guess: &bool) -> f64 {
        f64::from(u8::from(truth != guess))
    }
}
