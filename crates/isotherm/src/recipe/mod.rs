//! The front door shared by the command line, Python and the studio.
//!
//! A [`Recipe`] is what a user can say, whole and serialisable; [`fit()`] turns
//! it and data into a [`Model`]; a model answers for the samples it saw and for
//! new ones, and lays itself out flat for a file.

pub mod automatic;
pub mod balance;
pub mod cost;
pub mod decision;
pub mod embed;
mod embed_parts;
mod encode;
pub mod evaluate;
pub mod fit;
pub mod flat;
mod labels;
mod laplacian;
pub mod learning_curve;
mod learning_plan;
pub mod left_out;
pub mod map;
pub mod model;
mod modes;
pub mod plan;
pub mod plane;
mod plane_layout;
mod plane_modes;
mod plane_stretch;
mod prepare;
#[allow(clippy::module_inception)]
pub mod recipe;
pub mod reliability;
pub mod schema;
mod session;
pub mod sets;
pub mod spectrum;
pub mod streamed;
pub mod study;
pub mod suggest;
mod sums;
pub mod travel;
pub mod tune;
pub mod warning;

pub use automatic::{Budget, Choice, Wait};
pub use balance::{Balance, balance};
pub use cost::check_embedding;
pub use decision::{Decision, decision};
pub use embed::{Embedding, EmbeddingParams};
pub use encode::Given;
pub use evaluate::{Chosen, Evaluation, Judging, evaluate};
pub use fit::{Input, fit, fit_given};
pub use learning_curve::{Learning, LearningCurve, learning_curve};
pub use left_out::{LeftOut, leave_one_out};
pub use map::{Map, Placed, map};
pub use model::{Answer, Decoded, Model, Settled};
pub use plan::{Plan, rows_to_keep, sample_size};
pub use plane::{Planar, Plane, PlaneKind, plane};
pub use recipe::{Function, Losses, Method, Recipe, Scaling, Shape, Task};
pub use reliability::{joined, reliability};
pub use sets::{Sets, fit_with_sets};
pub use spectrum::{SpectrumCurve, spectrum, spectrum_curve};
pub use streamed::{fit_planned, fit_streamed};
pub use study::Study;
pub use suggest::{Asking, Suggested, suggest};
pub use sums::Moments;
pub use tune::{Tuned, TunedLaplacian, tune, tune_laplacian};
pub use warning::{Neutral, Warning, Wording};
