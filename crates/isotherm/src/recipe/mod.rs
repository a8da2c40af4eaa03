//! What a user can say, whole and serialisable. Nothing runs here.
//!
//! A [`Recipe`] names a [`Method`] with its parameters and a [`Task`]; the command line and
//! Python build the same one. A [`Study`](crate::study::Study) applies it to data.

mod check;
mod class_shares;
pub(crate) mod losses;
mod method;
#[allow(clippy::module_inception)]
mod recipe;
pub mod schema;
mod shape;
mod smoothing;
mod task;

pub use class_shares::ClassShares;
pub use losses::Losses;
pub use method::Method;
pub(crate) use recipe::DEFAULT_NEIGHBOURS;
pub(crate) use recipe::default_neighbours;
pub use recipe::{Function, Recipe, Scaling};
pub use shape::Shape;
pub use smoothing::Smoothing;
pub use task::{Task, guess_task};
