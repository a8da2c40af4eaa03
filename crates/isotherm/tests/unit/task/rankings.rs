//! Rankings, and the linear ordering problem behind them.

use crate::task::linear_order::{EXACT_UP_TO, Precedence, Wishes, order};
use crate::task::{Codec, Ranking};
use crate::testing::codec::check;
use crate::testing::random;

/// All orders of `0..items`.
pub(crate) fn permutations(items: usize) -> Vec<Vec<usize>> {
    if items == 0 {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for shorter in permutations(items - 1) {
        for place in 0..=shorter.len() {
            let mut longer = shorter.clone();
            longer.insert(place, items - 1);
            all.push(longer);
        }
    }
    all.sort();
    all
}

fn pairs(items: usize, seed: u64) -> Vec<f64> {
    let m = random(items * (items - 1) / 2, 1, seed);
    m.col(0).iter().copied().collect()
}

#[test]
fn rankings_keep_the_contract() {
    for items in 2..=5 {
        let all: Vec<Vec<u32>> = (permutations(items).iter())
            .map(|order| Ranking::positions(order))
            .collect();
        check(&Ranking::new(items).unwrap(), &all).unwrap();
    }
    let large = Ranking::new(20).unwrap();
    let turned: Vec<u32> = (0..20).map(|i| (7 * i + 3) % 20).collect();
    check(&large, &[turned]).unwrap();
    assert!(Ranking::new(1).is_err());
    let missing = Ranking::new(3)
        .unwrap()
        .check(&vec![0, 1])
        .unwrap_err()
        .to_string();
    assert!(missing.contains("2 positions where 3") && missing.contains("partial order"));
}

#[test]
fn a_ranking_without_ties_has_unit_norm_and_the_loss_counts_pairs() {
    let codec = Ranking::new(5).unwrap();
    let all = permutations(5);
    let mut one = [0.0; 10];
    let mut two = [0.0; 10];
    for (a, b) in all.iter().zip(all.iter().skip(37)) {
        let (y, z) = (Ranking::positions(a), Ranking::positions(b));
        codec.encode(&y, &mut one);
        codec.encode(&z, &mut two);
        let inner = |u: &[f64], v: &[f64]| u.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
        assert!((inner(&one, &one) - 1.0).abs() < 1e-12);
        let mut swapped = 0;
        for i in 0..5 {
            for j in 0..i {
                swapped += usize::from((y[i] < y[j]) != (z[i] < z[j]));
            }
        }
        assert!((codec.loss(&y, &z) - swapped as f64 / 10.0).abs() < 1e-12);
        assert!((codec.loss(&y, &z) - 0.5 * (1.0 - inner(&one, &two))).abs() < 1e-12);
    }
}

#[test]
fn ties_count_half_in_the_loss_and_nothing_in_the_code() {
    let codec = Ranking::new(3).unwrap();
    let tied = vec![0, 0, 1];
    let mut row = [9.0; 3];
    codec.encode(&tied, &mut row);
    assert_eq!(row[0], 0.0);
    assert!((codec.loss(&tied, &vec![0, 1, 2]) - 1.0 / 6.0).abs() < 1e-15);
    assert_eq!(codec.loss(&tied, &tied), 0.0);
    // Against rankings without ties the inner product differs by a constant only.
    for order in permutations(3) {
        let z = Ranking::positions(&order);
        let mut other = [0.0; 3];
        codec.encode(&z, &mut other);
        let inner: f64 = row.iter().zip(&other).map(|(a, b)| a * b).sum();
        assert!((codec.loss(&tied, &z) - 0.5 * (1.0 - inner)).abs() < 1e-12);
    }
    // Only the order of the positions counts.
    assert_eq!(codec.loss(&vec![0, 5, 7], &vec![0, 1, 2]), 0.0);
}

#[test]
fn small_orders_are_the_best_of_all_permutations() {
    for items in 2..=6 {
        let all = permutations(items);
        for seed in 0..20 {
            let wishes = Wishes::from_pairs(items, &pairs(items, seed));
            let found = order(&wishes, &Precedence::none(items));
            let best = (all.iter().map(|o| wishes.worth(o))).fold(f64::MIN, f64::max);
            assert!(
                (found.worth - best).abs() < 1e-12,
                "{items} items, seed {seed}"
            );
            assert!(found.exact && found.bound <= 1.0 + 1e-12);
            assert!(found.bound * wishes.weight() <= best + 1e-12);
        }
    }
}

#[test]
fn orders_that_have_to_be_kept_are_and_the_rest_is_the_best() {
    let all = permutations(5);
    for seed in 0..30 {
        let wishes = Wishes::from_pairs(5, &pairs(5, seed));
        let i = (seed % 5) as usize;
        let said = [(i, (i + 2) % 5), ((i + 2) % 5, (i + 1) % 5)];
        let kept = Precedence::closed(5, &said).unwrap();
        let found = order(&wishes, &kept);
        let allowed = all.iter().filter(|o| kept.allows(o));
        let best = allowed.map(|o| wishes.worth(o)).fold(f64::MIN, f64::max);
        assert!(kept.allows(&found.order));
        assert!((found.worth - best).abs() < 1e-12, "seed {seed}");
    }
}

#[test]
fn ties_go_to_the_first_order() {
    let nothing = Wishes::from_pairs(6, &[0.0; 15]);
    let found = order(&nothing, &Precedence::none(6));
    assert_eq!(
        (found.order, found.bound),
        ((0..6).collect::<Vec<_>>(), 1.0)
    );
    let kept = Precedence::closed(6, &[(4, 0)]).unwrap();
    assert_eq!(order(&nothing, &kept).order, [1, 2, 3, 4, 0, 5]);
}

/// Items nobody has a wish about do not change what the best order is worth, so the
/// exact answer to the small problem is the exact answer to the large one.
#[test]
fn large_orders_are_within_their_bound_of_the_best() {
    let small = EXACT_UP_TO - 4;
    let large = EXACT_UP_TO + 3;
    for seed in 0..20 {
        let wishes = Wishes::from_pairs(small, &pairs(small, seed));
        let best = order(&wishes, &Precedence::none(small));
        let mut padded = Vec::new();
        for i in 0..large {
            for j in i + 1..large {
                let within = j < small;
                let at = i * small - i * (i + 1) / 2 + j - i - 1;
                padded.push(if within { pairs(small, seed)[at] } else { 0.0 });
            }
        }
        let padded = Wishes::from_pairs(large, &padded);
        assert!((padded.weight() - wishes.weight()).abs() < 1e-12);
        let found = order(&padded, &Precedence::none(large));
        assert!(!found.exact && found.worth <= best.worth + 1e-12);
        assert!(found.worth >= 0.0, "half of the weight is as wished");
        assert!(found.worth >= found.bound * best.worth - 1e-12);
        // A random tournament is as hard as it gets; one in ten is left on the table at most.
        assert!(
            found.worth > 0.9 * best.worth,
            "{} of {}",
            found.worth,
            best.worth
        );
    }
}

#[test]
fn a_large_order_that_all_wishes_agree_with_is_found() {
    let items = 30;
    let place: Vec<usize> = (0..items).map(|i| (11 * i + 5) % items).collect();
    let mut said = Vec::new();
    for i in 0..items {
        for j in i + 1..items {
            let size = 1.0 + ((i * j) % 3) as f64;
            said.push(if place[i] < place[j] { size } else { -size });
        }
    }
    let found = order(&Wishes::from_pairs(items, &said), &Precedence::none(items));
    assert!((found.bound - 1.0).abs() < 1e-12);
    for (at, item) in found.order.iter().enumerate() {
        assert_eq!(place[*item], at);
    }
}

#[test]
fn large_orders_keep_what_has_to_be_kept() {
    let items = 25;
    for seed in 0..10 {
        let wishes = Wishes::from_pairs(items, &pairs(items, seed));
        let said: Vec<(usize, usize)> = (0..12).map(|k| (24 - 2 * k, 22 - 2 * k)).collect();
        let kept = Precedence::closed(items, &said).unwrap();
        let found = order(&wishes, &kept);
        assert!(kept.allows(&found.order), "seed {seed}");
        let mut all = found.order.clone();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..items));
        // No single item can be moved to a better place that is allowed.
        for from in 0..items {
            for to in 0..items {
                let mut other = found.order.clone();
                let item = other.remove(from);
                other.insert(to, item);
                assert!(!kept.allows(&other) || wishes.worth(&other) <= found.worth + 1e-9);
            }
        }
    }
}

#[test]
fn what_follows_from_an_order_is_known_and_cycles_are_found() {
    let kept = Precedence::closed(4, &[(0, 1), (1, 2)]).unwrap();
    assert_eq!(kept.pairs().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    assert!(kept.allows(&[3, 0, 1, 2]) && !kept.allows(&[2, 0, 1, 3]));
    assert!(Precedence::closed(3, &[(0, 1), (1, 2), (2, 0)]).is_err());
}

#[test]
fn the_bound_of_a_decoded_ranking_is_that_of_its_order() {
    let codec = Ranking::new(4).unwrap();
    let scores = pairs(4, 3);
    let z = codec.decode(&scores);
    let mut row = [0.0; 6];
    codec.encode(&z, &mut row);
    let inner: f64 = row.iter().zip(&scores).map(|(a, b)| a * b).sum();
    let most: f64 = scores.iter().map(|s| s.abs()).sum::<f64>() / 6.0_f64.sqrt();
    assert!((codec.bound(&scores) - inner / most).abs() < 1e-12);
}
