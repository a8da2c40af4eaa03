//! One number per sample, encoded by its distance from an offset, usually the labels' mean.

use super::encoded::{Encoded, given};
use super::label_type::{LabelType, Loss, ScoreRow};
use crate::data::Targets;
use crate::error::Result;
use crate::partial::{LabelInterval, Observations};
use crate::recipe::Task;
use crate::task::{Codec, Observed, Real};

/// A number about an offset.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Values {
    pub(crate) offset: f64,
}

impl Values {
    /// Numbers that are known; `centred` subtracts their mean.
    pub(super) fn encode(values: &[Option<f64>], centred: bool) -> Result<(Self, Encoded)> {
        let codec = if centred {
            Real::centred(values)
        } else {
            Real::default()
        };
        let seen = Observed::encode(&codec, values)?;
        Ok((
            Self {
                offset: codec.offset,
            },
            Encoded::exact(seen),
        ))
    }

    /// Numbers known by the intervals they lie in.
    pub(super) fn encode_ranges(ranges: &[Option<(f64, f64)>]) -> Result<(Self, Encoded)> {
        let intervals = || given(ranges).map(|(i, (low, high))| (i, LabelInterval::new(low, high)));
        let all: Vec<LabelInterval> = intervals().map(|(_, interval)| interval).collect();
        let codec = LabelInterval::centred(&all);
        let known = Observations::gather(&codec, intervals(), ranges.len())?;
        let encoded = Encoded::in_sets(codec, known, |i| i.low() == i.high())?;
        Ok((
            Self {
                offset: codec.offset,
            },
            encoded,
        ))
    }
}

impl LabelType for Values {
    fn task(&self) -> Task {
        Task::Regress
    }

    fn width(&self) -> usize {
        1
    }

    fn names(&self) -> &[String] {
        &[]
    }

    fn needs_scale(&self) -> bool {
        false
    }

    fn offset(&self) -> &[f64] {
        std::slice::from_ref(&self.offset)
    }

    fn loss(&self) -> Loss {
        Loss::of_codec("mean squared error", None, Real::default())
    }

    fn decode(&self, samples: usize, row: &ScoreRow<'_>) -> Targets {
        let codec = Real {
            offset: self.offset,
        };
        Targets::Values(
            (0..samples)
                .map(|i| row(i).map(|r| codec.decode(&r)))
                .collect(),
        )
    }
}
