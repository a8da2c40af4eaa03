//! The figures' claims on small or single draws, without data files.
#![allow(clippy::unwrap_used)]

use isotherm_experiments::klap::{circles, gaussians};

#[test]
fn figure_1_every_row_of_four_circles_is_right_from_four_labels() {
    for seed in [1, 2] {
        assert_eq!(
            circles::figure1_share_right(seed).unwrap(),
            1.0,
            "seed {seed}"
        );
    }
}

/// Means over 20 trials with deviations of about 10 at n = 40 and 3 at n = 200: four
/// standard errors around the reference's 20.5 and 10.4 (kernel), 40.1 and 33.2 (graph).
#[test]
fn figure_3_the_kernel_needs_fewer_rows_than_the_graph() {
    let (kernel, graph) = gaussians::small(40, 20).unwrap();
    assert!(
        (kernel - 20.5).abs() < 9.0 && graph > kernel + 5.0,
        "{kernel} {graph}"
    );
    let (kernel, graph) = gaussians::small(200, 20).unwrap();
    assert!(
        (kernel - 10.4).abs() < 3.0 && graph > kernel + 10.0,
        "{kernel} {graph}"
    );
}
