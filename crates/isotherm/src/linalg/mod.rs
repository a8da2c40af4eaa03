//! Dense linear algebra: the only room that names faer's factorisations.
//!
//! Everything above works on [`Mat`], [`MatRef`], [`MatMut`] (faer's, re-exported)
//! and on [`Block`], a row-major panel of right-hand sides whose rows sit on
//! cache lines. Products go through `gemm`, which leaves the processor's
//! vector state clean; loops over tiles go through `tiles`, whose result does
//! not depend on the number of threads.

pub mod block;
pub mod cholesky;
pub mod distance;
pub mod eigen;
pub(crate) mod gemm;
pub(crate) mod indefinite;
pub mod pairwise;
pub(crate) mod panel;
pub mod precision;
pub mod prefetch;
pub(crate) mod qr;
pub mod rows;
pub(crate) mod screen;
pub(crate) mod sparse_cholesky;
pub mod strips;
pub(crate) mod svd;
pub(crate) mod tiles;
pub(crate) mod triangular;
pub(crate) mod whiten;

pub use block::Block;
pub use faer::{Mat, MatMut, MatRef};
pub use precision::Precision;
pub use rows::Rows;
