//! Sparse rows stay sparse from the fit to the file, and every method answers as it does for the
//! same rows with their zeros.

use isotherm::data::{Points, Targets};
use isotherm::embedding::{Embedding, EmbeddingParams};
use isotherm::estimator::baseline::KernelRidgeParams;
use isotherm::estimator::blend::{BlendParams, MemberSpec};
use isotherm::estimator::stkr::StkrParams;
use isotherm::kernel::KernelSpec;
use isotherm::model::Model;
use isotherm::model::parts::Parts;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Scaling, Shape, Task};
use isotherm::study::{Input, Study};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::data::sparse::of_dense;

const ROWS: usize = 150;
const DIM: usize = 400;

/// Texts of two subjects, 20 words each: words 0–39 are of one, 40–79 of the other, the rest of
/// both; every fifth text is labelled. A word counts about `long`, never exactly as another, so
/// that no two distances are equal.
fn texts(long: impl Fn(usize) -> f64) -> (Vec<f64>, Targets) {
    let mut draw = ChaCha8Rng::seed_from_u64(7);
    let mut dense = vec![0.0; ROWS * DIM];
    for i in 0..ROWS {
        for word in 0..20 {
            let column = if word < 8 {
                40 * (i % 2) + draw.random_range(0..40)
            } else {
                draw.random_range(80..DIM)
            };
            dense[i * DIM + column] += long(i) * draw.random_range(0.8..1.2);
        }
    }
    let name = |i: usize| (i % 10 < 2).then_some(["even", "odd"][i % 2]);
    let names: Vec<Option<&str>> = (0..ROWS).map(name).collect();
    (dense, Targets::from_names(&names))
}

fn fitted(recipe: &Recipe, points: Points, targets: &Targets) -> Model {
    let mut study = Study::new(recipe, Input::Table(points), targets).unwrap();
    study.fit(&mut Quiet).unwrap()
}

fn methods() -> Vec<(Method, Option<KernelSpec>)> {
    let mut all = vec![
        (Method::Stkr(StkrParams::default()), None),
        (Method::laplacian(Task::Classify), None),
    ];
    for name in KernelSpec::NAMES {
        let kernel = KernelSpec::named(name).unwrap();
        // Eigenvalues of other kernels may be above 1, where the transform has no values.
        if kernel.has_bandwidth() || kernel == (KernelSpec::Cosine {}) {
            all.push((Method::Stkr(StkrParams::default()), Some(kernel.clone())));
        }
        let ridge = KernelRidgeParams {
            kernel,
            ..KernelRidgeParams::default()
        };
        all.push((Method::KernelRidge(ridge), None));
    }
    let members: Vec<MemberSpec> = MemberSpec::usual()
        .into_iter()
        .map(MemberSpec::unscaled)
        .collect();
    let blend = BlendParams {
        members: Some(members),
        ..BlendParams::default()
    };
    all.push((Method::Blend(blend), None));
    all
}

fn probabilities(model: &Model, rows: &Points) -> Vec<f64> {
    let answer = model.predict_rows(rows, &mut Quiet).unwrap();
    let found = answer.probabilities.unwrap();
    (0..found.nrows())
        .flat_map(|i| found.row(i).iter().copied().collect::<Vec<_>>())
        .collect()
}

fn far(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

#[test]
fn every_method_answers_as_for_the_same_rows_with_their_zeros() {
    let (dense, targets) = texts(|_| 0.2);
    let (sparse, dense) = (
        of_dense(&dense, DIM),
        Points::new(dense, ROWS, DIM).unwrap(),
    );
    assert!(sparse.is_sparse());
    for (method, kernel) in methods() {
        let mut recipe = Recipe::of(method, Task::Classify, 0);
        recipe.kernel = kernel;
        recipe.scaling = Some(Scaling::None);
        let name = format!("{recipe:?}");
        let one = fitted(&recipe, sparse.clone(), &targets);
        let other = fitted(&recipe, dense.clone(), &targets);
        let expected = probabilities(&other, &dense);
        assert!(expected.iter().any(|p| *p > 0.6), "{name}");
        let answers = [
            probabilities(&one, &sparse),
            probabilities(&one, &dense),
            probabilities(&other, &sparse),
        ];
        for found in answers {
            let far = far(&found, &expected);
            assert!(far <= 1e-6, "{far} {name}");
        }
    }
}

fn numbers(parts: &Parts) -> usize {
    parts.tensors.values().map(|t| t.array.len()).sum()
}

#[test]
fn a_model_holds_the_numbers_that_are_not_zero_and_is_read_as_it_was_written() {
    let (dense, targets) = texts(|i| 1.0 + (i % 3) as f64);
    let sparse = of_dense(&dense, DIM);
    for (method, kernel) in [
        (Method::Blend(BlendParams::default()), None),
        (Method::Stkr(StkrParams::default()), None),
        (
            Method::Stkr(StkrParams::default()),
            Some(KernelSpec::Cosine {}),
        ),
        (Method::KernelRidge(KernelRidgeParams::default()), None),
        (Method::laplacian(Task::Classify), None),
    ] {
        let mut recipe = Recipe::of(method, Task::Classify, 0);
        recipe.kernel = kernel;
        let model = fitted(&recipe, sparse.clone(), &targets);
        let parts = model.to_parts();
        assert!(numbers(&parts) < ROWS * DIM / 2, "{recipe:?}");
        let again = Model::from_parts(parts.clone()).unwrap();
        assert_eq!(again.to_parts(), parts);
        let (one, other) = (
            probabilities(&model, &sparse),
            probabilities(&again, &sparse),
        );
        assert_eq!(one, other, "{recipe:?}");
    }
}

#[test]
fn the_default_compares_sparse_rows_by_direction() {
    // Long texts and short ones of the same subjects.
    let (dense, targets) = texts(|i| [1.0, 9.0, 0.1][i % 3]);
    let sparse = of_dense(&dense, DIM);
    let rows = sparse.of_unit_length().unwrap();
    assert!(rows.is_sparse());
    for method in [
        Method::Stkr(StkrParams::default()),
        Method::laplacian(Task::Classify),
    ] {
        let mut recipe = Recipe::of(method, Task::Classify, 0);
        let standard = fitted(&recipe, sparse.clone(), &targets);
        recipe.scaling = Some(Scaling::None);
        let given = fitted(&recipe, rows.clone(), &targets);
        let found = probabilities(&standard, &sparse);
        assert!(far(&found, &probabilities(&given, &rows)) <= 1e-9);
    }
    let recipe = Recipe::automatic(Shape::Table, Task::Classify, 0);
    let model = fitted(&recipe, sparse.clone(), &targets);
    let answer = model.predict_rows(&sparse, &mut Quiet).unwrap();
    let names = answer.names();
    let right = (0..ROWS).filter(|&i| names[i] == Some(["even", "odd"][i % 2]));
    let right = right.count();
    assert!(right >= ROWS * 9 / 10, "{right} of {ROWS}");
}

#[test]
fn coordinates_are_those_of_the_same_rows_with_their_zeros() {
    let (dense, _) = texts(|_| 0.2);
    let (sparse, dense) = (
        of_dense(&dense, DIM),
        Points::new(dense, ROWS, DIM).unwrap(),
    );
    let params = EmbeddingParams::Stkr {
        kernel: Some(KernelSpec::default()),
        neighbours: None,
        normalisation: None,
    };
    let of = |points: &Points| {
        let input = Input::Table(points.clone());
        Embedding::fit(&params, input, Scaling::None, 3, 0, &mut Quiet).unwrap()
    };
    let (one, other) = (of(&sparse), of(&dense));
    for (a, b) in one.eigenvalues().iter().zip(other.eigenvalues()) {
        assert!((a - b).abs() <= 1e-9 * b);
    }
    let input = Input::Table(sparse.clone());
    let scaled = Embedding::fit(&params, input, Scaling::Standardise, 3, 0, &mut Quiet).unwrap();
    let parts = scaled.to_parts();
    let again = Embedding::from_parts(parts.clone()).unwrap();
    assert_eq!(again.to_parts(), parts);
    let found = again.transform(&sparse, &mut Quiet).unwrap();
    for j in 0..3 {
        for i in 0..ROWS {
            assert!((found[(i, j)] - scaled.visible()[(i, j)]).abs() <= 1e-6);
        }
    }
}
