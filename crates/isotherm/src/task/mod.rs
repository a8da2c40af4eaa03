//! Labels ↔ vectors.
//!
//! A [`Codec`] turns a label into a row of numbers and scores back into a
//! label. [`Observed`] is a set of encoded labels that says *which* samples
//! they belong to; their order means nothing.

pub mod observed;
pub mod one_hot;
pub mod real;

pub use observed::Observed;
pub use one_hot::OneHot;
pub use real::Real;

/// [KLAP Eqns 13–14]: `encode` is φ, `decode` is the nearest label to a row of scores.
pub trait Codec: Send + Sync {
    /// What a label is.
    type Label;

    /// Numbers per label.
    fn width(&self) -> usize;

    /// Writes φ(label) into `out`, which has [`Codec::width`] places.
    fn encode(&self, label: &Self::Label, out: &mut [f64]);

    /// The label nearest a row of scores; ties go to the first.
    fn decode(&self, scores: &[f64]) -> Self::Label;
}
