//! Kernels that are not positive: told, refused or repaired, never hidden.

use super::{base, seen};
use isotherm::Error;
use isotherm::base::Normalisation;
use isotherm::estimator::Estimator;
use isotherm::estimator::stkr::{Repair, Ridge, RidgePath, Solver, Stkr, StkrParams};
use isotherm::linalg::Mat;
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
        assert!(choice.contains("p.s.d. twin"), "{choice}");
        assert!(fitted.report.smallest.unwrap() > 0.0);
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
        choice.contains("least leave-one-label-out squared error"),
        "{choice}"
    );
}

#[test]
fn labels_say_nothing_along_a_clipped_direction() {
    // Eigenvalue 3 along (1, 1)/√2 and −1 along (1, −1)/√2.
    let gram = Mat::from_fn(2, 2, |i, j| if i == j { 1.0 } else { 2.0 });
    let path = RidgePath::new(gram.as_ref()).unwrap().clipped();
    let labels = Mat::from_fn(2, 1, |i, _| if i == 0 { 1.0 } else { 0.0 });
    for shift in [1.0, 1e-9] {
        let alpha = path.kept(shift, labels.as_ref());
        for i in 0..2 {
            let expected = 0.5 / (3.0 + shift);
            assert!((alpha[(i, 0)] - expected).abs() < 1e-15, "{alpha:?}");
        }
    }
}
