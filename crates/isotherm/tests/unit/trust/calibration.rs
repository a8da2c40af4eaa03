//! Calibrated probabilities.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::{clouds, decode, draw, observed, prepared};
use crate::estimator::{Linear, Prepared};
use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::task::{Codec, OneHot};
use crate::testing::random;
use crate::trust::Calibration;

#[test]
fn the_slope_is_the_most_likely_one() {
    let left = random(40, 3, 1);
    let truth: Vec<u32> = (0..40)
        .map(|i| {
            let row: Vec<f64> = left.row(i).iter().copied().collect();
            // Right in four cases of five.
            (OneHot::new(3).decode(&row) + u32::from(i % 5 == 0)) % 3
        })
        .collect();
    let found = Calibration::learn(left.as_ref(), &truth).unwrap();
    let (sure, rest) = (41.0 / 42.0, 0.5 / 42.0);
    let likelihood = |slope: f64| -> f64 {
        (0..40)
            .map(|i| {
                let raised: Vec<f64> = (0..3).map(|c| (slope * left[(i, c)]).exp()).collect();
                let sum: f64 = raised.iter().sum();
                (0..3)
                    .map(|c| {
                        let target = if truth[i] as usize == c { sure } else { rest };
                        target * (raised[c] / sum).ln()
                    })
                    .sum::<f64>()
            })
            .sum()
    };
    // p₀/p₁ = exp(slope (s₀ − s₁))
    let p = found.probabilities(&[1.0, 0.0, 0.0], true);
    let slope = (p[0] / p[1]).ln();
    for other in [0.9 * slope, 0.99 * slope, 1.01 * slope, 1.1 * slope] {
        assert!(likelihood(slope) > likelihood(other));
    }
}

#[test]
fn probabilities_are_finite_and_sum_to_one_for_any_query() {
    let left = random(30, 4, 2);
    let truth: Vec<u32> = (0..30).map(|i| i % 4).collect();
    let right = Mat::from_fn(30, 4, |i, c| f64::from(i % 4 == c));
    let upside_down = Mat::from_fn(30, 4, |i, c| -f64::from(i % 4 == c));
    for scores in [&left, &right, &upside_down] {
        let found = Calibration::learn(scores.as_ref(), &truth).unwrap();
        for query in [
            [0.0; 4],
            [1e300, -1e300, 0.0, 5.0],
            [f64::MAX, f64::MIN, 0.0, 0.0],
            [1e-300, 0.0, 0.0, 0.0],
            [f64::NAN, 0.0, 0.0, 0.0],
            [f64::INFINITY, 0.0, 0.0, 0.0],
        ] {
            for reached in [true, false] {
                let p = found.probabilities(&query, reached);
                assert!(p.iter().all(|v| (0.0..=1.0).contains(v)), "{query:?} {p:?}");
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                if !reached {
                    assert_eq!(p, [0.25; 4]);
                }
            }
        }
    }
    // Scores that point the wrong way say nothing rather than the opposite.
    let found = Calibration::learn(upside_down.as_ref(), &truth).unwrap();
    assert_eq!(found.probabilities(&[1.0, 0.0, 0.0, 0.0], true), [0.25; 4]);
    assert!(Calibration::learn(left.subrows(0, 9), &truth[..9]).is_err());
    assert!(Calibration::learn(Mat::zeros(30, 4).as_ref(), &truth).is_err());
}

#[test]
fn calibrated_confidence_is_the_share_that_is_right() {
    let (points, classes) = clouds(240, 11);
    let prepared = prepared(points);
    let (mut confidence, mut right, mut of) = (0.0, 0, 0);
    for run in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(5000 + run);
        let rows = draw(240, 60, &mut random);
        let seen = observed(&rows, &classes);
        let smoother = prepared.smoother(&seen, &mut Quiet).unwrap();
        let left = smoother.left_out(seen.values().as_ref());
        let truth: Vec<u32> = rows.iter().map(|&i| classes[i]).collect();
        let found = Calibration::learn(left.as_ref(), &truth).unwrap();
        let scores = prepared
            .solve(&seen, &mut Quiet)
            .unwrap()
            .visible
            .unwrap()
            .values;
        for i in (0..240).filter(|i| !rows.contains(i)) {
            let row: Vec<f64> = scores.row(i).iter().copied().collect();
            let p = found.probabilities(&row, true);
            confidence += p.iter().copied().fold(0.0, f64::max);
            right += usize::from(decode(&scores, i) == classes[i]);
            of += 1;
        }
    }
    let (confidence, accuracy) = (confidence / f64::from(of), right as f64 / f64::from(of));
    assert!(
        (confidence - accuracy).abs() < 0.03,
        "{confidence} and {accuracy}"
    );
}

#[test]
fn sure_scores_are_sure_and_rows_out_of_reach_are_not() {
    // Twenty labels, three of them wrong by a little.
    let truth: Vec<u32> = (0..20).map(|i| i % 2).collect();
    let scores = Mat::from_fn(20, 2, |i, c| {
        let own = if i % 2 == c { 1.0 } else { 0.0 };
        if i % 7 == 3 { 0.3 * (1.0 - own) } else { own }
    });
    let found = Calibration::learn(scores.as_ref(), &truth).unwrap();
    let sure = found.probabilities(&[1.0, 0.0], true);
    assert!(sure[0] > 0.8 && sure[0] < 1.0 && (sure[0] + sure[1] - 1.0).abs() < 1e-15);
    assert_eq!(found.probabilities(&[1.0, 0.0], false), [0.5, 0.5]);
}
