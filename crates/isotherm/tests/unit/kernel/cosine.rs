#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use crate::data::Points;
use crate::kernel::Cosine;
use crate::monitor::Quiet;
use crate::operator::gram::Gram;
use crate::testing::kernel::check;

#[test]
fn keeps_the_kernel_contract() {
    check(Box::new(Cosine), &|t| t).unwrap();
}

#[test]
fn ignores_length_and_gives_zero_rows_zero() {
    let rows = vec![1.0, 2.0, 10.0, 20.0, 0.0, 0.0, -2.0, 1.0, 1e-140, 2e-140];
    let points = Arc::new(Points::new(rows, 5, 2).unwrap());
    let gram = Gram::new(points.clone(), Box::new(Cosine));
    let k = gram.matrix(&points, &mut Quiet).unwrap();
    let expected = [
        [1.0, 1.0, 0.0, 0.0, 1.0],
        [1.0, 1.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0, 0.0],
        [1.0, 1.0, 0.0, 0.0, 1.0],
    ];
    for (i, row) in expected.iter().enumerate() {
        for (j, e) in row.iter().enumerate() {
            assert!((k[(i, j)] - e).abs() < 1e-15, "({i}, {j})");
        }
    }
    assert_eq!(gram.diagonal(), [1.0, 1.0, 0.0, 1.0, 1.0]);
}
