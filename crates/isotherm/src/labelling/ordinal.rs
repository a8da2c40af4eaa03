//! One of several ordered classes: `φ(y)ₖ = 1{y > k}`, decoded for the absolute loss.

use super::classes::{self, encode_sets};
use super::encoded::Encoded;
use super::label_type::{LabelType, Loss, ScoreRow};
use crate::data::Targets;
use crate::error::{Error, Result};
use crate::recipe::Task;
use crate::task::one_hot::Reading;
use crate::task::{Codec, Observed, Ordinal, simplex};

/// Class names from the lowest to the highest.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub(crate) struct OrderedClasses {
    names: Vec<String>,
    codec: Ordinal,
}

/// What a file keeps.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    names: Vec<String>,
}

impl TryFrom<Fields> for OrderedClasses {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self> {
        Self::new(&fields.names)
    }
}

impl From<OrderedClasses> for Fields {
    fn from(labels: OrderedClasses) -> Self {
        Self {
            names: labels.names,
        }
    }
}

impl OrderedClasses {
    pub(super) fn new(names: &[String]) -> Result<Self> {
        Ok(Self {
            codec: Ordinal::new(names.len())?,
            names: names.to_vec(),
        })
    }

    /// Classes that are known.
    pub(super) fn encode(&self, labels: &[Option<u32>]) -> Result<Encoded> {
        Ok(Encoded::exact(Observed::encode(&self.codec, labels)?))
    }

    /// Classes known by the sets they lie in.
    pub(super) fn encode_sets(&self, sets: &[Option<Vec<u32>>]) -> Result<Encoded> {
        encode_sets(self.codec, sets)
    }
}

impl LabelType for OrderedClasses {
    fn task(&self) -> Task {
        Task::Ordinal
    }

    fn width(&self) -> usize {
        self.codec.width()
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn classes(&self) -> Option<&[String]> {
        Some(&self.names)
    }

    fn loss(&self) -> Loss {
        let most = self.names.len().saturating_sub(1) as f64;
        Loss::of_codec("mean distance in grades", Some(most), self.codec)
    }

    fn probabilities(&self, above: &[f64], _: Reading) -> Vec<f64> {
        // P(y > k) → P(y = k)
        let at = |k: usize| {
            let low = if k == 0 { 1.0 } else { above[k - 1] };
            let high = above.get(k).copied().unwrap_or(0.0);
            low - high
        };
        simplex::project(&(0..self.names.len()).map(at).collect::<Vec<f64>>())
    }

    fn decide(&self, row: &[f64]) -> Option<u32> {
        Some(self.codec.decode(row))
    }

    fn decode(&self, samples: usize, row: &ScoreRow<'_>) -> Targets {
        classes::decode(&self.names, samples, row, |scores| {
            self.codec.decode(scores)
        })
    }
}
