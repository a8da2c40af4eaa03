//! Tuning by a proper score, near the defaults where labels are few.

use super::{base, seen};
use isotherm::base::Normalisation;
use isotherm::data::{Points, Targets};
use isotherm::estimator::stkr::{Ridge, Solver, Stkr, StkrParams};
use isotherm::estimator::{Estimator, Prepared};
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
    println!("chosen {chosen:.4}, default {default:.4}, claimed {claimed:.4}, nested {nested:.4}");
    assert!(chosen >= default - 0.01, "{chosen:.4} beside {default:.4}");
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

#[test]
fn an_open_ridge_of_classes_is_chosen_by_log_loss_and_by_weights() {
    let params = StkrParams {
        transform: Transform::InverseLaplacian { eta: 0.9 },
        ridge: Ridge::Auto,
        solver: Solver::LabelBlock,
        ..Default::default()
    };
    let prepared = Stkr::new(params).unwrap();
    let prepared = prepared
        .prepare(base(Normalisation::Lazy), &mut Quiet)
        .unwrap();
    let choice = |seen: &Observed| {
        let fitted = prepared.solve(seen, &mut Quiet).unwrap();
        fitted.report.choice.unwrap()
    };
    let plain = choice(&classes());
    assert!(
        plain.contains("least leave-one-label-out log loss"),
        "{plain}"
    );
    // A label that counts as much as a thousand: the choice is for it.
    let mut heavy = vec![1.0; 10];
    heavy[4] = 1e3;
    let weighted = choice(&classes().weighted(heavy).unwrap());
    assert_ne!(plain, weighted);
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
