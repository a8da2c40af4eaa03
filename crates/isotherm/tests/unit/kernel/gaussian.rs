#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::kernel::{Gaussian, Kernel, SmoothKernel};
use crate::testing::kernel::{check, check_slope};

#[test]
fn keeps_the_kernel_contract() {
    for s in [0.3, 1.0, 7.0] {
        let kernel = Gaussian::new(s).unwrap();
        check(Box::new(kernel), &|r| (-r / (2.0 * s * s)).exp()).unwrap();
        check_slope(&kernel).unwrap();
    }
}

#[test]
fn matches_the_paper_example() {
    // [KLAP Example 1]: k = exp(−‖x−z‖²/2σ²), ∂ᵢk = −(xᵢ − zᵢ)/σ² · k, and
    // ∇ₓk = 2 dk/dR (x − z).
    let (x, z, sigma) = ([1.0, 2.0, -0.5], [0.5, 2.5, 0.25], 0.8);
    let r = crate::unit::squared(&x, &z);
    let kernel = Gaussian::new(sigma).unwrap();
    let (mut tile, mut slope) = ([r], [0.0]);
    kernel.value_and_slope(&mut tile, &mut slope);
    let k = (-r / (2.0 * sigma * sigma)).exp();
    assert!((tile[0] - k).abs() < 1e-15);
    for (x, z) in x.iter().zip(&z) {
        let paper = -(x - z) / (sigma * sigma) * k;
        assert!((2.0 * slope[0] * (x - z) - paper).abs() < 1e-15);
    }
}

#[test]
fn scaling_the_data_is_scaling_the_bandwidth() {
    // A power of two scales without rounding, so the bits agree.
    let (narrow, wide) = (Gaussian::new(0.75).unwrap(), Gaussian::new(3.0).unwrap());
    for i in 0..100 {
        let r = f64::from(i) * 0.173;
        assert_eq!(narrow.at(r).to_bits(), wide.at(16.0 * r).to_bits());
    }
}

#[test]
fn far_points_are_nothing_to_each_other() {
    let kernel = Gaussian::new(1e-3).unwrap();
    assert_eq!(kernel.at(1e300), 0.0);
    assert_eq!(kernel.at(0.0), 1.0);
}

#[test]
fn a_bandwidth_that_is_not_positive_is_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-200, 1e200] {
        let message = Gaussian::new(bad).unwrap_err().to_string();
        assert!(
            message.starts_with("bandwidth must be a positive number"),
            "{message}"
        );
    }
    assert_eq!(
        Gaussian::new(-0.5).unwrap_err().to_string(),
        "bandwidth must be a positive number, got -0.5"
    );
}
