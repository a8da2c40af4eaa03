//! Prediction sets and intervals.

use std::sync::Arc;

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::{RUNS, clouds, draw, observed, prepared, within};
use crate::base::NeighbourBase;
use crate::estimator::stkr::{Repair, Ridge, Stkr, StkrParams};
use crate::estimator::{Linear, Prepared};
use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::neighbours::Search;
use crate::task::{Codec, Observed, Real};
use crate::testing::random;
use crate::trust::{Jackknife, Split};

#[test]
fn split_sets_hold_the_truth_as_often_as_they_say() {
    let (points, classes) = clouds(240, 6);
    let prepared = prepared(points);
    for level in [0.8, 0.9, 0.95] {
        let mut hits = 0;
        for run in 0..RUNS {
            let mut random = ChaCha8Rng::seed_from_u64(2000 + run as u64);
            // 30 to learn from, 39 held back, and one new row, all drawn alike.
            let rows = draw(240, 70, &mut random);
            let scores = prepared
                .solve(&observed(&rows[..30], &classes), &mut Quiet)
                .unwrap();
            let scores = scores.visible.unwrap().values;
            let held = Mat::from_fn(39, 3, |k, c| scores[(rows[30 + k], c)]);
            let truth: Vec<u32> = rows[30..69].iter().map(|&i| classes[i]).collect();
            let sets = Split::classes(held.as_ref(), &truth, level).unwrap();
            let x = rows[69];
            let row: Vec<f64> = scores.row(x).iter().copied().collect();
            hits += usize::from(sets.set(&row, true).contains(&classes[x]));
        }
        // ⌈0.8·40⌉ and so on are whole, so the coverage is the level exactly.
        assert!(within(hits, RUNS, level), "{hits} of {RUNS} at {level}");
    }
}

#[test]
fn jackknife_sets_hold_the_truth_about_as_often_as_they_say() {
    let (points, classes) = clouds(240, 7);
    let prepared = prepared(points);
    for level in [0.8, 0.9, 0.95] {
        let (mut hits, mut of) = (0, 0);
        for run in 0..120 {
            let mut random = ChaCha8Rng::seed_from_u64(3000 + run);
            let rows = draw(240, 39, &mut random);
            let seen = observed(&rows, &classes);
            let smoother = prepared.smoother(&seen, &mut Quiet).unwrap();
            let influence = prepared
                .influence(&seen, &mut Quiet)
                .unwrap()
                .visible
                .unwrap();
            let truth: Vec<u32> = rows.iter().map(|&i| classes[i]).collect();
            let sets = Jackknife::new(&smoother, seen.values().as_ref(), level).unwrap();
            let sets = sets
                .sets(
                    influence.values.as_ref(),
                    &influence.reached,
                    &truth,
                    &mut Quiet,
                )
                .unwrap();
            for i in (0..240).filter(|i| !rows.contains(i)) {
                of += 1;
                hits += usize::from(sets[i].contains(&classes[i]));
            }
        }
        // Rows of one run move together: the error is that of 120 runs with 39 labels.
        let share = hits as f64 / f64::from(of);
        let error = (level * (1.0 - level) / 120.0).sqrt();
        assert!(share >= level - 3.0 * error, "{share} at {level}");
        // Not by saying anything: the sets are smaller than all classes.
        assert!(share < 1.0);
    }
}

#[test]
fn jackknife_intervals_are_the_refits() {
    // y = x₀ + noise, the interval of every row against its definition.
    let (points, _) = clouds(60, 8);
    let noise = random(60, 1, 9);
    let value = |i: usize| points.row(i)[0] + 0.3 * noise[(i, 0)];
    let rows: Vec<usize> = (0..20).map(|k| 3 * k).collect();
    let labels: Vec<Option<f64>> = (0..60)
        .map(|i| rows.contains(&i).then(|| value(i)))
        .collect();
    let codec = Real::centred(&labels);
    let seen = Observed::encode(&codec, &labels).unwrap();
    let method = |ridge: f64| {
        let base = NeighbourBase::find(points.clone(), 8, Search::Exact, 0, &mut Quiet).unwrap();
        let params = StkrParams {
            ridge: Ridge::Fixed(ridge),
            repair: Repair::PsdTwin,
            tolerance: 1e-13,
            ..StkrParams::default()
        };
        let method = Stkr::new(params).unwrap();
        method.prepare_shared(Arc::new(base), &mut Quiet).unwrap()
    };
    let prepared = method(0.05);
    let smoother = prepared.smoother(&seen, &mut Quiet).unwrap();
    let influence = prepared
        .influence(&seen, &mut Quiet)
        .unwrap()
        .visible
        .unwrap();
    let found = Jackknife::new(&smoother, seen.values().as_ref(), 0.8).unwrap();
    let found = found
        .intervals(influence.values.as_ref(), &influence.reached, &mut Quiet)
        .unwrap();
    let without = method(0.05 * 20.0 / 19.0);
    let x = 1;
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    for &i in &rows {
        let mut rest = labels.clone();
        rest[i] = None;
        let codec = Real::centred(&rest);
        let seen = Observed::encode(&codec, &rest).unwrap();
        let fit = without
            .solve(&seen, &mut Quiet)
            .unwrap()
            .visible
            .unwrap()
            .values;
        let residual = (value(i) - codec.decode(&[fit[(i, 0)]])).abs();
        let at = codec.decode(&[fit[(x, 0)]]);
        lows.push(at - residual);
        highs.push(at + residual);
    }
    lows.sort_by(f64::total_cmp);
    highs.sort_by(f64::total_cmp);
    // ⌈0.8·21⌉ = 17 from either end.
    let (low, high) = (found[x].0 + codec.offset, found[x].1 + codec.offset);
    assert!((low - lows[20 - 17]).abs() < 1e-8, "{low} {}", lows[3]);
    assert!((high - highs[16]).abs() < 1e-8, "{high} {}", highs[16]);
}

#[test]
fn too_few_labels_promise_nothing() {
    let held = Mat::from_fn(9, 2, |i, c| (i + c) as f64);
    assert!(Split::classes(held.as_ref(), &[0; 9], 0.9).is_ok());
    let refused = Split::classes(held.as_ref(), &[0; 9], 0.95)
        .unwrap_err()
        .to_string();
    assert!(refused.contains("0.95"), "{refused}");
    assert!(Split::classes(held.as_ref(), &[2; 9], 0.5).is_err());
    assert!(Split::values(&[1.0; 9], &[1.0; 8], 0.5).is_err());
}
