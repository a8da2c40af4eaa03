//! Intervals around the accuracy of a fit hold it as often as they say.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{RUNS, clouds, decode, draw, holds, left_out, observed, prepared};
use crate::base::NeighbourBase;
use crate::data::Points;
use crate::estimator::stkr::PreparedStkr;
use crate::estimator::{Linear, Prepared};
use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::task::{Codec, Observed, OneHot};
use crate::trust::nested::inflation;
use crate::trust::{Counted, Estimand, Judged, Sampling, clopper_pearson};

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
