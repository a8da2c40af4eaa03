//! Any finite set of labels with any loss: the loss trick.  [KLAP Eq 15]
//!
//! φ(y) = e_y, so a score g_y weighs label y, and the decision is
//! `argmin_z Σ_y ℓ(y, z) g_y`: whatever the loss, the scores are the same and only
//! the decision changes.

use super::{Checked, Codec, check_class};
use crate::error::{Error, Refusal, Result};
use crate::linalg::Mat;

/// Labels `0..rows` and decisions `0..columns` of a matrix ℓ(y, z) ≥ 0. There may be
/// more decisions than labels ("ask an expert") or fewer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LossMatrix {
    losses: Mat<f64>,
}

impl LossMatrix {
    /// One row a label, one column a decision.
    ///
    /// # Errors
    /// [`Error::Parameter`] when it is empty; [`Error::Refused`] when an entry is
    /// negative or not finite.
    pub(crate) fn new(losses: Mat<f64>) -> Result<Self> {
        let (labels, decisions) = (losses.nrows(), losses.ncols());
        if labels == 0 || decisions == 0 {
            return Err(Error::parameter(
                "loss matrix",
                "at least one label by one decision",
                format_args!("{labels} by {decisions}"),
            ));
        }
        for y in 0..labels {
            for z in 0..decisions {
                let loss = losses[(y, z)];
                if !(loss.is_finite() && loss >= 0.0) {
                    return Err(Error::refused(
                        Refusal::Losses,
                        format!("the loss of decision {z} at label {y} is {loss}"),
                        "give finite losses of at least 0; adding a constant to a label's row \
                         changes no decision",
                    ));
                }
            }
        }
        Ok(Self { losses })
    }

    /// Decisions there are.
    pub(crate) fn decisions(&self) -> usize {
        self.losses.ncols()
    }
}

impl Codec for LossMatrix {
    type Label = u32;

    fn width(&self) -> usize {
        self.losses.nrows()
    }

    fn check(&self, label: &u32) -> Checked {
        check_class(*label, self.width())
    }

    fn encode(&self, label: &u32, out: &mut [f64]) {
        out.fill(0.0);
        if let Some(slot) = out.get_mut(*label as usize) {
            *slot = 1.0;
        }
    }

    /// A decision, which is a label only where the two are counted alike.
    fn decode(&self, scores: &[f64]) -> u32 {
        let mut best = (0, f64::INFINITY);
        for z in 0..self.decisions() {
            let column = self.losses.col(z);
            let expected: f64 = column.iter().zip(scores).map(|(l, g)| l * g).sum();
            if expected < best.1 {
                best = (z, expected);
            }
        }
        u32::try_from(best.0).unwrap_or(u32::MAX)
    }

    /// ℓ(truth, decision).
    fn loss(&self, truth: &u32, guess: &u32) -> f64 {
        self.losses[(*truth as usize, *guess as usize)]
    }
}
