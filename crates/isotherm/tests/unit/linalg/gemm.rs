use crate::linalg::Mat;
use crate::linalg::gemm::{self, Write};
use crate::testing::operator::close;
use crate::testing::random;

/// The slow obvious twin.
fn naive(a: &Mat<f64>, b: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(a.nrows(), b.ncols(), |i, j| {
        (0..a.ncols()).map(|k| a[(i, k)] * b[(k, j)]).sum()
    })
}

#[test]
fn products_replace_or_add() {
    let (a, b) = (random(13, 7, 1), random(7, 13, 2));
    let ab = naive(&a, &b);
    let mut c = random(13, 13, 3);
    gemm::product(c.as_mut(), Write::Replace, a.as_ref(), b.as_ref(), 2.0);
    close(
        "2AB",
        &c,
        &Mat::from_fn(13, 13, |i, j| 2.0 * ab[(i, j)]),
        1e-14,
    )
    .unwrap();
    gemm::product(c.as_mut(), Write::Add, a.as_ref(), b.as_ref(), -1.0);
    close("2AB − AB", &c, &ab, 1e-14).unwrap();
}

#[test]
fn a_triangular_product_leaves_the_upper_triangle_alone() {
    let (a, b) = (random(9, 4, 4), random(4, 9, 5));
    let before = random(9, 9, 6);
    let mut c = before.clone();
    gemm::product_lower(c.as_mut(), Write::Replace, a.as_ref(), b.as_ref(), 1.0);
    let ab = naive(&a, &b);
    let expected = Mat::from_fn(
        9,
        9,
        |i, j| if i >= j { ab[(i, j)] } else { before[(i, j)] },
    );
    close("lower triangle", &c, &expected, 1e-14).unwrap();
}
