//! Contract checks: what every kernel promises, for kernels of your own.
//!
//! A check returns what is wrong as a sentence, so that it can be used from a
//! test of any kind.

pub mod kernel;
