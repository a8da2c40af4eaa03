//! Places in the plane, maps, decisions, balances and gains.

use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, Points, Targets};
use isotherm::embedding::{Embedding, EmbeddingParams};
use isotherm::estimator::stkr::StkrParams;
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Scaling, Task};
use isotherm::spectrum::Transform;
use isotherm::study::{EvaluateOptions, Input, Study};
use isotherm::testing::random;
use isotherm::view::{Balance, Plane, PlaneKind, PlaneOptions};

fn cloud(n: usize, d: usize, seed: u64) -> Points {
    let m = random(n, d, seed);
    let values = (0..n * d).map(|k| m[(k / d, k % d)]).collect();
    Points::new(values, n, d).unwrap()
}

fn automatic() -> Recipe {
    Recipe::on_graph(Task::Classify, 0)
}

fn placed(recipe: &Recipe, input: Input, options: &PlaneOptions) -> Plane {
    labelled_plane(recipe, input, &[], options)
}

/// The plane with these samples labelled.
fn labelled_plane(
    recipe: &Recipe,
    input: Input,
    labelled: &[usize],
    options: &PlaneOptions,
) -> Plane {
    let mut names = vec![None; input.len()];
    labelled.iter().for_each(|&i| names[i] = Some("a"));
    Study::new(recipe, input, &Targets::from_names(&names))
        .and_then(|mut study| study.plane(options, &mut Quiet))
        .unwrap()
}

/// A path of so many nodes for each entry.
fn paths(lengths: &[u32]) -> Graph {
    let total: u32 = lengths.iter().sum();
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(total as usize);
    let mut first = 0;
    for length in lengths {
        for i in 1..*length {
            builder.push(first + i - 1, first + i, None).unwrap();
        }
        first += length;
    }
    builder.finish(&mut Quiet).unwrap().0
}

#[test]
fn a_connected_table_has_the_coordinates_of_its_embedding() {
    let points = cloud(120, 3, 1);
    let planar = PlaneOptions {
        modes: 4,
        ..PlaneOptions::default()
    };
    let found = placed(&automatic(), Input::Table(points.clone()), &planar);
    assert_eq!(found.kind, PlaneKind::Modes);
    let params = EmbeddingParams::Stkr {
        kernel: None,
        neighbours: None,
        normalisation: None,
    };
    let (input, scaling) = (Input::Table(points), Scaling::Standardise);
    let twin = Embedding::fit(&params, input, scaling, 4, 0, &mut Quiet).unwrap();
    for (j, mode) in found.modes.iter().enumerate() {
        let lambda = twin.eigenvalues()[j];
        assert!((mode.eigenvalue - lambda).abs() < 1e-6);
        for (i, value) in mode.values.iter().enumerate() {
            // An embedding's mean square is λ, a plane's is 1.
            let own = twin.visible()[(i, j)] / lambda.sqrt();
            assert!((value - own).abs() < 1e-4, "{value} {own}");
        }
    }
    for (i, place) in found.positions.iter().enumerate() {
        assert_eq!(*place, [found.modes[0].values[i], found.modes[1].values[i]]);
    }
}

#[test]
fn rows_that_fall_apart_are_placed_by_principal_components() {
    // Two clouds far from each other along the first column.
    let m = random(60, 2, 2);
    let values = (0..120).map(|k| {
        let far = if k / 2 < 30 && k % 2 == 0 { 500.0 } else { 0.0 };
        m[(k / 2, k % 2)] + far
    });
    let points = Points::new(values.collect(), 60, 2).unwrap();
    let mut recipe = automatic();
    recipe.neighbours = Some(5);
    recipe.scaling = Some(Scaling::None);
    let found = placed(
        &recipe,
        Input::Table(points.clone()),
        &PlaneOptions::default(),
    );
    assert_eq!(found.kind, PlaneKind::PrincipalComponents);
    assert!(found.how.contains("2 components"), "{}", found.how);
    // Centred, the first principal component is the first column, all but exactly.
    let mean = (0..60).map(|i| points.row(i)[0]).sum::<f64>() / 60.0;
    for i in 0..60 {
        let along = points.row(i)[0] - mean;
        assert!((found.positions[i][0].abs() - along.abs()).abs() < 0.1);
    }
    // The functions are still told: they tell the clouds apart.
    let side = |i: usize| found.modes[0].values[i] != 0.0;
    assert!((0..60).all(|i| side(i) == side(if i < 30 { 0 } else { 59 })));
}

#[test]
fn the_largest_component_of_a_graph_is_the_map_and_others_lie_below() {
    let graph = paths(&[12, 40, 3, 1]);
    let found = placed(&automatic(), Input::Graph(graph), &PlaneOptions::default());
    assert_eq!(found.kind, PlaneKind::LargestComponent);
    let inside: Vec<usize> = (0..56).filter(|&i| !found.aside[i]).collect();
    assert_eq!(inside, (12..52).collect::<Vec<_>>());
    let lowest = inside.iter().map(|&i| found.positions[i][1]);
    let lowest = lowest.fold(f64::INFINITY, f64::min);
    assert!(
        (0..56)
            .filter(|&i| found.aside[i])
            .all(|i| found.positions[i][1] < lowest)
    );
    // Along a path the smoothest function is monotone, up to the degree of its ends.
    let along: Vec<f64> = (13..51).map(|i| found.positions[i][0]).collect();
    assert!(along.windows(2).all(|w| w[0] < w[1]) || along.windows(2).all(|w| w[0] > w[1]));
}

#[test]
fn anything_can_be_placed() {
    let planar = PlaneOptions {
        modes: 9,
        ..PlaneOptions::default()
    };
    let check = |found: Plane, rows: usize| {
        assert_eq!(found.samples.len(), rows);
        assert_eq!(found.positions.len(), rows);
        assert!(found.positions.iter().flatten().all(|v| v.is_finite()));
        let values = found.modes.iter().flat_map(|m| &m.values);
        assert!(values.clone().all(|v| v.is_finite()));
        assert!(found.modes.iter().all(|m| m.values.len() == rows));
    };
    for lengths in [&[1_u32, 1, 1][..], &[2, 2], &[3], &[2, 1], &[4, 4, 4]] {
        let graph = paths(lengths);
        let rows = graph.len();
        check(placed(&automatic(), Input::Graph(graph), &planar), rows);
    }
    for (n, d) in [(1, 1), (2, 1), (3, 2), (4, 1), (30, 1), (5, 40)] {
        let points = cloud(n, d, 3);
        check(placed(&automatic(), Input::Table(points), &planar), n);
    }
    let equal = Points::new(vec![1.0; 40], 20, 2).unwrap();
    check(placed(&automatic(), Input::Table(equal), &planar), 20);
}

#[test]
fn every_base_has_a_plane() {
    let points = cloud(50, 2, 4);
    let gaussian = KernelSpec::Gaussian {
        bandwidth: Bandwidth::Auto,
    };
    let mut kernel = automatic();
    kernel.kernel = Some(gaussian);
    let mut laplacian = automatic();
    laplacian.method = Method::laplacian(Task::Classify);
    for (recipe, word) in [(kernel, "kernel"), (laplacian, "kernel Laplacian")] {
        let found = placed(
            &recipe,
            Input::Table(points.clone()),
            &PlaneOptions::default(),
        );
        assert_eq!(found.kind, PlaneKind::Modes);
        assert!(found.how.ends_with(word), "{}", found.how);
        // No coordinate has one sign: it would tell nothing apart.
        for axis in 0..2 {
            let signs = found.positions.iter().map(|p| p[axis] > 0.0);
            assert!(signs.clone().any(|s| s) && signs.clone().any(|s| !s));
        }
    }
}

#[test]
fn labelled_rows_are_shown_first_and_the_rest_is_drawn() {
    let points = cloud(300, 2, 5);
    let planar = PlaneOptions {
        samples: 60,
        ..PlaneOptions::default()
    };
    let keep = [7, 150, 299];
    let input = || Input::Table(points.clone());
    let found = labelled_plane(&automatic(), input(), &keep, &planar);
    assert_eq!((found.samples.len(), found.total), (60, 300));
    assert!(found.samples.windows(2).all(|w| w[0] < w[1]));
    assert!(keep.iter().all(|i| found.samples.binary_search(i).is_ok()));
    let many: Vec<usize> = (0..200).collect();
    let found = labelled_plane(&automatic(), input(), &many, &planar);
    // Half of the places are not taken by labels.
    assert_eq!(found.samples.len(), 60);
    assert!(found.samples.iter().filter(|i| **i >= 200).count() >= 5);
}

/// Two arcs, and a label on one of them that belongs to the other.
fn arcs() -> (Points, Vec<Option<&'static str>>) {
    let x = (0..80).flat_map(|i| {
        let (arc, t) = (i % 2, (i / 2) as f64 / 13.0);
        [t.cos() + 3.0 * f64::from(arc), t.sin()]
    });
    let points = Points::new(x.collect(), 80, 2).unwrap();
    let mut y: Vec<Option<&str>> = (0..80)
        .map(|i| (i % 10 < 2).then_some(["left", "right"][(i % 2) as usize]))
        .collect();
    y[40] = Some("right");
    (points, y)
}

#[test]
fn a_map_says_what_a_fit_says() {
    let (points, y) = arcs();
    let targets = Targets::from_names(&y);
    let recipe = automatic();
    let input = || Input::Table(points.clone());
    let found = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.map(&PlaneOptions::default(), &mut Quiet));
    let found = found.unwrap();
    let model = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.fit(&mut Quiet))
        .unwrap();
    let answer = model.training_answer().unwrap();
    let names: Vec<Option<&str>> = (found.predicted.iter())
        .map(|p| p.map(|p| found.classes[p as usize].as_str()))
        .collect();
    assert_eq!(names, answer.names());
    assert_eq!(found.reached, answer.reached);
    assert_eq!(found.labels, y.iter().flatten().count());
    assert!((0..80).all(|i| found.labelled[i] == y[i].is_some()));
    // The labels that an evaluation lists, the one that is wrong first.
    let judged = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.evaluate(&EvaluateOptions::default(), &mut Quiet));
    let mut listed: Vec<usize> = judged.unwrap().suspects.iter().map(|s| s.sample).collect();
    assert_eq!(listed[0], 40);
    listed.sort_unstable();
    let doubted: Vec<usize> = (0..80).filter(|&i| found.suspicious[i]).collect();
    assert_eq!(doubted, listed);
    let plain = PlaneOptions {
        doubt: false,
        ..PlaneOptions::default()
    };
    let found = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.map(&plain, &mut Quiet))
        .unwrap();
    assert!(found.suspicious.iter().all(|s| !s));
}

#[test]
fn a_sampled_map_says_of_its_rows_what_the_whole_fit_says() {
    let (points, y) = arcs();
    let targets = Targets::from_names(&y);
    let planar = PlaneOptions {
        samples: 30,
        ..PlaneOptions::default()
    };
    let mut ridge = automatic();
    ridge.method = Method::KernelRidge(Default::default());
    for recipe in [automatic(), ridge] {
        let input = || Input::Table(points.clone());
        let map = |planar: &PlaneOptions| {
            Study::new(&recipe, input(), &targets)
                .and_then(|mut study| study.map(planar, &mut Quiet))
                .unwrap()
        };
        let (few, all) = (map(&planar), map(&PlaneOptions::default()));
        for (k, &i) in few.plane.samples.iter().enumerate() {
            assert_eq!(few.predicted[k], all.predicted[i]);
            let (a, b) = (few.confidence[k].unwrap(), all.confidence[i].unwrap());
            assert!((a - b).abs() < 1e-12);
            assert_eq!(few.labelled[k], y[i].is_some());
        }
    }
}

#[test]
fn decisions_are_what_the_model_says_of_the_middle_of_each_cell() {
    let (points, y) = arcs();
    let targets = Targets::from_names(&y);
    let recipe = automatic();
    let input = || Input::Table(points.clone());
    let found = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.decision(9, &mut Quiet))
        .unwrap();
    let model = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.fit(&mut Quiet))
        .unwrap();
    let at = |[low, high]: [f64; 2], k: usize| low + (high - low) * (k as f64 + 0.5) / 9.0;
    for k in 0..81 {
        let row = vec![at(found.first, k % 9), at(found.second, k / 9)];
        let asked = Points::new(row, 1, 2).unwrap();
        let answer = model.predict_rows(&asked, &mut Quiet).unwrap();
        let own = found.predicted[k].map(|c| found.classes[c as usize].as_str());
        assert_eq!(own, answer.names()[0]);
    }
    assert_eq!(found.labelled.len(), y.iter().flatten().count());
    let three = Input::Table(cloud(80, 3, 6));
    let refused = Study::new(&recipe, three, &targets)
        .and_then(|mut study| study.decision(9, &mut Quiet))
        .unwrap_err();
    assert!(refused.to_string().contains("there are 3"), "{refused}");
}

#[test]
fn a_crowded_plane_is_stretched_and_keeps_its_order() {
    // Nineteen of twenty samples within a hundredth of the width.
    let positions: Vec<[f64; 2]> = (0..200)
        .map(|i| {
            let v = f64::from(i);
            [if i < 190 { 0.00005 * v } else { v - 189.0 }, -v]
        })
        .collect();
    let plane = Plane {
        samples: (0..200).collect(),
        total: 200,
        kind: PlaneKind::Modes,
        how: String::new(),
        axes: [String::new(), String::new()],
        aside: vec![false; 200],
        positions,
        modes: Vec::new(),
    };
    let places = plane.stretched();
    assert!(places.iter().flatten().all(|v| (0.0..=1.0).contains(v)));
    assert!(
        places
            .windows(2)
            .all(|w| w[0][0] < w[1][0] && w[0][1] > w[1][1])
    );
    // Half of the width is given by ranks: the crowd has nearly all of that half.
    assert!(places[189][0] - places[0][0] > 0.47, "{:?}", places[189]);
}

#[test]
fn a_map_of_numbers_has_limits_that_one_far_out_does_not_move() {
    let (points, _) = arcs();
    let row = |i: usize| points.row(i)[0];
    let mut y: Vec<Option<f64>> = (0..80).map(|i| (i % 3 == 0).then(|| row(i))).collect();
    let map = |y: &[Option<f64>]| {
        let recipe = Recipe::on_graph(Task::Regress, 0);
        let (input, targets) = (Input::Table(points.clone()), Targets::Values(y.to_vec()));
        Study::new(&recipe, input, &targets)
            .and_then(|mut study| study.map(&PlaneOptions::default(), &mut Quiet))
            .unwrap()
    };
    let found = map(&y);
    assert_eq!(found.given_values, y);
    let mut plain = found.clone();
    let (low, high) = plain.limits().unwrap();
    plain.values[7] = Some(1e6);
    let (far_low, far_high) = plain.limits().unwrap();
    // Eighty numbers: the second percentile is the third of them, whatever the last is.
    assert!(
        far_high
            <= plain
                .values
                .iter()
                .flatten()
                .filter(|v| **v < 1e6)
                .fold(0.0, |m, v| v.max(m))
    );
    assert!((far_low - low).abs() < high - low);
    plain.values = vec![Some(2.0); 80];
    assert_eq!(plain.limits(), Some((2.0, 2.0)));
    plain.values = vec![None; 80];
    assert_eq!(plain.limits(), None);
    y[0] = None;
    assert_eq!(map(&y).given_values[0], None);
}

#[test]
fn joined_bins_are_apart_and_hold_every_label() {
    let confidence: Vec<f64> = (0..100)
        .map(|i| {
            if i < 10 {
                0.6
            } else {
                0.98 + 0.0002 * f64::from(i)
            }
        })
        .collect();
    let right: Vec<bool> = (0..100).map(|i| i % 9 != 0).collect();
    let found = isotherm::trust::reliability(&confidence, &right, 0.9, 0).unwrap();
    assert_eq!(found.bins.len(), 10);
    let bins = isotherm::study::reliability::joined(&found, 0.02).unwrap();
    assert_eq!(bins.iter().map(|b| b.rows).collect::<Vec<_>>(), [10, 90]);
    let sum: usize = found.bins[1..].iter().map(|b| b.right).sum();
    let exact = isotherm::trust::clopper_pearson(sum, 90, 0.9).unwrap();
    assert_eq!((bins[1].right, bins[1].interval), (sum, exact));
    let mean = confidence[10..].iter().sum::<f64>() / 90.0;
    assert!((bins[1].confidence - mean).abs() < 1e-12);
    assert_eq!(
        isotherm::study::reliability::joined(&found, 0.0).unwrap(),
        found.bins
    );
}

#[test]
fn a_balance_counts_labels_and_predictions_apart() {
    let classes = ["a".to_owned(), "b".to_owned()];
    let given = [Some(0), Some(1), None, None, None, Some(0)];
    let predicted = [Some(1), Some(1), Some(0), Some(0), None, Some(0)];
    let audit = [true, false, false, false, false, false];
    let found = Balance::count(&classes, &given, &predicted, Some(&audit)).unwrap();
    assert_eq!((found.labels, found.unlabelled, found.unreached), (3, 3, 1));
    // Shares of predictions are of these, and sum to one.
    let filled: usize = found.classes.iter().map(|c| c.predicted).sum();
    assert_eq!((found.filled(), filled), (2, 2));
    let counts: Vec<_> = (found.classes.iter())
        .map(|c| (c.given, c.audit, c.predicted))
        .collect();
    assert_eq!(counts, [(2, Some(1), 2), (1, Some(0), 0)]);
    assert!(Balance::count(&classes, &given, &predicted[..5], None).is_err());
}

#[test]
fn gains_are_the_transform_at_each_eigenvalue() {
    let (points, y) = arcs();
    let targets = Targets::from_names(&y);
    let mut recipe = automatic();
    recipe.method = Method::Stkr(StkrParams {
        transform: Transform::Power { degree: 4 },
        ..StkrParams::default()
    });
    let input = || Input::Table(points.clone());
    let found = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.spectrum(30, &mut Quiet))
        .unwrap();
    let values = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.eigenvalues(30, &mut Quiet))
        .unwrap();
    assert_eq!(found.eigenvalues, values);
    for (gain, value) in found.gains.iter().zip(&values) {
        assert!((gain - (value / values[0]).powi(4)).abs() < 1e-12);
    }
    let kept = found.kept.unwrap();
    assert!(found.gains[kept] < 0.01 && found.gains[..kept].iter().all(|g| *g >= 0.01));
    recipe.method = Method::Stkr(StkrParams {
        transform: Transform::Truncation {
            rank: 5,
            encoder: Default::default(),
        },
        ..StkrParams::default()
    });
    let found = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.spectrum(30, &mut Quiet))
        .unwrap();
    assert_eq!(found.kept, Some(5));
}
