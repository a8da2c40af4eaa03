//! Grids: every cell is the fit it stands for.

use super::{base, seen};
use isotherm::base::{Base, Normalisation};
use isotherm::data::Links;
use isotherm::estimator::EvaluationPoints;
use isotherm::estimator::stkr::{Ridge, Stkr, StkrParams};
use isotherm::estimator::{Estimator, Prepared};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::select::{Grid, Judge, Metric, search};
use isotherm::spectrum::{Encoder, Transform};
use isotherm::testing::random;
use std::sync::Arc;

fn grid() -> Grid {
    Grid {
        transforms: vec![
            Transform::InverseLaplacian { eta: 0.7 },
            Transform::InverseLaplacian { eta: 0.999_999 },
            Transform::Power { degree: 1 },
            Transform::Power { degree: 8 },
            Transform::Truncation {
                rank: 5,
                encoder: Encoder::All,
            },
            Transform::Truncation {
                rank: 9,
                encoder: Encoder::All,
            },
        ],
        ridges: vec![10.0, 1e-2, 1e-4],
    }
}

fn links() -> Links {
    let links = [
        (0, 3, 1.0),
        (0, 9, 2.0),
        (1, 30, 1.0),
        (2, 53, 1.0),
        (3, 17, 1.0),
    ];
    Links::new(4, 60, &links).unwrap()
}

/// Minus the mean squared error of a fit's scores, the slow way.
fn slow(params: StkrParams, watch: Option<&[usize]>, values: &Mat<f64>) -> f64 {
    let seen = seen(60);
    let stkr = Stkr::new(params.clone()).unwrap();
    let fitted = stkr
        .fit(base(Normalisation::Lazy), &seen, &mut Quiet)
        .unwrap();
    let f = match watch {
        Some(rows) => super::rows(&fitted.visible.unwrap().values, rows),
        None => fitted.scores(&links(), &mut Quiet).unwrap().values,
    };
    let mut sum = 0.0;
    for j in 0..2 {
        let mean = if params.centre_labels {
            seen.values().col(j).iter().sum::<f64>() / 10.0
        } else {
            0.0
        };
        for i in 0..f.nrows() {
            sum += (f[(i, j)] + mean - values[(i, j)]).powi(2);
        }
    }
    -sum / f.nrows() as f64
}

#[test]
fn every_cell_is_its_own_fit_at_old_and_new_nodes() {
    for centre_labels in [false, true] {
        let params = StkrParams {
            centre_labels,
            tolerance: 1e-12,
            ..StkrParams::as_printed(Transform::Power { degree: 1 }, 1.0)
        };
        let rows = [1, 8, 25, 54];
        let values = random(4, 2, 90);
        for watch in [
            EvaluationPoints::Visible(rows.as_slice()),
            EvaluationPoints::New(&links()),
        ] {
            let judge = Judge::Validation {
                points: watch,
                values: &values,
                metric: Metric::SquaredError,
            };
            let base = Arc::new(base(Normalisation::Lazy));
            let found = search(&params, &base, &seen(60), &grid(), &judge, &mut Quiet).unwrap();
            assert_eq!(found.cells.len(), 18);
            for cell in &found.cells {
                let params = StkrParams {
                    transform: grid().transforms[cell.transform].clone(),
                    ridge: Ridge::Fixed(grid().ridges[cell.ridge]),
                    ..params.clone()
                };
                let rows = match watch {
                    EvaluationPoints::Visible(rows) => Some(rows),
                    EvaluationPoints::New(_) => None,
                };
                let expected = slow(params, rows, &values);
                let gap = (cell.score.unwrap() - expected).abs();
                assert!(gap < 1e-7 * expected.abs(), "{cell:?}: {gap:e}");
            }
            let best = found.cells[found.best].score.unwrap();
            assert!(found.cells.iter().all(|c| c.score.unwrap() <= best));
        }
    }
}

#[test]
fn leave_one_out_scores_are_those_of_each_estimator() {
    let params = StkrParams {
        tolerance: 1e-12,
        ..Default::default()
    };
    let base = Arc::new(base(Normalisation::Lazy));
    let judge = Judge::LeaveOneOut {
        metric: Metric::SquaredError,
    };
    let found = search(&params, &base, &seen(60), &grid(), &judge, &mut Quiet).unwrap();
    for cell in &found.cells {
        let params = StkrParams {
            transform: grid().transforms[cell.transform].clone(),
            ridge: Ridge::Fixed(grid().ridges[cell.ridge]),
            ..params.clone()
        };
        let prepared = Stkr::new(params).unwrap();
        let prepared = prepared.prepare_shared(base.clone(), &mut Quiet).unwrap();
        let left = prepared.leave_one_out(&seen(60), &mut Quiet).unwrap();
        // Centred labels: scores are deviations from the other labels' mean.
        let y = seen(60);
        let mut sum = 0.0;
        for j in 0..2 {
            let all: f64 = y.values().col(j).iter().sum();
            for i in 0..10 {
                let others = (all - y.values()[(i, j)]) / 9.0;
                sum += (left[(i, j)] + others - y.values()[(i, j)]).powi(2);
            }
        }
        let gap = (cell.score.unwrap() + sum / 10.0).abs();
        assert!(gap < 1e-8 * sum, "{cell:?}: {gap:e}");
        prepared.solve(&seen(60), &mut Quiet).unwrap();
    }
    assert_eq!(base.len(), 60);
}

#[test]
fn an_empty_grid_is_refused() {
    let empty = Grid {
        transforms: vec![],
        ridges: vec![1.0],
    };
    let base = Arc::new(base(Normalisation::Lazy));
    let judge = Judge::LeaveOneOut {
        metric: Metric::Accuracy,
    };
    let params = StkrParams::default();
    assert!(search(&params, &base, &seen(60), &empty, &judge, &mut Quiet).is_err());
}
