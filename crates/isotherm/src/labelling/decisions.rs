//! Classes answered by decisions, each with its cost in each class.  [KLAP Eq 15]

use super::classes::decode;
use super::label_type::{LabelType, Loss, ScoreRow};
use crate::data::Targets;
use crate::error::{Error, Refusal, Result};
use crate::recipe::losses::loss_matrix;
use crate::recipe::{Losses, Task};
use crate::task::{Codec, LossMatrix, OneHot};

/// Classes, and decisions that cost `losses[class][decision]`.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub(crate) struct Decisions {
    classes: Vec<String>,
    decisions: Vec<String>,
    losses: Vec<Vec<f64>>,
    codec: LossMatrix,
}

/// What a file keeps.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    names: Vec<String>,
    decisions: Vec<String>,
    losses: Vec<Vec<f64>>,
}

impl TryFrom<Fields> for Decisions {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self> {
        Self::new(fields.names, fields.decisions, fields.losses)
    }
}

impl From<Decisions> for Fields {
    fn from(labels: Decisions) -> Self {
        Self {
            names: labels.classes,
            decisions: labels.decisions,
            losses: labels.losses,
        }
    }
}

impl Decisions {
    fn new(names: Vec<String>, decisions: Vec<String>, losses: Vec<Vec<f64>>) -> Result<Self> {
        let codec = loss_matrix(names.len(), &losses)?;
        if codec.decisions() != decisions.len() {
            return Err(Error::Shape {
                what: "decisions, one for each column of losses",
                expected: codec.decisions(),
                got: decisions.len(),
            });
        }
        Ok(Self {
            classes: names,
            decisions,
            losses,
            codec,
        })
    }

    /// The rows of the recipe's losses for these classes.
    pub(super) fn of_recipe(losses: &Losses, names: &[String]) -> Result<Self> {
        let row = |name: &String| -> Result<Vec<f64>> {
            let found = losses.classes.iter().position(|c| c == name);
            let found = found.and_then(|k| losses.losses.get(k)).cloned();
            found.ok_or_else(|| {
                Error::refused(
                    Refusal::Losses,
                    format!("class \"{name}\" has no row of losses"),
                    format!("add it; there are {}", losses.classes.join(", ")),
                )
            })
        };
        let costs: Vec<Vec<f64>> = names.iter().map(row).collect::<Result<_>>()?;
        Self::new(names.to_vec(), losses.decisions.clone(), costs)
    }
}

impl LabelType for Decisions {
    fn task(&self) -> Task {
        Task::Classify
    }

    fn width(&self) -> usize {
        self.classes.len()
    }

    fn names(&self) -> &[String] {
        &self.decisions
    }

    fn classes(&self) -> Option<&[String]> {
        Some(&self.classes)
    }

    fn loss(&self) -> Loss {
        let largest = self
            .losses
            .iter()
            .flatten()
            .fold(0.0, |a: f64, b| a.max(*b));
        let (codec, class) = (self.codec.clone(), OneHot::new(self.classes.len()));
        Loss::new("mean cost", Some(largest), move |truth, scores| {
            codec.loss(&class.decode(truth), &codec.decode(scores))
        })
    }

    fn decide(&self, row: &[f64]) -> Option<u32> {
        Some(self.codec.decode(row))
    }

    fn decode(&self, samples: usize, row: &ScoreRow<'_>) -> Targets {
        decode(&self.decisions, samples, row, |scores| {
            self.codec.decode(scores)
        })
    }
}
