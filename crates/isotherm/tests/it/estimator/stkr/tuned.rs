//! Tuning by a proper score, near the defaults where labels are few.

use super::{base, seen};
use isotherm::base::Normalisation;
use isotherm::data::{Points, Targets};
use isotherm::estimator::stkr::{Ridge, Solver, Stkr, StkrParams};
use isotherm::estimator::{Estimator, Prepared, TrivialMode};
use isotherm::linalg::Mat;
use isotherm::model::Warning;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Task};
use isotherm::select::Grid;
use isotherm::spectrum::Transform;
use isotherm::study::{Input, Study};
use isotherm::task::Observed;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const NAMES: [&str; 2] = ["upper", "lower"];

/// Two moons with noise, rows of both in turn.
fn moons(rows: usize, noise: f64, rng: &mut ChaCha8Rng) -> Points {
    let mut values = Vec::new();
    for i in 0..rows {
        let angle = std::f64::consts::PI * rng.random::<f64>();
        let (x, y) = match i % 2 {
            0 => (angle.cos(), angle.sin()),
            _ => (1.0 - angle.cos(), 0.5 - angle.sin()),
        };
        // Box and Muller.
        let size = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
        let turn = 2.0 * std::f64::consts::PI * rng.random::<f64>();
        values.push(x + noise * size * turn.cos());
        values.push(y + noise * size * turn.sin());
    }
    Points::new(values, rows, 2).unwrap()
}

fn accuracy(recipe: &Recipe, points: &Points, labels: &[Option<&str>]) -> f64 {
    let targets = Targets::from_names(labels);
    let mut study = Study::new(recipe, Input::Table(points.clone()), &targets).unwrap();
    let model = study.fit(&mut Quiet).unwrap();
    let answer = study.training_answer(&model, &mut Quiet).unwrap();
    let names = answer.names();
    let right = (0..names.len()).filter(|&i| names[i] == Some(NAMES[i % 2]));
    right.count() as f64 / names.len() as f64
}

#[test]
fn on_two_moons_with_ten_labels_the_choice_is_as_good_as_the_default() {
    let rows = 300;
    let usual = Recipe::of(Method::Stkr(StkrParams::default()), Task::Classify, 0);
    let (mut chosen, mut default, mut claimed, mut nested) = (0.0, 0.0, 0.0, 0.0);
    for seed in 0..10 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let points = moons(rows, 0.12, &mut rng);
        let mut labels = vec![None; rows];
        for k in 0..10 {
            // Five of each moon.
            let mut i = 2 * rng.random_range(0..rows / 2) + k % 2;
            while labels[i].is_some() {
                i = (i + 2) % rows;
            }
            labels[i] = Some(NAMES[i % 2]);
        }
        let input = Input::Table(points.clone());
        let mut study = Study::new(&usual, input, &Targets::from_names(&labels)).unwrap();
        let tuned = study.tune(&Grid::inverse_laplacian(), &mut Quiet).unwrap();
        claimed += tuned.search.score() / 10.0;
        nested += tuned.search.nested.unwrap().0 / 10.0;
        chosen += accuracy(&tuned.recipe, &points, &labels) / 10.0;
        default += accuracy(&usual, &points, &labels) / 10.0;
    }
    let found = format!("{chosen:.4}, {default:.4}; claimed {claimed:.4}, nested {nested:.4}");
    assert!(chosen >= default - 0.01, "{found}");
}

#[test]
fn cells_that_labels_do_not_tell_apart_leave_the_defaults() {
    // Two groups far apart: every cell is right about every label.
    let x: Vec<f64> = (0..40)
        .map(|i| f64::from(i % 20) + f64::from(i / 20) * 1e3)
        .collect();
    let points = Points::new(x, 40, 1).unwrap();
    let labels: Vec<Option<&str>> = (0..40)
        .map(|i| (i % 4 == 0).then_some(NAMES[i / 20]))
        .collect();
    let recipe = Recipe::of(Method::Stkr(StkrParams::default()), Task::Classify, 0);
    let targets = Targets::from_names(&labels);
    let mut study = Study::new(&recipe, Input::Table(points), &targets).unwrap();
    let found = study
        .tune(&Grid::inverse_laplacian(), &mut Quiet)
        .unwrap()
        .search;
    assert!(found.cells.iter().all(|cell| cell.score == Some(1.0)));
    assert_eq!(found.nested.unwrap().0, 1.0);
    assert_eq!(
        *found.transform(),
        Transform::InverseLaplacian { eta: 0.99 }
    );
    assert!(found.ridge() <= 1.0, "{}", found.ridge());
}

/// One-hot labels of the samples of `seen`.
fn classes() -> Observed {
    let index = seen(60).index().to_vec();
    let values = Mat::from_fn(10, 2, |i, j| f64::from(u8::from((i / 2) % 2 == j)));
    Observed::new(index, values, 60).unwrap()
}

/// The log loss of leave-one-out scores as weights count them, under the best of slopes
/// ¼, ½ … 16 in units of the scores' spread.
fn log_loss(scores: &Mat<f64>, seen: &Observed) -> f64 {
    let weight = |i: usize| seen.weights().map_or(1.0, |w| w[i]);
    let gap = |i: usize| scores[(i, 0)] - scores[(i, 1)];
    let square: f64 = (0..10).map(|i| weight(i) * gap(i).powi(2)).sum();
    let spread = (square / (0..10).map(weight).sum::<f64>()).sqrt();
    let at = |power: i32| {
        let slope = 2f64.powi(power) / spread;
        let loss = |i: usize| {
            let sign = if seen.values()[(i, 0)] == 1.0 {
                -1.0
            } else {
                1.0
            };
            weight(i) * (1.0 + (sign * slope * gap(i)).exp()).ln()
        };
        (0..10).map(loss).sum::<f64>() / 10.0
    };
    (-2..=4).map(at).fold(f64::INFINITY, f64::min)
}

#[test]
fn an_open_ridge_of_classes_is_the_one_with_the_least_log_loss_weighted_as_the_fit() {
    let prepared = |ridge: Ridge| {
        let params = StkrParams {
            transform: Transform::InverseLaplacian { eta: 0.9 },
            ridge,
            solver: Solver::LabelBlock,
            ..Default::default()
        };
        let stkr = Stkr::new(params).unwrap();
        stkr.prepare(base(Normalisation::Lazy), &mut Quiet).unwrap()
    };
    let mut heavy = vec![1.0; 10];
    heavy[4] = 50.0;
    for seen in [classes(), classes().weighted(heavy).unwrap()] {
        let block = prepared(Ridge::Auto).label_block(&seen, &[], &mut Quiet);
        let gram = block.unwrap().gram;
        // Powers of ten of the kernel's mean diagonal, as c = nβ.
        let scale = (0..10).map(|i| gram[(i, i)]).sum::<f64>() / 100.0;
        let cost = |power: i32| {
            let ridge = 10f64.powi(power) * scale;
            let left = prepared(Ridge::Fixed(ridge)).leave_one_out(&seen, &mut Quiet);
            // Half a label's loss for each power of ten from 0.001, squared.
            let far = (ridge / 1e-3).log10();
            (ridge, log_loss(&left.unwrap(), &seen) + 0.05 * far * far)
        };
        let costs: Vec<(f64, f64)> = (-10..=2).map(cost).collect();
        let least = costs.iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        let fitted = prepared(Ridge::Auto).solve(&seen, &mut Quiet).unwrap();
        let choice = fitted.report.choice.unwrap();
        let said = format!(
            "ridge {:.3e}, the least leave-one-label-out log loss",
            least.0
        );
        assert!(choice.contains(&said), "{choice}, not {said}");
    }
}

#[test]
fn a_fit_that_overrules_a_given_label_says_so() {
    // One of four rows in one place contradicts the others, and the ridge is large.
    let points = Points::new(vec![0.0, 0.01, 0.02, 0.03, 0.04], 5, 1).unwrap();
    let labels = [Some("u"), Some("v"), Some("v"), Some("v"), None];
    let targets = Targets::from_names(&labels);
    let recipe = |ridge: f64| Recipe {
        neighbours: Some(4),
        normalisation: Some(Normalisation::Lazy),
        ..Recipe::of(
            Method::Stkr(StkrParams {
                ridge: Ridge::Fixed(ridge),
                centre_labels: false,
                trivial_mode: TrivialMode::Keep,
                ..StkrParams::default()
            }),
            Task::Classify,
            0,
        )
    };
    let warned = |ridge: f64| {
        let mut study = Study::new(&recipe(ridge), Input::Table(points.clone()), &targets).unwrap();
        study.fit(&mut Quiet).unwrap().warnings().to_vec()
    };
    assert_eq!(warned(1e3), [Warning::Overruled { rows: 1, of: 4 }]);
    assert_eq!(warned(1e-6), []);
}
