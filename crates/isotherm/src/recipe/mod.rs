//! The front door shared by the command line, Python and the studio.
//!
//! A [`Recipe`] is what a user can say, whole and serialisable; [`fit()`] turns
//! it and data into a [`Model`]; a model answers for the samples it saw and for
//! new ones, and lays itself out flat for a file.

pub mod automatic;
pub mod cost;
pub mod embed;
mod embed_parts;
mod encode;
pub mod evaluate;
pub mod fit;
pub mod flat;
mod labels;
mod laplacian;
pub mod left_out;
pub mod model;
mod modes;
pub mod plan;
mod prepare;
#[allow(clippy::module_inception)]
pub mod recipe;
mod session;
pub mod sets;
pub mod spectrum;
pub mod streamed;
pub mod suggest;
mod sums;
pub mod travel;
pub mod tune;

pub use automatic::{Budget, Choice, Wait};
pub use cost::check_embedding;
pub use embed::{Embedding, EmbeddingParams};
pub use encode::Given;
pub use evaluate::{Chosen, Evaluation, Judging, evaluate};
pub use fit::{Input, fit, fit_given};
pub use left_out::{LeftOut, leave_one_out};
pub use model::{Answer, Decoded, Model, Settled};
pub use plan::{Plan, rows_to_keep, sample_size};
pub use recipe::{Function, Losses, Method, Recipe, Scaling, Shape, Task};
pub use sets::{Sets, fit_with_sets};
pub use spectrum::spectrum;
pub use streamed::{fit_planned, fit_streamed};
pub use suggest::{Asking, Suggested, suggest};
pub use sums::Moments;
pub use tune::{Tuned, TunedLaplacian, tune, tune_laplacian};
