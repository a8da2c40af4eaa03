//! The tests mirror the source tree.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod data;
mod operator;
