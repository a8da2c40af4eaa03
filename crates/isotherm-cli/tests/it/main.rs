//! The real binary, run in a directory of its own: what it says, where, and
//! what it leaves behind.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    unreachable_pub
)]

mod checking;
mod choosing;
mod codes;
mod damage;
mod degenerate;
mod explaining;
mod gradient;
mod graphs;
mod help;
mod interrupts;
mod killed;
mod labelling;
mod manner;
mod meant;
mod merging;
mod models;
mod network;
mod packaging;
mod packed;
mod parameters;
mod plots;
mod provenance;
mod reading;
mod refusals;
mod reporting;
mod rerun;
mod run;
mod settings;
mod snapshots;
mod spectral;
mod streaming;
mod sweep;
mod tables;
mod texts;
mod trusting;
mod tuning;
mod tutorial;
mod writing;
