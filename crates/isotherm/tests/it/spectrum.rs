//! Spectral functions against their formulas.

use isotherm::spectrum::{Filter, SpectralFunction, Transform};

#[test]
fn polynomial_is_the_sum_of_its_powers() {
    let s = Transform::Polynomial {
        weights: vec![0.5, 0.0, 1.0, 2.0],
    };
    for t in [-1.0_f64, 0.0, 0.3, 1.0] {
        let expected = 0.5 * t + t.powi(3) + 2.0 * t.powi(4);
        assert!((s.at(t) - expected).abs() < 1e-15);
    }
}

#[test]
fn inverse_laplacian_is_the_series_of_its_powers() {
    // λ/(1 − ηλ) = Σ η^{p−1} λ^p  [STKR Example 1]
    let s = Transform::inverse_laplacian(0.7).unwrap();
    let series: f64 = (1..200)
        .map(|p| 0.7_f64.powi(p - 1) * 0.9_f64.powi(p))
        .sum();
    assert!((s.at(0.9) - series).abs() < 1e-13);
    assert!(Transform::inverse_laplacian(1.0).is_err());
    assert!(Transform::inverse_laplacian(f64::NAN).is_err());
}

#[test]
fn reciprocal_of_order_two_matches_its_definition() {
    let s = Transform::Reciprocal {
        weights: vec![1.0, 0.3, 0.2],
        order: 2,
    };
    let t = 0.4_f64;
    let inverse = t.powi(-2) * (1.0 + 0.3 * t + 0.2 * t * t);
    assert!((s.at(t) - 1.0 / inverse).abs() < 1e-15);
}

#[test]
fn transforms_that_are_none_are_refused() {
    assert!(Transform::Polynomial { weights: vec![] }.check().is_err());
    assert!(
        Transform::Polynomial { weights: vec![0.0] }
            .check()
            .is_err()
    );
    assert!(
        Transform::Reciprocal {
            weights: vec![1.0],
            order: 0
        }
        .check()
        .is_err()
    );
    assert!(
        Transform::Reciprocal {
            weights: vec![1.0, f64::INFINITY],
            order: 1
        }
        .check()
        .is_err()
    );
}

#[test]
fn filters_match_their_formulas_and_their_limits() {
    let x = 0.37_f64;
    assert_eq!(Filter::Tikhonov { strength: 0.1 }.at(x), 1.0 / (x + 0.1));
    assert_eq!(Filter::CutOff { threshold: 0.3 }.at(x), 1.0 / x);
    assert_eq!(Filter::CutOff { threshold: 0.4 }.at(x), 0.0);
    let flow = Filter::GradientFlow { time: 5.0 };
    assert!((flow.at(x) - (1.0 - (-5.0 * x).exp()) / x).abs() < 1e-15);
    assert_eq!(flow.at(0.0), 5.0);
    assert!(
        (flow.at(1e-12) - 5.0).abs() < 1e-10,
        "no cancellation near zero"
    );
    let heat = Filter::Heat { time: 2.0 };
    assert!((heat.at(x) - (-2.0 / x).exp() / x).abs() < 1e-15);
    assert_eq!(heat.at(0.0), 0.0);
    assert!(Filter::Tikhonov { strength: 0.0 }.check().is_err());
}

#[test]
fn spectral_functions_survive_json_and_refuse_unknown_fields() {
    let s = Transform::inverse_laplacian(0.9).unwrap();
    let text = serde_json::to_string(&s).unwrap();
    assert_eq!(serde_json::from_str::<Transform>(&text).unwrap(), s);
    let extra = r#"{"kind":"tikhonov","strength":1.0,"lambda":2}"#;
    assert!(serde_json::from_str::<Filter>(extra).is_err());
}
