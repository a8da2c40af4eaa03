//! An order of items: `φ(y)` are the signs of all pairs, decoded by linear ordering.

use rayon::prelude::*;

use super::encoded::{Encoded, given};
use super::label_type::{LabelType, Loss, ScoreRow};
use crate::data::Targets;
use crate::error::{Error, Reason, Result};
use crate::partial::{Observations, PartialOrder};
use crate::recipe::Task;
use crate::task::{Codec, Observed, Ranking};

/// The items that are ordered.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub(crate) struct Orders {
    names: Vec<String>,
    codec: Ranking,
}

/// What a file keeps.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    names: Vec<String>,
}

impl TryFrom<Fields> for Orders {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self> {
        Self::new(&fields.names)
    }
}

impl From<Orders> for Fields {
    fn from(labels: Orders) -> Self {
        Self {
            names: labels.names,
        }
    }
}

impl Orders {
    fn new(names: &[String]) -> Result<Self> {
        Ok(Self {
            codec: Ranking::new(names.len())?,
            names: names.to_vec(),
        })
    }

    /// Orders of all items, or of some of them.
    pub(super) fn encode(
        labels: &[Option<Vec<Vec<u32>>>],
        names: &[String],
    ) -> Result<(Self, Encoded)> {
        let own = Self::new(names)?;
        let items = names.len();
        check(labels, items)?;
        let total = |groups: &Vec<Vec<u32>>| groups.iter().map(Vec::len).sum::<usize>() == items;
        let encoded = if labels.iter().flatten().all(total) {
            let place = |groups: &Vec<Vec<u32>>| positions(groups, items);
            let known: Vec<Option<Vec<u32>>> = (labels.iter())
                .map(|l| l.as_ref().map(|g| place(g).into_iter().flatten().collect()))
                .collect();
            Encoded::exact(Observed::encode(&own.codec, &known)?)
        } else {
            let orders = given(labels)
                .map(|(i, groups)| (i, PartialOrder::positions(&positions(&groups, items))));
            let known = Observations::gather(&own.codec, orders, labels.len())?;
            let pairs = items * (items - 1) / 2;
            let whole = |order: &PartialOrder| order.precedence().pairs().count() == pairs;
            Encoded::in_sets(own.codec, known, whole)?
        };
        Ok((own, encoded))
    }
}

/// Refuses items that do not exist or stand twice.
fn check(labels: &[Option<Vec<Vec<u32>>>], items: usize) -> Result<()> {
    for (sample, groups) in given(labels) {
        let mut seen = vec![false; items];
        for item in groups.into_iter().flatten() {
            let reason: Reason = match seen.get_mut(item as usize) {
                None => format!("item {item} is not one of the {items} there are").into(),
                Some(true) => Reason::new(format!("item {item} stands twice"), "name an item once"),
                Some(slot) => {
                    *slot = true;
                    continue;
                }
            };
            return Err(Error::Label { sample, reason });
        }
    }
    Ok(())
}

/// The position of each item that is there; tied items share one.
fn positions(groups: &[Vec<u32>], items: usize) -> Vec<Option<u32>> {
    let mut out = vec![None; items];
    for (place, group) in (0_u32..).zip(groups) {
        for &item in group {
            if let Some(slot) = out.get_mut(item as usize) {
                *slot = Some(place);
            }
        }
    }
    out
}

/// The items one by one, the most preferred first; the inverse of [`positions`] without ties.
fn sequence(positions: &[u32]) -> Vec<Vec<u32>> {
    let mut items: Vec<u32> = (0_u32..).take(positions.len()).collect();
    items.sort_by_key(|&item| positions[item as usize]);
    items.into_iter().map(|item| vec![item]).collect()
}

impl LabelType for Orders {
    fn task(&self) -> Task {
        Task::Rank
    }

    fn width(&self) -> usize {
        self.codec.width()
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn loss(&self) -> Loss {
        Loss::of_codec("Kendall distance", Some(1.0), self.codec)
    }

    fn decode(&self, samples: usize, row: &ScoreRow<'_>) -> Targets {
        let order = |i: usize| row(i).map(|r| sequence(&self.codec.decode(&r)));
        Targets::Orders {
            labels: (0..samples).into_par_iter().map(order).collect(),
            names: self.names.clone(),
        }
    }
}
