//! What can be typed: flags of each method, common flags and help.

mod auto_method;
mod common;
mod help;
mod laplacian;
mod parameters;
pub(crate) mod stkr;
