//! LearningOptions curves against refits of every part of the labels.

use std::collections::BTreeSet;

use isotherm::data::{Points, Targets};
use isotherm::estimator::baseline::KernelRidgeParams;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Task};
use isotherm::study::learning_curve::Band;
use isotherm::study::{Input, LabelSampling, LearningOptions, Study};
use isotherm::testing::random;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

const ROWS: usize = 80;

/// Three clouds that touch, every fourth row labelled.
fn clouds() -> (Points, Vec<u32>) {
    let m = random(ROWS, 2, 5);
    let class = |i: usize| i % 3;
    let values = (0..2 * ROWS).map(|k| {
        let (i, j) = (k / 2, k % 2);
        m[(i, j)] + [[0.0, 0.0], [1.2, 0.0], [0.6, 1.3]][class(i)][j]
    });
    let points = Points::new(values.collect(), ROWS, 2).unwrap();
    (points, (0..ROWS).map(|i| class(i) as u32).collect())
}

fn labelled() -> Vec<usize> {
    (0..ROWS).filter(|i| i % 4 == 0).collect()
}

fn targets(rows: &[usize], classes: &[u32]) -> Targets {
    let mut labels = vec![None; ROWS];
    rows.iter().for_each(|&i| labels[i] = Some(classes[i]));
    Targets::Classes {
        names: ["a", "b", "c"].map(str::to_owned).to_vec(),
        labels,
    }
}

/// The splits as they are documented: one of each class first, then a fifth held out.
fn splits(truth: &[u32], repeats: u64, seed: u64) -> Vec<(Vec<usize>, Vec<usize>)> {
    let n = truth.len();
    let split = |repeat: u64| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(repeat);
        let mut order: Vec<usize> = (0..n).collect();
        order.shuffle(&mut random);
        let mut known = BTreeSet::new();
        let (first, rest): (Vec<usize>, Vec<usize>) =
            order.iter().partition(|i| known.insert(truth[**i]));
        let (held, rest) = rest.split_at(n.div_ceil(5));
        (
            first.into_iter().chain(rest.iter().copied()).collect(),
            held.to_vec(),
        )
    };
    (1..=repeats).map(split).collect()
}

fn share_right(recipe: &Recipe, points: &Points, train: &[usize], held: &[usize]) -> f64 {
    let (_, classes) = clouds();
    let input = Input::Table(points.clone());
    let model = Study::new(recipe, input, &targets(train, &classes))
        .and_then(|mut study| study.fit(&mut Quiet))
        .unwrap();
    let answer = match model.training_answer() {
        Some(answer) => answer,
        None => model.predict_rows(points, &mut Quiet).unwrap(),
    };
    let labels = answer.classes().unwrap();
    let right = held.iter().filter(|&&i| labels[i] == Some(classes[i]));
    right.count() as f64 / held.len() as f64
}

fn mean(of: &[f64]) -> f64 {
    of.iter().sum::<f64>() / of.len() as f64
}

fn same(band: Band, values: &[f64]) {
    assert!(
        (band.mean - mean(values)).abs() < 1e-12,
        "{band:?} {values:?}"
    );
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(least <= band.low && band.low <= band.high && band.high <= most);
}

#[test]
fn a_curve_is_what_refits_to_every_part_give() {
    let (points, classes) = clouds();
    let rows = labelled();
    let truth: Vec<u32> = rows.iter().map(|&i| classes[i]).collect();
    let learning = LearningOptions {
        repeats: 12,
        points: 4,
        ..LearningOptions::default()
    };
    for method in [None, Some(Method::laplacian(Task::Classify))] {
        let mut recipe = Recipe::on_graph(Task::Classify, 3);
        recipe.neighbours = method.is_none().then_some(6);
        if let Some(mut method) = method {
            if let Method::Laplacian(params) = &mut method {
                // What is left open is chosen from all labels; a refit would choose again.
                params.kernel = isotherm::kernel::KernelSpec::Gaussian {
                    bandwidth: isotherm::kernel::Bandwidth::Fixed(1.0),
                };
                params.filter = Some(isotherm::spectrum::Filter::Tikhonov { strength: 0.01 });
            }
            recipe.method = method;
        }
        let plain = Recipe {
            method: Method::KernelRidge(KernelRidgeParams::default()),
            neighbours: None,
            ..recipe.clone()
        };
        let given = targets(&rows, &classes);
        let input = Input::Table(points.clone());
        let found = Study::new(&recipe, input, &given)
            .and_then(|mut study| study.learning_curve(&learning, &mut Quiet))
            .unwrap();
        assert_eq!((found.labels, found.used, found.held_out), (20, 20, 4));
        assert_eq!((found.repeats, found.measure), (12, "accuracy"));
        // From one of each class to all that are not held out.
        let sizes: Vec<usize> = found.points.iter().map(|p| p.labels).collect();
        assert_eq!((sizes[0], sizes[sizes.len() - 1]), (3, 16));
        for point in &found.points {
            let (mut own, mut other) = (Vec::new(), Vec::new());
            for (order, held) in splits(&truth, 12, 3) {
                let pick = |of: &[usize]| of.iter().map(|&k| rows[k]).collect::<Vec<_>>();
                let (train, held) = (pick(&order[..point.labels]), pick(&held));
                own.push(share_right(&recipe, &points, &train, &held));
                other.push(share_right(&plain, &points, &train, &held));
            }
            same(point.method, &own);
            same(point.baseline, &other);
            let gain: Vec<f64> = own.iter().zip(&other).map(|(a, b)| a - b).collect();
            same(point.gain, &gain);
        }
    }
}

#[test]
fn thread_count_does_not_change_the_bits() {
    let (points, classes) = clouds();
    let given = targets(&labelled(), &classes);
    let recipe = Recipe::on_graph(Task::Classify, 1);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let input = Input::Table(points.clone());
            let learning = LearningOptions::default();
            let curve = Study::new(&recipe, input.clone(), &given)
                .and_then(|mut study| study.learning_curve(&learning, &mut Quiet))
                .unwrap();
            let planar = isotherm::view::PlaneOptions::default();
            let map = Study::new(&recipe, input, &given)
                .and_then(|mut study| study.map(&planar, &mut Quiet))
                .unwrap();
            (curve, map.plane.positions, map.confidence)
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(7));
}

#[test]
fn numbers_are_judged_by_their_squared_error() {
    let (points, _) = clouds();
    let values: Vec<Option<f64>> = (0..ROWS)
        .map(|i| (i % 4 == 0).then(|| points.row(i)[0] + 2.0 * points.row(i)[1]))
        .collect();
    let targets = Targets::Values(values);
    let recipe = Recipe::on_graph(Task::Regress, 0);
    let (input, learning) = (Input::Table(points), LearningOptions::default());
    let found = Study::new(&recipe, input, &targets)
        .and_then(|mut study| study.learning_curve(&learning, &mut Quiet))
        .unwrap();
    assert_eq!(found.measure, "mean squared error");
    let (first, last) = (&found.points[0], &found.points[found.points.len() - 1]);
    assert_eq!(first.labels, 2);
    assert!(last.method.mean < first.method.mean);
    // The gain is how much smaller the error is.
    let gap = last.baseline.mean - last.method.mean;
    assert!((last.gain.mean - gap).abs() < 1e-12);
}

#[test]
fn only_audits_are_held_out() {
    let (points, classes) = clouds();
    let rows = labelled();
    let given = targets(&rows, &classes);
    let recipe = Recipe::on_graph(Task::Classify, 0);
    let learn = |audits: usize| {
        let mut audit = vec![false; ROWS];
        rows.iter().take(audits).for_each(|&i| audit[i] = true);
        let learning = LearningOptions {
            sampling: LabelSampling::Active { audit, pool: None },
            ..LearningOptions::default()
        };
        let input = Input::Table(points.clone());
        Study::new(&recipe, input, &given)
            .and_then(|mut study| study.learning_curve(&learning, &mut Quiet))
    };
    // Of five audits three may be needed as the first of their class.
    assert_eq!(learn(5).unwrap().held_out, 2);
    let refused = learn(4).unwrap_err().to_string();
    assert!(
        refused.contains("4 of 20 labels may be judged"),
        "{refused}"
    );
}

#[test]
fn too_few_labels_are_refused_with_what_is_needed() {
    let (points, classes) = clouds();
    let recipe = Recipe::on_graph(Task::Classify, 0);
    let learn = |count: usize| {
        let given = targets(&labelled()[..count], &classes);
        let (input, learning) = (Input::Table(points.clone()), LearningOptions::default());
        Study::new(&recipe, input, &given)
            .and_then(|mut study| study.learning_curve(&learning, &mut Quiet))
    };
    let refused = learn(5).unwrap_err().to_string();
    assert!(refused.contains("at least 6 rows"), "{refused}");
    // And that many are enough.
    assert_eq!(learn(6).unwrap().held_out, 2);
}
