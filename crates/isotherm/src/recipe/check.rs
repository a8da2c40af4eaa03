//! Whether a recipe can serve the data, before the data are looked at.

use std::sync::Arc;

use super::class_shares::ClassShares;
use super::losses::loss_matrix;
use super::method::Method;
use super::recipe::{Function, Recipe};
use super::shape::Shape;
use super::task::Task;
use crate::base::Normalisation;
use crate::error::{Error, Refusal, Result};
use crate::estimator::TrivialMode;
use crate::estimator::baseline::{ClassMass, Harmonic, KernelRidge, LabelPropagation};
use crate::estimator::blend::Blend;
use crate::estimator::laplacian::Laplacian;
use crate::spectrum::Transform;

impl Recipe {
    /// As [`Recipe::check`] for a recipe that was fitted: a function of the caller's own need
    /// not be there.
    pub(crate) fn check_stored(&self, shape: Shape) -> Result<()> {
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
        if let Some(smooth) = &self.smooth {
            smooth.check()?;
            if shape != Shape::Graph || matches!(self.method, Method::Blend(_)) {
                return Err(unused("smooth", format!("{smooth:?}").to_lowercase()));
            }
            // Nodes become rows.
            return Self {
                smooth: None,
                ..self.clone()
            }
            .check(Shape::Table);
        }
        match (&self.method, self.task, shape) {
            (Method::KernelRidge(_) | Method::Laplacian(_), _, Shape::Graph) => {
                return Err(Error::refused(
                    Refusal::Method,
                    format!("{} needs rows of numbers, not a graph", self.method.name()),
                    "give features of the nodes and `smooth`, or use blend, stkr, \
                     label-propagation or harmonic",
                ));
            }
            (Method::Stkr(_), ..) => {}
            (method, _, Shape::Gram) => {
                let hint = match method {
                    Method::KernelRidge(_) => {
                        "use stkr with the transform power of degree 1: on similarities that is \
                         kernel ridge"
                    }
                    Method::Laplacian(_) | Method::Blend(_) => {
                        "use stkr, or give the rows that were compared"
                    }
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
            (Method::Blend(params), ..) => {
                Blend::new(params.clone(), self.seed)?;
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
        self.check_shares()?;
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

    /// Whether class shares come from where they can.
    fn check_shares(&self) -> Result<()> {
        let Some(source) = self.class_shares else {
            return Ok(());
        };
        let refused = |expected: &str, hint: &str| {
            let found = Error::parameter("class_shares", expected, source.name());
            Err(found.with_hint(hint))
        };
        match (source, &self.priors) {
            _ if self.task != Task::Classify => refused(
                "left out: only classes have shares",
                "leave it out, or choose the task classify",
            ),
            (ClassShares::Given, None) => refused(
                "labels or unlabelled where no shares are given",
                "give the share of each class with `priors`",
            ),
            (ClassShares::Labels | ClassShares::Unlabelled, Some(_)) => refused(
                "given where `priors` are",
                "leave one of them out: `priors` are the shares",
            ),
            (ClassShares::Unlabelled, None) if self.losses.is_some() => refused(
                "labels or given beside costs of decisions: their probabilities are not calibrated",
                "give the share of each class with `priors`",
            ),
            _ => Ok(()),
        }
    }
}

fn unused(name: &'static str, got: String) -> Error {
    Error::Parameter {
        name,
        expected: "left out: nothing here would read it".to_owned(),
        got,
        hint: None,
    }
}
