//! The names that most programs need: `use isotherm::prelude::*;`.

pub use crate::data::{Graph, GraphBuilder, Links, Points, Targets};
pub use crate::error::{Error, Result};
pub use crate::labelling::{Answer, WeightedTargets};
pub use crate::model::Model;
pub use crate::monitor::{Monitor, Quiet};
pub use crate::recipe::{Method, Recipe, Scaling, Shape, Task};
pub use crate::study::{
    EvaluateOptions, Evaluation, Input, LabelSampling, LearningOptions, Sets, Study, SuggestOptions,
};
