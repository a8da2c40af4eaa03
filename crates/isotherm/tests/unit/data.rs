//! Estimates and columns that only the library asks for.

use crate::data::graph::memory_estimate;
use crate::data::scaling::constant_columns;
use crate::data::{Points, Standardiser};
use crate::monitor::Quiet;

#[test]
fn constant_columns_become_zero_not_infinite() {
    for value in [0.0, 0.1, 1e100] {
        let points = Points::new(vec![value, 1.0, value, 2.0, value, 4.0], 3, 2).unwrap();
        assert_eq!(constant_columns(&points), [0]);
        let learned = Standardiser::learn(&points, &mut Quiet).unwrap();
        let scaled = learned.apply(points, &mut Quiet).unwrap();
        for i in 0..3 {
            assert!(scaled.row(i)[0].abs() <= 1e-13 * value.max(1.0), "{value}");
        }
    }
}

#[test]
fn the_memory_estimate_grows_with_its_parts() {
    assert_eq!(memory_estimate(0, 1_000_000, false), 12_000_000);
    assert!(memory_estimate(10, 100, true) > memory_estimate(10, 100, false));
    assert_eq!(memory_estimate(u64::MAX, u64::MAX, true), u64::MAX);
}

#[test]
fn what_rounding_left_of_a_constant_column_is_not_blown_up() {
    for dust in [1e-31, 1e-17] {
        let centre = if dust < 1e-30 { 0.0 } else { 1.0 };
        let value = |i: usize| centre + dust * [0.0, 1.0, -1.0][i % 3];
        let values = (0..12).flat_map(|i| [value(i), i as f64]).collect();
        let points = Points::new(values, 12, 2).unwrap();
        assert_eq!(constant_columns(&points), [0]);
        let learned = Standardiser::learn(&points, &mut Quiet).unwrap();
        let scaled = learned.apply(points, &mut Quiet).unwrap();
        for i in 0..12 {
            assert!(scaled.row(i)[0].abs() <= 1e-15, "{dust}");
        }
    }
}
