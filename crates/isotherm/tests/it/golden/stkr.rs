//! The seeded cases of spectrally transformed kernel regression.

use isotherm::base::{Base, GraphBase, KernelBase, Storage};
use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, Links, Points};
use isotherm::estimator::stkr::{Repair, Ridge, RidgePath, Solver, Stkr, StkrParams};
use isotherm::estimator::{Estimator, Prepared};
use isotherm::expansion::Fitted;
use isotherm::kernel::KernelSpec;
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::spectrum::{Encoder, Transform};
use isotherm::task::{Observed, OneHot};
use serde_json::Value;

macro_rules! golden {
    ($name:literal) => {
        serde_json::from_str::<Value>(include_str!(concat!("../../golden/", $name, ".json")))
            .unwrap()
    };
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    let row = |r: &Value| match r.as_array() {
        Some(cells) => cells.iter().map(|c| c.as_f64().unwrap()).collect(),
        None => vec![r.as_f64().unwrap()],
    };
    value.as_array().unwrap().iter().map(row).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// max |a − b| / max |b|, the golden cases' own norm.
#[track_caller]
fn agrees(what: &str, got: &Mat<f64>, expected: &Value, tolerance: f64) {
    let expected = rows(expected);
    assert_eq!(
        (got.nrows(), got.ncols()),
        (expected.len(), expected[0].len()),
        "{what}"
    );
    let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
    for (i, row) in expected.iter().enumerate() {
        for (j, e) in row.iter().enumerate() {
            worst = worst.max((got[(i, j)] - e).abs());
            scale = scale.max(e.abs());
        }
    }
    assert!(
        worst <= tolerance * scale,
        "{what}: {:e} > {tolerance:e}",
        worst / scale
    );
}

fn points(value: &Value) -> Points {
    let x = rows(value);
    let dim = x[0].len();
    Points::new(x.concat(), x.len(), dim).unwrap()
}

/// The table of case 02 under its Gaussian kernel, and its labels.
fn table() -> (KernelBase, Observed, Points, Value) {
    let case = golden!("02_stkr_poly_gauss");
    let inputs = &case["inputs"];
    let kernel = KernelSpec::Gaussian {
        bandwidth: isotherm::kernel::spec::Bandwidth::Fixed(number(&inputs["sigma"])),
    };
    let base = KernelBase::new(points(&inputs["X"]), kernel.build().unwrap(), Storage::Auto);
    let classes = number(&inputs["n_classes"]) as usize;
    let mut labels: Vec<Option<u32>> = rows(&inputs["labels"])
        .iter()
        .map(|l| Some(l[0] as u32))
        .collect();
    labels.resize(base.len(), None);
    let seen = Observed::encode(&OneHot::new(classes), &labels).unwrap();
    (base, seen, points(&inputs["X_test"]), case)
}

/// The graph of case 06 and its labels.
fn blocks() -> (Graph, Observed, Value) {
    let case = golden!("06_stkr_graph_poly");
    let (graph, seen) = graph_of(&case["inputs"], 3);
    (graph, seen, case)
}

fn graph_of(inputs: &Value, classes: usize) -> (Graph, Observed) {
    let nodes = number(&inputs["n_nodes"]) as usize;
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(nodes);
    for edge in rows(&inputs["edges"]) {
        builder.push(edge[0] as u32, edge[1] as u32, None).unwrap();
    }
    let n = number(&inputs["n"]) as usize;
    let mut labels: Vec<Option<u32>> = rows(&inputs["labels"])
        .iter()
        .take(n)
        .map(|l| Some(l[0] as u32))
        .collect();
    labels.resize(nodes, None);
    let seen = Observed::encode(&OneHot::new(classes), &labels).unwrap();
    (builder.finish(&mut Quiet).unwrap().0, seen)
}

fn fit<B: Base>(base: B, seen: &Observed, params: StkrParams) -> Fitted<B> {
    let stkr = Stkr::new(params).unwrap();
    stkr.fit(base, seen, &mut Quiet).unwrap()
}

fn with(params: StkrParams, solver: Solver) -> StkrParams {
    StkrParams {
        solver,
        tolerance: 1e-13,
        ..params
    }
}

fn visible<B: Base>(fitted: &Fitted<B>) -> Mat<f64> {
    fitted.visible.as_ref().unwrap().values.clone()
}

/// The paper's α from the scores: `α = (y − f)/(nβ)` at the labels.
fn alpha(f: &Mat<f64>, seen: &Observed, beta: f64) -> Mat<f64> {
    let y = seen.values();
    let n = y.nrows() as f64;
    Mat::from_fn(y.nrows(), y.ncols(), |k, j| {
        (y[(k, j)] - f[(seen.index()[k], j)]) / (n * beta)
    })
}

#[test]
fn case_02_a_polynomial_on_a_table_by_every_solver() {
    for solver in [
        Solver::Auto,
        Solver::LabelBlock,
        Solver::ConjugateGradients,
        Solver::Minres,
        Solver::Direct,
        Solver::Richardson,
    ] {
        let (base, seen, queries, case) = table();
        let weights: Vec<f64> = rows(&case["inputs"]["pi"]).concat();
        let beta = number(&case["inputs"]["beta"]);
        let tolerance = number(&case["tolerance"]);
        let params = StkrParams::as_printed(Transform::Polynomial { weights }, beta);
        let params = StkrParams {
            // A step that converges in the allowed iterations, from case 03.
            step_size: (solver == Solver::Richardson).then_some(0.4213205482506573),
            ..with(params, solver)
        };
        let fitted = fit(base, &seen, params);
        let f = fitted.scores(&queries, &mut Quiet).unwrap().values;
        let what = format!("{solver:?}");
        agrees(&what, &f, &case["expected"]["f_test"], tolerance);
        let alpha = alpha(&visible(&fitted), &seen, beta);
        agrees(&what, &alpha, &case["expected"]["alpha"], tolerance);
        let dual = fitted.dual.unwrap();
        agrees(&what, &dual, &case["expected"]["alpha"], tolerance);
    }
}

#[test]
fn case_03_the_iterates_of_algorithm_1() {
    let case = golden!("03_stkr_richardson_trace");
    let gamma = number(&case["inputs"]["gamma"]);
    for steps in [1, 2, 4, 8, 16, 32] {
        let (base, seen, _, inputs) = table();
        let weights: Vec<f64> = rows(&inputs["inputs"]["pi"]).concat();
        let beta = number(&inputs["inputs"]["beta"]);
        let params = StkrParams {
            solver: Solver::Richardson,
            steps: Some(steps),
            step_size: Some(gamma),
            ..StkrParams::as_printed(
                Transform::Polynomial {
                    weights: weights.clone(),
                },
                beta,
            )
        };
        let fitted = fit(base, &seen, params);
        // f = G_{Ks,n} α_T at the labels; α_T follows by the system's own matrix.
        let (base, ..) = table();
        let stkr = StkrParams::as_printed(Transform::Polynomial { weights }, beta);
        let prepared = Stkr::new(stkr).unwrap().prepare(base, &mut Quiet).unwrap();
        let gram = prepared.label_block(&seen, &[], &mut Quiet).unwrap().gram;
        let expected = rows(&case["expected"][format!("alpha_T{steps}")]);
        let expected = Mat::from_fn(expected.len(), 3, |i, j| expected[i][j]);
        let image = &gram * &expected;
        let f = visible(&fitted);
        let tolerance = number(&case["tolerance"]);
        let dual = fitted.dual.as_ref().unwrap();
        let key = format!("alpha_T{steps}");
        agrees(&key, dual, &case["expected"][&key], tolerance);
        let scale = (0..10).flat_map(|i| (0..3).map(move |j| (i, j)));
        let scale = scale.fold(0.0_f64, |m, at| m.max(image[at].abs()));
        for i in 0..10 {
            for j in 0..3 {
                let gap = (f[(i, j)] - image[(i, j)]).abs();
                assert!(gap <= tolerance * scale, "T = {steps}: {:e}", gap / scale);
            }
        }
    }
}

#[test]
fn case_04_the_inverse_laplacian_on_a_table_by_every_solver() {
    let case = golden!("04_stkr_lap_gauss");
    let (eta, beta) = (
        number(&case["inputs"]["eta"]),
        number(&case["inputs"]["beta"]),
    );
    let tolerance = number(&case["tolerance"]);
    for solver in [
        Solver::Auto,
        Solver::LabelBlock,
        Solver::ConjugateGradients,
        Solver::Minres,
        Solver::Direct,
        Solver::Richardson,
    ] {
        let (base, seen, queries, _) = table();
        let params = StkrParams::as_printed(Transform::InverseLaplacian { eta }, beta);
        let fitted = fit(base, &seen, with(params, solver));
        let what = format!("{solver:?}");
        let f = visible(&fitted);
        agrees(&what, &f, &case["expected"]["f_all"], tolerance);
        let test = fitted.scores(&queries, &mut Quiet).unwrap().values;
        agrees(&what, &test, &case["expected"]["f_test"], tolerance);
        let alpha = alpha(&f, &seen, beta);
        agrees(&what, &alpha, &case["expected"]["alpha"], tolerance);
        let dual = fitted.dual.as_ref().unwrap();
        agrees(&what, dual, &case["expected"]["alpha"], tolerance);
        // θ are the coefficients themselves for r = 1.
        let columns = fitted.expansion.columns();
        let theta = Mat::from_fn(columns.nrows(), 3, |i, j| columns[(i, j)]);
        agrees(&what, &theta, &case["expected"]["theta"], tolerance);
    }
}

#[test]
fn case_05_a_reciprocal_of_order_two_by_every_solver() {
    let case = golden!("05_stkr_general_r2");
    let tolerance = number(&case["tolerance"]);
    for solver in [
        Solver::Auto,
        Solver::LabelBlock,
        Solver::ConjugateGradients,
        Solver::Direct,
        Solver::Richardson,
    ] {
        let (base, seen, queries, _) = table();
        let transform = Transform::Reciprocal {
            weights: rows(&case["inputs"]["xi"]).concat(),
            order: 2,
        };
        let params = StkrParams::as_printed(transform, number(&case["inputs"]["beta"]));
        let params = StkrParams {
            iterations: 200_000,
            ..with(params, solver)
        };
        let fitted = fit(base, &seen, params);
        let what = format!("{solver:?}");
        agrees(
            &what,
            &visible(&fitted),
            &case["expected"]["f_all"],
            tolerance,
        );
        let test = fitted.scores(&queries, &mut Quiet).unwrap().values;
        agrees(&what, &test, &case["expected"]["f_test"], tolerance);
    }
}

#[test]
fn case_06_powers_on_a_graph() {
    let (_, _, case) = blocks();
    let tolerance = number(&case["tolerance"]);
    for solver in [
        Solver::Auto,
        Solver::LabelBlock,
        Solver::ConjugateGradients,
        Solver::Direct,
    ] {
        for degree in [2, 8] {
            for (name, beta) in [("10", 10.0), ("0.01", 1e-2), ("1e-06", 1e-6)] {
                let (graph, seen, _) = blocks();
                let params = StkrParams::as_printed(Transform::Power { degree }, beta);
                let fitted = fit(GraphBase::new(graph), &seen, with(params, solver));
                let name = format!("f_poly{degree}_beta{name}");
                let what = format!("{solver:?} {name}");
                agrees(
                    &what,
                    &visible(&fitted),
                    &case["expected"][&name],
                    tolerance,
                );
            }
        }
    }
}

#[test]
fn case_07_the_inverse_laplacian_on_a_graph() {
    let case = golden!("07_stkr_graph_lap");
    let tolerance = number(&case["tolerance"]);
    for solver in [
        Solver::Auto,
        Solver::LabelBlock,
        Solver::Minres,
        Solver::Direct,
    ] {
        for eta in [0.7, 0.99, 0.999_999] {
            for (name, beta) in [("1000", 1e3), ("1", 1.0), ("0.0001", 1e-4)] {
                let (graph, seen, _) = blocks();
                let params = StkrParams::as_printed(Transform::InverseLaplacian { eta }, beta);
                let fitted = fit(GraphBase::new(graph), &seen, with(params, solver));
                let name = format!("f_eta{eta}_beta{name}");
                let what = format!("{solver:?} {name}");
                agrees(
                    &what,
                    &visible(&fitted),
                    &case["expected"][&name],
                    tolerance,
                );
            }
        }
    }
}

#[test]
fn case_08_new_nodes() {
    let case = golden!("08_stkr_inductive");
    let (inputs, tolerance) = (&case["inputs"], number(&case["tolerance"]));
    let (graph, seen, _) = blocks();
    let hidden: Vec<usize> = rows(&inputs["hidden"])
        .iter()
        .map(|r| r[0] as usize)
        .collect();
    let known: Vec<usize> = (0..graph.len()).filter(|i| !hidden.contains(i)).collect();
    let place = |node: usize| known.iter().position(|k| *k == node);
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(known.len());
    for (i, &node) in known.iter().enumerate() {
        for &other in graph.neighbours(node) {
            if let Some(j) = place(other as usize) {
                builder.push(i as u32, j as u32, None).unwrap();
            }
        }
    }
    let visible_graph = builder.finish(&mut Quiet).unwrap().0;
    let mut links = Vec::new();
    for (i, &node) in hidden.iter().enumerate() {
        for &other in graph.neighbours(node) {
            if let Some(j) = place(other as usize) {
                links.push((i as u32, j as u32, 1.0));
            }
        }
    }
    let links = Links::new(hidden.len(), known.len(), &links).unwrap();
    let index: Vec<usize> = seen.index().iter().map(|&i| place(i).unwrap()).collect();
    let seen = Observed::new(index, seen.values().clone(), known.len()).unwrap();
    let (eta, beta) = (number(&inputs["eta"]), number(&inputs["beta"]));
    for (name, transform) in [
        ("f_hidden_lap", Transform::InverseLaplacian { eta }),
        ("f_hidden_poly8", Transform::Power { degree: 8 }),
        ("f_hidden_krr", Transform::Power { degree: 1 }),
    ] {
        let params = with(StkrParams::as_printed(transform, beta), Solver::Auto);
        let base = GraphBase::new(visible_graph.clone());
        let scores = fit(base, &seen, params).scores(&links, &mut Quiet).unwrap();
        agrees(name, &scores.values, &case["expected"][name], tolerance);
        for i in 0..hidden.len() {
            if links.row(i).count() == 0 {
                assert!(!scores.reached[i]);
                assert!((0..3).all(|j| scores.values[(i, j)] == 0.0));
            }
        }
    }
}

#[test]
fn case_09_kernel_pca_on_the_unlabelled() {
    let case = golden!("09_kernel_pca");
    let (inputs, tolerance) = (&case["inputs"], number(&case["tolerance"]));
    let (base, seen, queries, _) = table();
    let transform = Transform::Truncation {
        rank: number(&inputs["d"]) as usize,
        encoder: Encoder::Unlabelled,
    };
    let params = StkrParams::as_printed(transform, number(&inputs["beta"]));
    let prepared = Stkr::new(params)
        .unwrap()
        .prepare(base, &mut Quiet)
        .unwrap();
    let gram = prepared.label_block(&seen, &[], &mut Quiet).unwrap().gram;
    agrees(
        "gram",
        &gram,
        &case["expected"]["psi_gram_labelled"],
        tolerance,
    );
    let fitted = prepared.solve(&seen, &mut Quiet).unwrap();
    let test = fitted.scores(&queries, &mut Quiet).unwrap().values;
    agrees("f", &test, &case["expected"]["f_test"], tolerance);
    let modes = prepared.kernel_pca(&seen, &mut Quiet).unwrap().unwrap();
    let values = Mat::from_fn(6, 1, |i, _| modes.eigenvalues()[i]);
    agrees("λ̃", &values, &case["expected"]["lambda_tilde"], tolerance);
}

#[test]
fn case_10_an_indefinite_kernel_is_told_and_solved_as_posed() {
    let case = golden!("10_indefinite_kernel");
    let tolerance = number(&case["tolerance"]);
    let expected = &case["expected"];
    for (name, transform) in [
        ("krr", Transform::Power { degree: 1 }),
        ("lap0.9", Transform::InverseLaplacian { eta: 0.9 }),
    ] {
        for (suffix, beta) in [("0.001", 1e-3), ("0.1", 0.1)] {
            let (graph, seen) = graph_of(&case["inputs"], 2);
            let params = with(
                StkrParams::as_printed(transform.clone(), beta),
                Solver::LabelBlock,
            );
            let base = GraphBase::new(graph.clone());
            let prepared = Stkr::new(params.clone()).unwrap();
            let prepared = prepared.prepare(base, &mut Quiet).unwrap();
            let path = prepared.label_block(&seen, &[], &mut Quiet).unwrap();
            let path = RidgePath::new(path.gram.as_ref()).unwrap();
            let values = Mat::from_fn(4, 1, |i, _| path.eigenvalues()[i]);
            agrees(name, &values, &expected[format!("eig_G_{name}")], tolerance);
            let alpha = path.coefficients(4.0 * beta, seen.values().as_ref());
            let key = format!("alpha_{name}_beta{suffix}");
            agrees(&key, &alpha, &expected[&key], tolerance);
            // As posed it is solved and the sign told.
            let fitted = prepared.solve(&seen, &mut Quiet).unwrap();
            let dual = fitted.dual.as_ref().unwrap();
            agrees(&key, dual, &expected[&key], tolerance);
            let key = format!("min_eig_A_{name}_beta{suffix}");
            let smallest = fitted.report.smallest.unwrap();
            assert!((smallest - number(&expected[&key])).abs() < 1e-9 * smallest.abs());
            assert!(fitted.report.choice.unwrap().contains("indefinite"));
            // Asked to refuse, it refuses and names the ways out.
            let refuse = StkrParams {
                repair: Repair::Refuse,
                ..params.clone()
            };
            let base = GraphBase::new(graph.clone());
            let refused = Stkr::new(refuse).unwrap().fit(base, &seen, &mut Quiet);
            let text = refused.unwrap_err().to_string();
            assert!(text.contains("lazy") && text.contains("psd-twin"), "{text}");
            // Conjugate gradients never run through an indefinite system.
            let cg = StkrParams {
                solver: Solver::ConjugateGradients,
                repair: Repair::Refuse,
                ..params.clone()
            };
            let base = GraphBase::new(graph.clone());
            assert!(Stkr::new(cg).unwrap().fit(base, &seen, &mut Quiet).is_err());
            // The repairs are positive.
            let auto = StkrParams {
                repair: Repair::Auto,
                ..params
            };
            let fitted = fit(GraphBase::new(graph), &seen, auto);
            assert!(fitted.report.choice.unwrap().contains("because"));
        }
    }
}

#[test]
fn case_16_leave_one_out_in_closed_form() {
    let case = golden!("16_loo_closed_form");
    let tolerance = number(&case["tolerance"]);
    for (name, beta) in [("1", 1.0), ("0.01", 1e-2), ("0.0001", 1e-4)] {
        let (graph, seen, _) = blocks();
        let params = StkrParams::as_printed(Transform::Power { degree: 8 }, beta);
        let prepared = Stkr::new(params).unwrap();
        let prepared = prepared.prepare(GraphBase::new(graph), &mut Quiet).unwrap();
        let left = prepared.leave_one_out(&seen, &mut Quiet).unwrap();
        let key = format!("loo_f_beta{name}");
        agrees(&key, &left, &case["expected"][&key], tolerance);
    }
}

#[test]
fn case_17_the_twin_is_the_inverse_laplacian_off_the_labels() {
    let case = golden!("17_lap_psd_twin");
    let (eta, tolerance) = (number(&case["inputs"]["eta"]), number(&case["tolerance"]));
    let transform = Transform::InverseLaplacian { eta };
    for (name, beta) in [("0.5", 0.5), ("3", 3.0), ("20", 20.0)] {
        let (graph, seen, _) = blocks();
        let (total, n) = (graph.len(), seen.index().len());
        let key = format!("f_unlabelled_beta{name}");
        let off = |f: &Mat<f64>| Mat::from_fn(total - n, 3, |i, j| f[(n + i, j)]);
        let params = with(
            StkrParams::as_printed(transform.clone(), beta),
            Solver::Auto,
        );
        let fitted = fit(GraphBase::new(graph.clone()), &seen, params.clone());
        agrees(
            &key,
            &off(&visible(&fitted)),
            &case["expected"][&key],
            tolerance,
        );
        let twin = number(&case["expected"][format!("beta_prime_beta{name}")]);
        assert!((eta * beta - total as f64 / n as f64 - twin).abs() < 1e-12);
        if twin < 0.0 {
            continue;
        }
        for solver in [Solver::LabelBlock, Solver::ConjugateGradients] {
            let params = StkrParams {
                ridge: Ridge::Fixed(twin),
                repair: Repair::PsdTwin,
                solver,
                ..params.clone()
            };
            let fitted = fit(GraphBase::new(graph.clone()), &seen, params);
            agrees(
                &key,
                &off(&visible(&fitted)),
                &case["expected"][&key],
                tolerance,
            );
        }
    }
}
