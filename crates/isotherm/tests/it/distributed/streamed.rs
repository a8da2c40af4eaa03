//! Streamed rows against the same rows in memory, and single against double precision.

use std::sync::Arc;

use isotherm::Error;
use isotherm::data::stream::{Scaled, Slice};
use isotherm::data::{Points, RowStream, Standardiser, Survey};
use isotherm::estimator::laplacian::{
    BasisSpec, Covariance, Laplacian, LaplacianParams, NormShare, Route,
};
use isotherm::estimator::{Estimator, Prepared};
use isotherm::feature::moments::{BasisMoments, Wanted};
use isotherm::feature::{Features, Fourier, Landmarks};
use isotherm::kernel::{Bandwidth, Gaussian, KernelSpec, Matern, Polynomial, Smoothness};
use isotherm::linalg::{Mat, Precision};
use isotherm::monitor::Quiet;
use isotherm::spectrum::Filter;
use isotherm::task::Observed;
use isotherm::testing::operator::close;
use isotherm::testing::random;

fn table(rows: usize, dim: usize, seed: u64) -> Points {
    let values = random(rows, dim, seed);
    let flat = (0..rows * dim)
        .map(|k| values[(k / dim, k % dim)])
        .collect();
    Points::new(flat, rows, dim).unwrap()
}

fn params(basis: BasisSpec) -> LaplacianParams {
    LaplacianParams {
        kernel: KernelSpec::Gaussian {
            bandwidth: Bandwidth::Fixed(0.9),
        },
        basis,
        filter: Some(Filter::Tikhonov { strength: 0.1 }),
        norm_share: NormShare::Fixed(1e-2),
        route: Route::Gram,
        ..LaplacianParams::default()
    }
}

fn rows(index: &[usize]) -> BasisSpec {
    BasisSpec::Rows {
        index: index.to_vec(),
        derivatives: false,
    }
}

#[test]
fn a_streamed_fit_is_the_fit_in_memory() {
    let points = table(700, 3, 1);
    let new = table(40, 3, 2);
    let index: Vec<usize> = vec![600, 5, 17, 333, 4];
    let seen = Observed::new(index.clone(), random(5, 2, 3), 700).unwrap();
    let landmarks: Vec<usize> = (0..30).map(|i| 23 * i).collect();
    for covariance in [Covariance::Labelled, Covariance::All] {
        let params = LaplacianParams {
            covariance,
            free_constant: covariance == Covariance::All,
            ..params(rows(&landmarks))
        };
        let method = Laplacian::new(params, 0).unwrap();
        let prepared = method.prepare(points.clone(), &mut Quiet).unwrap();
        let fitted = prepared.solve(&seen, &mut Quiet).unwrap();
        let expected = fitted.scores(&new, &mut Quiet).unwrap().values;
        let keep: Vec<usize> = index.iter().chain(&landmarks).copied().collect();
        for each in [1, 64, 129, 700, 5000] {
            let mut stream = Slice::new(points.contiguous().unwrap(), 3, each).unwrap();
            let survey = Survey::take(&mut stream, 50, &keep, 0, &mut Quiet).unwrap();
            let prepared = method
                .prepare_streamed(&mut stream, &survey, &mut Quiet)
                .unwrap();
            let fitted = prepared.solve(&seen, &mut Quiet).unwrap();
            let found = fitted.scores(&new, &mut Quiet).unwrap().values;
            close("scores", &found, &expected, 1e-9).unwrap();
        }
    }
}

/// A smooth kernel and a small μ: sums alone do not resolve all of the basis.
#[test]
fn what_sums_do_not_resolve_is_left_out_and_said() {
    let points = table(800, 3, 1);
    let new = table(60, 3, 2);
    let seen = Observed::new((0..12).collect(), random(12, 1, 3), 800).unwrap();
    let landmarks: Vec<usize> = (0..200).map(|i| 4 * i).collect();
    let of = |route| LaplacianParams {
        route,
        norm_share: NormShare::Fixed(1e-4),
        kernel: KernelSpec::Gaussian {
            bandwidth: Bandwidth::Fixed(2.0),
        },
        ..params(rows(&landmarks))
    };
    let panel = Laplacian::new(of(Route::Panel), 0).unwrap();
    let panel = panel.prepare(points.clone(), &mut Quiet).unwrap();
    let expected = panel.solve(&seen, &mut Quiet).unwrap();
    let expected = expected.scores(&new, &mut Quiet).unwrap().values;
    let passing = |route| {
        let mut stream = Slice::new(points.contiguous().unwrap(), 3, 100).unwrap();
        let keep: Vec<usize> = (0..12).chain(landmarks.iter().copied()).collect();
        let survey = Survey::take(&mut stream, 10, &keep, 0, &mut Quiet).unwrap();
        Laplacian::new(of(route), 0)
            .unwrap()
            .prepare_streamed(&mut stream, &survey, &mut Quiet)
    };
    // As asked for, it is refused or unsafe; left to us, it is safe.
    let unsafe_one = passing(Route::Gram).map(|p| p.coordinates().error);
    assert!(unsafe_one.is_err() || unsafe_one.unwrap() > 1e-2);
    let prepared = passing(Route::Auto).unwrap();
    let found = prepared.coordinates();
    assert!(found.error <= 1e-2, "{:e}", found.error);
    assert!(
        0 < found.rank && found.rank < found.resolved && found.resolved <= 200,
        "{} of {}",
        found.rank,
        found.resolved
    );
    let fitted = prepared.solve(&seen, &mut Quiet).unwrap();
    let said = fitted.report.choice.clone().unwrap();
    assert!(said.contains("do not resolve"), "{said}");
    let scores = fitted.scores(&new, &mut Quiet).unwrap().values;
    let off = (&scores - &expected).norm_l2() / expected.norm_l2();
    assert!(off < 2e-2, "{off:e}");
    // Another μ is cut anew, and the same as if prepared for it.
    let other = prepared.with_share(1e-2, &mut Quiet).unwrap();
    assert!(other.coordinates().error <= 1e-2);
    assert!(other.coordinates().rank >= found.rank);
}

#[test]
fn landmarks_of_a_stream_come_from_its_sample() {
    let points = table(500, 2, 4);
    let mut stream = Slice::new(points.contiguous().unwrap(), 2, 77).unwrap();
    let survey = Survey::take(&mut stream, 60, &[3, 9, 11], 8, &mut Quiet).unwrap();
    let sample = survey.sample().unwrap();
    let method = Laplacian::new(
        params(BasisSpec::Landmarks {
            count: Some(20),
            selection: Default::default(),
            derivatives: false,
        }),
        8,
    )
    .unwrap();
    let prepared = method
        .prepare_streamed(&mut stream, &survey, &mut Quiet)
        .unwrap();
    let isotherm::base::Basis::Landmarks(found) = prepared.base().basis() else {
        panic!("landmarks were asked for");
    };
    assert_eq!(found.len(), 20);
    for i in 0..found.points().len() {
        let row = found.points().row(i);
        assert!((0..sample.len()).any(|j| sample.row(j) == row));
    }
}

#[test]
fn what_needs_all_rows_is_refused() {
    let points = table(50, 2, 4);
    for params in [
        params(BasisSpec::Exact),
        LaplacianParams {
            route: Route::Panel,
            ..params(rows(&[0, 1]))
        },
    ] {
        let mut stream = Slice::new(points.contiguous().unwrap(), 2, 10).unwrap();
        let survey = Survey::take(&mut stream, 10, &[0, 1], 0, &mut Quiet).unwrap();
        let refused =
            Laplacian::new(params, 0)
                .unwrap()
                .prepare_streamed(&mut stream, &survey, &mut Quiet);
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("need all rows in memory"), "{message}");
    }
    // A labelled row that the survey did not keep.
    let mut stream = Slice::new(points.contiguous().unwrap(), 2, 10).unwrap();
    let survey = Survey::take(&mut stream, 10, &[0, 1], 0, &mut Quiet).unwrap();
    let prepared = Laplacian::new(params(rows(&[0, 1])), 0)
        .unwrap()
        .prepare_streamed(&mut stream, &survey, &mut Quiet)
        .unwrap();
    let seen = Observed::new(vec![7], random(1, 1, 1), 50).unwrap();
    let message = prepared.solve(&seen, &mut Quiet).unwrap_err().to_string();
    assert!(message.contains("row 7"), "{message}");
}

#[test]
fn a_survey_knows_columns_rows_and_a_fair_sample() {
    let mut values = table(400, 3, 9).into_values();
    for row in values.chunks_exact_mut(3) {
        row[0] = 1e6 + 1e-2 * row[0];
        row[1] = 7.5;
    }
    let points = Points::new(values, 400, 3).unwrap();
    let expected = Standardiser::learn(&points, &mut Quiet).unwrap();
    for each in [1, 13, 400] {
        let mut stream = Slice::new(points.contiguous().unwrap(), 3, each).unwrap();
        let keep = [399, 0, 20, 20];
        let survey = Survey::take(&mut stream, 25, &keep, 1, &mut Quiet).unwrap();
        assert_eq!((survey.count(), survey.sample().unwrap().len()), (400, 25));
        assert_eq!(survey.kept().unwrap().0, [0, 20, 399]);
        assert_eq!(survey.constant(), [1]);
        assert_eq!(
            survey.select(&[399, 0]).unwrap(),
            points.select(&[399, 0]).unwrap()
        );
        let scaling = survey.scaling().unwrap();
        for (a, b) in scaling.mean().iter().zip(expected.mean()) {
            assert!((a - b).abs() <= 1e-14 * b.abs(), "{a} {b}");
        }
        // The rounding of a large mean, seen from the scale.
        for (j, (a, b)) in scaling.scale().iter().zip(expected.scale()).enumerate() {
            let bound = f64::EPSILON * (10.0 + expected.mean()[j].abs() / b);
            assert!((a - b).abs() <= bound * b, "{a} {b}");
        }
        // Scaling the stream is scaling the table.
        let whole = expected.apply(points.clone(), &mut Quiet).unwrap();
        let mut scaled = Scaled::new(&mut stream, Some(&expected));
        scaled.rewind().unwrap();
        let mut at = 0;
        while let Some(part) = scaled.next(&mut Quiet).unwrap() {
            assert_eq!(part.row(0), whole.row(at));
            at += part.len();
        }
        assert_eq!(at, 400);
    }
    // Each row is as likely as another: 2000 draws of 4 of 8.
    let line = Points::new((0..8).map(f64::from).collect(), 8, 1).unwrap();
    let mut drawn = [0_u32; 8];
    for seed in 0..2000 {
        let mut stream = Slice::new(line.contiguous().unwrap(), 1, 3).unwrap();
        let survey = Survey::take(&mut stream, 4, &[], seed, &mut Quiet).unwrap();
        let sample = survey.sample().unwrap();
        assert_eq!(sample.len(), 4);
        for v in sample.contiguous().unwrap() {
            drawn[*v as usize] += 1;
        }
    }
    // 1000 ± five standard deviations of √(2000/4).
    assert!(
        drawn.iter().all(|n| n.abs_diff(1000) < 112),
        "unfair: {drawn:?}"
    );
}

#[test]
fn a_bad_cell_of_a_stream_is_told_by_its_row() {
    let mut values = vec![1.0; 40];
    values[33] = f64::NAN;
    let mut stream = Slice::new(&values, 2, 7).unwrap();
    let refused = Survey::take(&mut stream, 4, &[], 0, &mut Quiet).unwrap_err();
    assert!(
        matches!(
            refused,
            Error::Value {
                row: 16,
                column: 1,
                ..
            }
        ),
        "{refused:?}"
    );
    assert!(Slice::new(&values, 3, 7).is_err());
    assert!(Slice::new(&values, 2, 0).is_err());
    let mut stream = Slice::new(&values[..20], 2, 7).unwrap();
    let refused = Survey::take(&mut stream, 4, &[10], 0, &mut Quiet).unwrap_err();
    assert!(
        matches!(refused, Error::Shape { got: 10, .. }),
        "{refused:?}"
    );
}

fn energies(features: &Arc<dyn Features>, rows: &Points) -> (Mat<f64>, Mat<f64>, f64) {
    let sum = |precision| {
        let mut moments = BasisMoments::with_precision(features.clone(), Wanted::Both, precision);
        moments.add(rows, &mut Quiet).unwrap();
        moments.finish().unwrap()
    };
    let (double, single) = (sum(Precision::Double), sum(Precision::Single));
    let (a, b) = (double.covariance.unwrap(), single.covariance.unwrap());
    assert!((&a - &b).norm_l2() <= 1e-5 * a.norm_l2());
    for (a, b) in double.mean.iter().zip(&single.mean) {
        assert!((a - b).abs() <= 1e-5, "{a} {b}");
    }
    (double.energy, single.energy, single.rounding)
}

#[test]
fn single_precision_is_as_near_as_it_says() {
    let points = Arc::new(table(40, 12, 1));
    // One of them with slopes of 10⁻⁷: a scale of its own is no loss.
    let bases: Vec<Arc<dyn Features>> = vec![
        Arc::new(Landmarks::new(
            points.clone(),
            Arc::new(Gaussian::new(2.0).unwrap()),
        )),
        Arc::new(Landmarks::new(
            points.clone(),
            Arc::new(Matern::new(Smoothness::ThreeHalves, 3.0).unwrap()),
        )),
        Arc::new(Landmarks::new(
            points.clone(),
            Arc::new(Polynomial::new(3, 1e-7, 1.0).unwrap()),
        )),
        Arc::new(
            Fourier::draw(
                &KernelSpec::Gaussian {
                    bandwidth: Bandwidth::Fixed(2.0),
                },
                12,
                40,
                3,
            )
            .unwrap(),
        ),
    ];
    let rows = table(3000, 12, 2);
    for features in bases {
        let (double, single, said) = energies(&features, &rows);
        let off = (&double - &single).norm_l2() / double.norm_l2();
        assert!(off > 1e-12, "{features:?} was not single: {off:e}");
        assert!(said < 1e-5, "{said:e}");
        assert!(off <= 10.0 * said, "{off:e} where {said:e} was said");
    }
}

#[test]
fn single_precision_fits_and_tells_its_error() {
    let points = table(600, 10, 5);
    let new = table(50, 10, 6);
    let seen = Observed::new((0..40).collect(), random(40, 1, 3), 600).unwrap();
    let fit = |precision| {
        let params = LaplacianParams {
            precision,
            kernel: KernelSpec::Gaussian {
                bandwidth: Bandwidth::Fixed(2.0),
            },
            norm_share: NormShare::Fixed(1e-1),
            ..params(rows(&(0..80).collect::<Vec<_>>()))
        };
        let prepared = Laplacian::new(params, 0)
            .unwrap()
            .prepare(points.clone(), &mut Quiet)
            .unwrap();
        let error = prepared.coordinates().error;
        let fitted = prepared.solve(&seen, &mut Quiet).unwrap();
        (fitted.scores(&new, &mut Quiet).unwrap().values, error)
    };
    let (double, exact) = fit(Precision::Double);
    let (single, error) = fit(Precision::Single);
    let off = (&double - &single).norm_l2() / double.norm_l2();
    assert!(exact < 1e-10 && error > 1e-9 && error < 1e-1, "{error:e}");
    assert!(
        off > 0.0 && off <= error,
        "{off:e} where {error:e} was said"
    );
}

#[test]
fn single_precision_is_refused_where_it_is_not_used() {
    let derivatives = LaplacianParams {
        precision: Precision::Single,
        ..params(BasisSpec::Rows {
            index: vec![0],
            derivatives: true,
        })
    };
    let panel = LaplacianParams {
        precision: Precision::Single,
        route: Route::Panel,
        ..params(rows(&[0]))
    };
    for params in [derivatives, panel] {
        assert!(Laplacian::new(params, 0).is_err());
    }
}
