//! Intervals, probabilities and sets against slow twins and by simulation.

use std::sync::Arc;

use isotherm::base::NeighbourBase;
use isotherm::data::Points;
use isotherm::estimator::stkr::{PreparedStkr, Repair, Ridge, Stkr, StkrParams};
use isotherm::estimator::{Linear, Prepared};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::neighbours::Search;
use isotherm::study::{Baseline, Verdict};
use isotherm::task::{Codec, Observed, OneHot, Real};
use isotherm::testing::random;
use isotherm::trust::interval::{of_macro_f1, of_mean, of_population};
use isotherm::trust::nested::inflation;
use isotherm::trust::{
    Calibration, Counted, Estimand, Interval, Jackknife, Judged, Sampling, Split, clopper_pearson,
    of_bounded_mean, sign_flip, sign_test, suspects,
};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// `P(X ≥ k)` by Pascal's triangle.
fn tail(k: usize, n: usize, p: f64) -> f64 {
    let mut mass = vec![1.0];
    for _ in 0..n {
        let mut next = vec![0.0; mass.len() + 1];
        for (i, m) in mass.iter().enumerate() {
            next[i] += m * (1.0 - p);
            next[i + 1] += m * p;
        }
        mass = next;
    }
    mass[k..].iter().sum()
}

#[test]
fn an_exact_interval_ends_where_its_tails_do() {
    for (right, of) in [
        (0, 7),
        (1, 20),
        (18, 20),
        (90, 100),
        (7, 7),
        (150, 300),
        (40, 41),
    ] {
        for level in [0.5, 0.9, 0.95, 0.99] {
            let found = clopper_pearson(right, of, level).unwrap();
            let half = (1.0 - level) / 2.0;
            if right > 0 {
                assert!(
                    (tail(right, of, found.low) - half).abs() < 1e-9,
                    "{right}/{of}"
                );
            } else {
                assert_eq!(found.low, 0.0);
            }
            if right < of {
                let above = 1.0 - tail(right + 1, of, found.high);
                assert!((above - half).abs() < 1e-9, "{right}/{of}: {above}");
            } else {
                assert_eq!(found.high, 1.0);
            }
        }
    }
    // Thousands of rows neither overflow nor vanish.
    let large = clopper_pearson(7900, 8000, 0.95).unwrap();
    assert!(large.low > 0.984 && large.high < 0.991 && large.low < large.high);
    for (right, of, level) in [
        (0, 0, 0.9),
        (3, 2, 0.9),
        (1, 2, 0.0),
        (1, 2, 1.0),
        (1, 2, f64::NAN),
    ] {
        assert!(clopper_pearson(right, of, level).is_err());
    }
}

#[test]
fn an_urn_s_interval_is_all_contents_that_are_not_unlikely() {
    // By counting every draw.
    let choose =
        |n: usize, k: usize| -> f64 { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product() };
    for (right, of, total) in [(3, 5, 12), (0, 6, 20), (6, 6, 20), (9, 10, 40), (4, 12, 13)] {
        for level in [0.8, 0.95] {
            let half = (1.0 - level) / 2.0;
            let mass = |r: usize, x: usize| match x > r || of - x > total - r {
                true => 0.0,
                false => choose(r, x) * choose(total - r, of - x) / choose(total, of),
            };
            let likely = |r: &usize| {
                let above: f64 = (right..=of).map(|x| mass(*r, x)).sum();
                let below: f64 = (0..=right).map(|x| mass(*r, x)).sum();
                above > half && below > half
            };
            let all: Vec<usize> = (right..=total - (of - right)).filter(likely).collect();
            let found = of_population(right, of, total, level).unwrap();
            assert_eq!(
                found,
                (all[0], *all.last().unwrap()),
                "{right}/{of} of {total}"
            );
        }
    }
    let (low, high) = of_population(80, 100, 100_000_000, 0.95).unwrap();
    let exact = clopper_pearson(80, 100, 0.95).unwrap();
    assert!((low as f64 / 1e8 - exact.low).abs() < 1e-5);
    assert!((high as f64 / 1e8 - exact.high).abs() < 1e-5);
    assert!(of_population(2, 5, 4, 0.9).is_err());
}

#[test]
fn a_sign_test_counts_both_tails() {
    assert_eq!(sign_test(0, 0), 1.0);
    assert!((sign_test(5, 0) - 2.0 / 32.0).abs() < 1e-12);
    assert_eq!(sign_test(3, 8), sign_test(8, 3));
    assert_eq!(sign_test(4, 4), 1.0);
}

#[test]
fn macro_f1_and_confusion_by_hand() {
    let judged = Judged::new(
        vec![0, 0, 0, 1, 1, 2],
        vec![Some(0), Some(0), Some(1), Some(1), None, Some(0)],
        3,
    );
    assert_eq!(
        judged.confusion(),
        [vec![2, 1, 0, 0], vec![0, 1, 0, 1], vec![1, 0, 0, 0]]
    );
    assert_eq!(judged.right(), 3);
    // 2·2/(3+3), 2·1/(2+2), 0/(1+0)
    assert!((judged.macro_f1() - (2.0 / 3.0 + 0.5 + 0.0) / 3.0).abs() < 1e-15);
}

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

/// Three overlapping clouds in the plane.
fn clouds(n: usize, seed: u64) -> (Points, Vec<u32>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut gauss = || -> f64 { (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0 };
    let centres = [[0.0, 0.0], [2.2, 0.0], [1.1, 1.9]];
    let classes: Vec<u32> = (0..n).map(|i| (i % 3) as u32).collect();
    let rows = classes.iter().flat_map(|&c| {
        let centre = centres[c as usize];
        [centre[0] + 0.8 * gauss(), centre[1] + 0.8 * gauss()]
    });
    (Points::new(rows.collect(), n, 2).unwrap(), classes)
}

fn prepared(points: Points) -> PreparedStkr<NeighbourBase> {
    let base = NeighbourBase::find(points, 8, Search::Exact, 0, &mut Quiet).unwrap();
    let params = StkrParams {
        ridge: Ridge::Fixed(0.05),
        repair: Repair::PsdTwin,
        tolerance: 1e-8,
        ..StkrParams::default()
    };
    let method = Stkr::new(params).unwrap();
    method.prepare_shared(Arc::new(base), &mut Quiet).unwrap()
}

/// So many rows drawn without replacement.
fn draw(n: usize, count: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..n).collect();
    for i in 0..count {
        rows.swap(i, random.random_range(i..n));
    }
    rows.truncate(count);
    rows
}

fn observed(rows: &[usize], classes: &[u32]) -> Observed {
    let values = Mat::from_fn(rows.len(), 3, |k, c| {
        f64::from(classes[rows[k]] as usize == c)
    });
    Observed::new(rows.to_vec(), values, classes.len()).unwrap()
}

fn decode(scores: &Mat<f64>, i: usize) -> u32 {
    let row: Vec<f64> = scores.row(i).iter().copied().collect();
    OneHot::new(3).decode(&row)
}

/// What leave-one-out says of the labels.
fn left_out(prepared: &PreparedStkr<NeighbourBase>, seen: &Observed, classes: &[u32]) -> Judged {
    let smoother = prepared.smoother(seen, &mut Quiet).unwrap();
    let left = smoother.left_out(seen.values().as_ref());
    let predicted = (0..seen.index().len()).map(|k| Some(decode(&left, k)));
    let truth = seen.index().iter().map(|&i| classes[i]).collect();
    Judged::new(truth, predicted.collect(), 3)
}

const RUNS: usize = 500;

/// The squared error of leave-one-out in terms of a mean's variance.
fn stretched(
    counted: Counted,
    prepared: &PreparedStkr<NeighbourBase>,
    seen: &Observed,
    classes: &[u32],
) -> Counted {
    let smoother = prepared.smoother(seen, &mut Quiet).unwrap();
    let codec = OneHot::new(seen.width());
    let loss = |i: usize, row: &[f64]| f64::from(codec.decode(row) != classes[seen.index()[i]]);
    let labels = seen.values().as_ref();
    let rows = counted.rows.clone();
    let factor = inflation(&smoother, labels, &rows, false, &loss, 0, &mut Quiet).unwrap();
    assert!((1.0..=5.0).contains(&factor));
    counted.stretched(factor)
}

/// Eight clouds on a circle, six labels each: what a draw of labels happens to hold moves
/// the accuracy of the fit as much as what it is judged on.
#[test]
fn intervals_cover_with_many_classes_and_few_labels() {
    let (n, labels) = (320, 48);
    let mut random = ChaCha8Rng::seed_from_u64(77);
    let mut gauss = || -> f64 { (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0 };
    let classes: Vec<u32> = (0..n).map(|i| (i % 8) as u32).collect();
    let rows = classes.iter().flat_map(|&c| {
        let angle = f64::from(c) * std::f64::consts::TAU / 8.0;
        [
            3.0 * angle.cos() + 0.55 * gauss(),
            3.0 * angle.sin() + 0.55 * gauss(),
        ]
    });
    let points = Points::new(rows.collect(), n, 2).unwrap();
    let prepared = prepared(points);
    let codec = OneHot::new(8);
    let decode = |m: &Mat<f64>, i: usize| {
        let row: Vec<f64> = m.row(i).iter().copied().collect();
        codec.decode(&row)
    };
    let (mut covered, mut plain) = (0, 0);
    for run in 0..RUNS {
        let mut random = ChaCha8Rng::seed_from_u64(7000 + run as u64);
        let rows = draw(n, labels, &mut random);
        let values = Mat::from_fn(labels, 8, |k, c| f64::from(classes[rows[k]] as usize == c));
        let seen = Observed::new(rows.clone(), values, n).unwrap();
        let smoother = prepared.smoother(&seen, &mut Quiet).unwrap();
        let left = smoother.left_out(seen.values().as_ref());
        let predicted = (0..labels).map(|k| Some(decode(&left, k))).collect();
        let judged = Judged::new(rows.iter().map(|&i| classes[i]).collect(), predicted, 8);
        let scores = prepared
            .solve(&seen, &mut Quiet)
            .unwrap()
            .visible
            .unwrap()
            .values;
        let rest: Vec<usize> = (0..n).filter(|i| !rows.contains(i)).collect();
        let right = rest
            .iter()
            .filter(|&&i| decode(&scores, i) == classes[i])
            .count();
        let truth = right as f64 / rest.len() as f64;
        let counted = Counted::new(&Sampling::Random, &vec![true; labels], n).unwrap();
        let covers = |counted: &Counted| {
            let found = counted
                .accuracy(&judged, Estimand::Unlabelled, 0.95)
                .unwrap();
            holds(found.interval, truth)
        };
        plain += usize::from(covers(&counted));
        covered += usize::from(covers(&stretched(counted, &prepared, &seen, &classes)));
    }
    assert!(
        covered * 100 >= 93 * RUNS,
        "{covered} of {RUNS}; {plain} without nesting"
    );
    assert!(plain < covered, "{plain} and {covered}");
}

#[test]
fn intervals_cover_when_labels_are_drawn_at_random() {
    let (points, classes) = clouds(240, 3);
    let prepared = prepared(points);
    let (mut accuracy, mut f1) = (0, 0);
    for run in 0..RUNS {
        let mut random = ChaCha8Rng::seed_from_u64(run as u64);
        let rows = draw(240, 45, &mut random);
        let seen = observed(&rows, &classes);
        let judged = left_out(&prepared, &seen, &classes);
        let counted = Counted::new(&Sampling::Random, &[true; 45], 240).unwrap();
        let counted = stretched(counted, &prepared, &seen, &classes);
        let scores = prepared
            .solve(&seen, &mut Quiet)
            .unwrap()
            .visible
            .unwrap()
            .values;
        let rest: Vec<usize> = (0..240).filter(|i| !rows.contains(i)).collect();
        let truth = Judged::new(
            rest.iter().map(|&i| classes[i]).collect(),
            rest.iter().map(|&i| Some(decode(&scores, i))).collect(),
            3,
        );
        let found = counted
            .accuracy(&judged, Estimand::Unlabelled, 0.95)
            .unwrap();
        accuracy += usize::from(holds(found.interval, truth.accuracy()));
        let found = counted.macro_f1(&judged, 0.95, run as u64).unwrap();
        f1 += usize::from(holds(found.interval, truth.macro_f1()));
    }
    assert!(
        accuracy * 100 >= 93 * RUNS,
        "accuracy covered in {accuracy} of {RUNS}"
    );
    assert!(f1 * 100 >= 93 * RUNS, "macro-F1 covered in {f1} of {RUNS}");
}

#[test]
fn intervals_cover_when_labels_are_chosen_actively() {
    let (points, classes) = clouds(240, 4);
    let (fresh, fresh_classes) = clouds(900, 5);
    let prepared = prepared(points);
    let (mut unlabelled, mut new, mut naive) = (0, 0, 0);
    for run in 0..RUNS {
        let mut random = ChaCha8Rng::seed_from_u64(1000 + run as u64);
        let mut rows = draw(240, 16, &mut random);
        let mut audit = vec![true; 16];
        let mut pool: Vec<usize> = (0..16).map(|k| 240 - k).collect();
        for _ in 0..3 {
            let seen = observed(&rows, &classes);
            let scores = prepared
                .solve(&seen, &mut Quiet)
                .unwrap()
                .visible
                .unwrap()
                .values;
            let margin = |i: usize| {
                let mut row: Vec<f64> = scores.row(i).iter().copied().collect();
                row.sort_by(f64::total_cmp);
                row[2] - row[1]
            };
            let mut rest: Vec<usize> = (0..240).filter(|i| !rows.contains(i)).collect();
            rest.sort_by(|&a, &b| margin(a).total_cmp(&margin(b)));
            let audits = draw(rest.len(), 4, &mut random);
            let audits: Vec<usize> = audits.into_iter().map(|k| rest[k]).collect();
            let unsure = rest.iter().copied().filter(|i| !audits.contains(i)).take(8);
            let unsure: Vec<usize> = unsure.collect();
            // Audits are drawn first, from all rows without a label.
            audit.extend(
                audits
                    .iter()
                    .map(|_| true)
                    .chain(unsure.iter().map(|_| false)),
            );
            pool.extend((0..12).map(|k| rest.len() - k));
            rows.extend(audits.iter().chain(&unsure));
        }
        let seen = observed(&rows, &classes);
        let judged = left_out(&prepared, &seen, &classes);
        let pool = Some(pool);
        let sampling = Sampling::Active { audit, pool };
        let counted = Counted::new(&sampling, &vec![true; rows.len()], 240).unwrap();
        let counted = stretched(counted, &prepared, &seen, &classes);
        let fitted = prepared.solve(&seen, &mut Quiet).unwrap();
        let scores = &fitted.visible.as_ref().unwrap().values;
        let rest: Vec<usize> = (0..240).filter(|i| !rows.contains(i)).collect();
        let right = rest
            .iter()
            .filter(|&&i| decode(scores, i) == classes[i])
            .count();
        let truth = right as f64 / rest.len() as f64;
        let found = counted
            .accuracy(&judged, Estimand::Unlabelled, 0.95)
            .unwrap();
        unlabelled += usize::from(holds(found.interval, truth));
        let everything = clopper_pearson(judged.right(), judged.len(), 0.95).unwrap();
        naive += usize::from(everything.low <= truth && truth <= everything.high);
        let queried = fitted.scores(&fresh, &mut Quiet).unwrap().values;
        let right = (0..900)
            .filter(|&i| decode(&queried, i) == fresh_classes[i])
            .count();
        let truth = right as f64 / 900.0;
        let found = counted.accuracy(&judged, Estimand::NewRow, 0.95).unwrap();
        new += usize::from(holds(found.interval, truth));
    }
    assert!(
        unlabelled * 100 >= 93 * RUNS,
        "unlabelled rows in {unlabelled} of {RUNS}"
    );
    assert!(new * 100 >= 93 * RUNS, "new rows in {new} of {RUNS}");
    // What audit rows are for.
    assert!(
        naive < unlabelled,
        "all labels: {naive}, audits: {unlabelled}"
    );
}

#[test]
fn intervals_of_a_squared_error_cover() {
    let mut covered = 0;
    for run in 0..RUNS {
        let mut random = ChaCha8Rng::seed_from_u64(run as u64);
        // Squared errors of a normal variable: skewed, with mean one.
        let mut gauss = || -> f64 { (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0 };
        let errors: Vec<f64> = (0..40).map(|_| gauss().powi(2)).collect();
        let found = of_mean(&errors, 0.95, 1.0, run as u64).unwrap().unwrap();
        covered += usize::from(found.low <= 1.0 && 1.0 <= found.high);
    }
    assert!(covered * 100 >= 93 * RUNS, "{covered} of {RUNS}");
    let none = Judged::new(Vec::new(), Vec::new(), 2);
    assert!(of_macro_f1(&none, 0.9, 1.0, 0).is_err());
}

fn holds(interval: Option<Interval>, truth: f64) -> bool {
    interval.is_some_and(|i| i.low <= truth && truth <= i.high)
}

#[test]
fn squares_that_do_not_differ_or_are_few_have_no_interval() {
    let many: Vec<f64> = (0..40).map(f64::from).collect();
    assert_eq!(of_mean(&many[..9], 0.95, 1.0, 0).unwrap(), None);
    assert_eq!(of_mean(&[2.0; 40], 0.95, 1.0, 0).unwrap(), None);
    assert_eq!(of_mean(&[0.0; 40], 0.95, 1.0, 0).unwrap(), None);
    let counted = |n: usize| Counted::new(&Sampling::Random, &vec![true; n], 100).unwrap();
    let few = counted(9).mean(&many[..9], None, 0.95, 0).unwrap();
    assert_eq!((few.interval, few.value), (None, 4.0));
    assert!(few.no_interval.unwrap().contains("few"));
    let flat = counted(40).mean(&[2.0; 40], None, 0.95, 0).unwrap();
    assert!(flat.interval.is_none() && flat.no_interval.unwrap().contains("spread"));
    let fine = counted(40).mean(&many, None, 0.95, 0).unwrap();
    assert!(fine.interval.is_some() && fine.no_interval.is_none());
}

#[test]
fn macro_f1_of_few_rows_has_no_interval_and_of_wrong_rows_no_empty_one() {
    let wrong = |n: usize| Judged::new(vec![0; n], vec![Some(1); n], 2);
    assert_eq!(of_macro_f1(&wrong(1), 0.95, 1.0, 0).unwrap(), None);
    assert_eq!(of_macro_f1(&wrong(9), 0.95, 1.0, 0).unwrap(), None);
    let found = of_macro_f1(&wrong(20), 0.95, 1.0, 0).unwrap().unwrap();
    // The exact interval of none of 20.
    assert!(
        found.low == 0.0 && (found.high - 0.168).abs() < 1e-3,
        "{found:?}"
    );
}

/// Shares of wrong tags and Kendall distances: coarse, fine, skewed and nearly constant.
#[test]
fn intervals_of_bounded_losses_cover_and_are_not_the_whole_range() {
    const DRAWS: usize = 500;
    type Loss = fn(&mut ChaCha8Rng) -> f64;
    fn share(random: &mut ChaCha8Rng, tags: u32, p: f64) -> f64 {
        let wrong = (0..tags).filter(|_| random.random::<f64>() < p).count();
        wrong as f64 / f64::from(tags)
    }
    let losses: [(&str, f64, Loss); 4] = [
        ("four tags, one in ten wrong", 0.1, |r| share(r, 4, 0.1)),
        ("one tag, one in twenty wrong", 0.05, |r| share(r, 1, 0.05)),
        ("even", 0.5, |r| r.random::<f64>()),
        ("hardly differing", 0.3, |r| 0.25 + 0.1 * r.random::<f64>()),
    ];
    for (name, truth, loss) in losses {
        for n in [8, 30, 100] {
            let (mut covered, mut width) = (0, 0.0);
            for run in 0..DRAWS {
                let mut random = ChaCha8Rng::seed_from_u64((n * 1000 + run) as u64);
                let drawn: Vec<f64> = (0..n).map(|_| loss(&mut random)).collect();
                let found = of_bounded_mean(&drawn, 1.0, 0.95, 1.0, run as u64).unwrap();
                covered += usize::from(found.low <= truth && truth <= found.high);
                width += (found.high - found.low) / DRAWS as f64;
            }
            assert!(covered >= 475, "{name}, {n}: {covered} of {DRAWS}");
            if n == 100 {
                // Hoeffding's, for any spread, is 0.27 wide.
                assert!(width < 0.25, "{name}: {width}");
            }
        }
    }
}

#[test]
fn a_bounded_interval_holds_its_mean_and_scales_with_its_bound() {
    let values = [0.0, 0.5, 0.25, 0.0, 1.0, 0.0, 0.75];
    let one = of_bounded_mean(&values, 1.0, 0.9, 1.0, 3).unwrap();
    let four: Vec<f64> = values.iter().map(|v| 4.0 * v).collect();
    let wide = of_bounded_mean(&four, 4.0, 0.9, 1.0, 3).unwrap();
    // Powers of two scale without rounding.
    assert_eq!((4.0 * one.low, 4.0 * one.high), (wide.low, wide.high));
    let mean = values.iter().sum::<f64>() / 7.0;
    assert!(0.0 < one.low && one.low < mean && mean < one.high && one.high < 1.0);
    let zero = of_bounded_mean(&[0.0; 8], 1.0, 0.95, 1.0, 0).unwrap();
    let exact = clopper_pearson(0, 8, 0.95).unwrap();
    // No interval that holds for all bounded losses is shorter than the exact one of shares.
    assert!(zero.low == 0.0 && zero.high >= exact.high && zero.high < 0.45);
    assert!(of_bounded_mean(&[1.1], 1.0, 0.9, 1.0, 0).is_err());
    assert!(of_bounded_mean(&[], 1.0, 0.9, 1.0, 0).is_err());
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

/// Whether so many hits are within three binomial standard errors of a share.
fn within(hits: usize, of: usize, share: f64) -> bool {
    let error = (share * (1.0 - share) / of as f64).sqrt();
    (hits as f64 / of as f64 - share).abs() <= 3.0 * error
}

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

#[test]
fn flipped_labels_come_first() {
    let (points, classes) = clouds(300, 10);
    let prepared = prepared(points);
    let (mut found, mut chance, mut of) = (0, 0.0, 0);
    for run in 0..20 {
        let mut random = ChaCha8Rng::seed_from_u64(4000 + run);
        let rows = draw(300, 100, &mut random);
        let mut given = classes.clone();
        for &i in &rows[..10] {
            given[i] = (given[i] + 1 + random.random_range(0..2)) % 3;
        }
        let seen = observed(&rows, &given);
        let smoother = prepared.smoother(&seen, &mut Quiet).unwrap();
        let left = smoother.left_out(seen.values().as_ref());
        let labels: Vec<u32> = rows.iter().map(|&i| given[i]).collect();
        let ranked = suspects(left.as_ref(), &labels, &[true; 100]).unwrap();
        found += ranked.iter().take(10).filter(|s| s.label < 10).count();
        chance += 10.0 * 10.0 / 100.0;
        of += 10;
    }
    // One in ten by chance; the clouds overlap, so not all can be found.
    assert!(
        found as f64 >= 5.0 * chance,
        "{found} of {of}, by chance {chance}"
    );
    assert!(suspects(Mat::zeros(3, 2).as_ref(), &[0, 1], &[true; 3]).is_err());
    assert!(suspects(Mat::zeros(1, 2).as_ref(), &[5], &[true]).is_err());
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
