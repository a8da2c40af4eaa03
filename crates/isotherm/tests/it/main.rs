//! One binary; the same tree as `src/`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod data;
mod estimator;
mod golden;
mod linalg_factor;
mod operator;
mod operator_algebra;
mod recipe;
mod rooms;
mod solve;
mod spectrum;
mod task;
