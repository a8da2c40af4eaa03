//! The tests of `isotherm-io`, one module per source file.
//!
//! Names are sentences that can be false. Seeds are local. No test needs the
//! network, and none leaves a file behind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod atomic;
mod batches;
mod csv;
mod dialect;
mod edges;
mod features;
mod input;
mod label_cells;
mod labels;
mod messages;
mod model_file;
mod mutation;
mod npy;
mod npz;
mod parquet;
mod parts;
mod pieces;
mod source;
mod stamp;
mod support;
mod table;
mod write;
