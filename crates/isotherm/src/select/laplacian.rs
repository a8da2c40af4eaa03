//! Choosing bandwidth, norm share and strength of kernel Laplacian regularisation.
//!
//! One preparation a bandwidth; every norm share from its whitened energy, every
//! strength from one decomposition of the labels; each cell judged by leave-one-out or
//! on validation labels.

use super::{Judge, Metric};
use crate::data::{Points, bandwidth};
use crate::error::{Error, Reason, Refusal, Result};
use crate::estimator::Estimator as _;
use crate::estimator::laplacian::params::STRENGTHS;
use crate::estimator::laplacian::{Laplacian, LaplacianParams, NormShare, PreparedLaplacian};
use crate::estimator::{Centring, EvaluationPoints};
use crate::kernel::{Bandwidth, KernelSpec};
use crate::linalg::{Mat, tiles};
use crate::monitor::Monitor;
use crate::spectrum::{Filter, FilterPath};
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
    pub filters: FilterPath,
}

impl Default for LaplacianGrid {
    /// Six bandwidths from an eighth of the median distance to twice it, 1/n and a
    /// hundredth of it, and Tikhonov from 10 to 10⁻⁵.
    fn default() -> Self {
        Self {
            bandwidths: vec![2.0, 1.0, 0.5, 0.35, 0.25, 0.125],
            shares: vec![1.0, 1e-2],
            filters: FilterPath::Given(
                STRENGTHS
                    .map(|strength| Filter::Tikhonov { strength })
                    .to_vec(),
            ),
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
    /// The standard error of the score, over the labels it was judged on.
    pub error: Option<f64>,
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

/// Judges every cell by leave-one-out, or on labels that were kept back.
///
/// Cells that cannot be fitted are no candidates. Cost: one preparation a bandwidth.
///
/// # Errors
/// [`Error::Refused`] when no cell can be fitted, or with fewer than three labels to leave
/// out; [`Error::Shape`] when validation labels do not fit their samples or the labels;
/// [`Error::Label`] when one of them was trained on; [`Error::Cancelled`].
pub fn search(
    params: &LaplacianParams,
    points: &Points,
    seen: &Observed,
    grid: &LaplacianGrid,
    judge: &Judge<'_, Points>,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<LaplacianSearch> {
    let prepare =
        |method: &Laplacian, monitor: &mut dyn Monitor| method.prepare(points.clone(), monitor);
    search_by(&prepare, params, points, seen, grid, judge, seed, monitor)
}

/// As [`search`] on rows that are a sample themselves, however many they are.
pub(crate) fn search_whole(
    params: &LaplacianParams,
    points: &Points,
    seen: &Observed,
    grid: &LaplacianGrid,
    judge: &Judge<'_, Points>,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<LaplacianSearch> {
    let prepare = |method: &Laplacian, monitor: &mut dyn Monitor| {
        method.prepare_whole(points.clone(), monitor)
    };
    search_by(&prepare, params, points, seen, grid, judge, seed, monitor)
}

/// How the rows are prepared for one cell.
type Prepare<'a> = &'a dyn Fn(&Laplacian, &mut dyn Monitor) -> Result<PreparedLaplacian>;

#[allow(clippy::too_many_arguments)]
fn search_by(
    prepare: Prepare<'_>,
    params: &LaplacianParams,
    points: &Points,
    seen: &Observed,
    grid: &LaplacianGrid,
    judge: &Judge<'_, Points>,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<LaplacianSearch> {
    grid.filters.check()?;
    let judged = Judged::new(judge, points, seen)?;
    let kernels: Vec<(Option<f64>, KernelSpec)> = if params.kernel.needs_bandwidth() {
        let median = bandwidth::median_distance(points, seed)?;
        let of = |factor: &f64| {
            let bandwidth = factor * median;
            (Some(bandwidth), params.kernel.clone().resolved(bandwidth))
        };
        grid.bandwidths.iter().map(of).collect()
    } else {
        vec![(None, params.kernel.clone())]
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
        let found = along(
            prepare,
            &trial,
            (&shares, &grid.filters),
            &judged,
            seed,
            monitor,
        )?;
        cells.extend(
            found
                .into_iter()
                .map(|cell| LaplacianCell { bandwidth, ..cell }),
        );
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
        return Err(Error::refused(
            Refusal::NoFit,
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

/// A filter, and its score with the standard error of that.
type Scored = (Filter, Option<(f64, f64)>);

/// The labels that cells are fitted to, and those they are judged on.
struct Judged<'a> {
    seen: &'a Observed,
    metric: Metric,
    /// Rows that were kept back and their labels; without them each label is left out.
    kept: Option<(Points, &'a Mat<f64>)>,
}

impl<'a> Judged<'a> {
    fn new(judge: &Judge<'a, Points>, points: &Points, seen: &'a Observed) -> Result<Self> {
        let (metric, kept) = match *judge {
            Judge::LeaveOneOut { metric } | Judge::Proper { metric } if seen.index().len() >= 3 => {
                (metric, None)
            }
            Judge::LeaveOneOut { .. } | Judge::Proper { .. } => {
                return Err(Error::refused(
                    Refusal::TooFewLabels,
                    format!("there are only {} labels", seen.index().len()),
                    "label at least three samples: each is predicted from the others",
                ));
            }
            Judge::Validation {
                points: evaluated,
                values,
                metric,
            } => (
                metric,
                Some((judged_rows(evaluated, points, seen)?, values)),
            ),
        };
        if let Some((rows, values)) = &kept {
            let sizes = [
                ("validation labels", rows.len(), values.nrows()),
                ("numbers a validation label", seen.width(), values.ncols()),
            ];
            if let Some(&(what, expected, got)) = sizes.iter().find(|(_, e, g)| e != g) {
                return Err(Error::Shape {
                    what,
                    expected,
                    got,
                });
            }
        }
        Ok(Self { seen, metric, kept })
    }

    /// Every filter of a path and its score.
    fn scores(
        &self,
        prepared: &PreparedLaplacian,
        filters: &FilterPath,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<Scored>> {
        let tried = match &self.kept {
            Some((rows, _)) => prepared.predicted(filters, self.seen, rows, monitor)?,
            None => prepared.left_out(filters, self.seen, monitor)?,
        };
        let score = |found: Mat<f64>| match &self.kept {
            Some((_, values)) => self.metric.at(&found, values, |_| 0.0),
            None => self.metric.leave_one_out(&found, self.seen, Centring::None),
        };
        let scored = tried.into_iter().map(|t| {
            let score = t.predictions.map(score).filter(|s| s.0.is_finite());
            (t.filter, score)
        });
        Ok(scored.collect())
    }
}

/// The rows to be judged on, none of which may have been trained on.
fn judged_rows(
    evaluated: EvaluationPoints<'_, Points>,
    points: &Points,
    seen: &Observed,
) -> Result<Points> {
    let rows = match evaluated {
        EvaluationPoints::New(rows) => return Ok(rows.clone()),
        EvaluationPoints::Visible(rows) => rows,
    };
    let mut trained = vec![false; seen.total()];
    seen.index().iter().for_each(|&i| trained[i] = true);
    if let Some(&sample) = rows.iter().find(|i| trained.get(**i) == Some(&true)) {
        return Err(Error::Label {
            sample,
            reason: Reason::new(
                "it is trained on and judged on",
                "keep it back from the labels",
            ),
        });
    }
    points.select(rows)
}

/// All shares and filters of one kernel.
fn along(
    prepare: Prepare<'_>,
    trial: &LaplacianParams,
    (shares, filters): (&[f64], &FilterPath),
    judged: &Judged<'_>,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Vec<LaplacianCell>> {
    let cell = |share: f64, filter: Filter, score: Option<(f64, f64)>| LaplacianCell {
        bandwidth: None,
        share,
        filter,
        score: score.map(|s| s.0),
        error: score.map(|s| s.1).filter(|e| e.is_finite()),
    };
    // A path that needs a spectrum has no cells where there is none.
    let failed = |share: f64| (filters.on(&[]).into_iter()).map(move |f| cell(share, f, None));
    let prepared = match prepare(&Laplacian::new(trial.clone(), seed)?, monitor) {
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
        let scores = judged.scores(prepared, filters, monitor)?;
        cells.extend(scores.into_iter().map(|(f, score)| cell(share, f, score)));
    }
    Ok(cells)
}

impl LaplacianSearch {
    /// The best cell.
    pub fn cell(&self) -> &LaplacianCell {
        &self.cells[self.best]
    }

    /// The cells whose score is within one standard error of the best one's.
    pub fn close(&self) -> Vec<usize> {
        super::close(self.best, self.cells.iter().map(|c| (c.score, c.error)))
    }

    /// The bandwidth that was chosen, for those who want the number.
    pub fn bandwidth(&self) -> Bandwidth {
        self.cell()
            .bandwidth
            .map_or(Bandwidth::Auto, Bandwidth::Fixed)
    }
}
