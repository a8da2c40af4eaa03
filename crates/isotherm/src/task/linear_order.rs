//! The linear ordering problem: the order of K items that agrees most with wishes
//! about pairs, with or without an order among some of them that has to be kept.
//!
//! A wish w(i, j) = −w(j, i) is how much i wants to come before j; an order is worth
//! `Σ w(i, j)` over all pairs with i before j. Up to [`EXACT_UP_TO`] items the best
//! order is found by dynamic programming over subsets, O(2ᴷK). Beyond it a Borda
//! order is improved by moving single items, from several starts nearby. Where no order
//! has to be kept it is at least as good as its reverse, hence worth at least 0: no less
//! than half of the weight Σ|w| lies on pairs that it orders as wished.
//! [`Ordered::bound`] says how good it is for sure.

mod search;

/// Items up to which the best order is found exactly.
pub const EXACT_UP_TO: usize = 14;

/// How much each item wants to come before each other one.
#[derive(Debug, Clone, PartialEq)]
pub struct Wishes {
    items: usize,
    before: Vec<f64>,
}

impl Wishes {
    /// From one number a pair i < j, in the order (0,1), (0,2), …, (1,2), …: positive
    /// where i should come first.
    pub fn from_pairs(items: usize, pairs: &[f64]) -> Self {
        let mut before = vec![0.0; items * items];
        let places = (0..items).flat_map(|i| (i + 1..items).map(move |j| (i, j)));
        for ((i, j), w) in places.zip(pairs) {
            before[i * items + j] = *w;
            before[j * items + i] = -w;
        }
        Self { items, before }
    }

    /// Items there are.
    pub fn items(&self) -> usize {
        self.items
    }

    fn before(&self, i: usize, j: usize) -> f64 {
        self.before[i * self.items + j]
    }

    /// What an order is worth, `Σ w(i, j)` over pairs with i before j.
    pub fn worth(&self, order: &[usize]) -> f64 {
        let after = |at: usize| order[at + 1..].iter().map(move |j| (order[at], *j));
        (0..order.len())
            .flat_map(after)
            .map(|(i, j)| self.before(i, j))
            .sum()
    }

    /// Σ|w| over all pairs: what no order exceeds.
    pub fn weight(&self) -> f64 {
        self.before.iter().filter(|w| **w > 0.0).sum()
    }
}

/// Which items have to come before which, closed under transitivity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Precedence {
    items: usize,
    before: Vec<bool>,
}

impl Precedence {
    /// No order is asked for.
    pub fn none(items: usize) -> Self {
        Self {
            items,
            before: vec![false; items * items],
        }
    }

    /// The closure of some pairs (first, then); `Err` is an item that would have to
    /// come before itself. Pairs have to name items that exist.
    ///
    /// # Errors
    /// The first item on a cycle.
    pub fn closed(items: usize, pairs: &[(usize, usize)]) -> Result<Self, usize> {
        let mut known = Self::none(items);
        for &(i, j) in pairs {
            known.before[i * items + j] = true;
        }
        for middle in 0..items {
            for i in 0..items {
                if known.before(i, middle) {
                    for j in 0..items {
                        known.before[i * items + j] |= known.before(middle, j);
                    }
                }
            }
        }
        match (0..items).find(|i| known.before(*i, *i)) {
            Some(item) => Err(item),
            None => Ok(known),
        }
    }

    /// Items there are.
    pub fn items(&self) -> usize {
        self.items
    }

    /// Whether i has to come before j.
    pub fn before(&self, i: usize, j: usize) -> bool {
        self.before[i * self.items + j]
    }

    /// All pairs (first, then).
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let all = (0..self.items).flat_map(|i| (0..self.items).map(move |j| (i, j)));
        all.filter(|&(i, j)| self.before(i, j))
    }

    /// Whether an order keeps it.
    pub fn allows(&self, order: &[usize]) -> bool {
        let later = |at: usize| order[at + 1..].iter().map(move |j| (order[at], *j));
        (0..order.len())
            .flat_map(later)
            .all(|(i, j)| !self.before(j, i))
    }

    /// Bit masks of what has to come before each item; for at most 32 items.
    pub(crate) fn masks(&self) -> Vec<u32> {
        let mask = |j: usize| (0..self.items).filter(move |i| self.before(*i, j));
        (0..self.items)
            .map(|j| mask(j).fold(0, |m, i| m | 1 << i))
            .collect()
    }
}

/// An order and what is known of its worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Ordered {
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
///
/// ```
/// use isotherm::task::linear_order::{Precedence, Wishes, order};
/// // 0 before 1 and 1 before 2 are wished strongly, 2 before 0 weakly.
/// let wishes = Wishes::from_pairs(3, &[3.0, -1.0, 3.0]);
/// let free = order(&wishes, &Precedence::none(3));
/// assert_eq!((free.order, free.worth), (vec![0, 1, 2], 5.0));
/// let Ok(kept) = Precedence::closed(3, &[(2, 0)]) else { unreachable!() };
/// assert_eq!(order(&wishes, &kept).order, [1, 2, 0]);
/// ```
pub fn order(wishes: &Wishes, kept: &Precedence) -> Ordered {
    let exact = wishes.items <= EXACT_UP_TO;
    let order = match exact {
        true => by_subsets(wishes, &kept.masks()),
        false => search::order(wishes, kept),
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
    let items = wishes.items;
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
