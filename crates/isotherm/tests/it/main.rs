//! One binary; the same tree as `src/`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod base;
mod data;
mod embedding;
mod estimator;
mod feature;
mod golden;
mod golden_laplacian;
mod golden_stkr;
mod gram;
mod kernel;
mod landmark;
mod laplacian;
mod linalg;
mod operator;
mod partial;
mod plan;
mod query;
mod recipe;
mod recipe_edges;
mod resolvent;
mod rooms;
mod select_laplacian;
mod select_reach;
mod shared;
mod smoother;
mod solve;
mod spectrum;
mod stkr;
mod streamed;
mod study;
mod task;
mod trust;
