//! Labels with weights: the same rules as labels without, and refits as leave-one-out says.

use super::{base, seen};
use isotherm::base::{GraphBase, Normalisation};
use isotherm::estimator::stkr::{
    LabelSystem, PreparedStkr, Repair, Ridge, RidgePath, Solver, Stkr, StkrParams, SystemOptions,
};
use isotherm::estimator::{Centring, Estimator, Linear, Prepared};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::spectrum::Transform;
use isotherm::task::Observed;
use isotherm::testing::operator::close;

const LABELS: usize = 10;

fn prepared(params: &StkrParams, normalisation: Normalisation) -> PreparedStkr<GraphBase> {
    let method = Stkr::new(params.clone()).unwrap();
    method.prepare(base(normalisation), &mut Quiet).unwrap()
}

fn few() -> Observed {
    seen(60)
}

/// Weights that differ by less than any tolerance, so that the weighted path is taken.
fn hardly_weighted(seen: Observed) -> Observed {
    let weights = (0..LABELS).map(|i| 1.0 + 1e-13 * (i % 3) as f64).collect();
    let weighted = seen.weighted(weights).unwrap();
    assert!(weighted.weights().is_some());
    weighted
}

#[test]
fn weights_of_one_change_nothing() {
    let transforms = [
        Transform::InverseLaplacian { eta: 0.9 },
        Transform::Power { degree: 1 },
        Transform::Power { degree: 3 },
    ];
    let mut singular = 0;
    for transform in transforms {
        for ridge in [Ridge::Fixed(1e-3), Ridge::Auto] {
            for centre_labels in [true, false] {
                let params = StkrParams {
                    transform: transform.clone(),
                    ridge,
                    centre_labels,
                    solver: Solver::LabelBlock,
                    ..Default::default()
                };
                // Not a positive kernel: fitted through its twin.
                let prepared = prepared(&params, Normalisation::Symmetric);
                let plain = prepared.solve(&few(), &mut Quiet).unwrap();
                let weighted = prepared.solve(&hardly_weighted(few()), &mut Quiet).unwrap();
                let scores = |fitted: &isotherm::expansion::Fitted<GraphBase>| {
                    fitted.visible.as_ref().unwrap().values.clone()
                };
                // Where the kernel between labels has eigenvalues of zero, rounding decides on
                // which side of zero they are, and with that whether they are clipped.
                let block = prepared.label_block(&few(), &[], &mut Quiet).unwrap();
                let path = RidgePath::new(block.gram.as_ref()).unwrap();
                let sizes = || path.eigenvalues().iter().map(|v| v.abs());
                let largest = sizes().fold(0.0, f64::max);
                if sizes().any(|size| size < 1e-9 * largest) {
                    singular += 1;
                    continue;
                }
                // The weights change the system by 1e-13, its solution by that times the condition.
                let condition = plain.report.condition.unwrap_or(f64::INFINITY);
                let tolerance = 1e-8_f64.max(1e-12 * condition);
                close("scores", &scores(&weighted), &scores(&plain), tolerance).unwrap();
                assert_eq!(weighted.report.choice, plain.report.choice);
                let left = |seen: &Observed| prepared.leave_one_out(seen, &mut Quiet).unwrap();
                let (a, b) = (left(&hardly_weighted(few())), left(&few()));
                close("leave-one-out", &a, &b, tolerance).unwrap();
            }
        }
    }
    assert!(singular <= 8, "{singular} of 12 cases were left out");
}

#[test]
fn a_weighted_kernel_that_is_not_positive_has_a_twin_too() {
    let params = StkrParams {
        transform: Transform::Power { degree: 1 },
        ridge: Ridge::Fixed(1e-3),
        repair: Repair::Auto,
        ..Default::default()
    };
    let weights = (0..LABELS).map(|i| 1.0 + (i % 4) as f64).collect();
    let seen = few().weighted(weights).unwrap();
    let fitted = prepared(&params, Normalisation::Symmetric)
        .solve(&seen, &mut Quiet)
        .unwrap();
    let choice = fitted.report.choice.unwrap();
    assert!(choice.contains("p.s.d. twin"), "{choice}");
    assert!(fitted.report.smallest.unwrap() > 0.0);
}

#[test]
fn leave_one_out_with_weights_is_a_refit() {
    let weights: Vec<f64> = (0..LABELS).map(|i| 0.5 + (i % 4) as f64).collect();
    let seen = few().weighted(weights).unwrap();
    let w = seen.weights().unwrap().to_vec();
    for (normalisation, repair) in [
        (Normalisation::Lazy, Repair::Refuse),
        (Normalisation::Symmetric, Repair::PsdTwin),
    ] {
        for centre_labels in [true, false] {
            let params = |ridge: f64| StkrParams {
                transform: Transform::InverseLaplacian { eta: 0.9 },
                ridge: Ridge::Fixed(ridge),
                centre_labels,
                repair,
                trivial_mode: isotherm::estimator::TrivialMode::Keep,
                solver: Solver::LabelBlock,
                ..Default::default()
            };
            let whole = prepared(&params(0.1), normalisation);
            let left = whole.leave_one_out(&seen, &mut Quiet).unwrap();
            let smoother = whole.smoother(&seen, &mut Quiet).unwrap();
            let by_smoother = smoother.left_out(seen.values().as_ref());
            close("two ways", &left, &by_smoother, 1e-8).unwrap();
            for i in 0..LABELS {
                let keep: Vec<usize> = (0..LABELS).filter(|&k| k != i).collect();
                let index = keep.iter().map(|&k| seen.index()[k]).collect();
                let values =
                    Mat::from_fn(keep.len(), seen.width(), |k, j| seen.values()[(keep[k], j)]);
                let rest = Observed::new(index, values, seen.total()).unwrap();
                let rest = rest.weighted(keep.iter().map(|&k| w[k]).collect()).unwrap();
                // nβ/wᵢ is kept, although the mean weight is another.
                let mean = keep.iter().map(|&k| w[k]).sum::<f64>() / keep.len() as f64;
                let factor = LABELS as f64 / keep.len() as f64 / mean;
                let refit = prepared(&params(0.1 * factor), normalisation);
                let refit = refit.solve(&rest, &mut Quiet).unwrap().visible.unwrap();
                let sample = seen.index()[i];
                for j in 0..seen.width() {
                    let (a, b) = (left[(i, j)], refit.values[(sample, j)]);
                    assert!(
                        (a - b).abs() < 1e-8 * (1.0 + b.abs()),
                        "label {i}: {a} and {b}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_open_ridge_follows_the_mean_of_the_other_labels() {
    // Labels that are one number but for one: with the mean of all of them taken off,
    // leaving a label out would still know of it.
    let values = Mat::from_fn(
        LABELS,
        1,
        |i, _| if i == 3 { 5.0 } else { 1.0 + 0.01 * i as f64 },
    );
    let seen = Observed::new(few().index().to_vec(), values, few().total()).unwrap();
    let params = StkrParams {
        transform: Transform::InverseLaplacian { eta: 0.9 },
        ridge: Ridge::Auto,
        solver: Solver::LabelBlock,
        ..Default::default()
    };
    let prepared = prepared(&params, Normalisation::Lazy);
    let choice = |seen: &Observed| prepared.solve(seen, &mut Quiet).unwrap().report.choice;
    assert_eq!(choice(&hardly_weighted(seen.clone())), choice(&seen));
}

#[test]
fn weights_that_are_all_one_do_not_change_a_bit() {
    let gram = isotherm::testing::random(6, 6, 3);
    let gram = Mat::from_fn(6, 6, |i, j| gram[(i, j)] + gram[(j, i)]);
    let labels = isotherm::testing::random(6, 2, 4);
    for (repair, ridge) in [
        (Repair::Auto, Ridge::Fixed(1e-3)),
        (Repair::Auto, Ridge::Auto),
        (Repair::Allow, Ridge::Fixed(1e-2)),
        (Repair::Refuse, Ridge::Fixed(10.0)),
    ] {
        for centring in [Centring::None, Centring::Mean] {
            let options = SystemOptions {
                repair,
                twin: None,
                total: 6,
                centring,
            };
            let plain = LabelSystem::new(gram.clone(), None, options);
            let weighted = LabelSystem::new(gram.clone(), Some(vec![1.0; 6]), options);
            let (plain, weighted) = (plain.at(ridge, &labels), weighted.at(ridge, &labels));
            let (plain, weighted) = (plain.unwrap(), weighted.unwrap());
            assert_eq!(plain.choice, weighted.choice);
            assert_eq!(plain.coefficients(&labels), weighted.coefficients(&labels));
            assert_eq!(
                plain.leave_one_out(&labels, centring),
                weighted.leave_one_out(&labels, centring)
            );
        }
    }
}
