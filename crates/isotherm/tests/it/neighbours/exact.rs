use std::ops::ControlFlow;

use isotherm::Error;
use isotherm::data::Points;
use isotherm::linalg::distance::squared_distance;
use isotherm::monitor::{Event, Quiet};
use isotherm::neighbours::{Neighbours, neighbours, search};

use isotherm::testing::random_points;

use crate::squared;

/// Sort everything: the obvious twin.
fn brute(points: &Points, queries: &Points, k: usize, own: bool) -> Vec<Vec<(u32, f64)>> {
    (0..queries.len())
        .map(|i| {
            let mut all: Vec<(u32, f64)> = (0..points.len())
                .filter(|j| own || *j != i)
                .map(|j| (j as u32, squared(&queries.row(i), &points.row(j))))
                .collect();
            all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            all.truncate(k);
            all
        })
        .collect()
}

fn assert_same(found: &Neighbours, expected: &[Vec<(u32, f64)>]) {
    assert_eq!(found.len(), expected.len());
    for (i, expected) in expected.iter().enumerate() {
        for ((j, r), (ej, er)) in found.of(i).zip(expected) {
            assert_eq!(j, *ej, "row {i}");
            // The twin sums in another order: d rounding units, d ≤ 100.
            assert!((r - er).abs() <= 1e-13 * er, "row {i}");
        }
    }
}

#[test]
fn equals_brute_force() {
    for (n, d, k) in [
        (1, 3, 0),
        (2, 3, 1),
        (50, 2, 49),
        (700, 3, 7),
        (700, 20, 10),
        (300, 60, 1),
    ] {
        let points = random_points(n, d, 1);
        if k == 0 {
            assert!(neighbours(&points, 1, &mut Quiet).is_err());
            continue;
        }
        let found = neighbours(&points, k, &mut Quiet).unwrap();
        assert_same(&found, &brute(&points, &points, k, false));
        let queries = random_points(150, d, 2);
        let found = search(&points, &queries, k, &mut Quiet).unwrap();
        assert_same(&found, &brute(&points, &queries, k, true));
    }
}

#[test]
fn ties_go_to_the_smaller_index() {
    // A lattice with every point three times: ties everywhere, exact in f64.
    for d in [2, 10] {
        let mut values = Vec::new();
        for _ in 0..3 {
            for i in 0..200 {
                values.extend((0..d).map(|f| f64::from(i * (f + 3) % 5)));
            }
        }
        let points = Points::new(values, 600, d as usize).unwrap();
        let found = neighbours(&points, 9, &mut Quiet).unwrap();
        assert_same(&found, &brute(&points, &points, 9, false));
    }
}

#[test]
fn a_row_is_not_its_own_neighbour_but_its_duplicate_is() {
    let points = Points::new(vec![1.0, 1.0, 5.0, 5.0, 1.0, 1.0], 3, 2).unwrap();
    let found = neighbours(&points, 1, &mut Quiet).unwrap();
    assert_eq!(found.index, [2, 0, 0]);
    assert_eq!(found.squared, [0.0, 32.0, 0.0]);
    let found = search(&points, &points, 1, &mut Quiet).unwrap();
    assert_eq!(found.index, [0, 1, 0]);
}

#[test]
fn far_from_the_origin_finds_the_same_rows() {
    let near = random_points(500, 12, 3);
    let far = near.contiguous().unwrap().iter().map(|v| v + 1e6).collect();
    let far = Points::new(far, 500, 12).unwrap();
    let found = neighbours(&far, 5, &mut Quiet).unwrap();
    assert_same(&found, &brute(&far, &far, 5, false));
}

#[test]
fn thread_count_does_not_change_the_result() {
    let points = random_points(1500, 16, 4);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| neighbours(&points, 8, &mut Quiet).unwrap())
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(7));
}

#[test]
fn too_many_neighbours_are_refused_with_a_way_out() {
    let points = random_points(10, 2, 5);
    for k in [0, 10, 11] {
        let message = neighbours(&points, k, &mut Quiet).unwrap_err().to_string();
        assert_eq!(
            message,
            format!("neighbours must be from 1 to 9 for 10 rows, got {k}; lower it or add rows")
        );
    }
    assert!(search(&points, &random_points(3, 2, 6), 10, &mut Quiet).is_ok());
    assert!(search(&points, &random_points(3, 2, 6), 11, &mut Quiet).is_err());
    let error = search(&points, &random_points(3, 4, 6), 1, &mut Quiet).unwrap_err();
    assert_eq!(
        error.to_string(),
        "features of the new rows: expected 2, got 4"
    );
}

#[test]
fn cancelling_is_honoured_within_a_tile_per_thread() {
    let points = random_points(20_000, 20, 7);
    let mut steps = 0;
    let mut stop = |event: Event| match event {
        Event::Step { .. } => {
            steps += 1;
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    };
    let error = neighbours(&points, 5, &mut stop).unwrap_err();
    assert_eq!(
        error,
        Error::Cancelled {
            phase: "finding neighbours"
        }
    );
    // Each thread may finish and report the tile it was at.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    assert!((1..=threads).contains(&steps), "{steps} steps");
}

/// Sorts the library's own direct sums: equal to the last bit.
fn assert_exact(points: &Points, found: &Neighbours) {
    for i in 0..points.len() {
        let mut all: Vec<(f64, u32)> = (0..points.len())
            .filter(|j| *j != i)
            .map(|j| (squared_distance(&points.row(i), &points.row(j)), j as u32))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for ((j, r), expected) in found.of(i).zip(all) {
            assert_eq!((r, j), expected, "row {i}");
        }
    }
}

#[test]
fn the_bound_in_single_precision_excludes_no_neighbour_at_any_scale() {
    let unit = random_points(400, 9, 8);
    let with = |f: &dyn Fn(usize, f64) -> f64| {
        let values = unit.contiguous().unwrap().iter().enumerate();
        Points::new(values.map(|(at, v)| f(at, *v)).collect(), 400, 9).unwrap()
    };
    let tables = [
        with(&|_, v| v * 9e149),
        with(&|_, v| v * 1e-150),
        // Squares underflow, many to the same number.
        with(&|_, v| v * 1e-161),
        with(&|_, v| v * 1e-170),
        with(&|_, v| v + 1e9),
        // Two groups, so far apart that single precision sees two points.
        with(&|at, v| if at < 1800 { v } else { v + 1e10 }),
        // Rows from 1 down to 1e-40 in size.
        with(&|at, v| v * 10_f64.powi(-((at / 9) as i32) / 10)),
        // Few values: ties everywhere, with a mean that is not representable.
        with(&|_, v| (v * 1.5).round() / 3.0),
    ];
    for (t, points) in tables.iter().enumerate() {
        for k in [1, 7, 200] {
            let found = neighbours(points, k, &mut Quiet).unwrap();
            assert_exact(points, &found);
            let others = search(points, &tables[(t + 1) % tables.len()], k, &mut Quiet).unwrap();
            assert!(others.squared.iter().all(|r| r.is_finite()));
        }
    }
}

#[test]
fn queries_far_beyond_the_points_find_the_nearest_all_the_same() {
    let points = random_points(300, 5, 9);
    for scale in [1e-30, 1e30, 1e140] {
        let values = random_points(40, 5, 10);
        let values = values
            .contiguous()
            .unwrap()
            .iter()
            .map(|v| v * scale)
            .collect();
        let queries = Points::new(values, 40, 5).unwrap();
        let found = search(&points, &queries, 4, &mut Quiet).unwrap();
        for i in 0..queries.len() {
            let mut all: Vec<(f64, u32)> = (0..points.len())
                .map(|j| (squared_distance(&queries.row(i), &points.row(j)), j as u32))
                .collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let own: Vec<(f64, u32)> = found.of(i).map(|(j, r)| (r, j)).collect();
            assert_eq!(own, all[..4]);
        }
    }
}
