//! What other edges than the command line ask of the front door: left-out labels, spectra,
//! functions of their own, predictors as printed.

use std::sync::Arc;

use isotherm::data::{Points, Targets};
use isotherm::estimator::laplacian::LaplacianParams;
use isotherm::estimator::stkr::{Ridge, StkrParams};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::model::Model;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Function, Method, Recipe, Scaling, Task};
use isotherm::spectrum::{Filter, Transform};
use isotherm::study::{Input, Study};

use crate::fit;
use isotherm::testing::random;

const GAUSSIAN: KernelSpec = KernelSpec::Gaussian {
    bandwidth: Bandwidth::Fixed(0.8),
};

fn points() -> Points {
    let noise = random(40, 2, 5);
    let values = (0..80).map(|k| noise[(k / 2, k % 2)] + if k < 40 { -1.0 } else { 1.0 });
    Points::new(values.collect(), 40, 2).unwrap()
}

fn values() -> Vec<Option<f64>> {
    let value = |i: usize| 3.0 + (i as f64 * 0.7).sin();
    (0..40).map(|i| (i % 4 == 0).then(|| value(i))).collect()
}

fn stkr(transform: Transform, centre_labels: bool, task: Task) -> Recipe {
    let params = StkrParams {
        ridge: Ridge::Fixed(1e-2),
        centre_labels,
        ..StkrParams::as_printed(transform, 1e-2)
    };
    Recipe {
        scaling: Some(Scaling::None),
        kernel: Some(GAUSSIAN),
        ..Recipe::of(Method::Stkr(params), task, 0)
    }
}

fn laplacian(free_constant: bool) -> Recipe {
    let params = LaplacianParams {
        kernel: GAUSSIAN,
        filter: Some(Filter::Tikhonov { strength: 0.1 }),
        free_constant,
        ..LaplacianParams::default()
    };
    Recipe {
        scaling: Some(Scaling::None),
        ..Recipe::of(Method::Laplacian(params), Task::Regress, 0)
    }
}

fn read(model: &Model, rows: &Points) -> Vec<f64> {
    let answer = model.predict_rows(rows, &mut Quiet).unwrap();
    match answer.labels {
        Targets::Values(values) => values.into_iter().map(Option::unwrap).collect(),
        Targets::Numbers { labels, .. } => labels.into_iter().flat_map(Option::unwrap).collect(),
        _ => panic!("numbers were asked for"),
    }
}

fn near(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} and {b}");
    }
}

#[test]
fn left_out_labels_are_those_of_refits() {
    // The ridge of the paper is n·β, so a refit without one label keeps nβ, not β.
    let n = 10.0;
    let transform = Transform::InverseLaplacian { eta: 0.9 };
    for recipe in [stkr(transform, false, Task::Regress), laplacian(false)] {
        let targets = Targets::Values(values());
        let input = Input::Table(points());
        let left = Study::new(&recipe, input, &targets)
            .and_then(|mut study| study.leave_one_out(&mut Quiet))
            .unwrap();
        assert_eq!(left.index, (0..40).step_by(4).collect::<Vec<_>>());
        assert!(left.reached.iter().all(|r| *r));
        for (k, &i) in left.index.iter().enumerate() {
            let mut fewer = values();
            fewer[i] = None;
            let mut recipe = recipe.clone();
            match &mut recipe.method {
                Method::Stkr(params) => params.ridge = Ridge::Fixed(1e-2 * n / (n - 1.0)),
                // λ stands against a mean over labels, so it, too, is by n.
                Method::Laplacian(params) => {
                    let strength = 0.1 * n / (n - 1.0);
                    params.filter = Some(Filter::Tikhonov { strength });
                }
                _ => unreachable!(),
            }
            let targets = Targets::Values(fewer);
            let model = fit(&recipe, Input::Table(points()), &targets, &mut Quiet).unwrap();
            let one = points().select(&[i]).unwrap();
            near(&[left.scores[(k, 0)]], &read(&model, &one), 1e-8);
        }
    }
}

#[test]
fn left_out_numbers_are_read_as_predictions_are() {
    // A constant column is predicted as it is, with one label more or fewer.
    let recipe = stkr(Transform::Power { degree: 1 }, true, Task::Regress);
    let constant = values().into_iter().map(|v| v.map(|_| 7.5)).collect();
    let targets = Targets::Values(constant);
    let input = Input::Table(points());
    let left = Study::new(&recipe, input, &targets)
        .and_then(|mut study| study.leave_one_out(&mut Quiet))
        .unwrap();
    (0..10).for_each(|k| near(&[left.scores[(k, 0)]], &[7.5], 1e-12));
}

#[test]
fn a_function_of_ones_own_equals_the_transform_it_copies() {
    let own = |v: f64| v / (1.0 - 0.9 * v);
    let targets = Targets::Values(values());
    let with = |recipe: &Recipe| fit(recipe, Input::Table(points()), &targets, &mut Quiet);
    let known = stkr(
        Transform::InverseLaplacian { eta: 0.9 },
        false,
        Task::Regress,
    );
    let mut custom = stkr(Transform::Custom {}, false, Task::Regress);
    custom.function = Some(Function(Arc::new(own)));
    let model = with(&custom).unwrap();
    let expected = read(&with(&known).unwrap(), &points());
    near(&read(&model, &points()), &expected, 1e-7);

    // A file keeps what predicts, and says what it does not keep.
    let back = Model::from_parts(model.to_parts()).unwrap();
    assert_eq!(read(&back, &points()), read(&model, &points()));
    let again = with(back.recipe()).unwrap_err().to_string();
    assert!(again.contains("pass it again"), "{again}");
    let mut both = known;
    both.function = custom.function;
    let refused = with(&both).unwrap_err().to_string();
    assert!(refused.contains("leave the function out"), "{refused}");
}

#[test]
fn without_centring_predictions_shrink_to_zero_and_several_numbers_are_one_by_one() {
    let transform = Transform::InverseLaplacian { eta: 0.9 };
    let single = stkr(transform.clone(), false, Task::Regress);
    let several = stkr(transform, false, Task::Numbers);
    let values = values();
    let twice = |v: &Option<f64>| v.map(|v| vec![v, -2.0 * v]);
    let numbers = Targets::Numbers {
        labels: values.iter().map(twice).collect(),
        names: vec!["a".into(), "b".into()],
    };
    let table = || Input::Table(points());
    let targets = Targets::Values(values);
    let one = read(
        &fit(&single, table(), &targets, &mut Quiet).unwrap(),
        &points(),
    );
    let two = read(
        &fit(&several, table(), &numbers, &mut Quiet).unwrap(),
        &points(),
    );
    let expected: Vec<f64> = one.iter().flat_map(|f| [*f, -2.0 * f]).collect();
    near(&two, &expected, 1e-12);

    // Nothing near: the papers' predictors say 0 there, a fitted constant says itself.
    let far = Points::new(vec![60.0, 60.0], 1, 2).unwrap();
    let printed = fit(&laplacian(false), table(), &targets, &mut Quiet).unwrap();
    assert_eq!(
        printed.predict_rows(&far, &mut Quiet).unwrap().scores[(0, 0)],
        0.0
    );
}

#[test]
fn the_spectrum_is_that_of_the_kernel_matrix() {
    let recipe = stkr(Transform::Power { degree: 2 }, false, Task::Regress);
    let targets = Targets::Values(values());
    let given = &targets;
    let found = Study::new(&recipe, Input::Table(points()), given)
        .and_then(|mut study| study.eigenvalues(5, &mut Quiet))
        .unwrap();
    assert_eq!(found.len(), 5);
    let rows = points();
    let k = |i: usize, j: usize| {
        let square = |c: usize| (rows.row(i)[c] - rows.row(j)[c]).powi(2);
        (-(square(0) + square(1)) / (2.0 * 0.64)).exp() / 40.0
    };
    let gram = isotherm::linalg::Mat::from_fn(40, 40, k);
    let mut dense = gram.self_adjoint_eigenvalues(faer::Side::Lower).unwrap();
    dense.reverse();
    near(&found, &dense[..5], 1e-9);
    let harmonic = Recipe::on_graph(Task::Regress, 0);
    let none = Study::new(&harmonic, Input::Table(points()), given)
        .and_then(|mut study| study.eigenvalues(5, &mut Quiet));
    assert!(none.unwrap_err().to_string().contains("stkr or laplacian"));
}
