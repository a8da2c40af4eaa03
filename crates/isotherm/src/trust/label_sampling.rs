//! How labels were chosen: at random, or some by a model.

use super::honest::Sampling;
use crate::error::{Error, Result};

/// How labels were chosen, one entry a sample; read where there is a label.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelSampling {
    /// At random.
    Random,
    /// Some by a model.
    Active {
        /// Whether the sample was drawn at random.
        audit: Vec<bool>,
        /// How many samples had no label before it was chosen.
        pool: Option<Vec<usize>>,
    },
}

impl LabelSampling {
    /// How the labels of these samples were chosen.
    pub(crate) fn at(&self, index: &[usize], total: usize) -> Result<Sampling> {
        let (audit, pool) = match self {
            Self::Random => return Ok(Sampling::Random),
            Self::Active { audit, pool } => (audit, pool),
        };
        for got in [Some(audit.len()), pool.as_ref().map(Vec::len)] {
            if let Some(got) = got.filter(|got| *got != total) {
                return Err(Error::Shape {
                    what: "audit marks and pools, one for each sample",
                    expected: total,
                    got,
                });
            }
        }
        Ok(Sampling::Active {
            audit: index.iter().map(|&i| audit[i]).collect(),
            pool: (pool.as_ref()).map(|pool| index.iter().map(|&i| pool[i]).collect()),
        })
    }
}
