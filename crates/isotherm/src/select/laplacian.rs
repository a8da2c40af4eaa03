//! Choosing bandwidth, norm share and strength of kernel Laplacian regularisation.
//!
//! One preparation a bandwidth; every norm share from its whitened energy, every
//! strength from one decomposition of the labels; each cell judged by leave-one-out.

use super::Metric;
use crate::data::{Points, bandwidth};
use crate::error::{Error, Result};
use crate::estimator::Estimator as _;
use crate::estimator::laplacian::params::STRENGTHS;
use crate::estimator::laplacian::{Laplacian, LaplacianParams, NormShare};
use crate::estimator::stkr::Centring;
use crate::kernel::{Bandwidth, KernelSpec};
use crate::linalg::tiles;
use crate::monitor::Monitor;
use crate::spectrum::Filter;
use crate::task::Observed;

/// Bandwidths × norm shares × filters.
#[derive(Debug, Clone, PartialEq)]
pub struct LaplacianGrid {
    /// Bandwidths as multiples of the median distance; ignored, and best left at one
    /// entry, for kernels without a bandwidth and for one that was given.
    pub bandwidths: Vec<f64>,
    /// Norm shares as multiples of 1/n.
    pub shares: Vec<f64>,
    /// Filters.
    pub filters: Vec<Filter>,
}

impl Default for LaplacianGrid {
    /// Six bandwidths from an eighth of the median distance to twice it, 1/n and a
    /// hundredth of it, and Tikhonov from 10 to 10⁻⁵.
    fn default() -> Self {
        Self {
            bandwidths: vec![2.0, 1.0, 0.5, 0.35, 0.25, 0.125],
            shares: vec![1.0, 1e-2],
            filters: STRENGTHS
                .map(|strength| Filter::Tikhonov { strength })
                .to_vec(),
        }
    }
}

/// One fit of the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct LaplacianCell {
    /// The bandwidth itself, where the kernel has one.
    pub bandwidth: Option<f64>,
    /// μ.
    pub share: f64,
    /// ψ.
    pub filter: Filter,
    /// Its score, larger is better; `None` when it could not be fitted.
    pub score: Option<f64>,
}

/// A grid, what every cell scored, and the parameters of the best.
#[derive(Debug, Clone)]
pub struct LaplacianSearch {
    /// Every cell, bandwidth by bandwidth.
    pub cells: Vec<LaplacianCell>,
    /// The first of the cells with the best score.
    pub best: usize,
    /// The parameters with the best cell in them.
    pub params: LaplacianParams,
}

/// Judges every cell by leave-one-out on the labels.
///
/// Cells that cannot be fitted are no candidates. Cost: one preparation a bandwidth.
///
/// # Errors
/// [`Error::Data`] with fewer than three labels or when no cell can be fitted;
/// [`Error::Cancelled`].
pub fn search(
    params: &LaplacianParams,
    points: &Points,
    seen: &Observed,
    grid: &LaplacianGrid,
    metric: Metric,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<LaplacianSearch> {
    if seen.index().len() < 3 {
        return Err(Error::data(
            format!("there are only {} labels", seen.index().len()),
            "label at least three samples: each is predicted from the others",
        ));
    }
    let kernels: Vec<(Option<f64>, KernelSpec)> = match params.kernel.needs_bandwidth() {
        true => {
            let median = bandwidth::median_distance(points, seed)?;
            let of = |factor: &f64| {
                let bandwidth = factor * median;
                (Some(bandwidth), params.kernel.clone().resolved(bandwidth))
            };
            grid.bandwidths.iter().map(of).collect()
        }
        false => vec![(None, params.kernel.clone())],
    };
    let mut cells = Vec::new();
    tiles::announce("trying bandwidths", Some(kernels.len()), monitor)?;
    for (bandwidth, kernel) in kernels {
        let shares: Vec<f64> = match params.norm_share {
            NormShare::Auto => grid
                .shares
                .iter()
                .map(|s| s / points.len() as f64)
                .collect(),
            NormShare::Fixed(share) => vec![share],
        };
        let trial = LaplacianParams {
            kernel,
            norm_share: NormShare::Fixed(shares.first().copied().unwrap_or(0.0)),
            ..params.clone()
        };
        for found in along(
            &trial,
            points,
            seen,
            (&shares, &grid.filters),
            metric,
            seed,
            monitor,
        )? {
            cells.push(LaplacianCell { bandwidth, ..found });
        }
        tiles::tick("trying bandwidths", monitor)?;
    }
    let score = |cell: &LaplacianCell| cell.score.unwrap_or(f64::NEG_INFINITY);
    let mut best = 0;
    for (k, cell) in cells.iter().enumerate() {
        if score(cell) > score(&cells[best]) {
            best = k;
        }
    }
    let Some(cell) = cells.get(best).filter(|c| c.score.is_some()) else {
        return Err(Error::data(
            format!("none of the {} fits of the grid can be solved", cells.len()),
            "give a bandwidth and a larger norm share",
        ));
    };
    let mut params = params.clone();
    if let Some(bandwidth) = cell.bandwidth {
        params.kernel = params.kernel.resolved(bandwidth);
    }
    params.norm_share = NormShare::Fixed(cell.share);
    params.filter = Some(cell.filter.clone());
    Ok(LaplacianSearch {
        params,
        best,
        cells,
    })
}

/// All shares and filters of one kernel.
fn along(
    trial: &LaplacianParams,
    points: &Points,
    seen: &Observed,
    (shares, filters): (&[f64], &[Filter]),
    metric: Metric,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Vec<LaplacianCell>> {
    let cell = |share: f64, filter: &Filter, score: Option<f64>| LaplacianCell {
        bandwidth: None,
        share,
        filter: filter.clone(),
        score: score.filter(|s| s.is_finite()),
    };
    let failed = |share: f64| filters.iter().map(move |f| cell(share, f, None));
    let prepared = match Laplacian::new(trial.clone(), seed)?.prepare(points.clone(), monitor) {
        Ok(prepared) => prepared,
        Err(Error::Indefinite { .. }) => {
            return Ok(shares.iter().flat_map(|s| failed(*s)).collect());
        }
        Err(other) => return Err(other),
    };
    let mut cells = Vec::new();
    for (k, &share) in shares.iter().enumerate() {
        let other;
        let prepared = match k {
            0 => &prepared,
            _ => match prepared.with_share(share, monitor) {
                Ok(found) => {
                    other = found;
                    &other
                }
                Err(Error::Indefinite { .. }) => {
                    cells.extend(failed(share));
                    continue;
                }
                Err(found) => return Err(found),
            },
        };
        for point in prepared.solve_path(filters, seen, monitor)? {
            let score = metric.leave_one_out(&point.left_out, seen.values(), Centring::None);
            cells.push(cell(share, &point.filter, Some(score)));
        }
    }
    Ok(cells)
}

impl LaplacianSearch {
    /// The best cell.
    pub fn cell(&self) -> &LaplacianCell {
        &self.cells[self.best]
    }

    /// The bandwidth that was chosen, for those who want the number.
    pub fn bandwidth(&self) -> Bandwidth {
        self.cell()
            .bandwidth
            .map_or(Bandwidth::Auto, Bandwidth::Fixed)
    }
}
