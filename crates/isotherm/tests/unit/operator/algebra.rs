//! Sums, powers, restrictions: each against the same thing said with matrices.

use crate::linalg::Mat;
use crate::operator::centred::Centred;
use crate::operator::dense::DenseGram;
use crate::operator::horner::Horner;
use crate::operator::masked::Masked;
use crate::operator::scaled::Scaled;
use crate::operator::shifted::Shifted;
use crate::testing::operator::check_symmetric;
use crate::testing::random;

const N: usize = 23;

fn dense(seed: u64) -> (Mat<f64>, DenseGram) {
    let a = random(N, N, seed);
    let a = Mat::from_fn(N, N, |i, j| a[(i.max(j), i.min(j))]);
    (a.clone(), DenseGram::new(a, 1.0).unwrap())
}

#[test]
fn shifted_is_a_scale_and_a_diagonal() {
    let (a, inner) = dense(1);
    let shifted = Shifted {
        inner: &inner,
        scale: -0.5,
        shift: 2.0,
    };
    let twin = Mat::from_fn(N, N, |i, j| {
        -0.5 * a[(i, j)] + if i == j { 2.0 } else { 0.0 }
    });
    check_symmetric(&shifted, twin.as_ref(), 1e-13).unwrap();
}

#[test]
fn scaled_is_a_multiple() {
    let (a, inner) = dense(2);
    let scaled = Scaled {
        inner: &inner,
        factor: -3.0,
    };
    let twin = Mat::from_fn(N, N, |i, j| -3.0 * a[(i, j)]);
    check_symmetric(&scaled, twin.as_ref(), 1e-13).unwrap();
}

#[test]
fn horner_is_the_sum_of_powers() {
    let (a, inner) = dense(5);
    let weights = vec![0.25, -0.5, 0.0, 2.0];
    let mut twin = Mat::<f64>::zeros(N, N);
    let mut power = Mat::<f64>::identity(N, N);
    for w in &weights {
        twin += faer::Scale(*w) * &power;
        power = &power * &a;
    }
    let horner = Horner::new(&inner, weights).unwrap();
    check_symmetric(&horner, twin.as_ref(), 1e-12).unwrap();
    let constant = Horner::new(&inner, vec![3.0]).unwrap();
    let twin = Mat::from_fn(N, N, |i, j| if i == j { 3.0 } else { 0.0 });
    check_symmetric(&constant, twin.as_ref(), 1e-13).unwrap();
    assert!(Horner::new(&inner, vec![]).is_err());
    assert!(Horner::new(&inner, vec![f64::NAN]).is_err());
}

#[test]
fn masked_is_the_submatrix_in_the_order_given() {
    let (a, inner) = dense(6);
    let index = vec![7, 0, 22, 3, 11];
    let twin = Mat::from_fn(5, 5, |i, j| a[(index[i], index[j])]);
    let masked = Masked::new(&inner, index).unwrap();
    check_symmetric(&masked, twin.as_ref(), 1e-13).unwrap();
    assert!(Masked::new(&inner, vec![N]).is_err());
}

#[test]
fn centred_takes_rows_and_columns_to_mean_zero() {
    let (a, inner) = dense(7);
    let h = Mat::from_fn(N, N, |i, j| f64::from(u8::from(i == j)) - 1.0 / N as f64);
    let centred = Centred { inner: &inner };
    check_symmetric(&centred, (&h * &a * &h).as_ref(), 1e-13).unwrap();
}
