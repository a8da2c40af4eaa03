//! The tests of `isotherm-io`, one module per source file.
//!
//! Names are sentences that can be false. Seeds are local. No test needs the
//! network, and none leaves a file behind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arrow;
mod atomic;
mod batches;
mod csv;
mod dialect;
mod edges;
mod embedded;
mod features;
mod footprint;
mod guard;
mod hashing;
mod input;
mod json_lines;
mod label_cells;
mod labels;
mod lists;
mod merge;
mod messages;
mod model_file;
mod mutation;
mod npy;
mod npz;
mod one_hot;
mod packing;
mod parquet;
mod parts;
mod pieces;
mod profile;
mod provenance;
mod source;
mod stamp;
mod support;
mod table;
mod write;
