//! The base rate against a search over many.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::linalg::Mat;
use crate::trust::base_rate::base_rate;

/// Roughly normal: the sum of twelve uniform numbers, less six.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// The log likelihood of `p ∝ π̂^t exp(a·f)` over leave-one-out scores.
fn likelihood(left: &Mat<f64>, truth: &[u32], a: f64, t: f64) -> f64 {
    let (n, classes) = (left.nrows(), left.ncols());
    let sure = (n + 1) as f64 / (n + 2) as f64;
    let mut sum = 0.0;
    for i in 0..n {
        let others = |c: usize| {
            let count = (0..n).filter(|&j| j != i && truth[j] as usize == c).count();
            (count + 1) as f64 / (n - 1 + classes) as f64
        };
        let odds: Vec<f64> = (0..classes)
            .map(|c| others(c).powf(t) * (a * left[(i, c)]).exp())
            .collect();
        let total: f64 = odds.iter().sum();
        for (c, odds) in odds.iter().enumerate() {
            let rest = (1.0 - sure) / (classes - 1) as f64;
            let target = if truth[i] as usize == c { sure } else { rest };
            sum += target * (odds / total).ln();
        }
    }
    sum
}

#[test]
fn a_base_rate_is_the_best_of_many_that_are_tried() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    // Scores that lean to the class, alike for each; one class has two labels in three.
    let truth: Vec<u32> = (0..60)
        .map(|i| if i % 3 < 2 { 0 } else { 1 + i / 3 % 2 })
        .collect();
    let left = Mat::from_fn(60, 3, |i, c| {
        0.05 * normal(&mut rng) + if truth[i] as usize == c { 0.06 } else { 0.0 }
    });
    let found = base_rate(left.as_ref(), &truth, |_| true).unwrap();
    assert!(found.iter().sum::<f64>().abs() < 1e-12);
    let log = |c: u32| {
        let count = truth.iter().filter(|t| **t == c).count();
        ((count + 1) as f64 / 63.0).ln()
    };
    let ratio = (found[0] - found[1]) / (log(0) - log(1));
    assert!(ratio > 0.0);
    // At the best a for the ratio t/a that was found, no other pair is likelier.
    let best = (1..=800).map(|k| 0.1 * f64::from(k));
    let best = best.map(|a| likelihood(&left, &truth, a, a * ratio));
    let best = best.fold(f64::NEG_INFINITY, f64::max);
    for a in 0..=80 {
        for t in 0..=40 {
            let tried = likelihood(&left, &truth, f64::from(a), 0.05 * f64::from(t));
            assert!(
                tried <= best + 1e-3,
                "a = {a}, t = {t}/20: {tried} and {best}"
            );
        }
    }
}

#[test]
fn classes_that_are_equally_common_get_no_base_rate() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let truth: Vec<u32> = (0..60).map(|i| i % 3).collect();
    let left = Mat::from_fn(60, 3, |i, c| {
        0.05 * normal(&mut rng) + if truth[i] as usize == c { 0.06 } else { 0.0 }
    });
    assert!(base_rate(left.as_ref(), &truth, |_| true).is_none());
    assert!(
        base_rate(left.as_ref(), &truth, |i| i < 9).is_none(),
        "too few labels"
    );
}
