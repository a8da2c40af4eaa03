//! One test program; its modules mirror the library's rooms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod base;
mod data;
mod kernel;
mod linalg;
mod operator;
