//! Linear solvers, eigenpairs and functions of an operator.
//!
//! A linear iteration writes one step and `drive` is the loop around it; eigenpairs,
//! Lanczos and the resolvent of a graph, which hold a basis or a panel between steps, have
//! loops of their own.

pub(crate) mod components;
pub(crate) mod conjugate_gradient;
pub mod direct;
pub mod eigenpairs;
mod iteration;
pub mod lanczos;
pub(crate) mod minres;
mod report;
pub mod resolvent;
pub(crate) mod richardson;

pub(crate) use iteration::{Finished, Iteration, Stop, drive, worst_ratio};
pub use report::{Outcome, SolveReport};
