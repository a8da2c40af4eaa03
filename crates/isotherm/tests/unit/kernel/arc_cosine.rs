#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::kernel::{ArcCosine, Kernel, SmoothKernel};
use crate::testing::kernel::{check, check_slope};

/// The formula of the paper, with the angle θ between the rows.
fn paper(t: f64) -> f64 {
    let theta = t.clamp(-1.0, 1.0).acos();
    (theta.sin() + (std::f64::consts::PI - theta) * theta.cos()) / std::f64::consts::PI
}

#[test]
fn keeps_the_kernel_contract() {
    // Near −1 the paper's formula cancels; there the series has the digits.
    let define = |t: f64| {
        if t < -0.9 {
            ArcCosine::of_directions().at(t)
        } else {
            paper(t)
        }
    };
    check(Box::new(ArcCosine::of_directions()), &define).unwrap();
}

#[test]
fn agrees_with_the_paper_everywhere() {
    for i in 0..=2000 {
        let t = -1.0 + f64::from(i) / 1000.0;
        let k = ArcCosine::of_directions().at(t);
        assert!(
            (k - paper(t)).abs() < 1e-15,
            "{t}: {k} against {}",
            paper(t)
        );
    }
}

#[test]
fn its_slope_is_that_of_differences() {
    check_slope(&ArcCosine::of_products()).unwrap();
}

#[test]
fn its_curvature_is_the_slope_of_its_slope() {
    let kernel = ArcCosine::of_products();
    let slope = |t: f64| {
        let (mut tile, mut slope) = ([t], [0.0]);
        kernel.value_and_slope(&mut tile, &mut slope);
        slope[0]
    };
    for t in [-0.9, -0.3, 0.0, 0.4, 0.95] {
        let h = 1e-5;
        let difference = (slope(t + h) - slope(t - h)) / (2.0 * h);
        assert!((kernel.curvature(t) - difference).abs() < 1e-6, "{t}");
    }
}

#[test]
fn is_the_covariance_of_rectified_linear_units() {
    // 2·E[(w·x)₊(w·z)₊] for two unit rows at 60 degrees, by drawing w.
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (x, z) = ([1.0, 0.0], [0.5, 0.75_f64.sqrt()]);
    let draws = 400_000;
    let mut sum = 0.0;
    for _ in 0..draws {
        let (u, v): (f64, f64) = (rng.random(), rng.random());
        let r = (-2.0 * (1.0 - u).ln()).sqrt();
        let w = [
            r * (2.0 * std::f64::consts::PI * v).cos(),
            r * (2.0 * std::f64::consts::PI * v).sin(),
        ];
        let unit = |row: [f64; 2]| (w[0] * row[0] + w[1] * row[1]).max(0.0);
        sum += 2.0 * unit(x) * unit(z);
    }
    let mean = sum / f64::from(draws);
    // The standard deviation of one draw is about 1.5.
    assert!(
        (mean - ArcCosine::of_directions().at(0.5)).abs() < 5.0 * 1.5 / f64::from(draws).sqrt()
    );
}
