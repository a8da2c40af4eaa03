//! How the rows of a table are rescaled before they are compared, remembered for new rows.

use std::sync::Arc;

use super::ranks::Ranks;
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
    /// Columns of sparse rows are divided by their largest number instead, so that zeros stay
    /// zeros.
    #[default]
    Balanced,
    /// Values by their place among the values of their column, then as `Balanced`: outliers and
    /// skew do not decide what is near. Two-valued columns and blocks keep their values, and so
    /// do sparse rows.
    Ranks,
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
    /// Values replaced by their places, each column of these shifted and scaled.
    Ranks(Ranks, Standardiser),
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
        Ok(match (how, points.as_sparse()) {
            (Rescale::Balanced | Rescale::Ranks, Some(rows)) => {
                Self::Columns(Standardiser::of_largest(rows))
            }
            (Rescale::Ranks, None) => match Ranks::learn(points, monitor)? {
                Some(ranks) => {
                    let placed = ranks.view(points)?;
                    Self::Ranks(ranks, balanced(&placed, monitor)?)
                }
                None => Self::Columns(balanced(points, monitor)?),
            },
            (Rescale::Balanced, None) => Self::Columns(balanced(points, monitor)?),
            (Rescale::UnitRows, _) => Self::UnitRows,
            (Rescale::AsGiven, _) => Self::AsGiven,
        })
    }

    /// Columns of mean zero and variance one; sparse rows, which shifts would fill, of length one.
    ///
    /// # Errors
    /// As [`Standardiser::learn`].
    pub(crate) fn standard(points: &Points, monitor: &mut dyn Monitor) -> Result<Self> {
        if points.is_sparse() {
            return Ok(Self::UnitRows);
        }
        Standardiser::learn(points, monitor).map(Self::Columns)
    }

    /// Shifts and scales of the columns, if that is what is done.
    pub(crate) fn into_columns(self) -> Option<Standardiser> {
        match self {
            Self::Columns(scaling) => Some(scaling),
            Self::Ranks(..) | Self::UnitRows | Self::AsGiven => None,
        }
    }

    /// Feature columns it was learned from, where it says something of each.
    pub(crate) fn dim(&self) -> Option<usize> {
        match self {
            Self::Columns(scaling) => Some(scaling.mean().len()),
            Self::Ranks(ranks, _) => Some(ranks.dim()),
            Self::UnitRows | Self::AsGiven => None,
        }
    }

    /// The rows rescaled whenever they are read: no copy. Sparse rows are rescaled at once.
    ///
    /// # Errors
    /// [`crate::Error::Shape`] when the number of columns differs.
    pub(crate) fn view(&self, points: &Points) -> Result<Points> {
        match (self, points.as_sparse()) {
            (Self::Columns(scaling), _) => scaling.view(points),
            (Self::Ranks(ranks, scaling), _) => scaling.view(&ranks.view(points)?),
            (Self::UnitRows, Some(_)) => points.of_unit_length(),
            (Self::UnitRows, None) => Points::shared(Arc::new(UnitRows(points.clone()))),
            (Self::AsGiven, _) => Ok(points.clone()),
        }
    }

    /// The rows rescaled for many reads: whenever they are read, but ranks once, into a copy,
    /// because finding a place takes longer than a shift and a scale.
    ///
    /// # Errors
    /// As [`Rescaling::view`].
    pub(crate) fn rows(&self, points: &Points) -> Result<Points> {
        match self {
            Self::Ranks(..) => self.copy(points),
            _ => self.view(points),
        }
    }

    /// The rows rescaled, in place where they are our own.
    ///
    /// # Errors
    /// As [`Standardiser::apply`].
    pub(crate) fn apply(&self, points: Points, monitor: &mut dyn Monitor) -> Result<Points> {
        match self {
            Self::Columns(scaling) => scaling.apply(points, monitor),
            Self::Ranks(..) | Self::UnitRows => self.copy(&points),
            Self::AsGiven => Ok(points),
        }
    }

    /// The rows rescaled once, in a copy, for a search that reads them many times.
    ///
    /// # Errors
    /// As [`Rescaling::view`].
    pub(crate) fn copy(&self, points: &Points) -> Result<Points> {
        match self {
            Self::AsGiven => Ok(points.clone()),
            _ => {
                let rows = self.view(points)?;
                Ok(if rows.is_sparse() {
                    rows
                } else {
                    rows.gathered()
                })
            }
        }
    }
}

/// Columns of mean zero and variance one, those of two values by the distance of these.
fn balanced(points: &Points, monitor: &mut dyn Monitor) -> Result<Standardiser> {
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
    Ok(balanced)
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
            crate::linalg::distance::normalise(row);
        }
    }
}
