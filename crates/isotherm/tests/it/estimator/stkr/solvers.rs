//! The solver does not change the model: every route to a fit ends at the same scores.

use super::{base, columns, dense, function, rows, seen, solve};
use isotherm::base::{Base, GraphBase, KernelBase, Normalisation, SimilarityBase, Storage};
use isotherm::data::graph::EdgeRules;
use isotherm::data::{GraphBuilder, Points};
use isotherm::estimator::stkr::{Repair, Ridge, Solver, Stkr, StkrParams};
use isotherm::estimator::{Estimator, TrivialMode};
use isotherm::kernel::KernelSpec;
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::spectrum::{SpectralFunction, Transform};
use isotherm::task::Observed;
use isotherm::testing::operator::close;
use isotherm::testing::random;

/// The tolerance of the golden cases.
const GOLDEN: f64 = 1e-8;

fn weights() -> Vec<f64> {
    (0..10).map(|i| 0.5 + (i % 4) as f64).collect()
}

fn fit<B: Base>(base: B, seen: &Observed, params: StkrParams) -> (Mat<f64>, String) {
    let fitted = Stkr::new(params).unwrap().fit(base, seen, &mut Quiet);
    let fitted = fitted.unwrap();
    let choice = fitted.report.choice.unwrap();
    (fitted.visible.unwrap().values, choice)
}

/// Scores of the kernel `N s(S) + lift` with the ridge `share · nβ/wᵢ`, every mode kept.
fn formula(
    s: impl Fn(f64) -> f64,
    gram: &Mat<f64>,
    seen: &Observed,
    ridge: f64,
    (lift, share): (f64, f64),
) -> Mat<f64> {
    let (total, n) = (gram.nrows() as f64, seen.index().len());
    let kernel = function(gram, |v| total * s(v) + lift);
    let mut system = rows(&columns(&kernel, seen.index()), seen.index());
    for i in 0..n {
        let weight = seen.weights().map_or(1.0, |w| w[i]);
        system[(i, i)] += share * n as f64 * ridge / weight;
    }
    columns(&kernel, seen.index()) * solve(&system, seen.values())
}

fn iterating(transform: Transform, ridge: f64, solver: Solver) -> StkrParams {
    StkrParams {
        transform,
        ridge: Ridge::Fixed(ridge),
        solver,
        tolerance: 1e-13,
        iterations: 200_000,
        ..Default::default()
    }
}

#[test]
fn every_solver_fits_the_same_model_with_and_without_weights_at_every_ridge() {
    let mut compared = 0;
    for normalisation in [Normalisation::Symmetric, Normalisation::Lazy] {
        for transform in [
            Transform::InverseLaplacian { eta: 0.9 },
            Transform::Power { degree: 1 },
            Transform::Power { degree: 2 },
            Transform::Diffusion { time: 2.0 },
        ] {
            for ridge in [1e-3, 0.1, 3.0, 300.0] {
                for weighted in [false, true] {
                    for (trivial_mode, centre_labels) in
                        [(TrivialMode::Remove, true), (TrivialMode::Keep, false)]
                    {
                        let mut seen = seen(60);
                        if weighted {
                            seen = seen.weighted(weights()).unwrap();
                        }
                        let by = |solver| {
                            let params = StkrParams {
                                trivial_mode,
                                centre_labels,
                                ..iterating(transform.clone(), ridge, solver)
                            };
                            fit(base(normalisation), &seen, params).0
                        };
                        let first = by(Solver::LabelBlock);
                        let mut others = vec![
                            Solver::Direct,
                            Solver::ConjugateGradients,
                            Solver::Minres,
                            Solver::Auto,
                        ];
                        // Its speed is that of the condition number.
                        if ridge >= 3.0 {
                            others.push(Solver::Richardson);
                        }
                        for solver in others {
                            let what = format!(
                                "{normalisation:?} {transform:?} {ridge} {weighted} {solver:?}"
                            );
                            close(&what, &by(solver), &first, GOLDEN).unwrap();
                            compared += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(compared, 2 * 4 * 2 * 2 * (4 * 4 + 2));
}

#[test]
fn on_a_graph_the_default_is_the_positive_twin_of_the_formula_whatever_the_labels() {
    let gram = dense(&base(Normalisation::Symmetric));
    // The least value of s on [−1, 0], by hand.
    let cases: [(Transform, f64, f64); 4] = [
        (
            Transform::InverseLaplacian { eta: 0.9 },
            60.0 / 0.9,
            1.0 / 0.9,
        ),
        (Transform::Power { degree: 3 }, 60.0, 1.0),
        (Transform::Power { degree: 4 }, 0.0, 1.0),
        (
            Transform::Diffusion { time: 2.0 },
            60.0 * (1.0 - (-2.0_f64).exp()),
            1.0,
        ),
    ];
    // All labels; labels that are far apart, whose system is positive definite as posed.
    let all = seen(60);
    let apart = Observed::new(vec![0, 57], random(2, 2, 9), 60).unwrap();
    for (transform, lift, share) in cases {
        for ridge in [1e-3, 20.0] {
            for seen in [&all, &apart, &all.clone().weighted(weights()).unwrap()] {
                let params = StkrParams {
                    repair: Repair::Auto,
                    tolerance: 1e-14,
                    ..StkrParams::as_printed(transform.clone(), ridge)
                };
                let (found, choice) = fit(base(Normalisation::Symmetric), seen, params);
                let s = |v: f64| transform.at(v);
                let expected = formula(s, &gram, seen, ridge, (lift, share));
                close(&format!("{transform:?} {ridge}"), &found, &expected, GOLDEN).unwrap();
                assert_eq!(choice.contains("p.s.d. twin"), lift > 0.0, "{choice}");
            }
        }
    }
}

#[test]
fn a_positive_base_is_solved_as_posed() {
    let x = random(60, 2, 3);
    let points = Points::from_mat(x.as_ref()).unwrap();
    let kernel = KernelSpec::default().resolved(0.4).build().unwrap();
    let table = KernelBase::new(points, kernel, Storage::Stored);
    // Positive similarities that fade along a line: nobody promised that they are positive.
    let fading = Mat::from_fn(60, 60, |i, j| (-0.3 * (i.abs_diff(j) as f64)).exp());
    let transform = Transform::InverseLaplacian { eta: 0.9 };
    let params = || iterating(transform.clone(), 1e-3, Solver::LabelBlock);
    let (_, choice) = fit(table, &seen(60), params());
    assert!(choice.contains("as posed"), "{choice}");
    let (_, choice) = fit(
        SimilarityBase::new(fading.clone()).unwrap(),
        &seen(60),
        params(),
    );
    assert!(choice.contains("as posed"), "{choice}");
    // Alternating signs: not positive, and found out.
    let mixed = Mat::from_fn(60, 60, |i, j| {
        if i == j {
            -fading[(i, j)]
        } else {
            fading[(i, j)]
        }
    });
    for solver in [Solver::LabelBlock, Solver::ConjugateGradients] {
        let mixed = SimilarityBase::new(mixed.clone()).unwrap();
        let (_, choice) = fit(mixed, &seen(60), iterating(transform.clone(), 1e-3, solver));
        assert!(choice.contains("p.s.d. twin"), "{choice}");
    }
}

#[test]
fn the_paper_s_own_form_stays_behind_its_flag() {
    let gram = dense(&base(Normalisation::Symmetric));
    let transform = Transform::InverseLaplacian { eta: 0.9 };
    for solver in [Solver::LabelBlock, Solver::Direct, Solver::Minres] {
        let params = StkrParams {
            solver,
            tolerance: 1e-14,
            ..StkrParams::as_printed(transform.clone(), 1e-3)
        };
        for seen in [seen(60), seen(60).weighted(weights()).unwrap()] {
            let found = fit(base(Normalisation::Symmetric), &seen, params.clone()).0;
            let s = |v: f64| transform.at(v);
            let expected = formula(s, &gram, &seen, 1e-3, (0.0, 1.0));
            close(solver.name(), &found, &expected, GOLDEN).unwrap();
        }
    }
}

#[test]
fn beyond_the_size_at_which_the_solver_changes_the_scores_stay() {
    // 100 labels on 90,000 nodes are more than 2²³ numbers: a ring with chords.
    let (nodes, labels) = (90_000_u32, 100);
    let mut edges = GraphBuilder::new(EdgeRules::default());
    for i in 0..nodes {
        edges.push(i, (i + 1) % nodes, None).unwrap();
        edges.push(i, (i * 7 + 3) % nodes, None).unwrap();
    }
    let graph = edges.finish(&mut Quiet).unwrap().0;
    // Neighbours among them, so that the system as posed would be another.
    let index: Vec<usize> = (0..labels).map(|k| 2 * (k / 2) * 800 + k % 2).collect();
    for weighted in [false, true] {
        let mut seen = Observed::new(index.clone(), random(labels, 2, 4), nodes as usize).unwrap();
        if weighted {
            let weights = (0..labels).map(|i| 0.5 + (i % 4) as f64).collect();
            seen = seen.weighted(weights).unwrap();
        }
        let by = |solver| {
            let params = StkrParams {
                solver,
                tolerance: 1e-12,
                ..Default::default()
            };
            fit(GraphBase::new(graph.clone()), &seen, params)
        };
        let (here, choice) = by(Solver::Auto);
        assert!(choice.contains("conjugate-gradients"), "{choice}");
        let (there, choice) = by(Solver::LabelBlock);
        assert!(choice.contains("label-block"), "{choice}");
        close("scores", &here, &there, GOLDEN).unwrap();
    }
}
