//! Labels ↔ vectors.
//!
//! A [`Codec`] turns a label into a row of numbers and scores back into a
//! label. [`Observed`] is a set of encoded labels that says *which* samples
//! they belong to; their order means nothing.
//!
//! | labels | codec | φ(y) | decoding |
//! |---|---|---|---|
//! | one number | [`Real`] | y − ȳ | add ȳ |
//! | several numbers | `Reals` | y − ȳ | add ȳ |
//! | one of K classes | [`OneHot`] | e_y | largest |
//! | one of K ordered classes | `Ordinal` | 1{y > k} | least expected \|y − z\| |
//! | one of K, any loss | `LossMatrix` | e_y | least expected loss |
//! | shares of K classes | `Soft` | y | nearest distribution |
//! | K flags | [`MultiLabel`] | {0, 1}ᴷ | thresholds |
//! | an order of K items | [`Ranking`] | signs of pairs | linear ordering |
//!
//! `Priors` moves class probabilities to shares that the user knows.

pub mod linear_order;
pub mod loss_matrix;
pub mod multi_label;
pub mod observed;
pub mod one_hot;
pub mod ordinal;
pub mod priors;
pub mod ranking;
pub mod real;
pub mod reals;
pub mod simplex;
pub mod soft;
pub mod thresholds;

pub(crate) use loss_matrix::LossMatrix;
pub use multi_label::MultiLabel;
pub use observed::Observed;
pub use one_hot::OneHot;
pub(crate) use ordinal::Ordinal;
pub(crate) use priors::Priors;
pub use ranking::Ranking;
pub use real::Real;
pub(crate) use reals::Reals;
pub(crate) use soft::Soft;

use crate::error::Reason;

/// Fine, or why not and the way out: the end of "sample 7: …".
pub(crate) type Checked = std::result::Result<(), Reason>;

/// [KLAP Eqns 13–14]: `encode` is φ, `decode` is the decision of least expected loss
/// for a row of scores.
pub trait Codec: Send + Sync {
    /// What a label is.
    type Label;

    /// Numbers per label.
    fn width(&self) -> usize;

    /// Whether a label can be encoded.
    ///
    /// # Errors
    /// Why not, and the way out: the end of "sample 7: …".
    fn check(&self, label: &Self::Label) -> Checked;

    /// Writes φ(label) into `out`, which has [`Codec::width`] places. A label
    /// that [`Codec::check`] refuses writes something finite where it can.
    fn encode(&self, label: &Self::Label, out: &mut [f64]);

    /// The label that fits a row of finite scores best; ties go to the first.
    fn decode(&self, scores: &[f64]) -> Self::Label;

    /// ℓ(truth, guess): what the guess costs when this is the truth.
    fn loss(&self, truth: &Self::Label, guess: &Self::Label) -> f64;
}

/// `label 5 is not one of the 3 classes 0 to 2`
pub(crate) fn check_class(label: u32, classes: usize) -> Checked {
    if (label as usize) < classes {
        return Ok(());
    }
    Err(Reason::new(
        format!("class {label} is not one of the {classes} there are"),
        "classes count from 0",
    ))
}

/// `it has 2 flags where 3 are needed`
pub(crate) fn check_width(what: &str, got: usize, expected: usize) -> Checked {
    if got == expected {
        return Ok(());
    }
    Err(Reason::new(
        format!("it has {got} {what} where {expected} are needed"),
        "give one for each",
    ))
}
