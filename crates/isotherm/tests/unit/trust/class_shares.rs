//! Class shares by EM against direct searches, and against shares that are known.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::linalg::Mat;
use crate::trust::FoundShares;

/// Roughly normal: the sum of twelve uniform numbers, less six.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

fn names(classes: usize) -> Vec<String> {
    (0..classes).map(|c| format!("class {c}")).collect()
}

/// Rows of numbers that sum to one.
fn shares(rng: &mut ChaCha8Rng, rows: usize, classes: usize) -> Mat<f64> {
    let raw = Mat::from_fn(rows, classes, |_, _| rng.random::<f64>().powi(3));
    let sum = |i: usize| raw.row(i).iter().sum::<f64>();
    Mat::from_fn(rows, classes, |i, c| raw[(i, c)] / sum(i))
}

fn found(counts: &[f64], left: &Mat<f64>, rows: &Mat<f64>) -> FoundShares {
    let weights = vec![1.0; left.nrows()];
    let judged = (left.as_ref(), weights.as_slice());
    FoundShares::estimate(&names(counts.len()), counts, judged, rows.as_ref())
}

/// What the shares maximise, the obvious way.
fn worth(counts: &[f64], left: &Mat<f64>, rows: &Mat<f64>, pi: &[f64]) -> f64 {
    let (m, classes) = (counts.iter().sum::<f64>(), counts.len() as f64);
    let mixed = |p: f64| (m * p + 1.0 / classes) / (m + 1.0);
    let q = |c: usize| mixed(left.col(c).iter().sum::<f64>() / left.nrows() as f64);
    let row = |i: usize| -> f64 {
        let terms = (0..pi.len()).map(|c| mixed(rows[(i, c)]) * pi[c] / q(c));
        terms.sum::<f64>().ln()
    };
    let data = (0..rows.nrows()).map(row).sum::<f64>() * m / rows.nrows() as f64;
    let prior = (0..pi.len()).map(|c| 10.0 * classes * counts[c] / m * pi[c].ln());
    data + prior.sum::<f64>()
}

#[test]
fn shares_of_two_classes_are_the_best_of_a_grid() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for counts in [[10.0, 10.0], [30.0, 6.0], [200.0, 100.0]] {
        let (left, rows) = (shares(&mut rng, 20, 2), shares(&mut rng, 50, 2));
        let said = found(&counts, &left, &rows);
        assert!(said.converged && said.rows == 50);
        let at = |p: f64| worth(&counts, &left, &rows, &[p, 1.0 - p]);
        let grid = (1..10_000).map(|k| f64::from(k) / 10_000.0);
        let best = grid.max_by(|a, b| at(*a).total_cmp(&at(*b))).unwrap();
        assert!((said.unlabelled[0] - best).abs() <= 1e-4, "{said:?} {best}");
        assert!(at(said.unlabelled[0]) >= at(best));
    }
}

#[test]
fn shares_of_more_classes_are_the_best_of_many() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let counts = [12.0, 5.0, 20.0, 1.0];
    let (left, rows) = (shares(&mut rng, 30, 4), shares(&mut rng, 80, 4));
    let said = found(&counts, &left, &rows);
    assert!((said.unlabelled.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let best = worth(&counts, &left, &rows, &said.unlabelled);
    let others = shares(&mut rng, 5_000, 4);
    for i in 0..5_000 {
        // Near the maximum and far from it.
        for step in [1.0, 0.1, 0.001] {
            let other = |c: usize| (1.0 - step) * said.unlabelled[c] + step * others[(i, c)];
            let other: Vec<f64> = (0..4).map(other).collect();
            assert!(worth(&counts, &left, &rows, &other) <= best + 1e-9);
        }
    }
}

#[test]
fn probabilities_that_know_nothing_move_no_share() {
    // Nine in ten everywhere, among labels of ten and thirty: no shift, and none is found.
    let of = |rows| Mat::from_fn(rows, 2, |_, c| [0.9, 0.1][c]);
    let said = found(&[10.0, 30.0], &of(40), &of(500));
    assert!((said.unlabelled[0] - 0.25).abs() < 1e-9, "{said:?}");
}

/// Two normal classes three standard deviations apart with exact probabilities for even
/// shares: `ln p/(1 − p) = 3x`. 100 labels of each class, 2,000 rows.
fn simulated(seed: u64, share: f64) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = |class: bool| normal(&mut rng) + if class { 1.5 } else { -1.5 };
    let left: Vec<f64> = (0..200).map(|i| draw(i % 2 == 0)).collect();
    let first = (2_000.0 * share) as usize;
    let rows: Vec<f64> = (0..2_000).map(|i| draw(i < first)).collect();
    let exact = |x: &[f64]| {
        let p = |i: usize| 1.0 / (1.0 + (-3.0 * x[i]).exp());
        Mat::from_fn(x.len(), 2, |i, c| if c == 0 { p(i) } else { 1.0 - p(i) })
    };
    found(&[100.0, 100.0], &exact(&left), &exact(&rows)).unlabelled[0]
}

/// Where the estimate stands with endless labels and rows of the same weight: the maximum of
/// `200 E ln(p π/½ + (1 − p)(1 − π)/½) + 20 (½ ln π + ½ ln(1 − π))`, by quadrature on a grid.
fn expected(share: f64) -> f64 {
    let density = |x: f64, m: f64| (-0.5 * (x - m) * (x - m)).exp();
    let points: Vec<(f64, f64)> = (-700..=700)
        .map(|k| f64::from(k) / 100.0)
        .map(|x| {
            (
                x,
                share * density(x, 1.5) + (1.0 - share) * density(x, -1.5),
            )
        })
        .collect();
    let mass: f64 = points.iter().map(|(_, w)| w).sum();
    let at = |pi: f64| {
        let term = |(x, w): &(f64, f64)| {
            let p = 1.0 / (1.0 + (-3.0 * x).exp());
            w * (2.0 * (p * pi + (1.0 - p) * (1.0 - pi))).ln()
        };
        let data: f64 = points.iter().map(term).sum();
        200.0 * data / mass + 10.0 * (pi.ln() + (1.0 - pi).ln())
    };
    let grid = (1..1_000).map(|k| f64::from(k) / 1_000.0);
    grid.max_by(|a, b| at(*a).total_cmp(&at(*b))).unwrap()
}

#[test]
fn a_shift_is_recovered_as_far_as_it_is_believed_and_none_stays_none() {
    // The standard error is at most 0.015: 0.5/√2000 = 0.011 by the rows, a third more because
    // classes overlap, and 0.006 by q, whose own 0.5/√200 = 0.035 reaches π through rows in
    // doubt only, a sixth of them. Four of them, for 20 draws.
    for (share, least, most) in [(0.9, 0.84, 0.9), (0.5, 0.499, 0.501)] {
        let expected = expected(share);
        assert!((least..=most).contains(&expected), "{expected}");
        for seed in 0..20 {
            let said = simulated(seed, share);
            assert!((said - expected).abs() < 0.06, "{seed}: {said}, {expected}");
        }
    }
}
