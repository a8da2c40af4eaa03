//! Several kinds of edges between the same nodes, and edges whose direction is kept.

use isotherm::data::graph::{EdgeRules, Relation};
use isotherm::data::{Graph, GraphBuilder, Links, NewNodes, Nodes, Points, Targets};
use isotherm::model::Model;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Recipe, Shape, Task};
use isotherm::study::{Input, Study};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const NODES: usize = 200;

type Edges = Vec<(u32, u32)>;

fn graph(edges: &[(u32, u32)], nodes: usize) -> Graph {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(nodes);
    for &(a, b) in edges {
        builder.push(a, b, None).unwrap();
    }
    builder.finish(&mut Quiet).unwrap().0
}

fn links(edges: &[(u32, u32)], (rows, known): (usize, usize)) -> Links {
    let list: Vec<(u32, u32, f64)> = edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
    Links::new(rows, known, &list).unwrap()
}

/// Two classes, by turns.
fn class(i: usize) -> usize {
    i % 2
}

fn targets(nodes: usize) -> Targets {
    let known = |i: usize| (i < 24).then(|| ["x", "y"][class(i)]);
    Targets::from_names(&(0..nodes).map(known).collect::<Vec<_>>())
}

fn fitted(nodes: Nodes, targets: &Targets) -> Model {
    let recipe = Recipe::automatic(Shape::Graph, Task::Classify, 0);
    let mut study = Study::new(&recipe, Input::Nodes(nodes), targets).unwrap();
    study.fit(&mut Quiet).unwrap()
}

fn accuracy(names: &[Option<&str>], first: usize) -> f64 {
    let right = names.iter().enumerate();
    let right = right.filter(|(k, name)| **name == Some(["x", "y"][class(first + k)]));
    right.count() as f64 / names.len() as f64
}

fn of_known(model: &Model) -> f64 {
    let answer = model.training_answer().unwrap();
    accuracy(&answer.names()[24..], 24)
}

/// Friends have the same class nine times of ten; four times as many others meet at random.
fn friends_and_others(seed: u64) -> (Edges, Edges) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut pick = |same: Option<usize>| loop {
        let j = random.random_range(0..NODES);
        let fits = same.is_none_or(|c| (class(j) == c) == (random.random_range(0..10) < 9));
        if fits {
            break j as u32;
        }
    };
    let (mut friends, mut others) = (Vec::new(), Vec::new());
    for i in 0..NODES {
        friends.extend([0; 2].map(|_| (i as u32, pick(Some(class(i))))));
        others.extend([0; 8].map(|_| (i as u32, pick(None))));
    }
    (friends, others)
}

fn related(friends: &[(u32, u32)], others: &[(u32, u32)]) -> Nodes {
    let relations = vec![
        Relation::new("friends", graph(friends, NODES)),
        Relation::new("others", graph(others, NODES)),
    ];
    Nodes::of_relations(relations, None, &mut Quiet).unwrap()
}

#[test]
fn the_relation_that_follows_the_labels_carries_the_weight() {
    let (mut apart, mut together) = (0.0, 0.0);
    for seed in 0..4 {
        let (friends, others) = friends_and_others(seed);
        let targets = targets(NODES);
        let model = fitted(related(&friends, &others), &targets);
        apart += of_known(&model) / 4.0;
        let weight = |of: &str| -> f64 {
            let named = model
                .blend()
                .into_iter()
                .filter(|(name, _)| name.contains(of));
            named.map(|(_, share)| share).sum()
        };
        let (right, wrong) = (weight("(friends)"), weight("(others)"));
        assert!(right > wrong, "{right} {wrong}");
        let all = [friends, others].concat();
        let nodes = Nodes::new(graph(&all, NODES), None).unwrap();
        together += of_known(&fitted(nodes, &targets)) / 4.0;
    }
    assert!(apart > together + 0.05, "{apart} {together}");
}

#[test]
fn all_edges_are_the_sum_of_the_relations() {
    let mut weighted = GraphBuilder::new(EdgeRules::default()).with_nodes(4);
    weighted.push(0, 1, Some(2.5)).unwrap();
    weighted.push(2, 3, Some(1.0)).unwrap();
    let weighted = weighted.finish(&mut Quiet).unwrap().0;
    let relations = vec![
        Relation::new("a", graph(&[(0, 1), (1, 2)], 4)),
        Relation::new("b", weighted),
    ];
    let nodes = Nodes::of_relations(relations, None, &mut Quiet).unwrap();
    let all = nodes.graph();
    assert_eq!(all.neighbours(1), [0, 2]);
    assert_eq!(all.weights(1).unwrap(), [3.5, 1.0]);
    assert_eq!(all.weights(3).unwrap(), [1.0]);
    // Without overlap and without weights, the sum has none either.
    let relations = vec![
        Relation::new("a", graph(&[(0, 1)], 4)),
        Relation::new("b", graph(&[(1, 2)], 4)),
    ];
    let nodes = Nodes::of_relations(relations, None, &mut Quiet).unwrap();
    assert!(!nodes.graph().is_weighted());
}

#[test]
fn relations_that_do_not_fit_are_refused() {
    let said = |relations: Vec<Relation>| {
        let made = Nodes::of_relations(relations, None, &mut Quiet);
        made.unwrap_err().to_string()
    };
    let of = |name: &str, nodes: usize| Relation::new(name, graph(&[(0, 1)], nodes));
    assert!(said(vec![]).contains("relations must be at least one"));
    let twice = said(vec![of("a", 3), of("a", 3)]);
    assert!(twice.contains("of different names"), "{twice}");
    let sizes = said(vec![of("a", 3), of("b", 4)]);
    assert!(sizes.contains("nodes of a relation"), "{sizes}");
    let narrow = of("a", 3).directed(Some(links(&[], (3, 2))), None);
    let narrow = said(vec![narrow]);
    assert!(narrow.contains("known nodes of a relation"), "{narrow}");
}

#[test]
fn new_nodes_say_of_which_relation_their_links_are() {
    let (friends, others) = friends_and_others(7);
    let model = fitted(related(&friends, &others), &targets(NODES));
    let known: Vec<_> = model.relations().collect();
    assert_eq!(known, [("friends", [false; 2]), ("others", [false; 2])]);
    // Eight new nodes with four friends each: the first four of class x, the others of class y.
    let made =
        (0..8).flat_map(|i| (0..4).map(move |k| (i, 30 + 2 * (4 * i + k) + u32::from(i > 3))));
    let made: Edges = made.collect();
    let of = |name: &str| Relation::new(name, links(&made, (8, NODES)));
    let new = NewNodes::of_relations(vec![of("friends")], None).unwrap();
    let answer = model.predict_nodes(new, &mut Quiet).unwrap();
    let names = answer.names();
    let right = names.iter().enumerate();
    let right = right.filter(|(i, name)| **name == Some(["x", "y"][usize::from(*i > 3)]));
    assert!(right.count() >= 7, "{names:?}");
    // A model that was written knows its relations.
    let again = Model::from_parts(model.to_parts()).unwrap();
    let both = vec![
        of("others"),
        Relation::new("friends", links(&made[..4], (8, NODES))),
    ];
    let both = NewNodes::of_relations(both, None).unwrap();
    let answers = [&model, &again].map(|m| m.predict_nodes(both.clone(), &mut Quiet).unwrap());
    let probabilities = answers.map(|answer| format!("{:?}", answer.probabilities));
    assert_eq!(probabilities[0], probabilities[1]);
    // Links of no relation, or of one that is not there.
    let plain = NewNodes::from(links(&made, (8, NODES)));
    let said = model
        .predict_nodes(plain, &mut Quiet)
        .unwrap_err()
        .to_string();
    assert!(said.contains("do not say of which they are"), "{said}");
    let odd = NewNodes::of_relations(vec![of("enemies")], None).unwrap();
    let said = model
        .predict_nodes(odd, &mut Quiet)
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("\"enemies\"") && said.contains("friends, others"),
        "{said}"
    );
}

/// Nodes of class x link to the first twenty hubs and are linked from the last twenty, those of
/// class y the other way: without directions they are alike.
fn hubs(seed: u64, nodes: usize) -> Edges {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut edges = Vec::new();
    for i in 0..nodes as u32 {
        for _ in 0..4 {
            let hub = |side: usize, random: &mut ChaCha8Rng| {
                (nodes + 20 * side + random.random_range(0..20)) as u32
            };
            let (to, from) = (class(i as usize), 1 - class(i as usize));
            edges.push((i, hub(to, &mut random)));
            edges.push((hub(from, &mut random), i));
        }
    }
    edges
}

#[test]
fn a_direction_that_is_kept_tells_apart_what_is_alike_without() {
    let edges = hubs(3, NODES);
    let all = NODES + 40;
    let targets = targets(all);
    let model = |kept: [bool; 2], features: Option<Points>| {
        let out = links(&edges, (all, all));
        let into = out.reversed();
        let relation = Relation::new("links", graph(&edges, all))
            .directed(kept[0].then_some(out), kept[1].then_some(into));
        let nodes = Nodes::of_relations(vec![relation], features, &mut Quiet).unwrap();
        fitted(nodes, &targets)
    };
    let share = |model: &Model| {
        let answer = model.training_answer().unwrap();
        accuracy(&answer.names()[24..NODES], 24)
    };
    let ignored = share(&model([false, false], None));
    assert!(ignored < 0.7, "{ignored}");
    for kept in [[true, false], [false, true], [true, true]] {
        let found = share(&model(kept, None));
        assert!(found > 0.95, "{kept:?} {found}");
    }
    // What is told by the features of the nodes that are linked to.
    let cells = (0..all * 2).map(|at| {
        let hub = (at / 2).checked_sub(NODES).map(|hub| hub / 20);
        f64::from(u8::from(hub == Some(at % 2)))
    });
    let features = Points::new(cells.collect(), all, 2).unwrap();
    let found = model([true, false], Some(features.clone()));
    assert!(share(&found) > 0.95, "{}", share(&found));
    assert!(
        found
            .blend()
            .iter()
            .any(|(name, _)| *name == "features along out-links (links)")
    );
    // New nodes by the direction of their links; links without one are refused.
    let both = model([true, true], None);
    let new: Edges = (0..4).map(|i| (0, (NODES + i) as u32)).collect();
    let here = links(&new, (1, all));
    let none = links(&[], (1, all));
    let of = |out: &Links, into: &Links| {
        let relation = Relation::new("links", here.clone());
        let relation = relation.directed(Some(out.clone()), Some(into.clone()));
        NewNodes::of_relations(vec![relation], None).unwrap()
    };
    let say = |nodes: NewNodes| {
        let answer = both.predict_nodes(nodes, &mut Quiet).unwrap();
        answer.names()[0].map(str::to_owned)
    };
    assert_eq!(say(of(&here, &none)).as_deref(), Some("x"));
    assert_eq!(say(of(&none, &here)).as_deref(), Some("y"));
    let undirected = NewNodes::of_relations(vec![Relation::new("links", here.clone())], None);
    let said = both
        .predict_nodes(undirected.unwrap(), &mut Quiet)
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("keeps the direction of the edges \"links\""),
        "{said}"
    );
}
