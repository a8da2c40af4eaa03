//! Averages over the graph, `Z = (1 − η)(I − ηŜ)⁻¹X̂`, and what is two steps away, `S²X̂`.
//!
//! `Ŝ = D̃^-½(W + I)D̃^-½` is the adjacency with a loop at every node, `D̃` its degrees. The averages
//! are a weighted sum of what is k edges away, `(1 − η)Σηᵏ Ŝᵏ X̂`: personalised PageRank that
//! spreads the columns of X̂.

use std::ops::Range;

use super::columns::Columns;
use crate::base::{Base as _, GraphBase};
use crate::error::{Error, Result};
use crate::linalg::Block;
use crate::monitor::Monitor;
use crate::solve::SolveReport;
use crate::solve::resolvent::Resolvent;

/// When solves end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopping {
    /// Relative residual.
    pub tolerance: f64,
    /// Iterations at most.
    pub iterations: usize,
}

/// Columns solved for together.
const COLUMNS: usize = 32;

/// Smaller residuals are lost in single precision.
const SINGLE: f64 = 1e-7;

/// Relative residual where only directions are wanted.
const ROUGH: f64 = 1e-3;

/// Iterations at most for these.
const ROUGH_ITERATIONS: usize = 1_000;

/// The averages for each η, row by row, in single precision: 4Nd bytes for each.
///
/// `looped` is the graph with a loop at every node. Cost: d solves for each η.
///
/// # Errors
/// [`Error::Parameter`] unless 0 ≤ η < 1; as [`Resolvent::solve`].
pub(super) fn averages(
    looped: &GraphBase,
    of: &Columns,
    etas: &[f64],
    stopping: Stopping,
    monitor: &mut dyn Monitor,
) -> Result<(Vec<Vec<f32>>, Option<SolveReport>)> {
    if let Some(bad) = etas.iter().find(|eta| !(0.0..1.0).contains(*eta)) {
        return Err(Error::parameter("eta", "at least 0 and below 1", bad));
    }
    let modes = looped.modes(monitor)?;
    let size = of.rows() * of.count();
    let mut found: Vec<Vec<f32>> = etas.iter().map(|_| vec![0.0; size]).collect();
    let Some(parts) = looped.sparse() else {
        return Ok((found, None));
    };
    let mut worst = None;
    for span in of.groups(COLUMNS) {
        let rhs = of.block(span.clone())?;
        for (eta, out) in etas.iter().zip(&mut found) {
            let resolvent = Resolvent::new(parts, *eta);
            let rhs = Block::copy_of(rhs.as_mat())?;
            let (tolerance, iterations) = (stopping.tolerance.max(SINGLE), stopping.iterations);
            let (image, report) =
                resolvent.solve(modes.as_ref(), rhs, tolerance, iterations, monitor)?;
            worst = Some(SolveReport::worse(worst, report));
            put(&image, 1.0 - eta, (span.clone(), of.count()), out);
        }
    }
    Ok((found, worst))
}

/// `(1 − η)(I − ηŜ)⁻¹B`, roughly: for finding directions.
///
/// # Errors
/// As [`averages`].
pub(super) fn average(
    looped: &GraphBase,
    of: &Block,
    eta: f64,
    monitor: &mut dyn Monitor,
) -> Result<Block> {
    let Some(parts) = looped.sparse() else {
        return Block::copy_of(of.as_mat());
    };
    let modes = looped.modes(monitor)?;
    let rhs = Block::copy_of(of.as_mat())?;
    let (mut image, _) =
        Resolvent::new(parts, eta).solve(modes.as_ref(), rhs, ROUGH, ROUGH_ITERATIONS, monitor)?;
    image
        .as_slice_mut()
        .iter_mut()
        .for_each(|v| *v *= 1.0 - eta);
    Ok(image)
}

/// `SX̂` and `S²X̂`, row by row, for a graph without loops.
///
/// # Errors
/// [`Error::Memory`]; [`Error::Cancelled`].
pub(super) fn two_steps(
    graph: &GraphBase,
    of: &Columns,
    monitor: &mut dyn Monitor,
) -> Result<(Vec<f32>, Vec<f32>)> {
    let gram = graph.gram();
    let size = of.rows() * of.count();
    let (mut near, mut far) = (vec![0.0; size], vec![0.0; size]);
    for span in of.groups(COLUMNS) {
        let block = of.block(span.clone())?;
        let mut image = Block::zeros(of.rows(), span.len())?;
        gram.apply(block.as_mat(), image.as_mat_mut(), monitor)?;
        put(&image, 1.0, (span.clone(), of.count()), &mut near);
        let mut next = block;
        gram.apply(image.as_mat(), next.as_mat_mut(), monitor)?;
        put(&next, 1.0, (span, of.count()), &mut far);
    }
    Ok((near, far))
}

/// Writes a group of columns, multiplied, to their places in rows.
fn put(image: &Block, factor: f64, (span, dim): (Range<usize>, usize), out: &mut [f32]) {
    for (i, row) in out.chunks_exact_mut(dim).enumerate() {
        let own = row[span.clone()].iter_mut().zip(image.row(i));
        own.for_each(|(slot, v)| *slot = (factor * v) as f32);
    }
}
