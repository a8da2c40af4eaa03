//! Several numbers per sample, each encoded by its distance from an offset.

use rayon::prelude::*;

use super::encoded::Encoded;
use super::label_type::{LabelType, Loss, ScoreRow};
use crate::data::Targets;
use crate::error::{Error, Result};
use crate::recipe::Task;
use crate::task::{Codec, Observed, Reals};

/// Several numbers about their offsets.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub(crate) struct Numbers {
    names: Vec<String>,
    codec: Reals,
}

/// What a file keeps.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    names: Vec<String>,
    offset: Vec<f64>,
}

impl TryFrom<Fields> for Numbers {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self> {
        Self::new(fields.names, Reals::new(fields.offset)?)
    }
}

impl From<Numbers> for Fields {
    fn from(labels: Numbers) -> Self {
        Self {
            offset: labels.codec.offset().to_vec(),
            names: labels.names,
        }
    }
}

impl Numbers {
    fn new(names: Vec<String>, codec: Reals) -> Result<Self> {
        if codec.width() != names.len() {
            return Err(Error::Shape {
                what: "offsets, one for each number",
                expected: names.len(),
                got: codec.width(),
            });
        }
        Ok(Self { names, codec })
    }

    /// Numbers that are known; `centred` subtracts the mean of each.
    pub(super) fn encode(
        labels: &[Option<Vec<f64>>],
        names: &[String],
        centred: bool,
    ) -> Result<(Self, Encoded)> {
        let codec = if centred {
            Reals::centred(names.len(), labels)?
        } else {
            Reals::new(vec![0.0; names.len()])?
        };
        let seen = Observed::encode(&codec, labels)?;
        Ok((Self::new(names.to_vec(), codec)?, Encoded::exact(seen)))
    }
}

impl LabelType for Numbers {
    fn task(&self) -> Task {
        Task::Numbers
    }

    fn width(&self) -> usize {
        self.names.len()
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn offset(&self) -> &[f64] {
        self.codec.offset()
    }

    fn loss(&self) -> Loss {
        let width = self.width() as f64;
        Loss::new("mean squared error", None, move |truth, scores| {
            let squares = truth.iter().zip(scores).map(|(y, z)| (y - z).powi(2));
            squares.sum::<f64>() / width
        })
    }

    fn decode(&self, samples: usize, row: &ScoreRow<'_>) -> Targets {
        let value = |i: usize| row(i).map(|r| self.codec.decode(&r));
        Targets::Numbers {
            labels: (0..samples).into_par_iter().map(value).collect(),
            names: self.names.clone(),
        }
    }
}
