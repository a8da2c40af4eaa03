//! Where tables come from: files and streams, their formats, and how they are read.

pub(crate) mod file_version;
pub(crate) mod format;
pub(crate) mod input;
mod location;
mod options;
pub(crate) mod spool;

pub use format::Format;
pub use location::Source;
pub(crate) use location::open;
pub use options::{NoRows, ReadOptions};
