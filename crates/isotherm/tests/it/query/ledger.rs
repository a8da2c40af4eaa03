//! Adding and taking back labels, beside refits.

use super::{priors, random_prior};
use isotherm::estimator::Prior;
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::query::{Acquisition, Ledger};
use isotherm::testing::operator::close;
use isotherm::testing::random;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn scores(ledger: &Ledger) -> Mat<f64> {
    let k = ledger.scores(0).len();
    Mat::from_fn(ledger.len(), k, |i, j| ledger.scores(i)[j])
}

fn variances(ledger: &Ledger) -> Mat<f64> {
    Mat::from_fn(ledger.len(), 1, |i, _| ledger.variances()[i])
}

/// 500 random labels given and taken back, then everything solved anew.
fn walk(name: &str, prior: &Prior, noise: f64, classes: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let mut ledger = Ledger::classes(prior, classes, noise).unwrap();
    for _ in 0..500 {
        let row = rng.random_range(0..prior.len());
        if ledger.has(row) {
            ledger.remove(row).unwrap();
        } else {
            let class = rng.random_range(0..classes as u32);
            ledger.add_class(row, class).unwrap();
        }
    }
    let mut again = ledger.clone();
    again.refit(&mut Quiet).unwrap();
    close(name, &scores(&ledger), &scores(&again), 1e-8).unwrap();
    close(name, &variances(&ledger), &variances(&again), 1e-8).unwrap();
    assert!(ledger.best() == again.best() || ledger.margins().iter().any(|m| *m < 1e-8));
}

#[test]
fn five_hundred_steps_equal_a_refit_for_every_method() {
    for (name, prior) in priors(12) {
        walk(name, &prior, prior.noise(20), 3);
    }
}

#[test]
fn five_hundred_steps_equal_a_refit_with_little_and_much_noise() {
    let prior = random_prior(300, 20, 3);
    for noise in [1e-4, 1.0, 1e4] {
        walk("random features", &prior, noise, 4);
    }
}

#[test]
fn taking_back_is_undoing() {
    let prior = random_prior(60, 8, 4);
    let mut ledger = Ledger::classes(&prior, 3, 0.05).unwrap();
    for (row, class) in [(0, 0), (7, 1), (22, 2)] {
        ledger.add_class(row, class).unwrap();
    }
    let before = (scores(&ledger), variances(&ledger));
    ledger.add_class(31, 1).unwrap();
    assert!((&scores(&ledger) - &before.0).norm_max() > 1e-3);
    ledger.remove(31).unwrap();
    close("scores", &scores(&ledger), &before.0, 1e-13).unwrap();
    close("variances", &variances(&ledger), &before.1, 1e-13).unwrap();
    for row in [0, 7, 22] {
        ledger.remove(row).unwrap();
    }
    let none = Ledger::classes(&prior, 3, 0.05).unwrap();
    close("no label", &scores(&ledger), &scores(&none), 1e-13).unwrap();
    close("no label", &variances(&ledger), &variances(&none), 1e-13).unwrap();
}

/// All of one class of three.
fn one_hot(class: usize) -> Vec<f64> {
    (0..3).map(|k| f64::from(u8::from(k == class))).collect()
}

#[test]
fn weights_all_one_change_nothing_and_a_weight_counts_as_repeated_noise() {
    let prior = random_prior(60, 6, 8);
    let labels: Vec<(usize, Vec<f64>)> = (0..9).map(|k| (5 * k, one_hot(k % 3))).collect();
    let ledger = |weights: Option<&[f64]>| {
        let mut ledger = Ledger::classes(&prior, 3, 0.3).unwrap();
        ledger.add_all(&labels, weights, &mut Quiet).unwrap();
        ledger
    };
    let (plain, ones) = (ledger(None), ledger(Some(&[1.0; 9])));
    assert!(scores(&plain) == scores(&ones) && variances(&plain) == variances(&ones));
    // All weights w are the noise c/w.
    let mut less = Ledger::classes(&prior, 3, 0.1).unwrap();
    less.add_all(&labels, None, &mut Quiet).unwrap();
    let heavy = ledger(Some(&[3.0; 9]));
    close("scores", &scores(&heavy), &scores(&less), 1e-11).unwrap();
    close("variances", &variances(&heavy), &variances(&less), 1e-11).unwrap();
    // A weighted label can be taken back.
    let mut unequal = ledger(Some(&[9.0, 0.1, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
    assert!(scores(&unequal) != scores(&plain));
    unequal.remove(0).unwrap();
    unequal.remove(5).unwrap();
    let mut rest = Ledger::classes(&prior, 3, 0.3).unwrap();
    rest.add_all(&labels[2..], None, &mut Quiet).unwrap();
    close("scores", &scores(&unequal), &scores(&rest), 1e-9).unwrap();
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut ledger = Ledger::classes(&prior, 3, 0.3).unwrap();
        assert!(
            ledger
                .add_all(&labels[..1], Some(&[bad]), &mut Quiet)
                .is_err()
        );
        assert_eq!(ledger.count(), 0);
    }
}

#[test]
fn labels_together_equal_labels_one_by_one() {
    let prior = random_prior(100, 8, 6);
    let labels: Vec<(usize, Vec<f64>)> = (0..30).map(|k| (3 * k, one_hot(k % 3))).collect();
    let mut one = Ledger::classes(&prior, 3, 0.3).unwrap();
    let mut all = one.clone();
    for (row, value) in &labels {
        one.add(*row, value).unwrap();
    }
    all.add_all(&labels, None, &mut Quiet).unwrap();
    close("scores", &scores(&one), &scores(&all), 1e-11).unwrap();
    close("variances", &variances(&one), &variances(&all), 1e-11).unwrap();
    assert_eq!(one.best(), all.best());
}

#[test]
fn numbers_and_shares_are_labels_too() {
    let prior = random_prior(50, 6, 7);
    let mut numbers = Ledger::numbers(&prior, 2.0, 0.1).unwrap();
    let mut shares = Ledger::classes(&prior, 2, 0.1).unwrap();
    for (k, row) in [3, 11, 29].into_iter().enumerate() {
        let share = 0.2 * k as f64;
        // A class's target is its share less ½, as is a number's less its centre.
        numbers.add(row, &[1.5 + share]).unwrap();
        shares.add(row, &[share, 1.0 - share]).unwrap();
    }
    for i in 0..50 {
        assert!((numbers.scores(i)[0] - shares.scores(i)[0]).abs() < 1e-14);
        assert!((shares.scores(i)[0] + shares.scores(i)[1]).abs() < 1e-14);
    }
    assert!(numbers.probabilities(0).is_empty());
}

#[test]
fn the_thread_count_does_not_change_the_bits() {
    // More rows than one tile of 2048.
    let prior = Prior::new(random(5000, 24, 8), 0.5, 0.0).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut ledger = Ledger::classes(&prior, 5, 0.5).unwrap();
            for k in 0..40 {
                ledger.add_class(117 * k, k as u32 % 5).unwrap();
            }
            for k in 0..7 {
                ledger.remove(117 * 3 * k).unwrap();
            }
            let mut bits: Vec<u64> = Vec::new();
            let mut take = |values: &[f64]| bits.extend(values.iter().map(|v| v.to_bits()));
            (0..5000).for_each(|i| take(ledger.scores(i)));
            take(ledger.variances());
            take(ledger.margins());
            take(&[ledger.stands_for(1)]);
            for strategy in Acquisition::ALL {
                take(&strategy.scores(&ledger, &mut Quiet).unwrap());
            }
            ledger.refit(&mut Quiet).unwrap();
            (0..5000).for_each(|i| take(ledger.scores(i)));
            take(ledger.variances());
            bits
        })
    };
    let one = run(1);
    assert!(run(2) == one && run(5) == one);
}

#[test]
fn a_label_stays_in_its_component() {
    let prior = random_prior(51, 1, 9);
    let dense = prior
        .features()
        .col(0)
        .iter()
        .map(|_| 0.0)
        .collect::<Vec<f64>>();
    let level = prior.level().unwrap().clone();
    let flat = Prior::new(Mat::from_fn(51, 1, |i, _| dense[i]), 0.1, 0.0).unwrap();
    let flat = flat.with_level(level.clone()).unwrap();
    let mut ledger = Ledger::classes(&flat, 2, 0.1).unwrap();
    ledger.add_class(0, 1).unwrap();
    for i in 0..51 {
        let same = level.component[i] == 0;
        assert_eq!(ledger.scores(i)[1] > 0.0, same, "row {i}");
        // Never class 0 in silence: what no label reaches has equal scores.
        assert_eq!(ledger.margins()[i] > 0.0, same);
        assert!(same || ledger.probabilities(i) == [0.5, 0.5]);
    }
}

#[test]
fn bad_labels_are_refused_and_change_nothing() {
    let prior = random_prior(20, 4, 10);
    let mut ledger = Ledger::classes(&prior, 3, 0.1).unwrap();
    ledger.add_class(3, 1).unwrap();
    let before = (scores(&ledger), variances(&ledger));
    for (row, label, says) in [
        (
            3,
            vec![1.0, 0.0, 0.0],
            "sample 3: it has a label already; take that back first",
        ),
        (
            20,
            vec![1.0, 0.0, 0.0],
            "sample 20: there are only 20 rows, counted from 0",
        ),
        (
            4,
            vec![1.0],
            "sample 4: its shares must be 3 numbers from 0 to 1 that sum to 1, got [1.0]",
        ),
        (
            4,
            vec![0.5, 0.6, 0.1],
            "sample 4: its shares must be 3 numbers from 0 to 1 that sum to 1, got [0.5, 0.6, 0.1]",
        ),
        (
            4,
            vec![f64::NAN, 0.5, 0.5],
            "sample 4: its shares must be 3 numbers from 0 to 1 that sum to 1, got [NaN, 0.5, 0.5]",
        ),
    ] {
        assert_eq!(ledger.add(row, &label).unwrap_err().to_string(), says);
        let both = [(5, one_hot(0)), (row, label)];
        assert_eq!(
            ledger
                .add_all(&both, None, &mut Quiet)
                .unwrap_err()
                .to_string(),
            says
        );
    }
    let says = "sample 4: class 3 is not among the 3 classes, counted from 0";
    assert_eq!(ledger.add_class(4, 3).unwrap_err().to_string(), says);
    let says = "sample 5: it has no label to take back; name a labelled row";
    assert_eq!(ledger.remove(5).unwrap_err().to_string(), says);
    assert!(ledger.remove(1000).is_err());
    assert!(scores(&ledger) == before.0 && variances(&ledger) == before.1);
    assert_eq!(ledger.labelled().collect::<Vec<_>>(), [3]);

    let twice = [(1, one_hot(0)), (1, one_hot(0))];
    assert!(ledger.add_all(&twice, None, &mut Quiet).is_err() && ledger.count() == 1);
    let mut numbers = Ledger::numbers(&prior, 0.0, 0.1).unwrap();
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        assert!(numbers.add(0, &[bad]).is_err());
    }
    assert!(numbers.add_class(0, 0).is_err() && numbers.count() == 0);
    for noise in [0.0, -1.0, f64::NAN] {
        assert!(Ledger::classes(&prior, 2, noise).is_err());
    }
    assert!(Ledger::classes(&prior, 1, 0.1).is_err());
    assert!(Ledger::numbers(&prior, f64::NAN, 0.1).is_err());
}

#[test]
fn priors_that_are_none_are_refused() {
    assert!(Prior::new(Mat::zeros(0, 3), 1.0, 0.0).is_err());
    assert!(Prior::new(Mat::from_fn(2, 2, |_, _| f64::NAN), 1.0, 0.0).is_err());
    assert!(Prior::new(Mat::zeros(2, 2), -1.0, 0.0).is_err());
    let level = isotherm::estimator::spectral::Level {
        component: vec![0],
        entry: vec![1.0],
    };
    let prior = Prior::new(Mat::zeros(2, 2), 1.0, 0.0).unwrap();
    assert!(prior.with_level(level).is_err());
    // No noise at all still leaves some.
    assert!(Prior::new(random(4, 2, 1), 0.0, 0.0).unwrap().noise(10) > 0.0);
}
