//! Scalar functions of an eigenvalue, nothing else.
//!
//! Closed enums: the variant chooses the algorithm, so a `match` is exhaustive
//! and a file can hold any of them.

pub mod filter;
pub mod transform;

pub use filter::Filter;
pub use transform::Transform;

/// A function of one eigenvalue.
pub trait SpectralFunction: Send + Sync {
    /// Its value at an eigenvalue.
    fn at(&self, eigenvalue: f64) -> f64;
}
