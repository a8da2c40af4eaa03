//! The front door shared by the command line, Python and the studio.
//!
//! A [`Recipe`] is what a user can say, whole and serialisable; [`fit()`] turns
//! it and data into a [`Model`]; a model answers for the samples it saw and for
//! new ones, and lays itself out flat for a file.

pub mod cost;
pub mod embed;
pub mod fit;
pub mod flat;
mod laplacian;
pub mod model;
#[allow(clippy::module_inception)]
pub mod recipe;
pub mod streamed;
pub mod tune;

pub use cost::check_embedding;
pub use embed::{Embedded, embed};
pub use fit::{Input, fit};
pub use model::{Answer, Decoded, Model};
pub use recipe::{Method, Recipe, Scaling, Shape, Task};
pub use streamed::fit_streamed;
pub use tune::{Tuned, TunedLaplacian, tune, tune_laplacian};
