//! The tests of `isotherm-io`, in the same tree as `src/`.
//!
//! Names are sentences that can be false. Seeds are local. No test needs the
//! network, and none leaves a file behind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arrays;
mod columnar;
mod database;
mod features;
mod graph;
mod labels;
mod messages;
mod model_file;
mod mutation;
mod provenance;
mod read;
mod sentences;
mod source;
mod support;
mod table;
mod text;
mod write;
