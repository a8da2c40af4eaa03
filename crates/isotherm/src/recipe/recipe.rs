//! What a user can say.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::class_shares::ClassShares;
use super::losses::Losses;
use super::method::Method;
use super::shape::Shape;
use super::smoothing::Smoothing;
use super::task::Task;
use crate::base::Normalisation;
use crate::error::{Error, Result};
use crate::estimator::baseline::HarmonicParams;
use crate::estimator::blend::BlendParams;
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
    /// Nodes become rows of their features, averaged over the graph, and the method compares
    /// rows; graphs with features under another method than a blend only. Absent means that it
    /// works along edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smooth: Option<Smoothing>,
    /// How columns are scaled; tables and smoothed features only. Absent means standardise, or
    /// none for smoothed features, whose columns differ in what they tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaling: Option<Scaling>,
    /// Neighbours that join rows into a graph; tables under a graph method
    /// only. Absent means 10, or half of the other rows
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
    /// Where the classes' shares among all rows come from; classes only. Absent means from
    /// `priors` where they are given, else from the labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_shares: Option<ClassShares>,
    /// The classes' shares among all rows, where they are known; classes only.
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

/// Neighbours of a row, when nobody says otherwise.
pub(crate) const DEFAULT_NEIGHBOURS: usize = 10;

/// [`DEFAULT_NEIGHBOURS`], but no more than half of the other rows: when
/// everybody is everybody's neighbour, the graph says nothing of the rows.
pub(crate) fn default_neighbours(rows: usize) -> usize {
    DEFAULT_NEIGHBOURS.min(rows.saturating_sub(1) / 2).max(1)
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

impl Recipe {
    /// The recipe for a user who names no method: a blend of several kernels on a table or a
    /// graph, [`Recipe::on_graph`] on given similarities.
    pub fn automatic(shape: Shape, task: Task, seed: u64) -> Self {
        match shape {
            Shape::Table | Shape::Graph => {
                Self::of(Method::Blend(BlendParams::default()), task, seed)
            }
            Shape::Gram => Self::on_graph(task, seed),
        }
    }

    /// The usual recipe on one graph: spectrally transformed kernel regression with the
    /// inverse Laplacian for classes, harmonic functions for values. A table becomes a graph
    /// of nearest neighbours.
    ///
    /// Centred labels, the trivial mode removed and η = 0.99: on the paper's graphs accuracy
    /// hardly changed with η then.
    pub fn on_graph(task: Task, seed: u64) -> Self {
        let method = match task {
            Task::Regress | Task::Numbers => Method::Harmonic(HarmonicParams::default()),
            _ => Method::Stkr(StkrParams::default()),
        };
        Self::of(method, task, seed)
    }

    /// The usual recipe for features of nodes that are averaged over the graph: a kernel Laplacian
    /// on landmarks. The kernel is that of the blend; it has no bandwidth to choose, and Gaussians
    /// with a bandwidth by leave-one-out were no better.
    pub fn on_smoothed(smooth: Smoothing, task: Task, seed: u64) -> Self {
        let mut method = Method::laplacian(task);
        if let Method::Laplacian(params) = &mut method {
            params.kernel = KernelSpec::ArcCosine {};
        }
        Self {
            smooth: Some(smooth),
            ..Self::of(method, task, seed)
        }
    }

    /// A method with everything else left to its default.
    pub fn of(method: Method, task: Task, seed: u64) -> Self {
        Self {
            method,
            task,
            smooth: None,
            scaling: None,
            neighbours: None,
            kernel: None,
            normalisation: None,
            losses: None,
            class_shares: None,
            priors: None,
            thresholds: None,
            seed,
            function: None,
        }
    }

    /// Whether it learns from the features of a graph's nodes, and not from edges alone.
    pub fn reads_node_features(&self) -> bool {
        self.smooth.is_some() || matches!(self.method, Method::Blend(_))
    }

    /// Where class shares come from: as was said, from the user where shares are given, else
    /// from the labels.
    pub fn shares_from(&self) -> ClassShares {
        match (self.class_shares, &self.priors) {
            (Some(source), _) => source,
            (None, Some(_)) => ClassShares::Given,
            (None, None) => ClassShares::Labels,
        }
    }

    /// The estimator of these parameters, with the caller's own function where there is one.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a value out of range, or one of a custom transform and its
    /// function without the other.
    pub(crate) fn stkr(&self, params: &StkrParams) -> Result<Stkr> {
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
