//! Labels that may be wrong.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{clouds, draw, observed, prepared};
use crate::estimator::Linear;
use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::trust::suspects;

#[test]
fn flipped_labels_come_first() {
    let (points, classes) = clouds(300, 10);
    let prepared = prepared(points);
    let (mut found, mut chance, mut of) = (0, 0.0, 0);
    for run in 0..20 {
        let mut random = ChaCha8Rng::seed_from_u64(4000 + run);
        let rows = draw(300, 100, &mut random);
        let mut given = classes.clone();
        for &i in &rows[..10] {
            given[i] = (given[i] + 1 + random.random_range(0..2)) % 3;
        }
        let seen = observed(&rows, &given);
        let smoother = prepared.smoother(&seen, &mut Quiet).unwrap();
        let left = smoother.left_out(seen.values().as_ref());
        let labels: Vec<u32> = rows.iter().map(|&i| given[i]).collect();
        let ranked = suspects(left.as_ref(), &labels, &[true; 100]).unwrap();
        found += ranked.iter().take(10).filter(|s| s.label < 10).count();
        chance += 10.0 * 10.0 / 100.0;
        of += 10;
    }
    // Chance alone finds one in ten; the clouds overlap, so not all can be found.
    assert!(
        found as f64 >= 5.0 * chance,
        "{found} of {of}, by chance {chance}"
    );
    assert!(suspects(Mat::zeros(3, 2).as_ref(), &[0, 1], &[true; 3]).is_err());
    assert!(suspects(Mat::zeros(1, 2).as_ref(), &[5], &[true]).is_err());
}

#[test]
fn labels_that_others_contradict_are_ranked_by_how_far_they_are_behind() {
    let left = Mat::from_fn(3, 2, |i, c| [[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]][i][c]);
    let found = suspects(left.as_ref(), &[0, 0, 1], &[true; 3]).unwrap();
    assert_eq!(found.iter().map(|s| s.label).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(found[0].suggested, 1);
}
