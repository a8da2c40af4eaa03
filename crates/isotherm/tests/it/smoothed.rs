//! Methods that compare rows, on nodes whose features were averaged over the graph: beside the same
//! methods on a table of averages that dense systems give.

use std::collections::BTreeSet;

use faer::linalg::solvers::Solve as _;
use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, Links, NewNodes, Nodes, Points, Targets};
use isotherm::kernel::KernelSpec;
use isotherm::labelling::Answer;
use isotherm::linalg::Mat;
use isotherm::model::Model;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Recipe, Scaling, Shape, Smoothing};
use isotherm::study::{Input, Study};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

const NODES: usize = 150;
const DIM: usize = 9;

/// Three classes in turn; most edges stay within one, and a class has words of its own. The last
/// node has neither features nor edges, the one before has no features.
struct Planted {
    edges: BTreeSet<(u32, u32)>,
    features: Vec<f64>,
}

fn planted() -> Planted {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut edges = BTreeSet::new();
    while edges.len() < 2 * NODES {
        let (a, b) = (
            random.random_range(0..NODES - 1),
            random.random_range(0..NODES - 1),
        );
        if a < b && (a % 3 == b % 3 || random.random_range(0.0..1.0) < 0.2) {
            edges.insert((a as u32, b as u32));
        }
    }
    let mut word = |at: usize| {
        let often = if at % DIM % 3 == at / DIM % 3 {
            0.6
        } else {
            0.15
        };
        f64::from(u8::from(random.random_range(0.0..1.0) < often))
    };
    let mut features: Vec<f64> = (0..NODES * DIM).map(&mut word).collect();
    features[(NODES - 2) * DIM..].fill(0.0);
    Planted { edges, features }
}

impl Planted {
    fn graph(&self) -> Graph {
        let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(NODES);
        for &(a, b) in &self.edges {
            builder.push(a, b, None).unwrap();
        }
        builder.finish(&mut Quiet).unwrap().0
    }

    fn points(&self) -> Points {
        Points::new(self.features.clone(), NODES, DIM).unwrap()
    }

    fn nodes(&self) -> Input {
        Input::Nodes(Nodes::new(self.graph(), Some(self.points())).unwrap())
    }

    fn looped(&self) -> Mat<f64> {
        let mut w = Mat::<f64>::identity(NODES, NODES);
        for &(a, b) in &self.edges {
            w[(a as usize, b as usize)] = 1.0;
            w[(b as usize, a as usize)] = 1.0;
        }
        w
    }

    /// `(1 − η)(I − ηŜ)⁻¹X̂`.
    fn averages(&self, eta: f64) -> Mat<f64> {
        let w = self.looped();
        let degree: Vec<f64> = (0..NODES).map(|i| w.row(i).iter().sum()).collect();
        let system = Mat::from_fn(NODES, NODES, |i, j| {
            let own = if i == j { 1.0 } else { 0.0 };
            own - eta * w[(i, j)] / (degree[i] * degree[j]).sqrt()
        });
        let x = Mat::from_fn(NODES, DIM, |i, j| {
            (1.0 - eta) * unit(&self.features[i * DIM..(i + 1) * DIM])[j]
        });
        system.partial_piv_lu().solve(&x)
    }

    /// The averages side by side.
    fn table(&self, etas: &[f64]) -> Points {
        let blocks: Vec<Mat<f64>> = etas.iter().map(|eta| self.averages(*eta)).collect();
        let row = |i: usize| beside(blocks.iter().map(|z| z.row(i).iter().copied().collect()));
        let values = (0..NODES).flat_map(row).collect();
        Points::new(values, NODES, DIM * etas.len()).unwrap()
    }
}

fn unit(row: &[f64]) -> Vec<f64> {
    let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
    let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
    row.iter().map(|v| v * scale).collect()
}

/// Rows of length `1/√m`, one after the other.
fn beside(blocks: impl ExactSizeIterator<Item = Vec<f64>>) -> Vec<f64> {
    let share = (blocks.len() as f64).sqrt();
    blocks
        .flat_map(|row| unit(&row))
        .map(|v| v / share)
        .collect()
}

fn targets() -> Targets {
    let known = |i: usize| (i < 36).then(|| ["x", "y", "z"][i % 3]);
    Targets::from_names(&(0..NODES).map(known).collect::<Vec<_>>())
}

const USUAL: [f64; 5] = [0.0, 0.8, 0.85, 0.9, 0.95];

fn recipe(method: Value, kernel: Option<KernelSpec>) -> Recipe {
    let recipe: Recipe =
        serde_json::from_value(json!({ "method": method, "task": "classify" })).unwrap();
    Recipe { kernel, ..recipe }
}

/// Every method that compares rows, with nothing left open that rounding could decide.
fn recipes() -> Vec<Recipe> {
    let filter = json!({ "kind": "tikhonov", "strength": 0.1 });
    let fixed = json!({ "kind": "gaussian", "bandwidth": 1.0 });
    let gaussian = serde_json::from_value(fixed.clone()).unwrap();
    vec![
        recipe(
            json!({ "kind": "laplacian", "kernel": fixed, "filter": filter }),
            None,
        ),
        recipe(json!({ "kind": "kernel-ridge", "kernel": fixed }), None),
        recipe(json!({ "kind": "stkr" }), Some(gaussian)),
        recipe(json!({ "kind": "stkr" }), None),
        recipe(json!({ "kind": "label-propagation" }), None),
        recipe(json!({ "kind": "harmonic" }), None),
    ]
}

fn smoothed(recipe: &Recipe, smooth: Smoothing) -> Recipe {
    Recipe {
        smooth: Some(smooth),
        ..recipe.clone()
    }
}

fn fit(recipe: &Recipe, input: Input) -> Model {
    crate::fit(recipe, input, &targets(), &mut Quiet).unwrap()
}

/// The first nodes are answered alike. Averages are found in single precision, to 1e-6; which rows
/// are neighbours, and how near rows are that are nearly equal, hangs on less, so under neighbours
/// the classes of nearly all nodes have to be the same.
fn assert_alike(recipe: &Recipe, one: &Answer, other: &Answer, nodes: usize) {
    let name = recipe.method.name();
    assert_eq!(one.reached[..nodes], other.reached[..nodes], "{name}");
    let compared = recipe.kernel.is_some() || matches!(name, "laplacian" | "kernel-ridge");
    if !compared {
        let (one, other) = (one.names(), other.names());
        let same = (0..nodes).filter(|&i| one[i] == other[i]).count();
        assert!(same + nodes / 50 >= nodes, "{name}: {same} of {nodes}");
        return;
    }
    for i in 0..nodes {
        for j in 0..one.scores.ncols() {
            let (one, other) = (one.scores[(i, j)], other.scores[(i, j)]);
            assert!((one - other).abs() < 1e-4, "{name} {i} {j}: {one} {other}");
        }
    }
}

#[test]
fn a_method_on_smoothed_nodes_is_the_method_on_a_table_of_averages() {
    let planted = planted();
    for (smooth, etas) in [(Smoothing::Auto, &USUAL[..]), (Smoothing::Eta(0.9), &[0.9])] {
        let table = planted.table(etas);
        for recipe in recipes() {
            let name = recipe.method.name();
            let plain = Recipe {
                scaling: Some(Scaling::None),
                ..recipe.clone()
            };
            let mut study = Study::new(&plain, Input::Table(table.clone()), &targets()).unwrap();
            let twin = study.fit(&mut Quiet).unwrap();
            let expected = study.training_answer(&twin, &mut Quiet).unwrap();
            let model = fit(&smoothed(&recipe, smooth), planted.nodes());
            let found = model.training_answer().unwrap();
            assert_alike(&recipe, &found, &expected, NODES - 1);
            assert!(!found.reached[NODES - 1], "{name}");
            assert_eq!(found.names()[NODES - 1], None, "{name}");
            assert!(found.reached[NODES - 2], "{name}");
        }
    }
}

#[test]
fn labels_left_out_are_predicted_as_if_they_had_not_been_given() {
    let planted = planted();
    let recipe = smoothed(&recipes()[0], Smoothing::Auto);
    let mut study = Study::new(&recipe, planted.nodes(), &targets()).unwrap();
    let left = study.leave_one_out(&mut Quiet).unwrap();
    for (k, &node) in left.index.iter().enumerate().step_by(7) {
        let known = |i: usize| (i < 36 && i != node).then(|| ["x", "y", "z"][i % 3]);
        let fewer = Targets::from_names(&(0..NODES).map(known).collect::<Vec<_>>());
        // The strength is λ times the number of labels.
        let strength = json!({ "kind": "tikhonov", "strength": 0.1 * 36.0 / 35.0 });
        let fixed = json!({ "kind": "gaussian", "bandwidth": 1.0 });
        let method = json!({ "kind": "laplacian", "kernel": fixed, "filter": strength });
        let again = smoothed(&self::recipe(method, None), Smoothing::Auto);
        let model = crate::fit(&again, planted.nodes(), &fewer, &mut Quiet).unwrap();
        let scores = model.training_answer().unwrap().scores;
        for j in 0..3 {
            let (closed, fitted) = (left.scores[(k, j)], scores[(node, j)]);
            assert!(
                (closed - fitted).abs() < 1e-6,
                "{node} {j}: {closed} {fitted}"
            );
        }
    }
}

#[test]
fn a_new_node_is_the_row_that_solves_its_own_equation() {
    let planted = planted();
    let links = [(0, 3, 1.0), (0, 30, 2.0), (1, 40, 1.0)];
    let own: Vec<f64> = (0..4 * DIM)
        .map(|at| f64::from(u8::from(matches!(at / DIM, 0 | 2) && at % 3 == 0)))
        .collect();
    let degree: Vec<f64> = {
        let w = planted.looped();
        (0..NODES).map(|i| w.row(i).iter().sum()).collect()
    };
    // z* = [(1 − η)x̂ + ηΣŝ*ⱼzⱼ]/(1 − ηŝ**)
    let row = |new: usize, eta: f64| -> Vec<f64> {
        let z = planted.averages(eta);
        let own = unit(&own[new * DIM..(new + 1) * DIM]);
        let mine = links.iter().filter(|l| l.0 == new);
        let total: f64 = 1.0 + mine.clone().map(|l| l.2).sum::<f64>();
        let at = |j: usize| {
            let far = mine
                .clone()
                .map(|l| l.2 * z[(l.1, j)] / (total * degree[l.1]).sqrt());
            ((1.0 - eta) * own[j] + eta * far.sum::<f64>()) / (1.0 - eta / total)
        };
        (0..DIM).map(at).collect()
    };
    let rows: Vec<f64> = (0..4)
        .flat_map(|new| {
            beside(
                USUAL
                    .iter()
                    .map(move |eta| (new, *eta))
                    .map(|(new, eta)| row(new, eta)),
            )
        })
        .collect();
    let rows = Points::new(rows, 4, DIM * USUAL.len()).unwrap();
    let list: Vec<(u32, u32, f64)> = (links.iter())
        .map(|&(new, known, w)| (new as u32, known as u32, w))
        .collect();
    let links = Links::new(4, NODES, &list).unwrap();
    let new = NewNodes::new(links, Some(Points::new(own.clone(), 4, DIM).unwrap())).unwrap();
    for recipe in recipes() {
        let name = recipe.method.name();
        let plain = Recipe {
            scaling: Some(Scaling::None),
            ..recipe.clone()
        };
        let twin = fit(&plain, Input::Table(planted.table(&USUAL)));
        let expected = twin.predict_rows(&rows, &mut Quiet).unwrap();
        let model = fit(&smoothed(&recipe, Smoothing::Auto), planted.nodes());
        let found = model.predict_nodes(new.clone(), &mut Quiet).unwrap();
        // With both, with links alone, with features alone, with neither.
        assert_eq!(found.reached, [true, true, true, false], "{name}");
        assert_alike(&recipe, &found, &expected, 3);
        // A file says the same.
        let again = Model::from_parts(model.to_parts()).unwrap();
        let told = again.predict_nodes(new.clone(), &mut Quiet).unwrap();
        assert_eq!(
            format!("{:?}", told.scores),
            format!("{:?}", found.scores),
            "{name}"
        );
        let [one, other] = [&model, &again].map(|m| m.training_answer().unwrap().scores);
        assert_eq!(format!("{one:?}"), format!("{other:?}"), "{name}");
        assert_eq!(
            (again.shape(), again.dim()),
            (Shape::Graph, Some(DIM)),
            "{name}"
        );
        assert_eq!(again.anchors(), NODES, "{name}");
    }
}

#[test]
fn standardised_averages_are_scaled_for_new_nodes_too() {
    let planted = planted();
    let recipe = Recipe {
        scaling: Some(Scaling::Standardise),
        ..smoothed(&recipes()[0], Smoothing::Eta(0.8))
    };
    let model = fit(&recipe, planted.nodes());
    let again = Model::from_parts(model.to_parts()).unwrap();
    // A copy of node 5, with its features and its edges: nearly the same row.
    let links: Vec<(u32, u32, f64)> = (planted.edges.iter())
        .filter_map(|&(a, b)| match (a, b) {
            (5, other) | (other, 5) => Some((0, other, 1.0)),
            _ => None,
        })
        .collect();
    let own = planted.features[5 * DIM..6 * DIM].to_vec();
    let links = Links::new(1, NODES, &links).unwrap();
    let new = NewNodes::new(links, Some(Points::new(own, 1, DIM).unwrap())).unwrap();
    let known = model.training_answer().unwrap().scores;
    for model in [&model, &again] {
        let found = model.predict_nodes(new.clone(), &mut Quiet).unwrap().scores;
        for j in 0..3 {
            let (new, old) = (found[(0, j)], known[(5, j)]);
            assert!((new - old).abs() < 1e-4, "{new} {old}");
        }
    }
}

#[test]
fn smoothing_is_refused_where_nothing_is_smoothed() {
    let planted = planted();
    let laplacian = smoothed(&recipes()[0], Smoothing::Auto);
    let refused = |recipe: &Recipe, input: Input| {
        let found = crate::fit(recipe, input, &targets(), &mut Quiet);
        found.unwrap_err().to_string()
    };
    let message = refused(&laplacian, Input::Table(planted.points()));
    assert!(message.contains("smooth must be left out"), "{message}");
    let blend = smoothed(&recipe(json!({ "kind": "blend" }), None), Smoothing::Auto);
    let message = refused(&blend, planted.nodes());
    assert!(message.contains("smooth must be left out"), "{message}");
    let message = refused(&laplacian, Input::Graph(planted.graph()));
    assert!(message.contains("no features to smooth"), "{message}");
    let far = smoothed(&recipes()[0], Smoothing::Eta(1.0));
    let message = refused(&far, planted.nodes());
    assert!(message.contains("at least 0 and below 1"), "{message}");
    let message = refused(&recipes()[0], planted.nodes());
    assert!(message.contains("`smooth`"), "{message}");
    // Rows of a table, or nodes without features, cannot be asked about.
    let model = fit(&laplacian, planted.nodes());
    let message = model
        .predict_rows(&planted.points(), &mut Quiet)
        .unwrap_err()
        .to_string();
    assert!(message.contains("fitted on a graph"), "{message}");
    let bare = NewNodes::from(Links::new(1, NODES, &[]).unwrap());
    let message = model
        .predict_nodes(bare, &mut Quiet)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("learned from features of the nodes"),
        "{message}"
    );
}

#[test]
fn smoothing_is_written_as_a_word_or_a_number() {
    for (smooth, word) in [
        (Smoothing::Auto, json!("auto")),
        (Smoothing::Eta(0.5), json!(0.5)),
    ] {
        assert_eq!(serde_json::to_value(smooth).unwrap(), word);
        assert_eq!(serde_json::from_value::<Smoothing>(word).unwrap(), smooth);
    }
    let message = serde_json::from_value::<Smoothing>(json!("much"))
        .unwrap_err()
        .to_string();
    assert!(message.contains("\"auto\" or a number"), "{message}");
}
