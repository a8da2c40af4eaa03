//! Fits to some of the labels against refits to them alone.

use isotherm::base::{Base, GraphBase, KernelBase, Storage};
use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, Points};
use isotherm::estimator::baseline::{
    Harmonic, HarmonicParams, KernelRidge, KernelRidgeParams, LabelPropagation,
    LabelPropagationParams,
};
use isotherm::estimator::laplacian::{BasisSpec, Covariance, Laplacian, LaplacianParams};
use isotherm::estimator::stkr::{Repair, Ridge, Stkr, StkrParams};
use isotherm::estimator::{Estimator, Linear, TrivialMode};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::spectrum::{Filter, Transform};
use isotherm::task::Observed;
use isotherm::testing::operator::close;
use isotherm::testing::random;

const LABELLED: [usize; 9] = [0, 3, 7, 12, 18, 21, 25, 29, 33];

/// Training labels and others, some labels in neither.
const PARTS: [(&[usize], &[usize]); 4] = [
    (&[0, 2, 5, 6], &[1, 3, 4, 7]),
    (&[1, 4], &[0, 2, 3, 5, 6, 7]),
    (&[7, 0, 3, 6, 2, 1], &[5]),
    (&[0, 1, 2, 3, 4, 5, 6, 7, 8], &[]),
];

fn points(seed: u64) -> Points {
    let m = random(36, 2, seed);
    let values = (0..72).map(|k| m[(k / 2, k % 2)]).collect();
    Points::new(values, 36, 2).unwrap()
}

/// A ring with chords of 30 nodes, and another of 6 in which 33 is the only label.
fn two_parts() -> Graph {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(36);
    for i in 0..30 {
        // No symmetry: labels that cancel exactly would leave nothing to compare.
        let weight = 1.0 + 0.1 * f64::from(i % 7);
        builder.push(i, (i + 1) % 30, Some(weight)).unwrap();
        if i % 3 == 0 {
            builder.push(i, (i + 15) % 30, Some(2.0)).unwrap();
        }
    }
    for i in 0..6 {
        builder.push(30 + i, 30 + (i + 1) % 6, Some(1.0)).unwrap();
    }
    builder.finish(&mut Quiet).unwrap().0
}

/// Classes, so that labels of a component can agree.
fn classes() -> Observed {
    let of = [0, 0, 1, 0, 2, 1, 0, 2, 1];
    let y = Mat::from_fn(9, 3, |i, c| if of[i] == c { 1.0 } else { 0.0 });
    Observed::new(LABELLED.to_vec(), y, 36).unwrap()
}

fn numbers(seed: u64) -> Observed {
    Observed::new(LABELLED.to_vec(), random(9, 2, seed), 36).unwrap()
}

fn check<P: Linear>(prepared: &P, seen: &Observed, queries: Option<&<P::Base as Base>::Query>) {
    let y = seen.values();
    let subsets = prepared.subsets(seen, &mut Quiet).unwrap();
    for (train, others) in PARTS {
        let found = subsets.scores(train, others, y.as_ref(), false).unwrap();
        let own = Mat::from_fn(train.len(), y.ncols(), |a, c| y[(train[a], c)]);
        // Labels are in the order of their samples.
        let mut order: Vec<usize> = (0..train.len()).collect();
        order.sort_by_key(|&a| train[a]);
        let values = Mat::from_fn(train.len(), y.ncols(), |a, c| own[(order[a], c)]);
        let index = order.iter().map(|&a| LABELLED[train[a]]).collect();
        let alone = Observed::new(index, values, 36).unwrap();
        let fitted = prepared.solve(&alone, &mut Quiet).unwrap();
        let scores = match (&fitted.visible, queries) {
            (Some(visible), _) => visible.clone(),
            (None, Some(queries)) => fitted.scores(queries, &mut Quiet).unwrap(),
            (None, None) => panic!("nothing to ask"),
        };
        let twin = Mat::from_fn(others.len(), y.ncols(), |b, c| {
            scores.values[(LABELLED[others[b]], c)]
        });
        close("others", &found.values, &twin, 1e-7).unwrap();
        let reached: Vec<bool> = (others.iter())
            .map(|&b| scores.reached[LABELLED[b]])
            .collect();
        assert_eq!(found.reached, reached);
    }
}

fn stkr(change: impl Fn(StkrParams) -> StkrParams) -> Stkr {
    let params = StkrParams {
        ridge: Ridge::Fixed(0.05),
        tolerance: 1e-13,
        ..StkrParams::default()
    };
    Stkr::new(change(params)).unwrap()
}

#[test]
fn stkr_on_a_graph_of_two_parts() {
    let forms: [&dyn Fn(StkrParams) -> StkrParams; 7] = [
        &|p| p,
        &|p| StkrParams {
            centre_labels: false,
            trivial_mode: TrivialMode::Remove,
            ..p
        },
        &|p| StkrParams {
            trivial_mode: TrivialMode::Keep,
            ..p
        },
        &|p| StkrParams {
            repair: Repair::PsdTwin,
            ..p
        },
        &|p| StkrParams {
            transform: Transform::Power { degree: 2 },
            ..p
        },
        // Two hops reach some labels only.
        &|p| StkrParams {
            transform: Transform::Power { degree: 2 },
            trivial_mode: TrivialMode::Keep,
            ..p
        },
        &|p| StkrParams {
            ridge: Ridge::Auto,
            transform: Transform::Power { degree: 4 },
            ..p
        },
    ];
    for change in forms {
        let base = GraphBase::new(two_parts());
        let prepared = stkr(change).prepare(base, &mut Quiet).unwrap();
        check(&prepared, &classes(), None);
        check(&prepared, &numbers(1), None);
    }
}

#[test]
fn stkr_and_kernel_ridge_on_rows() {
    let x = points(2);
    let kernel = KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(0.9),
    };
    let base = KernelBase::new(x.clone(), kernel.build().unwrap(), Storage::Auto);
    let prepared = stkr(|p| StkrParams {
        transform: Transform::Power { degree: 2 },
        ..p
    });
    let prepared = prepared.prepare(base, &mut Quiet).unwrap();
    check(&prepared, &numbers(3), None);
    let ridge = KernelRidge::new(KernelRidgeParams::default(), 0).unwrap();
    let prepared = ridge.prepare(x.clone(), &mut Quiet).unwrap();
    check(&prepared, &numbers(4), Some(&x));
}

#[test]
fn harmonic_and_label_propagation() {
    let params = HarmonicParams {
        tolerance: 1e-13,
        ..Default::default()
    };
    let method = Harmonic::new(params).unwrap();
    let base = || GraphBase::new(two_parts());
    let prepared = method.prepare(base(), &mut Quiet).unwrap();
    check(&prepared, &numbers(5), None);
    let plain = LabelPropagationParams {
        tolerance: 1e-13,
        ..Default::default()
    };
    for params in [
        plain.clone(),
        LabelPropagationParams {
            centre_labels: true,
            trivial_mode: TrivialMode::Remove,
            ..plain.clone()
        },
        LabelPropagationParams {
            trivial_mode: TrivialMode::Remove,
            ..plain
        },
        LabelPropagationParams {
            steps: Some(40),
            trivial_mode: TrivialMode::Remove,
            ..Default::default()
        },
    ] {
        let method = LabelPropagation::new(params).unwrap();
        let prepared = method.prepare(base(), &mut Quiet).unwrap();
        check(&prepared, &classes(), None);
    }
}

#[test]
fn kernel_laplacians_under_every_covariance_and_some_filters() {
    let x = points(6);
    let filters = [
        Filter::Tikhonov { strength: 0.05 },
        Filter::GradientFlow { time: 30.0 },
    ];
    for filter in filters {
        for covariance in [Covariance::Labelled, Covariance::All] {
            for free_constant in [false, true] {
                let params = LaplacianParams {
                    kernel: KernelSpec::Gaussian {
                        bandwidth: Bandwidth::Fixed(1.2),
                    },
                    basis: BasisSpec::Rows {
                        index: (0..20).collect(),
                        derivatives: false,
                    },
                    filter: Some(filter.clone()),
                    covariance,
                    free_constant,
                    ..Default::default()
                };
                let method = Laplacian::new(params, 0).unwrap();
                let prepared = method.prepare(x.clone(), &mut Quiet).unwrap();
                check(&prepared, &numbers(7), Some(&x));
            }
        }
    }
}

#[test]
fn means_are_put_back_where_values_are_asked_for() {
    let method = KernelRidge::new(KernelRidgeParams::default(), 0).unwrap();
    let prepared = method.prepare(points(8), &mut Quiet).unwrap();
    let (seen, train) = (numbers(9), [0, 2, 5, 6]);
    let y = seen.values().as_ref();
    let subsets = prepared.subsets(&seen, &mut Quiet).unwrap().centred();
    let deviations = subsets.scores(&train, &[1, 3], y, false).unwrap().values;
    let values = subsets.scores(&train, &[1, 3], y, true).unwrap().values;
    for c in 0..2 {
        let mean = train.iter().map(|&i| y[(i, c)]).sum::<f64>() / 4.0;
        for b in 0..2 {
            assert!((values[(b, c)] - deviations[(b, c)] - mean).abs() < 1e-14);
        }
    }
}

#[test]
fn labels_with_weights_are_refused() {
    let method = KernelRidge::new(KernelRidgeParams::default(), 0).unwrap();
    let prepared = method.prepare(points(8), &mut Quiet).unwrap();
    let weights = vec![1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    let seen = numbers(9).weighted(weights).unwrap();
    let refused = prepared.subsets(&seen, &mut Quiet).unwrap_err().to_string();
    assert!(refused.contains("weights"), "{refused}");
}
