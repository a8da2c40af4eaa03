//! Which columns are features, and the points made of them.

mod choice;
mod feature_plan;

pub use choice::{FeatureKind, Features};
pub use feature_plan::FeaturePlan;
