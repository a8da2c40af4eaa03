//! Linear solvers, eigenpairs and functions of an operator.
//!
//! A linear iteration writes one step and [`drive`] is the loop around it; eigenpairs,
//! Lanczos and the resolvent of a graph, which hold a basis or a panel between steps, have
//! loops of their own.

pub mod components;
pub mod conjugate_gradient;
pub mod direct;
pub mod eigenpairs;
mod iteration;
pub mod lanczos;
pub mod minres;
mod report;
pub mod resolvent;
pub mod richardson;

pub(crate) use iteration::worst_ratio;
pub use iteration::{Finished, Iteration, Stop, drive};
pub use report::{Outcome, SolveReport};
