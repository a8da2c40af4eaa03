//! Seeded cases of kernel Laplacian regularisation, from two independent formulas each.

use isotherm::data::Points;
use isotherm::estimator::laplacian::{
    BasisSpec, Covariance, DataKernel, Laplacian, LaplacianParams, NormShare, PreparedLaplacian,
    Route,
};
use isotherm::estimator::{Estimator, Prepared};
use isotherm::kernel::{Bandwidth, Gaussian, KernelSpec};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::spectrum::Filter;
use isotherm::task::Observed;
use serde_json::Value;
use std::sync::Arc;

fn numbers(value: &Value) -> Vec<f64> {
    match value.as_array() {
        Some(items) => items.iter().flat_map(numbers).collect(),
        None => vec![value.as_f64().unwrap()],
    }
}

fn points(value: &Value) -> Points {
    let rows = value.as_array().unwrap();
    let dim = rows[0].as_array().unwrap().len();
    Points::new(numbers(value), rows.len(), dim).unwrap()
}

struct Case {
    points: Points,
    test: Points,
    seen: Observed,
    params: LaplacianParams,
    tolerance: f64,
    expected: Value,
}

fn case(text: &str) -> Case {
    let case: Value = serde_json::from_str(text).unwrap();
    let inputs = &case["inputs"];
    let points = points(&inputs["X"]);
    let y = numbers(&inputs["y"]);
    let values = Mat::from_fn(y.len(), 1, |i, _| y[i]);
    let seen = Observed::new((0..y.len()).collect(), values, points.len()).unwrap();
    let basis = match inputs["p"].as_u64() {
        Some(p) => BasisSpec::Rows {
            index: (0..p as usize).collect(),
            derivatives: false,
        },
        None => BasisSpec::Exact,
    };
    let params = LaplacianParams {
        kernel: KernelSpec::Gaussian {
            bandwidth: Bandwidth::Fixed(inputs["sigma"].as_f64().unwrap()),
        },
        basis,
        norm_share: NormShare::Fixed(inputs["mu"].as_f64().unwrap()),
        covariance: Covariance::All,
        free_constant: false,
        ..LaplacianParams::default()
    };
    Case {
        test: self::points(&inputs["X_test"]),
        points,
        seen,
        params,
        tolerance: case["tolerance"].as_f64().unwrap(),
        expected: case["expected"].clone(),
    }
}

impl Case {
    fn prepare(&self, params: LaplacianParams) -> PreparedLaplacian {
        let laplacian = Laplacian::new(params, 0).unwrap();
        laplacian.prepare(self.points.clone(), &mut Quiet).unwrap()
    }

    fn predict(&self, params: LaplacianParams) -> Vec<f64> {
        let fitted = self.prepare(params).solve(&self.seen, &mut Quiet).unwrap();
        let scores = fitted.scores(&self.test, &mut Quiet).unwrap().values;
        (0..self.test.len()).map(|i| scores[(i, 0)]).collect()
    }

    fn close(&self, what: &str, found: &[f64], expected: &Value) {
        let expected = numbers(expected);
        assert_eq!(found.len(), expected.len(), "{what}");
        let scale = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let gaps = found.iter().zip(&expected).map(|(a, b)| (a - b).abs());
        let worst = gaps.fold(0.0, f64::max) / scale;
        assert!(worst <= self.tolerance, "{what}: off by {worst:e}");
    }
}

const ROUTES: [Route; 3] = [Route::Auto, Route::Panel, Route::Gram];

#[test]
fn case_11_every_filter_of_algorithm_1() {
    let case = case(include_str!("../../golden/11_klap_filters.json"));
    for route in ROUTES {
        let params = LaplacianParams {
            route,
            ..case.params.clone()
        };
        let found = case
            .prepare(params.clone())
            .eigenvalues(&case.seen, &mut Quiet)
            .unwrap();
        case.close("eigenvalues", &found, &case.expected["gen_eigenvalues"]);
        let inputs: Value =
            serde_json::from_str(include_str!("../../golden/11_klap_filters.json")).unwrap();
        let landweber = &inputs["inputs"]["landweber"];
        let mut filters = vec![(
            "g_landweber_T20".to_owned(),
            Filter::Landweber {
                steps: landweber["T"].as_u64().unwrap() as u32,
                step: landweber["step"].as_f64(),
            },
        )];
        // The cases' λ is 1/t of a flow.
        for (name, strength) in [("1", 1.0), ("0.05", 0.05)] {
            let flow = Filter::GradientFlow {
                time: 1.0 / strength,
            };
            filters.push((
                format!("g_tikhonov_lambda{name}"),
                Filter::Tikhonov { strength },
            ));
            let cut = Filter::CutOff {
                threshold: strength,
            };
            filters.push((format!("g_cutoff_lambda{name}"), cut));
            filters.push((format!("g_flow_lambda{name}"), flow));
            filters.push((
                format!("g_heat_lambda{name}"),
                Filter::Heat { time: strength },
            ));
        }
        for (name, filter) in filters {
            let params = LaplacianParams {
                filter: Some(filter),
                ..params.clone()
            };
            case.close(&name, &case.predict(params), &case.expected[&name]);
        }
    }
}

#[test]
fn case_12_constants_are_free_over_either_measure() {
    let mut case = case(include_str!("../../golden/11_klap_filters.json"));
    let twelve: Value =
        serde_json::from_str(include_str!("../../golden/12_klap_centred.json")).unwrap();
    case.tolerance = twelve["tolerance"].as_f64().unwrap();
    let strength = twelve["inputs"]["lam"].as_f64().unwrap();
    for route in ROUTES {
        for (name, covariance) in [
            ("g_centred_all", Covariance::All),
            ("g_centred_lab", Covariance::Labelled),
        ] {
            let params = LaplacianParams {
                filter: Some(Filter::Tikhonov { strength }),
                free_constant: true,
                covariance,
                route,
                ..case.params.clone()
            };
            case.close(name, &case.predict(params), &twelve["expected"][name]);
        }
    }
}

#[test]
fn case_13_the_exact_minimiser_by_its_kernel_and_by_all_functions() {
    let text = include_str!("../../golden/13_klap_exact_erm.json");
    let case = case(text);
    let inputs: Value = serde_json::from_str(text).unwrap();
    let params = LaplacianParams {
        filter: Some(Filter::Tikhonov {
            strength: inputs["inputs"]["lam"].as_f64().unwrap(),
        }),
        covariance: Covariance::Labelled,
        ..case.params.clone()
    };
    case.close(
        "by the kernel",
        &case.predict(params.clone()),
        &case.expected["g_test"],
    );
    // The slow twin: n(d + 1) functions, primal.
    let primal = LaplacianParams {
        basis: BasisSpec::Rows {
            index: (0..case.points.len()).collect(),
            derivatives: true,
        },
        ..params
    };
    case.close("primal", &case.predict(primal), &case.expected["g_test"]);

    let share = inputs["inputs"]["mu"].as_f64().unwrap();
    let kernel = Gaussian::new(inputs["inputs"]["sigma"].as_f64().unwrap()).unwrap();
    let exact = DataKernel::new(
        Arc::new(case.points.clone()),
        Arc::new(kernel),
        share,
        &mut Quiet,
    )
    .unwrap();
    let labelled = case.points.select(case.seen.index()).unwrap();
    let matrix = exact.matrix(&labelled, &labelled, &mut Quiet).unwrap();
    let flat: Vec<f64> = (0..matrix.nrows())
        .flat_map(|i| (0..matrix.ncols()).map(move |j| (i, j)))
        .map(|at| matrix[at])
        .collect();
    case.close(
        "the kernel itself",
        &flat,
        &case.expected["ktilde_labelled"],
    );
}

#[test]
fn case_14_a_nearly_singular_pencil_without_jitter() {
    let text = include_str!("../../golden/14_klap_illconditioned.json");
    let case = case(text);
    let inputs: Value = serde_json::from_str(text).unwrap();
    for route in [Route::Auto, Route::Panel] {
        let params = LaplacianParams {
            filter: Some(Filter::Tikhonov {
                strength: inputs["inputs"]["lam"].as_f64().unwrap(),
            }),
            route,
            ..case.params.clone()
        };
        case.close("g", &case.predict(params), &case.expected["g_test"]);
    }
}
