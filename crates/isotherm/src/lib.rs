//! isotherm learns from a handful of labels and all the unlabelled data around them.

pub mod base;
pub mod data;
pub mod error;
pub mod kernel;
pub mod linalg;
pub mod model;
pub mod monitor;
pub mod operator;
#[cfg(feature = "testing")]
pub mod testing;

pub use error::{Error, Result};
