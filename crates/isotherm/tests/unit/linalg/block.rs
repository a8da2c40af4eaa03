use crate::linalg::{Block, Mat};
use crate::testing::operator::close;
use crate::testing::random;

fn filled(rows: usize, cols: usize, seed: u64) -> (Block, Mat<f64>) {
    let m = random(rows, cols, seed);
    (Block::copy_of(m.as_ref()).unwrap(), m)
}

#[test]
fn rows_start_on_cache_lines_and_padding_is_zero() {
    for cols in [1, 2, 3, 5, 8, 9, 16, 17] {
        // Small panels are allocated, large ones mapped.
        for rows in [7, 200_000] {
            let (block, m) = filled(rows, cols, 1);
            assert_eq!(block.as_slice().as_ptr() as usize % 64, 0);
            assert_eq!(block.as_mat(), m.as_ref());
            let last = &block.as_slice()[(rows - 1) * block.stride()..];
            assert!(last[cols..].iter().all(|v| *v == 0.0));
            assert_eq!(block.row(3)[cols - 1], m[(3, cols - 1)]);
        }
    }
}

#[test]
fn writing_through_the_view_lands_where_reading_finds_it() {
    let m = random(9, 5, 2);
    let mut block = Block::zeros(9, 5).unwrap();
    block.as_mat_mut().copy_from(&m);
    assert_eq!(block.as_mat(), m.as_ref());
    assert_eq!(block.row(8), (0..5).map(|j| m[(8, j)]).collect::<Vec<_>>());
}

#[test]
fn column_arithmetic_is_the_matrix_arithmetic() {
    let (n, k) = (5000, 3);
    let ((mut y, my), (x, mx)) = (filled(n, k, 3), filled(n, k, 4));
    let a = [0.5, -2.0, 0.0];
    for (j, dot) in x.dots(&y).into_iter().enumerate() {
        let expected: f64 = (0..n).map(|i| mx[(i, j)] * my[(i, j)]).sum();
        assert!((dot - expected).abs() < 1e-10);
    }
    let sum = Mat::from_fn(n, k, |i, j| my[(i, j)] + a[j] * mx[(i, j)]);
    let squares = y.add_scaled_and_square(&a, &x);
    close("y + ax", &y.as_mat().to_owned(), &sum, 1e-15).unwrap();
    for (j, square) in squares.into_iter().enumerate() {
        let expected: f64 = (0..n).map(|i| sum[(i, j)].powi(2)).sum();
        assert!((square - expected).abs() < 1e-10);
    }
    y.scale_add(&a, &x);
    let turned = Mat::from_fn(n, k, |i, j| mx[(i, j)] + a[j] * sum[(i, j)]);
    close("x + ay", &y.as_mat().to_owned(), &turned, 1e-15).unwrap();
    y.add_scaled(&a, &x);
    let more = Mat::from_fn(n, k, |i, j| turned[(i, j)] + a[j] * mx[(i, j)]);
    close("y + ax again", &y.as_mat().to_owned(), &more, 1e-15).unwrap();
}

#[test]
fn columns_can_be_chosen_and_copied() {
    let (block, m) = filled(3000, 9, 5);
    let chosen = block.select(&[8, 0]).unwrap();
    assert_eq!(
        chosen.as_mat(),
        Mat::from_fn(3000, 2, |i, j| m[(i, [8, 0][j])]).as_ref()
    );
    let mut out = Block::zeros(3000, 2).unwrap();
    out.copy_column(1, &block, 4);
    assert_eq!(out.as_mat().col(1), m.col(4));
    assert_eq!(out.clone().as_slice(), out.as_slice());
}

#[test]
fn sums_do_not_depend_on_the_thread_count() {
    let ((x, _), (y, _)) = (filled(50_000, 8, 6), filled(50_000, 8, 7));
    let dots = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| x.dots(&y))
    };
    assert!(dots(1) == dots(2) && dots(1) == dots(7));
}

#[test]
fn a_panel_that_cannot_be_is_refused_not_aborted() {
    assert!(Block::zeros(usize::MAX / 4, 8).is_err());
    assert!(Block::zeros(1 << 55, 1).is_err());
}
