//! Codecs of classes, ordered or not, and of numbers.

use crate::linalg::Mat;
use crate::task::one_hot::Reading;
use crate::task::{
    Codec, LossMatrix, Observed, OneHot, Ordinal, Priors, Real, Reals, Soft, simplex,
};
use crate::testing::codec::check;
use crate::testing::random;
use proptest::prelude::*;

fn absolute(levels: usize) -> LossMatrix {
    LossMatrix::new(Mat::from_fn(levels, levels, |y, z| y.abs_diff(z) as f64)).unwrap()
}

#[test]
fn codecs_of_classes_and_numbers_keep_their_contract() {
    for levels in [2, 3, 7] {
        let all: Vec<u32> = (0..levels as u32).collect();
        check(&Ordinal::new(levels).unwrap(), &all).unwrap();
        check(&absolute(levels), &all).unwrap();
        check(&OneHot::new(levels), &all).unwrap();
    }
    let halves = [vec![1.0, 0.0], vec![0.25, 0.75], vec![0.5, 0.5]];
    check(&Soft::new(2).unwrap(), &halves).unwrap();
    let codec = Reals::new(vec![8.0, -2.0]).unwrap();
    check(&codec, &[vec![0.0, 16.0], vec![8.0, -2.5]]).unwrap();
}

#[test]
fn the_contract_finds_a_codec_that_breaks_it() {
    struct Lossy;
    impl Codec for Lossy {
        type Label = u32;
        fn width(&self) -> usize {
            1
        }
        fn check(&self, label: &u32) -> crate::task::Checked {
            (*label < 9).then_some(()).ok_or("too large".into())
        }
        fn encode(&self, label: &u32, out: &mut [f64]) {
            out[0] = f64::from(*label);
        }
        fn decode(&self, scores: &[f64]) -> u32 {
            scores[0].min(3.0) as u32
        }
        fn loss(&self, truth: &u32, _: &u32) -> f64 {
            if *truth == 1 { 0.0 } else { 1.0 }
        }
    }
    check(&Lossy, &[1]).unwrap();
    assert!(check(&Lossy, &[10]).unwrap_err().contains("refused"));
    assert!(check(&Lossy, &[5]).unwrap_err().contains("comes back"));
    assert!(check(&Lossy, &[2]).unwrap_err().contains("itself"));
}

#[test]
fn columns_of_numbers_are_centred_one_by_one() {
    let labels = [Some(vec![1.0, 10.0]), None, Some(vec![3.0, 30.0])];
    let codec = Reals::centred(2, &labels).unwrap();
    assert_eq!(codec.offset(), [2.0, 20.0]);
    // Column by column it is the codec of one number.
    let one = Real::centred(&[Some(10.0), None, Some(30.0)]);
    assert_eq!(codec.decode(&[0.0, 7.0])[1], one.decode(&[7.0]));
    let many = codec.loss(&vec![0.0, 1.0], &vec![2.0, 4.0]);
    let mean = 0.5 * (one.loss(&0.0, &2.0) + one.loss(&1.0, &4.0));
    assert_eq!(many, mean);
}

#[test]
fn labels_that_cannot_be_are_refused_with_their_sample() {
    let text = |error: crate::Error| error.to_string();
    let classes = Observed::encode(&OneHot::new(3), &[None, Some(3)]);
    let classes = text(classes.unwrap_err());
    assert!(
        classes.contains("sample 1") && classes.contains("class 3"),
        "{classes}"
    );
    let number = text(Observed::encode(&Real::default(), &[Some(f64::NAN)]).unwrap_err());
    assert!(
        number.contains("sample 0") && number.contains("NaN"),
        "{number}"
    );
    let soft = Soft::new(2).unwrap();
    let encode = |label: Vec<f64>| text(Observed::encode(&soft, &[Some(label)]).unwrap_err());
    assert!(encode(vec![0.7, 0.7]).contains("sum to 1.4"));
    assert!(encode(vec![1.5, -0.5]).contains("-0.5 of class 1"));
    assert!(encode(vec![f64::NAN, 1.0]).contains("NaN of class 0"));
    assert!(encode(vec![1.0]).contains("1 shares where 2"));
    // A sum that is off by rounding is fine.
    let near = vec![0.1 + 1e-8, 0.9];
    assert!(Observed::encode(&soft, &[Some(near)]).is_ok());
    assert!(Reals::centred(2, &[Some(vec![1.0])]).is_err());
    assert!(Reals::new(vec![]).is_err() && Reals::new(vec![f64::INFINITY]).is_err());
    assert!(Ordinal::new(1).is_err() && Soft::new(0).is_err());
    assert!(Ordinal::new(3).unwrap().check(&3).is_err());
}

#[test]
fn losses_that_cannot_be_are_refused() {
    let with =
        |loss: f64| LossMatrix::new(Mat::from_fn(2, 2, |y, z| if y == z { 0.0 } else { loss }));
    assert!(with(1.0).is_ok());
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        let error = with(bad).unwrap_err().to_string();
        assert!(error.contains("decision 0 at label 1") || error.contains("decision 1 at label 0"));
    }
    assert!(LossMatrix::new(Mat::zeros(0, 2)).is_err());
    assert!(LossMatrix::new(Mat::zeros(2, 0)).is_err());
}

#[test]
fn the_zero_one_loss_decides_as_one_hot_does() {
    let zero_one = Mat::from_fn(5, 5, |y, z| f64::from(u8::from(y != z)));
    let (matrix, one_hot) = (LossMatrix::new(zero_one).unwrap(), OneHot::new(5));
    let scores = random(200, 5, 1);
    for i in 0..200 {
        let row: Vec<f64> = scores.row(i).iter().copied().collect();
        assert_eq!(matrix.decode(&row), one_hot.decode(&row));
    }
}

#[test]
fn a_decision_need_not_be_a_label() {
    // One label, three decisions; the cheapest is the second.
    let codec = LossMatrix::new(Mat::from_fn(1, 3, |_, z| [3.0, 1.0, 2.0][z])).unwrap();
    assert_eq!((codec.width(), codec.decisions()), (1, 3));
    assert_eq!(codec.decode(&[1.0]), 1);
    assert_eq!(codec.loss(&0, &2), 2.0);
}

#[test]
fn codecs_decode_by_hand() {
    // P(y > 0) = 0.9, P(y > 1) = 0.6, P(y > 2) = 0.1: the median is 2.
    let ordinal = Ordinal::new(4).unwrap();
    assert_eq!(ordinal.decode(&[0.9, 0.6, 0.1]), 2);
    assert_eq!(ordinal.loss(&0, &3), 3.0);

    // Missing class 1 costs ten times a false alarm; decision 2 is to ask, for 1/2.
    let losses = [[0.0, 1.0, 0.5], [10.0, 0.0, 0.5]];
    let costs = LossMatrix::new(Mat::from_fn(2, 3, |y, z| losses[y][z])).unwrap();
    assert_eq!(costs.decode(&[0.8, 0.2]), 2);
    assert_eq!(costs.decode(&[0.99, 0.01]), 0);
    assert_eq!(costs.decode(&[0.1, 0.9]), 1);

    let soft = Soft::new(2).unwrap();
    assert_eq!(soft.decode(&[0.75, 0.75]), [0.5, 0.5]);
    assert!(soft.check(&vec![0.7, 0.7]).is_err());
    assert_eq!(simplex::project(&[0.5, 1.5]), [0.0, 1.0]);
    assert_eq!(simplex::project(&[-1.0, -1.0]), [0.5, 0.5]);

    let known = [Some(vec![1.0, 0.0]), None, Some(vec![3.0, 4.0])];
    let reals = Reals::centred(2, &known).unwrap();
    assert_eq!(reals.offset(), [2.0, 2.0]);
    assert_eq!(reals.decode(&[0.5, 0.0]), [2.5, 2.0]);
    assert_eq!(reals.loss(&vec![0.0, 0.0], &vec![1.0, 3.0]), 5.0);

    // Ten labels of each class, though nine in ten rows are of class 0.
    let priors = Priors::new(&[0.9, 0.1], &[10.0, 10.0]).unwrap();
    assert!((priors.apply(&[0.5, 0.5])[0] - 0.9).abs() < 1e-12);
}

proptest! {
    /// Scores need not be probabilities, nor fall with k: E|y − z| is taken over the
    /// signed weights P(y > k − 1) − P(y > k).
    #[test]
    fn ordered_classes_decode_to_the_least_absolute_loss(
        scores in proptest::collection::vec(-1.0..2.0_f64, 1..8),
    ) {
        let levels = scores.len() + 1;
        let codec = Ordinal::new(levels).unwrap();
        let above = |k: isize| if k < 0 { 1.0 } else { scores.get(k as usize).copied().unwrap_or(0.0) };
        let weight: Vec<f64> = (0..levels as isize).map(|y| above(y - 1) - above(y)).collect();
        let cost = |z: usize| -> f64 {
            (0..levels).map(|y| weight[y] * y.abs_diff(z) as f64).sum()
        };
        let z = codec.decode(&scores) as usize;
        prop_assert!((0..levels).all(|other| cost(z) <= cost(other) + 1e-12));
        // The loss trick with |y − z| says the same of the same weights.
        let by_matrix = absolute(levels).decode(&weight) as usize;
        prop_assert!((cost(z) - cost(by_matrix)).abs() < 1e-12);
    }

    #[test]
    fn soft_labels_decode_to_the_nearest_distribution(
        scores in proptest::collection::vec(-3.0..3.0_f64, 2..6),
        other in proptest::collection::vec(0.0..1.0_f64, 6),
    ) {
        let codec = Soft::new(scores.len()).unwrap();
        let found = codec.decode(&scores);
        prop_assert!(codec.check(&found).is_ok());
        let total: f64 = other[..scores.len()].iter().sum::<f64>() + 1e-9;
        let other: Vec<f64> = other[..scores.len()].iter().map(|p| p / total).collect();
        prop_assert!(codec.loss(&scores, &found) <= codec.loss(&scores, &other) + 1e-9);
        let one_hot = OneHot::new(scores.len());
        prop_assert_eq!(one_hot.probabilities(&scores, Reading::Estimates, true), simplex::project(&scores));
    }

    #[test]
    fn known_shares_give_probabilities_for_any_input(
        p in proptest::collection::vec(0.0..1.0_f64, 3),
        shares in proptest::collection::vec(1e-9..1.0_f64, 3),
        counts in proptest::collection::vec(1..1000_u32, 3),
    ) {
        let total: f64 = shares.iter().sum();
        let shares: Vec<f64> = shares.iter().map(|s| s / total).collect();
        let counts: Vec<f64> = counts.iter().map(|c| f64::from(*c)).collect();
        let moved = Priors::new(&shares, &counts).unwrap().apply(&p);
        prop_assert!((moved.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let labelled: f64 = counts.iter().sum();
        let raw: Vec<f64> = (0..3).map(|c| p[c] * shares[c] / (counts[c] / labelled)).collect();
        let sum: f64 = raw.iter().sum();
        for c in 0..3 {
            prop_assert!(moved[c].is_finite());
            prop_assert!(sum == 0.0 || (moved[c] - raw[c] / sum).abs() < 1e-12);
        }
    }
}

#[test]
fn known_shares_that_are_the_labelled_ones_change_nothing() {
    let p = Priors::new(&[0.25, 0.75], &[10.0, 30.0])
        .unwrap()
        .apply(&[0.4, 0.6]);
    assert!((p[0] - 0.4).abs() < 1e-15 && (p[1] - 0.6).abs() < 1e-15);
    let none = Priors::new(&[0.25, 0.75], &[10.0, 30.0]).unwrap();
    assert_eq!(none.apply(&[0.0, 0.0]), [0.5, 0.5]);
}

#[test]
fn known_shares_that_cannot_be_are_refused() {
    for shares in [
        vec![0.5, 0.4],
        vec![1.0, 0.0],
        vec![1.5, -0.5],
        vec![f64::NAN, 1.0],
    ] {
        assert!(Priors::new(&shares, &[1.0, 1.0]).is_err(), "{shares:?}");
    }
    assert!(Priors::new(&[1.0], &[1.0, 1.0]).is_err());
    let error = Priors::new(&[0.5, 0.5], &[3.0, 0.0])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("class 1") && error.contains("label a row"),
        "{error}"
    );
}
