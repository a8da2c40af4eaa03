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

    /// The sums of weights of several links between the same samples.
    ///
    /// # Errors
    /// [`Error::Shape`] when they are of different samples; as [`Links::new`].
    pub(crate) fn sum_of(links: &[&Self]) -> Result<Self> {
        let (samples, known) = links.first().map_or((0, 0), |l| (l.len(), l.known));
        let mut sums: Vec<(u32, u32, f64)> = Vec::new();
        for i in 0..samples {
            let first = sums.len();
            for own in links {
                if (own.len(), own.known) != (samples, known) {
                    let (expected, got) = if own.len() == samples {
                        (known, own.known)
                    } else {
                        (samples, own.len())
                    };
                    return Err(Error::Shape {
                        what: "nodes of a relation",
                        expected,
                        got,
                    });
                }
                sums.extend(own.row(i).map(|(j, w)| (i as u32, j as u32, w)));
            }
            // Stable, so that weights are added in the order of the relations.
            sums[first..].sort_by_key(|l| l.1);
            let mut last = first;
            for at in first + 1..sums.len() {
                if sums[at].1 == sums[last].1 {
                    sums[last].2 += sums[at].2;
                } else {
                    last += 1;
                    sums[last] = sums[at];
                }
            }
            sums.truncate((last + 1).min(sums.len()));
        }
        Self::new(samples, known, &sums)
    }

    /// Row j holds the samples that are linked to j: the same links the other way.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut starts = vec![0; self.known + 1];
        self.nodes.iter().for_each(|&j| starts[j as usize + 1] += 1);
        for j in 0..self.known {
            starts[j + 1] += starts[j];
        }
        let mut next = starts.clone();
        let mut nodes = vec![0; self.nodes.len()];
        let mut weights = vec![0.0; self.nodes.len()];
        for i in 0..self.len() {
            for (j, weight) in self.row(i) {
                nodes[next[j]] = i as u32;
                weights[next[j]] = weight;
                next[j] += 1;
            }
        }
        Self {
            known: self.len(),
            starts,
            nodes,
            weights,
        }
    }

    /// Number of known samples the links may lead to.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Whether there is any link.
    pub(crate) fn is_linked(&self) -> bool {
        !self.nodes.is_empty()
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
