//! What a fit will cost, and which method to use when nobody says.

pub mod automatic;
pub mod cost;

pub use automatic::{Budget, Choice, Wait};
pub use cost::check_embedding;
