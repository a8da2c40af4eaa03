//! The real binary, run in a directory of its own: what it says, where, and
//! what it leaves behind.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    unreachable_pub
)]

mod args;
mod codes;
mod commands;
mod config;
mod interrupts;
mod load;
mod network;
mod output;
mod packaging;
mod people;
mod random_inputs;
mod run;
mod snapshots;
mod tutorial;
