//! Estimates and columns that only the library asks for.

use crate::data::graph::memory_estimate;
use crate::data::scaling::constant_columns;
use crate::data::{Points, Rescale, Rescaling, Standardiser};
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

/// `(#{v < x} + ½ #{v = x}) / n`, counted.
fn place(column: &[f64], x: f64) -> f64 {
    let below = column.iter().filter(|v| **v < x).count();
    let equal = column.iter().filter(|v| **v == x).count();
    (below as f64 + 0.5 * equal as f64) / column.len() as f64
}

/// Columns: skewed with ties, two values, constant, a block of two.
fn mixed(rows: usize) -> Points {
    let row = |i: usize| {
        let skewed = ((i * 7) % 11) as f64;
        let block = [(i as f64).sin(), (i as f64).cos()];
        [skewed.exp(), (i % 2) as f64, 4.0, block[0], block[1]]
    };
    let points = Points::new((0..rows).flat_map(row).collect(), rows, 5).unwrap();
    points.with_blocks(std::iter::once(3..5).collect())
}

#[test]
fn ranks_are_places_among_the_values_of_a_column() {
    let points = mixed(40);
    let column = |points: &Points, j: usize| -> Vec<f64> {
        (0..points.len()).map(|i| points.row(i)[j]).collect()
    };
    let learn = |how| Rescaling::learn(how, &points, &mut Quiet).unwrap();
    let ranked = learn(Rescale::Ranks).copy(&points).unwrap();
    let balanced = learn(Rescale::Balanced).copy(&points).unwrap();
    // Two values, a constant and a block as ever.
    for j in [1, 2] {
        assert_eq!(column(&ranked, j), column(&balanced, j), "{j}");
    }
    // The other columns have variance one: the block as many as there are, in sum.
    let variance = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64
    };
    let skewed = column(&points, 0);
    let places: Vec<f64> = skewed.iter().map(|x| place(&skewed, *x)).collect();
    let (mean, deviation) = (
        places.iter().sum::<f64>() / places.len() as f64,
        variance(&places).sqrt(),
    );
    for (got, place) in column(&ranked, 0).iter().zip(&places) {
        assert!((got - (place - mean) / deviation).abs() < 1e-12);
    }
    let outside: f64 = (0..3).map(|j| variance(&column(&ranked, j))).sum();
    let block: f64 = (3..5).map(|j| variance(&column(&ranked, j))).sum();
    assert!((block - outside).abs() < 1e-12 * outside);
}

#[test]
fn ranks_of_new_values_lie_between_those_of_their_neighbours() {
    let points = mixed(40);
    let rescaling = Rescaling::learn(Rescale::Ranks, &points, &mut Quiet).unwrap();
    let of = |x: f64| {
        let row = Points::new(vec![x, 0.0, 4.0, 0.0, 0.0], 1, 5).unwrap();
        rescaling.view(&row).unwrap().row(0)[0]
    };
    let (two, three) = (of(2f64.exp()), of(3f64.exp()));
    let half = of(0.5 * (2f64.exp() + 3f64.exp()));
    assert!((half - 0.5 * (two + three)).abs() < 1e-12);
    assert_eq!(of(-1e100), of(0f64.exp()));
    assert_eq!(of(1e100), of(10f64.exp()));
}

#[test]
fn ranks_do_not_change_with_an_increasing_change_of_a_column() {
    let points = mixed(40);
    let logs = (points.clone().into_values().chunks(5))
        .flat_map(|row| [row[0].ln(), row[1], row[2], row[3], row[4]])
        .collect();
    let logs = Points::new(logs, 40, 5)
        .unwrap()
        .with_blocks(std::iter::once(3..5).collect());
    let ranked = |points: &Points| {
        let learned = Rescaling::learn(Rescale::Ranks, points, &mut Quiet).unwrap();
        learned.copy(points).unwrap()
    };
    assert_eq!(ranked(&points), ranked(&logs));
}

#[test]
fn many_values_keep_their_places_between_512_of_them() {
    let rows = 40_000;
    let values: Vec<f64> = (0..rows).map(|i| ((i * 7919) % rows) as f64).collect();
    let points = Points::new(values, rows, 1).unwrap();
    let rescaling = Rescaling::learn(Rescale::Ranks, &points, &mut Quiet).unwrap();
    let ranked = rescaling.copy(&points).unwrap();
    // Uniform places have variance 1/12. Every third row is looked at, and 512 places are kept.
    for i in 0..rows {
        let exact = ((points.row(i)[0] + 0.5) / rows as f64 - 0.5) * 12f64.sqrt();
        assert!((ranked.row(i)[0] - exact).abs() < 0.02, "{i}");
    }
}
