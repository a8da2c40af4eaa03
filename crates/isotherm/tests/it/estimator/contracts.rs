//! The methods against closed forms and their contracts.

use isotherm::base::{Adjacency, Base, GraphBase, KernelBase, NeighbourBase, Storage};
use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, Links, Points};
use isotherm::estimator::baseline::{
    ClassMass, Harmonic, HarmonicParams, KernelRidge, KernelRidgeParams, LabelPropagation,
    LabelPropagationParams,
};
use isotherm::estimator::{Estimator, Prepared, TrivialMode};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::solve::Outcome;
use isotherm::task::Observed;
use isotherm::testing::operator::close;
use isotherm::testing::{estimator, random};

fn points(n: usize, d: usize, seed: u64) -> Points {
    let m = random(n, d, seed);
    let values = (0..n * d).map(|k| m[(k / d, k % d)]).collect();
    Points::new(values, n, d).unwrap()
}

/// A ring with chords: connected, not regular.
fn ring(n: u32) -> Graph {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(n as usize);
    for i in 0..n {
        builder.push(i, (i + 1) % n, None).unwrap();
        if i % 3 == 0 {
            builder.push(i, (i + n / 2) % n, None).unwrap();
        }
    }
    builder.finish(&mut Quiet).unwrap().0
}

fn links(n: usize, rows: &[(u32, u32, f64)], known: usize) -> Links {
    Links::new(n, known, rows).unwrap()
}

fn tight() -> LabelPropagationParams {
    LabelPropagationParams {
        tolerance: 1e-13,
        ..Default::default()
    }
}

#[test]
fn the_baselines_are_linear_in_their_labels() {
    let labelled = [0, 5, 9, 14, 20];
    let new = links(2, &[(0, 3, 1.0), (0, 7, 2.0), (1, 20, 1.0)], 30);
    let propagation = LabelPropagation::new(tight()).unwrap();
    let prepared = propagation
        .prepare(GraphBase::new(ring(30)), &mut Quiet)
        .unwrap();
    estimator::check(&prepared, &labelled, 30, &new, 1e-9).unwrap();

    let params = HarmonicParams {
        tolerance: 1e-13,
        ..Default::default()
    };
    let harmonic = Harmonic::new(params).unwrap();
    let prepared = harmonic
        .prepare(GraphBase::new(ring(30)), &mut Quiet)
        .unwrap();
    estimator::check(&prepared, &labelled, 30, &new, 1e-9).unwrap();

    let ridge = KernelRidge::new(KernelRidgeParams::default(), 0).unwrap();
    let prepared = ridge.prepare(points(30, 3, 1), &mut Quiet).unwrap();
    estimator::check(&prepared, &labelled, 30, &points(7, 3, 2), 1e-9).unwrap();
}

#[test]
fn kernel_ridge_is_the_closed_form_of_eqn_2() {
    let (x, y) = (points(12, 2, 3), random(12, 2, 4));
    let (sigma, beta) = (0.8, 0.01);
    let kernel = KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(sigma),
    };
    let params = KernelRidgeParams {
        kernel,
        ridge: beta,
        ..Default::default()
    };
    let seen = Observed::new((0..12).collect(), y.clone(), 12).unwrap();
    let fitted = KernelRidge::new(params, 0)
        .unwrap()
        .fit(x.clone(), &seen, &mut Quiet)
        .unwrap();
    let k = |a: &[f64], b: &[f64]| {
        let r: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
        (-r / (2.0 * sigma * sigma)).exp()
    };
    let system = Mat::from_fn(12, 12, |i, j| {
        k(&x.row(i), &x.row(j)) + if i == j { 12.0 * beta } else { 0.0 }
    });
    let new = points(5, 2, 5);
    let cross = Mat::from_fn(5, 12, |i, j| k(&new.row(i), &x.row(j)));
    let alpha = isotherm::solve::direct::symmetric(&system, y.as_ref())
        .unwrap()
        .0;
    let scores = fitted.scores(&new, &mut Quiet).unwrap();
    close("predictions", &scores.values, &(&cross * &alpha), 1e-11).unwrap();
    assert_eq!(fitted.report.outcome, Outcome::Direct);
    assert!(fitted.report.residual < 1e-13 && fitted.report.condition.unwrap() > 1.0);
}

#[test]
fn kernel_ridge_sees_labelled_rows_only() {
    let x = points(20, 2, 6);
    let kernel = KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(1.0),
    };
    let params = KernelRidgeParams {
        kernel,
        ..Default::default()
    };
    let ridge = KernelRidge::new(params, 0).unwrap();
    let index = vec![3, 8, 11];
    let seen = Observed::new(index.clone(), random(3, 1, 7), 20).unwrap();
    let alone = Observed::new(vec![0, 1, 2], random(3, 1, 7), 3).unwrap();
    let new = points(4, 2, 8);
    let all = ridge.fit(x.clone(), &seen, &mut Quiet).unwrap();
    let few = ridge
        .fit(x.select(&index).unwrap(), &alone, &mut Quiet)
        .unwrap();
    let a = all.scores(&new, &mut Quiet).unwrap().values;
    assert_eq!(a, few.scores(&new, &mut Quiet).unwrap().values);
}

#[test]
fn a_row_far_from_every_label_is_not_reached() {
    let x = points(10, 2, 9);
    let kernel = KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(0.5),
    };
    let params = KernelRidgeParams {
        kernel,
        ..Default::default()
    };
    let seen = Observed::new(vec![0, 1], random(2, 2, 10), 10).unwrap();
    let fitted = KernelRidge::new(params, 0)
        .unwrap()
        .fit(x, &seen, &mut Quiet)
        .unwrap();
    let far = Points::new(vec![0.0, 0.0, 1e3, 1e3], 2, 2).unwrap();
    let scores = fitted.scores(&far, &mut Quiet).unwrap();
    assert_eq!(scores.reached, [true, false]);
    assert_eq!((scores.values[(1, 0)], scores.values[(1, 1)]), (0.0, 0.0));
}

#[test]
fn equal_labelled_rows_and_no_ridge_to_speak_of_are_refused_with_a_way_out() {
    let x = Points::new(vec![1.0, 1.0, 2.0], 3, 1).unwrap();
    let kernel = KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(1.0),
    };
    let params = KernelRidgeParams {
        kernel,
        ridge: 1e-300,
        ..Default::default()
    };
    let seen = Observed::new(vec![0, 1, 2], random(3, 1, 1), 3).unwrap();
    let error = KernelRidge::new(params, 0)
        .unwrap()
        .fit(x, &seen, &mut Quiet)
        .unwrap_err();
    assert!(error.to_string().contains("raise ridge"), "{error}");
}

#[test]
fn exact_propagation_is_the_limit_of_its_steps() {
    let seen = Observed::new(vec![0, 10], random(2, 2, 11), 24).unwrap();
    let run = |steps| {
        let usual = match steps {
            Some(_) => LabelPropagationParams::default(),
            None => tight(),
        };
        let params = LabelPropagationParams {
            eta: 0.8,
            steps,
            ..usual
        };
        let method = LabelPropagation::new(params).unwrap();
        method
            .fit(GraphBase::new(ring(24)), &seen, &mut Quiet)
            .unwrap()
    };
    let exact = run(None).visible.unwrap().values;
    let stepped = run(Some(200)).visible.unwrap().values;
    close("200 steps and the exact solution", &stepped, &exact, 1e-12).unwrap();
}

#[test]
fn propagation_extends_to_new_nodes_by_its_own_equation() {
    // An unlabelled known node, given again as a new node with the same edges,
    // must receive the score it has: F(x) = η Σⱼ S(x, j) Fⱼ.
    let graph = ring(24);
    let seen = Observed::new(vec![0, 10], random(2, 2, 11), 24).unwrap();
    let method = LabelPropagation::new(tight()).unwrap();
    let fitted = method
        .fit(GraphBase::new(graph.clone()), &seen, &mut Quiet)
        .unwrap();
    let rows: Vec<(u32, u32, f64)> = (graph.neighbours(5).iter()).map(|&j| (0, j, 1.0)).collect();
    let again = fitted.scores(&links(1, &rows, 24), &mut Quiet).unwrap();
    let known = &fitted.visible.as_ref().unwrap().values;
    for j in 0..2 {
        assert!((again.values[(0, j)] - known[(5, j)]).abs() < 1e-11);
    }
}

#[test]
fn harmonic_values_are_averages_of_neighbours_and_labels_stay() {
    let graph = ring(24);
    let y = random(3, 1, 12);
    let seen = Observed::new(vec![2, 9, 17], y.clone(), 24).unwrap();
    let params = HarmonicParams {
        tolerance: 1e-13,
        ..Default::default()
    };
    let fitted = Harmonic::new(params)
        .unwrap()
        .fit(GraphBase::new(graph.clone()), &seen, &mut Quiet)
        .unwrap();
    let f = &fitted.visible.as_ref().unwrap().values;
    for i in 0..24 {
        let near = graph.neighbours(i);
        let mean = near.iter().map(|&j| f[(j as usize, 0)]).sum::<f64>() / near.len() as f64;
        match seen.index().iter().position(|&l| l == i) {
            Some(k) => assert_eq!(f[(i, 0)], y[(k, 0)]),
            None => assert!((f[(i, 0)] - mean).abs() < 1e-11, "node {i}"),
        }
    }
    let new = links(2, &[(0, 4, 1.0), (0, 9, 3.0)], 24);
    let scores = fitted.scores(&new, &mut Quiet).unwrap();
    let expected = (f[(4, 0)] + 3.0 * f[(9, 0)]) / 4.0;
    assert!((scores.values[(0, 0)] - expected).abs() < 1e-12);
    assert_eq!(
        scores.reached,
        [true, false],
        "a node without links is not reached"
    );
}

fn normalised() -> Harmonic {
    let params = HarmonicParams {
        tolerance: 1e-13,
        class_mass: ClassMass::Labelled,
        ..Default::default()
    };
    Harmonic::new(params).unwrap()
}

/// `(D − W)_uu f_u = W_ul y_l` by a dense factorisation, then `q_c f_c / Σ_u f_c`.
#[test]
fn normalised_class_masses_are_the_plain_formula() {
    let graph = ring(24);
    let (labelled, class) = ([2, 3, 9, 17], [0, 0, 1, 0]);
    let y = Mat::from_fn(4, 2, |k, c| if class[k] == c { 1.0 } else { 0.0 });
    let seen = Observed::new(labelled.to_vec(), y.clone(), 24).unwrap();
    let fitted = normalised()
        .fit(GraphBase::new(graph.clone()), &seen, &mut Quiet)
        .unwrap();

    let unknown: Vec<usize> = (0..24).filter(|i| !labelled.contains(i)).collect();
    let joined = |i: usize, j: usize| f64::from(graph.neighbours(i).contains(&(j as u32)));
    let laplacian = Mat::from_fn(20, 20, |a, b| {
        if a == b {
            graph.neighbours(unknown[a]).len() as f64
        } else {
            -joined(unknown[a], unknown[b])
        }
    });
    let pull = Mat::from_fn(20, 4, |a, k| joined(unknown[a], labelled[k]));
    let plain = isotherm::solve::direct::symmetric(&laplacian, (&pull * &y).as_ref())
        .unwrap()
        .0;
    let mass = |c: usize| plain.col(c).iter().sum::<f64>();
    let factor = [0.75 / mass(0), 0.25 / mass(1)];

    let scores = &fitted.visible.as_ref().unwrap().values;
    for (a, &i) in unknown.iter().enumerate() {
        for c in 0..2 {
            let gap = (scores[(i, c)] - factor[c] * plain[(a, c)]).abs();
            assert!(gap <= 1e-12 * factor[c], "node {i}, class {c}: {gap:e}");
        }
    }
    for (k, &i) in labelled.iter().enumerate() {
        assert_eq!((scores[(i, 0)], scores[(i, 1)]), (y[(k, 0)], y[(k, 1)]));
    }
    // A new node between an unlabelled and a labelled one: it has no label either.
    let at = unknown.iter().position(|&i| i == 4).unwrap();
    let new = fitted
        .scores(&links(1, &[(0, 4, 1.0), (0, 9, 3.0)], 24), &mut Quiet)
        .unwrap();
    for c in 0..2 {
        let expected = factor[c] * (plain[(at, c)] + 3.0 * y[(2, c)]) / 4.0;
        let gap = (new.values[(0, c)] - expected).abs();
        assert!(gap <= 1e-12 * factor[c], "class {c}: {gap:e}");
    }
}

#[test]
fn a_class_without_mass_keeps_its_zeros_and_numbers_have_no_classes() {
    // 0 – 1 – 2 – 3 and the pair 4 – 5, both of it labelled: no free node sees class 2.
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(6);
    for (a, b) in [(0, 1), (1, 2), (2, 3), (4, 5)] {
        builder.push(a, b, None).unwrap();
    }
    let (graph, _) = builder.finish(&mut Quiet).unwrap();
    let class = [(0, 0), (3, 1), (4, 2), (5, 2)];
    let y = Mat::from_fn(4, 3, |k, c| f64::from(u8::from(class[k].1 == c)));
    let seen = Observed::new(class.iter().map(|(i, _)| *i).collect(), y, 6).unwrap();
    let fit = |seen: &Observed| normalised().fit(GraphBase::new(graph.clone()), seen, &mut Quiet);
    let fitted = fit(&seen).unwrap();
    let scores = fitted.visible.unwrap().values;
    assert!(scores.is_all_finite());
    assert_eq!(
        (scores[(1, 2)], scores[(2, 2)], scores[(4, 2)]),
        (0.0, 0.0, 1.0)
    );
    // f₀ = (2/3, 1/3) along the chain, mass 1, q₀ = 1/4.
    assert!((scores[(1, 0)] - 1.0 / 6.0).abs() < 1e-12);

    let numbers = Observed::new(vec![0, 3], random(2, 1, 13), 6).unwrap();
    let said = fit(&numbers).unwrap_err().to_string();
    assert!(said.contains("class masses need a class"), "{said}");
}

#[test]
fn what_no_label_reaches_is_marked_and_zero() {
    // Two separate edges and an isolated node; only the first edge has a label.
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(5);
    builder.push(0, 1, None).unwrap();
    builder.push(2, 3, None).unwrap();
    let (graph, _) = builder.finish(&mut Quiet).unwrap();
    let seen = Observed::new(vec![0], Mat::from_fn(1, 2, |_, j| j as f64), 5).unwrap();
    let expected = [true, true, false, false, false];
    let base = || GraphBase::new(graph.clone());
    let lp = LabelPropagation::new(tight())
        .unwrap()
        .fit(base(), &seen, &mut Quiet)
        .unwrap();
    let ha = Harmonic::new(HarmonicParams::default())
        .unwrap()
        .fit(base(), &seen, &mut Quiet)
        .unwrap();
    for fitted in [lp, ha] {
        let visible = fitted.visible.as_ref().unwrap();
        assert_eq!(visible.reached, expected);
        assert!((2..5).all(|i| visible.values[(i, 1)] == 0.0));
        let new = links(2, &[(0, 1, 1.0), (1, 2, 1.0)], 5);
        assert_eq!(
            fitted.scores(&new, &mut Quiet).unwrap().reached,
            [true, false]
        );
    }
}

#[test]
fn steps_reach_exactly_as_far_as_they_go() {
    let path = |n: u32| {
        let mut builder = GraphBuilder::new(EdgeRules::default());
        (1..n).for_each(|i| builder.push(i - 1, i, None).unwrap());
        GraphBase::new(builder.finish(&mut Quiet).unwrap().0)
    };
    let seen = Observed::new(vec![0], Mat::from_fn(1, 1, |_, _| 1.0), 6).unwrap();
    let params = LabelPropagationParams {
        steps: Some(3),
        ..Default::default()
    };
    let fitted = LabelPropagation::new(params)
        .unwrap()
        .fit(path(6), &seen, &mut Quiet)
        .unwrap();
    // Step 1 writes y itself, so three steps carry it two edges.
    assert_eq!(
        fitted.visible.unwrap().reached,
        [true, true, true, false, false, false]
    );
}

#[test]
fn relabelling_the_nodes_relabels_the_scores() {
    let n = 24_u32;
    let graph = ring(n);
    let order = isotherm::data::cuthill_mckee(&graph, &mut Quiet).unwrap();
    let moved = graph.permuted(&order, &mut Quiet).unwrap();
    let y = random(2, 2, 13);
    let method = LabelPropagation::new(tight()).unwrap();
    let solve = |graph: Graph, index: Vec<usize>| {
        let seen = Observed::new(index, y.clone(), n as usize).unwrap();
        method
            .fit(GraphBase::new(graph), &seen, &mut Quiet)
            .unwrap()
            .visible
            .unwrap()
            .values
    };
    let a = solve(graph, vec![3, 15]);
    let b = solve(
        moved,
        vec![order.new_of(3) as usize, order.new_of(15) as usize],
    );
    for i in 0..n {
        for j in 0..2 {
            let there = b[(order.new_of(i) as usize, j)];
            assert!((a[(i as usize, j)] - there).abs() < 1e-12);
        }
    }
}

#[test]
fn scaling_all_weights_changes_nothing() {
    let build = |c: f64| {
        let mut builder = GraphBuilder::new(EdgeRules::default());
        for i in 0..15_u32 {
            builder
                .push(i, (i + 1) % 15, Some(c * f64::from(i + 1)))
                .unwrap();
        }
        GraphBase::new(builder.finish(&mut Quiet).unwrap().0)
    };
    let seen = Observed::new(vec![0, 7], random(2, 2, 14), 15).unwrap();
    let method = LabelPropagation::new(tight()).unwrap();
    let fit = |c| {
        method
            .fit(build(c), &seen, &mut Quiet)
            .unwrap()
            .visible
            .unwrap()
            .values
    };
    close("weights times 1000", &fit(1000.0), &fit(1.0), 1e-12).unwrap();
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let x = points(500, 6, 15);
    let seen = Observed::new(vec![1, 50, 99, 300], random(4, 3, 16), 500).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let base = NeighbourBase::new(x.clone(), 8, &mut Quiet).unwrap();
            let fitted = LabelPropagation::new(tight())
                .unwrap()
                .fit(base, &seen, &mut Quiet)
                .unwrap();
            let ridge = KernelRidge::new(KernelRidgeParams::default(), 0).unwrap();
            let ridge = ridge.fit(x.clone(), &seen, &mut Quiet).unwrap();
            let new = points(40, 6, 17);
            (
                fitted.visible.as_ref().unwrap().values.clone(),
                fitted.scores(&new, &mut Quiet).unwrap().values,
                ridge.scores(&new, &mut Quiet).unwrap().values,
            )
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(7));
}

#[test]
fn labels_for_another_number_of_samples_are_refused() {
    let seen = Observed::new(vec![0], random(1, 1, 1), 23).unwrap();
    let method = LabelPropagation::new(tight()).unwrap();
    assert!(
        method
            .fit(GraphBase::new(ring(24)), &seen, &mut Quiet)
            .is_err()
    );
}

#[test]
fn parameters_out_of_range_are_refused_before_data_is_touched() {
    for eta in [1.0, -0.1, f64::NAN] {
        let params = LabelPropagationParams {
            eta,
            ..Default::default()
        };
        let error = LabelPropagation::new(params).unwrap_err().to_string();
        assert!(
            error.starts_with("eta must be at least 0 and below 1, got"),
            "{error}"
        );
    }
    let params = LabelPropagationParams {
        steps: Some(0),
        ..Default::default()
    };
    assert!(LabelPropagation::new(params).is_err());
    let params = LabelPropagationParams {
        steps: Some(3),
        iterations: 7,
        ..Default::default()
    };
    let error = LabelPropagation::new(params).unwrap_err().to_string();
    assert!(error.contains("left out beside steps"), "{error}");
    for ridge in [0.0, -1.0, f64::INFINITY] {
        let params = KernelRidgeParams {
            ridge,
            ..Default::default()
        };
        assert!(KernelRidge::new(params, 0).is_err());
    }
    let params = HarmonicParams {
        tolerance: 0.0,
        ..Default::default()
    };
    assert!(Harmonic::new(params).is_err());
}

#[test]
fn stored_and_recomputed_bases_expand_alike() {
    let x = points(40, 3, 18);
    let kernel = || {
        KernelSpec::Gaussian {
            bandwidth: Bandwidth::Fixed(0.7),
        }
        .build()
        .unwrap()
    };
    let c = random(40, 2, 19);
    let apply = |storage| {
        let base = KernelBase::new(x.clone(), kernel(), storage);
        let mut out = Mat::zeros(40, 2);
        base.gram()
            .apply(c.as_ref(), out.as_mut(), &mut Quiet)
            .unwrap();
        out
    };
    close(
        "stored and tiled",
        &apply(Storage::Stored),
        &apply(Storage::Tiled),
        1e-13,
    )
    .unwrap();
}

#[test]
fn neighbour_graphs_join_rows_that_either_calls_near() {
    let x = Points::new(vec![0.0, 1.0, 2.1, 3.3, 50.0], 5, 1).unwrap();
    let base = NeighbourBase::new(x, 1, &mut Quiet).unwrap();
    let near: Vec<Vec<u32>> = (0..5)
        .map(|i| base.graph().neighbours(i).to_vec())
        .collect();
    assert_eq!(near, [vec![1], vec![0, 2], vec![1, 3], vec![2, 4], vec![3]]);
    let x = Points::new(vec![0.0, 1.0], 2, 1).unwrap();
    assert!(NeighbourBase::new(x, 2, &mut Quiet).is_err());
}

#[test]
fn one_preparation_serves_many_label_sets() {
    let method = LabelPropagation::new(tight()).unwrap();
    let prepared = method
        .prepare(GraphBase::new(ring(24)), &mut Quiet)
        .unwrap();
    for seed in 0..3 {
        let seen = Observed::new(vec![seed, 12], random(2, 1, seed as u64), 24).unwrap();
        let a = prepared
            .solve(&seen, &mut Quiet)
            .unwrap()
            .visible
            .unwrap()
            .values;
        let b = method
            .fit(GraphBase::new(ring(24)), &seen, &mut Quiet)
            .unwrap();
        assert_eq!(a, b.visible.unwrap().values);
    }
}

/// A ring of `first` nodes and one of the rest, both with chords.
fn two_rings(first: u32, rest: u32) -> Graph {
    let mut builder = GraphBuilder::new(EdgeRules::default());
    for (start, n) in [(0, first), (first, rest)] {
        for i in 0..n {
            builder.push(start + i, start + (i + 1) % n, None).unwrap();
            if i % 3 == 0 {
                let across = start + (i + n / 2) % n;
                builder.push(start + i, across, None).unwrap();
            }
        }
    }
    builder.finish(&mut Quiet).unwrap().0
}

#[test]
fn centred_labels_without_the_trivial_mode_are_the_projected_closed_form() {
    // Small: all in double precision. Large: single precision inside.
    for n in [40_usize, 1200] {
        let base = || GraphBase::new(ring(n as u32));
        let labelled = vec![0, 5, 9, 14, 33];
        let y = Mat::from_fn(5, 3, |k, j| f64::from(u8::from(j == [0, 1, 2, 1, 0][k])));
        let seen = Observed::new(labelled.clone(), y.clone(), n).unwrap();
        let degrees = base().graph().degrees();
        let total: f64 = degrees.iter().sum();
        let u: Vec<f64> = degrees.iter().map(|d| (d / total).sqrt()).collect();
        let project = |m: &Mat<f64>| {
            let along = |j: usize| (0..n).map(|i| u[i] * m[(i, j)]).sum::<f64>();
            Mat::from_fn(n, 3, |i, j| m[(i, j)] - u[i] * along(j))
        };
        for eta in [0.9, 0.999_999] {
            let params = LabelPropagationParams {
                eta,
                centre_labels: true,
                trivial_mode: TrivialMode::Remove,
                ..tight()
            };
            let fitted = LabelPropagation::new(params)
                .unwrap()
                .fit(base(), &seen, &mut Quiet)
                .unwrap();
            assert_eq!(fitted.report.outcome, Outcome::Converged);
            let mut lifted = Mat::zeros(n, 3);
            for (k, &i) in labelled.iter().enumerate() {
                for j in 0..3 {
                    let mean = (0..5).map(|k| y[(k, j)]).sum::<f64>() / 5.0;
                    lifted[(i, j)] = y[(k, j)] - mean;
                }
            }
            // With u uᵀ added the system is well conditioned and the same off u.
            let graph = ring(n as u32);
            let system = Mat::from_fn(n, n, |i, j| {
                let edge = graph.neighbours(i).contains(&(j as u32));
                let s = f64::from(u8::from(edge)) / (degrees[i] * degrees[j]).sqrt();
                f64::from(u8::from(i == j)) - eta * s + u[i] * u[j]
            });
            let rhs = project(&lifted);
            let exact = isotherm::solve::direct::symmetric(&system, rhs.as_ref())
                .unwrap()
                .0;
            let scores = fitted.visible.as_ref().unwrap();
            close("scores", &scores.values, &project(&exact), 1e-9).unwrap();
            // The coefficients hold nothing of the mode, so nor do new nodes.
            let columns = fitted.expansion.columns();
            for j in 0..3 {
                let along: f64 = (0..n).map(|i| u[i] * columns[(i, j)]).sum();
                let size = columns.col(j).norm_l2();
                assert!(along.abs() <= 1e-10 * size, "{along:e} of {size:e}");
            }
        }
    }
}

#[test]
fn a_component_with_labels_of_one_class_keeps_its_mode() {
    let base = || GraphBase::new(two_rings(20, 22));
    // Two classes in the first ring, one in the second.
    let y = Mat::from_fn(4, 2, |k, j| f64::from(u8::from(j == [0, 1, 1, 1][k])));
    let seen = Observed::new(vec![0, 7, 25, 31], y, 42).unwrap();
    let solve = |trivial_mode, steps| {
        let params = LabelPropagationParams {
            eta: 0.99,
            trivial_mode,
            steps,
            ..Default::default()
        };
        let method = LabelPropagation::new(params).unwrap();
        let fitted = method.fit(base(), &seen, &mut Quiet).unwrap();
        fitted.visible.unwrap().values
    };
    let degrees = base().graph().degrees();
    for steps in [None, Some(10)] {
        let (keep, remove) = (
            solve(TrivialMode::Keep, steps),
            solve(TrivialMode::Remove, steps),
        );
        for j in 0..2 {
            let along = |m: &Mat<f64>, range: std::ops::Range<usize>| {
                range.map(|i| degrees[i].sqrt() * m[(i, j)]).sum::<f64>()
            };
            assert!(along(&keep, 0..20) > 0.1);
            assert!(along(&remove, 0..20).abs() < 1e-9);
            for i in 20..42 {
                assert!((keep[(i, j)] - remove[(i, j)]).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn a_trivial_mode_that_is_not_known_is_not_removed() {
    let graph = ring(20);
    let degrees = graph.degrees().iter().map(|d| d + 1.0).collect();
    let base = GraphBase::with_degrees(graph, degrees).unwrap();
    let params = LabelPropagationParams {
        trivial_mode: TrivialMode::Remove,
        ..Default::default()
    };
    let seen = Observed::new(vec![0, 3], random(2, 2, 5), 20).unwrap();
    let refused = LabelPropagation::new(params)
        .unwrap()
        .fit(base, &seen, &mut Quiet);
    let message = refused.err().unwrap().to_string();
    assert!(message.contains("trivial mode"), "{message}");
}
