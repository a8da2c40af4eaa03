//! How far to trust a model that saw few labels: honest accuracy with its interval,
//! calibrated probabilities, prediction sets, labels that look wrong.
//!
//! Everything here starts from leave-one-out scores, which every linear method has in
//! closed form ([`crate::estimator::Smoother`]); no label is set aside.
//!
//! | file | what |
//! |---|---|
//! | `interval.rs` | Clopper–Pearson, and bootstrap intervals of means and F1 |
//! | `bounded.rs` | the mean of losses that have a bound, by betting |
//! | `paired.rs` | whether one method does better than another on the same rows |
//! | `judged.rs` | labels beside what was predicted without them: accuracy, macro-F1, confusion |
//! | `nested.rs` | how far leave-one-out is from this model's own accuracy |
//! | `label_sampling.rs` | how labels were chosen |
//! | `honest.rs` | which rows may count, what is estimated, and how sure it is |
//! | `base_rate.rs` | constants of class scores that say how common classes are |
//! | `calibration.rs` | scores → probabilities |
//! | `class_shares.rs` | class shares of rows without labels, by EM |
//! | `reliability.rs` | whether 0.9 means nine in ten: bins, and their error with its interval |
//! | `conformal.rs` | sets and intervals with a finite-sample guarantee |
//! | `suspicious.rs` | labels that the others contradict |

pub mod base_rate;
pub mod bounded;
pub mod calibration;
mod class_shares;
pub mod conformal;
pub mod honest;
pub mod interval;
pub mod judged;
mod label_sampling;
pub mod nested;
pub mod paired;
pub mod reliability;
pub mod suspicious;

pub(crate) use calibration::Calibration;
pub use class_shares::FoundShares;
pub(crate) use conformal::Jackknife;
pub use conformal::Split;
pub use honest::{Counted, Sampling};
pub use honest::{Estimand, Estimate};
pub use interval::{Interval, clopper_pearson};
pub use judged::Judged;
pub use label_sampling::LabelSampling;
pub(crate) use paired::{sign_flip, sign_test};
pub use reliability::{Reliability, reliability};
pub(crate) use suspicious::{Suspect, suspects};
