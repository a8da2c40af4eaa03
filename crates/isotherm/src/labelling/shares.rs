//! A distribution over classes per sample, `φ(y) = y`; answered by the largest share.

use super::classes;
use super::encoded::Encoded;
use super::label_type::{LabelType, Loss, ScoreRow};
use crate::data::Targets;
use crate::error::{Error, Refusal, Result};
use crate::recipe::Task;
use crate::task::{Codec, Observed, OneHot, Soft};

/// The classes that have shares.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub(crate) struct Shares {
    names: Vec<String>,
    codec: Soft,
}

/// What a file keeps.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    names: Vec<String>,
}

impl TryFrom<Fields> for Shares {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self> {
        Self::new(&fields.names)
    }
}

impl From<Shares> for Fields {
    fn from(labels: Shares) -> Self {
        Self {
            names: labels.names,
        }
    }
}

impl Shares {
    pub(super) fn new(names: &[String]) -> Result<Self> {
        if names.len() < 2 {
            return Err(Error::refused(
                Refusal::ClassShares,
                "shares of fewer than two classes say nothing",
                "name at least two classes",
            ));
        }
        Ok(Self {
            codec: Soft::new(names.len())?,
            names: names.to_vec(),
        })
    }

    pub(super) fn encode(&self, labels: &[Option<Vec<f64>>]) -> Result<Encoded> {
        Ok(Encoded::exact(Observed::encode(&self.codec, labels)?))
    }

    fn largest(&self) -> OneHot {
        OneHot::new(self.names.len())
    }
}

impl LabelType for Shares {
    fn task(&self) -> Task {
        Task::Shares
    }

    fn width(&self) -> usize {
        self.names.len()
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn classes(&self) -> Option<&[String]> {
        Some(&self.names)
    }

    fn loss(&self) -> Loss {
        // Two distributions are at most √2 apart.
        Loss::of_codec("squared distance of shares", Some(2.0), self.codec)
    }

    fn decide(&self, row: &[f64]) -> Option<u32> {
        Some(self.largest().decode(row))
    }

    fn decode(&self, samples: usize, row: &ScoreRow<'_>) -> Targets {
        classes::decode(&self.names, samples, row, |scores| {
            self.largest().decode(scores)
        })
    }
}
