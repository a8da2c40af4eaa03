//! Given similarities are the kernel they came from, from the fit to the file.

use isotherm::base::{Base as _, KernelBase, SimilarityBase, Storage};
use isotherm::data::{GraphBuilder, Points, Targets, graph::EdgeRules};
use isotherm::estimator::stkr::{Ridge, Stkr, StkrParams};
use isotherm::estimator::{Estimator as _, Linear as _};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::linalg::Mat;
use isotherm::model::Model;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Scaling, Shape, Task};
use isotherm::select::Grid;
use isotherm::spectrum::{Encoder, Transform};
use isotherm::study::{EvaluateOptions, Input, Study, SuggestOptions};

use crate::fit;
use isotherm::task::{Observed, OneHot};
use isotherm::testing::random;

const ROWS: usize = 120;

/// Two clouds in the plane; every tenth row is labelled.
fn clouds() -> (Points, Targets) {
    let noise = random(ROWS, 2, 41);
    let side = |i: usize| if i < ROWS / 2 { -1.0 } else { 1.0 };
    let cells = (0..2 * ROWS).map(|k| noise[(k / 2, k % 2)] + side(k / 2));
    let name = |i: usize| if i < ROWS / 2 { "a" } else { "b" };
    let names: Vec<Option<&str>> = (0..ROWS).map(|i| (i % 10 == 3).then(|| name(i))).collect();
    (
        Points::new(cells.collect(), ROWS, 2).unwrap(),
        Targets::from_names(&names),
    )
}

fn queries() -> Points {
    Points::from_mat(random(30, 2, 42).as_ref()).unwrap()
}

fn kernel() -> KernelSpec {
    KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(0.7),
    }
}

fn base(x: &Points) -> KernelBase {
    KernelBase::new(x.clone(), kernel().build().unwrap(), Storage::Stored)
}

/// K(at, x), entry by entry, as rows.
fn similarities(at: &Points, x: &Points) -> Points {
    let k = |i: usize, j: usize| {
        let (a, b) = (at.row(i), x.row(j));
        let squared: f64 = a.iter().zip(b.iter()).map(|(a, b)| (a - b).powi(2)).sum();
        (-squared / (2.0 * 0.7 * 0.7)).exp()
    };
    let matrix = Mat::from_fn(at.len(), x.len(), k);
    Points::from_mat(matrix.as_ref()).unwrap()
}

fn transforms() -> Vec<Transform> {
    vec![
        Transform::InverseLaplacian { eta: 0.99 },
        Transform::Power { degree: 1 },
        Transform::Power { degree: 3 },
        Transform::Diffusion { time: 2.0 },
        Transform::Truncation {
            rank: 5,
            encoder: Encoder::All,
        },
    ]
}

/// The recipe on similarities, and on the rows they came from.
fn both(transform: Transform) -> (Recipe, Recipe) {
    let method = Method::Stkr(StkrParams {
        transform,
        tolerance: 1e-14,
        ..StkrParams::default()
    });
    let given = Recipe::of(method, Task::Classify, 0);
    let rows = Recipe {
        kernel: Some(kernel()),
        scaling: Some(Scaling::None),
        ..given.clone()
    };
    (given, rows)
}

fn close(what: &str, a: &Mat<f64>, b: &Mat<f64>) {
    assert_eq!((a.nrows(), a.ncols()), (b.nrows(), b.ncols()), "{what}");
    let largest =
        ((0..a.ncols()).flat_map(|j| a.col(j).iter())).fold(0.0_f64, |most, v| most.max(v.abs()));
    assert!(largest > 1e-3, "{what}: nothing to compare");
    let off = (a - b).norm_max() / largest;
    assert!(off < 1e-12, "{what}: off by {off:.1e} of {largest}");
}

#[test]
fn a_fit_to_similarities_is_the_fit_under_their_kernel() {
    let (x, y) = clouds();
    let (k, new) = (similarities(&x, &x), similarities(&queries(), &x));
    for transform in transforms() {
        let (given, rows) = both(transform.clone());
        let what = format!("{transform:?}");
        let by_rows = fit(&rows, Input::Table(x.clone()), &y, &mut Quiet).unwrap();
        let model = fit(&given, Input::Gram(k.clone()), &y, &mut Quiet).unwrap();
        assert_eq!((model.shape(), model.anchors()), (Shape::Gram, ROWS));
        assert_eq!(model.dim(), None);
        let (a, b) = (
            model.training_answer().unwrap(),
            by_rows.training_answer().unwrap(),
        );
        close(&format!("{what}, seen"), &a.scores, &b.scores);
        assert_eq!(a.names(), b.names());
        let a = model.predict_gram(&new, &mut Quiet).unwrap();
        let b = by_rows.predict_rows(&queries(), &mut Quiet).unwrap();
        close(&format!("{what}, new"), &a.scores, &b.scores);
        assert_eq!(model.calibrated_on(), by_rows.calibrated_on());
        // What was seen, asked for as if it were new.
        let again = model.predict_gram(&k, &mut Quiet).unwrap();
        if !matches!(transform, Transform::Truncation { .. }) {
            close(
                &what,
                &again.scores,
                &model.training_answer().unwrap().scores,
            );
        }
    }
}

#[test]
fn a_file_holds_no_matrix_and_says_the_same() {
    let (x, y) = clouds();
    let (k, new) = (similarities(&x, &x), similarities(&queries(), &x));
    for transform in transforms() {
        let (given, _) = both(transform);
        let model = fit(&given, Input::Gram(k.clone()), &y, &mut Quiet).unwrap();
        let parts = model.to_parts();
        let largest = parts.tensors.values().map(|t| t.array.len()).max();
        assert_eq!(largest, Some(3 * ROWS));
        let back = Model::from_parts(parts.clone()).unwrap();
        assert_eq!(back.to_parts(), parts);
        assert_eq!(back.shape(), Shape::Gram);
        let scores = |m: &Model| m.predict_gram(&new, &mut Quiet).unwrap().scores;
        assert_eq!(scores(&back), scores(&model));
        assert_eq!(
            back.training_answer().unwrap().scores,
            model.training_answer().unwrap().scores
        );
        let size = model.smoothness(1, &mut Quiet).unwrap();
        assert!(size.iter().all(|c| c.ratio > 0.0));
        let refused = back.smoothness(1, &mut Quiet).unwrap_err().to_string();
        assert!(refused.contains("not kept in a model file"), "{refused}");
        for (bad, why) in [
            ("0", "at least 1"),
            ("-3", "not a number"),
            ("7", "coefficients"),
        ] {
            let mut parts = parts.clone();
            parts.metadata.insert("similarities".into(), bad.into());
            let refused = Model::from_parts(parts).unwrap_err().to_string();
            assert!(refused.contains(why), "{bad}: {refused}");
        }
        let mut parts = parts.clone();
        parts.metadata.remove("similarities");
        assert!(Model::from_parts(parts).is_err());
    }
}

#[test]
fn leaving_one_label_out_is_the_same() {
    let (x, _) = clouds();
    let labels: Vec<Option<u32>> = (0..ROWS)
        .map(|i| (i % 10 == 3).then_some(u32::from(i >= ROWS / 2)))
        .collect();
    let seen = Observed::encode(&OneHot::new(2), &labels).unwrap();
    let k = SimilarityBase::from_rows(&similarities(&x, &x)).unwrap();
    for ridge in [Ridge::Fixed(1e-2), Ridge::Auto] {
        let params = StkrParams {
            ridge,
            tolerance: 1e-14,
            ..StkrParams::default()
        };
        let stkr = Stkr::new(params).unwrap();
        let given = SimilarityBase::from_rows(&similarities(&x, &x)).unwrap();
        let given = stkr.prepare(given, &mut Quiet).unwrap();
        let rows = stkr.prepare(base(&x), &mut Quiet).unwrap();
        let left = given.smoother(&seen, &mut Quiet).unwrap();
        let right = rows.smoother(&seen, &mut Quiet).unwrap();
        let values = seen.values().as_ref();
        close(
            "leave-one-out",
            &left.left_out(values),
            &right.left_out(values),
        );
    }
    assert_eq!(k.len(), ROWS);
}

#[test]
fn evaluations_sets_suggestions_and_tuning_are_the_same() {
    let (x, y) = clouds();
    let k = || Input::Gram(similarities(&x, &x));
    let table = || Input::Table(x.clone());
    let (given, rows) = both(Transform::InverseLaplacian { eta: 0.9 });
    let judging = EvaluateOptions::default();
    let judge = |recipe: &Recipe, input: Input| {
        Study::new(recipe, input, &y)
            .and_then(|mut study| study.evaluate(&judging, &mut Quiet))
            .unwrap()
    };
    let (a, b) = (judge(&given, k()), judge(&rows, table()));
    assert_eq!(a.confusion.unwrap().counts, b.confusion.unwrap().counts);
    assert_eq!(a.measures[0].estimate.value, b.measures[0].estimate.value);
    assert_eq!(a.baseline.unwrap().name, "always the most frequent class");
    let sets = |recipe: &Recipe, input: Input| {
        Study::new(recipe, input, &y)
            .and_then(|mut study| {
                let sets = study.sets(0.7, &mut Quiet)?;
                Ok((study.fit(&mut Quiet)?, sets))
            })
            .unwrap()
            .1
    };
    assert_eq!(sets(&given, k()), sets(&rows, table()));
    let asking = SuggestOptions {
        count: 4,
        audit_every: None,
        ..SuggestOptions::default()
    };
    let next = |recipe: &Recipe, input: Input| -> Vec<usize> {
        let found = Study::new(recipe, input, &y)
            .and_then(|mut study| study.suggest(&asking, &mut Quiet))
            .unwrap();
        found.rows.iter().map(|row| row.suggestion.row).collect()
    };
    assert_eq!(next(&given, k()), next(&rows, table()));
    let grid = Grid::inverse_laplacian();
    let tune = |recipe: &Recipe, input: Input| {
        let found = Study::new(recipe, input, &y)
            .and_then(|mut study| study.tune(&grid, &mut Quiet))
            .unwrap();
        (found.search.score(), found.recipe.method)
    };
    assert_eq!(tune(&given, k()), tune(&rows, table()));
}

fn refused(recipe: &Recipe, input: Input, y: &Targets) -> String {
    fit(recipe, input, y, &mut Quiet).unwrap_err().to_string()
}

#[test]
fn matrices_that_are_no_similarities_are_refused() {
    let (_, y) = clouds();
    let (given, _) = both(Transform::Power { degree: 1 });
    let gram = |n: usize, m: usize, f: &dyn Fn(usize, usize) -> f64| {
        Points::from_mat(Mat::from_fn(n, m, f).as_ref()).map(Input::Gram)
    };
    let plain = |i: usize, j: usize| if i == j { 2.0 } else { 0.5 };
    let narrow = gram(ROWS, 7, &plain).unwrap();
    let text = refused(&given, narrow, &y);
    assert!(text.contains("120 rows of 7 numbers"), "{text}");
    let skew = |i: usize, j: usize| if (i, j) == (80, 3) { 0.75 } else { plain(i, j) };
    let text = refused(&given, gram(ROWS, ROWS, &skew).unwrap(), &y);
    assert!(
        text.contains("entry (80, 3) is 0.75 but entry (3, 80) is 0.5"),
        "{text}"
    );
    let holed = |i: usize, j: usize| {
        if (i, j) == (4, 9) {
            f64::NAN
        } else {
            plain(i, j)
        }
    };
    let text = gram(ROWS, ROWS, &holed).unwrap_err().to_string();
    assert!(text.contains("NaN"), "{text}");
    let text = refused(&given, gram(40, 40, &plain).unwrap(), &y);
    assert!(text.contains("40"), "{text}");
}

#[test]
fn what_cannot_read_similarities_says_what_can() {
    let (x, y) = clouds();
    let k = || Input::Gram(similarities(&x, &x));
    let (given, rows) = both(Transform::InverseLaplacian { eta: 0.9 });
    let of = |method| Recipe::of(method, Task::Classify, 0);
    for (method, way) in [
        (Method::KernelRidge(Default::default()), "degree 1"),
        (Method::Laplacian(Default::default()), "rows"),
        (Method::LabelPropagation(Default::default()), "graph"),
        (Method::Harmonic(Default::default()), "graph"),
    ] {
        let name = method.name();
        let error = fit(&of(method), k(), &y, &mut Quiet).unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(text.contains(name) && text.contains(way), "{text}");
    }
    for (name, recipe) in [
        (
            "kernel",
            Recipe {
                kernel: Some(kernel()),
                ..given.clone()
            },
        ),
        (
            "neighbours",
            Recipe {
                neighbours: Some(4),
                ..given.clone()
            },
        ),
        (
            "normalisation",
            Recipe {
                normalisation: Some(Default::default()),
                ..given.clone()
            },
        ),
        (
            "scaling",
            Recipe {
                scaling: Some(Scaling::None),
                ..given.clone()
            },
        ),
    ] {
        let text = refused(&recipe, k(), &y);
        assert!(text.contains(name), "{text}");
    }
    let model = fit(&given, k(), &y, &mut Quiet).unwrap();
    let by_rows = fit(&rows, Input::Table(x.clone()), &y, &mut Quiet).unwrap();
    let asked = model.predict_rows(&queries(), &mut Quiet).unwrap_err();
    assert!(asked.to_string().contains("given similarities"), "{asked}");
    let short = model.predict_gram(&queries(), &mut Quiet).unwrap_err();
    assert!(short.to_string().contains("120"), "{short}");
    let new = similarities(&queries(), &x);
    let asked = by_rows.predict_gram(&new, &mut Quiet).unwrap_err();
    assert!(asked.to_string().contains("table"), "{asked}");
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(ROWS);
    (1..ROWS as u32).for_each(|i| builder.push(i - 1, i, None).unwrap());
    let graph = Input::Graph(builder.finish(&mut Quiet).unwrap().0);
    let walked = fit(&given, graph, &y, &mut Quiet).unwrap();
    let asked = walked.predict_gram(&new, &mut Quiet).unwrap_err();
    assert!(asked.to_string().contains("graph"), "{asked}");
}

#[test]
fn suggestions_look_whether_similarities_are_positive() {
    let (x, y) = clouds();
    let asking = SuggestOptions::default();
    let note = |k: Mat<f64>| {
        let input = Input::Gram(Points::from_mat(k.as_ref()).unwrap());
        let recipe = Recipe::on_graph(Task::Classify, 0);
        let found = Study::new(&recipe, input, &y)
            .and_then(|mut study| study.suggest(&asking, &mut Quiet))
            .unwrap();
        found.note
    };
    let k = similarities(&x, &x);
    let positive = Mat::from_fn(ROWS, ROWS, |i, j| k.row(i)[j]);
    // Without its diagonal a matrix has the trace 0.
    let hollow = Mat::from_fn(ROWS, ROWS, |i, j| if i == j { 0.0 } else { k.row(i)[j] });
    assert!(!note(positive).contains("twin"));
    assert!(note(hollow).contains("twin"));
}

#[test]
fn similarities_too_large_for_a_transform_are_refused_by_name() {
    let (x, y) = clouds();
    let k = similarities(&x, &x);
    let large = Mat::from_fn(ROWS, ROWS, |i, j| 50.0 * k.row(i)[j]);
    let large = Input::Gram(Points::from_mat(large.as_ref()).unwrap());
    let (given, _) = both(Transform::InverseLaplacian { eta: 0.99 });
    let text = refused(&given, large.clone(), &y);
    assert!(text.contains("eta"), "{text}");
    let (mild, _) = both(Transform::InverseLaplacian { eta: 0.01 });
    fit(&mild, large, &y, &mut Quiet).unwrap();
}
