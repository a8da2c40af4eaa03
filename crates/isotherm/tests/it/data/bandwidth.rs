use isotherm::data::Points;
use isotherm::data::bandwidth::median_distance;

use isotherm::testing::random_points;

use crate::squared;

#[test]
fn few_rows_use_every_pair() {
    // Distances 1, 2, 3, 3, 5, 6 of 0, 1, 3, 6: the middle two are 3 and 3.
    let line = Points::new(vec![0.0, 1.0, 3.0, 6.0], 4, 1).unwrap();
    assert_eq!(median_distance(&line, 0).unwrap(), 3.0);
    assert_eq!(median_distance(&line, 99).unwrap(), 3.0);
    // Distances 1, 3, 2: odd.
    let line = Points::new(vec![0.0, 1.0, 3.0], 3, 1).unwrap();
    assert_eq!(median_distance(&line, 0).unwrap(), 2.0);
}

#[test]
fn the_sample_is_near_the_median_of_all_pairs_and_follows_the_seed() {
    let points = random_points(1500, 7, 1);
    let mut all: Vec<f64> = (0..1500)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| squared(&points.row(i), &points.row(j)).sqrt())
        .collect();
    all.sort_by(f64::total_cmp);
    let sampled = median_distance(&points, 5).unwrap();
    let rank = all.partition_point(|v| *v < sampled) as f64 / all.len() as f64;
    assert!((rank - 0.5).abs() < 0.01, "rank {rank}");
    assert_eq!(sampled, median_distance(&points, 5).unwrap());
    assert!(sampled != median_distance(&points, 6).unwrap());
}

#[test]
fn duplicates_do_not_count() {
    let mut values = vec![0.0; 2000];
    values[1999] = 7.0;
    let points = Points::new(values, 2000, 1).unwrap();
    assert_eq!(median_distance(&points, 1).unwrap(), 7.0);
}

#[test]
fn equal_rows_are_refused_with_a_way_out() {
    for n in [2, 3000] {
        let points = Points::new(vec![2.5; n * 3], n, 3).unwrap();
        let message = median_distance(&points, 1).unwrap_err().to_string();
        assert!(message.starts_with("all rows are equal"), "{message}");
    }
    assert!(median_distance(&Points::new(vec![1.0], 1, 1).unwrap(), 0).is_err());
}
