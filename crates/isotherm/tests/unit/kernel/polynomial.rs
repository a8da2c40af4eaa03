#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::kernel::{Kernel, Linear, Polynomial};
use crate::testing::kernel::{check, check_slope};

#[test]
fn keeps_the_kernel_contract() {
    for (degree, scale, offset) in [(1, 1.0, 0.0), (2, 0.5, 1.0), (3, 1.0, 4.0), (7, 0.1, 1.0)] {
        let kernel = Polynomial::new(degree, scale, offset).unwrap();
        check(Box::new(kernel), &|t| {
            scale.mul_add(t, offset).powi(degree as i32)
        })
        .unwrap();
        check_slope(&kernel).unwrap();
    }
}

#[test]
fn degree_one_without_offset_is_linear() {
    let kernel = Polynomial::new(1, 1.0, 0.0).unwrap();
    for t in [-3.0, 0.0, 0.7, 1e100] {
        assert_eq!(kernel.at(t), Linear.at(t));
    }
}

#[test]
fn every_degree_is_a_power() {
    for degree in 1..=32 {
        let kernel = Polynomial::new(degree, 1.0, 0.0).unwrap();
        assert_eq!(kernel.at(2.0), 2f64.powi(degree as i32));
        assert_eq!(kernel.at(-1.0), if degree % 2 == 0 { 1.0 } else { -1.0 });
    }
}

#[test]
fn parameters_outside_their_range_are_refused() {
    assert!(Polynomial::new(0, 1.0, 1.0).is_err());
    assert!(Polynomial::new(33, 1.0, 1.0).is_err());
    assert!(Polynomial::new(2, 0.0, 1.0).is_err());
    assert!(Polynomial::new(2, 1.0, -1.0).is_err());
    assert!(Polynomial::new(2, 1.0, f64::NAN).is_err());
}
