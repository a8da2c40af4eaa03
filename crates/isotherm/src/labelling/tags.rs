//! Yes or no to each of several tags: `φ(y) ∈ {0, 1}ᴷ`, decoded by a threshold per tag.

use rayon::prelude::*;

use super::encoded::{Encoded, given};
use super::label_type::{LabelType, Loss, ScoreRow};
use crate::data::Targets;
use crate::error::{Error, Result};
use crate::linalg::Mat;
use crate::partial::{Flags, Observations};
use crate::recipe::Task;
use crate::task::thresholds::{Measure, f1};
use crate::task::{Codec, MultiLabel, Observed};

/// Tags, each with its threshold.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub(crate) struct Tags {
    names: Vec<String>,
    codec: MultiLabel,
}

/// What a file keeps.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    names: Vec<String>,
    thresholds: Vec<f64>,
}

impl TryFrom<Fields> for Tags {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self> {
        Self::new(
            fields.names,
            MultiLabel::with_thresholds(fields.thresholds)?,
        )
    }
}

impl From<Tags> for Fields {
    fn from(labels: Tags) -> Self {
        Self {
            thresholds: labels.codec.thresholds().to_vec(),
            names: labels.names,
        }
    }
}

impl Tags {
    fn new(names: Vec<String>, codec: MultiLabel) -> Result<Self> {
        if codec.width() != names.len() {
            return Err(Error::Shape {
                what: "thresholds, one for each tag",
                expected: names.len(),
                got: codec.width(),
            });
        }
        Ok(Self { names, codec })
    }

    /// Tags, some of them missing or none.
    pub(super) fn encode(labels: &[Option<Flags>], names: &[String]) -> Result<(Self, Encoded)> {
        let codec = MultiLabel::new(names.len())?;
        let whole = |flags: &Flags| -> Option<Vec<bool>> { flags.iter().copied().collect() };
        let encoded = if labels.iter().flatten().all(|flags| whole(flags).is_some()) {
            let known: Vec<Option<Vec<bool>>> =
                labels.iter().map(|l| l.as_ref().and_then(whole)).collect();
            Encoded::exact(Observed::encode(&codec, &known)?)
        } else {
            let known = Observations::gather(&codec, given(labels), labels.len())?;
            let complete = |flags: &Flags| flags.iter().all(Option::is_some);
            Encoded::in_sets(codec.clone(), known, complete)?
        };
        Ok((Self::new(names.to_vec(), codec)?, encoded))
    }

    /// The same tags with the thresholds that maximise an F1 of these leave-one-out scores.
    pub(crate) fn tuned(
        &self,
        scores: &Mat<f64>,
        seen: &Observed,
        measure: Measure,
    ) -> Result<Self> {
        // An encoded tag that is neither 0 nor 1 was imputed.
        let flag = |value: &f64| match value {
            1.0 => Some(true),
            0.0 => Some(false),
            _ => None,
        };
        let truths: Vec<Vec<Option<bool>>> = (0..seen.values().nrows())
            .map(|i| seen.values().row(i).iter().map(flag).collect())
            .collect();
        let codec = self.codec.tuned(scores.as_ref(), &truths, measure)?;
        Self::new(self.names.clone(), codec)
    }
}

impl LabelType for Tags {
    fn task(&self) -> Task {
        Task::Tags
    }

    fn width(&self) -> usize {
        self.names.len()
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn loss(&self) -> Loss {
        Loss::of_codec("share of wrong tags", Some(1.0), self.codec.clone())
    }

    fn decode(&self, samples: usize, row: &ScoreRow<'_>) -> Targets {
        let flags =
            |i: usize| row(i).map(|r| self.codec.decode(&r).into_iter().map(Some).collect());
        Targets::Flags {
            labels: (0..samples).into_par_iter().map(flags).collect(),
            names: self.names.clone(),
        }
    }

    fn remark(&self, truth: &Mat<f64>, predicted: &Mat<f64>, rows: &[usize]) -> Option<String> {
        let row = |m: &Mat<f64>, i: usize| -> Vec<f64> { m.row(i).iter().copied().collect() };
        let truths: Vec<Vec<Option<bool>>> = (rows.iter())
            .map(|&i| row(truth, i).iter().map(|v| Some(*v > 0.5)).collect())
            .collect();
        let guesses: Vec<Vec<bool>> = (rows.iter())
            .map(|&i| self.codec.decode(&row(predicted, i)))
            .collect();
        Some(format!(
            "F1 over the same rows: macro {:.3}, micro {:.3}",
            f1(&truths, &guesses, Measure::Macro),
            f1(&truths, &guesses, Measure::Micro)
        ))
    }
}
