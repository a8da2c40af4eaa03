//! Every linear method's closed forms against refits.

use isotherm::base::{Base, GraphBase, KernelBase, NeighbourBase, Storage};
use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, Points};
use isotherm::estimator::baseline::{
    ClassMass, Harmonic, HarmonicParams, KernelRidge, KernelRidgeParams, LabelPropagation,
    LabelPropagationParams,
};
use isotherm::estimator::laplacian::{BasisSpec, Covariance, Laplacian, LaplacianParams};
use isotherm::estimator::stkr::{Repair, Ridge, Stkr, StkrParams};
use isotherm::estimator::{Estimator, Linear, Prepared, TrivialMode};
use isotherm::expansion::Fitted;
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::neighbours::Search;
use isotherm::spectrum::{Filter, Transform};
use isotherm::task::Observed;
use isotherm::testing::operator::close;
use isotherm::testing::random;

const LABELLED: [usize; 8] = [0, 3, 7, 12, 18, 21, 25, 29];

fn points(n: usize, d: usize, seed: u64) -> Points {
    let m = random(n, d, seed);
    let values = (0..n * d).map(|k| m[(k / d, k % d)]).collect();
    Points::new(values, n, d).unwrap()
}

fn ring(n: u32) -> Graph {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(n as usize);
    for i in 0..n {
        builder.push(i, (i + 1) % n, Some(1.0)).unwrap();
        if i % 3 == 0 {
            builder.push(i, (i + n / 2) % n, Some(2.0)).unwrap();
        }
    }
    builder.finish(&mut Quiet).unwrap().0
}

fn labels(n: usize, seed: u64) -> Mat<f64> {
    random(n, 3, seed)
}

/// Scores of all samples, by the fit itself or by its expansion.
fn everywhere<B: Base>(fitted: &Fitted<B>, queries: Option<&B::Query>) -> Mat<f64> {
    match (&fitted.visible, queries) {
        (Some(visible), _) => visible.values.clone(),
        (None, Some(queries)) => fitted.scores(queries, &mut Quiet).unwrap().values,
        (None, None) => panic!("nothing to ask"),
    }
}

/// Hat matrix, leave-one-out here and elsewhere, and influences of a method against
/// refits; `without` is the method with whatever counts labels kept as for all of them.
fn check<P: Linear, Q: Prepared<Base = P::Base>>(
    prepared: &P,
    without: &Q,
    seen: &Observed,
    queries: Option<&<P::Base as Base>::Query>,
    elsewhere: bool,
) {
    let n = seen.index().len();
    let y = seen.values();
    let smoother = prepared.smoother(seen, &mut Quiet).unwrap();
    let whole = everywhere(&prepared.solve(seen, &mut Quiet).unwrap(), queries);
    let at = |m: &Mat<f64>| Mat::from_fn(n, y.ncols(), |k, j| m[(seen.index()[k], j)]);
    close("hat", &smoother.fitted(y.as_ref()), &at(&whole), 1e-8).unwrap();

    let left = smoother.left_out(y.as_ref());
    let beta = prepared.influence(seen, &mut Quiet).unwrap();
    let beta = everywhere(&beta, queries);
    for i in 0..n {
        let keep: Vec<usize> = (0..n).filter(|&k| k != i).collect();
        let index: Vec<usize> = keep.iter().map(|&k| seen.index()[k]).collect();
        let values = Mat::from_fn(n - 1, y.ncols(), |k, j| y[(keep[k], j)]);
        let mut rest = Observed::new(index, values, seen.total()).unwrap();
        if let Some(w) = seen.weights() {
            rest = rest.weighted(keep.iter().map(|&k| w[k]).collect()).unwrap();
        }
        let refit = everywhere(&without.solve(&rest, &mut Quiet).unwrap(), queries);
        let own = Mat::from_fn(1, y.ncols(), |_, j| refit[(seen.index()[i], j)]);
        let said = Mat::from_fn(1, y.ncols(), |_, j| left[(i, j)]);
        close(&format!("label {i} left out"), &said, &own, 1e-8).unwrap();
        let x = 10; // not labelled
        let row: Vec<f64> = beta.row(x).iter().copied().collect();
        match smoother.left_out_at(&row, y.as_ref(), left.as_ref()) {
            Some(all) => {
                assert!(elsewhere);
                let said = Mat::from_fn(1, y.ncols(), |_, j| all[(i, j)]);
                let own = Mat::from_fn(1, y.ncols(), |_, j| refit[(x, j)]);
                close(&format!("elsewhere without label {i}"), &said, &own, 1e-8).unwrap();
            }
            None => assert!(!elsewhere),
        }
    }
    let nested = smoother.nested(y.as_ref(), &[1, 5], false).unwrap();
    assert!(nested.is_none() || elsewhere);
    if let Some(m) = smoother.penalty().unwrap() {
        let top = isotherm::linalg::eigen::symmetric(m.as_ref())
            .unwrap()
            .values;
        assert!(
            *top.first().unwrap() > -1e-9 && *top.last().unwrap() < 1.0 + 1e-9,
            "{top:?}"
        );
    }
}

fn seen(seed: u64) -> Observed {
    Observed::new(LABELLED.to_vec(), labels(8, seed), 30).unwrap()
}

fn weighed(seed: u64) -> Observed {
    let weights = vec![1.0, 2.0, 0.5, 1.0, 3.0, 0.25, 1.0, 1.5];
    seen(seed).weighted(weights).unwrap()
}

fn stkr(ridge: f64, change: impl Fn(StkrParams) -> StkrParams) -> Stkr {
    let params = StkrParams {
        ridge: Ridge::Fixed(ridge),
        tolerance: 1e-13,
        // Which repair is needed depends on the labels, and is chosen from all of them;
        // a refit would choose again.
        repair: Repair::PsdTwin,
        ..StkrParams::default()
    };
    Stkr::new(change(params)).unwrap()
}

#[test]
fn stkr_on_a_graph() {
    let forms: [&dyn Fn(StkrParams) -> StkrParams; 5] = [
        &|p| p,
        &|p| StkrParams {
            centre_labels: false,
            ..p
        },
        &|p| StkrParams {
            trivial_mode: TrivialMode::Keep,
            ..p
        },
        &|p| StkrParams {
            repair: Repair::Allow,
            ..p
        },
        &|p| StkrParams {
            transform: Transform::Power { degree: 2 },
            repair: Repair::Refuse,
            ..p
        },
    ];
    for change in forms {
        // nβ is kept: with a label less β is n/(n − 1) times as large.
        let ridge = 0.05;
        let base = || GraphBase::new(ring(30));
        let prepared = stkr(ridge, change).prepare(base(), &mut Quiet).unwrap();
        let without = stkr(ridge * 8.0 / 7.0, change)
            .prepare(base(), &mut Quiet)
            .unwrap();
        check(&prepared, &without, &seen(1), None, true);
    }
}

#[test]
fn stkr_on_rows() {
    let x = points(30, 2, 5);
    let forms: [&dyn Fn(StkrParams) -> StkrParams; 3] = [
        &|p| p,
        &|p| StkrParams {
            transform: Transform::Truncation {
                rank: 6,
                encoder: isotherm::spectrum::Encoder::All,
            },
            repair: Repair::Refuse,
            ..p
        },
        &|p| StkrParams {
            centre_kernel: true,
            centre_labels: false,
            ..p
        },
    ];
    for change in forms {
        let base = || {
            let kernel = KernelSpec::Gaussian {
                bandwidth: Bandwidth::Fixed(1.0),
            };
            KernelBase::new(x.clone(), kernel.build().unwrap(), Storage::Stored)
        };
        let prepared = stkr(0.1, change).prepare(base(), &mut Quiet).unwrap();
        let without = stkr(0.1 * 8.0 / 7.0, change)
            .prepare(base(), &mut Quiet)
            .unwrap();
        check(&prepared, &without, &seen(2), None, true);
    }
    let base = || NeighbourBase::find(x.clone(), 5, Search::Exact, 0, &mut Quiet).unwrap();
    let prepared = stkr(0.1, |p| p).prepare(base(), &mut Quiet).unwrap();
    let without = stkr(0.1 * 8.0 / 7.0, |p| p)
        .prepare(base(), &mut Quiet)
        .unwrap();
    check(&prepared, &without, &seen(3), None, true);
}

#[test]
fn a_component_whose_labels_agree_without_one_keeps_its_mode() {
    // Two rings; in the second all labels but one are equal.
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(30);
    for i in 0..15_u32 {
        builder.push(i, (i + 1) % 15, None).unwrap();
        builder.push(15 + i, 15 + (i + 1) % 15, None).unwrap();
        if i % 4 == 0 {
            builder.push(i, (i + 6) % 15, None).unwrap();
        }
    }
    let graph = builder.finish(&mut Quiet).unwrap().0;
    let class = [0, 1, 0, 1, 2, 2, 2, 1];
    let values = Mat::from_fn(8, 3, |i, j| f64::from(class[i] == j));
    let seen = Observed::new(LABELLED.to_vec(), values, 30).unwrap();
    let prepared = stkr(0.05, |p| p)
        .prepare(GraphBase::new(graph.clone()), &mut Quiet)
        .unwrap();
    let without = stkr(0.05 * 8.0 / 7.0, |p| p)
        .prepare(GraphBase::new(graph), &mut Quiet)
        .unwrap();
    let smoother = prepared.smoother(&seen, &mut Quiet).unwrap();
    let left = smoother.left_out(seen.values().as_ref());
    for i in 0..8 {
        let keep: Vec<usize> = (0..8).filter(|&k| k != i).collect();
        let index: Vec<usize> = keep.iter().map(|&k| LABELLED[k]).collect();
        let values = Mat::from_fn(7, 3, |k, j| seen.values()[(keep[k], j)]);
        let rest = Observed::new(index, values, 30).unwrap();
        let refit = without.solve(&rest, &mut Quiet).unwrap().visible.unwrap();
        for j in 0..3 {
            let (a, b) = (left[(i, j)], refit.values[(LABELLED[i], j)]);
            assert!(
                (a - b).abs() < 1e-8 * (1.0 + b.abs()),
                "label {i}, class {j}: {a} and {b}"
            );
        }
    }
}

#[test]
fn kernel_ridge() {
    let x = points(30, 2, 7);
    let ridge = |ridge| {
        let params = KernelRidgeParams {
            ridge,
            ..Default::default()
        };
        KernelRidge::new(params, 0)
            .unwrap()
            .prepare(x.clone(), &mut Quiet)
            .unwrap()
    };
    check(
        &ridge(0.1),
        &ridge(0.1 * 8.0 / 7.0),
        &seen(4),
        Some(&x),
        true,
    );
}

#[test]
fn label_propagation() {
    for params in [
        LabelPropagationParams {
            tolerance: 1e-13,
            ..Default::default()
        },
        LabelPropagationParams {
            tolerance: 1e-13,
            centre_labels: true,
            ..Default::default()
        },
        LabelPropagationParams {
            steps: Some(9),
            ..Default::default()
        },
    ] {
        let method = LabelPropagation::new(params).unwrap();
        let prepared = method
            .prepare(GraphBase::new(ring(30)), &mut Quiet)
            .unwrap();
        check(&prepared, &prepared, &seen(5), None, true);
    }
}

#[test]
fn harmonic() {
    let params = HarmonicParams {
        tolerance: 1e-13,
        ..Default::default()
    };
    let method = Harmonic::new(params).unwrap();
    let prepared = method
        .prepare(GraphBase::new(ring(30)), &mut Quiet)
        .unwrap();
    check(&prepared, &prepared, &seen(6), None, true);

    let mass = HarmonicParams {
        class_mass: ClassMass::Labelled,
        ..Default::default()
    };
    let prepared = Harmonic::new(mass).unwrap();
    let prepared = prepared
        .prepare(GraphBase::new(ring(30)), &mut Quiet)
        .unwrap();
    let refused = prepared
        .smoother(&seen(6), &mut Quiet)
        .unwrap_err()
        .to_string();
    assert!(refused.contains("not linear"), "{refused}");
}

fn laplacian(
    x: &Points,
    strength: f64,
    change: impl Fn(LaplacianParams) -> LaplacianParams,
) -> isotherm::estimator::laplacian::PreparedLaplacian {
    let params = LaplacianParams {
        kernel: KernelSpec::Gaussian {
            bandwidth: Bandwidth::Fixed(1.2),
        },
        basis: BasisSpec::Rows {
            index: (0..20).collect(),
            derivatives: false,
        },
        filter: Some(Filter::Tikhonov { strength }),
        ..Default::default()
    };
    Laplacian::new(change(params), 0)
        .unwrap()
        .prepare(x.clone(), &mut Quiet)
        .unwrap()
}

#[test]
fn kernel_laplacian() {
    let x = points(30, 2, 8);
    for free in [false, true] {
        let change = |p| LaplacianParams {
            free_constant: free,
            ..p
        };
        // n_ℓλ is kept.
        check(
            &laplacian(&x, 0.3, change),
            &laplacian(&x, 0.3 * 8.0 / 7.0, change),
            &seen(9),
            Some(&x),
            true,
        );
    }
    for filter in [
        Filter::Heat { time: 0.5 },
        Filter::GradientFlow { time: 2.0 },
    ] {
        let change = |p| LaplacianParams {
            filter: Some(filter.clone()),
            ..p
        };
        let prepared = laplacian(&x, 0.3, change);
        check(&prepared, &prepared, &seen(9), Some(&x), false);
    }
    let change = |p| LaplacianParams {
        covariance: Covariance::All,
        ..p
    };
    let prepared = laplacian(&x, 0.3, change);
    check(&prepared, &prepared, &seen(9), Some(&x), false);
}

/// A fold left out against the method without it; `fewer` keeps what counts labels as it
/// was for all eight.
fn check_fold<P: Linear>(all: &P, fewer: &P, queries: Option<&<P::Base as Base>::Query>) {
    let seen = seen(20);
    let y = seen.values();
    let (fold, rest) = ([1, 5], [0, 2, 3, 4, 6, 7]);
    let smoother = all.smoother(&seen, &mut Quiet).unwrap();
    let nested = smoother.nested(y.as_ref(), &fold, false).unwrap().unwrap();
    assert_eq!(nested.rest, rest);
    let values = Mat::from_fn(6, 3, |k, j| y[(rest[k], j)]);
    let index = rest.iter().map(|&k| LABELLED[k]).collect();
    let six = Observed::new(index, values, 30).unwrap();
    let left = fewer.smoother(&six, &mut Quiet).unwrap();
    let left = left.left_out(six.values().as_ref());
    close("inner", &nested.inner, &left, 1e-8).unwrap();
    let refit = everywhere(&fewer.solve(&six, &mut Quiet).unwrap(), queries);
    let outer = Mat::from_fn(2, 3, |k, j| refit[(LABELLED[fold[k]], j)]);
    close("outer", &nested.outer, &outer, 1e-8).unwrap();
}

#[test]
fn a_fold_can_be_left_out_too() {
    let x = points(30, 2, 17);
    let ridge = |ridge| {
        let params = KernelRidgeParams {
            ridge,
            ..Default::default()
        };
        let method = KernelRidge::new(params, 0).unwrap();
        method.prepare(x.clone(), &mut Quiet).unwrap()
    };
    check_fold(&ridge(0.1), &ridge(0.1 * 8.0 / 6.0), Some(&x));
    check_fold(
        &laplacian(&x, 0.3, |p| p),
        &laplacian(&x, 0.3 * 8.0 / 6.0, |p| p),
        Some(&x),
    );
    let graph = |beta| {
        let method = stkr(beta, |p| p);
        method
            .prepare(GraphBase::new(ring(30)), &mut Quiet)
            .unwrap()
    };
    check_fold(&graph(0.05), &graph(0.05 * 8.0 / 6.0), None);
    let params = LabelPropagationParams {
        tolerance: 1e-13,
        ..Default::default()
    };
    let method = LabelPropagation::new(params).unwrap();
    let prepared = method
        .prepare(GraphBase::new(ring(30)), &mut Quiet)
        .unwrap();
    check_fold(&prepared, &prepared, None);
    let params = HarmonicParams {
        tolerance: 1e-13,
        ..Default::default()
    };
    let method = Harmonic::new(params).unwrap();
    let prepared = method
        .prepare(GraphBase::new(ring(30)), &mut Quiet)
        .unwrap();
    check_fold(&prepared, &prepared, None);
}

#[test]
fn weights_are_repeated_labels() {
    // Kernel ridge looks at labelled rows only, so a label of weight 2 is a row given twice.
    let x = points(6, 2, 11);
    let y = random(6, 2, 12);
    let params = KernelRidgeParams {
        kernel: KernelSpec::Gaussian {
            bandwidth: Bandwidth::Fixed(1.0),
        },
        ..Default::default()
    };
    let method = KernelRidge::new(params, 0).unwrap();
    let once = Observed::new((0..6).collect(), y.clone(), 6).unwrap();
    let weighed = once.weighted(vec![1.0, 2.0, 1.0, 3.0, 1.0, 2.0]).unwrap();
    let one = method.fit(x.clone(), &weighed, &mut Quiet).unwrap();
    let repeated: Vec<usize> = vec![0, 1, 1, 2, 3, 3, 3, 4, 5, 5];
    let rows = x.select(&repeated).unwrap();
    let values = Mat::from_fn(10, 2, |i, j| y[(repeated[i], j)]);
    let many = Observed::new((0..10).collect(), values, 10).unwrap();
    let two = method.fit(rows, &many, &mut Quiet).unwrap();
    let new = points(9, 2, 13);
    let (a, b) = (
        one.scores(&new, &mut Quiet).unwrap(),
        two.scores(&new, &mut Quiet).unwrap(),
    );
    close("weights and repeats", &a.values, &b.values, 1e-9).unwrap();
}

#[test]
fn weighed_labels_have_closed_forms_too() {
    let x = points(30, 2, 14);
    // Leaving a label out changes the mean weight, and with it what a ridge means.
    let w = weighed(1).weights().unwrap().to_vec();
    let base = || GraphBase::new(ring(30));
    let prepared = stkr(0.05, |p| p).prepare(base(), &mut Quiet).unwrap();
    let smoother = prepared.smoother(&weighed(1), &mut Quiet).unwrap();
    let left = smoother.left_out(weighed(1).values().as_ref());
    let ridge = |beta| {
        let params = KernelRidgeParams {
            ridge: beta,
            ..Default::default()
        };
        KernelRidge::new(params, 0)
            .unwrap()
            .prepare(x.clone(), &mut Quiet)
            .unwrap()
    };
    let by_rows = ridge(0.1).smoother(&weighed(2), &mut Quiet).unwrap();
    let left_rows = by_rows.left_out(weighed(2).values().as_ref());
    let gradient = laplacian(&x, 0.3, |p| p);
    let by_gradient = gradient.smoother(&weighed(3), &mut Quiet).unwrap();
    let left_gradient = by_gradient.left_out(weighed(3).values().as_ref());
    for i in 0..8 {
        let keep: Vec<usize> = (0..8).filter(|&k| k != i).collect();
        let rest = |seen: Observed| {
            let index = keep.iter().map(|&k| LABELLED[k]).collect();
            let values = Mat::from_fn(7, 3, |k, j| seen.values()[(keep[k], j)]);
            let rest = Observed::new(index, values, 30).unwrap();
            rest.weighted(keep.iter().map(|&k| w[k]).collect()).unwrap()
        };
        // nβ/wᵢ is kept.
        let mean = keep.iter().map(|&k| w[k]).sum::<f64>() / 7.0;
        let factor = 8.0 / 7.0 / mean;
        let refit = stkr(0.05 * factor, |p| p)
            .prepare(base(), &mut Quiet)
            .unwrap();
        let refit = refit
            .solve(&rest(weighed(1)), &mut Quiet)
            .unwrap()
            .visible
            .unwrap()
            .values;
        let rows = ridge(0.1 * factor)
            .solve(&rest(weighed(2)), &mut Quiet)
            .unwrap();
        let rows = rows.scores(&x, &mut Quiet).unwrap().values;
        let bent = laplacian(&x, 0.3 * factor, |p| p)
            .solve(&rest(weighed(3)), &mut Quiet)
            .unwrap();
        let bent = bent.scores(&x, &mut Quiet).unwrap().values;
        for j in 0..3 {
            let pairs = [
                ("stkr", left[(i, j)], refit[(LABELLED[i], j)]),
                ("kernel ridge", left_rows[(i, j)], rows[(LABELLED[i], j)]),
                ("laplacian", left_gradient[(i, j)], bent[(LABELLED[i], j)]),
            ];
            for (method, a, b) in pairs {
                assert!(
                    (a - b).abs() < 1e-8 * (1.0 + b.abs()),
                    "{method}, label {i}: {a} {b}"
                );
            }
        }
    }
}

#[test]
fn a_fit_to_weighed_labels_minimises_the_weighed_objective() {
    let x = points(30, 2, 15);
    let (strength, share) = (0.3, 1.0 / 30.0);
    let prepared = laplacian(&x, strength, |p| p);
    let seen = weighed(4);
    let w = seen.weights().unwrap();
    let objective = |fitted: &Fitted<isotherm::base::FeatureBase>| -> f64 {
        let g = fitted.scores(&x, &mut Quiet).unwrap().values;
        let mut fit = 0.0;
        for (k, &i) in LABELLED.iter().enumerate() {
            for j in 0..3 {
                fit += w[k] * (g[(i, j)] - seen.values()[(k, j)]).powi(2) / 8.0;
            }
        }
        let energy = prepared.energy(fitted, &mut Quiet).unwrap();
        fit + strength * energy.iter().map(|(e, norm)| e + share * norm).sum::<f64>()
    };
    let best = objective(&prepared.solve(&seen, &mut Quiet).unwrap());
    let plain = Observed::new(LABELLED.to_vec(), seen.values().clone(), 30).unwrap();
    assert!(best < objective(&prepared.solve(&plain, &mut Quiet).unwrap()) - 1e-6);
    for seed in 0..5 {
        let noise = labels(8, 40 + seed);
        let moved = Mat::from_fn(8, 3, |i, j| seen.values()[(i, j)] + 0.05 * noise[(i, j)]);
        let other = seen.with_values(moved).unwrap();
        assert!(best < objective(&prepared.solve(&other, &mut Quiet).unwrap()));
    }
}

#[test]
fn weights_that_are_none_are_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut weights = vec![1.0; 8];
        weights[3] = bad;
        let refused = seen(1).weighted(weights).unwrap_err().to_string();
        assert!(
            refused.contains("12") && refused.contains("weight"),
            "{refused}"
        );
    }
    assert!(seen(1).weighted(vec![1.0; 7]).is_err());
    assert!(seen(1).weighted(vec![4.0; 8]).unwrap().weights().is_none());
    let method = Harmonic::new(HarmonicParams::default()).unwrap();
    let refused = method.fit(GraphBase::new(ring(30)), &weighed(1), &mut Quiet);
    assert!(refused.unwrap_err().to_string().contains("weigh"));
}
