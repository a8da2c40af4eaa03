//! One scalar formula over a whole tile, in the widest vectors the processor has.
//!
//! A formula is written once, for one number, and inlined into a plain loop
//! that is compiled for each instruction set `pulp` knows; the set is chosen at
//! run time. `FUSED` tells the formula whether `a·b + c` is one instruction:
//! where it is not, `f64::mul_add` would be a slow library call.

use pulp::{Arch, Simd, WithSimd};

/// A scalar function that can be inlined into a vector loop.
pub(super) trait Map: Copy {
    /// The function's value at `t`.
    fn at<const FUSED: bool>(self, t: f64) -> f64;
}

/// A scalar function with its derivative.
pub(super) trait MapWithSlope: Copy {
    /// Value and derivative at `t`.
    fn at<const FUSED: bool>(self, t: f64) -> (f64, f64);
}

/// `a·b + c`, rounded once where the processor can.
#[inline(always)]
pub(super) fn mul_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// `p₀ + p₁x + p₂x² + …` by Horner's rule.
#[inline(always)]
pub(super) fn horner<const FUSED: bool, const N: usize>(p: &[f64; N], x: f64) -> f64 {
    let mut sum = p[N - 1];
    for i in (0..N - 1).rev() {
        sum = mul_add::<FUSED>(sum, x, p[i]);
    }
    sum
}

/// Replaces each `t` by the function's value.
pub(super) fn map<M: Map>(tile: &mut [f64], function: M) {
    Arch::new().dispatch(Pass { tile, function });
}

/// Replaces each `t` by the function's value and writes the derivative to `slope`.
pub(super) fn map_with_slope<M: MapWithSlope>(tile: &mut [f64], slope: &mut [f64], function: M) {
    Arch::new().dispatch(PassWithSlope {
        tile,
        slope,
        function,
    });
}

/// Every vector set of four or more lanes that `pulp` dispatches to has fused
/// multiply-add, and so has every 64-bit Arm.
#[inline(always)]
fn fused<S: Simd>() -> bool {
    S::F64_LANES >= 4 || cfg!(target_arch = "aarch64")
}

struct Pass<'a, M> {
    tile: &'a mut [f64],
    function: M,
}

impl<M: Map> WithSimd for Pass<'_, M> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { tile, function } = self;
        if fused::<S>() {
            for t in tile {
                *t = function.at::<true>(*t);
            }
        } else {
            for t in tile {
                *t = function.at::<false>(*t);
            }
        }
    }
}

struct PassWithSlope<'a, M> {
    tile: &'a mut [f64],
    slope: &'a mut [f64],
    function: M,
}

impl<M: MapWithSlope> WithSimd for PassWithSlope<'_, M> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self {
            tile,
            slope,
            function,
        } = self;
        if fused::<S>() {
            for (t, d) in tile.iter_mut().zip(slope) {
                (*t, *d) = function.at::<true>(*t);
            }
        } else {
            for (t, d) in tile.iter_mut().zip(slope) {
                (*t, *d) = function.at::<false>(*t);
            }
        }
    }
}
