//! Recipe + data → model.

use super::encode::Given;
use super::labels::Reader;
use super::model::{Model, Predictor, Settled, Warning};
use super::recipe::{DEFAULT_NEIGHBOURS, Recipe, Shape};
use super::session::Session;
use crate::base::{KernelBase, NeighbourBase, Storage};
use crate::data::neighbours::Search;
use crate::data::{Distinct, Graph, Points, Standardiser, Targets, bandwidth};
use crate::error::{Error, Refusal, Result};
use crate::kernel::KernelSpec;
use crate::monitor::Monitor;
use crate::solve::Outcome;

/// What is learned from.
#[derive(Debug, Clone)]
pub enum Input {
    /// Rows of numbers.
    Table(Points),
    /// Nodes and edges.
    Graph(Graph),
    /// N rows of N similarities: the base kernel between all samples, symmetric.
    Gram(Points),
}

impl Input {
    /// Number of samples.
    pub fn len(&self) -> usize {
        match self {
            Self::Table(points) | Self::Gram(points) => points.len(),
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
            Self::Gram(_) => Shape::Gram,
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
    fit_given(recipe, input, targets.into(), monitor)
}

/// As [`fit()`] with labels that may count differently.
///
/// # Errors
/// As [`fit()`]; [`Error::Label`] for a weight that is not a positive number.
pub fn fit_given(
    recipe: &Recipe,
    input: Input,
    given: Given<'_>,
    monitor: &mut dyn Monitor,
) -> Result<Model> {
    Session::new(recipe, input, given, monitor)?.into_model(monitor)
}

/// The model, and what should be known of its solve.
pub(super) fn assemble(
    recipe: &Recipe,
    reader: Reader,
    labelled: usize,
    predictor: Predictor,
    scaling: Option<Standardiser>,
    settled: Option<Settled>,
    mut warnings: Vec<Warning>,
) -> Model {
    let mut model = Model {
        recipe: recipe.clone(),
        reader,
        labelled,
        features: Vec::new(),
        nodes: None,
        scaling,
        predictor,
        settled,
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
    model
}

/// Condition numbers above this leave fewer than three digits in a solution.
const ILL: f64 = 1e13;

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
pub(super) fn default_neighbours(rows: usize) -> usize {
    DEFAULT_NEIGHBOURS.min(rows.saturating_sub(1) / 2).max(1)
}

/// Warns of columns with one value, and refuses when there are no others.
pub(super) fn constants(columns: Vec<usize>, rows: usize, dim: usize) -> Result<Vec<Warning>> {
    match columns.len() {
        0 => Ok(Vec::new()),
        n if n < dim => Ok(vec![Warning::ConstantColumns { columns }]),
        _ => Err(Error::refused(
            Refusal::AllEqual,
            format!("all {rows} rows are equal: nothing tells them apart"),
            "choose other feature columns",
        )),
    }
}

/// Labelled samples whose row equals that of the labelled sample before them, if they
/// are not labelled alike; `places` says where in the table their rows are.
pub(super) fn conflicts(
    points: &Points,
    places: &[usize],
    targets: &Targets,
    labelled: &[usize],
) -> usize {
    let distinct = Distinct::among(points, places);
    let mut order: Vec<usize> = (0..labelled.len()).collect();
    order.sort_unstable_by_key(|&k| (distinct.first(k), labelled[k]));
    let same = |w: &&[usize]| distinct.first(w[0]) == distinct.first(w[1]);
    order
        .windows(2)
        .filter(same)
        .filter(|w| targets.differ(labelled[w[0]], labelled[w[1]]))
        .count()
}
