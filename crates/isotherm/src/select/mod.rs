//! Choosing parameters: whole grids from one preparation.
//!
//! All transforms of a grid come from one Krylov space (all polynomials from one
//! walk through the powers), all ranks from one set
//! of modes, all ridges from one n×n eigendecomposition each; every cell is
//! judged on validation labels or by closed-form leave-one-label-out.

mod choice;
pub mod grid;
pub mod judge;
pub mod laplacian;

pub use grid::Grid;
pub use judge::{Judge, Metric};

use std::sync::Arc;

use choice::Choice;

use crate::base::Base;
use crate::error::{Error, Refusal, Result};
use crate::estimator::EvaluationPoints;
use crate::estimator::stkr::{
    LabelBlock, LabelSystem, PreparedStkr, Ridge, RidgeSystem, Stkr, StkrParams, SystemOptions,
};
use crate::linalg::tiles;
use crate::monitor::Monitor;
use crate::solve::SolveReport;
use crate::spectrum::{Encoder, SpectralFunction, Transform};
use crate::task::Observed;

/// One fit of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Which of the grid's transforms.
    pub transform: usize,
    /// Which of the grid's ridges.
    pub ridge: usize,
    /// Its score, larger is better; `None` when the system could not be solved.
    pub score: Option<f64>,
    /// The standard error of the score, over the labels it was judged on.
    pub error: Option<f64>,
    /// What a choice by a proper score minimises: the loss per label, and what the distance
    /// from the usual parameters costs.
    pub cost: Option<f64>,
}

/// A grid and what every cell of it scored.
#[derive(Debug, Clone)]
pub struct Search {
    /// What was searched.
    pub grid: Grid,
    /// Every cell, transform by transform.
    pub cells: Vec<Cell>,
    /// The chosen cell: the first with the least cost, or without one with the best score.
    pub best: usize,
    /// The score and standard error of choosing like this, on labels that the choice did not
    /// see; `None` where it was not worked out.
    pub nested: Option<(f64, f64)>,
    /// How the grid was solved for, the worst of it.
    pub report: SolveReport,
}

impl Search {
    /// The best cell's transform.
    pub fn transform(&self) -> &Transform {
        &self.grid.transforms[self.cells[self.best].transform]
    }

    /// The best cell's ridge.
    pub fn ridge(&self) -> f64 {
        self.grid.ridges[self.cells[self.best].ridge]
    }

    /// The best cell's score. It was chosen for being good, so it is optimistic; see
    /// [`Search::nested`].
    pub fn score(&self) -> f64 {
        self.cells[self.best].score.unwrap_or(f64::NEG_INFINITY)
    }

    /// The cells whose score is within one standard error of the best one's: labels do
    /// not tell them apart from it.
    pub fn close(&self) -> Vec<usize> {
        close(self.best, self.cells.iter().map(|c| (c.score, c.error)))
    }

    /// The parameters with the best transform and ridge in them.
    #[must_use]
    pub fn params(&self, params: &StkrParams) -> StkrParams {
        StkrParams {
            transform: self.transform().clone(),
            ridge: Ridge::Fixed(self.ridge()),
            ..params.clone()
        }
    }
}

/// Cells, told by score and standard error, whose score is within the best one's error.
fn close(
    best: usize,
    cells: impl Iterator<Item = (Option<f64>, Option<f64>)> + Clone,
) -> Vec<usize> {
    let Some((Some(top), error)) = cells.clone().nth(best) else {
        return Vec::new();
    };
    let error = error.unwrap_or(0.0);
    // A cell that is just one row behind is not cut off by the rounding of a division.
    let floor = top - error * (1.0 + 1e-9);
    let inside = cells.enumerate();
    let inside = inside.filter(|(_, (score, _))| score.is_some_and(|s| s >= floor));
    inside.map(|(k, _)| k).collect()
}

/// The transformed kernels of a grid's transforms, ready for every ridge.
#[derive(Debug)]
pub struct Blocks {
    /// One for each transform of the grid.
    pub blocks: Vec<LabelBlock>,
    /// What decides the system of each of them.
    pub options: Vec<SystemOptions>,
}

/// Prepares every transform of a grid for these labels.
///
/// Polynomials share one walk through the powers of S, other functions of an
/// eigenvalue one Krylov space, truncations one set of modes (for each encoder).
///
/// # Errors
/// As [`Stkr::prepare_shared`] and [`PreparedStkr::label_blocks`].
pub fn blocks<B: Base>(
    params: &StkrParams,
    base: &Arc<B>,
    seen: &Observed,
    transforms: &[Transform],
    points: EvaluationPoints<'_, B::Query>,
    monitor: &mut dyn Monitor,
) -> Result<Blocks> {
    let mut found: Vec<Option<(LabelBlock, SystemOptions)>> =
        transforms.iter().map(|_| None).collect();
    let prepare = |transform: &Transform, monitor: &mut dyn Monitor| -> Result<PreparedStkr<B>> {
        let params = StkrParams {
            transform: transform.clone(),
            ..params.clone()
        };
        Stkr::new(params)?.prepare_shared(base.clone(), monitor)
    };
    let is_cut = |t: &Transform| matches!(t, Transform::Truncation { .. });
    // Exact polynomials are walked through: no rounding beyond their reach.
    let polynomial = |t: &Transform| t.series(1.0).filter(|s| s.error == 0.0).map(|s| s.weights);
    let (walked, weights): (Vec<usize>, Vec<Vec<f64>>) = (transforms.iter().enumerate())
        .filter_map(|(k, t)| polynomial(t).map(|weights| (k, weights)))
        .unzip();
    if let Some(&first) = walked.first() {
        let prepared = prepare(&transforms[first], monitor)?;
        for &k in &walked {
            prepared.check(&transforms[k], monitor)?;
        }
        let blocks = prepared.polynomial_blocks(&weights, seen, points, monitor)?;
        for (&k, block) in walked.iter().zip(blocks) {
            found[k] = Some((block, prepared.system_options_of(&transforms[k])));
        }
    }
    let functions: Vec<usize> = (0..transforms.len())
        .filter(|&k| !is_cut(&transforms[k]) && found[k].is_none())
        .collect();
    if let Some(&first) = functions.first() {
        let prepared = prepare(&transforms[first], monitor)?;
        let chosen: Vec<&dyn SpectralFunction> = functions
            .iter()
            .map(|&k| &transforms[k] as &dyn SpectralFunction)
            .collect();
        for &k in &functions {
            // Each has its own conditions on the spectrum.
            prepared.check(&transforms[k], monitor)?;
        }
        let blocks = prepared.label_blocks(&chosen, seen, points, monitor)?;
        for (&k, block) in functions.iter().zip(blocks) {
            found[k] = Some((block, prepared.system_options_of(&transforms[k])));
        }
    }
    for encoder in [Encoder::All, Encoder::Unlabelled] {
        let cut: Vec<(usize, usize)> = (transforms.iter().enumerate())
            .filter_map(|(k, t)| match t {
                Transform::Truncation { rank, encoder: e } if *e == encoder => Some((k, *rank)),
                _ => None,
            })
            .collect();
        let Some(rank) = cut.iter().map(|(_, rank)| *rank).max() else {
            continue;
        };
        let prepared = prepare(&Transform::Truncation { rank, encoder }, monitor)?;
        let ranks: Vec<usize> = cut.iter().map(|(_, rank)| *rank).collect();
        let blocks = prepared.truncated_blocks(&ranks, seen, points, monitor)?;
        for ((k, _), block) in cut.iter().zip(blocks) {
            found[*k] = Some((block, prepared.system_options()));
        }
    }
    let (blocks, options) = found.into_iter().flatten().unzip();
    Ok(Blocks { blocks, options })
}

/// Judges every cell of a grid.
///
/// Cost: one Krylov space for all functions and one eigenproblem for all ranks;
/// then O(n³) a transform and O(n²) a cell and class.
///
/// # Errors
/// [`Error::Parameter`] for an empty grid; [`Error::Refused`] when no cell can be
/// solved; as [`blocks`].
pub fn search<B: Base>(
    params: &StkrParams,
    base: &Arc<B>,
    seen: &Observed,
    grid: &Grid,
    judge: &Judge<'_, B::Query>,
    monitor: &mut dyn Monitor,
) -> Result<Search> {
    grid.check()?;
    let points = match judge {
        Judge::LeaveOneOut { .. } | Judge::Proper { .. } => EvaluationPoints::Visible(&[]),
        Judge::Validation { points, .. } => *points,
    };
    let prepared = blocks(params, base, seen, &grid.transforms, points, monitor)?;
    tiles::announce("judging the grid", Some(grid.transforms.len()), monitor)?;
    let centred = seen.centred();
    let labels = if params.centre_labels { &centred } else { seen };
    let choice = Choice::new(grid, seen);
    let mut cells = Vec::with_capacity(grid.transforms.len() * grid.ridges.len());
    for (transform, (block, options)) in prepared.blocks.iter().zip(&prepared.options).enumerate() {
        let weights = seen.weights().map(<[f64]>::to_vec);
        let system = LabelSystem::new(block.gram.clone(), weights, *options);
        for (ridge, &beta) in grid.ridges.iter().enumerate() {
            let found = system.at(Ridge::Fixed(beta), seen.values());
            // A system that is singular at this ridge is no candidate.
            let found = match found {
                Ok(found) => Some(found),
                Err(Error::Indefinite { .. }) => None,
                Err(other) => return Err(other),
            };
            let score =
                (found.as_ref()).map(|found| score(judge, found, options, block, seen, labels));
            let cost = match (judge, &found) {
                (Judge::Proper { .. }, Some(found)) => {
                    Some(choice.cost(&system, found, options, transform, beta))
                }
                _ => None,
            };
            cells.push(Cell {
                transform,
                ridge,
                score: score.map(|s| s.0).filter(|s| s.is_finite()),
                error: score.map(|s| s.1).filter(|s| s.is_finite()),
                cost: cost.filter(|c| c.is_finite()),
            });
        }
        tiles::tick("judging the grid", monitor)?;
    }
    let rank = |cell: &Cell| match judge {
        Judge::Proper { .. } => cell.cost.map(|cost| -cost),
        _ => cell.score,
    };
    let mut best: Option<(usize, f64)> = None;
    for (k, cell) in cells.iter().enumerate() {
        if let Some(rank) = rank(cell)
            && best.is_none_or(|(_, top)| rank > top)
        {
            best = Some((k, rank));
        }
    }
    let Some((best, _)) = best else {
        return Err(Error::refused(
            Refusal::NoFit,
            format!("none of the {} fits of the grid can be solved", cells.len()),
            "use larger ridges, another transform, or the repair auto",
        ));
    };
    let report = prepared.blocks[cells[best].transform].report.clone();
    let nested = match judge {
        Judge::Proper { metric } => choice.nested(&prepared, *metric, monitor)?,
        _ => None,
    };
    Ok(Search {
        grid: grid.clone(),
        cells,
        best,
        nested,
        report,
    })
}

fn score<Q: ?Sized>(
    judge: &Judge<'_, Q>,
    system: &RidgeSystem<'_>,
    options: &SystemOptions,
    block: &LabelBlock,
    seen: &Observed,
    labels: &Observed,
) -> (f64, f64) {
    match judge {
        Judge::LeaveOneOut { metric } | Judge::Proper { metric } => {
            let left = system.leave_one_out(seen.values(), options.centring);
            metric.leave_one_out(&left, seen, options.centring)
        }
        Judge::Validation { values, metric, .. } => {
            let f = &block.cross * system.coefficients(labels.values());
            let means = |j: usize| -> f64 {
                let gap = seen.values()[(0, j)] - labels.values()[(0, j)];
                if labels.index().is_empty() { 0.0 } else { gap }
            };
            metric.at(&f, values, means)
        }
    }
}
