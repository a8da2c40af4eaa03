//! Intervals and missing flags: one minimum, found exactly.

use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::partial::{
    Disambiguated, Flags, LabelInterval, Observations, Options, Scheme, disambiguate,
};
use crate::task::{MultiLabel, Real};
use crate::testing::random;

use super::{falls, objective, penalty};

fn intervals(n: usize, seed: u64) -> Vec<LabelInterval> {
    let draw = random(n, 2, seed);
    let interval = |i: usize| {
        let (middle, half) = (draw[(i, 0)], 0.4 * draw[(i, 1)].abs());
        match i % 4 {
            0 => LabelInterval::exactly(middle),
            1 => LabelInterval::at_least(middle),
            2 => LabelInterval::at_most(middle),
            _ => LabelInterval::new(middle - half, middle + half),
        }
    };
    (0..n).map(interval).collect()
}

fn run(m: &Mat<f64>, codec: Real, known: &[LabelInterval], scheme: Scheme) -> Disambiguated {
    let known =
        Observations::gather(&codec, known.iter().copied().enumerate(), known.len()).unwrap();
    let options = Options {
        scheme,
        ..Options::default()
    };
    disambiguate(&codec, m.as_ref(), &known, options, &mut Quiet).unwrap()
}

/// Projected gradient with unit steps: λmax(M) ≤ 1.
fn projected_gradient(
    m: &Mat<f64>,
    offset: f64,
    known: &[LabelInterval],
    steps: usize,
) -> Mat<f64> {
    let n = known.len();
    let mut y = Mat::from_fn(n, 1, |i, _| known[i].middle() - offset);
    for _ in 0..steps {
        let slope = m * &y;
        y = Mat::from_fn(n, 1, |i, _| {
            let step = y[(i, 0)] - slope[(i, 0)];
            step.max(known[i].low() - offset)
                .min(known[i].high() - offset)
        });
    }
    y
}

#[test]
fn intervals_reach_the_minimum_of_projected_gradient() {
    for seed in 0..8 {
        let m = penalty(&random(24, 2, seed), 0.05);
        let known = intervals(24, seed + 30);
        let codec = LabelInterval::centred(&known);
        let twin = projected_gradient(&m, codec.offset, &known, 50_000);
        let least = objective(&m, &twin);
        for scheme in [Scheme::Sweeps, Scheme::Alternate] {
            let found = run(&m, codec, &known, scheme);
            falls(&found.objective);
            assert!(found.converged, "{:?}", found.changes);
            let last = *found.objective.last().unwrap();
            assert!((last - least).abs() < 1e-9, "{last} against {least}");
            for i in 0..24 {
                assert!((found.values[(i, 0)] - twin[(i, 0)]).abs() < 1e-4);
                let y = found.values[(i, 0)] + codec.offset;
                assert!(known[i].low() - 1e-12 <= y && y <= known[i].high() + 1e-12);
            }
        }
    }
}

#[test]
fn a_small_ridge_does_not_keep_intervals_from_their_minimum() {
    for seed in 0..4 {
        let m = penalty(&random(40, 2, seed), 1e-7);
        let known = intervals(40, seed + 60);
        let codec = Real::default();
        let found = run(&m, codec, &known, Scheme::Sweeps);
        assert!(
            found.converged && found.rounds() < 100,
            "{:?}",
            found.changes
        );
        falls(&found.objective);
        // At the minimum no coordinate wants to move but against its bound.
        let slope = &m * &found.values;
        let scale = slope.norm_max().max(1e-300);
        for i in 0..40 {
            let (y, g) = (found.values[(i, 0)], slope[(i, 0)]);
            let low = y <= known[i].low() && g >= 0.0;
            let high = y >= known[i].high() && g <= 0.0;
            assert!(
                low || high || g.abs() < 1e-6 * scale,
                "sample {i}: slope {g} of {scale}"
            );
        }
    }
}

#[test]
fn labels_that_are_known_stay_and_the_objective_is_theirs() {
    let m = penalty(&random(10, 2, 1), 0.1);
    let y = random(10, 1, 2);
    let known: Vec<LabelInterval> = (0..10).map(|i| LabelInterval::exactly(y[(i, 0)])).collect();
    let found = run(&m, Real::default(), &known, Scheme::Sweeps);
    assert_eq!(found.values, y);
    assert_eq!((found.rounds(), found.converged), (2, true));
    assert!((found.objective[0] - objective(&m, &y)).abs() < 1e-14);
}

#[test]
fn what_an_open_side_leaves_free_is_the_leave_one_out_prediction() {
    let m = penalty(&random(12, 2, 5), 0.02);
    let y = random(12, 1, 6);
    let mut known: Vec<LabelInterval> =
        (0..12).map(|i| LabelInterval::exactly(y[(i, 0)])).collect();
    known[4] = LabelInterval::at_most(1e6);
    let found = run(&m, Real::default(), &known, Scheme::Sweeps);
    let others: f64 = (0..12)
        .filter(|j| *j != 4)
        .map(|j| m[(4, j)] * y[(j, 0)])
        .sum();
    let left_out = -others / m[(4, 4)];
    assert!((found.values[(4, 0)] - left_out).abs() < 1e-10 * left_out.abs().max(1.0));
}

fn flags(n: usize, width: usize, seed: u64) -> Vec<Flags> {
    let draw = random(n, 2 * width, seed);
    let flag = |i: usize, k: usize| (draw[(i, k)] > -0.2).then(|| draw[(i, width + k)] > 0.0);
    (0..n)
        .map(|i| (0..width).map(|k| flag(i, k)).collect())
        .collect()
}

#[test]
fn missing_flags_take_the_values_that_cost_nothing() {
    for (seed, ridge) in [(1, 0.1), (2, 1e-3), (3, 1e-6)] {
        let m = penalty(&random(30, 2, seed), ridge);
        let known = flags(30, 3, seed + 10);
        let codec = MultiLabel::new(3).unwrap();
        let said = Observations::gather(&codec, known.into_iter().enumerate(), 30).unwrap();
        let at = |i: usize| said.index()[i];
        let n = said.index().len();
        let part = Mat::from_fn(n, n, |i, j| m[(at(i), at(j))]);
        let found =
            disambiguate(&codec, part.as_ref(), &said, Options::default(), &mut Quiet).unwrap();
        assert!(
            found.converged && found.rounds() <= 6,
            "{:?}",
            found.changes
        );
        falls(&found.objective);
        let slope = &part * &found.values;
        for (i, flags) in said.known().iter().enumerate() {
            for (k, flag) in flags.iter().enumerate() {
                match flag {
                    Some(up) => assert_eq!(found.values[(i, k)], f64::from(u8::from(*up))),
                    None => assert!(slope[(i, k)].abs() < 1e-9 * slope.norm_max()),
                }
            }
        }
    }
}
