//! Tables that somebody else holds say the same numbers, a tile at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use isotherm::Error;
use isotherm::data::table::{Foreign, Table};
use isotherm::data::{Distinct, Points, Standardiser, bandwidth};
use isotherm::kernel::KernelSpec;
use isotherm::landmark::{self, Selection};
use isotherm::monitor::Quiet;
use isotherm::neighbours::{self, Search};
use isotherm::testing::random;

/// Numbers that single precision holds.
pub(crate) fn numbers(rows: usize, dim: usize, seed: u64) -> Vec<f32> {
    let m = random(rows, dim, seed);
    let cells = (0..rows * dim).map(|k| (k / dim, k % dim));
    cells.map(|at| m[at] as f32).collect()
}

fn columns<T: Copy>(values: &[T], rows: usize, dim: usize) -> Vec<T> {
    let cells = (0..rows * dim).map(|k| (k % rows, k / rows));
    cells.map(|(i, j)| values[i * dim + j]).collect()
}

/// The same rows, kept in every way there is; our own come first.
pub(crate) fn kept(values: &[f32], rows: usize, dim: usize) -> Vec<(&'static str, Points)> {
    let wide: Vec<f64> = values.iter().copied().map(f64::from).collect();
    let shared = |table: Arc<dyn Table>| Points::shared(table).unwrap();
    let narrow = columns(values, rows, dim);
    // Every second number of every third row of a larger array.
    let mut spread = vec![f32::NAN; rows * 3 * dim * 2];
    for (k, v) in values.iter().enumerate() {
        spread[(k / dim) * 3 * dim * 2 + (k % dim) * 2] = *v;
    }
    vec![
        ("own", Points::new(wide.clone(), rows, dim).unwrap()),
        (
            "f64 by rows",
            shared(Arc::new(
                Foreign::row_major(wide.clone(), rows, dim).unwrap(),
            )),
        ),
        (
            "f64 by columns",
            shared(Arc::new(
                Foreign::column_major(columns(&wide, rows, dim), rows, dim).unwrap(),
            )),
        ),
        (
            "f32 by rows",
            shared(Arc::new(
                Foreign::row_major(values.to_vec(), rows, dim).unwrap(),
            )),
        ),
        (
            "f32 by columns",
            shared(Arc::new(Foreign::column_major(narrow, rows, dim).unwrap())),
        ),
        (
            "f32 in steps",
            shared(Arc::new(
                Foreign::strided(spread, rows, dim, 3 * dim * 2, 2).unwrap(),
            )),
        ),
        (
            // (x − 0)/1 = x
            "f32 by rows, scaled while read",
            Standardiser::from_parts(vec![0.0; dim], vec![1.0; dim])
                .and_then(|unit| {
                    let table = Foreign::row_major(values.to_vec(), rows, dim)?;
                    unit.view(&Points::shared(Arc::new(table))?)
                })
                .unwrap(),
        ),
    ]
}

/// Counts the rows of the largest read.
#[derive(Debug)]
pub(crate) struct Watched {
    values: Vec<f32>,
    dim: usize,
    pub(crate) largest: AtomicUsize,
}

impl Watched {
    pub(crate) fn new(values: Vec<f32>, dim: usize) -> Arc<Self> {
        Arc::new(Self {
            values,
            dim,
            largest: AtomicUsize::new(0),
        })
    }
}

impl Table for Watched {
    fn rows(&self) -> usize {
        self.values.len() / self.dim
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn contiguous(&self) -> Option<&[f64]> {
        None
    }

    fn read(&self, first: usize, out: &mut [f64]) {
        let rows = out.len() / self.dim;
        self.largest.fetch_max(rows, Ordering::Relaxed);
        let from = &self.values[first * self.dim..][..out.len()];
        out.iter_mut()
            .zip(from)
            .for_each(|(o, v)| *o = f64::from(*v));
    }
}

#[test]
fn rows_are_the_same_however_they_are_kept() {
    let all = kept(&numbers(70, 3, 1), 70, 3);
    let own = all[0].1.clone();
    for (name, points) in &all {
        assert_eq!((points.len(), points.dim()), (70, 3), "{name}");
        assert_eq!(points, &own, "{name}");
        assert_eq!(points.row(17), own.row(17), "{name}");
        assert_eq!(points.tile(5..69), own.tile(5..69), "{name}");
        assert_eq!(
            points.select(&[69, 0, 3]).unwrap(),
            own.select(&[69, 0, 3]).unwrap()
        );
        assert_eq!(points.gathered().contiguous(), own.contiguous(), "{name}");
        assert_eq!(points.clone().into_values(), own.clone().into_values());
    }
    let in_place = |k: usize| all[k].1.contiguous().is_some();
    assert!(in_place(0) && in_place(1) && (2..7).all(|k| !in_place(k)));
}

#[test]
fn a_table_of_doubles_by_rows_is_read_where_it_is() {
    let held: Arc<[f64]> = (0..12).map(f64::from).collect();
    let table = Foreign::<f64, _>::row_major(held.clone(), 4, 3).unwrap();
    let points = Points::shared(Arc::new(table)).unwrap();
    assert_eq!(points.tile(0..4).as_ptr(), held.as_ptr());
    assert_eq!(points.clone().row(1).as_ptr(), held[3..].as_ptr());
}

#[test]
fn a_bad_cell_is_named_by_row_and_column() {
    // Far down, and worse ones after it.
    let (rows, dim) = (9000, 7);
    for bad in [f32::NAN, f32::NEG_INFINITY] {
        let mut values = vec![1.0_f32; rows * dim];
        values[5007 * dim + 4] = bad;
        values[5008 * dim] = f32::NAN;
        let tables: [Arc<dyn Table>; 2] = [
            Arc::new(Foreign::row_major(values.clone(), rows, dim).unwrap()),
            Arc::new(Foreign::column_major(columns(&values, rows, dim), rows, dim).unwrap()),
        ];
        for table in tables {
            match Points::shared(table).unwrap_err() {
                Error::Value { row, column, value } => {
                    assert_eq!((row, column), (5007, 4));
                    assert_eq!(value.is_nan(), bad.is_nan());
                }
                other => panic!("{other}"),
            }
        }
    }
    let huge = Foreign::column_major(vec![0.0, 1e200], 2, 1).unwrap();
    let text = Points::shared(Arc::new(huge)).unwrap_err().to_string();
    assert!(text.contains("row 1") || text.contains("row 2"), "{text}");
}

#[test]
fn tables_that_cannot_be_are_refused() {
    assert!(Foreign::row_major(vec![0.0_f32; 5], 2, 3).is_err());
    assert!(Foreign::column_major(vec![0.0_f64; 7], 2, 3).is_err());
    assert!(Foreign::strided(vec![0.0_f64; 7], 2, 3, 5, 1).is_err());
    assert!(Foreign::strided(vec![0.0_f64; 8], 2, 3, 5, 1).is_ok());
    assert!(Foreign::strided(vec![0.0_f64; 8], usize::MAX, 2, usize::MAX, 1).is_err());
    for (rows, dim) in [(0, 3), (3, 0)] {
        let table = Foreign::<f64, _>::row_major(Vec::new(), rows, dim).unwrap();
        assert!(Points::shared(Arc::new(table)).is_err());
    }
    // One row for all, as broadcast arrays are.
    let same = Foreign::strided(vec![1.0_f32, 2.0], 3, 2, 0, 1).unwrap();
    let points = Points::shared(Arc::new(same)).unwrap();
    assert_eq!(*points.tile(0..3), [1.0, 2.0, 1.0, 2.0, 1.0, 2.0]);
}

#[test]
fn scaling_leaves_foreign_numbers_alone_and_says_the_same() {
    let values = numbers(500, 4, 2);
    let all = kept(&values, 500, 4);
    let own = all[0].1.clone();
    let scaling = Standardiser::learn(&own, &mut Quiet).unwrap();
    let expected = scaling.apply(own.clone(), &mut Quiet).unwrap();
    for (name, points) in &all {
        let learned = Standardiser::learn(points, &mut Quiet).unwrap();
        assert_eq!(learned, scaling, "{name}");
        let scaled = scaling.apply(points.clone(), &mut Quiet).unwrap();
        assert_eq!(scaled.gathered().contiguous(), expected.contiguous());
        assert_eq!(scaling.view(points).unwrap(), expected, "{name}");
        assert_eq!(points, &own, "{name}");
    }
    // A large table is not copied.
    let large = Foreign::strided(values, 600_000, 8, 0, 1).unwrap();
    let large = Points::shared(Arc::new(large)).unwrap();
    let unit = Standardiser::from_parts(vec![0.5; 8], vec![2.0; 8]).unwrap();
    let scaled = unit.apply(large.clone(), &mut Quiet).unwrap();
    assert!(scaled.contiguous().is_none());
    let expected: Vec<f64> = large.row(9).iter().map(|v| (v - 0.5) / 2.0).collect();
    assert_eq!(*scaled.row(599_999), expected);
    // What leaves the usable range is refused in a view too.
    let tiny = Standardiser::from_parts(vec![0.0; 4], vec![1e-160; 4]).unwrap();
    assert!(matches!(tiny.view(&own), Err(Error::Value { .. })));
    let narrow = Standardiser::from_parts(vec![0.0], vec![1.0]).unwrap();
    assert!(matches!(narrow.view(&own), Err(Error::Shape { .. })));
}

#[test]
fn what_is_found_in_a_table_does_not_depend_on_how_it_is_kept() {
    // Large enough for cells and clustered, or exact search would be as fast; with rows
    // that are there twice.
    let (rows, dim) = (8192, 12);
    let centres = numbers(64, dim, 30);
    let clustered = |rows: usize, seed: u64| {
        let mut values = numbers(rows, dim, seed);
        for (k, v) in values.iter_mut().enumerate() {
            *v = 0.1 * *v + centres[(k / dim % 64) * dim + k % dim];
        }
        values
    };
    let mut values = clustered(rows, 3);
    values.copy_within(0..700 * dim, 4000 * dim);
    let all = kept(&values, rows, dim);
    let own = &all[0].1;
    let queries = kept(&clustered(4200, 4), 4200, dim);
    let kernel = KernelSpec::default().resolved(2.0).build().unwrap();
    let look = |points: &Points, queries: &Points| {
        let near = |search| neighbours::find(points, 5, search, 7, &mut Quiet).unwrap();
        let among =
            |search| neighbours::find_among(points, queries, 5, search, 7, &mut Quiet).unwrap();
        let choose =
            |selection| landmark::choose(points, &*kernel, 40, selection, 3, &mut Quiet).unwrap();
        (
            [near(Search::Exact), near(Search::Approximate)],
            [among(Search::Exact), among(Search::Approximate)],
            [
                choose(Selection::Uniform),
                choose(Selection::Leverage),
                choose(Selection::Pivoted),
                choose(Selection::KmeansPlusPlus),
            ],
            bandwidth::median_distance(points, 5).unwrap().to_bits(),
        )
    };
    let expected = look(own, &queries[0].1);
    assert_ne!(expected.0[0].recall, expected.0[1].recall);
    assert_ne!(expected.1[0].recall, expected.1[1].recall);
    for k in [1, 3, 4, 6] {
        let (name, points) = &all[k];
        assert!(look(points, &queries[k].1) == expected, "{name}");
    }
}

#[test]
fn equal_rows_are_found_wherever_they_stand() {
    let mut values = numbers(3000, 2, 9);
    values.copy_within(20..40, 5000);
    values[7 * 2] = 0.0;
    values[2900 * 2] = -0.0;
    values[2900 * 2 + 1] = values[7 * 2 + 1];
    for (name, points) in kept(&values, 3000, 2) {
        let distinct = Distinct::of(&points, &mut Quiet).unwrap();
        let slow = |i: usize| (0..=i).find(|&j| points.row(j) == points.row(i)).unwrap();
        for i in (0..3000).step_by(100).chain(2490..2520) {
            assert_eq!(distinct.first(i), slow(i), "{name}");
        }
        assert_eq!(distinct.first(2900), 7);
        assert_eq!(distinct.len(), 3000 - 11);
        assert_eq!(distinct.rows().count(), distinct.len());
        let some = Distinct::among(&points, &[2501, 3, 11, 2900, 7]);
        let first: Vec<usize> = (0..5).map(|k| some.first(k)).collect();
        assert_eq!(first, [0, 1, 0, 3, 3]);
    }
}

#[test]
fn nothing_reads_more_than_a_tile_at_once() {
    let (rows, dim) = (6000, 40);
    let table = Watched::new(numbers(rows, dim, 5), dim);
    let points = Points::shared(table.clone()).unwrap();
    let kernel = KernelSpec::default().resolved(5.0).build().unwrap();
    for search in [Search::Exact, Search::Approximate] {
        neighbours::find(&points, 4, search, 0, &mut Quiet).unwrap();
    }
    for selection in [
        Selection::Uniform,
        Selection::Leverage,
        Selection::Pivoted,
        Selection::KmeansPlusPlus,
    ] {
        landmark::choose(&points, &*kernel, 20, selection, 0, &mut Quiet).unwrap();
    }
    let scaling = Standardiser::learn(&points, &mut Quiet).unwrap();
    scaling.apply(points.clone(), &mut Quiet).unwrap();
    bandwidth::median_distance(&points, 0).unwrap();
    let largest = table.largest.load(Ordering::Relaxed);
    assert!((1..=1024).contains(&largest), "{largest} rows in one read");
}
