//! A fitted recipe: what it predicts, what it warns of, and how a file holds it.

mod blend_nodes;
mod blend_outline;
mod blend_parts;
mod encoding;
pub(crate) mod graph_parts;
#[allow(clippy::module_inception)]
mod model;
pub mod parts;
mod predictor;
pub(crate) mod serial;
mod table_parts;
mod warning;

pub use encoding::Encoding;
pub use model::Model;
pub(crate) use predictor::Predictor;
pub use warning::{Neutral, Warning, Wording};
