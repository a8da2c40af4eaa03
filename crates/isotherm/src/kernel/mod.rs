//! Kernels: one kernel is one file is one scalar function and its derivative.
//!
//! A rotation-invariant kernel depends on the two points through *one* number
//! `t`, whose meaning is its [`Geometry`]. The matrix code that makes tiles of
//! `t` is written once, in `operator::gram`; a kernel only maps a tile in place.

/// What the one number of a kernel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Geometry {
    /// t = ‖x − z‖²
    SquaredDistance,
    /// t = x·z
    InnerProduct,
    /// t = x·z / (‖x‖‖z‖), and 0 where a row is zero
    Cosine,
}

/// A kernel: a scalar function of one number, evaluated over a tile.
pub trait Kernel: Send + Sync + std::fmt::Debug {
    /// What `t` is.
    fn geometry(&self) -> Geometry;

    /// Replaces each `t` of the tile by `k(t)`; one virtual call per tile,
    /// vectorised inside.
    fn value(&self, tile: &mut [f64]);
}

/// A kernel with a derivative everywhere, admissible for [KLAP].
pub trait SmoothKernel: Kernel {
    /// `slope` receives `dk/dt` where `tile` held `t`; `tile` becomes `k(t)`.
    fn value_and_slope(&self, tile: &mut [f64], slope: &mut [f64]);
}
