//! The automatic method on graphs whose nodes have features.

use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, Links, NewNodes, Nodes, Points, Targets};
use isotherm::model::Model;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Recipe, Shape, Task};
use isotherm::study::{Input, Study};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const NODES: usize = 240;

/// Three classes. Neighbours have the same class with probability 0.6, and of twelve features
/// those of a node's class are somewhat more frequent.
struct Planted {
    edges: Vec<(u32, u32)>,
    features: Vec<f64>,
    class: Vec<usize>,
}

const DIM: usize = 12;

fn planted(seed: u64) -> Planted {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let class: Vec<usize> = (0..NODES).map(|i| i % 3).collect();
    let mut edges = Vec::new();
    for i in 0..NODES {
        for _ in 0..2 {
            let same = random.random_range(0.0..1.0) < 0.6;
            let other = loop {
                let j = random.random_range(0..NODES);
                if j != i && (class[j] == class[i]) == same {
                    break j;
                }
            };
            edges.push((i as u32, other as u32));
        }
    }
    let features = (0..NODES * DIM)
        .map(|at| {
            let often = if at % DIM % 3 == class[at / DIM] {
                0.4
            } else {
                0.2
            };
            f64::from(u8::from(random.random_range(0.0..1.0) < often))
        })
        .collect();
    Planted {
        edges,
        features,
        class,
    }
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

    /// Ten labels a class.
    fn targets(&self) -> Targets {
        let known = |i: usize| (i < 30).then(|| ["x", "y", "z"][self.class[i]]);
        Targets::from_names(&(0..NODES).map(known).collect::<Vec<_>>())
    }
}

fn fitted(input: Input, targets: &Targets) -> Model {
    let recipe = Recipe::automatic(Shape::Graph, Task::Classify, 0);
    let mut study = Study::new(&recipe, input, targets).unwrap();
    study.fit(&mut Quiet).unwrap()
}

fn accuracy(model: &Model, class: &[usize]) -> f64 {
    let answer = model.training_answer().unwrap();
    let names = answer.names();
    let right = (30..NODES).filter(|&i| names[i] == Some(["x", "y", "z"][class[i]]));
    right.count() as f64 / (NODES - 30) as f64
}

#[test]
fn edges_and_features_together_are_better_than_either() {
    let (mut both, mut edges, mut features) = (0.0, 0.0, 0.0);
    for seed in 0..5 {
        let planted = planted(seed);
        let targets = planted.targets();
        both += accuracy(&fitted(planted.nodes(), &targets), &planted.class) / 5.0;
        let graph = Input::Graph(planted.graph());
        edges += accuracy(&fitted(graph, &targets), &planted.class) / 5.0;
        let recipe = Recipe::automatic(Shape::Table, Task::Classify, 0);
        let table = Input::Table(planted.points());
        let mut study = Study::new(&recipe, table, &targets).unwrap();
        let model = study.fit(&mut Quiet).unwrap();
        let answer = study.training_answer(&model, &mut Quiet).unwrap();
        let names = answer.names();
        let right = (30..NODES).filter(|&i| names[i] == Some(["x", "y", "z"][planted.class[i]]));
        features += right.count() as f64 / (NODES - 30) as f64 / 5.0;
    }
    assert!(both > edges + 0.05, "{both} {edges}");
    assert!(both > features + 0.05, "{both} {features}");
}

#[test]
fn sparse_features_are_the_same_features() {
    let planted = planted(1);
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in planted.features.chunks_exact(DIM) {
        for (j, v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            columns.push(j as u32);
            values.push(*v);
        }
        starts.push(values.len());
    }
    let sparse = Points::sparse(starts, columns, values, DIM).unwrap();
    let nodes = Input::Nodes(Nodes::new(planted.graph(), Some(sparse)).unwrap());
    let targets = planted.targets();
    let (one, other) = (fitted(nodes, &targets), fitted(planted.nodes(), &targets));
    let answers = [&one, &other].map(|m| m.training_answer().unwrap().probabilities);
    assert_eq!(format!("{:?}", answers[0]), format!("{:?}", answers[1]));
}

#[test]
fn arrays_that_do_not_fit_are_no_sparse_rows() {
    for (starts, columns, values) in [
        (vec![0, 2], vec![0], vec![1.0]),
        (vec![0, 1], vec![0, 1], vec![1.0]),
        (vec![1, 1], vec![0], vec![1.0]),
        (vec![0, 1], vec![2], vec![1.0]),
        (vec![0, 1], vec![0], vec![f64::NAN]),
        (vec![], vec![], vec![]),
        (vec![0, 1, 0, 1], vec![0], vec![1.0]),
    ] {
        assert!(Points::sparse(starts, columns, values, 2).is_err());
    }
}

#[test]
fn a_model_that_was_written_answers_for_new_nodes_as_it_did() {
    let planted = planted(2);
    let model = fitted(planted.nodes(), &planted.targets());
    let again = Model::from_parts(model.to_parts()).unwrap();
    let mut own = vec![0.0; 3 * DIM];
    own[..DIM].copy_from_slice(&planted.features[40 * DIM..41 * DIM]);
    let links = Links::new(3, NODES, &[(0, 31, 1.0), (0, 34, 1.0), (1, 37, 1.0)]).unwrap();
    let new = NewNodes::new(links, Some(Points::new(own, 3, DIM).unwrap())).unwrap();
    let answers =
        [&model, &again].map(|model| model.predict_nodes(new.clone(), &mut Quiet).unwrap());
    // With both, with links alone; nothing is known of the third.
    assert_eq!(answers[0].reached, [true, true, false]);
    assert_eq!(answers[0].names()[2], None);
    let probabilities = answers.map(|answer| format!("{:?}", answer.probabilities));
    assert_eq!(probabilities[0], probabilities[1]);
    // Links to nodes of another graph.
    for known in [NODES - 1, NODES + 1] {
        let links = Links::new(1, known, &[(0, known as u32 - 1, 1.0)]).unwrap();
        let own = Points::new(vec![1.0; DIM], 1, DIM).unwrap();
        let other = NewNodes::new(links, Some(own)).unwrap();
        let message = model
            .predict_nodes(other, &mut Quiet)
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("known nodes that the links were made for"),
            "{message}"
        );
    }
    // Rows of a table are no nodes.
    assert!(model.predict_rows(&planted.points(), &mut Quiet).is_err());
    let narrow = NewNodes::from(Links::new(1, NODES, &[]).unwrap());
    let message = model
        .predict_nodes(narrow, &mut Quiet)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("learned from features of the nodes"),
        "{message}"
    );
}

#[test]
fn new_nodes_are_answered_nearly_as_if_they_had_been_there() {
    let planted = planted(3);
    let there = fitted(planted.nodes(), &planted.targets());
    // The last 40 nodes come later.
    let first = NODES - 40;
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(first);
    let mut links = Vec::new();
    for &(a, b) in &planted.edges {
        match (
            (a as usize).checked_sub(first),
            (b as usize).checked_sub(first),
        ) {
            (None, None) => {
                builder.push(a, b, None).unwrap();
            }
            (Some(new), None) => links.push((new as u32, b, 1.0)),
            (None, Some(new)) => links.push((new as u32, a, 1.0)),
            (Some(_), Some(_)) => {}
        }
    }
    let graph = builder.finish(&mut Quiet).unwrap().0;
    let (old, new) = planted.features.split_at(first * DIM);
    let old = Points::new(old.to_vec(), first, DIM).unwrap();
    let new = Points::new(new.to_vec(), 40, DIM).unwrap();
    let known = |i: usize| (i < 30).then(|| ["x", "y", "z"][planted.class[i]]);
    let targets = Targets::from_names(&(0..first).map(known).collect::<Vec<_>>());
    let model = fitted(
        Input::Nodes(Nodes::new(graph, Some(old)).unwrap()),
        &targets,
    );
    let nodes = NewNodes::new(Links::new(40, first, &links).unwrap(), Some(new)).unwrap();
    let later = model.predict_nodes(nodes, &mut Quiet).unwrap();
    let before = there.training_answer().unwrap();
    let right = |names: &[Option<&str>], from: usize| {
        let at = |i: &usize| names[i + from] == Some(["x", "y", "z"][planted.class[first + i]]);
        (0..40).filter(at).count()
    };
    let (later, before) = (right(&later.names(), 0), right(&before.names(), first));
    assert!(
        later + 5 >= before,
        "{later} of 40, {before} had they been there"
    );
}

#[test]
fn nodes_in_another_order_have_the_same_answers() {
    let planted = planted(4);
    let targets = planted.targets();
    let names = planted_names(&fitted(planted.nodes(), &targets));
    let turn = |i: usize| (i * 7 + 3) % NODES;
    let mut turned = Planted {
        edges: (planted.edges.iter())
            .map(|&(a, b)| (turn(a as usize) as u32, turn(b as usize) as u32))
            .collect(),
        features: vec![0.0; NODES * DIM],
        class: vec![0; NODES],
    };
    let mut labels = vec![None; NODES];
    for i in 0..NODES {
        let from = i * DIM..(i + 1) * DIM;
        turned.features[turn(i) * DIM..(turn(i) + 1) * DIM]
            .copy_from_slice(&planted.features[from]);
        turned.class[turn(i)] = planted.class[i];
        labels[turn(i)] = (i < 30).then(|| ["x", "y", "z"][planted.class[i]]);
    }
    let other = planted_names(&fitted(turned.nodes(), &Targets::from_names(&labels)));
    let same = (0..NODES).filter(|&i| names[i] == other[turn(i)]).count();
    // A node between two classes may go either way by rounding.
    assert!(same >= NODES - 1, "{same} of {NODES}");
}

fn planted_names(model: &Model) -> Vec<Option<String>> {
    let answer = model.training_answer().unwrap();
    let names = answer.names();
    names.iter().map(|n| n.map(str::to_owned)).collect()
}
