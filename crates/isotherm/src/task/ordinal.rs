//! Ordered classes: φ(y)ₖ = 1{y > k}, decoded for the absolute loss.
//!
//! A score estimates `P(y > k)`, so the expected loss of saying z is
//! `E|y − z| = Σ_{k<z} (1 − gₖ) + Σ_{k≥z} gₖ`, whether or not the scores fall with
//! k. With exact probabilities its minimiser is the median.

use super::{Checked, Codec, check_class};
use crate::error::{Error, Result};

/// Classes `0..levels` in their order; the loss is |y − z|.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ordinal {
    levels: usize,
}

impl Ordinal {
    /// So many levels.
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than two.
    pub(crate) fn new(levels: usize) -> Result<Self> {
        if levels < 2 {
            return Err(Error::parameter("levels", "at least 2", levels));
        }
        Ok(Self { levels })
    }

    /// Levels.
    pub(crate) fn levels(&self) -> usize {
        self.levels
    }
}

impl Codec for Ordinal {
    type Label = u32;

    fn width(&self) -> usize {
        self.levels - 1
    }

    fn check(&self, label: &u32) -> Checked {
        check_class(*label, self.levels)
    }

    fn encode(&self, label: &u32, out: &mut [f64]) {
        for (k, slot) in out.iter_mut().enumerate() {
            *slot = f64::from(u8::from(*label as usize > k));
        }
    }

    fn decode(&self, scores: &[f64]) -> u32 {
        // E|y − z| − E|y − 0| = Σ_{k<z} (1 − 2gₖ)
        let (mut cost, mut least, mut best) = (0.0, 0.0, 0);
        for (k, g) in scores.iter().enumerate() {
            cost += 1.0 - 2.0 * g;
            if cost < least {
                (least, best) = (cost, k + 1);
            }
        }
        u32::try_from(best).unwrap_or(u32::MAX)
    }

    fn loss(&self, truth: &u32, guess: &u32) -> f64 {
        f64::from(truth.abs_diff(*guess))
    }
}
