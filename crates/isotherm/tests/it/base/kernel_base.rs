use std::sync::Arc;

use isotherm::base::{Base, KernelBase, Storage};
use isotherm::kernel::Gaussian;
use isotherm::linalg::Mat;
use isotherm::monitor::{Event, Quiet};

use isotherm::testing::random_points;

fn base(storage: Storage) -> KernelBase {
    let kernel = Box::new(Gaussian::new(0.9).unwrap());
    KernelBase::new(random_points(400, 6, 1), kernel, storage)
}

fn apply(base: &KernelBase) -> Mat<f64> {
    let block = Mat::from_fn(400, 3, |i, j| ((i + j) % 7) as f64);
    let mut out = Mat::zeros(400, 3);
    base.gram()
        .apply(block.as_ref(), out.as_mut(), &mut Quiet)
        .unwrap();
    out
}

#[test]
fn stored_and_tiled_are_one_operator() {
    let (stored, tiled) = (base(Storage::Stored), base(Storage::Tiled));
    assert_eq!(stored.gram().spectrum(), tiled.gram().spectrum());
    assert_eq!(stored.gram().spectrum().high, 1.0);
    let difference = (apply(&stored) - apply(&tiled)).norm_max();
    assert!(difference <= 1e-13, "{difference:e}");
    // The second product uses the stored matrix.
    assert!(apply(&stored) == apply(&stored));
}

#[test]
fn the_gram_operator_is_the_cross_matrix_over_n() {
    let base = base(Storage::Auto);
    let points = Arc::clone(base.points());
    let cross = base.cross(&points, &mut Quiet).unwrap();
    let mut columns = Mat::zeros(400, 400);
    let identity = Mat::<f64>::identity(400, 400);
    base.gram()
        .apply(identity.as_ref(), columns.as_mut(), &mut Quiet)
        .unwrap();
    assert!((columns * 400.0 - cross).norm_max() <= 1e-14);
}

#[test]
fn new_rows_with_other_features_are_refused() {
    let c = Mat::zeros(400, 1);
    let error = base(Storage::Auto)
        .expand(&random_points(3, 5, 2), c.as_ref(), &mut Quiet)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "features of the new rows: expected 6, got 5"
    );
}

#[test]
fn a_cancelled_first_product_leaves_the_base_usable() {
    let base = base(Storage::Stored);
    let block = Mat::zeros(400, 1);
    let mut out = Mat::zeros(400, 1);
    let refuse = &mut |_: Event| std::ops::ControlFlow::Break(());
    assert!(
        base.gram()
            .apply(block.as_ref(), out.as_mut(), refuse)
            .is_err()
    );
    apply(&base);
}
