//! Wishes about pairs of items, and orders that have to be kept.

/// How much each item wants to come before each other one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wishes {
    items: usize,
    before: Vec<f64>,
}

impl Wishes {
    /// From one number a pair i < j, in the order (0,1), (0,2), …, (1,2), …: positive
    /// where i should come first.
    pub(crate) fn from_pairs(items: usize, pairs: &[f64]) -> Self {
        let mut before = vec![0.0; items * items];
        let places = (0..items).flat_map(|i| (i + 1..items).map(move |j| (i, j)));
        for ((i, j), w) in places.zip(pairs) {
            before[i * items + j] = *w;
            before[j * items + i] = -w;
        }
        Self { items, before }
    }

    /// Items there are.
    pub(crate) fn items(&self) -> usize {
        self.items
    }

    pub(super) fn before(&self, i: usize, j: usize) -> f64 {
        self.before[i * self.items + j]
    }

    /// What an order is worth, `Σ w(i, j)` over pairs with i before j.
    pub(crate) fn worth(&self, order: &[usize]) -> f64 {
        let after = |at: usize| order[at + 1..].iter().map(move |j| (order[at], *j));
        (0..order.len())
            .flat_map(after)
            .map(|(i, j)| self.before(i, j))
            .sum()
    }

    /// Σ|w| over all pairs: what no order exceeds.
    pub(crate) fn weight(&self) -> f64 {
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
