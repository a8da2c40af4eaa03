//! The real binary, run in a directory of its own: what it says, where, and
//! what it leaves behind.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    unreachable_pub
)]

mod damage;
mod gradient;
mod graphs;
mod interrupts;
mod labelling;
mod manner;
mod models;
mod reading;
mod refusals;
mod run;
mod spectral;
mod streaming;
mod sweep;
mod texts;
mod trusting;
mod tuning;
mod writing;
