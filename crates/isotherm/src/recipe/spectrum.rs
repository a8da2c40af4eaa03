//! Recipe + data → the eigenvalues that its transform or filter is a function of.

use super::encode::Given;
use super::fit::Input;
use super::prepare::{Geometry, Walking};
use super::recipe::Recipe;
use super::session::Session;
use crate::base::Base;
use crate::error::{Error, Result};
use crate::estimator::stkr::PreparedStkr;
use crate::monitor::Monitor;
use crate::solve::eigenpairs::{self, LeadingOptions};
use crate::task::Observed;

/// The leading eigenvalues, descending: of `S = G_K/N` for stkr, of the modes kept for a
/// truncation, and of `(Σ̂, L̂ + μ)` for a kernel Laplacian. At most `count`.
///
/// # Errors
/// As [`super::fit()`]; [`Error::Data`] for a method without a transform or filter.
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
    let (seen, seed) = (&session.seen, recipe.seed);
    let mut values = match &session.ready.geometry {
        Geometry::Laplacian { prepared, .. } => prepared.eigenvalues(seen, monitor)?,
        Geometry::Kernel { prepared, .. } => of(prepared, seen, count, seed, monitor)?,
        Geometry::Neighbours(Walking::Stkr(prepared)) => of(prepared, seen, count, seed, monitor)?,
        Geometry::Gram(prepared) => of(prepared, seen, count, seed, monitor)?,
        Geometry::Graph(Walking::Stkr(prepared)) => of(prepared, seen, count, seed, monitor)?,
        _ => {
            return Err(Error::refusal(
                "method",
                format!("{} is no function of a spectrum", recipe.method.name()),
                "use the method stkr or laplacian",
            ));
        }
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
