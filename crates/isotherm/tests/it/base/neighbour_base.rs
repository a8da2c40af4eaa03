//! What joining rows to their neighbours must not do: carry labels over a gap, or leave equal
//! rows to themselves.

use isotherm::base::{Adjacency as _, Base as _, NeighbourBase};
use isotherm::data::{Points, Targets};
use isotherm::estimator::baseline::HarmonicParams;
use isotherm::labelling::Answer;
use isotherm::monitor::Quiet;
use isotherm::neighbours::Search;
use isotherm::recipe::{Method, Recipe, Shape, Task};
use isotherm::study::{Input, Study};
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, StandardNormal};

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
    ]
}

fn answered(recipe: &Recipe, points: &Points, names: &[Option<&str>]) -> Answer {
    let targets = Targets::from_names(names);
    let mut study = Study::new(recipe, Input::Table(points.clone()), &targets).unwrap();
    let model = study.fit(&mut Quiet).unwrap();
    study.training_answer(&model, &mut Quiet).unwrap()
}

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

#[test]
fn a_small_far_cluster_keeps_its_label_to_itself() {
    // 600 rows about the origin with 20 labels, and a few rows at a gap of ten times their
    // spread with one. The nearest label is right for every row.
    let many = 600;
    for (draw, few) in [3, 4, 5, 6, 8, 10, 11, 15, 25, 40].into_iter().enumerate() {
        let mut rng = ChaCha8Rng::seed_from_u64(draw as u64);
        let mut x = Vec::new();
        for i in 0..many + few {
            let far = if i < many { 0.0 } else { 13.0 };
            x.extend([normal(&mut rng) + far, normal(&mut rng)]);
        }
        let points = Points::new(x, many + few, 2).unwrap();
        let mut names = vec![None; many + few];
        let mut order: Vec<usize> = (0..many).collect();
        order.shuffle(&mut rng);
        order[..20].iter().for_each(|&i| names[i] = Some("near"));
        names[many] = Some("far");
        for (name, recipe) in methods() {
            let said = answered(&recipe, &points, &names);
            let said = said.names();
            let wrong = |i: &usize| said[*i] != Some(if *i < many { "near" } else { "far" });
            let wrong = (0..many + few).filter(wrong).count();
            assert_eq!(
                wrong, 0,
                "{name}: rows with another label, beside {few} far ones"
            );
        }
    }
}

#[test]
fn equal_rows_are_joined_to_other_rows() {
    // 60 places, each with 3 to 30 equal rows; the class is the side of a line.
    for seed in 0..3 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut rows = Vec::new();
        for _ in 0..60 {
            let place = [normal(&mut rng), normal(&mut rng)];
            let copies = 3 + (rng.random::<f64>() * 28.0) as usize;
            rows.extend(std::iter::repeat_n(place, copies));
        }
        rows.shuffle(&mut rng);
        let n = rows.len();
        let class = |i: usize| if rows[i][0] > 0.0 { "right" } else { "left" };
        let names: Vec<Option<&str>> = (0..n).map(|i| (i % 20 == 0).then(|| class(i))).collect();
        let points = Points::new(rows.iter().flatten().copied().collect(), n, 2).unwrap();
        for (name, recipe) in methods() {
            let answer = answered(&recipe, &points, &names);
            let unreached = answer.reached.iter().filter(|r| !**r).count();
            assert_eq!(unreached, 0, "{name}: rows of {n} that no label reaches");
            // How right label propagation is depends on the classes' shares of the labels; all that
            // is asked of it here is to reach every row.
            if name == "label propagation" {
                continue;
            }
            let right = (0..n)
                .filter(|&i| answer.names()[i] == Some(class(i)))
                .count();
            assert!(right * 5 > n * 4, "{name}: {right} of {n} right");
        }
    }
}

/// The edges of [`JoinedRows`](isotherm::base::JoinedRows) as its documentation has them.
fn edges(rows: &[[f64; 2]], k: usize) -> Vec<Vec<f64>> {
    let n = rows.len();
    let apart = |i: usize, j: usize| {
        let square: f64 = (0..2).map(|c| (rows[i][c] - rows[j][c]).powi(2)).sum();
        square.sqrt()
    };
    let first: Vec<usize> = (0..n)
        .map(|i| (0..n).find(|&j| rows[j] == rows[i]).unwrap())
        .collect();
    let near = |i: usize| -> Vec<usize> {
        let mut others: Vec<usize> = (0..n).filter(|&j| first[j] == j && j != first[i]).collect();
        others.sort_by(|&a, &b| apart(i, a).total_cmp(&apart(i, b)).then(a.cmp(&b)));
        others.truncate(k);
        others
    };
    let spread = |i: usize| near(i).last().map_or(1.0, |&j| apart(i, j));
    let mut out = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in near(i) {
            let square = apart(i, j).powi(2);
            let weight = (-square / (spread(i) * spread(j))).exp().max(1e-6);
            out[i][j] = weight;
            out[j][i] = weight;
        }
        if first[i] != i {
            out[i][first[i]] = 1.0;
            out[first[i]][i] = 1.0;
        }
    }
    out
}

#[test]
fn edges_are_those_that_the_definition_gives() {
    for (seed, most) in [(0, 1), (1, 6), (2, 40)] {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut rows = Vec::new();
        while rows.len() < 50 {
            let place = [normal(&mut rng), normal(&mut rng)];
            let copies = 1 + (rng.random::<f64>() * most as f64) as usize;
            rows.extend(std::iter::repeat_n(place, copies));
        }
        rows.shuffle(&mut rng);
        let n = rows.len();
        let points = Points::new(rows.iter().flatten().copied().collect(), n, 2).unwrap();
        let base = NeighbourBase::weighted(points, 4, Search::Auto, 0, &mut Quiet).unwrap();
        let expected = edges(&rows, 4);
        for (i, expected) in expected.iter().enumerate() {
            let mut found = vec![0.0; n];
            let weights = base.graph().weights(i).unwrap();
            for (&j, weight) in base.graph().neighbours(i).iter().zip(weights) {
                found[j as usize] = *weight;
            }
            for j in 0..n {
                let off = (found[j] - expected[j]).abs();
                assert!(off <= 1e-12 * expected[j], "{seed}: edge {i}, {j}");
            }
        }
    }
}

#[test]
fn a_table_of_one_row_again_and_again_is_one_connected_part() {
    let points = Points::new(vec![0.5; 24], 12, 2).unwrap();
    let base = NeighbourBase::weighted(points, 4, Search::Auto, 0, &mut Quiet).unwrap();
    let component = base.components(&mut Quiet).unwrap().unwrap();
    assert!(component.iter().all(|c| *c == component[0]));
}
