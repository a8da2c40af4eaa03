//! Flags, their F1 and the thresholds that maximise it.

use crate::linalg::Mat;
use crate::task::thresholds::{Measure, f1};
use crate::task::{Codec, MultiLabel};
use crate::testing::codec::check;
use crate::testing::random;

const MEASURES: [Measure; 3] = [Measure::Micro, Measure::Macro, Measure::Samples];

#[test]
fn flags_keep_the_contract() {
    let codec = MultiLabel::new(2).unwrap();
    let all = [[false, false], [true, false], [false, true], [true, true]].map(|l| l.to_vec());
    check(&codec, &all).unwrap();
    assert_eq!(codec.loss(&all[0], &all[3]), 1.0);
    assert!(codec.check(&vec![true]).is_err());
    assert!(MultiLabel::new(0).is_err());
    assert!(MultiLabel::with_thresholds(vec![0.5, f64::NAN]).is_err());
}

/// Scores around the truths, with some truths missing.
fn noisy(rows: usize, flags: usize, seed: u64) -> (Mat<f64>, Vec<Vec<Option<bool>>>) {
    let (draw, noise, gaps) = (
        random(rows, flags, seed),
        random(rows, flags, seed + 100),
        random(rows, flags, seed + 200),
    );
    let up = |i: usize, k: usize| draw[(i, k)] > 0.2 + 0.15 * k as f64;
    let truths = (0..rows)
        .map(|i| {
            (0..flags)
                .map(|k| (gaps[(i, k)] > -0.6).then(|| up(i, k)))
                .collect()
        })
        .collect();
    let scores = Mat::from_fn(rows, flags, |i, k| {
        // Rounded, so that scores tie.
        let score = 0.3 * f64::from(u8::from(up(i, k))) + 0.25 * noise[(i, k)] + 0.2;
        (50.0 * score).round() / 50.0
    });
    (scores, truths)
}

fn guesses(codec: &MultiLabel, scores: &Mat<f64>) -> Vec<Vec<bool>> {
    let row = |i: usize| scores.row(i).iter().copied().collect::<Vec<f64>>();
    (0..scores.nrows()).map(|i| codec.decode(&row(i))).collect()
}

/// F1 by its definition: precision and recall of sets.
fn slow(pairs: &[(bool, bool)]) -> f64 {
    let count = |f: &dyn Fn(&(bool, bool)) -> bool| pairs.iter().filter(|p| f(p)).count() as f64;
    let (hits, up, guessed) = (count(&|p| p.0 && p.1), count(&|p| p.0), count(&|p| p.1));
    if up + guessed == 0.0 {
        return 1.0;
    }
    if hits == 0.0 {
        return 0.0;
    }
    let (precision, recall) = (hits / guessed, hits / up);
    2.0 * precision * recall / (precision + recall)
}

#[test]
fn f1_is_the_harmonic_mean_of_precision_and_recall() {
    let (scores, truths) = noisy(40, 3, 1);
    let guessed = guesses(&MultiLabel::with_thresholds(vec![0.4; 3]).unwrap(), &scores);
    let mut entries = Vec::new();
    for i in 0..40 {
        for k in 0..3 {
            if let Some(truth) = truths[i][k] {
                entries.push((i, k, (truth, guessed[i][k])));
            }
        }
    }
    let pick = |keep: &dyn Fn(usize, usize) -> bool| -> f64 {
        let some: Vec<(bool, bool)> = (entries.iter().filter(|e| keep(e.0, e.1)))
            .map(|e| e.2)
            .collect();
        slow(&some)
    };
    let by_flag = (0..3).map(|k| pick(&|_, flag| flag == k)).sum::<f64>() / 3.0;
    let by_row = (0..40).map(|i| pick(&|row, _| row == i)).sum::<f64>() / 40.0;
    for (measure, expected) in [
        (Measure::Micro, pick(&|_, _| true)),
        (Measure::Macro, by_flag),
        (Measure::Samples, by_row),
    ] {
        assert!((f1(&truths, &guessed, measure) - expected).abs() < 1e-12);
    }
    let nothing = [vec![Some(false)]];
    assert_eq!(f1(&nothing, &[vec![false]], Measure::Macro), 1.0);
    assert_eq!(f1(&nothing, &[vec![true]], Measure::Macro), 0.0);
}

/// Every threshold that makes a difference.
fn all_thresholds(scores: &Mat<f64>, flag: usize) -> Vec<f64> {
    let mut values: Vec<f64> = scores.col(flag).iter().copied().collect();
    values.push(-10.0);
    values
}

#[test]
fn macro_thresholds_are_the_best_there_are() {
    for seed in 0..10 {
        let (scores, truths) = noisy(30, 3, seed);
        let tuned = MultiLabel::new(3).unwrap();
        let tuned = tuned
            .tuned(scores.as_ref(), &truths, Measure::Macro)
            .unwrap();
        let value = |thresholds: Vec<f64>| {
            let codec = MultiLabel::with_thresholds(thresholds).unwrap();
            f1(&truths, &guesses(&codec, &scores), Measure::Macro)
        };
        let found = value(tuned.thresholds().to_vec());
        // Flags do not meet, so each on its own, with the others where they are.
        for flag in 0..3 {
            for threshold in all_thresholds(&scores, flag) {
                let mut other = tuned.thresholds().to_vec();
                other[flag] = threshold;
                assert!(value(other) <= found + 1e-12, "seed {seed} flag {flag}");
            }
        }
    }
}

#[test]
fn tuned_thresholds_are_never_worse_and_no_single_one_can_be_better() {
    let mut better = 0;
    for measure in MEASURES {
        for seed in 0..8 {
            let (scores, truths) = noisy(25, 4, seed);
            let plain = MultiLabel::new(4).unwrap();
            let tuned = plain.tuned(scores.as_ref(), &truths, measure).unwrap();
            let value = |codec: &MultiLabel| f1(&truths, &guesses(codec, &scores), measure);
            let found = value(&tuned);
            assert!(found >= value(&plain));
            better += usize::from(found > value(&plain) + 1e-6);
            for flag in 0..4 {
                for threshold in all_thresholds(&scores, flag) {
                    let mut other = tuned.thresholds().to_vec();
                    other[flag] = threshold;
                    let other = MultiLabel::with_thresholds(other).unwrap();
                    assert!(value(&other) <= found + 1e-11, "{measure:?} seed {seed}");
                }
            }
        }
    }
    assert!(
        better > 20,
        "scores below one half leave much to gain, {better} of 24"
    );
}

#[test]
fn thresholds_on_what_does_not_fit_are_refused() {
    let codec = MultiLabel::new(2).unwrap();
    let truths = vec![vec![Some(true), None]; 3];
    let zeros = |n: usize, k: usize| Mat::<f64>::zeros(n, k);
    let tune = |scores: Mat<f64>, truths: &[Vec<Option<bool>>]| {
        codec.tuned(scores.as_ref(), truths, Measure::Micro)
    };
    assert!(tune(zeros(3, 2), &truths).is_ok());
    assert!(tune(zeros(2, 2), &truths).is_err());
    assert!(tune(zeros(3, 1), &truths).is_err());
    assert!(tune(zeros(3, 2), &[vec![None], vec![None], vec![None]]).is_err());
    assert!(tune(Mat::full(3, 2, f64::NAN), &truths).is_err());
}
