#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::kernel::{Gaussian, Kernel, RationalQuadratic};
use crate::testing::kernel::{check, check_slope};

#[test]
fn keeps_the_kernel_contract() {
    for (l, a) in [(1.0, 1.0), (0.5, 0.25), (3.0, 17.5)] {
        let kernel = RationalQuadratic::new(l, a).unwrap();
        let define = |r: f64| (-a * (r / (2.0 * a * l * l)).ln_1p()).exp();
        check(Box::new(kernel), &define).unwrap();
        check_slope(&kernel).unwrap();
    }
}

#[test]
fn shape_one_is_the_cauchy_kernel() {
    let kernel = RationalQuadratic::new(1.3, 1.0).unwrap();
    for i in 0..200 {
        let r = f64::from(i) * 0.37;
        let cauchy = 1.0 / (1.0 + r / (2.0 * 1.3 * 1.3));
        assert!((kernel.at(r) - cauchy).abs() <= 4e-15 * cauchy);
    }
}

#[test]
fn a_large_shape_is_the_gaussian() {
    // (1 + u/α)^−α = e^−u · (1 + u²/2α + …)
    let gaussian = Gaussian::new(0.9).unwrap();
    for shape in [1e4, 1e8, 1e12] {
        let kernel = RationalQuadratic::new(0.9, shape).unwrap();
        for r in [0.0, 1e-3, 0.5, 2.0, 10.0] {
            let u = r / (2.0 * 0.81);
            let bound = gaussian.at(r) * (u * u / shape + 1e-14);
            assert!(
                (kernel.at(r) - gaussian.at(r)).abs() <= bound,
                "α = {shape}, R = {r}"
            );
        }
    }
}

#[test]
fn a_shape_that_is_not_positive_is_refused() {
    for bad in [0.0, -2.0, f64::NAN, f64::INFINITY] {
        assert!(RationalQuadratic::new(1.0, bad).is_err());
    }
    assert_eq!(RationalQuadratic::new(1e-150, 1.0).unwrap().at(1e301), 0.0);
}
