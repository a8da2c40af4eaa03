//! Scalar functions of an eigenvalue, nothing else.
//!
//! Closed enums: the variant chooses the algorithm, so a `match` is exhaustive
//! and a file can hold any of them.

pub(crate) mod conditions;
pub mod filter;
pub mod filter_path;
pub mod transform;

pub use filter::Filter;
pub use filter_path::{FilterFamily, FilterPath};
pub use transform::{Encoder, Transform};

/// A function of one eigenvalue.
pub trait SpectralFunction: Send + Sync {
    /// Its value at an eigenvalue.
    fn at(&self, eigenvalue: f64) -> f64;

    /// `s(λ)/λ`, continued to λ = 0: what turns labels into coefficients of an
    /// expansion over the base kernel.
    ///
    /// Unless overridden, the slope at a small step stands for it near zero.
    fn ratio(&self, eigenvalue: f64) -> f64 {
        const STEP: f64 = 1e-9;
        if eigenvalue.abs() < STEP {
            return self.at(STEP) / STEP;
        }
        self.at(eigenvalue) / eigenvalue
    }

    /// Its parts when it is `λʳ/(1 − ηλ)` with r = 0 or 1, which costs a solve
    /// with a tridiagonal matrix where others cost an eigenproblem.
    fn resolvent(&self) -> Option<Resolvent> {
        None
    }
}

/// `λʳ/(1 − ηλ)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resolvent {
    /// η > 0.
    pub eta: f64,
    /// Whether r is 1, not 0.
    pub times: bool,
}

impl<F: Fn(f64) -> f64 + Send + Sync> SpectralFunction for F {
    fn at(&self, eigenvalue: f64) -> f64 {
        self(eigenvalue)
    }
}
