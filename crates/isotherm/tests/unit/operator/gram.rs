use std::ops::ControlFlow;
use std::sync::Arc;

use crate::Error;
use crate::data::Points;
use crate::kernel::{Gaussian, Geometry, Kernel, Linear, Matern, Polynomial, Smoothness};
use crate::linalg::{Mat, MatRef};
use crate::monitor::{Event, Quiet};
use crate::operator::dense::DenseGram;
use crate::operator::gram::Gram;
use crate::operator::tiled::TiledGram;
use crate::operator::{Operator, Symmetric};

use super::super::squared;
use crate::testing::random_points;

fn gaussian() -> Box<dyn Kernel> {
    Box::new(Gaussian::new(1.3).unwrap())
}

fn coefficients(n: usize, k: usize) -> Mat<f64> {
    Mat::from_fn(n, k, |i, j| ((i * 31 + j * 17) % 23) as f64 / 11.0 - 1.0)
}

fn largest_difference(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> f64 {
    (a.to_owned() - b).norm_max()
}

#[test]
fn expand_equals_the_naive_double_loop() {
    for d in [2, 17] {
        let (x, z) = (random_points(301, d, 1), Arc::new(random_points(555, d, 2)));
        let c = coefficients(555, 3);
        let gram = Gram::new(z.clone(), gaussian());
        let out = gram.expand(&x, c.as_ref(), &mut Quiet).unwrap();
        let matrix = gram.matrix(&x, &mut Quiet).unwrap();
        for i in 0..x.len() {
            let mut sum = [0.0; 3];
            for j in 0..z.len() {
                let k = (-squared(&x.row(i), &z.row(j)) / (2.0 * 1.3 * 1.3)).exp();
                assert!((matrix[(i, j)] - k).abs() < 1e-13);
                (0..3).for_each(|o| sum[o] += k * c[(j, o)]);
            }
            (0..3).for_each(|o| assert!((out[(i, o)] - sum[o]).abs() < 1e-11));
        }
    }
}

#[test]
fn dense_and_tiled_agree() {
    let points = Arc::new(random_points(700, 12, 3));
    let kernels: [Box<dyn Kernel>; 3] = [
        gaussian(),
        Box::new(Matern::new(Smoothness::FiveHalves, 0.8).unwrap()),
        Box::new(Polynomial::new(3, 0.5, 1.0).unwrap()),
    ];
    for kernel in kernels {
        let gram = Gram::new(points.clone(), kernel);
        let matrix = gram.matrix(&points, &mut Quiet).unwrap();
        let largest = matrix.norm_max();
        let dense = DenseGram::new(matrix, 1.0 / 700.0).unwrap();
        let tiled = TiledGram::new(&gram);
        let c = coefficients(700, 5);
        let (mut a, mut b) = (Mat::zeros(700, 5), Mat::zeros(700, 5));
        dense.apply(c.as_ref(), a.as_mut(), &mut Quiet).unwrap();
        tiled.apply(c.as_ref(), b.as_mut(), &mut Quiet).unwrap();
        assert!(largest_difference(a.as_ref(), b.as_ref()) <= 1e-13 * largest);
    }
}

#[test]
fn the_diagonal_is_the_kernel_at_zero_exactly() {
    let far: Vec<f64> = random_points(300, 20, 4)
        .contiguous()
        .unwrap()
        .iter()
        .map(|v| v + 1e7)
        .collect();
    let points = Arc::new(Points::new(far, 300, 20).unwrap());
    let gram = Gram::new(points.clone(), gaussian());
    let matrix = gram.matrix(&points, &mut Quiet).unwrap();
    for i in 0..300 {
        assert_eq!(matrix[(i, i)], 1.0);
    }
}

#[test]
fn the_spectrum_is_inside_the_claimed_interval() {
    for kernel in [
        gaussian(),
        Box::new(Linear),
        Box::new(Polynomial::new(2, 1.0, 0.5).unwrap()),
    ] {
        let points = Arc::new(random_points(120, 9, 5));
        let gram = Gram::new(points.clone(), kernel);
        let matrix = gram.matrix(&points, &mut Quiet).unwrap();
        let eigenvalues = matrix.self_adjoint_eigenvalues(faer::Side::Lower).unwrap();
        let tiled = TiledGram::new(&gram).spectrum();
        let dense = DenseGram::new(matrix, 1.0 / 120.0).unwrap().spectrum();
        for v in eigenvalues {
            let v = v / 120.0;
            assert!(v >= tiled.low - 1e-14 && v <= tiled.high * (1.0 + 1e-12));
            assert!(v >= dense.low && v <= dense.high);
        }
    }
}

#[derive(Debug)]
struct Unpromising;

impl Kernel for Unpromising {
    fn geometry(&self) -> Geometry {
        Geometry::SquaredDistance
    }
    fn value(&self, tile: &mut [f64]) {
        tile.iter_mut().for_each(|t| *t = -*t);
    }
}

#[test]
fn a_kernel_that_promises_nothing_gets_no_interval() {
    let gram = Gram::new(Arc::new(random_points(10, 2, 6)), Box::new(Unpromising));
    let interval = TiledGram::new(&gram).spectrum();
    assert_eq!(
        (interval.low, interval.high),
        (f64::NEG_INFINITY, f64::INFINITY)
    );
}

#[test]
fn thread_count_does_not_change_the_bits() {
    let (x, z) = (
        random_points(900, 30, 7),
        Arc::new(random_points(1100, 30, 8)),
    );
    let c = coefficients(1100, 4);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let gram = Gram::new(z.clone(), gaussian());
            let mut own = Mat::zeros(1100, 4);
            TiledGram::new(&gram)
                .apply(c.as_ref(), own.as_mut(), &mut Quiet)
                .unwrap();
            let dense = DenseGram::new(gram.matrix(&z, &mut Quiet).unwrap(), 1.0).unwrap();
            let mut stored = Mat::zeros(1100, 4);
            dense
                .apply(c.as_ref(), stored.as_mut(), &mut Quiet)
                .unwrap();
            (
                gram.expand(&x, c.as_ref(), &mut Quiet).unwrap(),
                own,
                stored,
            )
        })
    };
    let one = run(1);
    assert!(one == run(2));
    assert!(one == run(7));
}

#[test]
fn order_of_queries_and_anchors_means_nothing() {
    let (x, z) = (random_points(200, 14, 9), random_points(300, 14, 10));
    let c = coefficients(300, 2);
    let gram = Gram::new(Arc::new(z.clone()), gaussian());
    let out = gram.expand(&x, c.as_ref(), &mut Quiet).unwrap();
    let order: Vec<usize> = (0..300).map(|i| (i * 71) % 300).collect();
    let backwards: Vec<usize> = (0..200).rev().collect();
    let moved = Gram::new(Arc::new(z.select(&order).unwrap()), gaussian());
    let c = Mat::from_fn(300, 2, |i, j| c[(order[i], j)]);
    let queries = x.select(&backwards).unwrap();
    let again = moved.expand(&queries, c.as_ref(), &mut Quiet).unwrap();
    for i in 0..200 {
        for j in 0..2 {
            assert!((out[(i, j)] - again[(199 - i, j)]).abs() < 1e-12);
        }
    }
}

#[test]
fn a_long_product_can_be_cancelled_and_reports_its_steps() {
    let (x, z) = (
        random_points(1000, 10, 11),
        Arc::new(random_points(500, 10, 12)),
    );
    let gram = Gram::new(z, gaussian());
    let c = coefficients(500, 1);
    let mut events = Vec::new();
    let mut stop = |event: Event| {
        events.push(event);
        if matches!(event, Event::Step { .. }) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let error = gram.expand(&x, c.as_ref(), &mut stop).unwrap_err();
    assert_eq!(
        error,
        Error::Cancelled {
            phase: "predicting"
        }
    );
    assert_eq!(
        events[0],
        Event::Phase {
            name: "predicting",
            steps: Some(8)
        }
    );
    let mut out = Mat::zeros(500, 1);
    let refuse = &mut |_: Event| ControlFlow::Break(());
    let error = TiledGram::new(&gram)
        .apply(c.as_ref(), out.as_mut(), refuse)
        .unwrap_err();
    assert!(matches!(error, Error::Cancelled { .. }));
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let gram = Gram::new(Arc::new(random_points(20, 3, 13)), gaussian());
    let error = gram
        .expand(
            &random_points(5, 4, 14),
            coefficients(20, 1).as_ref(),
            &mut Quiet,
        )
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "features of the new rows: expected 3, got 4"
    );
    let error = gram
        .expand(
            &random_points(5, 3, 14),
            coefficients(19, 1).as_ref(),
            &mut Quiet,
        )
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "rows of the coefficients: expected 20, got 19"
    );
}

#[test]
fn an_overflowing_prediction_is_refused() {
    let huge = Points::new(vec![1e100; 20], 2, 10).unwrap();
    let gram = Gram::new(
        Arc::new(huge.clone()),
        Box::new(Polynomial::new(32, 1.0, 1.0).unwrap()),
    );
    let error = gram
        .expand(&huge, coefficients(2, 1).as_ref(), &mut Quiet)
        .unwrap_err();
    assert!(matches!(error, Error::NotFinite { .. }), "{error}");
}

#[test]
fn a_matrix_that_is_not_symmetric_is_refused() {
    let matrix = Mat::from_fn(100, 100, |i, j| if (i, j) == (80, 3) { 2.0 } else { 1.0 });
    let message = DenseGram::new(matrix, 1.0).unwrap_err().to_string();
    assert!(
        message.starts_with("the matrix is not symmetric: entry (80, 3) is 2"),
        "{message}"
    );
    assert!(DenseGram::new(Mat::zeros(3, 4), 1.0).is_err());
    assert!(DenseGram::new(Mat::from_fn(2, 2, |_, _| f64::NAN), 1.0).is_err());
}
