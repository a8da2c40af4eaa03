//! Recipe + data → one geometry for any set of labels: the one place that matches on
//! the method.

use super::fit::{Input, conflicts, constants, kernel_base, neighbour_base};
use super::laplacian;
use super::model::{Predictor, Warning};
use super::recipe::{Method, Recipe, Scaling};
use crate::base::{Adjacency, GraphBase, KernelBase, NeighbourBase, SimilarityBase};
use crate::data::scaling::constant_columns;
use crate::data::{Points, Standardiser, Targets};
use crate::error::{Error, Refusal, Result};
use crate::estimator::baseline::harmonic::PreparedHarmonic;
use crate::estimator::baseline::kernel_ridge::PreparedRidge;
use crate::estimator::baseline::label_propagation::PreparedPropagation;
use crate::estimator::baseline::{Harmonic, KernelRidge, LabelPropagation};
use crate::estimator::laplacian::{Laplacian, PreparedLaplacian};
use crate::estimator::stkr::PreparedStkr;
use crate::estimator::{Estimator, Linear, Prepared, Prior, Smoother, Spectral, Subsets};
use crate::kernel::KernelSpec;
use crate::model::{Fitted, Scores};
use crate::monitor::Monitor;
use crate::task::Observed;

/// A prepared recipe and what was learned on the way.
pub(super) struct Ready {
    pub(super) geometry: Geometry,
    pub(super) scaling: Option<Standardiser>,
    pub(super) warnings: Vec<Warning>,
}

/// A method on its data; run-time choice lives here and in [`Predictor`].
pub(super) enum Geometry {
    Ridge(PreparedRidge),
    Laplacian {
        prepared: Box<PreparedLaplacian>,
        chosen: Option<String>,
    },
    Kernel {
        prepared: Box<PreparedStkr<KernelBase>>,
        kernel: KernelSpec,
    },
    Neighbours(Walking<NeighbourBase>),
    Graph(Walking<GraphBase>),
    Gram(Box<PreparedStkr<SimilarityBase>>),
}

/// The methods that walk along edges, on a graph of either kind.
pub(super) enum Walking<B> {
    Stkr(Box<PreparedStkr<B>>),
    Propagation(PreparedPropagation<B>),
    Harmonic(PreparedHarmonic<B>),
}

impl Ready {
    /// Prepares a recipe that was checked; labels decide only what it leaves open.
    pub(super) fn new(
        recipe: &Recipe,
        input: Input,
        targets: &Targets,
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let points = match input {
            Input::Graph(graph) => {
                let normalisation = recipe.normalisation.unwrap_or_default();
                let base = GraphBase::normalised(graph, normalisation)?;
                return Ok(Self {
                    geometry: Geometry::Graph(Walking::new(recipe, base, monitor)?),
                    scaling: None,
                    warnings: Vec::new(),
                });
            }
            Input::Gram(rows) => {
                let base = SimilarityBase::from_rows(&rows)?;
                return Ok(Self {
                    geometry: Geometry::gram(recipe, base, monitor)?,
                    scaling: None,
                    warnings: Vec::new(),
                });
            }
            Input::Table(points) => points,
        };
        let (points, scaling, mut warnings) = scaled(recipe, points, targets, seen, monitor)?;
        let geometry = match (&recipe.method, &recipe.kernel) {
            (Method::KernelRidge(params), _) => {
                let estimator = KernelRidge::new(params.clone(), recipe.seed)?;
                Geometry::Ridge(estimator.prepare(points, monitor)?)
            }
            (Method::Laplacian(params), _) => {
                let open =
                    laplacian::choose(recipe, params, &points, seen, &mut warnings, monitor)?;
                let estimator = Laplacian::new(open.params, recipe.seed)?;
                Geometry::Laplacian {
                    prepared: Box::new(estimator.prepare(points, monitor)?),
                    chosen: open.chosen,
                }
            }
            (Method::Stkr(params), Some(kernel)) => {
                let (base, kernel) = kernel_base(points, kernel, recipe.seed)?;
                let estimator = recipe.stkr(params)?;
                Geometry::Kernel {
                    prepared: Box::new(estimator.prepare(base, monitor)?),
                    kernel,
                }
            }
            _ => {
                let base = neighbour_base(recipe, points, monitor)?;
                Geometry::Neighbours(Walking::new(recipe, base, monitor)?)
            }
        };
        Ok(Self {
            geometry,
            scaling,
            warnings,
        })
    }
}

/// The rows as the recipe scales them, and what is to be said of them.
pub(super) fn scaled(
    recipe: &Recipe,
    points: Points,
    targets: &Targets,
    seen: &Observed,
    monitor: &mut dyn Monitor,
) -> Result<(Points, Option<Standardiser>, Vec<Warning>)> {
    let mut warnings = constants(constant_columns(&points), points.len(), points.dim())?;
    let pairs = conflicts(&points, seen.index(), targets, seen.index());
    if pairs > 0 {
        warnings.push(Warning::Conflicts { pairs });
    }
    let scaling = match recipe.scaling.unwrap_or_default() {
        Scaling::Standardise => Some(Standardiser::learn(&points, monitor)?),
        Scaling::None => None,
    };
    let points = match &scaling {
        Some(scaling) => scaling.apply(points, monitor)?,
        None => points,
    };
    Ok((points, scaling, warnings))
}

impl<B: Adjacency> Walking<B> {
    fn new(recipe: &Recipe, base: B, monitor: &mut dyn Monitor) -> Result<Self> {
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
            Method::KernelRidge(_) | Method::Laplacian(_) => {
                return Err(Error::refused(
                    Refusal::Method,
                    format!("{} does not walk along edges", recipe.method.name()),
                    "use stkr, label-propagation or harmonic",
                ));
            }
        })
    }

    /// The graph.
    pub(super) fn base(&self) -> &B {
        match self {
            Self::Stkr(prepared) => prepared.base(),
            Self::Propagation(prepared) => prepared.parts().0,
            Self::Harmonic(prepared) => prepared.base(),
        }
    }

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        match self {
            Self::Stkr(prepared) => prepared.solve(seen, monitor),
            Self::Propagation(prepared) => prepared.solve(seen, monitor),
            Self::Harmonic(prepared) => prepared.solve(seen, monitor),
        }
    }

    fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        match self {
            Self::Stkr(prepared) => prepared.smoother(seen, monitor),
            Self::Propagation(prepared) => prepared.smoother(seen, monitor),
            Self::Harmonic(prepared) => prepared.smoother(seen, monitor),
        }
    }

    fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        match self {
            Self::Stkr(prepared) => prepared.subsets(seen, monitor),
            Self::Propagation(prepared) => prepared.subsets(seen, monitor),
            Self::Harmonic(prepared) => prepared.subsets(seen, monitor),
        }
    }

    fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior> {
        match self {
            Self::Stkr(prepared) => prepared.spectral(count, monitor),
            Self::Propagation(prepared) => prepared.spectral(count, monitor),
            Self::Harmonic(prepared) => prepared.spectral(count, monitor),
        }
    }

    fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        match self {
            Self::Stkr(prepared) => prepared.influence(seen, monitor),
            Self::Propagation(prepared) => prepared.influence(seen, monitor),
            Self::Harmonic(prepared) => prepared.influence(seen, monitor),
        }
    }
}

impl Geometry {
    fn gram(recipe: &Recipe, base: SimilarityBase, monitor: &mut dyn Monitor) -> Result<Self> {
        let Method::Stkr(params) = &recipe.method else {
            return Err(Error::refused(
                Refusal::Method,
                format!(
                    "{} does not work on given similarities",
                    recipe.method.name()
                ),
                "use stkr",
            ));
        };
        let estimator = recipe.stkr(params)?;
        Ok(Self::Gram(Box::new(estimator.prepare(base, monitor)?)))
    }

    /// Solves for one set of labels.
    pub(super) fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Predictor> {
        Ok(match self {
            Self::Ridge(prepared) => Predictor::Kernel {
                fitted: prepared.solve(seen, monitor)?,
                kernel: prepared.kernel().clone(),
            },
            Self::Laplacian { prepared, chosen } => {
                laplacian::predictor(prepared, chosen.clone(), seen, monitor)?
            }
            Self::Kernel { prepared, kernel } => Predictor::Kernel {
                fitted: prepared.solve(seen, monitor)?,
                kernel: kernel.clone(),
            },
            Self::Neighbours(walking) => Predictor::Neighbours(walking.solve(seen, monitor)?),
            Self::Graph(walking) => Predictor::Graph(walking.solve(seen, monitor)?),
            Self::Gram(prepared) => Predictor::Gram(prepared.solve(seen, monitor)?),
        })
    }

    /// The method's matrices at these labels.
    pub(super) fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        match self {
            Self::Ridge(prepared) => prepared.smoother(seen, monitor),
            Self::Laplacian { prepared, .. } => prepared.smoother(seen, monitor),
            Self::Kernel { prepared, .. } => prepared.smoother(seen, monitor),
            Self::Neighbours(walking) => walking.smoother(seen, monitor),
            Self::Graph(walking) => walking.smoother(seen, monitor),
            Self::Gram(prepared) => prepared.smoother(seen, monitor),
        }
    }

    /// Fits to any of these labels.
    pub(super) fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        match self {
            Self::Ridge(prepared) => prepared.subsets(seen, monitor),
            Self::Laplacian { prepared, .. } => prepared.subsets(seen, monitor),
            Self::Kernel { prepared, .. } => prepared.subsets(seen, monitor),
            Self::Neighbours(walking) => walking.subsets(seen, monitor),
            Self::Graph(walking) => walking.subsets(seen, monitor),
            Self::Gram(prepared) => prepared.subsets(seen, monitor),
        }
    }

    /// The method's matrices for labels that are still to be chosen: with the modes of
    /// components in, whatever the parameters say. Without its constant a component would
    /// rather have labels that vary.
    pub(super) fn settling(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        match self {
            Self::Kernel { prepared, .. } => prepared.keeping_modes().smoother(seen, monitor),
            Self::Gram(prepared) => prepared.keeping_modes().smoother(seen, monitor),
            Self::Neighbours(Walking::Stkr(prepared)) => {
                prepared.keeping_modes().smoother(seen, monitor)
            }
            Self::Graph(Walking::Stkr(prepared)) => {
                prepared.keeping_modes().smoother(seen, monitor)
            }
            other => other.smoother(seen, monitor),
        }
    }

    /// The method as Bayesian ridge on so many features.
    pub(super) fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior> {
        match self {
            Self::Ridge(prepared) => prepared.spectral(count, monitor),
            Self::Laplacian { prepared, .. } => prepared.spectral(count, monitor),
            Self::Kernel { prepared, .. } => prepared.spectral(count, monitor),
            Self::Neighbours(walking) => walking.spectral(count, monitor),
            Self::Graph(walking) => walking.spectral(count, monitor),
            Self::Gram(prepared) => prepared.spectral(count, monitor),
        }
    }

    /// `βᵢ(x)` at every sample that was prepared, one column a label.
    pub(super) fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Scores> {
        let predictor = match self {
            Self::Ridge(prepared) => Predictor::Kernel {
                fitted: prepared.influence(seen, monitor)?,
                kernel: prepared.kernel().clone(),
            },
            Self::Laplacian { prepared, .. } => Predictor::Features {
                fitted: prepared.influence(seen, monitor)?,
                kernel: prepared.params().kernel.clone(),
            },
            Self::Kernel { prepared, kernel } => Predictor::Kernel {
                fitted: prepared.influence(seen, monitor)?,
                kernel: kernel.clone(),
            },
            Self::Neighbours(walking) => Predictor::Neighbours(walking.influence(seen, monitor)?),
            Self::Graph(walking) => Predictor::Graph(walking.influence(seen, monitor)?),
            Self::Gram(prepared) => Predictor::Gram(prepared.influence(seen, monitor)?),
        };
        self.everywhere(&predictor, monitor)
    }

    /// Scores of every sample that was prepared.
    pub(super) fn everywhere(
        &self,
        predictor: &Predictor,
        monitor: &mut dyn Monitor,
    ) -> Result<Scores> {
        if let Some(visible) = predictor.visible() {
            return Ok(visible.clone());
        }
        match (self, predictor) {
            (Self::Ridge(prepared), Predictor::Kernel { fitted, .. }) => {
                fitted.scores(prepared.points(), monitor)
            }
            (Self::Laplacian { prepared, .. }, Predictor::Features { fitted, .. }) => {
                fitted.scores(prepared.points()?, monitor)
            }
            _ => Err(Error::refused(
                Refusal::Method,
                "this fit has no scores of its own samples",
                "ask it for new ones",
            )),
        }
    }
}
