//! What a user can say.

use crate::error::{Error, Result};
use crate::estimator::baseline::{
    Harmonic, HarmonicParams, KernelRidge, KernelRidgeParams, LabelPropagation,
    LabelPropagationParams,
};

/// A method and everything that decides its result, given the data.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The method with its parameters.
    pub method: Method,
    /// What is predicted.
    pub task: Task,
    /// How columns are scaled; tables only. Absent means standardise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaling: Option<Scaling>,
    /// Neighbours that join rows into a graph; tables under a graph method
    /// only. Absent means [`DEFAULT_NEIGHBOURS`], or half of the other rows
    /// where these are fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<usize>,
    /// Every random choice follows from it.
    #[serde(default)]
    pub seed: u64,
}

/// Neighbours of a row, when nobody says otherwise.
pub const DEFAULT_NEIGHBOURS: usize = 10;

/// The methods.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Method {
    /// Supervised baseline on a table.  [STKR Eqn 2]
    KernelRidge(KernelRidgeParams),
    /// Classes on a graph, or on a table through its neighbours.  [STKR Eqn 22]
    LabelPropagation(LabelPropagationParams),
    /// Classes or values on a graph, or on a table through its neighbours.
    Harmonic(HarmonicParams),
}

impl Method {
    /// Its name as the user spells it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::KernelRidge(_) => "kernel-ridge",
            Self::LabelPropagation(_) => "label-propagation",
            Self::Harmonic(_) => "harmonic",
        }
    }
}

/// What is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// One of several classes.
    Classify,
    /// A real number.
    Regress,
}

/// How a table's columns are scaled before anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scaling {
    /// Mean zero, variance one.
    #[default]
    Standardise,
    /// As they are.
    None,
}

/// What kind of data a recipe meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Rows of numbers.
    Table,
    /// Nodes and edges.
    Graph,
}

impl Recipe {
    /// The recipe nobody has to think about: label propagation for classes,
    /// harmonic functions for values.
    ///
    /// Labels travel farther between the rows of a table (η = 0.99, the value of
    /// Zhou et al.) than along a given graph (η = 0.9, where η → 1 was measured
    /// to drown the labels). For tables 0.99 was chosen with results in view: on
    /// twelve data sets with 5 labels a class (3 draws each) it was better than
    /// 0.9 on eight, by up to 3 points, and worse on four, by up to 7 (wine), so
    /// it is a default, not a finding.
    pub fn automatic(task: Task, shape: Shape, seed: u64) -> Self {
        let mut params = LabelPropagationParams::default();
        if shape == Shape::Table {
            params.eta = 0.99;
        }
        let method = match task {
            Task::Classify => Method::LabelPropagation(params),
            Task::Regress => Method::Harmonic(HarmonicParams::default()),
        };
        Self {
            method,
            task,
            scaling: None,
            neighbours: None,
            seed,
        }
    }

    /// Checks everything that can be checked without the data's numbers.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a value out of range or one that would be
    /// ignored; [`Error::Data`] for a method that cannot serve the data or task.
    pub fn check(&self, shape: Shape) -> Result<()> {
        match (&self.method, self.task, shape) {
            (Method::KernelRidge(_), _, Shape::Graph) => {
                return Err(Error::data(
                    "kernel-ridge needs rows of numbers, not a graph",
                    "use label-propagation or harmonic",
                ));
            }
            (Method::LabelPropagation(_), Task::Regress, _) => {
                return Err(Error::data(
                    "label-propagation scores have no scale, so they cannot predict values",
                    "use harmonic or kernel-ridge",
                ));
            }
            (Method::KernelRidge(params), ..) => {
                KernelRidge::new(params.clone(), self.seed)?;
            }
            (Method::LabelPropagation(params), ..) => {
                LabelPropagation::new(params.clone())?;
            }
            (Method::Harmonic(params), ..) => {
                Harmonic::new(params.clone())?;
            }
        }
        if self.neighbours == Some(0) {
            return Err(Error::parameter("neighbours", "at least 1", 0));
        }
        let unused = |name, got: String| Error::Parameter {
            name,
            expected: "left out: nothing here would read it".to_owned(),
            got,
        };
        if let (Some(count), Shape::Graph) | (Some(count), Shape::Table) = (self.neighbours, shape)
            && (shape == Shape::Graph || matches!(self.method, Method::KernelRidge(_)))
        {
            return Err(unused("neighbours", count.to_string()));
        }
        if let (Some(scaling), Shape::Graph) = (self.scaling, shape) {
            return Err(unused("scaling", format!("{scaling:?}").to_lowercase()));
        }
        Ok(())
    }
}

/// What a column of labels is: numbers when every label is one and some are not
/// whole, or there are more than [`MOST_NUMBERED_CLASSES`] different ones;
/// classes otherwise.
pub fn guess_task<S: AsRef<str>>(labels: &[Option<S>]) -> Task {
    let known = labels.iter().flatten().map(|l| l.as_ref().trim());
    let numbers: Option<Vec<f64>> = known.map(|l| l.parse::<f64>().ok()).collect();
    let Some(mut numbers) = numbers else {
        return Task::Classify;
    };
    let broken = numbers.iter().any(|v| v.fract() != 0.0);
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    match broken || numbers.len() > MOST_NUMBERED_CLASSES {
        true => Task::Regress,
        false => Task::Classify,
    }
}

/// More different whole numbers than this are taken as values, not classes.
pub const MOST_NUMBERED_CLASSES: usize = 30;
