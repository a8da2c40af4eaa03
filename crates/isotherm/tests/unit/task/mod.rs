//! Codecs and observed labels.

mod classes;
mod flags;
pub(crate) mod rankings;

use crate::linalg::Mat;
use crate::task::one_hot::Reading;
use crate::task::{Codec, Observed, OneHot, Real};
use crate::testing::codec::check;
use proptest::prelude::*;

#[test]
fn codecs_keep_their_contract() {
    check(&OneHot::new(5), &[0, 1, 2, 3, 4]).unwrap();
    check(&Real { offset: 0.0 }, &[0.0, -3.5, 1e100]).unwrap();
    check(&Real { offset: 8.0 }, &[0.0, 16.0]).unwrap();
}

#[test]
fn real_values_are_centred_on_the_labels_that_are_there() {
    assert_eq!(Real::centred(&[Some(1.0), None, Some(3.0)]).offset, 2.0);
    assert_eq!(Real::centred(&[None]).offset, 0.0);
}

#[test]
fn a_row_no_label_reaches_is_uniform_and_not_class_zero() {
    let codec = OneHot::new(4);
    for reading in [Reading::Shares, Reading::Estimates] {
        assert_eq!(
            codec.probabilities(&[0.9, 0.0, 0.0, 0.0], reading, false),
            [0.25; 4]
        );
        assert_eq!(codec.probabilities(&[0.0; 4], reading, true), [0.25; 4]);
    }
}

#[test]
fn estimates_already_on_the_simplex_stay_where_they_are() {
    let p = OneHot::new(3).probabilities(&[0.5, 0.2, 0.3], Reading::Estimates, true);
    for (a, b) in p.iter().zip([0.5, 0.2, 0.3]) {
        assert!((a - b).abs() < 1e-15);
    }
}

proptest! {
    #[test]
    fn probabilities_are_finite_sum_to_one_and_keep_the_order(
        scores in proptest::collection::vec(-1e12..1e12_f64, 2..9),
        small in proptest::collection::vec(0.0..1e-300_f64, 2..9),
    ) {
        for scores in [scores, small] {
            let codec = OneHot::new(scores.len());
            for reading in [Reading::Shares, Reading::Estimates] {
                let p = codec.probabilities(&scores, reading, true);
                prop_assert!(p.iter().all(|p| (0.0..=1.0).contains(p)));
                prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                let best = codec.decode(&scores) as usize;
                prop_assert!(p.iter().all(|q| p[best] >= *q));
            }
        }
    }
}

#[test]
fn observed_labels_know_their_places() {
    let seen = Observed::encode(&OneHot::new(2), &[None, Some(1), None, Some(0)]).unwrap();
    assert_eq!(
        (seen.index(), seen.total(), seen.width()),
        (&[1, 3][..], 4, 2)
    );
    let lifted = seen.lifted().unwrap();
    assert_eq!(
        (lifted.row(0), lifted.row(1), lifted.row(3)),
        (&[0.0; 2][..], &[0.0, 1.0][..], &[1.0, 0.0][..])
    );
}

#[test]
fn observed_labels_that_cannot_be_are_refused() {
    let zeros = |n| Mat::<f64>::zeros(n, 1);
    assert!(Observed::encode(&Real::default(), &[None, None]).is_err());
    assert!(Observed::new(vec![0, 0], zeros(2), 3).is_err(), "twice");
    assert!(Observed::new(vec![3], zeros(1), 3).is_err(), "out of range");
    assert!(Observed::new(vec![1], zeros(2), 3).is_err(), "rows");
    let nan = Mat::from_fn(1, 1, |_, _| f64::NAN);
    assert!(Observed::new(vec![1], nan, 3).is_err(), "not finite");
}
