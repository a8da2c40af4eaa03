//! The front door: recipes, refusals, models and their flat form.

mod edges;
mod schema;

use isotherm::base::Normalisation;
use isotherm::data::graph::EdgeRules;
use isotherm::data::{GraphBuilder, Links, Points, Targets, bandwidth};
use isotherm::estimator::baseline::{KernelRidgeParams, LabelPropagationParams};
use isotherm::estimator::laplacian::{LaplacianParams, NormShare};
use isotherm::estimator::stkr::{Ridge, StkrParams};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::model::Model;
use isotherm::model::Warning;
use isotherm::model::parts::{Array, Parts};
use isotherm::monitor::{Event, Quiet};
use isotherm::recipe::{Method, Recipe, Scaling, Task};
use isotherm::resources::cost::{self, SampleKind, Sizes};
use isotherm::spectrum::{Encoder, Filter, Transform};
use isotherm::study::Input;

use crate::fit;
use isotherm::testing::random;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;

/// Two clouds around −3 and +3 in the plane; the first of each is labelled.
fn clouds(n: usize) -> (Points, Targets) {
    let noise = random(2 * n, 2, 77);
    let values = (0..4 * n).map(|k| noise[(k / 2, k % 2)] + if k < 2 * n { -3.0 } else { 3.0 });
    let labels: Vec<Option<&str>> = (0..2 * n)
        .map(|i| match i {
            0 => Some("left"),
            i if i == n => Some("right"),
            _ => None,
        })
        .collect();
    (
        Points::new(values.collect(), 2 * n, 2).unwrap(),
        Targets::from_names(&labels),
    )
}

fn methods() -> Vec<Recipe> {
    let automatic = Recipe::on_graph(Task::Classify, 0);
    let ridge = Recipe {
        method: Method::KernelRidge(KernelRidgeParams::default()),
        ..automatic.clone()
    };
    let harmonic = Recipe {
        method: Method::Harmonic(Default::default()),
        ..automatic.clone()
    };
    let propagation = Recipe {
        method: Method::LabelPropagation(LabelPropagationParams {
            eta: 0.99,
            ..Default::default()
        }),
        ..automatic.clone()
    };
    let stkr = |transform: Transform| Recipe {
        method: Method::Stkr(StkrParams {
            transform,
            ..Default::default()
        }),
        ..automatic.clone()
    };
    let power = stkr(Transform::Power { degree: 8 });
    // As many modes as there are labels; more would be a choice among many fits.
    let truncated = stkr(Transform::Truncation {
        rank: 2,
        encoder: Encoder::All,
    });
    let kernel = Recipe {
        kernel: Some(KernelSpec::default()),
        ..stkr(Transform::Diffusion { time: 3.0 })
    };
    let centred = Recipe {
        kernel: Some(KernelSpec::default()),
        method: Method::Stkr(StkrParams {
            transform: Transform::Power { degree: 2 },
            centre_kernel: true,
            ridge: Ridge::Auto,
            ..Default::default()
        }),
        ..automatic.clone()
    };
    let lazy = Recipe {
        normalisation: Some(Normalisation::Lazy),
        ..automatic.clone()
    };
    let loops = Recipe {
        normalisation: Some(Normalisation::SelfLoops),
        ..automatic.clone()
    };
    vec![
        automatic,
        ridge,
        harmonic,
        propagation,
        power,
        truncated,
        kernel,
        centred,
        lazy,
        loops,
    ]
}

fn refused(recipe: &Recipe, input: Input, targets: &Targets) -> String {
    fit(recipe, input, targets, &mut Quiet)
        .unwrap_err()
        .to_string()
}

#[test]
fn every_method_separates_two_clouds_and_answers_for_new_rows() {
    let (x, y) = clouds(40);
    for recipe in methods() {
        let model = fit(&recipe, Input::Table(x.clone()), &y, &mut Quiet).unwrap();
        let answer = model.predict_rows(&x, &mut Quiet).unwrap();
        let names = answer.names();
        assert!(names[..40].iter().all(|n| *n == Some("left")), "{recipe:?}");
        assert!(
            names[40..].iter().all(|n| *n == Some("right")),
            "{recipe:?}"
        );
        let probabilities = answer.probabilities.as_ref().unwrap();
        for i in 0..80 {
            let sum = probabilities[(i, 0)] + probabilities[(i, 1)];
            assert!((sum - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn shifting_and_scaling_columns_changes_no_label_when_standardised() {
    let (x, y) = clouds(30);
    let values = x
        .contiguous()
        .unwrap()
        .chunks(2)
        .flat_map(|r| [1e4 + 250.0 * r[0], -7.0 + 1e-3 * r[1]]);
    let moved = Points::new(values.collect(), 60, 2).unwrap();
    for recipe in methods() {
        let labels = |points: Points| {
            let model = fit(&recipe, Input::Table(points.clone()), &y, &mut Quiet).unwrap();
            let answer = model.predict_rows(&points, &mut Quiet).unwrap();
            answer.classes().unwrap().to_vec()
        };
        assert_eq!(labels(x.clone()), labels(moved.clone()));
    }
}

#[test]
fn regression_fills_values_between_the_labels() {
    let x = Points::new((0..50).map(f64::from).collect(), 50, 1).unwrap();
    let values = (0..50).map(|i| (i % 7 == 0).then_some(100.0 + 2.0 * f64::from(i)));
    let y = Targets::Values(values.collect());
    let mut recipe = Recipe::on_graph(Task::Regress, 0);
    recipe.neighbours = Some(2);
    let model = fit(&recipe, Input::Table(x), &y, &mut Quiet).unwrap();
    let answer = model.training_answer().unwrap();
    for (i, v) in answer.values().unwrap().iter().enumerate() {
        let v = v.expect("reached");
        assert!((v - (100.0 + 2.0 * i as f64)).abs() < 4.0, "row {i}: {v}");
    }
}

#[test]
fn models_survive_being_laid_out_flat() {
    let (x, y) = clouds(20);
    for recipe in methods() {
        let mut model = fit(&recipe, Input::Table(x.clone()), &y, &mut Quiet).unwrap();
        model.features = vec!["a".into(), "b".into()];
        let back = Model::from_parts(model.to_parts()).unwrap();
        assert_eq!(back.to_parts(), model.to_parts());
        let (a, b) = (
            model.predict_rows(&x, &mut Quiet).unwrap(),
            back.predict_rows(&x, &mut Quiet).unwrap(),
        );
        assert_eq!(a.scores, b.scores);
        assert_eq!(a.names(), b.names());
    }
}

fn graph_model() -> Model {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(6);
    for (a, b) in [(0, 1), (1, 2), (3, 4)] {
        builder.push(a, b, None).unwrap();
    }
    let (graph, _) = builder.finish(&mut Quiet).unwrap();
    let y = Targets::from_names(&[Some("x"), None, None, Some("y"), None, None]);
    let recipe = Recipe::on_graph(Task::Classify, 0);
    let mut model = fit(&recipe, Input::Graph(graph), &y, &mut Quiet).unwrap();
    model.nodes = Some(["p1", "p2", "p3", "q1", "ü", ""].map(String::from).to_vec());
    model
}

#[test]
fn graph_models_answer_for_their_nodes_and_for_new_ones() {
    let model = graph_model();
    let seen = model.training_answer().unwrap();
    assert_eq!(
        seen.names(),
        [Some("x"), Some("x"), Some("x"), Some("y"), Some("y"), None]
    );
    assert_eq!(model.warnings(), [Warning::Unreached { rows: 1, of: 6 }]);
    let links = Links::new(2, 6, &[(0, 4, 1.0), (1, 5, 1.0)]).unwrap();
    let new = model.predict_nodes(&links, &mut Quiet).unwrap();
    assert_eq!(new.names(), [Some("y"), None]);
    let probabilities = new.probabilities.as_ref().unwrap();
    assert_eq!((probabilities[(1, 0)], probabilities[(1, 1)]), (0.5, 0.5));
    let back = Model::from_parts(model.to_parts()).unwrap();
    assert_eq!(back.to_parts(), model.to_parts());
    assert_eq!(back.nodes, model.nodes);
}

#[test]
fn a_model_with_a_part_missing_changed_or_added_is_refused_by_name() {
    let whole = graph_model().to_parts();
    for name in whole.tensors.keys() {
        let mut parts = whole.clone();
        parts.tensors.remove(name);
        let error = Model::from_parts(parts).unwrap_err().to_string();
        assert!(error.contains("part \""), "{name}: {error}");
    }
    for name in whole.metadata.keys() {
        let mut parts = whole.clone();
        parts.metadata.remove(name);
        assert!(Model::from_parts(parts).is_err(), "{name}");
        let mut parts = whole.clone();
        parts.metadata.insert(name.clone(), "{".into());
        assert!(Model::from_parts(parts).is_err(), "{name}");
    }
    let mut parts: Parts = whole.clone();
    parts.metadata.insert("surprise".into(), "1".into());
    assert!(
        Model::from_parts(parts)
            .unwrap_err()
            .to_string()
            .contains("surprise")
    );
    let mut parts = whole.clone();
    if let Array::F64(v) = &mut parts.tensors.get_mut("coefficients").unwrap().array {
        v[0] = f64::NAN;
    }
    assert!(Model::from_parts(parts).is_err());
    let mut parts = whole;
    parts.tensors.get_mut("coefficients").unwrap().shape = vec![usize::MAX, 2];
    assert!(Model::from_parts(parts).is_err());
}

#[test]
fn recipes_survive_json_and_refuse_unknown_fields() {
    for recipe in methods() {
        let text = serde_json::to_string(&recipe).unwrap();
        assert_eq!(serde_json::from_str::<Recipe>(&text).unwrap(), recipe);
    }
    for text in [
        r#"{"method":{"kind":"label-propagation","etta":0.5},"task":"classify"}"#,
        r#"{"method":{"kind":"label-propagation"},"task":"classify","sed":1}"#,
        r#"{"method":{"kind":"magic"},"task":"classify"}"#,
        r#"{"method":{"kind":"kernel-ridge","kernel":{"kind":"gaussian","sigma":1}},"task":"classify"}"#,
    ] {
        assert!(serde_json::from_str::<Recipe>(text).is_err(), "{text}");
    }
    let short = r#"{"method":{"kind":"stkr"},"task":"classify"}"#;
    assert_eq!(
        serde_json::from_str::<Recipe>(short).unwrap(),
        Recipe::on_graph(Task::Classify, 0)
    );
}

#[test]
fn bad_data_is_refused_with_a_way_out() {
    let recipe = Recipe::on_graph(Task::Classify, 0);
    let table = |v: Vec<f64>, d: usize| {
        let n = v.len() / d;
        Input::Table(Points::new(v, n, d).unwrap())
    };
    let two = Targets::from_names(&[Some("a"), Some("b")]);
    assert_eq!(
        refused(&recipe, table(vec![1.0, 1.0], 1), &two),
        "all 2 rows are equal: nothing tells them apart; choose other feature columns"
    );
    assert_eq!(
        refused(
            &recipe,
            table(vec![1.0, 2.0], 1),
            &Targets::from_names(&[Some("a"), None])
        ),
        "every label is \"a\"; label at least one sample of a second class"
    );
    assert_eq!(
        refused(
            &recipe,
            table(vec![1.0, 2.0], 1),
            &Targets::from_names::<&str>(&[None, None])
        ),
        "none of the 2 samples has a label; label at least one sample of each class"
    );
    assert_eq!(
        refused(
            &recipe,
            table(vec![1.0], 1),
            &Targets::from_names(&[Some("a")])
        ),
        "there is only 1 sample; give at least two, one of them labelled"
    );
    assert_eq!(
        refused(&recipe, table(vec![1.0, 2.0, 3.0], 1), &two),
        "labels, one for each sample, blank or not: expected 3, got 2"
    );
    assert_eq!(
        Points::new(vec![1.0, f64::NAN], 1, 2)
            .unwrap_err()
            .to_string(),
        "row 0, column 1: NaN is not a usable number; remove the row, fill the cell, or rescale the column below 1e150"
    );
    assert!(Points::new(vec![1e308, 0.0], 2, 1).is_err());
    assert!(Points::new(vec![], 0, 3).is_err());
}

#[test]
fn a_parameter_that_nothing_reads_is_refused() {
    let (x, y) = clouds(5);
    let mut ridge = methods()[1].clone();
    ridge.neighbours = Some(3);
    let error = refused(&ridge, Input::Table(x), &y);
    assert_eq!(
        error,
        "neighbours must be left out: nothing here would read it, got 3"
    );
    let mut builder = GraphBuilder::new(EdgeRules::default());
    builder.push(0, 1, None).unwrap();
    let (graph, _) = builder.finish(&mut Quiet).unwrap();
    let two = Targets::from_names(&[Some("a"), Some("b")]);
    let mut recipe = Recipe::on_graph(Task::Classify, 0);
    recipe.scaling = Some(Scaling::None);
    assert!(
        refused(&recipe, Input::Graph(graph.clone()), &two).starts_with("scaling must be left out")
    );
    recipe.scaling = None;
    recipe.neighbours = Some(2);
    assert!(
        refused(&recipe, Input::Graph(graph.clone()), &two)
            .starts_with("neighbours must be left out")
    );
    let error = refused(&methods()[1], Input::Graph(graph), &two);
    assert!(error.starts_with("kernel-ridge needs rows"), "{error}");
    let mut wrong = methods()[3].clone();
    wrong.task = Task::Regress;
    let values = Targets::Values(vec![Some(1.0), None]);
    let x = Points::new(vec![0.0, 1.0], 2, 1).unwrap();
    assert!(
        refused(&wrong, Input::Table(x), &values).contains("use stkr, harmonic or kernel-ridge")
    );
}

#[test]
fn warnings_tell_what_the_user_should_know() {
    let x = Points::new(vec![0.0, 5.0, 0.0, 5.0, 1.0, 5.0, 2.0, 5.0], 4, 2).unwrap();
    let y = Targets::from_names(&[Some("a"), Some("b"), None, None]);
    let model = fit(&methods()[1], Input::Table(x), &y, &mut Quiet).unwrap();
    let expected = [
        Warning::ConstantColumns { columns: vec![1] },
        Warning::Conflicts { pairs: 1 },
    ];
    assert_eq!(model.warnings(), expected);
    let (x, y) = clouds(50);
    let params = LabelPropagationParams {
        eta: 0.999,
        iterations: 1,
        ..Default::default()
    };
    let recipe = Recipe {
        method: Method::LabelPropagation(params),
        ..Recipe::on_graph(Task::Classify, 0)
    };
    let model = fit(&recipe, Input::Table(x), &y, &mut Quiet).unwrap();
    assert!(matches!(
        model.warnings(),
        [Warning::NotConverged { iterations: 1, .. }, ..]
    ));
}

#[test]
fn a_wrong_number_of_features_is_refused() {
    let (x, y) = clouds(10);
    for recipe in methods() {
        let model = fit(&recipe, Input::Table(x.clone()), &y, &mut Quiet).unwrap();
        let narrow = Points::new(vec![1.0], 1, 1).unwrap();
        let error = model.predict_rows(&narrow, &mut Quiet).unwrap_err();
        assert_eq!(
            error.to_string(),
            "feature columns of the new rows: expected 2, got 1"
        );
    }
}

#[test]
fn a_break_at_any_event_stops_the_fit_and_the_next_fit_is_whole() {
    let (x, y) = clouds(60);
    for recipe in methods() {
        let mut events = 0;
        let mut count = |_: Event| {
            events += 1;
            ControlFlow::Continue(())
        };
        let whole = fit(&recipe, Input::Table(x.clone()), &y, &mut count).unwrap();
        assert!(events > 0, "{} told {events} events", recipe.method.name());
        for stop_at in 1..=events.min(40) {
            let mut seen = 0;
            let mut stop = |_: Event| {
                seen += 1;
                if seen >= stop_at {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let outcome = fit(&recipe, Input::Table(x.clone()), &y, &mut stop);
            // With several threads fewer events may be told than were counted.
            match outcome {
                Err(isotherm::Error::Cancelled { .. }) => {}
                Err(other) => panic!("{other}"),
                Ok(_) => assert!(seen < stop_at),
            }
        }
        let again = fit(&recipe, Input::Table(x.clone()), &y, &mut Quiet).unwrap();
        assert_eq!(again.to_parts(), whole.to_parts());
    }
}

#[test]
fn memory_is_estimated_and_refused_before_it_is_allocated() {
    let sizes = Sizes {
        samples: 1_000_000,
        labelled: 50,
        width: 10,
        kind: SampleKind::Table { dim: 64 },
    };
    let recipe = Recipe::on_graph(Task::Classify, 0);
    let needed = cost::memory(&recipe, &sizes);
    assert!((1_000_000_000..4_000_000_000).contains(&needed), "{needed}");
    cost::check(&recipe, &sizes, 0, needed).unwrap();
    assert!(cost::check(&recipe, &sizes, 1, needed).is_err());
    let error = cost::check(&recipe, &sizes, 0, needed - 1)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("stkr on 1000000 rows of 64 numbers needs about"),
        "{error}"
    );
    assert!(error.contains("raise `memory`"), "{error}");
}

#[test]
fn a_row_like_nothing_the_model_knows_is_not_class_zero() {
    // A zero row has no inner product with anything.
    let x = Points::new(vec![1.0, 0.5, -1.0, 0.2, 0.9, -0.4], 3, 2).unwrap();
    let y = Targets::from_names(&[Some("a"), Some("b"), None]);
    for kernel in [KernelSpec::Cosine {}, KernelSpec::Linear {}] {
        let recipe = Recipe {
            method: Method::KernelRidge(KernelRidgeParams {
                kernel,
                ..Default::default()
            }),
            scaling: Some(Scaling::None),
            ..Recipe::on_graph(Task::Classify, 0)
        };
        let model = fit(&recipe, Input::Table(x.clone()), &y, &mut Quiet).unwrap();
        let zero = Points::new(vec![0.0, 0.0, 1.0, 1.0], 2, 2).unwrap();
        let answer = model.predict_rows(&zero, &mut Quiet).unwrap();
        assert_eq!(answer.reached, [false, true]);
        assert_eq!(answer.names()[0], None);
    }
    // Labels that do not travel reach no new node.
    let params = LabelPropagationParams {
        eta: 0.0,
        ..Default::default()
    };
    let recipe = Recipe {
        method: Method::LabelPropagation(params),
        ..Recipe::on_graph(Task::Classify, 0)
    };
    let mut builder = GraphBuilder::new(EdgeRules::default());
    builder.push(0, 1, None).unwrap();
    let (graph, _) = builder.finish(&mut Quiet).unwrap();
    let y = Targets::from_names(&[Some("a"), Some("b")]);
    let model = fit(&recipe, Input::Graph(graph), &y, &mut Quiet).unwrap();
    let links = Links::new(1, 2, &[(0, 0, 1.0)]).unwrap();
    assert_eq!(
        model.predict_nodes(&links, &mut Quiet).unwrap().names(),
        [None]
    );
    let foreign = Links::new(1, 1000, &[(0, 999, 1.0)]).unwrap();
    assert!(model.predict_nodes(&foreign, &mut Quiet).is_err());
}

/// Seeded damage to every part of every kind of model: refused or usable,
/// never a panic, never a number that is not finite.
#[test]
fn damaged_parts_are_refused_or_harmless() {
    let (x, y) = clouds(6);
    let mut seeds: Vec<Parts> = methods()
        .iter()
        .map(|r| {
            fit(r, Input::Table(x.clone()), &y, &mut Quiet)
                .unwrap()
                .to_parts()
        })
        .collect();
    seeds.push(graph_model().to_parts());
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut refused, mut usable) = (0, 0);
    for case in 0..4000 {
        let mut parts = seeds[case % seeds.len()].clone();
        for _ in 0..rng.random_range(1..4) {
            damage(&mut parts, &mut rng);
        }
        let Ok(model) = Model::from_parts(parts) else {
            refused += 1;
            continue;
        };
        usable += 1;
        let answers = [
            model.predict_rows(&x, &mut Quiet).ok(),
            Links::new(1, model.anchors(), &[(0, 0, 1.0)])
                .and_then(|l| model.predict_nodes(&l, &mut Quiet))
                .ok(),
            model.training_answer(),
        ];
        for answer in answers.into_iter().flatten() {
            if let Some(probabilities) = answer.probabilities {
                let finite = |c: faer::ColRef<'_, f64>| c.iter().all(|p| p.is_finite());
                assert!(probabilities.col_iter().all(finite), "case {case}");
            }
        }
    }
    assert!(
        refused > 1000 && usable > 100,
        "{refused} refused, {usable} usable"
    );
}

fn damage(parts: &mut Parts, rng: &mut ChaCha8Rng) {
    let names: Vec<String> = parts
        .tensors
        .keys()
        .chain(parts.metadata.keys())
        .cloned()
        .collect();
    let Some(name) = names.get(rng.random_range(0..names.len().max(1))) else {
        return;
    };
    if let Some(text) = parts.metadata.get_mut(name) {
        let mut bytes = text.clone().into_bytes();
        if !bytes.is_empty() {
            let at = rng.random_range(0..bytes.len());
            match rng.random_range(0..3) {
                0 => bytes[at] = b"0123456789-.e\"{}[]:,nul"[rng.random_range(0..23)],
                1 => bytes.truncate(at),
                _ => bytes.insert(at, b'9'),
            }
        }
        *text = String::from_utf8_lossy(&bytes).into_owned();
        return;
    }
    let Some(tensor) = parts.tensors.get_mut(name) else {
        return;
    };
    let odd = [0.0, -1.0, 1e300, -1e300, f64::NAN, f64::INFINITY, 1e-310];
    let at = rng.random_range(0..tensor.array.len().max(1));
    match (rng.random_range(0..5), &mut tensor.array) {
        (0, _) => tensor.shape.reverse(),
        (1, _) => tensor.shape.push(rng.random_range(0..3)),
        (2, Array::F64(v)) if !v.is_empty() => v.truncate(at),
        (_, Array::F64(v)) if !v.is_empty() => v[at] = odd[rng.random_range(0..odd.len())],
        (_, Array::U64(v)) if !v.is_empty() => {
            v[at] = [0, 1, u64::MAX, 1 << 40][rng.random_range(0..4)];
        }
        (_, Array::U32(v)) if !v.is_empty() => v[at] = [0, 1, u32::MAX][rng.random_range(0..3)],
        (_, Array::U8(v)) if !v.is_empty() => v[at] = rng.random_range(0..=255),
        _ => {}
    }
}

/// Three clouds on a line of 45 rows; a label at each of these rows.
fn three_clouds(labelled: &[usize]) -> (Points, Targets) {
    let noise = random(45, 2, 78);
    let values = (0..90).map(|k| noise[(k / 2, k % 2)] + 4.0 * (k / 30) as f64);
    let name = |i: usize| ["a", "b", "c"][i / 15];
    let labels: Vec<Option<&str>> = (0..45)
        .map(|i| labelled.contains(&i).then(|| name(i)))
        .collect();
    (
        Points::new(values.collect(), 45, 2).unwrap(),
        Targets::from_names(&labels),
    )
}

fn laplacian(params: LaplacianParams) -> Recipe {
    Recipe {
        scaling: Some(Scaling::None),
        ..Recipe::of(Method::Laplacian(params), Task::Classify, 3)
    }
}

#[test]
fn one_label_a_class_takes_the_stated_defaults_and_says_so() {
    let (x, y) = three_clouds(&[2, 20, 40]);
    let model = |params: LaplacianParams, y: &Targets| {
        fit(&laplacian(params), Input::Table(x.clone()), y, &mut Quiet).unwrap()
    };
    let scores = |model: &Model| model.predict_rows(&x, &mut Quiet).unwrap().scores;
    let open = model(LaplacianParams::default(), &y);
    let warned = |bandwidth: bool| Warning::NothingToLeaveOut {
        classes: 3,
        strength: 1.0,
        bandwidth,
    };
    assert_eq!(open.warnings(), [warned(true)]);
    assert!(!format!("{:?}", open.report().choice).contains("leave-one-out"));

    // Everything that was left open, spelled out.
    let gaussian = |bandwidth: f64| KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(bandwidth),
    };
    let spelled = LaplacianParams {
        kernel: gaussian(bandwidth::median_distance(&x, 3).unwrap()),
        norm_share: NormShare::Fixed(1.0 / 45.0),
        filter: Some(Filter::Tikhonov { strength: 1.0 }),
        ..LaplacianParams::default()
    };
    let said = model(spelled.clone(), &y);
    assert_eq!(said.warnings(), []);
    assert_eq!(scores(&open), scores(&said));

    // A strength alone would be chosen by leave-one-out too.
    let narrow = LaplacianParams {
        kernel: gaussian(0.7),
        ..LaplacianParams::default()
    };
    assert_eq!(model(narrow, &y).warnings(), [warned(false)]);

    // Two labels of one class are something to go by.
    let (_, more) = three_clouds(&[2, 7, 20, 40]);
    let chosen = model(LaplacianParams::default(), &more);
    assert_eq!(chosen.warnings(), []);
    let choice = chosen.report().choice.clone().unwrap();
    assert!(choice.contains("by leave-one-out over 84 fits"), "{choice}");
}
