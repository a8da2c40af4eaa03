//! Parameters of each method, by name.

use super::dataset::Dataset;
use super::fitted::FittedMethod;
use crate::error::Result;
use crate::estimator::baseline::{HarmonicParams, KernelRidgeParams, LabelPropagationParams};
use crate::estimator::laplacian::{BasisSpec, LaplacianParams};
use crate::estimator::stkr::{Ridge, StkrParams};
use crate::kernel::KernelSpec;
use crate::labelling::WeightedTargets;
use crate::monitor::Quiet;
use crate::recipe::{Method, Recipe, Scaling, Task};
use crate::spectrum::{Filter, Transform};
use crate::study::Study;

/// Parameters of a method, and of the data it works on. Parameters are checked by
/// [`Params::fit`]; one that the data or the method would not read is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Params<P> {
    /// The method's own parameters; those without a setter can be set here.
    pub method: P,
    task: Option<Task>,
    neighbours: Option<usize>,
    kernel: Option<KernelSpec>,
    scaling: Option<Scaling>,
    seed: u64,
}

impl<P: Clone + Into<Method>> Params<P> {
    fn new(method: P) -> Self {
        Self {
            method,
            task: None,
            neighbours: None,
            kernel: None,
            scaling: None,
            seed: 0,
        }
    }

    /// The task, where the labels alone do not say it: classes in an order.
    pub fn task(self, task: Task) -> Self {
        Self {
            task: Some(task),
            ..self
        }
    }

    /// Neighbours that join the rows of a table into a graph.
    pub fn neighbours(self, count: usize) -> Self {
        Self {
            neighbours: Some(count),
            ..self
        }
    }

    /// How the columns of a table are scaled; standardised unless this is said.
    pub fn scaling(self, scaling: Scaling) -> Self {
        Self {
            scaling: Some(scaling),
            ..self
        }
    }

    /// Every random choice follows from it.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The recipe that these parameters are for a task.
    pub fn recipe(&self, task: Task) -> Recipe {
        Recipe {
            neighbours: self.neighbours,
            kernel: self.kernel.clone(),
            scaling: self.scaling,
            ..Recipe::of(self.method.clone().into(), task, self.seed)
        }
    }

    /// Fits to the labels of a dataset.
    ///
    /// # Errors
    /// As [`Study::new`] and [`Study::fit`].
    pub fn fit(&self, dataset: &Dataset) -> Result<FittedMethod> {
        let recipe = self.recipe(self.task.unwrap_or(dataset.task()));
        let given = WeightedTargets {
            targets: &dataset.targets,
            weights: dataset.weights.as_deref(),
        };
        let mut study = Study::new(&recipe, dataset.input.clone(), given)?;
        let model = study.fit(&mut Quiet)?;
        Ok(FittedMethod { study, model })
    }
}

/// Spectrally transformed kernel regression.  \[STKR\]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stkr;

impl Stkr {
    /// The default parameters: the inverse Laplacian with η = 0.99.
    pub fn params() -> Params<StkrParams> {
        Params::new(StkrParams::default())
    }
}

impl Params<StkrParams> {
    /// The inverse Laplacian, s(λ) = λ/(1 − ηλ).
    pub fn eta(self, eta: f64) -> Self {
        self.transform(Transform::InverseLaplacian { eta })
    }

    /// The spectral transform s(λ).
    pub fn transform(mut self, transform: Transform) -> Self {
        self.method.transform = transform;
        self
    }

    /// The ridge β.
    pub fn ridge(mut self, ridge: f64) -> Self {
        self.method.ridge = Ridge::Fixed(ridge);
        self
    }

    /// Rows are compared by a kernel instead of joined to neighbours.
    pub fn kernel(self, kernel: KernelSpec) -> Self {
        Self {
            kernel: Some(kernel),
            ..self
        }
    }
}

/// Laplacian regularisation with a kernel and its derivatives, on tables.  \[KLAP\]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Laplacian;

impl Laplacian {
    /// The default parameters: bandwidth, norm share and strength by leave-one-out.
    pub fn params() -> Params<LaplacianParams> {
        Params::new(LaplacianParams::default())
    }
}

impl Params<LaplacianParams> {
    /// The kernel, which must have a gradient everywhere.
    pub fn kernel(mut self, kernel: KernelSpec) -> Self {
        self.method.kernel = kernel;
        self
    }

    /// Tikhonov regularisation of this strength λ.
    pub fn strength(mut self, strength: f64) -> Self {
        self.method.filter = Some(Filter::Tikhonov { strength });
        self
    }

    /// How many landmarks carry the basis.
    pub fn landmarks(mut self, count: usize) -> Self {
        self.method.basis = BasisSpec::Landmarks {
            count: Some(count),
            selection: Default::default(),
            derivatives: false,
        };
        self
    }

    /// Whether constants are free of penalty, as numbers usually want.
    pub fn free_constant(mut self, free: bool) -> Self {
        self.method.free_constant = free;
        self
    }
}

/// Kernel ridge regression on the labelled rows: a supervised baseline.  [STKR Eqn 2]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelRidge;

impl KernelRidge {
    /// The default parameters.
    pub fn params() -> Params<KernelRidgeParams> {
        Params::new(KernelRidgeParams::default())
    }
}

impl Params<KernelRidgeParams> {
    /// The kernel.
    pub fn kernel(mut self, kernel: KernelSpec) -> Self {
        self.method.kernel = kernel;
        self
    }

    /// The ridge β.
    pub fn ridge(mut self, ridge: f64) -> Self {
        self.method.ridge = ridge;
        self
    }
}

/// Label propagation.  [STKR Eqn 22]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelPropagation;

impl LabelPropagation {
    /// The default parameters.
    pub fn params() -> Params<LabelPropagationParams> {
        Params::new(LabelPropagationParams::default())
    }
}

impl Params<LabelPropagationParams> {
    /// η, how far labels travel.
    pub fn eta(mut self, eta: f64) -> Self {
        self.method.eta = eta;
        self
    }
}

/// Harmonic functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Harmonic;

impl Harmonic {
    /// The default parameters.
    pub fn params() -> Params<HarmonicParams> {
        Params::new(HarmonicParams::default())
    }
}
