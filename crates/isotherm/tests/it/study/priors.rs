//! Class shares that the user knows, through every method.

use isotherm::data::{Points, Targets};
use isotherm::estimator::baseline::{HarmonicParams, KernelRidgeParams};
use isotherm::labelling::Answer;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Shape, Task};
use isotherm::study::{Input, Study};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const ROWS: usize = 1000;
const LABELS: usize = 100;

/// Roughly normal: the sum of twelve uniform numbers, less six.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// Two groups that overlap, a quarter of the rows "premium", and labels of exactly
/// `premium` in a hundred.
fn customers(seed: u64, premium: usize) -> (Points, Vec<usize>, Targets) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let class: Vec<usize> = (0..ROWS)
        .map(|_| usize::from(rng.random::<f64>() < 0.24))
        .collect();
    let mut x = Vec::new();
    for c in &class {
        for column in 0..6 {
            let shift = if column < 2 { 0.7 * *c as f64 } else { 0.0 };
            x.push(normal(&mut rng) + shift);
        }
    }
    let mut left = [LABELS - premium, premium];
    let names = class.iter().map(|&c| {
        let taken = left[c] > 0;
        left[c] -= usize::from(taken);
        taken.then_some(["basic", "premium"][c])
    });
    let targets = Targets::from_names(&names.collect::<Vec<_>>());
    (Points::new(x, ROWS, 6).unwrap(), class, targets)
}

fn methods() -> Vec<(&'static str, Recipe)> {
    let of = |method| Recipe::of(method, Task::Classify, 0);
    vec![
        ("blend", Recipe::automatic(Shape::Table, Task::Classify, 0)),
        ("stkr", Recipe::on_graph(Task::Classify, 0)),
        ("harmonic", of(Method::Harmonic(HarmonicParams::default()))),
        (
            "label propagation",
            of(Method::label_propagation(Shape::Table)),
        ),
        (
            "kernel ridge",
            of(Method::KernelRidge(KernelRidgeParams::default())),
        ),
        ("laplacian", of(Method::laplacian(Task::Classify))),
    ]
}

fn answered(recipe: &Recipe, points: &Points, targets: &Targets, premium: Option<f64>) -> Answer {
    let priors = premium.map(|p| [("basic".into(), 1.0 - p), ("premium".into(), p)].into());
    let recipe = Recipe {
        priors,
        ..recipe.clone()
    };
    let mut study = Study::new(&recipe, Input::Table(points.clone()), targets).unwrap();
    let model = study.fit(&mut Quiet).unwrap();
    study.training_answer(&model, &mut Quiet).unwrap()
}

/// The share of the rows said to be premium, and the accuracy.
fn judged(answer: &Answer, class: &[usize]) -> (f64, f64) {
    let said: Vec<usize> = (answer.names().iter())
        .map(|name| usize::from(*name == Some("premium")))
        .collect();
    let right = said.iter().zip(class).filter(|(s, c)| s == c).count();
    let n = class.len() as f64;
    (said.iter().sum::<usize>() as f64 / n, right as f64 / n)
}

#[test]
fn shares_near_those_of_the_labels_move_few_answers() {
    for (name, recipe) in methods() {
        let (mut moved, mut gained) = (0.0, 0.0);
        for seed in 0..3 {
            let (points, class, targets) = customers(seed, 21);
            let plain = judged(&answered(&recipe, &points, &targets, None), &class);
            let known = judged(&answered(&recipe, &points, &targets, Some(0.24)), &class);
            moved += (known.0 - plain.0) / 3.0;
            gained += (known.1 - plain.1) / 3.0;
        }
        assert!(
            (0.0..0.1).contains(&moved),
            "{name}: {moved} more are premium"
        );
        assert!(gained > -0.03, "{name}: the accuracy moved by {gained}");
    }
}

#[test]
fn shares_equal_to_those_of_the_labels_change_no_bit() {
    for (name, recipe) in methods() {
        for premium in [21, 30] {
            let (points, _, targets) = customers(5, premium);
            let plain = answered(&recipe, &points, &targets, None);
            let share = premium as f64 / LABELS as f64;
            let known = answered(&recipe, &points, &targets, Some(share));
            assert_eq!(known.labels, plain.labels, "{name}");
            assert_eq!(known.probabilities, plain.probabilities, "{name}");
        }
    }
}
