//! What a search finds, and what it is called.

pub(super) const PHASE: &str = "finding neighbours";

/// The k nearest rows of each sample, nearest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbours {
    /// Neighbours of each sample.
    pub k: usize,
    /// k row numbers for each sample, one sample after the other, sorted by
    /// (distance, row number).
    pub index: Vec<u32>,
    /// Their squared distances.
    pub squared: Vec<f64>,
}

impl Neighbours {
    pub(super) fn room(samples: usize, k: usize) -> Self {
        Self {
            k,
            index: vec![0; samples * k],
            squared: vec![0.0; samples * k],
        }
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.index.len().checked_div(self.k).unwrap_or(0)
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The neighbours of sample `i` with their squared distances, nearest first.
    pub fn of(&self, i: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let own = i * self.k..(i + 1) * self.k;
        let index = self.index[own.clone()].iter().copied();
        index.zip(self.squared[own].iter().copied())
    }
}
