//! A tiny version of the experiment with partial labels, without data files.
#![allow(clippy::unwrap_used)]

use isotherm::data::Points;
use isotherm::partial::Candidates;
use isotherm_experiments::partial::run::{self, Record};
use isotherm_experiments::partial::sets::Set;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Three round heaps at the corners of a triangle, six deviations apart. One row in four
/// has its own class only; of the others most of each class share one wrong candidate,
/// so that averages are nearly ties.
fn heaps(rows: usize) -> Set<u32, Candidates> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let corners = [(0.0, 0.0), (6.0, 0.0), (3.0, 5.2)];
    let mut values = Vec::new();
    let (mut truths, mut known) = (Vec::new(), Vec::new());
    for i in 0..rows {
        let class = i % 3;
        let mut noise = || (0..12).map(|_| rng.random_range(0.0..1.0)).sum::<f64>() - 6.0;
        values.extend([corners[class].0 + noise(), corners[class].1 + noise()]);
        let class = class as u32;
        let other = if rng.random_bool(0.85) {
            (class + 1) % 3
        } else {
            (class + 2) % 3
        };
        known.push(Candidates::new(match i % 4 {
            0 => vec![class],
            _ => vec![class, other],
        }));
        truths.push(class);
    }
    Set {
        points: Points::new(values, rows, 2).unwrap(),
        width: 3,
        clear: known.iter().map(|k| k.classes().len() == 1).collect(),
        truths,
        known,
    }
}

fn mean(records: &[Record], estimator: &str, treatment: &str, measure: &str) -> f64 {
    let wanted =
        |r: &&Record| r.estimator == estimator && r.treatment == treatment && r.measure == measure;
    let found: Vec<f64> = records.iter().filter(wanted).map(|r| r.value).collect();
    assert_eq!(found.len(), 3, "{estimator} {treatment} {measure}");
    found.iter().sum::<f64>() / 3.0
}

#[test]
fn heaps_that_lie_apart_are_disambiguated_and_held_out_rows_told_as_the_oracle_does() {
    let records = run::classes("heaps", &heaps(120), 3).unwrap();
    for estimator in ["laplacian", "stkr"] {
        let of = |treatment: &str, measure: &str| mean(&records, estimator, treatment, measure);
        assert!(of("infimum", "recovered") >= 99.0);
        // Heaps six deviations apart overlap in 0.1 % of the rows: one of 120 is allowed.
        assert!(of("oracle", "accuracy") >= 99.0);
        assert!(of("infimum", "accuracy") >= of("oracle", "accuracy") - 1.0);
        assert_eq!(of("infimum", "converged"), 1.0);
        assert!(of("clear", "accuracy") > 90.0);
    }
}
