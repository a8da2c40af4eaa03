//! Two estimators as linear maps of their labels: influences on all rows, and M.

use anyhow::{Context as _, Result};
use isotherm::base::{NeighbourBase, Normalisation};
use isotherm::data::{Points, bandwidth, split};
use isotherm::estimator::laplacian::params::STRENGTHS;
use isotherm::estimator::laplacian::{Laplacian, LaplacianParams, PreparedLaplacian};
use isotherm::estimator::stkr::{Stkr, StkrParams};
use isotherm::estimator::{Estimator as _, Linear as _};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::linalg::{Mat, MatRef, cholesky, strips};
use isotherm::monitor::Quiet;
use isotherm::spectrum::{Filter, Transform};
use isotherm::task::Observed;

/// Bandwidths of the kernel Laplacian, in medians.
pub const WIDTHS: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

/// Ridges of stkr, in means of the kernel's diagonal: nβ = n·this·mean/100.
pub const RIDGES: [f64; 4] = [1e-3, 1e-2, 1e-1, 1.0];

/// Labelled rows that a ridge is chosen on at most.
pub const JUDGES: usize = 600;

/// Neighbours of a row in the graph of stkr.
pub const NEIGHBOURS: usize = 10;

/// η of stkr.
pub const ETA: f64 = 0.99;

/// A fit at some rows, before their labels are known.
#[derive(Debug)]
pub struct Fit {
    /// βᵢ(x): all rows × labelled rows.
    pub influence: Mat<f64>,
    /// M.
    pub penalty: Mat<f64>,
    /// What was chosen.
    pub choice: String,
}

impl Fit {
    /// Scores of all rows.
    pub fn scores(&self, labels: MatRef<'_, f64>) -> Result<Mat<f64>> {
        let found = strips::times(
            "scores",
            labels.transpose(),
            self.influence.transpose(),
            &mut Quiet,
        )?;
        Ok(found.transpose().to_owned())
    }

    /// What the others say of each labelled row: `−Σ_{j≠i} Mᵢⱼ yⱼ / Mᵢᵢ`.
    pub fn left_out(&self, labels: MatRef<'_, f64>) -> Result<Mat<f64>> {
        let image = strips::times(
            "leave-one-out",
            labels.transpose(),
            self.penalty.as_ref(),
            &mut Quiet,
        )?;
        Ok(Mat::from_fn(labels.nrows(), labels.ncols(), |i, j| {
            let own = self.penalty[(i, i)];
            if own > 1e-12 {
                labels[(i, j)] - image[(j, i)] / own
            } else {
                0.0
            }
        }))
    }
}

/// An estimator prepared on all rows.
pub trait Estimate {
    /// Its name in tables.
    fn name(&self) -> &'static str;

    /// Its maps at some labelled rows; whatever is left open is chosen by leave-one-out
    /// on their values.
    ///
    /// # Errors
    /// When a fit fails.
    fn fit(&self, seen: &Observed) -> Result<Fit>;
}

/// Kernel Laplacian, one preparation a bandwidth.
pub struct ByLaplacian {
    points: Points,
    prepared: Vec<(f64, PreparedLaplacian)>,
}

impl ByLaplacian {
    /// Prepares.
    ///
    /// # Errors
    /// When a preparation fails.
    pub fn new(points: &Points) -> Result<Self> {
        let median = bandwidth::median_distance(points, 0)?;
        let prepare = |width: &f64| -> Result<(f64, PreparedLaplacian)> {
            let params = LaplacianParams {
                kernel: KernelSpec::Gaussian {
                    bandwidth: Bandwidth::Fixed(width * median),
                },
                ..LaplacianParams::default()
            };
            let prepared = Laplacian::new(params, 0)?.prepare(points.clone(), &mut Quiet)?;
            Ok((*width, prepared))
        };
        Ok(Self {
            points: points.clone(),
            prepared: WIDTHS.iter().map(prepare).collect::<Result<_>>()?,
        })
    }
}

impl Estimate for ByLaplacian {
    fn name(&self) -> &'static str {
        "laplacian"
    }

    fn fit(&self, seen: &Observed) -> Result<Fit> {
        let filters = STRENGTHS.map(|strength| Filter::Tikhonov { strength });
        let mut best: Option<(f64, f64, f64, &PreparedLaplacian)> = None;
        for (width, prepared) in &self.prepared {
            let path = prepared.solve_path(&filters, seen, &mut Quiet)?;
            for (point, strength) in path.iter().zip(STRENGTHS) {
                let error = (&point.left_out - seen.values()).squared_norm_l2();
                if best.is_none_or(|b| error < b.0) {
                    best = Some((error, *width, strength, prepared));
                }
            }
        }
        let (_, width, strength, prepared) = best.context("no bandwidth was tried")?;
        // The strength it chooses is the one with the least error again.
        let fitted = prepared.influence(seen, &mut Quiet)?;
        let influence = fitted.scores(&self.points, &mut Quiet)?.values;
        let at = |k: usize| seen.index()[k];
        let n = seen.index().len();
        let penalty = Mat::from_fn(n, n, |i, j| {
            let hat = 0.5 * (influence[(at(i), j)] + influence[(at(j), i)]);
            (if i == j { 1.0 } else { 0.0 }) - hat
        });
        Ok(Fit {
            influence,
            penalty,
            choice: format!("bandwidth {width} medians, strength {strength:e}"),
        })
    }
}

/// stkr with the inverse Laplacian of a graph of neighbours, lazy so that it is
/// positive, labels centred: its kernel between all rows is solved for once.
pub struct ByStkr {
    kernel: Mat<f64>,
}

impl ByStkr {
    /// Prepares.
    ///
    /// # Errors
    /// When a solve fails.
    pub fn new(points: &Points) -> Result<Self> {
        let base = NeighbourBase::new(points.clone(), NEIGHBOURS, &mut Quiet)?;
        let base = base.normalised(Normalisation::Lazy)?;
        let params = StkrParams {
            transform: Transform::InverseLaplacian { eta: ETA },
            ..StkrParams::default()
        };
        let prepared = Stkr::new(params)?.prepare(base, &mut Quiet)?;
        // Different labels everywhere: no component keeps its trivial mode.
        let n = points.len();
        let all = Observed::new((0..n).collect(), Mat::from_fn(n, 1, |i, _| i as f64), n)?;
        let block = prepared.label_block(&all, &[], &mut Quiet)?;
        Ok(Self { kernel: block.gram })
    }

    /// `(G + cI)⁻¹` at some rows, c = n·ridge·mean(G_ii)/100.
    fn inverse(&self, index: &[usize], ridge: f64) -> Result<(Mat<f64>, f64)> {
        let n = index.len();
        let total = self.kernel.nrows();
        let mean = (0..total).map(|i| self.kernel[(i, i)]).sum::<f64>() / total as f64;
        let shift = n as f64 * ridge * mean / 100.0;
        let system = Mat::from_fn(n, n, |i, j| {
            self.kernel[(index[i], index[j])] + if i == j { shift } else { 0.0 }
        });
        let factor = cholesky::factor(system, "the kernel plus ridge", "raise ridge", &mut Quiet)?;
        let mut inverse = Mat::identity(n, n);
        factor.solve_in_place(inverse.as_mut());
        Ok((inverse, shift))
    }

    /// The ridge with the least leave-one-out error on some of the rows.
    fn ridge(&self, seen: &Observed) -> Result<f64> {
        let n = seen.index().len();
        let some = split::uniform(n, &[JUDGES.min(n)], 0)?.swap_remove(0);
        let index: Vec<usize> = some.iter().map(|k| seen.index()[*k]).collect();
        let y = Mat::from_fn(some.len(), seen.width(), |i, j| seen.values()[(some[i], j)]);
        let mut best: Option<(f64, f64)> = None;
        for ridge in RIDGES {
            let (inverse, shift) = self.inverse(&index, ridge)?;
            let fit = Fit {
                influence: Mat::new(),
                penalty: centred(inverse, shift),
                choice: String::new(),
            };
            let error = (&fit.left_out(y.as_ref())? - &y).squared_norm_l2();
            if best.is_none_or(|(_, least)| error < least) {
                best = Some((ridge, error));
            }
        }
        Ok(best.context("no ridge was tried")?.0)
    }
}

/// `cCA⁻¹C`, C taking the mean off: the objective with centred labels.
fn centred(inverse: Mat<f64>, shift: f64) -> Mat<f64> {
    let n = inverse.nrows();
    let means: Vec<f64> = (0..n)
        .map(|j| inverse.col(j).iter().sum::<f64>() / n as f64)
        .collect();
    let all = means.iter().sum::<f64>() / n as f64;
    Mat::from_fn(n, n, |i, j| {
        let own = 0.5 * (inverse[(i, j)] + inverse[(j, i)]);
        shift * (own - means[i] - means[j] + all)
    })
}

impl Estimate for ByStkr {
    fn name(&self) -> &'static str {
        "stkr"
    }

    fn fit(&self, seen: &Observed) -> Result<Fit> {
        let index = seen.index();
        let n = index.len();
        let ridge = self.ridge(seen)?;
        let (inverse, shift) = self.inverse(index, ridge)?;
        let cross = Mat::from_fn(self.kernel.nrows(), n, |x, j| self.kernel[(x, index[j])]);
        let mut influence =
            strips::times("influence", cross.as_ref(), inverse.as_ref(), &mut Quiet)?;
        // f = ȳ + K A⁻¹ (y − ȳ)
        for x in 0..influence.nrows() {
            let mean = influence.row(x).iter().sum::<f64>() / n as f64;
            (0..n).for_each(|j| influence[(x, j)] += 1.0 / n as f64 - mean);
        }
        Ok(Fit {
            influence,
            penalty: centred(inverse, shift),
            choice: format!("ridge {ridge:e}"),
        })
    }
}
