//! Real values: a label is its own one-number encoding.

use super::Codec;

/// One real number per sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Real;

impl Codec for Real {
    type Label = f64;

    fn width(&self) -> usize {
        1
    }

    fn encode(&self, label: &f64, out: &mut [f64]) {
        out[0] = *label;
    }

    fn decode(&self, scores: &[f64]) -> f64 {
        scores[0]
    }
}
