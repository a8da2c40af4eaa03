//! Choosing a cell by a proper score, and what choosing like that is worth: nested
//! cross-validation.

use super::{Blocks, Grid, Metric};
use crate::error::{Error, Result};
use crate::estimator::Centring;
use crate::estimator::ridge_choice::{one_hot, reluctance};
use crate::estimator::stkr::{LabelSystem, Ridge, RidgeSystem, StkrParams, SystemOptions};
use crate::linalg::{Mat, tiles};
use crate::monitor::Monitor;
use crate::spectrum::Transform;
use crate::task::Observed;

/// Labels up to which choices are nested: each fold decomposes every transform's kernel anew.
const NESTED_LABELS: usize = 300;

/// Labels up to which there are ten folds, five above.
const TENFOLD_LABELS: usize = 100;

/// How a cell is chosen on some labels.
pub(super) struct Choice<'a> {
    grid: &'a Grid,
    seen: &'a Observed,
    /// The class of each label, where labels are classes.
    truth: Option<Vec<usize>>,
}

impl<'a> Choice<'a> {
    pub(super) fn new(grid: &'a Grid, seen: &'a Observed) -> Self {
        Self {
            grid,
            seen,
            truth: one_hot(seen.values().as_ref()),
        }
    }

    /// The loss per label of a cell, and what its distance from the usual parameters costs.
    pub(super) fn cost(
        &self,
        system: &LabelSystem,
        at: &RidgeSystem<'_>,
        options: &SystemOptions,
        transform: usize,
        ridge: f64,
    ) -> f64 {
        let labels = self.seen.values();
        let far = distance(&self.grid.transforms[transform]).hypot(system.distance(ridge));
        let loss = at.loss(labels, options.centring, self.truth.as_deref());
        loss + reluctance(far, labels.nrows())
    }

    /// The score and standard error of choosing a cell: every fold of the labels is predicted
    /// by the cell that the other labels choose. `None` with more than 300 labels, with fewer
    /// than four, or where other labels can choose no cell.
    ///
    /// O(folds · transforms · n³).
    pub(super) fn nested(
        &self,
        blocks: &Blocks,
        metric: Metric,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<(f64, f64)>> {
        let n = self.seen.index().len();
        if !(4..=NESTED_LABELS).contains(&n) {
            return Ok(None);
        }
        let folds = if n <= TENFOLD_LABELS { n.min(10) } else { 5 };
        tiles::announce("judging the choice", Some(folds), monitor)?;
        let mut scores = Mat::zeros(n, self.seen.width());
        for fold in 0..folds {
            let (held, rest): (Vec<usize>, Vec<usize>) = (0..n).partition(|i| i % folds == fold);
            let Some(found) = self.predicted(blocks, &rest, &held)? else {
                return Ok(None);
            };
            for (row, &i) in held.iter().enumerate() {
                (0..found.ncols()).for_each(|j| scores[(i, j)] = found[(row, j)]);
            }
            tiles::tick("judging the choice", monitor)?;
        }
        Ok(Some(metric.at(&scores, self.seen.values(), |_| 0.0)))
    }

    /// What the cell that some labels choose says of others.
    fn predicted(
        &self,
        blocks: &Blocks,
        rest: &[usize],
        held: &[usize],
    ) -> Result<Option<Mat<f64>>> {
        let seen = some_of(self.seen, rest)?;
        let choice = Choice::new(self.grid, &seen);
        let mut best: Option<(f64, usize, LabelSystem, f64)> = None;
        for (k, (block, options)) in blocks.blocks.iter().zip(&blocks.options).enumerate() {
            let gram = part(&block.gram, rest, rest);
            let weights = seen.weights().map(<[f64]>::to_vec);
            let system = LabelSystem::new(gram, weights, *options);
            let mut least: Option<(f64, f64)> = None;
            for &ridge in &self.grid.ridges {
                let at = match system.at(Ridge::Fixed(ridge), seen.values()) {
                    Ok(at) => at,
                    Err(Error::Indefinite { .. }) => continue,
                    Err(other) => return Err(other),
                };
                let cost = choice.cost(&system, &at, options, k, ridge);
                if cost.is_finite() && least.is_none_or(|(found, _)| cost < found) {
                    least = Some((cost, ridge));
                }
            }
            if let Some((cost, ridge)) = least
                && best.as_ref().is_none_or(|(found, ..)| cost < *found)
            {
                best = Some((cost, k, system, ridge));
            }
        }
        let Some((_, k, system, ridge)) = best else {
            return Ok(None);
        };
        let (labels, means) = match blocks.options[k].centring {
            Centring::Mean => (seen.centred(), seen.means()),
            Centring::None => (seen.clone(), vec![0.0; seen.width()]),
        };
        let at = system.at(Ridge::Fixed(ridge), seen.values())?;
        let cross = part(&blocks.blocks[k].gram, held, rest);
        let mut found = &cross * at.coefficients(labels.values());
        // Classes are decided by deviations from the mean.
        if self.truth.is_none() {
            for (j, mean) in means.iter().enumerate() {
                found.col_mut(j).iter_mut().for_each(|v| *v += mean);
            }
        }
        Ok(Some(found))
    }
}

/// How far a transform is from the usual one, in powers of ten of `1 − η`; 0 for transforms
/// that are not an inverse Laplacian.
fn distance(transform: &Transform) -> f64 {
    let rest = |transform: &Transform| transform.eta().map(|eta| (1.0 - eta).abs());
    match (rest(transform), rest(&StkrParams::default().transform)) {
        (Some(here), Some(usual)) if here > 0.0 => (here / usual).log10(),
        _ => 0.0,
    }
}

fn part(m: &Mat<f64>, rows: &[usize], columns: &[usize]) -> Mat<f64> {
    Mat::from_fn(rows.len(), columns.len(), |i, j| m[(rows[i], columns[j])])
}

fn some_of(seen: &Observed, places: &[usize]) -> Result<Observed> {
    let index = places.iter().map(|&k| seen.index()[k]).collect();
    let values = Mat::from_fn(places.len(), seen.width(), |i, j| {
        seen.values()[(places[i], j)]
    });
    let some = Observed::new(index, values, seen.total())?;
    match seen.weights() {
        Some(weights) => some.weighted(places.iter().map(|&k| weights[k]).collect()),
        None => Ok(some),
    }
}
