//! The rows a preparation can still look at.

use std::sync::Arc;

use crate::data::{Points, Survey};
use crate::error::{Error, Result};

/// All of them, or those that were kept of a stream.
#[derive(Debug, Clone)]
pub(super) enum Rows {
    Table(Arc<Points>),
    Kept(Arc<Survey>),
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Table(points) => points.len(),
            Self::Kept(survey) => survey.count,
        }
    }

    pub(super) fn select(&self, index: &[usize]) -> Result<Points> {
        match self {
            Self::Table(points) => points.select(index),
            Self::Kept(survey) => survey.select(index),
        }
    }

    /// All rows, where they can be read again.
    pub(super) fn table(&self) -> Option<&Points> {
        match self {
            Self::Table(points) => Some(points),
            Self::Kept(_) => None,
        }
    }

    /// All rows, or why not.
    pub(super) fn whole(&self) -> Result<&Points> {
        self.table().ok_or_else(|| {
            Error::data(
                "this needs all rows again, and they were streamed",
                "keep the table in memory",
            )
        })
    }
}
