//! Which rows of a table repeat an earlier one.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use crate::data::Points;
use crate::error::Result;
use crate::linalg::tiles;
use crate::monitor::Monitor;

/// For each row the first row of the same values.
#[derive(Debug)]
pub(super) struct Distinct {
    first: Vec<usize>,
    count: usize,
}

/// A row that equals another when all their numbers do, 0 and −0 included.
#[derive(PartialEq)]
struct Key<'a>(&'a [f64]);

/// Points hold no NaN.
impl Eq for Key<'_> {}

impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for v in self.0 {
            // −0 + 0 = 0
            state.write_u64((v + 0.0).to_bits());
        }
    }
}

impl Distinct {
    /// Looks at every row once. O(nd).
    pub(super) fn of(points: &Points, monitor: &mut dyn Monitor) -> Result<Self> {
        const PHASE: &str = "looking for equal rows";
        tiles::announce(PHASE, None, monitor)?;
        // About 10 MB between two looks at the monitor.
        let every = ((1 << 20) / points.dim()).max(1);
        let mut seen = HashMap::with_capacity(points.len());
        let mut first = Vec::with_capacity(points.len());
        for i in 0..points.len() {
            if i % every == 0 {
                tiles::tick(PHASE, monitor)?;
            }
            first.push(*seen.entry(Key(points.row(i))).or_insert(i));
        }
        Ok(Self {
            first,
            count: seen.len(),
        })
    }

    /// The first row that equals row `i`.
    pub(super) fn first(&self, i: usize) -> usize {
        self.first[i]
    }

    /// How many different rows there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The rows that repeat none before them, ascending.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        (0..self.first.len()).filter(|&i| self.first[i] == i)
    }
}
