//! Pictures whose paths stand in a column.
//!
//! A path is relative to the folder of its table. Only PNG and JPEG are decoded, and only as
//! many pixels as [`isotherm::picture`] needs are kept.

mod column;
mod decode;
mod room;

pub use column::thumbnail;
pub(crate) use column::{all_vectors, are_some_there};
pub(crate) use decode::is_name;
