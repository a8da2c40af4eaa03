//! Two estimators as linear maps of their labels: influences on all rows, and M.

use std::rc::Rc;

use anyhow::{Context as _, Result};
use isotherm::base::{NeighbourBase, Normalisation};
use isotherm::data::{Points, bandwidth, split};
use isotherm::estimator::laplacian::params::STRENGTHS;
use isotherm::estimator::laplacian::{Laplacian, LaplacianParams, PreparedLaplacian};
use isotherm::estimator::stkr::{Stkr, StkrParams};
use isotherm::estimator::{Estimator as _, TrivialMode};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::linalg::{Mat, MatRef, cholesky, strips};
use isotherm::monitor::Quiet;
use isotherm::spectrum::{Filter, Transform};
use isotherm::task::Observed;

/// Bandwidths of the kernel Laplacian, in medians.
pub const WIDTHS: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

/// Ridges of stkr, in means of the kernel's diagonal: nβ = n·this·mean/100.
pub const RIDGES: [f64; 5] = [1e-4, 1e-3, 1e-2, 1e-1, 1.0];

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

/// How bad leave-one-out predictions of some of the labelled rows are: row k of the
/// matrix is of labelled row `index[k]`.
pub type Judge<'a> = &'a dyn Fn(&Mat<f64>, &[usize]) -> f64;

/// An estimator prepared on all rows.
pub trait Estimate {
    /// Its name in tables.
    fn name(&self) -> &'static str;

    /// Its maps at some labelled rows, one for each judge of leave-one-out predictions
    /// from their values, by which whatever is left open is chosen.
    ///
    /// # Errors
    /// When a fit fails.
    fn fit(&self, seen: &Observed, judges: &[Judge<'_>]) -> Result<Vec<Rc<Fit>>>;
}

/// The least error and what it was reached with, for each judge.
struct Best<T>(Vec<Option<(f64, T)>>);

impl<T: Clone + PartialEq> Best<T> {
    fn of(judges: &[Judge<'_>]) -> Self {
        Self(judges.iter().map(|_| None).collect())
    }

    fn hear(&mut self, judges: &[Judge<'_>], left_out: &Mat<f64>, index: &[usize], choice: &T) {
        for (best, judge) in self.0.iter_mut().zip(judges) {
            let error = judge(left_out, index);
            if best.as_ref().is_none_or(|(least, _)| error < *least) {
                *best = Some((error, choice.clone()));
            }
        }
    }

    /// A fit for each choice; judges that agree share it.
    fn fits(self, fit: impl Fn(&T) -> Result<Fit>) -> Result<Vec<Rc<Fit>>> {
        let mut made: Vec<(T, Rc<Fit>)> = Vec::new();
        let mut out = Vec::new();
        for best in self.0 {
            let (_, choice) = best.context("nothing was tried")?;
            let known = made.iter().find(|(other, _)| *other == choice);
            let found = match known {
                Some((_, found)) => found.clone(),
                None => {
                    let found = Rc::new(fit(&choice)?);
                    made.push((choice, found.clone()));
                    found
                }
            };
            out.push(found);
        }
        Ok(out)
    }
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

    fn fit(&self, seen: &Observed, judges: &[Judge<'_>]) -> Result<Vec<Rc<Fit>>> {
        let filters = STRENGTHS.map(|strength| Filter::Tikhonov { strength });
        let mut best = Best::of(judges);
        let everyone: Vec<usize> = (0..seen.index().len()).collect();
        for (k, (_, prepared)) in self.prepared.iter().enumerate() {
            let path = prepared.solve_path(&filters, seen, &mut Quiet)?;
            for (point, strength) in path.iter().zip(STRENGTHS) {
                best.hear(judges, &point.left_out, &everyone, &(k, strength));
            }
        }
        best.fits(|&(k, strength)| self.at(seen.index(), k, strength))
    }
}

impl ByLaplacian {
    /// The fit to unit labels.
    fn at(&self, index: &[usize], width: usize, strength: f64) -> Result<Fit> {
        let n = index.len();
        let units = Observed::new(index.to_vec(), Mat::identity(n, n), self.points.len())?;
        let (width, prepared) = &self.prepared[width];
        let filter = Filter::Tikhonov { strength };
        let path = prepared.solve_path(&[filter], &units, &mut Quiet)?;
        let fitted = &path.first().context("one filter was asked for")?.fitted;
        let influence = fitted.scores(&self.points, &mut Quiet)?.values;
        let penalty = Mat::from_fn(n, n, |i, j| {
            let hat = 0.5 * (influence[(index[i], j)] + influence[(index[j], i)]);
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
            // Heaps may be components: their modes are what tells them apart.
            trivial_mode: TrivialMode::Keep,
            ..StkrParams::default()
        };
        let prepared = Stkr::new(params)?.prepare(base, &mut Quiet)?;
        let n = points.len();
        let all = Observed::new((0..n).collect(), Mat::zeros(n, 1), n)?;
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
}

/// `cCA⁻¹C`, C taking the mean off: the objective with centred labels.
fn centred(inverse: &Mat<f64>, shift: f64) -> Mat<f64> {
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

    fn fit(&self, seen: &Observed, judges: &[Judge<'_>]) -> Result<Vec<Rc<Fit>>> {
        let n = seen.index().len();
        let some = split::uniform(n, &[JUDGES.min(n)], 0)?.swap_remove(0);
        let index: Vec<usize> = some.iter().map(|k| seen.index()[*k]).collect();
        let y = Mat::from_fn(some.len(), seen.width(), |i, j| seen.values()[(some[i], j)]);
        let mut best = Best::of(judges);
        for ridge in RIDGES {
            let (inverse, shift) = self.inverse(&index, ridge)?;
            let fit = Fit {
                influence: Mat::new(),
                penalty: centred(&inverse, shift),
                choice: String::new(),
            };
            best.hear(judges, &fit.left_out(y.as_ref())?, &some, &ridge);
        }
        best.fits(|&ridge| self.at(seen.index(), ridge))
    }
}

impl ByStkr {
    fn at(&self, index: &[usize], ridge: f64) -> Result<Fit> {
        let n = index.len();
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
            penalty: centred(&inverse, shift),
            choice: format!("ridge {ridge:e}"),
        })
    }
}
