//! Sparse rows: what they keep, and that they are the same rows as dense ones.

use isotherm::Error;
use isotherm::data::bandwidth::median_distance;
use isotherm::data::{Distinct, Points};
use isotherm::monitor::Quiet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// `n` rows with up to `each` numbers in `d` columns, as they are kept and with zeros written out.
/// Every fifth row is one before it, every seventh a multiple of one before it.
pub(crate) fn rows(n: usize, d: usize, each: usize, seed: u64) -> (Points, Points) {
    let mut draw = ChaCha8Rng::seed_from_u64(seed);
    let mut dense = vec![0.0; n * d];
    for i in 0..n {
        if i > 0 && i % 5 == 0 {
            let other = draw.random_range(0..i);
            dense.copy_within(other * d..(other + 1) * d, i * d);
        } else if i > 0 && i % 7 == 0 {
            let other = draw.random_range(0..i);
            dense.copy_within(other * d..(other + 1) * d, i * d);
            dense[i * d..(i + 1) * d].iter_mut().for_each(|v| *v *= 3.0);
        } else {
            for _ in 0..draw.random_range(1..=each) {
                // Small columns are frequent ones, as frequent words are.
                let share: f64 = draw.random_range(0.0..1.0);
                let column = (share * share * d as f64) as usize;
                dense[i * d + column] = draw.random_range(-1.0..2.0);
            }
        }
    }
    (of_dense(&dense, d), Points::new(dense, n, d).unwrap())
}

/// The numbers that are not zero, kept as sparse rows.
pub(crate) fn of_dense(dense: &[f64], d: usize) -> Points {
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in dense.chunks_exact(d) {
        for (j, v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            columns.push(j as u32);
            values.push(*v);
        }
        starts.push(values.len());
    }
    Points::sparse(starts, columns, values, d).unwrap()
}

#[test]
fn numbers_are_kept_in_any_order_and_added_in_one_cell() {
    let columns = vec![7, 2, 7, 0, 9, 9];
    let values = vec![1.0, 4.0, 0.5, 3.0, 1.0, -1.0];
    let points = Points::sparse(vec![0, 3, 3, 6], columns, values, 40).unwrap();
    assert!(points.is_sparse());
    let mut expected = vec![0.0; 120];
    (expected[2], expected[7], expected[80]) = (4.0, 1.5, 3.0);
    assert_eq!(points, Points::new(expected, 3, 40).unwrap());
    assert_eq!(points.bytes(), 3 * 12 + 3 * 8);
    let chosen = points.select(&[2, 0, 2]).unwrap();
    assert!(chosen.is_sparse());
    assert_eq!(*chosen.row(0), *points.row(2));
    assert_eq!(*chosen.row(1), *points.row(0));
}

#[test]
fn rows_with_many_numbers_become_an_ordinary_table() {
    let (few, many) = (rows(50, 40, 9, 1).0, rows(50, 4, 4, 1));
    assert!(few.is_sparse() && !many.0.is_sparse());
    assert_eq!(many.0, many.1);
}

#[test]
fn a_number_that_cannot_be_used_is_named_by_row_and_column() {
    let found = Points::sparse(
        vec![0, 1, 1, 3],
        vec![3, 4, 90],
        vec![1.0, 2.0, f64::NAN],
        100,
    );
    let Err(Error::Value { row, column, value }) = found else {
        panic!("{found:?}");
    };
    assert!((row, column) == (2, 90) && value.is_nan());
}

#[test]
fn distances_and_equal_rows_are_those_of_the_dense_table() {
    for n in [60, 500] {
        let (sparse, dense) = rows(n, 300, 12, 3);
        let found = median_distance(&sparse, 5).unwrap();
        let expected = median_distance(&dense, 5).unwrap();
        assert!((found - expected).abs() <= 1e-14 * expected);
        let found = Distinct::of(&sparse, &mut Quiet).unwrap();
        let expected = Distinct::of(&dense, &mut Quiet).unwrap();
        assert!(found.len() < n);
        assert!((0..n).all(|i| found.first(i) == expected.first(i)));
    }
}
