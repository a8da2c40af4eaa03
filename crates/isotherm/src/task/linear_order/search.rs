//! Orders of many items: Borda's, then iterated local search.
//!
//! H. R. Lourenço, O. C. Martin, T. Stützle, *Iterated local search*, 2003.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::wishes::{Precedence, Wishes};

/// How often a descent is tried again from nearby; the draws are always the same.
const KICKS: usize = 30;

/// Rounds of moving items; each improves the order, and few are needed.
const ROUNDS: usize = 1000;

/// Borda's order, improved while that helps; then [`KICKS`] times a few items put
/// elsewhere and improved again, kept where that was better.
///
/// A descent alone leaves up to a tenth of the worth of the best order on the table
/// where wishes contradict each other as much as random ones do.
pub(super) fn order(wishes: &Wishes, kept: &Precedence) -> Vec<usize> {
    let mut best = borda(wishes, kept);
    // The reverse is worth −worth, but allowed only where nothing is kept.
    if wishes.worth(&best) < 0.0 && kept.pairs().next().is_none() {
        best.reverse();
    }
    let least = 1e-12 * wishes.weight();
    descend(wishes, kept, &mut best, least);
    let mut worth = wishes.worth(&best);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    for _ in 0..KICKS {
        let mut other = best.clone();
        for _ in 0..(wishes.items() / 5).max(2) {
            misplace(kept, &mut other, &mut rng);
        }
        descend(wishes, kept, &mut other, least);
        let found = wishes.worth(&other);
        if found > worth + least {
            (best, worth) = (other, found);
        }
    }
    best
}

/// Moves single items while that helps.
fn descend(wishes: &Wishes, kept: &Precedence, order: &mut Vec<usize>, least: f64) {
    for _ in 0..ROUNDS {
        let mut moved = false;
        for item in 0..wishes.items() {
            moved |= insert(wishes, kept, order, item, least);
        }
        if !moved {
            break;
        }
    }
}

/// Puts any item in any place it may have.
fn misplace(kept: &Precedence, order: &mut Vec<usize>, rng: &mut ChaCha8Rng) {
    let from = rng.random_range(0..order.len());
    let item = order[from];
    let before = order[..from].iter().rposition(|i| kept.before(*i, item));
    let after = order[from..].iter().position(|j| kept.before(item, *j));
    let first = before.map_or(0, |at| at + 1);
    let last = after.map_or(order.len() - 1, |at| from + at - 1);
    let to = rng.random_range(first..=last);
    order.remove(from);
    order.insert(to, item);
}

/// Items by how much they want to be early, each as soon as it may.
fn borda(wishes: &Wishes, kept: &Precedence) -> Vec<usize> {
    let items = wishes.items();
    let early: Vec<f64> = (0..items)
        .map(|i| (0..items).map(|j| wishes.before(i, j)).sum())
        .collect();
    let mut waiting: Vec<usize> = (0..items)
        .map(|j| (0..items).filter(|i| kept.before(*i, j)).count())
        .collect();
    let mut open = vec![true; items];
    let mut order = Vec::with_capacity(items);
    for _ in 0..items {
        let mut next: Option<usize> = None;
        for i in (0..items).filter(|i| open[*i] && waiting[*i] == 0) {
            if next.is_none_or(|n| early[i] > early[n]) {
                next = Some(i);
            }
        }
        let Some(i) = next else { break };
        open[i] = false;
        order.push(i);
        for j in (0..items).filter(|j| kept.before(i, *j)) {
            waiting[j] -= 1;
        }
    }
    order
}

/// Moves one item to its best place, if that gains more than `least`.
fn insert(
    wishes: &Wishes,
    kept: &Precedence,
    order: &mut Vec<usize>,
    item: usize,
    least: f64,
) -> bool {
    let Some(from) = order.iter().position(|i| *i == item) else {
        return false;
    };
    let (mut gain, mut best) = (0.0, (from, least));
    for to in (0..from).rev() {
        let other = order[to];
        if kept.before(other, item) {
            break;
        }
        gain += 2.0 * wishes.before(item, other);
        if gain > best.1 {
            best = (to, gain);
        }
    }
    gain = 0.0;
    for (to, &other) in order.iter().enumerate().skip(from + 1) {
        if kept.before(item, other) {
            break;
        }
        gain += 2.0 * wishes.before(other, item);
        if gain > best.1 {
            best = (to, gain);
        }
    }
    if best.0 == from {
        return false;
    }
    order.remove(from);
    order.insert(best.0, item);
    true
}
