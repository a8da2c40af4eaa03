//! The labels of every task: a closed list, so that a model file can hold them.

use super::classes::Classes;
use super::decisions::Decisions;
use super::label_type::LabelType;
use super::numbers::Numbers;
use super::orders::Orders;
use super::ordinal::OrderedClasses;
use super::shares::Shares;
use super::tags::Tags;
use super::values::Values;

/// What the labels are.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Labels {
    /// One of several classes.
    Classes(Classes),
    /// A number.
    Values(Values),
    /// Several numbers.
    Numbers(Numbers),
    /// Tags.
    Flags(Tags),
    /// Items in an order.
    Orders(Orders),
    /// Classes in an order.
    Ordinal(OrderedClasses),
    /// Shares of classes.
    Shares(Shares),
    /// Classes, answered by decisions that have costs.
    Decisions(Decisions),
}

impl std::ops::Deref for Labels {
    type Target = dyn LabelType;

    fn deref(&self) -> &(dyn LabelType + 'static) {
        match self {
            Self::Classes(labels) => labels,
            Self::Values(labels) => labels,
            Self::Numbers(labels) => labels,
            Self::Flags(labels) => labels,
            Self::Orders(labels) => labels,
            Self::Ordinal(labels) => labels,
            Self::Shares(labels) => labels,
            Self::Decisions(labels) => labels,
        }
    }
}

impl Labels {
    /// Whether they are plain classes, where every mistake costs one.
    pub(crate) fn are_classes(&self) -> bool {
        matches!(self, Self::Classes(_))
    }

    /// Whether they are one number.
    pub(crate) fn are_values(&self) -> bool {
        matches!(self, Self::Values(_))
    }
}
