//! Iterative solvers against a direct solve.

mod eigenpairs;
mod lanczos;

use crate::Error;
use crate::linalg::{Block, Mat};
use crate::monitor::{Event, Quiet};
use crate::operator::Operator;
use crate::operator::dense::DenseGram;
use crate::solve::conjugate_gradient::{ConjugateGradient, Definite, InnerProduct};
use crate::solve::minres::Minres;
use crate::solve::richardson::Richardson;
use crate::solve::{self, Outcome, Stop, direct};
use crate::testing::operator::close;
use crate::testing::random;
use std::ops::ControlFlow;

const TIGHT: Stop = Stop::Residual {
    relative: 1e-12,
    at_most: 2000,
};

fn definite(operator: &dyn Operator) -> Definite<'_> {
    Definite {
        operator,
        name: "a",
        hint: "mend it",
    }
}

/// A symmetric matrix with eigenvalues spread evenly over [low, high].
fn spread(n: usize, low: f64, high: f64) -> Mat<f64> {
    let q = crate::linalg::qr::thin(random(n, n, 31).as_ref()).q;
    let value = |j: usize| low + (high - low) * j as f64 / (n - 1) as f64;
    let scaled = Mat::from_fn(n, n, |i, j| q[(i, j)] * value(j));
    let a = &scaled * q.transpose();
    Mat::from_fn(n, n, |i, j| a[(i.max(j), i.min(j))])
}

fn conjugate_gradient(
    a: &DenseGram,
    b: &Mat<f64>,
    stop: Stop,
) -> crate::Result<(Mat<f64>, solve::SolveReport)> {
    let rhs = Block::copy_of(b.as_ref())?;
    let tolerance = match stop {
        Stop::Residual { relative, .. } => relative,
        Stop::After { .. } => 0.0,
    };
    let it = ConjugateGradient::new(
        definite(a),
        InnerProduct::Euclidean,
        rhs,
        tolerance,
        &mut Quiet,
    )?;
    let (x, report) = solve::drive(it, stop, &mut Quiet)?;
    Ok((x.as_mat().to_owned(), report))
}

#[test]
fn conjugate_gradients_and_cholesky_agree_for_many_widths() {
    let a = spread(80, 0.1, 10.0);
    let operator = DenseGram::new(a.clone(), 1.0).unwrap();
    for width in [1, 2, 3, 8, 17] {
        let b = random(80, width, 32);
        let (x, report) = conjugate_gradient(&operator, &b, TIGHT).unwrap();
        let (expected, _) = direct::definite(a.clone(), "a", "", b.as_ref(), &mut Quiet).unwrap();
        close("solutions", &x, &expected, 1e-10).unwrap();
        assert_eq!(report.outcome, Outcome::Converged);
        assert!(report.residual < 4e-12, "{report:?}");
    }
}

#[test]
fn conjugate_gradients_estimate_the_condition_number() {
    let operator = DenseGram::new(spread(60, 0.5, 20.0), 1.0).unwrap();
    let (_, report) = conjugate_gradient(&operator, &random(60, 2, 33), TIGHT).unwrap();
    let condition = report.condition.unwrap();
    assert!((condition / 40.0 - 1.0).abs() < 0.05, "{condition}");
}

#[test]
fn a_column_that_is_easy_stops_early_and_stays_right() {
    // The first 15 columns are eigenvectors (one step each); the last is hard,
    // so the block is compacted from 16 columns to one on the way.
    let a = spread(64, 0.01, 10.0);
    let eigen = crate::linalg::eigen::symmetric(a.as_ref()).unwrap();
    let hard = random(64, 1, 34);
    let b = Mat::from_fn(64, 16, |i, j| {
        if j < 15 {
            eigen.vectors[(i, j * 4)]
        } else {
            hard[(i, 0)]
        }
    });
    let operator = DenseGram::new(a.clone(), 1.0).unwrap();
    let (x, _) = conjugate_gradient(&operator, &b, TIGHT).unwrap();
    let (expected, _) = direct::definite(a, "a", "", b.as_ref(), &mut Quiet).unwrap();
    close("solutions", &x, &expected, 1e-9).unwrap();
}

#[test]
fn zero_columns_cost_nothing_and_stay_zero() {
    let operator = DenseGram::new(spread(20, 1.0, 2.0), 1.0).unwrap();
    let (x, report) = conjugate_gradient(&operator, &Mat::zeros(20, 3), TIGHT).unwrap();
    assert_eq!(x, Mat::<f64>::zeros(20, 3));
    assert_eq!(report.outcome, Outcome::Converged);
    assert_eq!(report.residual, 0.0);
}

#[test]
fn conjugate_gradients_refuse_an_indefinite_matrix() {
    let operator = DenseGram::new(spread(40, -1.0, 1.0), 1.0).unwrap();
    let error = conjugate_gradient(&operator, &random(40, 2, 35), TIGHT).unwrap_err();
    match error {
        Error::Indefinite { curvature, .. } => assert!(curvature <= 0.0),
        other => panic!("{other}"),
    }
}

#[test]
fn running_out_of_iterations_is_said() {
    let operator = DenseGram::new(spread(80, 1e-4, 10.0), 1.0).unwrap();
    let stop = Stop::Residual {
        relative: 1e-12,
        at_most: 3,
    };
    let (_, report) = conjugate_gradient(&operator, &random(80, 1, 36), stop).unwrap();
    assert_eq!((report.outcome, report.iterations), (Outcome::Exhausted, 3));
    assert!(report.residual > 1e-6);
}

#[test]
fn a_weighted_inner_product_serves_a_matrix_self_adjoint_in_it() {
    // M = C W with C, W s.p.d. is self-adjoint in ⟨u, v⟩ = uᵀWv: W M = W C W.
    let (c, w) = (spread(50, 0.5, 3.0), spread(50, 0.2, 2.0));
    let m = &c * &w;
    struct General(Mat<f64>);
    impl crate::operator::Operator for General {
        fn dim(&self) -> usize {
            self.0.nrows()
        }
        fn apply(
            &self,
            block: faer::MatRef<'_, f64>,
            mut out: faer::MatMut<'_, f64>,
            _: &mut dyn crate::monitor::Monitor,
        ) -> crate::Result<()> {
            out.copy_from(&self.0 * block);
            Ok(())
        }
    }
    let b = random(50, 3, 37);
    let operator = General(m.clone());
    let weight = General(w);
    let rhs = Block::copy_of(b.as_ref()).unwrap();
    let inner = InnerProduct::Weighted(&weight);
    let it = ConjugateGradient::new(definite(&operator), inner, rhs, 1e-12, &mut Quiet).unwrap();
    let (x, report) = solve::drive(it, TIGHT, &mut Quiet).unwrap();
    close("M x and b", &(&m * x.as_mat()), &b, 1e-10).unwrap();
    assert_eq!(report.outcome, Outcome::Converged);
}

#[test]
fn minres_and_bunch_kaufman_agree_on_indefinite_systems() {
    let mut a = spread(60, -2.0, 3.0);
    for i in 0..60 {
        a[(i, i)] += 0.013; // no eigenvalue at zero
    }
    let b = random(60, 5, 38);
    let operator = DenseGram::new(a.clone(), 1.0).unwrap();
    let it = Minres::new(&operator, Block::copy_of(b.as_ref()).unwrap(), 1e-12).unwrap();
    let (x, report) = solve::drive(it, TIGHT, &mut Quiet).unwrap();
    let (expected, direct) = direct::symmetric(&a, b.as_ref()).unwrap();
    close("solutions", &x.as_mat().to_owned(), &expected, 1e-8).unwrap();
    assert!(
        report.residual < 1e-11 && direct.residual < 1e-12,
        "{report:?} {direct:?}"
    );
}

#[test]
fn richardson_and_the_closed_form_agree_after_every_number_of_steps() {
    // x_T = (I − (I − γA)^T) A⁻¹ b
    let a = spread(30, 0.2, 1.0);
    let b = random(30, 2, 39);
    let (limit, _) = direct::definite(a.clone(), "a", "", b.as_ref(), &mut Quiet).unwrap();
    let operator = DenseGram::new(a.clone(), 1.0).unwrap();
    let gamma = 0.7;
    let shrink = Mat::from_fn(30, 30, |i, j| {
        f64::from(u8::from(i == j)) - gamma * a[(i, j)]
    });
    let mut left = limit.clone();
    for iterations in 1..=12 {
        left = &shrink * &left;
        let rhs = Block::copy_of(b.as_ref()).unwrap();
        let it = Richardson::new(&operator, rhs, gamma).unwrap();
        let (x, report) = solve::drive(it, Stop::After { iterations }, &mut Quiet).unwrap();
        close("iterates", &x.as_mat().to_owned(), &(&limit - &left), 1e-12).unwrap();
        assert_eq!(report.outcome, Outcome::AsPrescribed);
    }
}

#[test]
fn richardson_that_diverges_says_so() {
    let operator = DenseGram::new(spread(10, 1.0, 10.0), 1.0).unwrap();
    let rhs = Block::copy_of(random(10, 1, 40).as_ref()).unwrap();
    let it = Richardson::new(&operator, rhs, 1e3).unwrap();
    let error = solve::drive(it, Stop::After { iterations: 10_000 }, &mut Quiet).unwrap_err();
    assert!(matches!(error, Error::NotFinite { .. }), "{error}");
    let rhs = Block::zeros(10, 1).unwrap();
    assert!(Richardson::new(&operator, rhs, 0.0).is_err());
}

#[test]
fn every_iteration_is_told_and_a_break_stops() {
    let operator = DenseGram::new(spread(50, 0.01, 10.0), 1.0).unwrap();
    let rhs = || Block::copy_of(random(50, 1, 41).as_ref()).unwrap();
    let mut seen = Vec::new();
    let mut monitor = |event| {
        if let Event::Residual { iteration, .. } = event {
            seen.push(iteration);
            if iteration == 5 {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    let it = Minres::new(&operator, rhs(), 1e-12).unwrap();
    let error = solve::drive(it, TIGHT, &mut monitor).unwrap_err();
    assert_eq!(error, Error::Cancelled { phase: "minres" });
    assert_eq!(seen, [1, 2, 3, 4, 5]);
}

#[test]
fn a_right_hand_side_of_the_wrong_length_is_refused() {
    let operator = DenseGram::new(spread(10, 1.0, 2.0), 1.0).unwrap();
    let rhs = Block::zeros(9, 1).unwrap();
    assert!(Minres::new(&operator, rhs, 1e-6).is_err());
}

#[test]
fn minres_on_an_incompatible_system_stays_finite_and_says_so() {
    // A = diag(1, 0), b = (1, 1): no solution, and the Krylov space ends early.
    let a = Mat::from_fn(2, 2, |i, j| f64::from(u8::from(i == 0 && j == 0)));
    let operator = DenseGram::new(a, 1.0).unwrap();
    for b in [
        Mat::from_fn(2, 1, |_, _| 1.0),
        Mat::from_fn(2, 1, |i, _| i as f64),
    ] {
        let it = Minres::new(&operator, Block::copy_of(b.as_ref()).unwrap(), 1e-12).unwrap();
        let stop = Stop::Residual {
            relative: 1e-12,
            at_most: 20,
        };
        let (x, report) = solve::drive(it, stop, &mut Quiet).unwrap();
        assert!(x.as_slice().iter().all(|v| v.is_finite()), "{x:?}");
        assert_ne!(report.outcome, Outcome::Converged);
        assert!(report.residual > 0.5);
    }
}
