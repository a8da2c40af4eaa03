//! Graph: undirected, symmetric, in compressed rows.
//!
//! Edges come in through [`GraphBuilder`], which applies the user's rules to
//! loops and duplicates and says what it did in a [`GraphReport`]; arrays from
//! a file come in through [`Graph::from_parts`], which believes nothing.

mod buckets;
mod build;
mod limits;
pub mod links;
mod mapped;
pub mod nodes;
mod parts;
mod relation;
mod rules;
mod sum;
mod upper_triangle;

use std::ops::Range;

use rayon::prelude::*;

use crate::data::order::Order;
use crate::error::{Error, Refusal, Result};
use crate::linalg::tiles;
use crate::monitor::Monitor;

use self::mapped::zeros;

pub(crate) use build::memory_estimate;
pub use build::{GraphBuilder, GraphReport};
pub(crate) use limits::LARGEST_WEIGHT;
pub use relation::Relation;
pub use rules::{Duplicates, EdgeRules, Loops};

/// An undirected graph, weighted or not: row `i` lists the neighbours of node
/// `i` in ascending order, and `W = Wᵀ` holds entry by entry.
///
/// A loop is one entry on the diagonal. Memory: 8 bytes a node, 4 bytes an
/// entry, and 8 more an entry when weighted; an edge between two different
/// nodes is two entries.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    starts: Vec<u64>,
    columns: Vec<u32>,
    weights: Option<Vec<f64>>,
}

impl Graph {
    /// Takes arrays in compressed-row form and checks them: row `i` is
    /// `columns[starts[i]..starts[i + 1]]`.
    ///
    /// For arrays that came from a file. `O(entries)` time, 8 bytes a node of
    /// scratch; nothing is allocated on the word of an unchecked number.
    ///
    /// # Errors
    /// [`Error::Refused`] naming the first rule that does not hold: `starts`
    /// begins at 0, never falls, and ends at the number of columns; columns
    /// are in range and ascend in each row without repeats; entry `(i, j)`
    /// has its mirror `(j, i)` of equal weight; weights are positive, normal
    /// and below 1e200. [`Error::Shape`] when there is not one weight for each
    /// column.
    pub fn from_parts(
        starts: Vec<u64>,
        columns: Vec<u32>,
        weights: Option<Vec<f64>>,
    ) -> Result<Self> {
        parts::check(&starts, &columns, weights.as_deref())?;
        Ok(Self {
            starts,
            columns,
            weights,
        })
    }

    /// Number of nodes, isolated ones included.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Never true: a graph without nodes is refused.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of stored entries: twice the edges, a loop counted once.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Whether edges carry weights; without, every entry of `W` is 1.
    pub fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// Where each row starts in [`Graph::columns`], and one past the last.
    pub fn starts(&self) -> &[u64] {
        &self.starts
    }

    /// The neighbours of all nodes, one row after the other.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The weights beside [`Graph::columns`], when there are any.
    pub fn all_weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The place of row `i` in [`Graph::columns`].
    ///
    /// # Panics
    /// When `i` is not a node.
    pub fn row(&self, i: usize) -> Range<usize> {
        self.starts[i] as usize..self.starts[i + 1] as usize
    }

    /// The neighbours of node `i`, ascending; itself among them if it has a loop.
    ///
    /// # Panics
    /// When `i` is not a node.
    pub fn neighbours(&self, i: usize) -> &[u32] {
        &self.columns[self.row(i)]
    }

    /// The weights beside [`Graph::neighbours`]; `None` when unweighted.
    ///
    /// # Panics
    /// When `i` is not a node.
    pub fn weights(&self, i: usize) -> Option<&[f64]> {
        let row = self.row(i);
        self.weights.as_ref().map(|w| &w[row])
    }

    /// Weighted degrees `dᵢ = Σⱼ wᵢⱼ`; a loop counts once. `O(nodes)` when
    /// unweighted, else `O(entries)`, in parallel.
    pub fn degrees(&self) -> Vec<f64> {
        match &self.weights {
            None => (self.starts.windows(2))
                .map(|s| (s[1] - s[0]) as f64)
                .collect(),
            Some(weights) => (0..self.len())
                .into_par_iter()
                .with_min_len(1024)
                .map(|i| weights[self.row(i)].iter().sum())
                .collect(),
        }
    }

    /// Number of nodes without any entry. `O(nodes)`.
    pub fn isolated(&self) -> usize {
        self.starts.windows(2).filter(|s| s[0] == s[1]).count()
    }

    /// The connected component of each node, numbered from 0 in the order of
    /// their smallest nodes.
    ///
    /// A search with its own stack, no recursion: `O(nodes + entries)` time, at
    /// most 8 bytes a node.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when the monitor breaks.
    pub fn components(&self, monitor: &mut dyn Monitor) -> Result<Vec<u32>> {
        const PHASE: &str = "finding components";
        /// Entries between two chances to stop.
        const PATIENCE: usize = 1 << 20;
        tiles::announce(PHASE, None, monitor)?;
        let mut component = vec![NONE; self.len()];
        let mut open: Vec<u32> = Vec::new();
        let mut found = 0;
        let mut walked = 0_usize;
        for start in 0..self.len() {
            if component[start] != NONE {
                continue;
            }
            component[start] = found;
            open.push(start as u32);
            while let Some(node) = open.pop() {
                let near = self.neighbours(node as usize);
                walked += near.len();
                if walked >= PATIENCE {
                    walked = 0;
                    tiles::tick(PHASE, monitor)?;
                }
                for &next in near {
                    if component[next as usize] == NONE {
                        component[next as usize] = found;
                        open.push(next);
                    }
                }
            }
            found += 1;
        }
        Ok(component)
    }

    /// `W + I`: the graph with a loop of weight one at every node. `O(entries)`;
    /// the new graph's memory.
    ///
    /// # Errors
    /// [`Error::Refused`] when a node has a loop already; [`Error::Memory`].
    pub fn with_loops(&self) -> Result<Self> {
        let n = self.len();
        let mut result = Self {
            starts: zeros(self.starts.len(), "the rows of a graph")?,
            columns: zeros(self.entries() + n, "the entries of a graph")?,
            weights: match &self.weights {
                Some(w) => Some(zeros(w.len() + n, "the weights of a graph")?),
                None => None,
            },
        };
        for i in 0..n {
            let near = self.neighbours(i);
            let Err(place) = near.binary_search(&(i as u32)) else {
                return Err(Error::refused(
                    Refusal::Edge,
                    format!("node {i} has a loop already"),
                    "leave out the loops of the file or the self-loops asked for",
                ));
            };
            let first = self.starts[i] as usize + i;
            let row = &mut result.columns[first..=first + near.len()];
            row[..place].copy_from_slice(&near[..place]);
            row[place] = i as u32;
            row[place + 1..].copy_from_slice(&near[place..]);
            if let (Some(to), Some(from)) = (&mut result.weights, self.weights(i)) {
                let to = &mut to[first..=first + near.len()];
                to[..place].copy_from_slice(&from[..place]);
                to[place] = 1.0;
                to[place + 1..].copy_from_slice(&from[place..]);
            }
            result.starts[i + 1] = (first + near.len() + 1) as u64;
        }
        Ok(result)
    }

    /// The same graph with its nodes in another order: node `i` of the result
    /// is node `order.old(i)` of this one.
    ///
    /// `O(entries · log(largest degree))` in parallel; the new graph's memory.
    ///
    /// # Errors
    /// [`Error::Shape`] when the order is not of this many nodes;
    /// [`Error::Memory`]; [`Error::Cancelled`] when the monitor breaks.
    pub fn permuted(&self, order: &Order, monitor: &mut dyn Monitor) -> Result<Self> {
        if order.len() != self.len() {
            return Err(Error::Shape {
                what: "nodes in the order",
                expected: self.len(),
                got: order.len(),
            });
        }
        let mut result = Self {
            starts: zeros(self.starts.len(), "the rows of a graph")?,
            columns: zeros(self.entries(), "the entries of a graph")?,
            weights: match &self.weights {
                Some(w) => Some(zeros(w.len(), "the weights of a graph")?),
                None => None,
            },
        };
        let mut end = 0;
        for (slot, &old) in result.starts[1..].iter_mut().zip(order.sources()) {
            end += self.row(old as usize).len() as u64;
            *slot = end;
        }
        let mut tiles = Vec::new();
        let mut columns = result.columns.as_mut_slice();
        let mut weights = result.weights.as_deref_mut();
        for rows in balanced(&result.starts, PARTS) {
            let len = (result.starts[rows.end] - result.starts[rows.start]) as usize;
            let mine = columns.split_off_mut(..len).unwrap_or_default();
            let weights = weights.as_mut().and_then(|w| w.split_off_mut(..len));
            tiles.push((rows, mine, weights));
        }
        tiles::sweep(
            "reordering the graph",
            tiles,
            monitor,
            |(rows, columns, weights)| {
                self.copy_rows(order, rows, columns, weights);
                Ok(())
            },
        )?;
        Ok(result)
    }

    /// Writes the given rows of the reordered graph.
    fn copy_rows(
        &self,
        order: &Order,
        rows: Range<usize>,
        mut columns: &mut [u32],
        mut weights: Option<&mut [f64]>,
    ) {
        let mut pairs: Vec<(u32, f64)> = Vec::new();
        for i in rows {
            let old = order.old(i);
            let neighbours = self.neighbours(old);
            let row = (columns.split_off_mut(..neighbours.len())).unwrap_or_default();
            match (&mut weights, self.weights(old)) {
                (Some(rest), Some(given)) => {
                    pairs.clear();
                    pairs.extend(
                        neighbours
                            .iter()
                            .map(|&j| order.new_of(j))
                            .zip(given.iter().copied()),
                    );
                    pairs.sort_unstable_by_key(|p| p.0);
                    let out = rest.split_off_mut(..row.len()).unwrap_or_default();
                    for ((c, w), pair) in row.iter_mut().zip(out).zip(&pairs) {
                        (*c, *w) = *pair;
                    }
                }
                _ => {
                    for (c, &j) in row.iter_mut().zip(neighbours) {
                        *c = order.new_of(j);
                    }
                    row.sort_unstable();
                }
            }
        }
    }

    /// The rows in `count` runs of about equal work: entries and rows count
    /// alike. Runs may be empty.
    pub fn row_parts(&self, count: usize) -> Vec<Range<usize>> {
        balanced(&self.starts, count)
    }
}

/// No node, no component.
const NONE: u32 = u32::MAX;

/// Runs of rows a parallel pass is cut into; a constant, so that results and
/// memory do not depend on the thread count.
const PARTS: usize = 256;

fn balanced(starts: &[u64], count: usize) -> Vec<Range<usize>> {
    let nodes = starts.len() - 1;
    let count = count.max(1);
    let total = u128::from(starts[nodes]) + nodes as u128;
    let mut from = 0;
    (1..=count as u128)
        .map(|part| {
            let share = total * part / count as u128;
            let to = first_at_least(starts, share).max(from);
            std::mem::replace(&mut from, to)..to
        })
        .collect()
}

/// The first row with at least so many entries and rows before it.
fn first_at_least(starts: &[u64], share: u128) -> usize {
    let (mut low, mut high) = (0, starts.len() - 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if u128::from(starts[middle]) + (middle as u128) < share {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
