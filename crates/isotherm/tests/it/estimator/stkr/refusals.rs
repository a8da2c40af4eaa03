//! Parameters that cannot be, and transforms that break Theorem 1.

use super::{base, seen};
use isotherm::base::Normalisation;
use isotherm::estimator::Estimator;
use isotherm::estimator::stkr::{Repair, Ridge, Solver, Stkr, StkrParams};
use isotherm::monitor::Quiet;
use isotherm::spectrum::{Encoder, Transform};

fn refused(params: StkrParams) -> String {
    match Stkr::new(params) {
        Ok(_) => panic!("it was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn parameters_out_of_range_or_unread_are_refused() {
    let usual = StkrParams::default;
    let cut = Transform::Truncation {
        rank: 3,
        encoder: Encoder::All,
    };
    for (params, word) in [
        (
            StkrParams {
                ridge: Ridge::Fixed(-1.0),
                ..usual()
            },
            "ridge",
        ),
        (
            StkrParams {
                steps: Some(3),
                ..usual()
            },
            "richardson",
        ),
        (
            StkrParams {
                step_size: Some(0.1),
                ..usual()
            },
            "richardson",
        ),
        (
            StkrParams {
                tolerance: 0.0,
                ..usual()
            },
            "tolerance",
        ),
        (
            StkrParams {
                iterations: 0,
                ..usual()
            },
            "iterations",
        ),
        (
            StkrParams {
                transform: Transform::Power { degree: 0 },
                ..usual()
            },
            "degree",
        ),
        (
            StkrParams {
                transform: Transform::Diffusion { time: -1.0 },
                ..usual()
            },
            "time",
        ),
        (
            StkrParams {
                transform: cut.clone(),
                solver: Solver::Minres,
                ..usual()
            },
            "solver",
        ),
        (
            StkrParams {
                ridge: Ridge::Auto,
                solver: Solver::Minres,
                ..usual()
            },
            "ridge",
        ),
        (
            StkrParams {
                transform: Transform::Power { degree: 2 },
                repair: Repair::PsdTwin,
                ..usual()
            },
            "psd-twin",
        ),
        (
            StkrParams {
                transform: Transform::Sum { terms: vec![cut] },
                ..usual()
            },
            "truncation",
        ),
    ] {
        let text = refused(params);
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn transforms_that_break_theorem_1_are_refused_with_the_eigenvalue() {
    for (transform, word) in [
        // A pole inside [0, 1].
        (Transform::InverseLaplacian { eta: 1.5 }, "s("),
        // Falling.
        (
            Transform::Polynomial {
                weights: vec![1.0, -0.9],
            },
            "non-decreasing",
        ),
    ] {
        let stkr = Stkr::new(StkrParams {
            transform,
            ..Default::default()
        });
        let error = stkr
            .unwrap()
            .fit(base(Normalisation::Symmetric), &seen(60), &mut Quiet)
            .unwrap_err()
            .to_string();
        assert!(error.contains(word), "{error}");
    }
    for (name, s) in [
        (
            "zero at zero",
            Box::new(|v: f64| v + 1.0) as Box<dyn Fn(f64) -> f64 + Send + Sync>,
        ),
        ("finite", Box::new(|v: f64| 1.0 / (0.5 - v).max(0.0) - 2.0)),
    ] {
        let stkr = Stkr::with_function(s, StkrParams::default()).unwrap();
        let error = stkr
            .fit(base(Normalisation::Symmetric), &seen(60), &mut Quiet)
            .unwrap_err()
            .to_string();
        assert!(error.contains(name), "{error}");
    }
}
