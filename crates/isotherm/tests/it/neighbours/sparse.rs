use isotherm::data::Points;
use isotherm::monitor::Quiet;
use isotherm::neighbours::{Recall, Search, find, find_among, neighbours, search};

use crate::data::sparse::rows;
use crate::squared;

/// Sort everything: the obvious twin. Rows that only rounding orders otherwise are compared by
/// their distances.
fn assert_nearest(points: &Points, queries: &Points, k: usize, own: bool, of: &Found) {
    for i in 0..queries.len() {
        let all = (0..points.len()).filter(|j| own || *j != i);
        let mut all: Vec<f64> = all
            .map(|j| squared(&queries.row(i), &points.row(j)))
            .collect();
        all.sort_by(f64::total_cmp);
        let mut last = (-1.0, 0);
        for ((j, r), expected) in of.of(i).zip(&all[..k]) {
            let exact = squared(&queries.row(i), &points.row(j as usize));
            assert!((r - expected).abs() <= 1e-12 * expected, "row {i}");
            assert!((r - exact).abs() <= 1e-12 * exact, "row {i}");
            assert!(own || j as usize != i);
            assert!(last.0 < r || (last.0 == r && last.1 < j), "row {i}");
            last = (r, j);
        }
    }
}

type Found = isotherm::neighbours::Neighbours;

#[test]
fn equals_brute_force_on_the_dense_rows() {
    for (n, d, each, k) in [(40, 30, 4, 39), (400, 500, 20, 7), (700, 90, 8, 12)] {
        let (sparse, dense) = rows(n, d, each, 1);
        assert!(sparse.is_sparse());
        let found = neighbours(&sparse, k, &mut Quiet).unwrap();
        assert_nearest(&dense, &dense, k, false, &found);
        let (queries, dense_queries) = rows(150, d, each, 2);
        for queries in [&queries, &dense_queries] {
            let found = search(&sparse, queries, k, &mut Quiet).unwrap();
            assert_nearest(&dense, &dense_queries, k, true, &found);
            let found = search(&dense, queries, k, &mut Quiet).unwrap();
            assert_nearest(&dense, &dense_queries, k, true, &found);
        }
    }
}

#[test]
fn is_exact_however_it_is_asked_for() {
    let (sparse, _) = rows(5000, 400, 10, 4);
    let exact = neighbours(&sparse, 5, &mut Quiet).unwrap();
    let found = find(&sparse, 5, Search::Approximate, 0, &mut Quiet).unwrap();
    assert_eq!(found.recall, Recall::Exact);
    assert_eq!(found.neighbours, exact);
    let among = find_among(&sparse, &sparse, 5, Search::Approximate, 0, &mut Quiet).unwrap();
    assert_eq!(among.recall, Recall::Exact);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (sparse, _) = rows(600, 200, 10, 5);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| neighbours(&sparse, 6, &mut Quiet).unwrap())
    };
    assert_eq!(with(1), with(3));
}
