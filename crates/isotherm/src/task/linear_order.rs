//! The linear ordering problem: the order of K items that agrees most with wishes
//! about pairs, with or without an order among some of them that has to be kept.
//!
//! A wish w(i, j) = −w(j, i) is how much i wants to come before j; an order is worth
//! `Σ w(i, j)` over all pairs with i before j. Up to `EXACT_UP_TO` items the best
//! order is found by dynamic programming over subsets, O(2ᴷK). Beyond it a Borda
//! order is improved by moving single items, from several starts nearby. Where no order
//! has to be kept it is at least as good as its reverse, hence worth at least 0: no less
//! than half of the weight Σ|w| lies on pairs that it orders as wished.
//! `Ordered::bound` says how good it is for sure.

mod search;
mod wishes;

pub use wishes::Precedence;
pub(crate) use wishes::Wishes;

/// Items up to which the best order is found exactly.
pub(crate) const EXACT_UP_TO: usize = 14;

/// An order and what is known of its worth.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ordered {
    /// The items, first to last.
    pub order: Vec<usize>,
    /// `Σ w(i, j)` over pairs with i before j.
    pub worth: f64,
    /// worth / Σ|w|, at most 1: at least this share of the best order's worth is
    /// reached. 1 where no pair has a wish.
    pub bound: f64,
    /// Whether no allowed order is better.
    pub exact: bool,
}

/// The best order that is allowed, or a good one for more than [`EXACT_UP_TO`] items.
/// Among equally good ones the first in the order of dictionaries.
pub(crate) fn order(wishes: &Wishes, kept: &Precedence) -> Ordered {
    let exact = wishes.items() <= EXACT_UP_TO;
    let order = if exact {
        by_subsets(wishes, &kept.masks())
    } else {
        search::order(wishes, kept)
    };
    let (worth, weight) = (wishes.worth(&order), wishes.weight());
    Ordered {
        order,
        worth,
        bound: if weight > 0.0 { worth / weight } else { 1.0 },
        exact,
    }
}

/// Dynamic programming: `best[S] = max_i w(i, rest) + best[S ∪ i]` over items i that
/// may follow the set S of items placed already.
fn by_subsets(wishes: &Wishes, preceding: &[u32]) -> Vec<usize> {
    let items = wishes.items();
    let full = (1_usize << items) - 1;
    // Σ_{j∈R} w(i, j) is the sum of two table entries, one for each half of the bits of R.
    let half = items.div_ceil(2);
    let low = (1_usize << half) - 1;
    let sums = |i: usize, shift: usize, count: usize| {
        let mut table = vec![0.0; 1 << count];
        for set in 1_usize..1 << count {
            let first = set.trailing_zeros() as usize;
            table[set] = table[set & (set - 1)] + wishes.before(i, shift + first);
        }
        table
    };
    let lower: Vec<Vec<f64>> = (0..items).map(|i| sums(i, 0, half)).collect();
    let upper: Vec<Vec<f64>> = (0..items).map(|i| sums(i, half, items - half)).collect();
    let mut best = vec![f64::NEG_INFINITY; full + 1];
    best[full] = 0.0;
    let ahead = |best: &[f64], placed: usize, i: usize| -> f64 {
        let rest = full & !placed & !(1 << i);
        lower[i][rest & low] + upper[i][rest >> half] + best[placed | 1 << i]
    };
    let may =
        |placed: usize, i: usize| placed >> i & 1 == 0 && preceding[i] as usize & !placed == 0;
    for placed in (0..full).rev() {
        let mut most = f64::NEG_INFINITY;
        for i in 0..items {
            if may(placed, i) {
                most = most.max(ahead(&best, placed, i));
            }
        }
        best[placed] = most;
    }
    let mut order = Vec::with_capacity(items);
    let mut placed = 0;
    while placed != full {
        let mut next: Option<(usize, f64)> = None;
        for i in (0..items).filter(|i| may(placed, *i)) {
            let worth = ahead(&best, placed, i);
            if next.is_none_or(|(_, most)| worth > most) {
                next = Some((i, worth));
            }
        }
        let Some((i, _)) = next else { break };
        order.push(i);
        placed |= 1 << i;
    }
    order
}
