//! How the rows of a table are rescaled before they are compared, remembered for new rows.

use std::sync::Arc;

use super::{Standardiser, is_rounding};
use crate::data::{Points, Table};
use crate::error::Result;
use crate::linalg::rows::runs;
use crate::monitor::Monitor;

/// Rows read at a time.
const READ: usize = 256;

/// What two values of a two-valued column are apart, squared: as far as two values of a
/// standardised column are in the mean.
const APART: f64 = 2.0;

/// How rows are to be rescaled.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Rescale {
    /// Columns of mean zero and variance one, but two-valued columns by the distance of
    /// their values: a rare category is not farther from the others than a frequent one.
    #[default]
    Balanced,
    /// Rows of length one: only their direction counts, as for texts and embeddings.
    UnitRows,
    /// As they are.
    AsGiven,
}

/// How rows are rescaled, learned from a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Rescaling {
    /// Each column shifted and scaled.
    Columns(Standardiser),
    /// Each row divided by its length; a zero row stays.
    UnitRows,
    /// As they are.
    AsGiven,
}

impl Rescaling {
    /// Learns from all rows, labelled or not.
    ///
    /// # Errors
    /// As [`Standardiser::learn`].
    pub(crate) fn learn(how: Rescale, points: &Points, monitor: &mut dyn Monitor) -> Result<Self> {
        Ok(match how {
            Rescale::Balanced => {
                let plain = Standardiser::learn(points, monitor)?;
                let (mut mean, mut scale) = (plain.mean().to_vec(), plain.scale().to_vec());
                for (j, pair) in two_valued(points).into_iter().enumerate() {
                    if let Some((low, high)) = pair
                        && !is_rounding(high - low, low.abs().max(high.abs()))
                    {
                        (mean[j], scale[j]) = (low, (high - low) / APART.sqrt());
                    }
                }
                let mut balanced = Standardiser::from_parts(mean, scale)?;
                if !points.blocks().is_empty() {
                    let variance = Standardiser::variances(points, plain.mean(), monitor)?;
                    balanced.scale_blocks(points, &variance);
                }
                Self::Columns(balanced)
            }
            Rescale::UnitRows => Self::UnitRows,
            Rescale::AsGiven => Self::AsGiven,
        })
    }

    /// The rows rescaled whenever they are read: no copy.
    ///
    /// # Errors
    /// [`crate::Error::Shape`] when the number of columns differs.
    pub(crate) fn view(&self, points: &Points) -> Result<Points> {
        match self {
            Self::Columns(scaling) => scaling.view(points),
            Self::UnitRows => Points::shared(Arc::new(UnitRows(points.clone()))),
            Self::AsGiven => Ok(points.clone()),
        }
    }

    /// The rows rescaled once, in a copy, for a search that reads them many times.
    ///
    /// # Errors
    /// As [`Rescaling::view`].
    pub(crate) fn copy(&self, points: &Points) -> Result<Points> {
        match self {
            Self::AsGiven => Ok(points.clone()),
            _ => Ok(self.view(points)?.gathered()),
        }
    }
}

/// The two values of each column that has exactly two.
fn two_valued(points: &Points) -> Vec<Option<(f64, f64)>> {
    let first = points.row(0).into_owned();
    let mut other: Vec<Option<f64>> = vec![None; points.dim()];
    let mut more = vec![false; points.dim()];
    for run in runs(points.len(), READ) {
        for row in points.tile(run).chunks_exact(points.dim()) {
            for (j, x) in row.iter().enumerate() {
                if *x != first[j] {
                    let known = *other[j].get_or_insert(*x);
                    more[j] |= known != *x;
                }
            }
        }
    }
    let pair = |j: usize| match other[j] {
        Some(other) if !more[j] => Some((first[j].min(other), first[j].max(other))),
        _ => None,
    };
    (0..points.dim()).map(pair).collect()
}

/// Rows that are divided by their length while they are read.
#[derive(Debug)]
struct UnitRows(Points);

impl Table for UnitRows {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn contiguous(&self) -> Option<&[f64]> {
        None
    }

    fn read(&self, first: usize, out: &mut [f64]) {
        self.0.read(first, out);
        for row in out.chunks_exact_mut(self.0.dim()) {
            crate::linalg::pairwise::normalise(row);
        }
    }
}
