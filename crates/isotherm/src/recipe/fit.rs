//! Recipe + data → model: the one place that matches on the method.

use super::model::{Labels, Model, Predictor, Warning};
use super::recipe::{DEFAULT_NEIGHBOURS, Method, Recipe, Scaling, Shape, Task};
use crate::base::{Adjacency, GraphBase, KernelBase, NeighbourBase, Storage};
use crate::data::neighbours::Search;
use crate::data::scaling::constant_columns;
use crate::data::{Graph, Points, Standardiser, Targets, bandwidth};
use crate::error::{Error, Result};
use crate::estimator::baseline::{Harmonic, KernelRidge, LabelPropagation};
use crate::estimator::laplacian::params::USUAL_STRENGTH;
use crate::estimator::laplacian::{BasisSpec, Laplacian, LaplacianParams};
use crate::estimator::stkr::Stkr;
use crate::estimator::{Estimator, Prepared};
use crate::kernel::KernelSpec;
use crate::model::Fitted;
use crate::monitor::Monitor;
use crate::select::laplacian::LaplacianGrid;
use crate::select::{self, Judge, Metric};
use crate::solve::Outcome;
use crate::spectrum::Filter;
use crate::task::{Observed, OneHot, Real};

/// What is learned from.
#[derive(Debug, Clone)]
pub enum Input {
    /// Rows of numbers.
    Table(Points),
    /// Nodes and edges.
    Graph(Graph),
}

impl Input {
    /// Number of samples.
    pub fn len(&self) -> usize {
        match self {
            Self::Table(points) => points.len(),
            Self::Graph(graph) => graph.len(),
        }
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn shape(&self) -> Shape {
        match self {
            Self::Table(_) => Shape::Table,
            Self::Graph(_) => Shape::Graph,
        }
    }
}

/// Fits a recipe to data.
///
/// # Errors
/// [`Error`] of whatever room refuses first: parameters, labels, data, solver.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Input, Recipe, Task};
///
/// // Two clusters on a line, one label each.
/// let x = vec![0.0, 0.1, 0.2, 0.3, 5.0, 5.1, 5.2, 5.3];
/// let y = [Some("a"), None, None, None, Some("b"), None, None, None];
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.neighbours = Some(2);
/// let table = Input::Table(Points::new(x, 8, 1)?);
/// let model = recipe::fit(&recipe, table, &Targets::from_names(&y), &mut Quiet)?;
/// let new = Points::new(vec![0.15, 5.15], 2, 1)?;
/// let answer = model.predict_rows(&new, &mut Quiet)?;
/// assert_eq!(answer.names(&model), [Some("a"), Some("b")]);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn fit(
    recipe: &Recipe,
    input: Input,
    targets: &Targets,
    monitor: &mut dyn Monitor,
) -> Result<Model> {
    recipe.check(input.shape())?;
    if targets.len() != input.len() {
        return Err(Error::Shape {
            what: "labels, one for each sample, blank or not",
            expected: input.len(),
            got: targets.len(),
        });
    }
    if input.len() < 2 {
        return Err(Error::data(
            format!("there is only {} sample", input.len()),
            "give at least two, one of them labelled",
        ));
    }
    targets.check()?;
    let (labels, seen) = encode(recipe, targets)?;
    let labelled = seen.index().len();
    let (predictor, scaling, mut warnings) = match input {
        Input::Table(points) => fit_table(recipe, points, targets, &seen, monitor)?,
        Input::Graph(graph) => {
            let base = GraphBase::normalised(graph, recipe.normalisation.unwrap_or_default())?;
            let fitted = fit_adjacency(recipe, base, &seen, monitor)?;
            (Predictor::Graph(fitted), None, Vec::new())
        }
    };
    let mut model = Model {
        recipe: recipe.clone(),
        labels,
        labelled,
        features: Vec::new(),
        nodes: None,
        scaling,
        predictor,
        warnings: Vec::new(),
    };
    let report = model.report();
    if report.outcome == Outcome::Exhausted {
        warnings.push(Warning::NotConverged {
            iterations: report.iterations,
            residual: report.residual,
        });
    }
    if report.outcome == Outcome::Stagnated {
        warnings.push(Warning::Stagnated {
            residual: report.residual,
        });
    }
    if let Some(condition) = report.condition.filter(|c| *c > ILL) {
        warnings.push(Warning::IllConditioned { condition });
    }
    if let Some(visible) = model.visible() {
        let rows = visible.reached.iter().filter(|r| !**r).count();
        if rows > 0 {
            warnings.push(Warning::Unreached {
                rows,
                of: visible.reached.len(),
            });
        }
    }
    model.warnings = warnings;
    Ok(model)
}

/// Condition numbers above this leave fewer than three digits in a solution.
const ILL: f64 = 1e13;

pub(super) fn encode(recipe: &Recipe, targets: &Targets) -> Result<(Labels, Observed)> {
    match (recipe.task, targets) {
        (Task::Classify, Targets::Classes { labels, names }) => {
            let seen = Observed::encode(&OneHot::new(names.len()), labels)?;
            Ok((Labels::Classes(names.clone()), seen))
        }
        (Task::Regress, Targets::Values(values)) => {
            let codec = match &recipe.method {
                Method::Stkr(params) if !params.centre_labels => Real { offset: 0.0 },
                _ => Real::centred(values),
            };
            let seen = Observed::encode(&codec, values)?;
            Ok((Labels::Values(codec), seen))
        }
        (Task::Classify, Targets::Values(_)) => Err(Error::data(
            "the labels are numbers, but the task is to classify",
            "give class names, or choose the task regress",
        )),
        (Task::Regress, Targets::Classes { .. }) => Err(Error::data(
            "the labels are classes, but the task is to regress",
            "give numbers, or choose the task classify",
        )),
    }
}

type FittedTable = (Predictor, Option<Standardiser>, Vec<Warning>);

fn fit_table(
    recipe: &Recipe,
    points: Points,
    targets: &Targets,
    seen: &Observed,
    monitor: &mut dyn Monitor,
) -> Result<FittedTable> {
    let mut warnings = Vec::new();
    let constant = constant_columns(&points);
    if constant.len() == points.dim() {
        return Err(Error::data(
            format!(
                "all {} rows are equal: nothing tells them apart",
                points.len()
            ),
            "choose other feature columns",
        ));
    }
    if !constant.is_empty() {
        warnings.push(Warning::ConstantColumns { columns: constant });
    }
    let pairs = conflicts(&points, targets, seen.index());
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
    if let Method::KernelRidge(params) = &recipe.method {
        let estimator = KernelRidge::new(params.clone(), recipe.seed)?;
        let prepared = estimator.prepare(points, monitor)?;
        let kernel = prepared.kernel().clone();
        let fitted = prepared.solve(seen, monitor)?;
        return Ok((Predictor::Kernel { fitted, kernel }, scaling, warnings));
    }
    if let Method::Laplacian(params) = &recipe.method {
        let (params, chosen) = match no_class_twice(recipe.task, seen) {
            true if params.filter.is_none() => {
                let (params, warning) = usual_params(params, seen);
                warnings.push(warning);
                (params, None)
            }
            _ => laplacian_params(recipe, params, &points, seen, monitor)?,
        };
        let estimator = Laplacian::new(params, recipe.seed)?;
        let prepared = estimator.prepare(points, monitor)?;
        let kernel = prepared.params().kernel.clone();
        let mut fitted = prepared.solve(seen, monitor)?;
        if let (Some(chosen), Some(choice)) = (chosen, &mut fitted.report.choice) {
            choice.insert_str(0, &chosen);
        }
        return Ok((Predictor::Features { fitted, kernel }, scaling, warnings));
    }
    if let (Method::Stkr(params), Some(kernel)) = (&recipe.method, &recipe.kernel) {
        let (base, kernel) = kernel_base(points, kernel, recipe.seed)?;
        let estimator = Stkr::new(params.clone())?.seeded(recipe.seed);
        let fitted = estimator.fit(base, seen, monitor)?;
        return Ok((Predictor::Kernel { fitted, kernel }, scaling, warnings));
    }
    let base = neighbour_base(recipe, points, monitor)?;
    let fitted = fit_adjacency(recipe, base, seen, monitor)?;
    Ok((Predictor::Neighbours(fitted), scaling, warnings))
}

/// Whether leaving a label out always leaves none of its class.
fn no_class_twice(task: Task, seen: &Observed) -> bool {
    let labels = |c: usize| seen.values().col(c).iter().sum::<f64>();
    task == Task::Classify && (0..seen.width()).all(|c| labels(c) < 2.0)
}

/// The defaults of what leave-one-out would have chosen: the median distance, 1/n and
/// [`USUAL_STRENGTH`].
fn usual_params(params: &LaplacianParams, seen: &Observed) -> (LaplacianParams, Warning) {
    let strength = USUAL_STRENGTH;
    let warning = Warning::NothingToLeaveOut {
        classes: seen.width(),
        strength,
        bandwidth: params.kernel.needs_bandwidth(),
    };
    let params = LaplacianParams {
        filter: Some(Filter::Tikhonov { strength }),
        ..params.clone()
    };
    (params, warning)
}

/// With neither bandwidth nor filter given, both and the norm share by leave-one-out
/// over [`LaplacianGrid`]; the text says what came of it.
fn laplacian_params(
    recipe: &Recipe,
    params: &LaplacianParams,
    points: &Points,
    seen: &Observed,
    monitor: &mut dyn Monitor,
) -> Result<(LaplacianParams, Option<String>)> {
    let open = params.filter.is_none() && params.kernel.needs_bandwidth();
    if !open || seen.index().len() < 3 || params.basis == BasisSpec::Exact {
        return Ok((params.clone(), None));
    }
    let found = select::laplacian::search(
        params,
        points,
        seen,
        &LaplacianGrid::default(),
        &Judge::LeaveOneOut {
            metric: Metric::SquaredError,
        },
        recipe.seed,
        monitor,
    )?;
    let cell = found.cell();
    let filter = match cell.filter {
        Filter::Tikhonov { strength } => format!("strength {strength:e}"),
        ref other => format!("{other:?}"),
    };
    let text = format!(
        "bandwidth {:.3} and {filter} by leave-one-out over {} fits (squared error {:.3}); ",
        cell.bandwidth.unwrap_or(f64::NAN),
        found.cells.len(),
        -cell.score.unwrap_or(f64::NAN)
    );
    Ok((found.params, Some(text)))
}

/// All rows under a kernel, its bandwidth chosen.
pub(super) fn kernel_base(
    points: Points,
    kernel: &KernelSpec,
    seed: u64,
) -> Result<(KernelBase, KernelSpec)> {
    let kernel = match kernel.needs_bandwidth() {
        true => {
            let bandwidth = bandwidth::median_distance(&points, seed)?;
            kernel.clone().resolved(bandwidth)
        }
        false => kernel.clone(),
    };
    let base = KernelBase::new(points, kernel.build()?, Storage::Auto);
    Ok((base, kernel))
}

/// All rows, joined to their neighbours.
pub(super) fn neighbour_base(
    recipe: &Recipe,
    points: Points,
    monitor: &mut dyn Monitor,
) -> Result<NeighbourBase> {
    let count = match recipe.neighbours {
        Some(count) => count,
        None => default_neighbours(points.len()),
    };
    let base = NeighbourBase::find(points, count, Search::Auto, recipe.seed, monitor)?;
    match recipe.normalisation {
        Some(normalisation) => base.normalised(normalisation),
        None => Ok(base),
    }
}

/// [`DEFAULT_NEIGHBOURS`], but no more than half of the other rows: when
/// everybody is everybody's neighbour, the graph says nothing of the rows.
fn default_neighbours(rows: usize) -> usize {
    DEFAULT_NEIGHBOURS.min(rows.saturating_sub(1) / 2).max(1)
}

/// The methods that walk along edges, on a graph of either kind.
fn fit_adjacency<B: Adjacency>(
    recipe: &Recipe,
    base: B,
    seen: &Observed,
    monitor: &mut dyn Monitor,
) -> Result<Fitted<B>> {
    match &recipe.method {
        Method::Stkr(params) => {
            let estimator = Stkr::new(params.clone())?.seeded(recipe.seed);
            estimator.fit(base, seen, monitor)
        }
        Method::LabelPropagation(params) => {
            LabelPropagation::new(params.clone())?.fit(base, seen, monitor)
        }
        Method::Harmonic(params) => Harmonic::new(params.clone())?.fit(base, seen, monitor),
        Method::KernelRidge(_) | Method::Laplacian(_) => Err(Error::data(
            format!("{} does not walk along edges", recipe.method.name()),
            "use stkr, label-propagation or harmonic",
        )),
    }
}

/// Pairs of neighbouring equal labelled rows, in sorted order, whose labels differ.
fn conflicts(points: &Points, targets: &Targets, labelled: &[usize]) -> usize {
    let differ = |a: usize, b: usize| match targets {
        Targets::Classes { labels, .. } => labels[a] != labels[b],
        Targets::Values(values) => values[a] != values[b],
    };
    let mut order = labelled.to_vec();
    let by_row = |a: &usize, b: &usize| {
        let pairs = points.row(*a).iter().zip(points.row(*b));
        pairs
            .map(|(x, y)| x.total_cmp(y))
            .find(|o| o.is_ne())
            .unwrap_or(a.cmp(b))
    };
    order.sort_by(by_row);
    let same = |w: &&[usize]| points.row(w[0]) == points.row(w[1]);
    order
        .windows(2)
        .filter(same)
        .filter(|w| differ(w[0], w[1]))
        .count()
}
