use std::collections::BTreeSet;
use std::ops::ControlFlow;

use isotherm::Error;
use isotherm::data::Points;
use isotherm::linalg::distance::squared_distance;
use isotherm::monitor::{Event, Quiet};
use isotherm::neighbours::{
    Found, Neighbours, Recall, Search, find, find_among, neighbours, search,
};

use isotherm::testing::random_points;

/// A curved sheet of two dimensions in `d`, with a little noise.
fn sheet(n: usize, d: usize, seed: u64) -> Points {
    let (at, noise) = (random_points(n, 2, seed), random_points(n, d, seed + 1));
    let mut values = Vec::with_capacity(n * d);
    for i in 0..n {
        let (u, v) = (at.row(i)[0], at.row(i)[1]);
        values.extend((0..d).map(|f| {
            let f1 = f as f64;
            (u * (1.0 + 0.3 * f1)).sin() + (v * (2.0 - 0.2 * f1)).cos() + 0.01 * noise.row(i)[f]
        }));
    }
    Points::new(values, n, d).unwrap()
}

/// The share of the true distances that were reached.
fn recall(found: &Neighbours, truth: &Neighbours) -> f64 {
    let mut hits = 0;
    for i in 0..truth.len() {
        let worst = truth.squared[(i + 1) * truth.k - 1];
        hits += found.of(i).filter(|(_, r)| *r <= worst).count();
    }
    hits as f64 / truth.index.len() as f64
}

/// k distinct others in order, with their true distances.
fn assert_sound(points: &Points, queries: &Points, found: &Neighbours, own: bool) {
    for i in 0..queries.len() {
        let near: Vec<(u32, f64)> = found.of(i).collect();
        let distinct: BTreeSet<u32> = near.iter().map(|(j, _)| *j).collect();
        assert_eq!(distinct.len(), found.k, "row {i}");
        assert!(own || !distinct.contains(&(i as u32)), "row {i}");
        for (j, r) in &near {
            let squared = squared_distance(&queries.row(i), &points.row(*j as usize));
            assert_eq!(*r, squared, "row {i}");
        }
        let order = |w: &[(u32, f64)]| (w[0].1, w[0].0) < (w[1].1, w[1].0);
        assert!(near.windows(2).all(order), "row {i}");
    }
}

/// The true recall, which the stated one must be within five of its errors of.
fn check(points: &Points, k: usize) -> f64 {
    let Found {
        neighbours: found,
        recall: stated,
    } = find(points, k, Search::Approximate, 3, &mut Quiet).unwrap();
    assert_sound(points, points, &found, false);
    let truth = neighbours(points, k, &mut Quiet).unwrap();
    let true_recall = recall(&found, &truth);
    match stated {
        Recall::Exact => assert_eq!(found, truth),
        Recall::Estimated { value, error } => {
            assert!(value >= GOAL);
            assert!(
                (value - true_recall).abs() <= 5.0 * error + 1e-3,
                "{value} ± {error} stated, {true_recall} true"
            );
        }
    }
    true_recall
}

/// The recall that approximate search promises.
const GOAL: f64 = 0.95;

#[test]
fn the_stated_recall_is_true_on_several_shapes() {
    for (points, k) in [
        (sheet(5000, 12, 1), 10),
        (sheet(5000, 12, 1), 1),
        (sheet(5000, 40, 2), 150),
        (random_points(5000, 2, 3), 5),
        (random_points(5001, 1, 4), 5),
    ] {
        // Five standard errors of a sample of 384 rows below the goal.
        assert!(check(&points, k) >= GOAL - 0.03);
    }
}

#[test]
fn structured_tables_are_searched_approximately() {
    let found = find(&sheet(5000, 12, 1), 10, Search::Approximate, 0, &mut Quiet).unwrap();
    assert!(matches!(found.recall, Recall::Estimated { .. }));
}

#[test]
fn where_cells_do_not_help_the_search_is_exact_and_says_so() {
    let points = random_points(5000, 40, 5);
    let found = find(&points, 5, Search::Approximate, 0, &mut Quiet).unwrap();
    assert_eq!(found.recall, Recall::Exact);
    assert_eq!(
        found.neighbours,
        neighbours(&points, 5, &mut Quiet).unwrap()
    );
}

#[test]
fn duplicates_and_constant_columns_are_no_trouble() {
    let base = sheet(1700, 6, 6);
    let mut values = Vec::new();
    for _ in 0..3 {
        for i in 0..base.len() {
            values.extend_from_slice(&base.row(i));
            values.extend([7.0, -1e6]);
        }
    }
    check(&Points::new(values, 5100, 8).unwrap(), 7);
    // All rows equal: every row is at distance 0 from every other.
    let equal = Points::new(vec![0.1; 5000 * 3], 5000, 3).unwrap();
    assert_eq!(check(&equal, 6), 1.0);
}

#[test]
fn small_tables_and_many_neighbours_are_searched_exactly() {
    for (n, k) in [(2, 1), (50, 49), (600, 300), (4095, 3), (4200, 300)] {
        let points = random_points(n, 3, 7);
        let found = find(&points, k, Search::Approximate, 0, &mut Quiet).unwrap();
        assert_eq!(found.recall, Recall::Exact, "{n} rows");
        assert_eq!(
            found.neighbours,
            neighbours(&points, k, &mut Quiet).unwrap()
        );
    }
}

#[test]
fn automatic_is_exact_while_that_is_affordable() {
    let points = sheet(5000, 5, 8);
    let found = find(&points, 4, Search::Auto, 0, &mut Quiet).unwrap();
    assert_eq!(found.recall, Recall::Exact);
    assert_eq!(
        found,
        find(&points, 4, Search::Exact, 1, &mut Quiet).unwrap()
    );
}

#[test]
fn new_rows_find_most_of_their_nearest_rows() {
    let points = sheet(5000, 12, 1);
    // Some of the queries are points, some are new.
    let mut values = sheet(4500, 12, 9).into_values();
    values.extend_from_slice(&points.contiguous().unwrap()[..100 * 12]);
    let queries = Points::new(values, 4600, 12).unwrap();
    let found = find_among(&points, &queries, 8, Search::Approximate, 0, &mut Quiet).unwrap();
    let Recall::Estimated { value, error } = found.recall else {
        panic!("a sheet has cells");
    };
    assert_sound(&points, &queries, &found.neighbours, true);
    let itself = |i: &usize| found.neighbours.index[(4500 + i) * 8] == *i as u32;
    assert!((0..100).filter(itself).count() >= 90);
    let truth = search(&points, &queries, 8, &mut Quiet).unwrap();
    let true_recall = recall(&found.neighbours, &truth);
    assert!((value - true_recall).abs() <= 5.0 * error + 1e-3);
    let few = queries.select(&[0, 1, 2]).unwrap();
    let found = find_among(&points, &few, 8, Search::Approximate, 0, &mut Quiet).unwrap();
    assert_eq!(found.recall, Recall::Exact);
}

#[test]
fn the_result_follows_from_the_seed_whatever_the_thread_count() {
    let points = sheet(6000, 10, 10);
    let run = |threads, seed| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| find(&points, 8, Search::Approximate, seed, &mut Quiet).unwrap())
    };
    let one = run(1, 0);
    assert!(matches!(one.recall, Recall::Estimated { .. }));
    assert_eq!(one, run(2, 0));
    assert_eq!(one, run(7, 0));
    assert_ne!(one, run(2, 1), "another seed sorts other cells");
}

#[test]
fn the_same_refusals_as_the_exact_search() {
    let points = random_points(10, 2, 5);
    for k in [0, 10] {
        for how in [Search::Auto, Search::Exact, Search::Approximate] {
            assert_eq!(
                find(&points, k, how, 0, &mut Quiet).unwrap_err(),
                neighbours(&points, k, &mut Quiet).unwrap_err()
            );
        }
    }
    let other = random_points(3, 4, 6);
    assert!(find_among(&points, &other, 1, Search::Auto, 0, &mut Quiet).is_err());
}

#[test]
fn cancelling_is_honoured_in_every_phase() {
    let points = sheet(12_000, 20, 11);
    // After so many events: while sorting, while sampling, while looking.
    for patience in [0, 3, 20, 60] {
        let mut seen = 0;
        let mut stop = |_: Event| {
            seen += 1;
            if seen > patience {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let error = find(&points, 5, Search::Approximate, 0, &mut stop).unwrap_err();
        assert!(matches!(error, Error::Cancelled { .. }));
        // Each thread may finish and report the tile it was at.
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(seen <= patience + threads, "{seen} events after {patience}");
    }
}
