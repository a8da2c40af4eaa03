//! Labels ↔ vectors ↔ answers.
//!
//! A task's labels are one file here: how they are encoded, which candidate sets they may be
//! known by, how scores are decoded, what a wrong label costs, and what a model file keeps.
//!
//! | task | file | label | candidate sets |
//! |---|---|---|---|
//! | classify | `classes.rs` | one of several classes | sets of classes |
//! | classify with costs | `decisions.rs` | one of several classes, answered by a decision | sets of classes |
//! | ordinal | `ordinal.rs` | one of several ordered classes | sets of classes |
//! | shares | `shares.rs` | a distribution over classes | – |
//! | regress | `values.rs` | a number | intervals |
//! | numbers | `numbers.rs` | several numbers | – |
//! | tags | `tags.rs` | yes or no to each of several tags | missing tags |
//! | rank | `orders.rs` | an order of items | partial orders |
//!
//! A new task is a file that implements `LabelType`, a variant of `Labels` and a line in
//! `encode`.

mod answer;
mod classes;
mod decisions;
mod encode;
mod encoded;
mod label_type;
#[allow(clippy::module_inception)]
mod labelling;
mod labels;
mod numbers;
mod orders;
mod ordinal;
mod queried;
mod scale;
mod shares;
mod tags;
mod values;
mod weighted_targets;

pub use answer::Answer;
pub(crate) use classes::Classes;
pub(crate) use encode::encode;
pub(crate) use encoded::Encoded;
pub use encoded::Settled;
pub(crate) use labelling::{Labelling, class_counts};
pub(crate) use labels::Labels;
pub(crate) use queried::{class_names, class_shares, numbers_of};
pub(crate) use scale::Scale;
pub(crate) use values::Values;
pub use weighted_targets::WeightedTargets;
