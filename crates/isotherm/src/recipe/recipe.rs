//! What a user can say.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::labels::loss_matrix;
use crate::base::Normalisation;
use crate::error::{Error, Refusal, Result};
use crate::estimator::TrivialMode;
use crate::estimator::baseline::{
    ClassMass, Harmonic, HarmonicParams, KernelRidge, KernelRidgeParams, LabelPropagation,
    LabelPropagationParams,
};
use crate::estimator::laplacian::{Laplacian, LaplacianParams};
use crate::estimator::stkr::{Stkr, StkrParams};
use crate::kernel::KernelSpec;
use crate::spectrum::{Resolvent, SpectralFunction, Transform};
use crate::task::thresholds::Measure;

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
    /// The kernel that compares rows; tables under stkr only. Absent means that
    /// rows are joined to their neighbours instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<KernelSpec>,
    /// How edges become similarities; graphs and neighbours under stkr only.
    /// Absent means the symmetric normalisation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normalisation: Option<Normalisation>,
    /// What decisions cost; classes only. Absent means that every mistake costs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub losses: Option<Losses>,
    /// The classes' shares among all rows, where they are known; classes only. Absent
    /// means that labels were drawn as they come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priors: Option<BTreeMap<String, f64>>,
    /// The F1 that thresholds of tags maximise on leave-one-out scores; tags only. Absent
    /// means thresholds of ½, which minimise the share of wrong tags.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<Measure>,
    /// Every random choice follows from it.
    #[serde(default)]
    pub seed: u64,
    /// `s(λ)` where the transform is [`Transform::Custom`]; no file holds it.
    #[serde(skip)]
    pub function: Option<Function>,
}

/// A function of an eigenvalue that the caller brings.
#[derive(Clone)]
pub struct Function(pub Arc<dyn SpectralFunction>);

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Function")
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The cost of each decision in each class.  [KLAP Eq 15]
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Losses {
    /// The classes, in the order of `losses`.
    pub classes: Vec<String>,
    /// The decisions, in the order of each row of `losses`.
    pub decisions: Vec<String>,
    /// `losses[class][decision]`.
    pub losses: Vec<Vec<f64>>,
}

/// A shared function is a function.
struct Shared(Arc<dyn SpectralFunction>);

impl SpectralFunction for Shared {
    fn at(&self, eigenvalue: f64) -> f64 {
        self.0.at(eigenvalue)
    }

    fn ratio(&self, eigenvalue: f64) -> f64 {
        self.0.ratio(eigenvalue)
    }

    fn resolvent(&self) -> Option<Resolvent> {
        self.0.resolvent()
    }
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
    /// Classes or values on a graph, or on a table through its neighbours or a
    /// kernel.  \[STKR\]
    Stkr(StkrParams),
    /// Classes or values on a table, by the gradient of the predictor.  \[KLAP\]
    Laplacian(LaplacianParams),
}

impl Method {
    /// Label propagation with η = 0.99 between the rows of a table, 0.9 along a
    /// given graph, where η → 1 was measured to drown the labels.
    ///
    /// For tables 0.99 was chosen with results in view: on twelve data sets with
    /// 5 labels a class (3 draws each) it was better than 0.9 on eight, by up to
    /// 3 points, and worse on four, by up to 7 (wine).
    pub fn label_propagation(shape: Shape) -> Self {
        let mut params = LabelPropagationParams::default();
        if shape == Shape::Table {
            params.eta = 0.99;
        }
        Self::LabelPropagation(params)
    }

    /// Kernel Laplacian regularisation; numbers have a mean of their own, which is
    /// not penalised.
    pub fn laplacian(task: Task) -> Self {
        Self::Laplacian(LaplacianParams {
            free_constant: task.is_numeric(),
            ..LaplacianParams::default()
        })
    }

    /// Whether rows are compared by a kernel of the method's own, not joined to
    /// neighbours.
    pub(super) fn compares(&self) -> bool {
        matches!(self, Self::KernelRidge(_) | Self::Laplacian(_))
    }

    /// Whether numbers are fitted about their mean: not where the parameters ask for the
    /// papers' own predictors, which shrink to zero.
    pub(super) fn takes_means_off(&self) -> bool {
        match self {
            Self::Stkr(params) => params.centre_labels,
            Self::Laplacian(params) => params.free_constant,
            _ => true,
        }
    }

    /// Its name as the user spells it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::KernelRidge(_) => "kernel-ridge",
            Self::LabelPropagation(_) => "label-propagation",
            Self::Harmonic(_) => "harmonic",
            Self::Stkr(_) => "stkr",
            Self::Laplacian(_) => "laplacian",
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
    /// One of several classes that have an order, such as grades.
    Ordinal,
    /// Any number of tags.
    Tags,
    /// An order of items.
    Rank,
    /// Shares of classes, summing to one.
    Shares,
    /// Several real numbers.
    Numbers,
}

impl Task {
    /// Its name as the user spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Classify => "classify",
            Self::Regress => "regress",
            Self::Ordinal => "ordinal",
            Self::Tags => "tags",
            Self::Rank => "rank",
            Self::Shares => "shares",
            Self::Numbers => "numbers",
        }
    }

    /// Whether it predicts numbers, which have no natural scale of their own.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Regress | Self::Numbers)
    }
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Rows of numbers.
    Table,
    /// Nodes and edges.
    Graph,
    /// Similarities of all samples with all samples.
    Gram,
}

impl Recipe {
    /// The recipe nobody has to think about: spectrally transformed kernel
    /// regression with the inverse Laplacian for classes, harmonic functions for
    /// values.
    ///
    /// Centred labels, the trivial mode removed and η = 0.99: on the paper's
    /// graphs accuracy was measured to be flat in η then, so nothing hangs on η.
    pub fn automatic(task: Task, seed: u64) -> Self {
        let method = match task {
            Task::Regress | Task::Numbers => Method::Harmonic(HarmonicParams::default()),
            _ => Method::Stkr(StkrParams::default()),
        };
        Self::of(method, task, seed)
    }

    /// A method with everything else left to its default.
    pub fn of(method: Method, task: Task, seed: u64) -> Self {
        Self {
            method,
            task,
            scaling: None,
            neighbours: None,
            kernel: None,
            normalisation: None,
            losses: None,
            priors: None,
            thresholds: None,
            seed,
            function: None,
        }
    }

    /// The estimator of these parameters, with the caller's own function where there is one.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a value out of range, or one of a custom transform and its
    /// function without the other.
    pub(super) fn stkr(&self, params: &StkrParams) -> Result<Stkr> {
        let custom = matches!(params.transform, Transform::Custom {});
        let stkr = match &self.function {
            Some(_) if !custom => {
                return Err(Error::parameter(
                    "transform",
                    "custom where a function is given",
                    params.transform.name(),
                )
                .with_hint("leave the function out"));
            }
            Some(Function(s)) => Stkr::with_function(Shared(s.clone()), params.clone())?,
            None => Stkr::new(params.clone())?,
        };
        Ok(stkr.seeded(self.seed))
    }

    /// As [`Recipe::check`] for a recipe that was fitted: a function of the caller's own need
    /// not be there.
    pub(super) fn check_stored(&self, shape: Shape) -> Result<()> {
        match &self.method {
            Method::Stkr(params) if matches!(params.transform, Transform::Custom {}) => Self {
                function: Some(Function(Arc::new(|eigenvalue: f64| eigenvalue))),
                ..self.clone()
            }
            .check(shape),
            _ => self.check(shape),
        }
    }

    /// Checks everything that can be checked without the data's numbers.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a value out of range or one that would be
    /// ignored; [`Error::Refused`] for a method that cannot serve the data or task.
    pub fn check(&self, shape: Shape) -> Result<()> {
        match (&self.method, self.task, shape) {
            (Method::KernelRidge(_) | Method::Laplacian(_), _, Shape::Graph) => {
                return Err(Error::refused(
                    Refusal::Method,
                    format!("{} needs rows of numbers, not a graph", self.method.name()),
                    "use stkr, label-propagation or harmonic",
                ));
            }
            (Method::Stkr(_), ..) => {}
            (method, _, Shape::Gram) => {
                let hint = match method {
                    Method::KernelRidge(_) => {
                        "use stkr with the transform power of degree 1: on similarities that is \
                         kernel ridge"
                    }
                    Method::Laplacian(_) => "use stkr, or give the rows that were compared",
                    _ => "use stkr, or give the similarities as the edges of a graph",
                };
                let what = format!("{} does not work on given similarities", method.name());
                return Err(Error::refused(Refusal::Method, what, hint));
            }
            (Method::LabelPropagation(_), task, _) if task.is_numeric() => {
                return Err(Error::refused(
                    Refusal::Method,
                    "label-propagation scores have no scale, so they cannot predict values",
                    "use stkr, harmonic or kernel-ridge",
                ));
            }
            (Method::LabelPropagation(params), task, _)
                if task != Task::Classify
                    && (params.centre_labels || params.trivial_mode != TrivialMode::Keep) =>
            {
                return Err(Error::refused(
                    Refusal::Method,
                    format!(
                        "the task {} needs scores with a scale, which centred labels and a removed \
                         trivial mode take away",
                        task.name()
                    ),
                    "leave centre_labels and trivial_mode as they are by default",
                ));
            }
            (Method::Harmonic(params), task, _)
                if task != Task::Classify && params.class_mass != ClassMass::AsFound =>
            {
                return Err(Error::refused(
                    Refusal::Method,
                    "numbers have no class masses to normalise",
                    "leave class_mass out, or choose the task classify",
                ));
            }
            (Method::KernelRidge(params), ..) => {
                KernelRidge::new(params.clone(), self.seed)?;
            }
            (Method::Laplacian(params), ..) => {
                Laplacian::new(params.clone(), self.seed)?;
            }
            (Method::LabelPropagation(params), ..) => {
                LabelPropagation::new(params.clone())?;
            }
            (Method::Harmonic(params), ..) => {
                Harmonic::new(params.clone())?;
            }
        }
        if let Method::Stkr(params) = &self.method {
            self.stkr(params)?;
            // A normalised graph's largest eigenvalue is 1; other matrices are looked at.
            let normalised = shape != Shape::Gram
                && self.kernel.is_none()
                && self.normalisation != Some(Normalisation::Given);
            if let Transform::InverseLaplacian { eta } = params.transform
                && eta >= 1.0
                && normalised
            {
                return Err(Error::parameter("eta", "at least 0 and below 1", eta));
            }
        }
        if self.neighbours == Some(0) {
            return Err(Error::parameter("neighbours", "at least 1", 0));
        }
        let unused = |name, got: String| Error::Parameter {
            name,
            expected: "left out: nothing here would read it".to_owned(),
            got,
            hint: None,
        };
        let stkr = matches!(self.method, Method::Stkr(_));
        // Rows are compared by a kernel, not joined to neighbours.
        let compared = self.method.compares() || self.kernel.is_some();
        if let Some(count) = self.neighbours
            && (shape != Shape::Table || compared)
        {
            return Err(unused("neighbours", count.to_string()));
        }
        if let Some(kernel) = &self.kernel {
            if shape != Shape::Table || !stkr {
                return Err(unused("kernel", kernel.name().to_owned()));
            }
            kernel.clone().resolved(1.0).build()?;
        }
        if let Some(normalisation) = self.normalisation
            && (!stkr || self.kernel.is_some() || shape == Shape::Gram)
        {
            let got = format!("{normalisation:?}").to_lowercase();
            return Err(unused("normalisation", got));
        }
        if self.losses.is_some() && self.task != Task::Classify {
            return Err(unused("losses", "a cost of each decision".to_owned()));
        }
        if self.priors.is_some() && self.task != Task::Classify {
            return Err(unused("priors", "class shares".to_owned()));
        }
        if self.thresholds.is_some() && self.task != Task::Tags {
            return Err(unused("thresholds", "an F1".to_owned()));
        }
        if let Some(losses) = &self.losses {
            loss_matrix(losses.classes.len(), &losses.losses)?;
        }
        if let Some(scaling) = self.scaling
            && shape != Shape::Table
        {
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
