//! The rows a preparation can still look at.

use std::sync::Arc;

use crate::data::Points;
use crate::data::survey::not_kept;
use crate::error::{Error, Refusal, Result};

/// All of them, or those that were kept of rows that passed by.
#[derive(Debug, Clone)]
pub(super) enum Rows {
    Table(Arc<Points>),
    Kept {
        count: usize,
        /// Numbers of the rows kept, ascending.
        index: Arc<Vec<usize>>,
        points: Arc<Points>,
    },
}

impl Rows {
    /// Some of `count` rows, by ascending numbers.
    pub(super) fn kept(count: usize, index: Vec<usize>, points: Points) -> Result<Self> {
        let ascending = index.windows(2).all(|w| w[0] < w[1]);
        if index.len() != points.len() || !ascending || index.last().is_some_and(|i| *i >= count) {
            return Err(Error::refused(
                Refusal::Parts,
                "the numbers of the rows kept do not fit the rows",
                "give one number a row, ascending and below the number of rows",
            ));
        }
        Ok(Self::Kept {
            count,
            index: Arc::new(index),
            points: Arc::new(points),
        })
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Table(points) => points.len(),
            Self::Kept { count, .. } => *count,
        }
    }

    pub(super) fn select(&self, numbers: &[usize]) -> Result<Points> {
        match self {
            Self::Table(points) => points.select(numbers),
            Self::Kept { index, points, .. } => {
                let place = |i: &usize| index.binary_search(i).map_err(|_| not_kept(*i));
                let places: Result<Vec<usize>> = numbers.iter().map(place).collect();
                points.select(&places?)
            }
        }
    }

    /// The number of a row that is there.
    pub(super) fn any(&self) -> usize {
        match self {
            Self::Table(_) => 0,
            Self::Kept { index, .. } => index.first().copied().unwrap_or(0),
        }
    }

    /// All rows, where they can be read again.
    pub(super) fn table(&self) -> Option<&Points> {
        match self {
            Self::Table(points) => Some(points),
            Self::Kept { .. } => None,
        }
    }

    /// All rows, or why not.
    pub(super) fn whole(&self) -> Result<&Points> {
        self.table().ok_or_else(|| {
            Error::refused(
                Refusal::Streamed,
                "this needs all rows again, and they were streamed",
                "keep the table in memory",
            )
        })
    }
}
