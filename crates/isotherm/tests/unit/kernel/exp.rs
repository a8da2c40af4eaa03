#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::{exp, exp_of, exp_scaled};

/// ln 2⁻¹⁰²²: results below the smallest normal number are flushed to 0.
const LOWEST: f64 = -708.396_418_532_264_1;

fn one(t: f64) -> f64 {
    let mut values = [t];
    exp(&mut values);
    values[0]
}

#[test]
fn relative_error_is_at_most_a_few_units_over_the_whole_range() {
    // 2 million points; std itself errs by less than 1 unit (2.2e-16).
    let mut worst = (0.0_f64, 0.0);
    let steps = 2_000_000;
    let mut values: Vec<f64> = (0..=steps)
        .map(|i| LOWEST + (709.78 - LOWEST) * f64::from(i) / f64::from(steps))
        .collect();
    let arguments = values.clone();
    exp(&mut values);
    for (t, v) in arguments.iter().zip(&values) {
        let error = (v - t.exp()).abs() / t.exp();
        if error > worst.0 {
            worst = (error, *t);
        }
    }
    assert!(worst.0 <= 1e-15, "{:e} at t = {}", worst.0, worst.1);
}

#[test]
fn small_arguments_are_as_accurate() {
    for i in -320..3 {
        for sign in [-1.0, 1.0] {
            let t = sign * 10f64.powi(i);
            assert!((one(t) - t.exp()).abs() <= 1e-15 * t.exp(), "t = {t:e}");
        }
    }
    assert_eq!(one(0.0), 1.0);
    assert_eq!(one(-0.0), 1.0);
}

#[test]
fn below_the_normal_range_is_exactly_zero() {
    assert!(one(-708.39) > 0.0);
    for t in [
        -708.3965,
        -720.0,
        -745.0,
        -746.0,
        -1e6,
        -1e300,
        f64::NEG_INFINITY,
    ] {
        assert_eq!(one(t), 0.0, "t = {t}");
    }
}

#[test]
fn above_the_range_is_infinite() {
    assert!(one(709.78).is_finite());
    for t in [709.79, 720.0, 1e6, 1e300, f64::INFINITY] {
        assert_eq!(one(t), f64::INFINITY, "t = {t}");
    }
}

#[test]
fn not_a_number_stays_not_a_number() {
    for bits in [
        0x7FF8_0000_0000_0000,
        0x7FF8_0000_0000_0FFF,
        0xFFF8_0000_0000_0001_u64,
    ] {
        let mut values = [f64::from_bits(bits); 9];
        exp(&mut values);
        assert!(values.iter().all(|v| v.is_nan()), "{bits:x}");
    }
}

#[test]
fn scaling_the_argument_is_scaling_before() {
    for c in [-0.37, 2.5, -1e-3] {
        let mut scaled: Vec<f64> = (0..1001).map(|i| f64::from(i) / 10.0).collect();
        let mut plain: Vec<f64> = scaled.iter().map(|t| c * t).collect();
        exp_scaled(&mut scaled, c);
        exp(&mut plain);
        assert_eq!(scaled, plain);
    }
}

#[test]
fn the_tail_of_a_slice_has_the_same_bits_as_its_body() {
    for length in 0..40 {
        let mut values: Vec<f64> = (0..length).map(|i| -f64::from(i) * 1.7).collect();
        exp(&mut values);
        for (i, v) in values.iter().enumerate() {
            assert_eq!(v.to_bits(), one(-(i as f64) * 1.7).to_bits());
        }
    }
}

#[test]
fn is_as_accurate_where_multiply_and_add_are_not_fused() {
    for i in 0..200_000 {
        let t = -708.0 + 1417.0 * f64::from(i) / 2e5;
        assert!(
            (exp_of::<false>(t) - t.exp()).abs() <= 1e-15 * t.exp(),
            "t = {t}"
        );
    }
    assert_eq!(exp_of::<false>(-800.0), 0.0);
    assert_eq!(exp_of::<false>(800.0), f64::INFINITY);
    assert!(exp_of::<false>(f64::NAN).is_nan());
}
