//! From the real data sets to labels. `make test` runs these where the
//! directory that `ISOTHERM_DATA` names exists, and says so where it does not.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, Points, Targets, split};
use isotherm::estimator::TrivialMode;
use isotherm::estimator::baseline::{KernelRidgeParams, LabelPropagationParams};
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Shape, Task};
use isotherm::study::{Input, Study};
use isotherm_io::npy::NpyArray;
use isotherm_io::npz::read_npz;
use isotherm_io::{Cells, Limits};

fn directory() -> PathBuf {
    let path = std::env::var_os("ISOTHERM_DATA").expect("ISOTHERM_DATA names the data directory");
    PathBuf::from(path)
}

fn load(name: &str) -> BTreeMap<String, NpyArray> {
    read_npz(
        directory().join(format!("{name}.npz")),
        Limits::default(),
        &mut Quiet,
    )
    .unwrap()
}

fn numbers(array: &NpyArray) -> Vec<f64> {
    match &array.cells {
        Cells::Float(v) => v.values().to_vec(),
        Cells::Integer(v) => v.values().iter().map(|v| *v as f64).collect(),
        other => panic!("{other:?}"),
    }
}

fn classes(array: &NpyArray) -> Vec<u32> {
    numbers(array).into_iter().map(|v| v as u32).collect()
}

fn graph(data: &BTreeMap<String, NpyArray>, nodes: usize) -> Graph {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(nodes);
    for edge in numbers(&data["edges"]).chunks_exact(2) {
        builder.push(edge[0] as u32, edge[1] as u32, None).unwrap();
    }
    builder.finish(&mut Quiet).unwrap().0
}

fn seen(truth: &[u32], labelled: &[usize]) -> Targets {
    let mut labels = vec![None; truth.len()];
    labelled
        .iter()
        .for_each(|&i| labels[i] = Some(truth[i].to_string()));
    Targets::from_names(&labels)
}

/// Share of right answers on `rows`; classes are named by their numbers.
fn accuracy(
    recipe: &Recipe,
    input: Input,
    truth: &[u32],
    labelled: &[usize],
    rows: &[usize],
) -> f64 {
    let targets = seen(truth, labelled);
    let mut study = Study::new(recipe, input, &targets).unwrap();
    let model = study.fit(&mut Quiet).unwrap();
    let answer = study.training_answer(&model, &mut Quiet).unwrap();
    let names = answer.names();
    let right = rows.iter().filter(|&&i| {
        // The published protocol calls a node that nothing reaches class 0; we do not.
        names[i].unwrap_or("0") == truth[i].to_string()
    });
    right.count() as f64 / rows.len() as f64
}

#[test]
fn every_data_set_is_read_and_its_rows_agree() {
    let mut sets = 0;
    for entry in std::fs::read_dir(directory()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "npz") {
            continue;
        }
        let data = read_npz(&path, Limits::default(), &mut Quiet).unwrap();
        let labels = data.get("y").or(data.get("labels")).unwrap();
        if let Some(x) = data.get("X") {
            assert_eq!(x.shape[0], labels.shape[0], "{}", path.display());
        }
        sets += 1;
    }
    assert_eq!(sets, 41);
}

/// Label propagation at η = 0.9 on five uniform splits, all unlabelled nodes.
///
/// Expected means are an independent float64 reference's on five other splits.
/// Two means of five differ by less than 2·√(2s²/5) in 19 of 20 cases; s is the
/// spread over splits, measured here (about 1.4 points on Cora).
#[test]
fn label_propagation_reproduces_the_reference_on_three_graphs() {
    for (name, train, expected) in [
        ("cora", 140, 70.9),
        ("pubmed", 60, 72.9),
        ("dblp", 80, 67.5),
    ] {
        let data = load(name);
        let truth = classes(&data["labels"]);
        let recipe = Recipe::of(
            Method::LabelPropagation(LabelPropagationParams::default()),
            Task::Classify,
            0,
        );
        let shares: Vec<f64> = (0..5)
            .map(|seed| {
                let parts = split::uniform(truth.len(), &[train], seed).unwrap();
                let input = Input::Graph(graph(&data, truth.len()));
                100.0 * accuracy(&recipe, input, &truth, &parts[0], &parts[1])
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / 5.0;
        let spread = (shares.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / 4.0).sqrt();
        let allowed = 2.0 * (2.0 * spread * spread / 5.0).sqrt();
        println!("{name}: {mean:.1} ± {spread:.1}, reference {expected}, allowed ±{allowed:.1}");
        assert!(
            (mean - expected).abs() <= allowed,
            "{name}: {mean:.1}, reference {expected}"
        );
    }
}

/// PubMed, five uniform splits: centred labels without the trivial mode do not
/// decay as η → 1, the paper's form does.
///
/// An independent reference has 73.5, 74.2, 73.5 and 73.4 % at these η, and 39.4 %
/// for the paper's form at the last. Means of five other splits may differ by 3.
#[test]
fn without_the_trivial_mode_label_propagation_is_flat_in_eta() {
    let data = load("pubmed");
    let truth = classes(&data["labels"]);
    let mean = |eta: f64, centre_labels: bool, trivial_mode: TrivialMode| {
        let recipe = Recipe {
            method: Method::LabelPropagation(LabelPropagationParams {
                eta,
                centre_labels,
                trivial_mode,
                ..Default::default()
            }),
            ..Recipe::on_graph(Task::Classify, 0)
        };
        let share = |seed| {
            let parts = split::uniform(truth.len(), &[60], seed).unwrap();
            let input = Input::Graph(graph(&data, truth.len()));
            accuracy(&recipe, input, &truth, &parts[0], &parts[1])
        };
        20.0 * (0..5).map(share).sum::<f64>()
    };
    let mut shares = Vec::new();
    for (eta, reference) in [(0.9, 73.5), (0.99, 74.2), (0.999, 73.5), (0.999_999, 73.4)] {
        let share = mean(eta, true, TrivialMode::Remove);
        println!("pubmed, η = {eta}: {share:.1}, reference {reference}");
        assert!((share - reference).abs() <= 3.0, "{share:.1} at η = {eta}");
        shares.push(share);
    }
    let spread =
        shares.iter().copied().fold(0.0, f64::max) - shares.iter().copied().fold(100.0, f64::min);
    assert!(spread <= 2.5, "{shares:?}");
    let paper = mean(0.999_999, false, TrivialMode::Keep);
    println!("pubmed, η = 0.999999, the paper's form: {paper:.1}");
    assert!(paper + 15.0 < shares[3], "{paper:.1}");
}

#[test]
fn unlabelled_digits_help() {
    let data = load("digits");
    let truth = classes(&data["y"]);
    let x = &data["X"];
    let points = Points::new(numbers(x), x.shape[0], x.shape[1]).unwrap();
    let ours = Recipe::automatic(Shape::Table, Task::Classify, 0);
    let supervised = Recipe {
        method: Method::KernelRidge(KernelRidgeParams::default()),
        ..ours.clone()
    };
    let mut gain = 0.0;
    for seed in 0..5 {
        let (labelled, rest) = split::per_class(&truth, 10, 5, seed).unwrap();
        let share = |recipe| {
            accuracy(
                recipe,
                Input::Table(points.clone()),
                &truth,
                &labelled,
                &rest,
            )
        };
        gain += (share(&ours) - share(&supervised)) / 5.0;
    }
    println!(
        "the default over kernel ridge on digits: {:+.1} points",
        100.0 * gain
    );
    assert!(
        gain > 0.0,
        "the unlabelled rows cost {:.1} points",
        -100.0 * gain
    );
}

#[test]
fn harmonic_regression_beats_the_mean_on_california() {
    let data = load("california_reg");
    let (x, y) = (&data["X"], numbers(&data["y"]));
    let keep: Vec<usize> = (0..y.len()).step_by(7).collect();
    let all = Points::new(numbers(x), x.shape[0], x.shape[1]).unwrap();
    let points = all.select(&keep).unwrap();
    let y: Vec<f64> = keep.iter().map(|&i| y[i]).collect();
    let parts = split::uniform(y.len(), &[200], 0).unwrap();
    let mut known = vec![None; y.len()];
    parts[0].iter().for_each(|&i| known[i] = Some(y[i]));
    let recipe = Recipe::on_graph(Task::Regress, 0);
    let targets = Targets::Values(known);
    let mut study = Study::new(&recipe, Input::Table(points), &targets).unwrap();
    let answer = study.fit(&mut Quiet).unwrap().training_answer().unwrap();
    let filled = answer.values().unwrap();
    let mean = parts[0].iter().map(|&i| y[i]).sum::<f64>() / 200.0;
    let error = |f: &dyn Fn(usize) -> f64| {
        parts[1].iter().map(|&i| (f(i) - y[i]).powi(2)).sum::<f64>() / parts[1].len() as f64
    };
    let (ours, plain) = (error(&|i| filled[i].unwrap_or(mean)), error(&|_| mean));
    println!("mean squared error: harmonic {ours:.3}, the mean {plain:.3}");
    assert!(ours < plain);
}
