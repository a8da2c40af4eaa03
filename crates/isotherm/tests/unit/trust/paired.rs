//! Tests of two methods on the same rows.

use crate::study::{Baseline, Verdict};
use crate::trust::{sign_flip, sign_test};

#[test]
fn a_sign_test_counts_both_tails() {
    assert_eq!(sign_test(0, 0), 1.0);
    assert!((sign_test(5, 0) - 2.0 / 32.0).abs() < 1e-12);
    assert_eq!(sign_test(3, 8), sign_test(8, 3));
    assert_eq!(sign_test(4, 4), 1.0);
}

#[test]
fn a_verdict_is_about_the_mean_that_is_quoted() {
    let of = |gains: &[f64]| Baseline::new("another", 1.0, gains, 0);
    // Nearly all rows a little better, two much worse: the mean is worse.
    let mut gains = vec![1.0; 40];
    gains.extend([-300.0, -200.0]);
    let split = of(&gains);
    assert!(split.gain < 0.0 && split.better == 40 && split.count_chance < 1e-6);
    assert_eq!(split.verdict, Verdict::Split);
    assert!(!split.helps() && !split.hurts());
    assert!(split.describe().contains("neither helped nor hurt"));
    // And the other way round.
    let turned: Vec<f64> = gains.iter().map(|g| -g).collect();
    assert_eq!(of(&turned).verdict, Verdict::Split);
    // Where both agree it is as they say.
    let even: Vec<f64> = (0..40).map(|k| 0.5 + 0.01 * f64::from(k)).collect();
    assert_eq!(of(&even).verdict, Verdict::Helped);
    let loss: Vec<f64> = even.iter().map(|g| -g).collect();
    assert_eq!(of(&loss).verdict, Verdict::Hurt);
    assert_eq!(of(&[0.3, -0.2, 0.1]).verdict, Verdict::Open);
    // Of right and wrong the chance is the sign test's.
    let right = of(&[1.0, 1.0, 0.0, -1.0, 1.0]);
    assert_eq!(right.chance, sign_test(3, 1));
    assert_eq!(right.count_chance, right.chance);
}

/// All signs of few differences, one by one.
#[test]
fn drawn_signs_agree_with_all_signs() {
    let differences = [0.4, -0.1, 1.2, 0.3, 0.8, -0.2, 0.9, 0.5];
    let sum: f64 = differences.iter().sum();
    let as_far = (0_u32..256).filter(|signs| {
        let drawn = differences.iter().enumerate();
        let drawn: f64 = drawn
            .map(|(k, d)| if signs >> k & 1 == 1 { *d } else { -d })
            .sum();
        drawn.abs() >= sum.abs() - 1e-12
    });
    let exact = as_far.count() as f64 / 256.0;
    let found = sign_flip(&differences, 5);
    // Four standard errors of 1999 draws.
    let error = 4.0 * (exact * (1.0 - exact) / 1999.0).sqrt();
    assert!((found - exact).abs() < error, "{found} and {exact}");
    // Of ones it is the sign test.
    let ones: Vec<f64> = (0..14).map(|k| if k < 11 { 1.0 } else { -1.0 }).collect();
    let exact = sign_test(11, 3);
    let error = 4.0 * (exact * (1.0 - exact) / 1999.0).sqrt();
    assert!((sign_flip(&ones, 6) - exact).abs() < error);
}

#[test]
fn one_large_loss_outweighs_many_small_gains_in_the_mean() {
    assert!(sign_flip(&[1.0; 12], 0) < 0.01);
    let mut one = vec![1.0; 11];
    one.push(-20.0);
    assert!(sign_flip(&one, 0) > 0.5);
}
