//! Missing entries in rows of flags: the entries that are there are known, the others
//! may be any number.
//!
//! Any *number*, not 0 or 1: at the minimum a missing entry is then its own
//! leave-one-out prediction and costs nothing, which is exactly the fit of each flag
//! on the samples that have it (with the ridge nβ of all samples; where a method takes
//! the labels' mean off, the mean is that of all samples too, missing ones at their
//! predictions). Flags made to choose between 0 and 1 would count as
//! labels, and the model would learn from what it guessed.

use super::PartialCodec;
use crate::error::Reason;
use crate::task::{Checked, Codec as _, MultiLabel};

/// What is known of each flag of a sample; `None` where nothing is.
pub type Flags = Vec<Option<bool>>;

impl PartialCodec for MultiLabel {
    type Observation = Flags;

    fn check_observation(&self, known: &Flags) -> Checked {
        if known.len() == self.width() {
            return Ok(());
        }
        Err(Reason::new(
            format!(
                "it has {} flags where {} are needed",
                known.len(),
                self.width()
            ),
            "leave a flag empty rather than out",
        ))
    }

    fn informative(&self, known: &Flags) -> bool {
        known.iter().any(Option::is_some)
    }

    fn join(&self, one: &Flags, other: &Flags) -> Result<Flags, Reason> {
        let pairs = one.iter().zip(other).enumerate();
        let both = pairs.map(|(flag, (one, other))| match (one, other) {
            (Some(a), Some(b)) if a != b => Err(Reason::new(
                format!("its flag {flag} is said to be {a} and {b}"),
                "correct one of them",
            )),
            (known, None) | (_, known) => Ok(*known),
        });
        both.collect()
    }

    fn start(&self, known: &Flags, out: &mut [f64]) {
        for (slot, flag) in out.iter_mut().zip(known) {
            *slot = flag.map_or(0.5, |up| f64::from(u8::from(up)));
        }
    }

    fn nearest(&self, scores: &[f64], known: &Flags, out: &mut [f64]) {
        for ((slot, flag), score) in out.iter_mut().zip(known).zip(scores) {
            *slot = flag.map_or(*score, |up| f64::from(u8::from(up)));
        }
    }

    fn free(&self, known: &Flags, place: usize) -> Option<(f64, f64)> {
        match known.get(place) {
            Some(None) => Some((f64::NEG_INFINITY, f64::INFINITY)),
            _ => None,
        }
    }
}
