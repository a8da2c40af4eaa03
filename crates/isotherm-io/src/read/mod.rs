//! Tables in: one file, several, or some rows at a time.

mod any_format;
pub(crate) mod batches;
pub mod footprint;
mod opened_file;
pub(crate) mod several;

pub(crate) use any_format::read_stream;
pub use any_format::read_table;
