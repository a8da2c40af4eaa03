//! Kernel Laplacian regularisation against Algorithm 1 as printed, and its own properties.

use isotherm::base::SimilarityBase;
use isotherm::data::Points;
use isotherm::estimator::laplacian::{
    BasisSpec, Covariance, DataKernel, Laplacian, LaplacianParams, NormShare, PreparedLaplacian,
    Route,
};
use isotherm::estimator::stkr::{Stkr, StkrParams};
use isotherm::estimator::{Estimator, Prepared};
use isotherm::feature::{Features, Landmarks};
use isotherm::kernel::{Bandwidth, Gaussian, KernelSpec};
use isotherm::linalg::{Mat, eigen};
use isotherm::monitor::Quiet;
use isotherm::solve::SolveReport;
use isotherm::spectrum::{Filter, SpectralFunction, Transform};
use isotherm::task::{Observed, OneHot};
use isotherm::testing::operator::close;
use isotherm::testing::random;
use std::sync::Arc;

const SIGMA: f64 = 0.8;

fn table(rows: usize, dim: usize, seed: u64) -> Points {
    let values = random(rows, dim, seed);
    let flat = (0..rows * dim)
        .map(|k| values[(k / dim, k % dim)])
        .collect();
    Points::new(flat, rows, dim).unwrap()
}

fn labels(count: usize, outputs: usize, total: usize, seed: u64) -> Observed {
    let index = (0..count).map(|i| (7 * i + 3) % total).collect();
    Observed::new(index, random(count, outputs, seed), total).unwrap()
}

fn params(basis: BasisSpec) -> LaplacianParams {
    LaplacianParams {
        kernel: KernelSpec::Gaussian {
            bandwidth: Bandwidth::Fixed(SIGMA),
        },
        basis,
        filter: Some(Filter::Tikhonov { strength: 0.1 }),
        norm_share: NormShare::Fixed(1e-2),
        ..LaplacianParams::default()
    }
}

fn some(count: usize) -> BasisSpec {
    BasisSpec::Rows {
        index: (0..count).collect(),
        derivatives: false,
    }
}

fn prepare(params: LaplacianParams, points: &Points) -> PreparedLaplacian {
    Laplacian::new(params, 5)
        .unwrap()
        .prepare(points.clone(), &mut Quiet)
        .unwrap()
}

fn predict(params: LaplacianParams, points: &Points, seen: &Observed, at: &Points) -> Mat<f64> {
    let fitted = prepare(params, points).solve(seen, &mut Quiet).unwrap();
    fitted.scores(at, &mut Quiet).unwrap().values
}

/// Algorithm 1 line by line: explicit Z, the pencil by Cholesky of B and one
/// eigenproblem. Good enough where B is well conditioned.
fn printed(
    points: &Points,
    seen: &Observed,
    p: usize,
    mu: f64,
    psi: &Filter,
    at: &Points,
) -> Mat<f64> {
    let index: Vec<usize> = (0..p).collect();
    let landmarks = Arc::new(points.select(&index).unwrap());
    let basis = Landmarks::new(landmarks, Arc::new(Gaussian::new(SIGMA).unwrap()));
    let n = points.len() as f64;
    let s = basis.matrix(points, &mut Quiet).unwrap();
    let identity = Mat::<f64>::identity(p, p);
    let z = basis
        .gradient(points, identity.as_ref(), &mut Quiet)
        .unwrap();
    let a = s.transpose() * &s * faer::Scale(1.0 / n);
    let b = z.transpose() * &z * faer::Scale(1.0 / n)
        + basis.gram(&mut Quiet).unwrap() * faer::Scale(mu);
    let half = eigen::symmetric(b.as_ref()).unwrap();
    let root = Mat::from_fn(p, p, |i, j| half.vectors[(i, j)] / half.values[j].sqrt());
    let inner = root.transpose() * &a * &root;
    let modes = eigen::symmetric(inner.as_ref()).unwrap();
    let u = &root * &modes.vectors;
    let labelled = basis
        .matrix(&points.select(seen.index()).unwrap(), &mut Quiet)
        .unwrap();
    let theta = labelled.transpose() * seen.values() * faer::Scale(1.0 / seen.index().len() as f64);
    let mut along = u.transpose() * &theta;
    for j in 0..along.ncols() {
        for i in 0..p {
            along[(i, j)] *= psi.at(modes.values[i].max(0.0));
        }
    }
    basis.matrix(at, &mut Quiet).unwrap() * (&u * along)
}

#[test]
fn every_filter_is_algorithm_1_as_printed_by_every_route() {
    let (points, at) = (table(90, 3, 200), table(11, 3, 201));
    let seen = labels(12, 2, 90, 202);
    for filter in [
        Filter::Tikhonov { strength: 0.3 },
        Filter::CutOff { threshold: 0.2 },
        Filter::GradientFlow { time: 4.0 },
        Filter::Landweber {
            steps: 9,
            step: Some(0.05),
        },
        Filter::Heat { time: 0.2 },
    ] {
        let expected = printed(&points, &seen, 20, 1e-2, &filter, &at);
        for route in [Route::Auto, Route::Panel, Route::Gram] {
            let params = LaplacianParams {
                filter: Some(filter.clone()),
                covariance: Covariance::All,
                free_constant: false,
                route,
                ..params(some(20))
            };
            let found = predict(params, &points, &seen, &at);
            close(&format!("{filter:?} {route:?}"), &found, &expected, 1e-9).unwrap();
        }
    }
}

/// Eq 5 as it stands: the gradient of the objective over the basis vanishes.
#[test]
fn tikhonov_over_the_labels_minimises_equation_5() {
    let points = table(60, 2, 203);
    let seen = labels(9, 1, 60, 204);
    for free_constant in [false, true] {
        let (lambda, mu) = (0.1, 1e-2);
        let params = LaplacianParams {
            free_constant,
            ..params(some(15))
        };
        let prepared = prepare(params, &points);
        let fitted = prepared.solve(&seen, &mut Quiet).unwrap();
        let features = prepared.base().features();
        let c = fitted.expansion.columns().subcols(0, 1).to_owned();
        let offset = fitted.expansion.offset().map_or(0.0, |o| o[0]);
        let s = features
            .matrix(&points.select(seen.index()).unwrap(), &mut Quiet)
            .unwrap();
        let identity = Mat::<f64>::identity(15, 15);
        let z = features
            .gradient(&points, identity.as_ref(), &mut Quiet)
            .unwrap();
        let left = Mat::from_fn(9, 1, |i, _| {
            (&s * &c)[(i, 0)] + offset - seen.values()[(i, 0)]
        });
        let slope = s.transpose() * &left * faer::Scale(1.0 / 9.0)
            + z.transpose() * (&z * &c) * faer::Scale(lambda / 60.0)
            + features.gram(&mut Quiet).unwrap() * &c * faer::Scale(lambda * mu);
        assert!(slope.norm_max() <= 1e-12, "{:e}", slope.norm_max());
        if free_constant {
            let mean: f64 = left.col(0).iter().sum();
            assert!(mean.abs() <= 1e-12, "the bias is not stationary: {mean:e}");
        }
        let energy = prepared.energy(&fitted, &mut Quiet).unwrap()[0];
        let dirichlet = (&z * &c).squared_norm_l2() / 60.0;
        assert!((energy.0 - dirichlet).abs() <= 1e-12 * dirichlet.max(1.0));
    }
}

#[test]
fn leaving_a_label_out_is_fitting_without_it() {
    let points = table(70, 2, 205);
    let n = 10;
    let seen = labels(n, 2, 70, 206);
    let filters = [
        Filter::Tikhonov { strength: 0.2 },
        Filter::GradientFlow { time: 3.0 },
        Filter::Heat { time: 0.1 },
        Filter::CutOff { threshold: 0.5 },
        Filter::Landweber {
            steps: 5,
            step: Some(0.02),
        },
    ];
    for covariance in [Covariance::Labelled, Covariance::All] {
        for free_constant in [false, true] {
            let params = LaplacianParams {
                covariance,
                free_constant,
                ..params(some(25))
            };
            let prepared = prepare(params.clone(), &points);
            let path = prepared.solve_path(&filters, &seen, &mut Quiet).unwrap();
            for point in &path {
                for i in 0..n {
                    let keep: Vec<usize> = (0..n).filter(|&j| j != i).collect();
                    let index = keep.iter().map(|&j| seen.index()[j]).collect();
                    let values = Mat::from_fn(n - 1, 2, |r, c| seen.values()[(keep[r], c)]);
                    let rest = Observed::new(index, values, 70).unwrap();
                    let filter = match &point.filter {
                        // n_ℓλ stays what it was.
                        Filter::Tikhonov { strength } if covariance == Covariance::Labelled => {
                            Filter::Tikhonov {
                                strength: strength * n as f64 / (n - 1) as f64,
                            }
                        }
                        other => other.clone(),
                    };
                    let again = prepared.solve_path(&[filter], &rest, &mut Quiet).unwrap();
                    let row = points.select(&[seen.index()[i]]).unwrap();
                    let expected = again[0].fitted.scores(&row, &mut Quiet).unwrap().values;
                    for j in 0..2 {
                        let gap = (point.left_out[(i, j)] - expected[(0, j)]).abs();
                        assert!(gap <= 1e-9, "{:?} {covariance:?}: {gap:e}", point.filter);
                    }
                }
            }
        }
    }
}

/// Concentric circles, one label each.
fn circles(count: usize) -> (Points, Vec<u32>, Observed) {
    let angle = random(count, 1, 207);
    let mut flat = Vec::new();
    let mut class = Vec::new();
    let mut known = vec![None; count];
    for i in 0..count {
        let radius = 1.0 + (i % 4) as f64;
        let turn = 4000.0 * angle[(i, 0)];
        flat.extend([radius * turn.cos(), radius * turn.sin()]);
        class.push((i % 2) as u32);
        if i < 4 {
            known[i] = Some((i % 2) as u32);
        }
    }
    let seen = Observed::encode(&OneHot::new(2), &known).unwrap();
    (Points::new(flat, count, 2).unwrap(), class, seen)
}

fn accuracy(scores: &Mat<f64>, class: &[u32]) -> f64 {
    let right =
        (0..class.len()).filter(|&i| u32::from(scores[(i, 1)] > scores[(i, 0)]) == class[i]);
    right.count() as f64 / class.len() as f64
}

#[test]
fn four_labels_tell_four_circles_apart() {
    let (points, class, seen) = circles(2000);
    let at = |bandwidth: f64, basis: BasisSpec| {
        let params = LaplacianParams {
            kernel: KernelSpec::Gaussian {
                bandwidth: Bandwidth::Fixed(bandwidth),
            },
            basis,
            filter: Some(Filter::Tikhonov { strength: 1.0 }),
            ..LaplacianParams::default()
        };
        accuracy(&predict(params, &points, &seen, &points), &class)
    };
    assert_eq!(at(0.2, some(2000)), 1.0);
    // Circles that interact need derivatives: [numerics 4.2] 1.00 with 200.
    let index = (0..200).collect();
    assert_eq!(
        at(
            0.5,
            BasisSpec::Rows {
                index,
                derivatives: true
            }
        ),
        1.0
    );
}

#[test]
fn modes_are_orthogonal_over_the_rows_and_of_unit_penalty() {
    let points = table(80, 3, 208);
    for (free_constant, route) in [
        (false, Route::Panel),
        (true, Route::Panel),
        (true, Route::Gram),
    ] {
        let params = LaplacianParams {
            covariance: Covariance::All,
            free_constant,
            route,
            ..params(some(22))
        };
        let modes = prepare(params, &points).modes(6, &mut Quiet).unwrap();
        let e = modes.transform(&points, &mut Quiet).unwrap();
        let gram = e.transpose() * &e * faer::Scale(1.0 / 80.0);
        let expected = Mat::from_fn(6, 6, |i, j| if i == j { modes.eigenvalues[i] } else { 0.0 });
        close("E[eᵢeⱼ] = λᵢδ", &gram, &expected, 1e-10).unwrap();
        assert!(modes.eigenvalues.windows(2).all(|w| w[0] >= w[1]));
        if free_constant {
            let mean = (0..6)
                .map(|j| e.col(j).iter().sum::<f64>().abs() / 80.0)
                .fold(0.0, f64::max);
            assert!(mean <= 1e-10 * modes.eigenvalues[0].sqrt(), "{mean:e}");
        }
    }
    let params = params(some(22));
    assert!(prepare(params, &points).modes(2, &mut Quiet).is_err());
}

#[test]
fn no_norm_at_all_is_the_limit_of_a_small_share() {
    let (points, at) = (table(60, 2, 209), table(9, 2, 210));
    let seen = labels(8, 1, 60, 211);
    for covariance in [Covariance::Labelled, Covariance::All] {
        let with = |share: f64| {
            let params = LaplacianParams {
                norm_share: NormShare::Fixed(share),
                covariance,
                ..params(some(12))
            };
            predict(params, &points, &seen, &at)
        };
        let (limit, near) = (with(0.0), with(1e-11));
        close("μ → 0", &near, &limit, 1e-6).unwrap();
    }
}

#[test]
fn order_and_place_of_the_rows_do_not_matter() {
    let (points, at) = (table(50, 4, 212), table(6, 4, 213));
    let seen = labels(7, 2, 50, 214);
    let plain = predict(params(some(20)), &points, &seen, &at);
    let turned: Vec<usize> = (0..50).rev().collect();
    let index = seen.index().iter().map(|i| 49 - i).collect();
    let other = Observed::new(index, seen.values().clone(), 50).unwrap();
    let basis = BasisSpec::Rows {
        index: (30..50).rev().collect(),
        derivatives: false,
    };
    let found = predict(params(basis), &points.select(&turned).unwrap(), &other, &at);
    close("reversed", &found, &plain, 1e-10).unwrap();
    let moved = |p: &Points| {
        let values = p.contiguous().unwrap().iter().map(|v| v + 64.0).collect();
        Points::new(values, p.len(), p.dim()).unwrap()
    };
    let found = predict(params(some(20)), &moved(&points), &seen, &moved(&at));
    close("moved", &found, &plain, 1e-9).unwrap();
    let double =
        Observed::new(seen.index().to_vec(), seen.values() * faer::Scale(2.0), 50).unwrap();
    let found = predict(params(some(20)), &points, &double, &at);
    close("doubled", &found, &(plain * faer::Scale(2.0)), 1e-12).unwrap();
}

#[test]
fn bad_input_is_refused_with_a_way_out() {
    let refuse = |params: LaplacianParams, points: &Points| -> String {
        let prepared = Laplacian::new(params, 0)
            .and_then(|l| l.prepare(points.clone(), &mut Quiet))
            .map(|_| ());
        prepared.unwrap_err().to_string()
    };
    let points = table(12, 2, 215);
    let exponential = LaplacianParams {
        kernel: KernelSpec::Exponential {
            bandwidth: Bandwidth::Fixed(1.0),
        },
        ..params(some(3))
    };
    assert!(refuse(exponential, &points).contains("matern"));
    let twice = BasisSpec::Rows {
        index: vec![1, 4, 1],
        derivatives: false,
    };
    assert!(refuse(params(twice), &points).contains("row 1"));
    assert!(refuse(params(some(13)), &points).contains("12"));
    let many = BasisSpec::Landmarks {
        count: Some(13),
        selection: Default::default(),
        derivatives: false,
    };
    assert!(refuse(params(many), &points).contains("13"));
    let negative = LaplacianParams {
        norm_share: NormShare::Fixed(-1.0),
        ..params(some(3))
    };
    assert!(refuse(negative, &points).contains("norm_share"));
    let exact = LaplacianParams {
        norm_share: NormShare::Fixed(0.0),
        ..params(BasisSpec::Exact)
    };
    assert!(refuse(exact, &points).contains("norm_share"));
}

#[test]
fn one_landmark_one_column_and_a_constant_column_are_no_special_cases() {
    let line = table(30, 1, 216);
    let seen = labels(4, 1, 30, 217);
    let one = predict(params(some(1)), &line, &seen, &line);
    assert!(one.is_all_finite());
    let wide: Vec<f64> = line
        .contiguous()
        .unwrap()
        .iter()
        .flat_map(|v| [*v, 3.5])
        .collect();
    let wide = Points::new(wide, 30, 2).unwrap();
    let plain = predict(params(some(9)), &line, &seen, &line);
    close(
        "a constant column",
        &predict(params(some(9)), &wide, &seen, &wide),
        &plain,
        1e-9,
    )
    .unwrap();
    // The same landmark values twice: rank, not failure.
    let mut values = line.contiguous().unwrap().to_vec();
    values[1] = values[0];
    let repeated = Points::new(values, 30, 1).unwrap();
    let prepared = prepare(params(some(5)), &repeated);
    assert_eq!(prepared.coordinates().rank, 4);
    assert!(prepared.solve(&seen, &mut Quiet).is_ok());
}

#[test]
fn far_from_every_landmark_nothing_is_claimed() {
    let points = table(30, 2, 218);
    let seen = labels(4, 1, 30, 219);
    let fitted = prepare(params(some(9)), &points)
        .solve(&seen, &mut Quiet)
        .unwrap();
    let far = Points::new(vec![1e6, 1e6], 1, 2).unwrap();
    let scores = fitted.scores(&far, &mut Quiet).unwrap();
    assert!(!scores.reached[0] && scores.values[(0, 0)] == 0.0);
}

/// Eq 5 is kernel ridge regression under k̃ with the ridge λ: STKR with s(λ) = λ. The
/// other side never sees k̃: it is the minimiser over `k_x` and `∂ₐk_x` of all rows.
#[test]
fn stkr_on_the_data_kernel_is_the_exact_minimiser_of_equation_5() {
    let (points, at) = (table(24, 2, 220), table(7, 2, 221));
    let seen = labels(6, 2, 24, 222);
    let (lambda, mu) = (0.1, 1e-2);
    let rows = BasisSpec::Rows {
        index: (0..24).collect(),
        derivatives: true,
    };
    let fitted = prepare(params(rows), &points);
    let expected = fitted.solve(&seen, &mut Quiet).unwrap();

    let gaussian = Arc::new(Gaussian::new(SIGMA).unwrap());
    let kernel = DataKernel::new(Arc::new(points.clone()), gaussian, mu, &mut Quiet).unwrap();
    let square = kernel.matrix(&points, &points, &mut Quiet).unwrap();
    let stkr = StkrParams::as_printed(Transform::Power { degree: 1 }, lambda);
    let found = Stkr::new(stkr)
        .unwrap()
        .fit(SimilarityBase::new(square).unwrap(), &seen, &mut Quiet)
        .unwrap();

    let visible = &found.visible.as_ref().unwrap().values;
    let known = expected.scores(&points, &mut Quiet).unwrap().values;
    close("rows that were seen", visible, &known, 1e-8).unwrap();
    let similarities = kernel.matrix(&at, &points, &mut Quiet).unwrap();
    let similarities = Points::from_mat(similarities.as_ref()).unwrap();
    let new = found.scores(&similarities, &mut Quiet).unwrap().values;
    let there = expected.scores(&at, &mut Quiet).unwrap().values;
    close("new rows", &new, &there, 1e-8).unwrap();
}

#[test]
fn the_report_estimates_an_error_and_claims_no_residual() {
    let points = table(40, 2, 223);
    for route in [Route::Panel, Route::Gram] {
        let params = LaplacianParams {
            route,
            ..params(some(15))
        };
        let prepared = prepare(params, &points);
        let fitted = prepared.solve(&labels(5, 1, 40, 224), &mut Quiet).unwrap();
        let error = prepared.coordinates().error;
        let report = &fitted.report;
        assert_eq!(
            (report.measured(), report.error_estimate),
            (None, Some(error))
        );
        let text = serde_json::to_string(report).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(value.get("residual").is_none(), "{text}");
        assert_eq!(&serde_json::from_str::<SolveReport>(&text).unwrap(), report);
        // Neither, or both, is not a report.
        let both = text.replacen('{', "{\"residual\":0.5,", 1);
        assert!(serde_json::from_str::<SolveReport>(&both).is_err());
        let neither = text.replace(
            &format!("\"error_estimate\":{},", value["error_estimate"]),
            "",
        );
        assert_ne!(neither, text);
        assert!(serde_json::from_str::<SolveReport>(&neither).is_err());
    }
}
