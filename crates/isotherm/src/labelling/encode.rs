//! Targets → labels of a task, encoded: the one place that matches task and targets.

use super::classes::{self, Classes, encode_sets};
use super::decisions::Decisions;
use super::encoded::Encoded;
use super::labels::Labels;
use super::numbers::Numbers;
use super::orders::Orders;
use super::ordinal::OrderedClasses;
use super::shares::Shares;
use super::tags::Tags;
use super::values::Values;
use super::weighted_targets::WeightedTargets;
use crate::data::Targets;
use crate::error::{Error, Refusal, Result};
use crate::recipe::{Recipe, Task};
use crate::task::OneHot;

/// What the labels are, and the labels encoded.
///
/// # Errors
/// [`Error::Refused`] when the labels are not the task's; [`Error::Label`] for a label or weight
/// that cannot be used.
pub(crate) fn encode(recipe: &Recipe, given: WeightedTargets<'_>) -> Result<(Labels, Encoded)> {
    given.check_length(given.targets.len())?;
    let (labels, encoded) = unweighted(recipe, given.targets)?;
    match given.weights {
        Some(weights) => Ok((labels, encoded.weighted(weights)?)),
        None => Ok((labels, encoded)),
    }
}

fn unweighted(recipe: &Recipe, targets: &Targets) -> Result<(Labels, Encoded)> {
    let centred = recipe.method.takes_means_off();
    match (recipe.task, targets) {
        (Task::Classify, Targets::Classes { labels, names }) => {
            Ok((of_classes(recipe, names)?, classes::encode(labels, names)?))
        }
        (Task::Classify, Targets::Sets { labels, names }) => {
            let encoded = encode_sets(OneHot::new(names.len()), labels)?;
            Ok((of_classes(recipe, names)?, encoded))
        }
        (Task::Ordinal, Targets::Classes { labels, names }) => {
            let own = OrderedClasses::new(names)?;
            let encoded = own.encode(labels)?;
            Ok((Labels::Ordinal(own), encoded))
        }
        (Task::Ordinal, Targets::Sets { labels, names }) => {
            let own = OrderedClasses::new(names)?;
            let encoded = own.encode_sets(labels)?;
            Ok((Labels::Ordinal(own), encoded))
        }
        (Task::Shares, Targets::Shares { labels, names }) => {
            let own = Shares::new(names)?;
            let encoded = own.encode(labels)?;
            Ok((Labels::Shares(own), encoded))
        }
        (Task::Regress, Targets::Values(values)) => {
            let (own, encoded) = Values::encode(values, centred)?;
            Ok((Labels::Values(own), encoded))
        }
        (Task::Regress, Targets::Ranges(ranges)) => {
            let (own, encoded) = Values::encode_ranges(ranges)?;
            Ok((Labels::Values(own), encoded))
        }
        (Task::Numbers, Targets::Numbers { labels, names }) => {
            let (own, encoded) = Numbers::encode(labels, names, centred)?;
            Ok((Labels::Numbers(own), encoded))
        }
        (Task::Tags, Targets::Flags { labels, names }) => {
            let (own, encoded) = Tags::encode(labels, names)?;
            Ok((Labels::Flags(own), encoded))
        }
        (Task::Rank, Targets::Orders { labels, names }) => {
            let (own, encoded) = Orders::encode(labels, names)?;
            Ok((Labels::Orders(own), encoded))
        }
        (task, targets) => Err(Error::refused(
            Refusal::Task,
            format!(
                "the labels are {}, but the task is {}",
                targets.kind(),
                task.name()
            ),
            match (task, targets) {
                (Task::Classify, Targets::Values(_)) => {
                    "give class names, or choose the task regress"
                }
                (Task::Regress, Targets::Classes { .. }) => {
                    "give numbers, or choose the task classify"
                }
                _ => "choose the task the labels are for",
            },
        )),
    }
}

/// Plain classes, or classes with decisions where these have costs.
fn of_classes(recipe: &Recipe, names: &[String]) -> Result<Labels> {
    Ok(match &recipe.losses {
        Some(losses) => Labels::Decisions(Decisions::of_recipe(losses, names)?),
        None => Labels::Classes(Classes {
            names: names.to_vec(),
        }),
    })
}
