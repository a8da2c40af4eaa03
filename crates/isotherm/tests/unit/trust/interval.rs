//! Intervals of a share and of a mean against slow twins and by simulation.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::RUNS;
use crate::trust::interval::{of_macro_f1, of_mean, of_population};
use crate::trust::{Counted, Judged, Sampling, clopper_pearson};

/// `P(X ≥ k)` by Pascal's triangle.
fn tail(k: usize, n: usize, p: f64) -> f64 {
    let mut mass = vec![1.0];
    for _ in 0..n {
        let mut next = vec![0.0; mass.len() + 1];
        for (i, m) in mass.iter().enumerate() {
            next[i] += m * (1.0 - p);
            next[i + 1] += m * p;
        }
        mass = next;
    }
    mass[k..].iter().sum()
}

#[test]
fn an_exact_interval_ends_where_its_tails_do() {
    for (right, of) in [
        (0, 7),
        (1, 20),
        (18, 20),
        (90, 100),
        (7, 7),
        (150, 300),
        (40, 41),
    ] {
        for level in [0.5, 0.9, 0.95, 0.99] {
            let found = clopper_pearson(right, of, level).unwrap();
            let half = (1.0 - level) / 2.0;
            if right > 0 {
                assert!(
                    (tail(right, of, found.low) - half).abs() < 1e-9,
                    "{right}/{of}"
                );
            } else {
                assert_eq!(found.low, 0.0);
            }
            if right < of {
                let above = 1.0 - tail(right + 1, of, found.high);
                assert!((above - half).abs() < 1e-9, "{right}/{of}: {above}");
            } else {
                assert_eq!(found.high, 1.0);
            }
        }
    }
    // Thousands of rows neither overflow nor vanish.
    let large = clopper_pearson(7900, 8000, 0.95).unwrap();
    assert!(large.low > 0.984 && large.high < 0.991 && large.low < large.high);
    for (right, of, level) in [
        (0, 0, 0.9),
        (3, 2, 0.9),
        (1, 2, 0.0),
        (1, 2, 1.0),
        (1, 2, f64::NAN),
    ] {
        assert!(clopper_pearson(right, of, level).is_err());
    }
}

#[test]
fn an_urn_s_interval_is_all_contents_that_are_not_unlikely() {
    // By counting every draw.
    let choose =
        |n: usize, k: usize| -> f64 { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product() };
    for (right, of, total) in [(3, 5, 12), (0, 6, 20), (6, 6, 20), (9, 10, 40), (4, 12, 13)] {
        for level in [0.8, 0.95] {
            let half = (1.0 - level) / 2.0;
            let mass = |r: usize, x: usize| {
                if x > r || of - x > total - r {
                    0.0
                } else {
                    choose(r, x) * choose(total - r, of - x) / choose(total, of)
                }
            };
            let likely = |r: &usize| {
                let above: f64 = (right..=of).map(|x| mass(*r, x)).sum();
                let below: f64 = (0..=right).map(|x| mass(*r, x)).sum();
                above > half && below > half
            };
            let all: Vec<usize> = (right..=total - (of - right)).filter(likely).collect();
            let found = of_population(right, of, total, level).unwrap();
            assert_eq!(
                found,
                (all[0], *all.last().unwrap()),
                "{right}/{of} of {total}"
            );
        }
    }
    let (low, high) = of_population(80, 100, 100_000_000, 0.95).unwrap();
    let exact = clopper_pearson(80, 100, 0.95).unwrap();
    assert!((low as f64 / 1e8 - exact.low).abs() < 1e-5);
    assert!((high as f64 / 1e8 - exact.high).abs() < 1e-5);
    assert!(of_population(2, 5, 4, 0.9).is_err());
}

#[test]
fn intervals_of_a_squared_error_cover() {
    let mut covered = 0;
    for run in 0..RUNS {
        let mut random = ChaCha8Rng::seed_from_u64(run as u64);
        // Squared errors of a normal variable: skewed, with mean one.
        let mut gauss = || -> f64 { (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0 };
        let errors: Vec<f64> = (0..40).map(|_| gauss().powi(2)).collect();
        let found = of_mean(&errors, 0.95, 1.0, run as u64).unwrap().unwrap();
        covered += usize::from(found.low <= 1.0 && 1.0 <= found.high);
    }
    assert!(covered * 100 >= 93 * RUNS, "{covered} of {RUNS}");
    let none = Judged::new(Vec::new(), Vec::new(), 2);
    assert!(of_macro_f1(&none, 0.9, 1.0, 0).is_err());
}

#[test]
fn squares_that_do_not_differ_or_are_few_have_no_interval() {
    let many: Vec<f64> = (0..40).map(f64::from).collect();
    assert_eq!(of_mean(&many[..9], 0.95, 1.0, 0).unwrap(), None);
    assert_eq!(of_mean(&[2.0; 40], 0.95, 1.0, 0).unwrap(), None);
    assert_eq!(of_mean(&[0.0; 40], 0.95, 1.0, 0).unwrap(), None);
    let counted = |n: usize| Counted::new(&Sampling::Random, &vec![true; n], 100).unwrap();
    let few = counted(9).mean(&many[..9], None, 0.95, 0).unwrap();
    assert_eq!((few.interval, few.value), (None, 4.0));
    assert!(few.no_interval.unwrap().contains("few"));
    let flat = counted(40).mean(&[2.0; 40], None, 0.95, 0).unwrap();
    assert!(flat.interval.is_none() && flat.no_interval.unwrap().contains("spread"));
    let fine = counted(40).mean(&many, None, 0.95, 0).unwrap();
    assert!(fine.interval.is_some() && fine.no_interval.is_none());
}

#[test]
fn macro_f1_of_few_rows_has_no_interval_and_of_wrong_rows_no_empty_one() {
    let wrong = |n: usize| Judged::new(vec![0; n], vec![Some(1); n], 2);
    assert_eq!(of_macro_f1(&wrong(1), 0.95, 1.0, 0).unwrap(), None);
    assert_eq!(of_macro_f1(&wrong(9), 0.95, 1.0, 0).unwrap(), None);
    let found = of_macro_f1(&wrong(20), 0.95, 1.0, 0).unwrap().unwrap();
    // The exact interval of none of 20.
    assert!(
        found.low == 0.0 && (found.high - 0.168).abs() < 1e-3,
        "{found:?}"
    );
}
