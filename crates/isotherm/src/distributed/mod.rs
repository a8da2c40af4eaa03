//! A fit whose rows are streamed, or lie on several machines.
//!
//! Kernel Laplacians need only sums over the rows. Each worker surveys its rows, the surveys are
//! merged into a [`Plan`], each worker sums by the plan into [`Moments`], and the merged moments
//! give the model.

pub mod messages;
mod moments;
mod plan;
mod streamed;

pub use moments::Moments;
pub use plan::{Plan, rows_to_keep, sample_size};
pub use streamed::fit_streamed;
