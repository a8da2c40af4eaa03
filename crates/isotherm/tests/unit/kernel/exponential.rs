#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::kernel::{Exponential, Kernel};
use crate::testing::kernel::check;

#[test]
fn keeps_the_kernel_contract() {
    for l in [0.4, 1.0, 5.0] {
        let kernel = Exponential::new(l).unwrap();
        check(Box::new(kernel), &|r| (-r.sqrt() / l).exp()).unwrap();
    }
}

#[test]
fn has_a_corner_at_zero() {
    // (1 − k)/√R tends to 1/ℓ, so dk/dR has no limit.
    let kernel = Exponential::new(2.0).unwrap();
    for r in [1e-6, 1e-8, 1e-10_f64] {
        let steep = (1.0 - kernel.at(r)) / r.sqrt();
        assert!((steep - 0.5).abs() < 1e-3);
    }
}
