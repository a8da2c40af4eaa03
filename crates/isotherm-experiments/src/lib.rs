//! The experiments of STKR, run by isotherm and set beside the printed numbers.
//!
//! ```sh
//! isotherm-experiments stkr table4 --graphs cora,pubmed --seeds 10 --out experiments
//! ```
//!
//! Each run leaves one row a method and split in `runs/<graph>.csv`; every
//! table's and figure's folder is written from those rows, never by hand.

pub mod clock;
pub mod graphs;
pub mod grid;
pub mod klap;
pub mod paper;
pub mod partial;
pub mod query;
pub mod records;
pub mod report;
pub mod run;
pub mod stage;
pub mod stats;
pub mod walks;
