//! Kernels: one kernel is one file is one scalar function and its derivative.
//!
//! A rotation-invariant kernel depends on the two points through *one* number
//! `t`, whose meaning is its [`Geometry`]. The matrix code that makes tiles of
//! `t` is written once, in `operator::gram`; a kernel only maps a tile in place.
//!
//! A new kernel takes five files: its own, two lines here, a variant and a line of the
//! table in [`spec`], its test, and a row in the guide. Front ends take the names and the
//! usual numbers from [`KernelSpec::NAMES`] and [`KernelSpec::named`].

mod arc_cosine;
pub mod cosine;
pub mod exp;
pub mod exponential;
pub mod gaussian;
pub mod laplace;
pub mod linear;
mod ln;
pub mod matern;
pub mod polynomial;
mod rate;
pub mod rational_quadratic;
pub mod spec;
mod vector;

pub use crate::linalg::pairwise::Geometry;
pub(crate) use arc_cosine::ArcCosine;
pub use cosine::Cosine;
pub use exponential::Exponential;
pub use gaussian::Gaussian;
pub(crate) use laplace::Laplace;
pub use linear::Linear;
pub use matern::{Matern, Smoothness};
pub use polynomial::Polynomial;
pub use rational_quadratic::RationalQuadratic;
pub use spec::{Bandwidth, KernelSpec};

/// A kernel: a scalar function of one number, evaluated over a tile.
pub trait Kernel: Send + Sync + std::fmt::Debug {
    /// What `t` is.
    fn geometry(&self) -> Geometry;

    /// Replaces each `t` of the tile by `k(t)`; one virtual call per tile,
    /// vectorised inside.
    fn value(&self, tile: &mut [f64]);

    /// Whether every Gram matrix of this kernel is positive semidefinite.
    ///
    /// `false` means "not promised": the Gram operator then claims no interval
    /// for its spectrum, and solvers that need one refuse.
    fn positive(&self) -> bool {
        false
    }

    /// `k(t)` for one number.
    fn at(&self, t: f64) -> f64 {
        let mut tile = [t];
        self.value(&mut tile);
        tile[0]
    }
}

/// A kernel with a derivative everywhere, admissible for KLAP.
pub trait SmoothKernel: Kernel {
    /// `slope` receives `dk/dt` where `tile` held `t`; `tile` becomes `k(t)`.
    ///
    /// Where the two lengths differ the longer one's rest is left alone.
    fn value_and_slope(&self, tile: &mut [f64], slope: &mut [f64]);

    /// `d²k/dt²` at one number, for the pairs of derivatives `∂ₐk_z`; 0 at a
    /// distance of 0 where it is infinite (Matérn 3/2), because there it only
    /// ever multiplies differences that vanish faster.
    fn curvature(&self, t: f64) -> f64;
}
