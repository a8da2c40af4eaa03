//! The eigenvalues that a recipe's transform or filter is a function of.

use super::prepared::{PreparedMethod, PreparedOnGraph};
use super::session::Session;
use super::study::Study;
use crate::base::Base;
use crate::error::{Error, Result};
use crate::estimator::stkr::PreparedStkr;
use crate::monitor::Monitor;
use crate::recipe::{Method, Recipe};
use crate::solve::eigenpairs::{self, LeadingOptions};
use crate::spectrum::{Filter, Transform};
use crate::task::Observed;

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

impl Study {
    /// The leading eigenvalues, descending: of `S = G_K/N` for stkr, of the modes kept for a
    /// truncation, and of `(Σ̂, L̂ + μ)` for a kernel Laplacian. At most `count`.
    ///
    /// # Errors
    /// As [`Study::fit`]; [`Error::Refused`] for a method without a transform or filter.
    ///
    /// # Example
    /// ```
    /// use isotherm::data::{Points, Targets};
    /// use isotherm::monitor::Quiet;
    /// use isotherm::recipe::{Recipe, Task};
    /// use isotherm::study::{Input, Study};
    ///
    /// // Two groups far from each other: a graph of two components, twice the eigenvalue 1.
    /// let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
    /// let points = Points::new(x.collect(), 20, 1)?;
    /// let y: Vec<Option<&str>> =
    ///     (0..20).map(|i| (i % 10 == 0).then_some(["a", "b"][i / 10])).collect();
    /// let mut recipe = Recipe::on_graph(Task::Classify, 0);
    /// recipe.neighbours = Some(4);
    /// let mut study = Study::new(&recipe, Input::Table(points), &Targets::from_names(&y))?;
    /// let found = study.eigenvalues(3, &mut Quiet)?;
    /// assert!((found[0] - 1.0).abs() < 1e-9 && (found[1] - 1.0).abs() < 1e-9 && found[2] < 0.999);
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    pub fn eigenvalues(&mut self, count: usize, monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
        if count == 0 {
            return Err(Error::parameter("count", "at least 1", 0));
        }
        eigenvalues(self.session(monitor)?, count, monitor)
    }

    /// As [`Study::eigenvalues`], with the transform or filter at each.
    ///
    /// # Errors
    /// As [`Study::eigenvalues`].
    pub fn spectrum(&mut self, count: usize, monitor: &mut dyn Monitor) -> Result<SpectrumCurve> {
        let eigenvalues = self.eigenvalues(count, monitor)?;
        let session = self.session(monitor)?;
        let mut filter = None;
        let gains: Vec<f64> = match &session.preparation.method {
            PreparedMethod::Laplacian { prepared, .. } => {
                let (found, gains) = prepared.gains(&session.seen, monitor)?;
                filter = Some(found);
                (eigenvalues.iter().zip(&gains))
                    .map(|(v, g)| v * g)
                    .collect()
            }
            PreparedMethod::Kernel { prepared, .. } => transformed(prepared, &eigenvalues),
            PreparedMethod::Neighbours(PreparedOnGraph::Stkr(prepared)) => {
                transformed(prepared, &eigenvalues)
            }
            PreparedMethod::Gram(prepared) => transformed(prepared, &eigenvalues),
            PreparedMethod::Graph(PreparedOnGraph::Stkr(prepared)) => {
                transformed(prepared, &eigenvalues)
            }
            _ => return Err(no_spectrum(&session.recipe)),
        };
        let largest = gains.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
        let gains: Vec<f64> = if largest > 0.0 {
            gains.iter().map(|g| g / largest).collect()
        } else {
            gains
        };
        let kept = gains.iter().position(|g| *g < NOTHING);
        let transform = match &session.recipe.method {
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
            samples: session.seen.total(),
        })
    }
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

fn eigenvalues(session: &Session, count: usize, monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
    let (seen, seed) = (&session.seen, session.recipe.seed);
    let mut values = match &session.preparation.method {
        PreparedMethod::Laplacian { prepared, .. } => prepared.eigenvalues(seen, monitor)?,
        PreparedMethod::Kernel { prepared, .. } => of(prepared, seen, count, seed, monitor)?,
        PreparedMethod::Neighbours(PreparedOnGraph::Stkr(prepared)) => {
            of(prepared, seen, count, seed, monitor)?
        }
        PreparedMethod::Gram(prepared) => of(prepared, seen, count, seed, monitor)?,
        PreparedMethod::Graph(PreparedOnGraph::Stkr(prepared)) => {
            of(prepared, seen, count, seed, monitor)?
        }
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
    if let Some(pca) = prepared.kernel_pca(seen, monitor)? {
        return Ok(pca.eigenvalues().to_vec());
    }
    let gram = prepared.base().gram();
    let options = LeadingOptions {
        seed,
        ..LeadingOptions::default()
    };
    let count = count.min(prepared.base().len());
    Ok(eigenpairs::leading(&*gram, count, &options, monitor)?.values)
}
