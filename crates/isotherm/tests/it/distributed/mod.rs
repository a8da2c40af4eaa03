//! Fits over parts of a table against fits of the whole.

mod plan;
mod streamed;
