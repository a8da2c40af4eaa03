#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::kernel::{Gaussian, Kernel, Matern, SmoothKernel, Smoothness};
use crate::testing::kernel::{check, check_slope};

#[test]
fn keeps_the_kernel_contract() {
    for l in [0.4, 1.0, 5.0] {
        let three = Matern::new(Smoothness::ThreeHalves, l).unwrap();
        check(Box::new(three), &|r| {
            let a = (3.0 * r).sqrt() / l;
            (1.0 + a) * (-a).exp()
        })
        .unwrap();
        check_slope(&three).unwrap();
        let five = Matern::new(Smoothness::FiveHalves, l).unwrap();
        check(Box::new(five), &|r| {
            let a = (5.0 * r).sqrt() / l;
            (1.0 + a + a * a / 3.0) * (-a).exp()
        })
        .unwrap();
        check_slope(&five).unwrap();
    }
}

#[test]
fn slope_at_zero_is_the_limit() {
    let l = 1.7;
    for (smoothness, limit) in [
        (Smoothness::ThreeHalves, -3.0 / (2.0 * l * l)),
        (Smoothness::FiveHalves, -5.0 / (6.0 * l * l)),
    ] {
        let kernel = Matern::new(smoothness, l).unwrap();
        let (mut tile, mut slope) = ([0.0, 1e-30], [f64::NAN; 2]);
        kernel.value_and_slope(&mut tile, &mut slope);
        assert_eq!(tile[0], 1.0);
        assert!((slope[0] - limit).abs() < 1e-15);
        assert!((slope[1] - limit).abs() < 1e-12);
    }
}

#[test]
fn smoother_is_nearer_to_the_gaussian() {
    let gaussian = Gaussian::new(1.0).unwrap();
    let three = Matern::new(Smoothness::ThreeHalves, 1.0).unwrap();
    let five = Matern::new(Smoothness::FiveHalves, 1.0).unwrap();
    for r in [0.01, 0.1, 0.5] {
        let (g, t, f) = (gaussian.at(r), three.at(r), five.at(r));
        assert!((f - g).abs() < (t - g).abs(), "R = {r}");
    }
}

#[test]
fn overflowing_distances_give_zero_and_not_nan() {
    for smoothness in [Smoothness::ThreeHalves, Smoothness::FiveHalves] {
        let kernel = Matern::new(smoothness, 1e-150).unwrap();
        let (mut tile, mut slope) = ([1e200, 1e301], [f64::NAN; 2]);
        kernel.value_and_slope(&mut tile, &mut slope);
        assert_eq!((tile, slope.map(f64::abs)), ([0.0; 2], [0.0; 2]));
    }
}
