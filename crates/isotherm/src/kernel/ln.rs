//! `ln(1 + u)` for `u ≥ 0`, to be inlined into a vector loop.
//!
//! `1 + u = 2ᵏ m` with `m` in `[√½, √2)`, `ln m = 2 artanh s` with
//! `s = (m − 1)/(m + 1)`, the series in `s²` by its best polynomial of degree 7
//! (3.1e-18 before rounding), and the rounding of `1 + u` given back as a first
//! order correction, so that the relative error is at most 1e-15 near 0 too.

use super::vector::{horner, mul_add};

/// Best relative approximation of (artanh(s)/s − 1)/s² in s², |s| ≤ 3 − 2√2.
const ARTANH: [f64; 8] = [
    0.333_333_333_333_333_3,
    0.200_000_000_000_004_4,
    0.142_857_142_854_007_72,
    0.111_111_111_960_722_5,
    0.090_908_977_987_310_62,
    0.076_931_209_361_566_42,
    0.066_343_592_352_685_3,
    0.065_435_835_400_538_45,
];

/// The bits of √½: adding what is missing to 1 carries into the exponent
/// exactly when the fraction is at least √2.
const SQRT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
const ONE: u64 = 0x3FF0_0000_0000_0000;
const FRACTION: u64 = 0x000F_FFFF_FFFF_FFFF;
/// The bits of 2⁵²: or-ed with a small integer they are the number 2⁵² + it.
const TWO_52: u64 = 0x4330_0000_0000_0000;

/// `ln(1 + u)` for `u ≥ 0`; what overflowed counts as the largest number.
#[inline(always)]
pub(super) fn ln_1p_of<const FUSED: bool>(u: f64) -> f64 {
    let u = if u > f64::MAX { f64::MAX } else { u };
    let w = 1.0 + u;
    // What rounding took from 1 + u; exact for u ≤ 1 and harmless beyond 2⁵³.
    let lost = if u < 1.0 {
        u - (w - 1.0)
    } else {
        1.0 - (w - u)
    };
    let bits = w.to_bits().wrapping_add(ONE - SQRT_HALF);
    let k = f64::from_bits((bits >> 52) | TWO_52) - (4_503_599_627_370_496.0 + 1023.0);
    let m = f64::from_bits((bits & FRACTION).wrapping_add(SQRT_HALF));
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let square = s * s;
    let tail = square * horner::<FUSED, 8>(&ARTANH, square);
    // ln m = 2s + 2s·tail, and 2s = f − s·f keeps the leading term exact.
    let fraction = f - s * (f - 2.0 * tail);
    mul_add::<FUSED>(k, std::f64::consts::LN_2, fraction + lost / w)
}

#[cfg(test)]
mod tests {
    use super::ln_1p_of;

    #[test]
    fn agrees_with_the_library_from_tiny_to_huge() {
        for i in -3000..3000 {
            let u = 10f64.powf(f64::from(i) / 20.0);
            let (ours, theirs) = (ln_1p_of::<false>(u), u.ln_1p());
            assert!(
                (ours - theirs).abs() <= 1e-15 * theirs.abs(),
                "u = {u:e}: {ours:e} against {theirs:e}"
            );
        }
        assert_eq!(ln_1p_of::<false>(0.0), 0.0);
    }
}
