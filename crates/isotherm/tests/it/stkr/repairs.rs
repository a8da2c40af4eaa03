//! Kernels that are not positive: told, refused or repaired, never hidden.

use super::{base, seen};
use isotherm::Error;
use isotherm::base::Normalisation;
use isotherm::estimator::Estimator;
use isotherm::estimator::stkr::{Repair, Ridge, Solver, Stkr, StkrParams};
use isotherm::monitor::Quiet;
use isotherm::spectrum::Transform;

fn params(transform: Transform, repair: Repair) -> StkrParams {
    StkrParams {
        repair,
        ..StkrParams::as_printed(transform, 1e-3)
    }
}

#[test]
fn the_default_works_on_any_graph_and_says_what_it_did() {
    for transform in [
        Transform::InverseLaplacian { eta: 0.99 },
        Transform::Power { degree: 1 },
        Transform::Power { degree: 3 },
    ] {
        let stkr = Stkr::new(StkrParams {
            transform,
            ..Default::default()
        });
        let fitted = stkr
            .unwrap()
            .fit(base(Normalisation::Symmetric), &seen(60), &mut Quiet)
            .unwrap();
        let choice = fitted.report.choice.unwrap();
        assert!(choice.contains("because the system as posed"), "{choice}");
        assert!(fitted.report.smallest.unwrap() < 0.0);
    }
}

#[test]
fn refusing_gives_the_eigenvalue_and_the_ways_out() {
    let stkr = Stkr::new(params(Transform::Power { degree: 1 }, Repair::Refuse)).unwrap();
    let error = stkr
        .fit(base(Normalisation::Symmetric), &seen(60), &mut Quiet)
        .unwrap_err();
    assert!(matches!(error, Error::Indefinite { curvature, .. } if curvature < 0.0));
    let text = error.to_string();
    assert!(
        text.contains("raise ridge") && text.contains("clip"),
        "{text}"
    );
    // A lazy walk is positive: nothing to refuse.
    let stkr = Stkr::new(params(Transform::Power { degree: 1 }, Repair::Refuse)).unwrap();
    stkr.fit(base(Normalisation::Lazy), &seen(60), &mut Quiet)
        .unwrap();
}

#[test]
fn conjugate_gradients_do_not_run_through_an_indefinite_system() {
    for transform in [
        Transform::Power { degree: 1 },
        Transform::InverseLaplacian { eta: 0.9 },
    ] {
        let stkr = Stkr::new(StkrParams {
            solver: Solver::ConjugateGradients,
            ..params(transform, Repair::Refuse)
        });
        let error = stkr
            .unwrap()
            .fit(base(Normalisation::Symmetric), &seen(60), &mut Quiet)
            .unwrap_err();
        assert!(matches!(error, Error::Indefinite { .. }), "{error}");
    }
}

#[test]
fn an_automatic_ridge_is_chosen_and_said() {
    let stkr = Stkr::new(StkrParams {
        ridge: Ridge::Auto,
        ..Default::default()
    });
    let fitted = stkr
        .unwrap()
        .fit(base(Normalisation::Symmetric), &seen(60), &mut Quiet)
        .unwrap();
    let choice = fitted.report.choice.unwrap();
    assert!(
        choice.contains("least leave-one-label-out error"),
        "{choice}"
    );
}
