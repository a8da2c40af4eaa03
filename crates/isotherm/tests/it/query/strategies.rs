//! Closed forms beside refits, for every method; properties of every strategy.

use super::{priors, random_prior};
use isotherm::estimator::{Prior, spectral::Level};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::query::{Acquisition, Ledger};
use isotherm::testing::query;

#[test]
fn closed_forms_equal_refits_with_every_candidate_for_every_method() {
    for (name, prior) in priors(10) {
        let labels = [(0, 0), (5, 1), (9, 2), (14, 0), (25, 1)];
        query::check(&prior, prior.noise(5), &labels, 1e-8)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn closed_forms_equal_refits_in_components_that_no_label_has_touched() {
    let prior = random_prior(26, 5, 2);
    query::check(&prior, 0.2, &[(0, 0), (1, 1)], 1e-10).unwrap();
    query::check(&prior, 0.2, &[(4, 2), (1, 1), (25, 0)], 1e-10).unwrap();
}

fn ledger(prior: &Prior, labels: &[(usize, u32)]) -> Ledger {
    let mut ledger = Ledger::classes(prior, 3, 0.2).unwrap();
    for &(row, class) in labels {
        ledger.add_class(row, class).unwrap();
    }
    ledger
}

#[test]
fn scores_do_not_depend_on_the_order_of_rows() {
    let prior = random_prior(41, 6, 3);
    let order: Vec<usize> = (0..41).map(|i| (i * 17 + 5) % 41).collect(); // row i was order[i]
    let level = prior.level().unwrap();
    let f = prior.features();
    let moved = Prior::new(Mat::from_fn(41, 6, |i, j| f[(order[i], j)]), 0.1, 0.01).unwrap();
    let moved = moved
        .with_level(Level {
            component: order.iter().map(|&i| level.component[i]).collect(),
            entry: order.iter().map(|&i| level.entry[i]).collect(),
        })
        .unwrap();
    let labels = [(0, 0), (6, 1), (13, 2), (9, 0)];
    let place = |row: usize| order.iter().position(|&o| o == row).unwrap();
    let there: Vec<(usize, u32)> = labels.iter().map(|&(row, c)| (place(row), c)).collect();
    let (a, b) = (ledger(&prior, &labels), ledger(&moved, &there));
    for strategy in Acquisition::ALL {
        let (a, b) = (
            strategy.scores(&a, &mut Quiet).unwrap(),
            strategy.scores(&b, &mut Quiet).unwrap(),
        );
        for i in 0..41 {
            let (x, y) = (a[order[i]], b[i]);
            assert!(
                (x - y).abs() <= 1e-10 * x.abs().max(1.0),
                "{} {i}",
                strategy.name()
            );
        }
    }
}

#[test]
fn a_row_that_is_known_is_worth_less_than_one_that_is_not() {
    // Two groups of equal rows, one labelled: the other takes the variance off itself.
    let f = Mat::from_fn(20, 2, |i, j| if (i < 10) == (j == 0) { 1.0 } else { 0.0 });
    let prior = Prior::new(f, 0.1, 0.0).unwrap();
    let ledger = ledger(&prior, &[(0, 0)]);
    for strategy in [
        Acquisition::VOptimal,
        Acquisition::SigmaOptimal,
        Acquisition::Cover,
    ] {
        let scores = strategy.scores(&ledger, &mut Quiet).unwrap();
        assert!(
            scores[15] > 2.0 * scores[5],
            "{}: {scores:?}",
            strategy.name()
        );
    }
    // Directions at right angles are √2 apart.
    let cover = Acquisition::Cover.scores(&ledger, &mut Quiet).unwrap();
    assert!((cover[15] - 2.0_f64.sqrt()).abs() < 1e-12 && cover[5] < 1e-7);
    // v = 1 and c = 0.2: ten rows lose 1/1.2 each; their sum, of variance 100, a hundredfold.
    let v = Acquisition::VOptimal.scores(&ledger, &mut Quiet).unwrap();
    assert!((v[15] - 10.0 / 1.2).abs() < 1e-12);
    let sigma = Acquisition::SigmaOptimal
        .scores(&ledger, &mut Quiet)
        .unwrap();
    assert!((sigma[15] - 100.0 / 1.2).abs() < 1e-12);
    assert!((ledger.stands_for(15) - 10.0 / 1.2).abs() < 1e-12);
}

#[test]
fn margin_and_entropy_are_those_of_the_scores() {
    let prior = random_prior(41, 6, 3);
    let ledger = ledger(&prior, &[(0, 0), (6, 1), (13, 2), (9, 0)]);
    let margin = Acquisition::Margin.scores(&ledger, &mut Quiet).unwrap();
    let entropy = Acquisition::Entropy.scores(&ledger, &mut Quiet).unwrap();
    for i in 0..41 {
        let mut sorted = ledger.scores(i).to_vec();
        sorted.sort_by(f64::total_cmp);
        assert!((margin[i] - (1.0 - (sorted[2] - sorted[1]))).abs() < 1e-15);
        assert_eq!(ledger.scores(i)[ledger.best()[i] as usize], sorted[2]);
        let p = ledger.probabilities(i);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12 && p.iter().all(|p| *p >= 0.0));
        let h: f64 = p
            .iter()
            .map(|p| if *p > 0.0 { -p * p.ln() } else { 0.0 })
            .sum();
        assert!((entropy[i] - h).abs() < 1e-12 && h <= 3.0_f64.ln() + 1e-12);
    }
}

#[test]
fn strategies_of_classes_are_refused_for_numbers_and_names_are_theirs() {
    let prior = random_prior(10, 2, 1);
    let ledger = Ledger::numbers(&prior, 0.0, 0.1).unwrap();
    for strategy in Acquisition::ALL {
        let outcome = strategy.scores(&ledger, &mut Quiet);
        assert_eq!(
            outcome.is_err(),
            strategy.needs_classes(),
            "{}",
            strategy.name()
        );
        assert_eq!(Acquisition::named(strategy.name()).unwrap(), strategy);
        let written = serde_json::to_string(&strategy).unwrap();
        assert_eq!(written, format!("\"{}\"", strategy.name()));
    }
    let error = Acquisition::named("maximum").unwrap_err().to_string();
    assert!(error.contains("one of maximin, v-optimal,") && error.contains("\"maximum\""));
}

#[test]
fn undecided_for_want_of_a_label_is_not_between_classes() {
    // 2000 rows in a ring and a path of 4: no label reaches the path, its margin is 0.
    let graph = isotherm::base::GraphBase::new(super::graph(2000));
    let prior = super::stkr(graph, Default::default(), 8);
    let mut ledger = Ledger::classes(&prior, 2, prior.noise(10)).unwrap();
    for row in 0..10 {
        let class = u32::from(row >= 5);
        ledger.add_class(200 * row, class).unwrap();
    }
    for strategy in [
        Acquisition::Maximin,
        Acquisition::Margin,
        Acquisition::Entropy,
    ] {
        let scores = strategy.scores(&ledger, &mut Quiet).unwrap();
        assert!(scores[2000..].iter().all(|s| *s == -1.0), "{scores:?}");
        assert!(scores[..2000].iter().all(|s| *s >= 0.0));
    }
    assert_eq!(ledger.margins()[2001], 0.0);
    // A label there makes it like any other.
    ledger.add_class(2000, 1).unwrap();
    let scores = Acquisition::Margin.scores(&ledger, &mut Quiet).unwrap();
    assert!(scores[2001] > 0.0 && scores[2004] == -1.0);
}
