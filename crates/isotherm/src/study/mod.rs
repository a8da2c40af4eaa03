//! A recipe on its data, prepared once and asked several things.
//!
//! [`Study`] is the only door: it fits, evaluates, finds prediction sets, suggests rows to label,
//! tunes, and [`view`](crate::view) draws it. Each verb is a file here.

mod baseline;
mod class_shares;
pub mod evaluate;
mod fit;
mod input;
mod laplacian;
pub mod learning_curve;
mod learning_splits;
mod leave_one_out;
mod preparation;
pub(crate) mod prepared;
pub mod reliability;
mod row_checks;
mod session;
mod sets;
mod spectrum;
#[allow(clippy::module_inception)]
mod study;
mod suggest;
mod tune;

pub use crate::trust::LabelSampling;
pub use baseline::{Baseline, Verdict, Worth};
pub use class_shares::SharesEffect;
pub use evaluate::{EvaluateOptions, Evaluation};
pub use input::Input;
pub(crate) use input::{kernel_base, neighbour_base};
pub(crate) use laplacian::{open, open_from_sample};
pub use learning_curve::LearningCurve;
pub use learning_splits::LearningOptions;
pub use leave_one_out::LeftOut;
pub(crate) use preparation::{Preparation, scaled};
pub(crate) use row_checks::{conflicts, constants};
pub(crate) use session::Session;
pub use sets::Sets;
pub use spectrum::SpectrumCurve;
pub use study::Study;
pub use suggest::{SuggestOptions, Suggested};
pub use tune::{Tuned, TunedLaplacian};
