//! Batches, audit rows, the cold start, reasons and refusals.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::{graph, priors, random_prior, stkr};
use isotherm::Error;
use isotherm::base::GraphBase;
use isotherm::estimator::Prior;
use isotherm::estimator::stkr::StkrParams;
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::query::{Acquisition, Ledger, Options, suggest};
use isotherm::testing::random;

fn ledger(prior: &Prior, labels: &[(usize, u32)]) -> Ledger {
    let mut ledger = Ledger::classes(prior, 3, 0.2).unwrap();
    for &(row, class) in labels {
        ledger.add_class(row, class).unwrap();
    }
    ledger
}

fn plain(strategy: Acquisition, count: usize) -> Options {
    Options {
        count,
        strategy,
        audit_every: None,
        ..Options::default()
    }
}

fn rows(ledger: &Ledger, options: &Options) -> Vec<usize> {
    let found = suggest(ledger, options, &mut Quiet).unwrap();
    found.iter().map(|s| s.row).collect()
}

#[test]
fn a_batch_is_what_asking_one_by_one_and_hearing_the_expected_gives() {
    let prior = random_prior(60, 6, 3);
    let start = ledger(&prior, &[(0, 0), (6, 1), (13, 2)]);
    for strategy in Acquisition::ALL {
        let batch = rows(&start, &plain(strategy, 8));
        let mut one_by_one = Vec::new();
        let mut ledger = start.clone();
        for _ in 0..8 {
            let row = rows(&ledger, &plain(strategy, 1))[0];
            one_by_one.push(row);
            let class = ledger.best()[row];
            ledger.add_class(row, class).unwrap();
        }
        assert_eq!(batch, one_by_one, "{}", strategy.name());
        assert_eq!(batch.iter().collect::<BTreeSet<_>>().len(), 8);
        assert!(batch.iter().all(|row| !start.has(*row)));
    }
}

/// Six tight groups of ten rows each: a batch of six has one of each, where the plain
/// order of scores has ten of the same.
#[test]
fn a_batch_is_spread() {
    let noise = random(60, 6, 4);
    let f = Mat::from_fn(60, 6, |i, j| {
        let own = if i / 10 == j {
            2.0 + 0.1 * j as f64
        } else {
            0.0
        };
        own + 0.02 * noise[(i, j)]
    });
    let prior = Prior::new(f, 0.1, 0.0).unwrap();
    let start = Ledger::classes(&prior, 3, 0.2).unwrap();
    for strategy in [
        Acquisition::VOptimal,
        Acquisition::SigmaOptimal,
        Acquisition::Cover,
        Acquisition::Margin,
    ] {
        let batch = rows(&start, &plain(strategy, 6));
        let groups: BTreeSet<usize> = batch.iter().map(|row| row / 10).collect();
        assert_eq!(groups.len(), 6, "{}: {batch:?}", strategy.name());
    }
    let scores = Acquisition::VOptimal.scores(&start, &mut Quiet).unwrap();
    let mut order: Vec<usize> = (0..60).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let plain: BTreeSet<usize> = order[..6].iter().map(|row| row / 10).collect();
    assert_eq!(plain.len(), 1);
}

#[test]
fn the_cold_start_is_cover_until_two_classes_have_been_seen() {
    for (name, prior) in priors(8) {
        for labels in [&[][..], &[(3, 1)], &[(3, 1), (5, 1)]] {
            let cold = ledger(&prior, labels);
            let cover = rows(&cold, &plain(Acquisition::Cover, 5));
            for strategy in [
                Acquisition::Maximin,
                Acquisition::Margin,
                Acquisition::Entropy,
            ] {
                let found = suggest(&cold, &plain(strategy, 5), &mut Quiet).unwrap();
                let own: Vec<usize> = found.iter().map(|s| s.row).collect();
                assert_eq!(own, cover, "{name}, {}", strategy.name());
                assert!(
                    found
                        .iter()
                        .all(|s| s.reason.starts_with("no two classes seen yet: "))
                );
            }
            // The others need no label at all.
            for strategy in [
                Acquisition::VOptimal,
                Acquisition::SigmaOptimal,
                Acquisition::Random,
            ] {
                let found = suggest(&cold, &plain(strategy, 5), &mut Quiet).unwrap();
                assert!(found.iter().all(|s| s.score.is_finite()), "{name}");
            }
        }
    }
}

#[test]
fn cover_visits_every_component_that_is_large_enough_before_any_distance() {
    // A ring of 24, a path of 4, an edge, a node alone: 31 rows.
    let prior = stkr(GraphBase::new(graph(24)), StkrParams::default(), 8);
    let start = Ledger::classes(&prior, 2, prior.noise(10)).unwrap();
    let found = suggest(&start, &plain(Acquisition::Cover, 31), &mut Quiet).unwrap();
    let component = |row: usize| match row {
        0..24 => 0,
        24..28 => 1,
        28..30 => 2,
        _ => 3,
    };
    let order: Vec<usize> = found.iter().map(|s| component(s.row)).collect();
    // 31/10 rows fall to the tenth of a first label, 1.55 of a second, 1.03 of a third:
    // the path of 4 and the edge come at once, the node alone (1 ≥ 31/40) fourth.
    assert_eq!(order[..4], [0, 1, 2, 3]);
    assert!(
        found[0]
            .reason
            .contains("the most central of 24 rows that no label reaches")
    );
    assert!(found[3].reason.contains("no label reaches this row"));
    assert!(found[4].reason.contains("farthest from every labelled row"));
    let all: BTreeSet<usize> = found.iter().map(|s| s.row).collect();
    assert_eq!(all.len(), 31);
}

#[test]
fn a_component_too_small_for_a_label_waits() {
    let prior = stkr(GraphBase::new(graph(2000)), StkrParams::default(), 16);
    let start = Ledger::classes(&prior, 2, prior.noise(10)).unwrap();
    let batch = rows(&start, &plain(Acquisition::Cover, 20));
    // 2007 rows: a path of 4 is a tenth of a share from the 51st label on.
    assert!(batch.iter().all(|row| *row < 2000), "{batch:?}");
}

#[test]
fn one_row_in_five_is_an_audit_row_and_says_its_propensity() {
    let prior = random_prior(200, 6, 5);
    let start = ledger(&prior, &[(0, 0), (6, 1), (13, 2)]);
    let options = Options {
        count: 20,
        ..Options::default()
    };
    let found = suggest(&start, &options, &mut Quiet).unwrap();
    for (k, s) in found.iter().enumerate() {
        // Three labels are there: the fifth, tenth, … label is the 2nd, 7th, … here.
        assert_eq!(s.audit.is_some(), (k + 4) % 5 == 0);
        if let Some(chance) = s.audit {
            assert_eq!(chance, 1.0 / (197 - k) as f64);
            assert_eq!(
                s.reason,
                format!(
                    "audit row, drawn at random among {} rows without a label",
                    197 - k
                )
            );
        }
    }
    assert_eq!(found, suggest(&start, &options, &mut Quiet).unwrap());
    let other = Options {
        seed: 1,
        ..options.clone()
    };
    let other = suggest(&start, &other, &mut Quiet).unwrap();
    assert_ne!(found[1].row, other[1].row);
    assert_eq!(found[0], other[0]); // the strategy draws nothing
}

/// Draws of one audit row among 40, under 4000 seeds: each row 100 times, and a count
/// beyond 100 ± 5√97.5 has a probability of 6e-7 for each row.
#[test]
fn audit_rows_are_uniform() {
    let prior = random_prior(44, 3, 6);
    let start = ledger(&prior, &[(0, 0), (6, 1), (13, 2), (21, 0)]);
    let mut counts = vec![0; 44];
    for seed in 0..4000 {
        let options = Options {
            seed,
            ..Options::default()
        };
        let found = suggest(&start, &options, &mut Quiet).unwrap();
        assert_eq!(found[0].audit, Some(1.0 / 40.0));
        counts[found[0].row] += 1;
    }
    for (row, count) in counts.into_iter().enumerate() {
        if start.has(row) {
            assert_eq!(count, 0);
        } else {
            assert!((51..=149).contains(&count), "row {row}: {count}");
        }
    }
}

#[test]
fn reasons_carry_names_and_numbers() {
    let prior = random_prior(60, 6, 3);
    let start = ledger(&prior, &[(0, 0), (6, 1), (13, 2)]);
    let named = |strategy: Acquisition| {
        let options = Options {
            names: ["ant", "bee", "cat"].map(str::to_owned).to_vec(),
            ..plain(strategy, 1)
        };
        suggest(&start, &options, &mut Quiet).unwrap().remove(0)
    };
    let margin = named(Acquisition::Margin);
    let p = start.probabilities(margin.row);
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
    let (a, b) = (order[0], order[1]);
    let names = ["ant", "bee", "cat"];
    let says = format!(
        "between {} and {}; stands for about {:.1} rows",
        names[a],
        names[b],
        start.stands_for(margin.row)
    );
    assert_eq!(margin.reason, says);
    let maximin = named(Acquisition::Maximin);
    assert!(
        maximin
            .reason
            .contains(&format!("adds at least {:.3} to the energy", maximin.score))
    );
    let v = named(Acquisition::VOptimal);
    let part = 100.0 * v.score / start.variances().iter().sum::<f64>();
    assert!(v.reason.starts_with(&format!(
        "takes {part:.2} % off the variance of all rows; stands for"
    )));
    assert!(named(Acquisition::Entropy).reason.contains("entropy"));
    // Of the sum of all rows one label cannot take more than there is, and the best takes some.
    let sigma = named(Acquisition::SigmaOptimal).reason;
    let part = sigma.strip_prefix("takes ").unwrap();
    let (part, rest) = part.split_once(" % off the variance of the sum").unwrap();
    assert!(rest.contains("stands for"), "{sigma}");
    let part: f64 = part.parse().unwrap();
    assert!((0.1..=100.0).contains(&part), "{sigma}");
    assert!(
        named(Acquisition::Random)
            .reason
            .starts_with("drawn at random among 57 rows")
    );
}

#[test]
fn a_label_takes_off_the_variance_of_the_sum_what_its_score_says() {
    for seed in 0..5 {
        let prior = random_prior(60, 4, seed);
        let mut state = ledger(&prior, &[(0, 0), (1, 1)]);
        for _ in 0..6 {
            let before = state.variance_of_sum(&mut Quiet).unwrap();
            let next = suggest(&state, &plain(Acquisition::SigmaOptimal, 1), &mut Quiet).unwrap();
            state.add_class(next[0].row, 1).unwrap();
            let after = state.variance_of_sum(&mut Quiet).unwrap();
            let taken = before - after;
            // Rounding of differences of sums of 60 terms.
            assert!(
                (taken - next[0].score).abs() <= 1e-10 * before,
                "{taken} {}",
                next[0].score
            );
            let says = format!("takes {:.1} % off", 100.0 * taken / before);
            assert!(
                next[0].reason.starts_with(&says),
                "{says} {}",
                next[0].reason
            );
        }
    }
}

#[test]
fn what_cannot_be_suggested_is_refused_with_a_way_out() {
    let prior = random_prior(5, 3, 7);
    let full = ledger(&prior, &[(0, 0), (1, 1), (2, 2), (3, 0), (4, 1)]);
    let some = ledger(&prior, &[(0, 0), (1, 1)]);
    let says = |ledger: &Ledger, options: Options| {
        suggest(ledger, &options, &mut Quiet)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        says(&full, plain(Acquisition::Margin, 1)),
        "none of the 5 rows is without a label; there is nothing left to ask; take a label back, or give more rows"
    );
    assert_eq!(
        says(&some, plain(Acquisition::Margin, 4)),
        "4 rows were asked for and 3 are without a label; ask for at most 3"
    );
    assert_eq!(
        says(&some, plain(Acquisition::Margin, 0)),
        "the number of rows must be at least 1, got 0"
    );
    let none = Options {
        audit_every: Some(0),
        ..Options::default()
    };
    assert_eq!(
        says(&some, none),
        "audit_every must be at least 1, or none, got 0"
    );
    let skip = Options {
        skip: vec![7],
        ..plain(Acquisition::Margin, 1)
    };
    assert_eq!(
        says(&some, skip),
        "sample 7: it is to be skipped, but there are only 5 rows"
    );
    let skip = Options {
        skip: vec![2, 3],
        ..plain(Acquisition::Cover, 1)
    };
    assert_eq!(rows(&some, &skip), [4]);
    let numbers = Ledger::numbers(&prior, 0.0, 0.1).unwrap();
    assert!(says(&numbers, plain(Acquisition::Entropy, 1)).contains("where labels are numbers"));
    assert_eq!(rows(&numbers, &plain(Acquisition::VOptimal, 5)).len(), 5);
}

#[test]
fn choosing_can_be_stopped() {
    let prior = random_prior(5000, 6, 8);
    let start = ledger(&prior, &[(0, 0), (1, 1)]);
    for strategy in Acquisition::ALL {
        let mut told = 0;
        let mut monitor = |_| {
            told += 1;
            if told > 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let outcome = suggest(&start, &plain(strategy, 50), &mut monitor);
        assert!(
            matches!(outcome, Err(Error::Cancelled { .. })),
            "{}",
            strategy.name()
        );
    }
}
