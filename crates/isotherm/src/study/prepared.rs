//! A method on its data, for any set of labels: run-time choice of the method lives here and in
//! [`Predictor`].

use crate::base::{Adjacency, GraphBase, KernelBase, NeighbourBase, SimilarityBase};
use crate::error::{Error, Refusal, Result};
use crate::estimator::baseline::harmonic::PreparedHarmonic;
use crate::estimator::baseline::kernel_ridge::PreparedRidge;
use crate::estimator::baseline::label_propagation::PreparedPropagation;
use crate::estimator::baseline::{Harmonic, LabelPropagation};
use crate::estimator::blend::PreparedBlend;
use crate::estimator::laplacian::PreparedLaplacian;
use crate::estimator::stkr::PreparedStkr;
use crate::estimator::{Estimator, Linear, Prepared, Prior, Smoother, Spectral, Subsets};
use crate::expansion::{Fitted, Scores};
use crate::kernel::KernelSpec;
use crate::model::Predictor;
use crate::monitor::Monitor;
use crate::recipe::{Method, Recipe};
use crate::task::Observed;

/// A method on its data.
pub(crate) enum PreparedMethod {
    Ridge(PreparedRidge),
    Laplacian {
        prepared: Box<PreparedLaplacian>,
        /// How open parameters were chosen, in words.
        chosen: Option<String>,
    },
    Kernel {
        prepared: Box<PreparedStkr<KernelBase>>,
        kernel: KernelSpec,
    },
    Neighbours(PreparedOnGraph<NeighbourBase>),
    Graph(PreparedOnGraph<GraphBase>),
    Blend(Box<PreparedBlend>),
    Gram(Box<PreparedStkr<SimilarityBase>>),
}

/// A method that works along edges, on a given graph or on neighbours.
pub(crate) enum PreparedOnGraph<B> {
    Stkr(Box<PreparedStkr<B>>),
    Propagation(PreparedPropagation<B>),
    Harmonic(PreparedHarmonic<B>),
}

/// The same expression for every prepared method.
macro_rules! for_each_method {
    ($method:expr, $prepared:ident => $expression:expr) => {
        match $method {
            PreparedMethod::Ridge($prepared) => $expression,
            PreparedMethod::Laplacian {
                prepared: $prepared,
                ..
            } => $expression,
            PreparedMethod::Kernel {
                prepared: $prepared,
                ..
            } => $expression,
            PreparedMethod::Neighbours($prepared) => $expression,
            PreparedMethod::Graph($prepared) => $expression,
            PreparedMethod::Blend($prepared) => $expression,
            PreparedMethod::Gram($prepared) => $expression,
        }
    };
}

macro_rules! for_each_on_graph {
    ($method:expr, $prepared:ident => $expression:expr) => {
        match $method {
            PreparedOnGraph::Stkr($prepared) => $expression,
            PreparedOnGraph::Propagation($prepared) => $expression,
            PreparedOnGraph::Harmonic($prepared) => $expression,
        }
    };
}

impl<B: Adjacency> PreparedOnGraph<B> {
    pub(super) fn new(recipe: &Recipe, base: B, monitor: &mut dyn Monitor) -> Result<Self> {
        Ok(match &recipe.method {
            Method::Stkr(params) => {
                let estimator = recipe.stkr(params)?;
                Self::Stkr(Box::new(estimator.prepare(base, monitor)?))
            }
            Method::LabelPropagation(params) => {
                let estimator = LabelPropagation::new(params.clone())?;
                Self::Propagation(estimator.prepare(base, monitor)?)
            }
            Method::Harmonic(params) => {
                let estimator = Harmonic::new(params.clone())?;
                Self::Harmonic(estimator.prepare(base, monitor)?)
            }
            Method::KernelRidge(_) | Method::Laplacian(_) | Method::Blend(_) => {
                return Err(Error::refused(
                    Refusal::Method,
                    format!("{} does not work along edges", recipe.method.name()),
                    "use stkr, label-propagation or harmonic",
                ));
            }
        })
    }

    /// The graph.
    pub(crate) fn base(&self) -> &B {
        match self {
            Self::Stkr(prepared) => prepared.base(),
            Self::Propagation(prepared) => prepared.parts().0,
            Self::Harmonic(prepared) => prepared.base(),
        }
    }

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        for_each_on_graph!(self, prepared => prepared.solve(seen, monitor))
    }

    fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        for_each_on_graph!(self, prepared => prepared.smoother(seen, monitor))
    }

    fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        for_each_on_graph!(self, prepared => prepared.subsets(seen, monitor))
    }

    fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior> {
        for_each_on_graph!(self, prepared => prepared.spectral(count, monitor))
    }

    fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        for_each_on_graph!(self, prepared => prepared.influence(seen, monitor))
    }
}

impl PreparedMethod {
    /// Solves for one set of labels.
    pub(super) fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Predictor> {
        Ok(match self {
            Self::Ridge(prepared) => Predictor::Kernel {
                fitted: prepared.solve(seen, monitor)?,
                kernel: prepared.kernel().clone(),
            },
            Self::Laplacian { prepared, chosen } => {
                let mut fitted = prepared.solve(seen, monitor)?;
                if let (Some(chosen), Some(choice)) = (chosen, &mut fitted.report.choice) {
                    choice.insert_str(0, chosen);
                }
                Predictor::Features {
                    fitted,
                    kernel: prepared.params().kernel.clone(),
                }
            }
            Self::Kernel { prepared, kernel } => Predictor::Kernel {
                fitted: prepared.solve(seen, monitor)?,
                kernel: kernel.clone(),
            },
            Self::Neighbours(prepared) => Predictor::Neighbours(prepared.solve(seen, monitor)?),
            Self::Graph(prepared) => Predictor::Graph(prepared.solve(seen, monitor)?),
            Self::Blend(prepared) => Predictor::Blend(prepared.solve(seen, monitor)?),
            Self::Gram(prepared) => Predictor::Gram(prepared.solve(seen, monitor)?),
        })
    }

    /// The method's matrices at these labels.
    pub(super) fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        for_each_method!(self, prepared => prepared.smoother(seen, monitor))
    }

    /// Fits to any of these labels.
    pub(super) fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        for_each_method!(self, prepared => prepared.subsets(seen, monitor))
    }

    /// The method's matrices for labels that are still to be chosen: with the modes of
    /// components kept, whatever the parameters say. Without its constant a component prefers
    /// labels that vary.
    pub(super) fn settling(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        match self {
            Self::Kernel { prepared, .. } => prepared.keeping_modes().smoother(seen, monitor),
            Self::Gram(prepared) => prepared.keeping_modes().smoother(seen, monitor),
            Self::Neighbours(PreparedOnGraph::Stkr(prepared)) => {
                prepared.keeping_modes().smoother(seen, monitor)
            }
            Self::Graph(PreparedOnGraph::Stkr(prepared)) => {
                prepared.keeping_modes().smoother(seen, monitor)
            }
            other => other.smoother(seen, monitor),
        }
    }

    /// The method as Bayesian ridge on so many features.
    pub(super) fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior> {
        for_each_method!(self, prepared => prepared.spectral(count, monitor))
    }

    /// `βᵢ(x)` at every sample that was prepared, one column per label.
    pub(super) fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Scores> {
        fn solved<B>(fitted: Fitted<B>) -> Result<Scores> {
            fitted.visible.ok_or_else(|| {
                Error::refused(
                    Refusal::Method,
                    "this fit has no scores of its own samples",
                    "ask it for new ones",
                )
            })
        }
        match self {
            Self::Ridge(prepared) => {
                let fitted = prepared.influence(seen, monitor)?;
                match fitted.visible {
                    Some(scores) => Ok(scores),
                    None => fitted.scores(prepared.points(), monitor),
                }
            }
            Self::Laplacian { prepared, .. } => {
                let fitted = prepared.influence(seen, monitor)?;
                match fitted.visible {
                    Some(scores) => Ok(scores),
                    None => fitted.scores(prepared.points()?, monitor),
                }
            }
            Self::Kernel { prepared, .. } => solved(prepared.influence(seen, monitor)?),
            Self::Neighbours(prepared) => solved(prepared.influence(seen, monitor)?),
            Self::Graph(prepared) => solved(prepared.influence(seen, monitor)?),
            Self::Blend(prepared) => solved(prepared.influence(seen, monitor)?),
            Self::Gram(prepared) => solved(prepared.influence(seen, monitor)?),
        }
    }
}
