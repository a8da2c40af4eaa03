//! The exponential over a slice, in place.
//!
//! `t = k ln 2 + r` with `|r| ≤ ln 2 / 2` (Cody and Waite: `ln 2` in two
//! pieces, so that `k` times the first is exact), `eʳ` by the polynomial of
//! degree 11 that is best in relative error (3.1e-18 before rounding), and `2ᵏ`
//! added to the exponent bits.
//!
//! Relative error at most 1e-15. Results below the smallest normal number,
//! 2⁻¹⁰²², are flushed to 0 (that is `t < −708.396…`): a kernel value that
//! small is nothing, and subnormal numbers slow every product they enter.
//! `t > 709.782…` gives infinity, NaN gives NaN.

use super::vector::{self, Map, horner, mul_add};

/// `eᵗ` for each `t`.
///
/// Cost: about 20 vector operations for each group of lanes; no memory.
pub fn exp(values: &mut [f64]) {
    vector::map(values, Scaled(1.0));
}

/// `e^(c·t)` for each `t`, in one pass.
///
/// `c·t` is rounded once before the exponential, which alone moves the result
/// by up to `|c·t|` half-units in the last place.
pub(crate) fn exp_scaled(values: &mut [f64], c: f64) {
    vector::map(values, Scaled(c));
}

#[derive(Clone, Copy)]
struct Scaled(f64);

impl Map for Scaled {
    #[inline(always)]
    fn at<const FUSED: bool>(self, t: f64) -> f64 {
        exp_of::<FUSED>(self.0 * t)
    }
}

/// Adding and subtracting 1.5·2⁵² rounds to an integer and leaves it in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// ln 2 with its last 20 bits cleared: `k` times it is exact for |k| < 2²⁰.
const LN_2_HIGH: f64 = 0.693_147_180_485_539_1;
/// The rest of ln 2.
const LN_2_LOW: f64 = 7.440_617_110_012_397e-11;
/// ln 2⁻¹⁰²²: below it the result is not a normal number.
const LOWEST: f64 = -708.396_418_532_264_1;
/// ln of the largest finite number.
const HIGHEST: f64 = 709.782_712_893_384;

/// Best relative approximation of eʳ on |r| ≤ ln 2 / 2, degree 11: the even powers.
const EVEN: [f64; 6] = [
    1.0,
    0.500_000_000_000_001_8,
    0.041_666_666_666_492_63,
    0.001_388_888_895_126_104_1,
    2.480_148_648_143_64e-5,
    2.763_230_817_489_448_7e-7,
];
/// The odd powers.
const ODD: [f64; 6] = [
    1.0,
    0.166_666_666_666_661_7,
    0.008_333_333_333_559_434,
    0.000_198_412_694_324_704_88,
    2.755_762_262_047_198e-6,
    2.499_430_327_381_439_4e-8,
];

/// `eᵗ` for one number, to be inlined into a vector loop.
#[inline(always)]
pub(super) fn exp_of<const FUSED: bool>(t: f64) -> f64 {
    let shifted = mul_add::<FUSED>(t, std::f64::consts::LOG2_E, ROUND);
    let k = shifted - ROUND;
    let r = mul_add::<FUSED>(k, -LN_2_HIGH, t);
    let r = mul_add::<FUSED>(k, -LN_2_LOW, r);
    // Even and odd powers apart: two short chains instead of one long one.
    let square = r * r;
    let even = horner::<FUSED, 6>(&EVEN, square);
    let odd = horner::<FUSED, 6>(&ODD, square);
    let p = mul_add::<FUSED>(odd, r, even);
    let value = f64::from_bits(p.to_bits().wrapping_add(shifted.to_bits() << 52));
    let value = if t < LOWEST { 0.0 } else { value };
    // Infinity above the range; NaN + ∞ is NaN.
    if t <= HIGHEST {
        value
    } else {
        t + f64::INFINITY
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/exp.rs"]
mod tests;
