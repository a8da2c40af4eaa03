//! Data with its labels.

use crate::data::{Graph, Points, Targets};
use crate::recipe::Task;
use crate::study::Input;

/// What is learned from, and what is known of each sample.
#[derive(Debug, Clone)]
pub struct Dataset {
    pub(super) input: Input,
    pub(super) targets: Targets,
    pub(super) weights: Option<Vec<f64>>,
}

impl Dataset {
    /// Any input with one entry of `targets` per sample, blank or not.
    pub fn new(input: Input, targets: Targets) -> Self {
        Self {
            input,
            targets,
            weights: None,
        }
    }

    /// Rows of numbers.
    pub fn table(points: Points, targets: Targets) -> Self {
        Self::new(Input::Table(points), targets)
    }

    /// The nodes of a graph.
    pub fn graph(graph: Graph, targets: Targets) -> Self {
        Self::new(Input::Graph(graph), targets)
    }

    /// The same with a weight per sample, read where it has a label.
    pub fn with_weights(self, weights: Vec<f64>) -> Self {
        Self {
            weights: Some(weights),
            ..self
        }
    }

    /// The task that these labels are for; classes in an order need
    /// [`Params::task`](super::Params::task).
    pub fn task(&self) -> Task {
        match &self.targets {
            Targets::Values(_) | Targets::Ranges(_) => Task::Regress,
            Targets::Numbers { .. } => Task::Numbers,
            Targets::Flags { .. } => Task::Tags,
            Targets::Orders { .. } => Task::Rank,
            Targets::Shares { .. } => Task::Shares,
            Targets::Classes { .. } | Targets::Sets { .. } => Task::Classify,
        }
    }
}
