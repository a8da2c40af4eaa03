//! Links: edges from new samples to known ones.

use super::LARGEST_WEIGHT;
use crate::error::{Error, Reason, Result};

/// One row per new sample: its known neighbours and the weights to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Links {
    known: usize,
    starts: Vec<usize>,
    nodes: Vec<u32>,
    weights: Vec<f64>,
}

impl Links {
    /// From `(new sample, known node, weight)` in any order. A pair given
    /// twice counts once, with its larger weight; weights of zero are dropped;
    /// a new sample without links keeps its empty row.
    ///
    /// # Errors
    /// [`Error::Edge`] when a sample or node is out of range, or a weight is
    /// negative or not finite.
    pub fn new(samples: usize, known: usize, links: &[(u32, u32, f64)]) -> Result<Self> {
        for (edge, &(sample, node, weight)) in links.iter().enumerate() {
            let reason = if sample as usize >= samples {
                Reason::new(
                    format!("new sample {sample} does not exist, there are {samples}"),
                    "number them from 0",
                )
            } else if node as usize >= known {
                Reason::new(
                    format!("node {node} is not in the graph of {known} nodes"),
                    "link to known nodes only",
                )
            } else if !(0.0..LARGEST_WEIGHT).contains(&weight) {
                Reason::new(
                    format!("weight must be a number from 0 to {LARGEST_WEIGHT:e}, got {weight}"),
                    "drop the edge or rescale the weights",
                )
            } else {
                continue;
            };
            return Err(Error::Edge { edge, reason });
        }
        let mut sorted: Vec<(u32, u32, f64)> =
            links.iter().copied().filter(|l| l.2.is_normal()).collect();
        // The larger weight of a pair first, so that it is the one kept.
        sorted.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        sorted.dedup_by_key(|l| (l.0, l.1));
        let mut starts = vec![0; samples + 1];
        for l in &sorted {
            starts[l.0 as usize + 1] += 1;
        }
        for i in 0..samples {
            starts[i + 1] += starts[i];
        }
        Ok(Self {
            known,
            starts,
            nodes: sorted.iter().map(|l| l.1).collect(),
            weights: sorted.iter().map(|l| l.2).collect(),
        })
    }

    /// Number of known samples the links may lead to.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Number of new samples.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no new sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The known neighbours of new sample `i` and the weights to them.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let range = self.starts[i]..self.starts[i + 1];
        let nodes = self.nodes[range.clone()].iter().map(|&n| n as usize);
        nodes.zip(self.weights[range].iter().copied())
    }
}
