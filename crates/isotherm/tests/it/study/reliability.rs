//! Reliability by hand and by simulation; from labels, against leave-one-out refits.

use isotherm::data::{Points, Targets};
use isotherm::monitor::Quiet;
use isotherm::recipe::{Recipe, Task};
use isotherm::study::{EvaluateOptions, Input, LabelSampling, Study};
use isotherm::testing::random;
use isotherm::trust::{clopper_pearson, reliability};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

#[test]
fn bins_and_error_are_those_counted_by_hand() {
    // Thirty rows in three bins: 0.5 with 4 of 10 right, 0.7 with 7, 0.9 with 10.
    let mut confidence = Vec::new();
    let mut right = Vec::new();
    for (said, hits) in [(0.9, 10), (0.5, 4), (0.7, 7)] {
        for k in 0..10 {
            // Symmetric about what is said, so that it is the mean.
            confidence.push(said + (f64::from(k) - 4.5) * 1e-3);
            right.push(k < hits);
        }
    }
    let found = reliability(&confidence, &right, 0.9, 3).unwrap();
    assert_eq!(found.rows, 30);
    let bins: Vec<(usize, usize)> = found.bins.iter().map(|b| (b.rows, b.right)).collect();
    assert_eq!(bins, [(10, 4), (10, 7), (10, 10)]);
    for (bin, said) in found.bins.iter().zip([0.5, 0.7, 0.9]) {
        assert!((bin.confidence - said).abs() < 1e-12);
        assert!((bin.low - (said - 4.5e-3)).abs() < 1e-12);
        assert!((bin.high - (said + 4.5e-3)).abs() < 1e-12);
        let exact = clopper_pearson(bin.right, 10, 0.9).unwrap();
        assert_eq!(bin.interval, exact);
    }
    // (0.1 + 0 + 0.1)/3
    assert!((found.error - 0.2 / 3.0).abs() < 1e-12, "{}", found.error);
    assert!((found.accuracy - 0.7).abs() < 1e-12);
    assert!((found.confidence - 0.7).abs() < 1e-12);
    assert!(found.interval.low <= found.error && found.error <= found.interval.high);
}

#[test]
fn equal_confidences_share_a_bin() {
    let mut confidence = vec![0.6; 25];
    confidence.extend(vec![0.8; 10]);
    let found = reliability(&confidence, &[true; 35], 0.95, 0).unwrap();
    let rows: Vec<usize> = found.bins.iter().map(|b| b.rows).collect();
    assert_eq!(rows, [25, 10]);
}

/// Confidences of five values, right with probability `truth(confidence)`.
fn coverage(n: usize, truth: impl Fn(f64) -> f64) -> f64 {
    let values = [0.55, 0.65, 0.75, 0.85, 0.95];
    let error: f64 = values.iter().map(|v| (truth(*v) - v).abs()).sum::<f64>() / 5.0;
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let draws = 100;
    let mut held = 0;
    for seed in 0..draws {
        let confidence: Vec<f64> = (0..n).map(|i| values[i % 5]).collect();
        let right: Vec<bool> = (confidence.iter())
            .map(|c| random.random::<f64>() < truth(*c))
            .collect();
        let found = reliability(&confidence, &right, 0.9, seed).unwrap();
        let interval = found.interval;
        held += usize::from(interval.low <= error && error <= interval.high);
    }
    held as f64 / draws as f64
}

#[test]
fn the_interval_of_the_error_holds_it_as_often_as_it_says() {
    // 100 draws: three standard errors of a share of 0.9 are 0.09.
    for (name, truth) in [
        ("calibrated", (|p| p) as fn(f64) -> f64),
        ("overconfident", |p| p - 0.2),
        ("a little", |p| p - 0.07),
    ] {
        let share = coverage(60, truth);
        assert!(share > 0.9 - 0.09, "{name}: {share}");
    }
}

#[test]
fn what_cannot_be_judged_is_refused_with_what_is_needed() {
    let few = reliability(&[0.5; 9], &[true; 9], 0.9, 0).unwrap_err();
    assert!(few.to_string().contains("at least 10"), "{few}");
    assert!(reliability(&[0.5; 12], &[true; 11], 0.9, 0).is_err());
    assert!(reliability(&[1.5; 12], &[true; 12], 0.9, 0).is_err());
    assert!(reliability(&[f64::NAN; 12], &[true; 12], 0.9, 0).is_err());
    assert!(reliability(&[0.5; 12], &[true; 12], 1.0, 0).is_err());
}

/// Two clouds that touch, every third row labelled.
fn clouds() -> (Points, Vec<Option<String>>) {
    let m = random(90, 2, 11);
    let values = (0..180).map(|k| {
        let (i, j) = (k / 2, k % 2);
        let shift = if i % 2 == 0 { 0.0 } else { 1.1 };
        m[(i, j)] + if j == 0 { shift } else { 0.0 }
    });
    let points = Points::new(values.collect(), 90, 2).unwrap();
    let labels = (0..90)
        .map(|i| (i % 3 == 0).then(|| ["a", "b"][i % 2].to_owned()))
        .collect();
    (points, labels)
}

#[test]
fn only_audits_count_and_too_few_are_refused() {
    let (points, labels) = clouds();
    let targets = Targets::from_names(&labels);
    let recipe = Recipe::on_graph(Task::Classify, 0);
    let judge = |audit: Vec<bool>| {
        let judging = EvaluateOptions {
            sampling: LabelSampling::Active { audit, pool: None },
            ..EvaluateOptions::default()
        };
        let input = Input::Table(points.clone());
        Study::new(&recipe, input, &targets)
            .and_then(|mut study| study.reliability(&judging, &mut Quiet))
    };
    let half = judge((0..90).map(|i| i % 2 == 0).collect()).unwrap();
    assert_eq!(half.rows, 15);
    let few = judge((0..90).map(|i| i < 12).collect()).unwrap_err();
    assert!(few.to_string().contains("at least 10"), "{few}");
}

#[test]
fn numbers_have_no_reliability() {
    let (points, labels) = clouds();
    let values: Vec<Option<f64>> = (labels.iter())
        .map(|l| l.as_ref().map(|l| l.len() as f64))
        .collect();
    let targets = Targets::Values(values);
    let recipe = Recipe::on_graph(Task::Regress, 0);
    let (input, judging) = (Input::Table(points), EvaluateOptions::default());
    let refused = Study::new(&recipe, input, &targets)
        .and_then(|mut study| study.reliability(&judging, &mut Quiet))
        .unwrap_err();
    assert!(refused.to_string().contains("classify"), "{refused}");
}
