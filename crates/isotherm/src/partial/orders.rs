//! Partial orders: some items of a ranking are known to come before others.

use super::PartialCodec;
use crate::error::Reason;
use crate::task::linear_order::{EXACT_UP_TO, Precedence};
use crate::task::{Checked, Codec as _, Ranking};

/// Which items come before which, with all that follows from it.
///
/// ```
/// use isotherm::partial::{PartialCodec, PartialOrder};
/// use isotherm::task::{Codec, Ranking};
/// let codec = Ranking::new(3)?;
/// let known = PartialOrder::new(3, vec![(2, 0)]); // item 2 before item 0
/// let mut row = [0.0; 3];
/// codec.nearest(&[1.0, 1.0, 1.0], &known, &mut row); // scores say 0, 1, 2
/// assert_eq!(codec.decode(&row), [2, 0, 1]); // 1, 2, 0 in order
/// let cycle = PartialOrder::new(3, vec![(0, 1), (1, 2), (2, 0)]);
/// assert!(codec.check_observation(&cycle).is_err());
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialOrder {
    items: usize,
    pairs: Vec<(u32, u32)>,
    kept: Result<Precedence, Reason>,
}

impl PartialOrder {
    /// Pairs (first, then) of `items` items. Pairs that contradict each other or name
    /// an item that does not exist are refused where the order is used.
    pub fn new(items: usize, pairs: Vec<(u32, u32)>) -> Self {
        let kept = close(items, &pairs);
        Self { items, pairs, kept }
    }

    /// Some of the items, first to last.
    pub fn sequence(items: usize, order: &[u32]) -> Self {
        let mut seen = order.to_vec();
        seen.sort_unstable();
        let twice = seen.windows(2).find(|w| w[0] == w[1]).map(|w| w[0]);
        let mut known = Self::new(items, order.windows(2).map(|w| (w[0], w[1])).collect());
        if let Some(item) = twice {
            known.kept = Err(Reason::new(
                format!("its order {order:?} has item {item} twice"),
                "name an item once",
            ));
        }
        known
    }

    /// The positions of some items, the first lowest; of two items with the same one
    /// nothing is known, and nothing of items without one.
    pub fn positions(places: &[Option<u32>]) -> Self {
        let place = |item: usize| places[item];
        let items = places.len();
        let all = (0..items).flat_map(|i| (0..items).map(move |j| (i, j)));
        let known =
            all.filter(|&(i, j)| matches!((place(i), place(j)), (Some(a), Some(b)) if a < b));
        let number = |item: usize| u32::try_from(item).unwrap_or(u32::MAX);
        Self::new(items, known.map(|(i, j)| (number(i), number(j))).collect())
    }

    /// What it asks for; nothing where it contradicts itself.
    pub fn precedence(&self) -> Precedence {
        match &self.kept {
            Ok(kept) => kept.clone(),
            Err(_) => Precedence::none(self.items),
        }
    }
}

fn close(items: usize, pairs: &[(u32, u32)]) -> Result<Precedence, Reason> {
    let mut found = Vec::with_capacity(pairs.len());
    for &(i, j) in pairs {
        for item in [i, j] {
            if item as usize >= items {
                return Err(Reason::new(
                    format!("item {item} is not one of the {items} there are"),
                    "items count from 0",
                ));
            }
        }
        if i == j {
            return Err(Reason::new(
                format!("item {i} is said to come before itself"),
                "name two items",
            ));
        }
        found.push((i as usize, j as usize));
    }
    Precedence::closed(items, &found).map_err(|item| {
        Reason::new(
            format!("its order has a cycle: item {item} would have to come before itself"),
            "take one of the statements about it back",
        )
    })
}

impl PartialCodec for Ranking {
    type Observation = PartialOrder;

    fn check_observation(&self, known: &PartialOrder) -> Checked {
        if known.items != self.items() {
            return Err(Reason::new(
                format!(
                    "its order is of {} items where there are {}",
                    known.items,
                    self.items()
                ),
                "leave out what is not known, not the item",
            ));
        }
        known.kept.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn informative(&self, known: &PartialOrder) -> bool {
        !known.pairs.is_empty()
    }

    fn join(&self, one: &PartialOrder, other: &PartialOrder) -> Result<PartialOrder, Reason> {
        let pairs = one.pairs.iter().chain(&other.pairs).copied().collect();
        let both = PartialOrder::new(self.items(), pairs);
        self.check_observation(&both)?;
        Ok(both)
    }

    /// The average over all rankings that keep the order, for up to
    /// 14 items; beyond, pairs the order says nothing of are 0.
    fn start(&self, known: &PartialOrder, out: &mut [f64]) {
        let scale = 1.0 / (self.width() as f64).sqrt();
        let kept = known.precedence();
        let items = self.items();
        let average: Box<dyn Fn(usize, usize) -> f64> = if items <= EXACT_UP_TO {
            let first = first_shares(&kept);
            Box::new(move |i, j| 2.0 * first[i * items + j] - 1.0)
        } else {
            Box::new(|i, j| {
                f64::from(u8::from(kept.before(i, j))) - f64::from(u8::from(kept.before(j, i)))
            })
        };
        let pairs = (0..items).flat_map(|i| (i + 1..items).map(move |j| (i, j)));
        for (slot, (i, j)) in out.iter_mut().zip(pairs) {
            *slot = scale * average(i, j);
        }
    }

    /// ‖φ(z)‖ is the same for all z, so the nearest is `argmax ⟨φ(z), g⟩`: a linear
    /// ordering problem over the orders that are allowed, exact for up to
    /// 14 items.
    fn nearest(&self, scores: &[f64], known: &PartialOrder, out: &mut [f64]) {
        let order = self.order(scores, &known.precedence()).order;
        self.encode(&Self::positions(&order), out);
    }
}

/// The share of the orders that keep `kept` in which i comes before j, at `i·K + j`.
///
/// Orders are paths through the subsets that are closed downwards: `ways[S]` counts
/// those from nothing to S, `onward[S]` those from S to all items. O(2ᴷK²).
fn first_shares(kept: &Precedence) -> Vec<f64> {
    let items = kept.items();
    let preceding = kept.masks();
    let full = (1_usize << items) - 1;
    let may =
        |placed: usize, i: usize| placed >> i & 1 == 0 && preceding[i] as usize & !placed == 0;
    let mut ways = vec![0.0; full + 1];
    ways[0] = 1.0;
    for placed in 0..full {
        let here = ways[placed];
        for i in (0..items).filter(|i| may(placed, *i)) {
            ways[placed | 1 << i] += here;
        }
    }
    let mut onward = vec![0.0; full + 1];
    onward[full] = 1.0;
    let mut first = vec![0.0; items * items];
    for placed in (0..full).rev() {
        for i in 0..items {
            if !may(placed, i) {
                continue;
            }
            let after = onward[placed | 1 << i];
            onward[placed] += after;
            let share = ways[placed] * after / ways[full];
            for j in (0..items).filter(|j| *j != i && placed >> j & 1 == 0) {
                first[i * items + j] += share;
            }
        }
    }
    first
}
