//! Which columns are features, and the points made of them.

mod choice;
mod feature_plan;
mod kind;
mod vectors;

pub use choice::Features;
pub use feature_plan::{ColumnUse, FeaturePlan};
pub use kind::FeatureKind;
pub(crate) use vectors::Vectors;
