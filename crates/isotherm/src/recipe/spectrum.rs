//! Recipe + data → the eigenvalues that its transform or filter is a function of.

use super::encode::Given;
use super::fit::Input;
use super::prepare::{Geometry, Walking};
use super::recipe::{Method, Recipe};
use super::session::Session;
use crate::base::Base;
use crate::error::{Error, Result};
use crate::estimator::stkr::PreparedStkr;
use crate::monitor::Monitor;
use crate::solve::eigenpairs::{self, LeadingOptions};
use crate::spectrum::{Filter, Transform};
use crate::task::Observed;

/// The leading eigenvalues, descending: of `S = G_K/N` for stkr, of the modes kept for a
/// truncation, and of `(Σ̂, L̂ + μ)` for a kernel Laplacian. At most `count`.
///
/// # Errors
/// As [`super::fit()`]; [`Error::Refused`] for a method without a transform or filter.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Input, Recipe, Task};
///
/// // Two groups far from each other: a graph of two components, twice the eigenvalue 1.
/// let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
/// let points = Points::new(x.collect(), 20, 1)?;
/// let y: Vec<Option<&str>> = (0..20).map(|i| (i % 10 == 0).then_some(["a", "b"][i / 10])).collect();
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.neighbours = Some(4);
/// let targets = Targets::from_names(&y);
/// let found =
///     recipe::spectrum(&recipe, Input::Table(points), (&targets).into(), 3, &mut Quiet)?;
/// assert!((found[0] - 1.0).abs() < 1e-9 && (found[1] - 1.0).abs() < 1e-9 && found[2] < 0.999);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn spectrum(
    recipe: &Recipe,
    input: Input,
    given: Given<'_>,
    count: usize,
    monitor: &mut dyn Monitor,
) -> Result<Vec<f64>> {
    if count == 0 {
        return Err(Error::parameter("count", "at least 1", 0));
    }
    let session = Session::new(recipe, input, given, monitor)?;
    values(&session, count, monitor)
}

/// Eigenvalues beside what the method makes of them.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SpectrumCurve {
    /// The leading eigenvalues, descending.
    pub eigenvalues: Vec<f64>,
    /// What each is multiplied by, relative to the largest of them: s(λ), or for a kernel
    /// Laplacian λψ(λ), the share of a mode that is kept.
    pub gains: Vec<f64>,
    /// "s(λ)" or "λψ(λ)".
    pub function: &'static str,
    /// s, for stkr.
    pub transform: Option<Transform>,
    /// ψ, for a kernel Laplacian, with the strength that was chosen from the labels.
    pub filter: Option<Filter>,
    /// How many modes are kept: those before a truncation or cut-off, or before the gain
    /// falls below 1 % of its largest; `None` where it does not among those told.
    pub kept: Option<usize>,
    /// Samples there are.
    pub samples: usize,
}

/// Gains below this share of the largest count as nothing.
const NOTHING: f64 = 0.01;

/// As [`spectrum`], with the transform or filter at each eigenvalue.
///
/// # Errors
/// As [`spectrum`].
pub fn spectrum_curve(
    recipe: &Recipe,
    input: Input,
    given: Given<'_>,
    count: usize,
    monitor: &mut dyn Monitor,
) -> Result<SpectrumCurve> {
    let session = Session::new(recipe, input, given, monitor)?;
    spectrum_curve_in(&session, count, monitor)
}

/// The same in a session.
pub(super) fn spectrum_curve_in(
    session: &Session,
    count: usize,
    monitor: &mut dyn Monitor,
) -> Result<SpectrumCurve> {
    if count == 0 {
        return Err(Error::parameter("count", "at least 1", 0));
    }
    let recipe = &session.recipe;
    let eigenvalues = values(session, count, monitor)?;
    let seen = &session.seen;
    let mut filter = None;
    let gains: Vec<f64> = match &session.ready.geometry {
        Geometry::Laplacian { prepared, .. } => {
            let (found, gains) = prepared.gains(seen, monitor)?;
            filter = Some(found);
            (eigenvalues.iter().zip(&gains))
                .map(|(v, g)| v * g)
                .collect()
        }
        Geometry::Kernel { prepared, .. } => transformed(prepared, &eigenvalues),
        Geometry::Neighbours(Walking::Stkr(prepared)) => transformed(prepared, &eigenvalues),
        Geometry::Gram(prepared) => transformed(prepared, &eigenvalues),
        Geometry::Graph(Walking::Stkr(prepared)) => transformed(prepared, &eigenvalues),
        _ => return Err(no_spectrum(recipe)),
    };
    let largest = gains.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
    let gains: Vec<f64> = match largest > 0.0 {
        true => gains.iter().map(|g| g / largest).collect(),
        false => gains,
    };
    let kept = gains.iter().position(|g| *g < NOTHING);
    let transform = match &recipe.method {
        Method::Stkr(params) => Some(params.transform.clone()),
        _ => None,
    };
    let rank = match transform {
        Some(Transform::Truncation { rank, .. }) => Some(rank.min(eigenvalues.len())),
        _ => None,
    };
    Ok(SpectrumCurve {
        kept: kept.or(rank),
        eigenvalues,
        gains,
        function: match filter {
            Some(_) => "λψ(λ)",
            None => "s(λ)",
        },
        transform,
        filter,
        samples: seen.total(),
    })
}

fn transformed<B: Base>(prepared: &PreparedStkr<B>, eigenvalues: &[f64]) -> Vec<f64> {
    eigenvalues.iter().map(|v| prepared.gain(*v)).collect()
}

fn no_spectrum(recipe: &Recipe) -> Error {
    Error::data(
        format!("{} is no function of a spectrum", recipe.method.name()),
        "use the method stkr or laplacian",
    )
}

fn values(session: &Session, count: usize, monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
    let (seen, seed) = (&session.seen, session.recipe.seed);
    let mut values = match &session.ready.geometry {
        Geometry::Laplacian { prepared, .. } => prepared.eigenvalues(seen, monitor)?,
        Geometry::Kernel { prepared, .. } => of(prepared, seen, count, seed, monitor)?,
        Geometry::Neighbours(Walking::Stkr(prepared)) => of(prepared, seen, count, seed, monitor)?,
        Geometry::Gram(prepared) => of(prepared, seen, count, seed, monitor)?,
        Geometry::Graph(Walking::Stkr(prepared)) => of(prepared, seen, count, seed, monitor)?,
        _ => return Err(no_spectrum(&session.recipe)),
    };
    values.truncate(count);
    Ok(values)
}

fn of<B: Base>(
    prepared: &PreparedStkr<B>,
    seen: &Observed,
    count: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Vec<f64>> {
    if let Some(modal) = prepared.modes_of(seen, monitor)? {
        return Ok(modal.eigenvalues().to_vec());
    }
    let gram = prepared.base().gram();
    let options = LeadingOptions {
        seed,
        ..LeadingOptions::default()
    };
    let count = count.min(prepared.base().len());
    Ok(eigenpairs::leading(&*gram, count, &options, monitor)?.values)
}
