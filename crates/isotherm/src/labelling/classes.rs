//! One of several classes: `φ(y) = e_y`, the largest score wins.

use rayon::prelude::*;

use super::encoded::{Encoded, given};
use super::label_type::{LabelType, Loss, ScoreRow};
use crate::data::Targets;
use crate::error::Result;
use crate::partial::{Candidates, Observations, PartialCodec};
use crate::recipe::Task;
use crate::task::one_hot::Reading;
use crate::task::{Codec, Observed, OneHot};

/// Class names, in the order of the score columns.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Classes {
    pub(crate) names: Vec<String>,
}

impl Classes {
    fn codec(&self) -> OneHot {
        OneHot::new(self.names.len())
    }
}

/// Classes that are known.
pub(super) fn encode(labels: &[Option<u32>], names: &[String]) -> Result<Encoded> {
    let seen = Observed::encode(&OneHot::new(names.len()), labels)?;
    Ok(Encoded::exact(seen))
}

/// Classes known by the sets they lie in.
pub(super) fn encode_sets<C>(codec: C, sets: &[Option<Vec<u32>>]) -> Result<Encoded>
where
    C: PartialCodec<Observation = Candidates> + 'static,
{
    let known = given(sets).map(|(sample, set)| (sample, Candidates::new(set)));
    let known = Observations::gather(&codec, known, sets.len())?;
    Encoded::in_sets(codec, known, |set| set.classes().len() == 1)
}

/// The class or decision of each sample.
pub(super) fn decode(
    names: &[String],
    samples: usize,
    row: &ScoreRow<'_>,
    decide: impl Fn(&[f64]) -> u32 + Sync,
) -> Targets {
    let label = |i: usize| row(i).map(|scores| decide(&scores));
    Targets::Classes {
        labels: (0..samples).into_par_iter().map(label).collect(),
        names: names.to_vec(),
    }
}

impl LabelType for Classes {
    fn task(&self) -> Task {
        Task::Classify
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

    fn needs_scale(&self) -> bool {
        false
    }

    fn loss(&self) -> Loss {
        Loss::of_codec("error rate", Some(1.0), self.codec())
    }

    fn probabilities(&self, row: &[f64], reading: Reading) -> Vec<f64> {
        self.codec().probabilities(row, reading, true)
    }

    fn decide(&self, row: &[f64]) -> Option<u32> {
        Some(self.codec().decode(row))
    }

    fn decode(&self, samples: usize, row: &ScoreRow<'_>) -> Targets {
        decode(&self.names, samples, row, |scores| {
            self.codec().decode(scores)
        })
    }
}
