//! Laplacian regularisation with kernels and their derivatives.  \[KLAP\]
//!
//! `min E_ℓ‖g − y‖² + λ(E‖∇g‖² + μ‖g‖²)` (Eq 5) and every other filter of the pencil
//! `(Σ̂, L̂ + μ)` (Eq 7), over landmarks, landmarks with derivatives, random waves, or
//! exactly. What does not need labels is prepared once: basis, moments, coordinates.
//!
//! ```
//! use isotherm::data::Points;
//! use isotherm::estimator::laplacian::{Laplacian, LaplacianParams};
//! use isotherm::estimator::{Estimator, Prepared};
//! use isotherm::kernel::{Bandwidth, KernelSpec};
//! use isotherm::monitor::Quiet;
//! use isotherm::task::{Observed, OneHot};
//!
//! // Two rows of points, one label in each.
//! let row = |y: f64| (0..30).flat_map(move |i| [0.2 * i as f64, y]);
//! let points = Points::new(row(0.0).chain(row(3.0)).collect(), 60, 2)?;
//! let mut labels = vec![None; 60];
//! (labels[0], labels[59]) = (Some(0), Some(1));
//! let seen = Observed::encode(&OneHot::new(2), &labels)?;
//! let kernel = KernelSpec::Gaussian { bandwidth: Bandwidth::Fixed(0.5) };
//! let params = LaplacianParams { kernel, ..LaplacianParams::default() };
//! let fitted = Laplacian::new(params, 0)?.fit(points.clone(), &seen, &mut Quiet)?;
//! let scores = fitted.scores(&points, &mut Quiet)?.values;
//! assert!((0..60).all(|i| (scores[(i, 0)] > scores[(i, 1)]) == (i < 30)));
//! # Ok::<(), isotherm::Error>(())
//! ```

mod coordinates;
pub mod exact;
mod filtered;
mod leave_one_out;
mod linear;
pub mod params;
mod path;
pub mod planned;
mod rows;
mod spectral;

pub use coordinates::Coordinates;
pub use exact::DataKernel;
pub use params::{BasisSpec, Covariance, FEWEST_LANDMARKS, LaplacianParams, NormShare, Route};
pub use path::Tried;
pub use planned::{Glimpse, Planned};

use std::ops::Range;
use std::sync::Arc;

use self::coordinates::{Sources, surely_panel};
use self::filtered::{Averaged, Axes, Measured};
use self::rows::Rows;
use super::baseline::check_total;
use super::{Estimator, Prepared};
use crate::base::{Base as _, Basis, FeatureBase};
use crate::data::{Points, RowStream, Survey, bandwidth};
use crate::error::{Error, Refusal, Result};
use crate::feature::moments::{Averages, Moments, Wanted};
use crate::feature::{Features, Fourier, Landmarks, ROWS, WithDerivatives};
use crate::kernel::{Geometry, SmoothKernel};
use crate::landmark;
use crate::linalg::gemm::times;
use crate::linalg::rows::runs;
use crate::linalg::{Mat, MatRef, Precision, tiles};
use crate::model::{Expansion, Fitted, Readout};
use crate::monitor::{Monitor, Within};
use crate::solve::{Outcome, SolveReport};
use crate::spectrum::Filter;
use crate::task::Observed;

const PHASE: &str = "moments of the basis";

/// Below this summed similarity to all landmarks a new row is not reached.
const REACH: f64 = 1e-12;

/// Kernel Laplacian regularisation with checked parameters.
#[derive(Debug, Clone)]
pub struct Laplacian {
    params: LaplacianParams,
    seed: u64,
}

impl Laplacian {
    /// Checks the parameters; `seed` draws landmarks, waves and an automatic bandwidth.
    ///
    /// # Errors
    /// As [`LaplacianParams::check`].
    pub fn new(params: LaplacianParams, seed: u64) -> Result<Self> {
        params.check()?;
        Ok(Self { params, seed })
    }
}

/// Everything known before a label is seen.
#[derive(Debug)]
pub struct PreparedLaplacian {
    rows: Rows,
    params: LaplacianParams,
    base: Arc<FeatureBase>,
    coordinates: Coordinates,
    share: f64,
    averages: Option<Averaged>,
    moments: Option<Averages>,
    readout: Readout,
}

impl Estimator<Points> for Laplacian {
    type Prepared = PreparedLaplacian;

    fn prepare(&self, points: Points, monitor: &mut dyn Monitor) -> Result<PreparedLaplacian> {
        let mut params = self.params.clone();
        if params.kernel.needs_bandwidth() {
            let bandwidth = bandwidth::median_distance(&points, self.seed)?;
            params.kernel = params.kernel.resolved(bandwidth);
        }
        let kernel: Arc<dyn SmoothKernel> = params.kernel.build_smooth()?.into();
        let points = Arc::new(points);
        let share = match params.norm_share {
            NormShare::Auto => 1.0 / points.len() as f64,
            NormShare::Fixed(share) => share,
        };
        let (basis, known) = match params.basis {
            BasisSpec::Exact => {
                let exact = DataKernel::new(points.clone(), kernel.clone(), share, monitor)?;
                let (basis, coordinates) = exact.coordinates(monitor)?;
                (Basis::Derivatives(Arc::new(basis)), Some(coordinates))
            }
            _ => (basis(&params, &points, &kernel, self.seed, monitor)?, None),
        };
        let features = basis.features();
        let sources = Sources {
            features: &*features,
            rows: Some(&points),
            count: points.len(),
            share,
            precision: params.precision,
        };
        let (coordinates, moments) = match known {
            Some(coordinates) => (coordinates, None),
            None if params.precision == Precision::Double
                && surely_panel(params.route, &*features, points.len(), share) =>
            {
                (
                    Coordinates::new(&sources, Route::Panel, None, monitor)?,
                    None,
                )
            }
            None => {
                let mut moments = nothing_summed(&params, &features);
                moments.add(&points, monitor)?;
                let averages = moments.finish()?;
                let known = Some(&averages);
                let coordinates = Coordinates::new(&sources, params.route, known, monitor)?;
                (coordinates, Some(averages))
            }
        };
        PreparedLaplacian::assemble(
            Rows::Table(points),
            params,
            (basis, &*kernel),
            (coordinates, moments),
            share,
            monitor,
        )
    }
}

impl Laplacian {
    /// Prepares from rows that pass by twice: the survey has seen them once and keeps
    /// what landmarks, the bandwidth and the labels need; the sums are made in one more
    /// pass. Memory: the survey, one part of the stream, a handful of p × p matrices.
    ///
    /// Landmarks are chosen among the survey's sample. The Gram form is taken, since
    /// gradients cannot be written out; where its error estimate is not small, fewer
    /// functions of the basis are kept until it is, and the report says how many.
    ///
    /// # Errors
    /// [`Error::Refused`] for the exact method and the panel route, which need all rows;
    /// as [`Estimator::prepare`]; whatever the stream says.
    pub fn prepare_streamed<S: RowStream>(
        &self,
        stream: &mut S,
        survey: &Survey,
        monitor: &mut dyn Monitor,
    ) -> std::result::Result<PreparedLaplacian, S::Error> {
        let sample = survey.sample()?;
        let named = match &self.params.basis {
            BasisSpec::Rows { index, .. } => Some(survey.select(index)?),
            _ => None,
        };
        let glimpse = Glimpse {
            count: survey.count(),
            sample: &sample,
            named: named.as_ref(),
        };
        let planned = self.plan(glimpse, monitor)?;
        let mut moments = planned.moments();
        stream.rewind()?;
        tiles::announce(PHASE, Some(survey.count()), monitor)?;
        while let Some(part) = stream.next(&mut Within(monitor))? {
            moments.add(&part, &mut Within(monitor))?;
            tiles::done(PHASE, moments.count(), monitor)?;
        }
        let (index, kept) = survey.kept()?;
        Ok(planned.finish(moments, index, kept, monitor)?)
    }
}

/// Sums of nothing yet: those that the parameters ask for.
fn nothing_summed(params: &LaplacianParams, features: &Arc<dyn Features>) -> Moments {
    let wanted = match params.covariance {
        Covariance::Labelled => Wanted::Energy,
        Covariance::All => Wanted::Both,
    };
    Moments::with_precision(features.clone(), wanted, params.precision)
}

/// What Σ̂ over all rows is in these coordinates, if it is over all rows.
fn averages(
    params: &LaplacianParams,
    features: &dyn Features,
    rows: &Rows,
    coordinates: &Coordinates,
    moments: Option<&Averages>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Averaged>> {
    if params.covariance == Covariance::Labelled {
        return Ok(None);
    }
    Ok(Some(match moments {
        Some(moments) if coordinates.route == Route::Gram => {
            averaged(moments, coordinates, params.free_constant)
        }
        _ => measured(
            features,
            rows.whole()?,
            coordinates,
            params.free_constant,
            monitor,
        )?,
    }))
}

/// The functions that were asked for.
fn basis(
    params: &LaplacianParams,
    points: &Arc<Points>,
    kernel: &Arc<dyn SmoothKernel>,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Basis> {
    let (chosen, derivatives) = match &params.basis {
        BasisSpec::Fourier { count } => {
            let waves = Fourier::draw(&params.kernel, points.dim(), *count, seed)?;
            return Ok(Basis::Fourier(Arc::new(waves)));
        }
        BasisSpec::Landmarks {
            count,
            selection,
            derivatives,
        } => {
            let count = count.unwrap_or_else(|| params::usual_count(points.len()));
            let index = landmark::choose(points, &**kernel, count, *selection, seed, monitor)?;
            (Arc::new(points.select(&index)?), *derivatives)
        }
        BasisSpec::Rows { index, derivatives } => {
            each_once(index)?;
            (Arc::new(points.select(index)?), *derivatives)
        }
        BasisSpec::Exact => (points.clone(), true),
    };
    landmarks(chosen, derivatives, kernel)
}

/// Refuses a landmark that is named twice.
fn each_once(index: &[usize]) -> Result<()> {
    let mut sorted = index.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(Error::refused(
            Refusal::Landmarks,
            format!("row {} is a landmark twice", pair[0]),
            "name each row once",
        )),
    }
}

/// `k_z` of these points, with `∂ₐk_z` if so wanted.
fn landmarks(
    chosen: Arc<Points>,
    derivatives: bool,
    kernel: &Arc<dyn SmoothKernel>,
) -> Result<Basis> {
    Ok(match derivatives {
        true => {
            let both = WithDerivatives::new(Some(chosen.clone()), chosen, kernel.clone())?;
            Basis::Derivatives(Arc::new(both))
        }
        false => Basis::Landmarks(Arc::new(Landmarks::new(chosen, kernel.clone()))),
    })
}

/// Averages of features and free functions from the moments of the basis.
fn averaged(moments: &Averages, coordinates: &Coordinates, constant: bool) -> Averaged {
    let map = &coordinates.map;
    let r = map.ncols();
    let p = map.nrows();
    let covariance = match &moments.covariance {
        Some(covariance) => {
            let image = times(covariance.as_ref(), map.as_ref());
            times(map.transpose(), image.as_ref())
        }
        None => Mat::zeros(r, r),
    };
    let mean = Mat::from_fn(1, p, |_, j| moments.mean[j]);
    let mean = times(mean.as_ref(), map.as_ref());
    let q = usize::from(constant);
    Averaged {
        features: Mat::from_fn(r, r, |i, j| 0.5 * (covariance[(i, j)] + covariance[(j, i)])),
        mixed: Mat::from_fn(q, r, |_, j| mean[(0, j)]),
        free: Mat::identity(q, q),
    }
}

/// Averages of features and free functions by a pass over the rows, in coordinates
/// that lose no digits.
fn measured(
    features: &dyn Features,
    points: &Points,
    coordinates: &Coordinates,
    constant: bool,
    monitor: &mut dyn Monitor,
) -> Result<Averaged> {
    let (r, flat) = (coordinates.map.ncols(), coordinates.flat.as_ref());
    let q = usize::from(constant) + flat.map_or(0, Mat::ncols);
    let mut sums: Mat<f64> = Mat::zeros(q + r, q + r);
    let tiles: Vec<Range<usize>> = runs(points.len(), ROWS).collect();
    tiles::map_fold(
        "averages over all rows",
        tiles.len(),
        monitor,
        |k| {
            let count = tiles[k].len();
            let mut values = vec![0.0; count * features.len()];
            features.values(&points.tile(tiles[k].clone()), &mut values);
            let values = MatRef::from_row_major_slice(&values, count, features.len());
            let both = joined(values, coordinates, constant);
            Ok(times(both.transpose(), both.as_ref()))
        },
        |part| {
            sums += part;
            Ok(())
        },
    )?;
    let n = points.len() as f64;
    let part = |row: usize, col: usize, rows: usize, cols: usize| {
        Mat::from_fn(rows, cols, |i, j| {
            0.5 * (sums[(row + i, col + j)] + sums[(col + j, row + i)]) / n
        })
    };
    Ok(Averaged {
        features: part(q, q, r, r),
        mixed: part(0, q, q, r),
        free: part(0, 0, q, q),
    })
}

/// `[e, F]` from values of the basis: free functions first.
fn joined(values: MatRef<'_, f64>, coordinates: &Coordinates, constant: bool) -> Mat<f64> {
    let features = times(values, coordinates.map.as_ref());
    let free = free(values, coordinates, constant);
    let q = free.ncols();
    Mat::from_fn(values.nrows(), q + features.ncols(), |i, j| {
        match j.checked_sub(q) {
            None => free[(i, j)],
            Some(j) => features[(i, j)],
        }
    })
}

/// e: the constant, if it is free, then the flat functions.
fn free(values: MatRef<'_, f64>, coordinates: &Coordinates, constant: bool) -> Mat<f64> {
    let flat = coordinates.flat.as_ref();
    let flat = flat.map(|flat| times(values, flat.as_ref()));
    let q = usize::from(constant);
    let width = q + flat.as_ref().map_or(0, Mat::ncols);
    Mat::from_fn(values.nrows(), width, |i, j| {
        match (j.checked_sub(q), &flat) {
            (Some(j), Some(flat)) => flat[(i, j)],
            _ => 1.0,
        }
    })
}

impl PreparedLaplacian {
    fn assemble(
        rows: Rows,
        params: LaplacianParams,
        (basis, kernel): (Basis, &dyn SmoothKernel),
        (coordinates, moments): (Coordinates, Option<Averages>),
        share: f64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let readout = match (&basis, kernel.geometry()) {
            (Basis::Fourier(_), _) => Readout::Global,
            (_, Geometry::SquaredDistance) => Readout::Local { floor: REACH },
            _ => Readout::Global,
        };
        let base = Arc::new(FeatureBase::new(basis));
        let (features, known) = (base.features(), moments.as_ref());
        Ok(Self {
            averages: averages(&params, features, &rows, &coordinates, known, monitor)?,
            rows,
            params,
            base,
            coordinates,
            share,
            moments,
            readout,
        })
    }

    /// The parameters, a bandwidth from the data filled in.
    pub fn params(&self) -> &LaplacianParams {
        &self.params
    }

    /// The rows it was prepared on.
    ///
    /// # Errors
    /// [`Error::Refused`] when they passed by and were not kept.
    pub fn points(&self) -> Result<&Points> {
        self.rows.whole()
    }

    /// The functions predictors are sums of.
    pub fn base(&self) -> &Arc<FeatureBase> {
        &self.base
    }

    /// The coordinates, and what is known of their accuracy.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// μ.
    pub fn norm_share(&self) -> f64 {
        self.share
    }

    /// The same basis and rows with another μ, from what is known already.
    ///
    /// # Errors
    /// [`Error::Refused`] for the exact method, which has to be prepared anew; as a
    /// preparation.
    pub fn with_share(&self, share: f64, monitor: &mut dyn Monitor) -> Result<Self> {
        let params = LaplacianParams {
            norm_share: NormShare::Fixed(share),
            ..self.params.clone()
        };
        params.check()?;
        let Some(coordinates) = self.coordinates.with_share(share, monitor)? else {
            return Err(Error::refused(
                Refusal::Method,
                "the exact method is factored for one norm share",
                "prepare it again",
            ));
        };
        let features = self.base.features();
        let moments = self.moments.as_ref();
        let rows = &self.rows;
        Ok(Self {
            averages: averages(&params, features, rows, &coordinates, moments, monitor)?,
            rows: self.rows.clone(),
            params,
            base: self.base.clone(),
            coordinates,
            share,
            moments: self.moments.clone(),
            readout: self.readout,
        })
    }

    fn axes(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Axes> {
        check_total(self.rows.len(), seen)?;
        let labelled = self.rows.select(seen.index())?;
        let values = self.base.features().matrix(&labelled, monitor)?;
        let features = times(values.as_ref(), self.coordinates.map.as_ref());
        let constant = self.params.free_constant;
        let free = free(values.as_ref(), &self.coordinates, constant);
        Axes::new(Measured {
            features: weighed(&features, seen),
            free: weighed(&free, seen),
            averages: self.averages.clone(),
        })
    }

    /// The generalised eigenvalues of `(Σ̂, L̂ + μ)`, descending; those of unpenalised
    /// functions, which are infinite, are not among them.
    ///
    /// # Errors
    /// When the labels do not fit the rows.
    pub fn eigenvalues(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
        Ok(self.axes(seen, monitor)?.values)
    }

    /// The filter, chosen where it was left open, and its value at each of
    /// [`PreparedLaplacian::eigenvalues`].
    ///
    /// # Errors
    /// As [`Prepared::solve`].
    pub fn gains(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<(Filter, Vec<f64>)> {
        let axes = self.axes(seen, monitor)?;
        let (filter, gains, _) = self.filtered(&axes, seen)?;
        Ok((filter, gains))
    }

    /// Solves for several filters at once: one decomposition serves them all.
    ///
    /// # Errors
    /// As [`Prepared::solve`], and when a filter does not fit the spectrum.
    pub fn solve_path(
        &self,
        filters: &[Filter],
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<PathPoint>> {
        let axes = self.axes(seen, monitor)?;
        tiles::announce("filters", Some(filters.len()), monitor)?;
        let labels = weighed(seen.values(), seen);
        let mut out = Vec::with_capacity(filters.len());
        for filter in filters {
            filter.check()?;
            let gains = axes.gains(&axes.resolve(filter)?)?;
            let left = leave_one_out::predictions(&axes, filter, &gains, labels.as_ref())?;
            out.push(PathPoint {
                filter: filter.clone(),
                left_out: unweighed(left, seen),
                fitted: self.fitted(&axes, &gains, seen)?,
            });
            tiles::tick("filters", monitor)?;
        }
        Ok(out)
    }

    /// The filter, chosen where it was left open, and its gains; a strength that was
    /// chosen comes with its leave-one-out error.
    #[allow(clippy::type_complexity)]
    fn filtered(
        &self,
        axes: &Axes,
        seen: &Observed,
    ) -> Result<(Filter, Vec<f64>, Option<(f64, f64)>)> {
        let (filter, chosen) = match &self.params.filter {
            Some(filter) => (filter.clone(), None),
            None => {
                let (strength, error) = strength(axes, weighed(seen.values(), seen).as_ref())?;
                (Filter::Tikhonov { strength }, error.map(|e| (strength, e)))
            }
        };
        let gains = axes.gains(&axes.resolve(&filter)?)?;
        Ok((filter, gains, chosen))
    }

    fn fitted(&self, axes: &Axes, gains: &[f64], seen: &Observed) -> Result<Fitted<FeatureBase>> {
        let found = axes.solve(gains, weighed(seen.values(), seen).as_ref());
        let (coefficients, offset) = self.in_basis(&found.features, &found.free);
        let expansion = Expansion::new(
            self.base.clone(),
            coefficients.as_ref(),
            &self.base.mass(),
            self.readout,
        )?;
        let expansion = match self.params.free_constant {
            true => expansion.with_offset(offset)?,
            false => expansion,
        };
        Ok(Fitted {
            expansion,
            visible: None,
            dual: None,
            report: self.report(axes),
        })
    }

    /// Coefficients over the basis, and the constant.
    fn in_basis(&self, features: &Mat<f64>, free: &Mat<f64>) -> (Mat<f64>, Vec<f64>) {
        let mut coefficients = times(self.coordinates.map.as_ref(), features.as_ref());
        let q = usize::from(self.params.free_constant);
        if let Some(flat) = &self.coordinates.flat {
            coefficients += times(flat.as_ref(), free.subrows(q, flat.ncols()));
        }
        let constant = |j: usize| if q > 0 { free[(0, j)] } else { 0.0 };
        (coefficients, (0..features.ncols()).map(constant).collect())
    }

    fn report(&self, axes: &Axes) -> SolveReport {
        let Coordinates {
            route,
            error,
            condition,
            rank,
            resolved,
            ..
        } = &self.coordinates;
        let how = match (route, &self.params.basis) {
            (_, BasisSpec::Exact) => "the exact kernel of Eq 5",
            (Route::Gram, _) if self.params.precision == Precision::Single => {
                "the Gram form in single precision"
            }
            (Route::Gram, _) => "the Gram form",
            _ => "QR of the gradients",
        };
        let cut = match resolved > rank {
            true => format!(" ({resolved} before what the sums do not resolve was left out)"),
            false => String::new(),
        };
        let doubt = match *error <= 1e-6 {
            true => "",
            false => "; raise the norm share or lower the bandwidth to be surer",
        };
        SolveReport {
            solver: format!("kernel Laplacian by {how}"),
            size: self.base.len(),
            iterations: 0,
            residual: 0.0,
            error_estimate: Some(error.min(f64::MAX)),
            condition: Some(*condition),
            outcome: Outcome::Direct,
            smallest: axes.values.last().copied(),
            choice: Some(format!(
                "{how}: effective rank {rank} of {}{cut}, norm share {:.1e}, relative error about \
                 {error:.0e}{doubt}",
                self.base.len(),
                self.share
            )),
        }
    }

    /// The leading modes of `(Σ̂, L̂ + μ)` over all rows: an embedding for new rows.
    ///
    /// # Errors
    /// [`Error::Refused`] unless Σ̂ is over all rows, as modes that know no label are.
    pub fn modes(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Embedding> {
        if self.averages.is_none() {
            return Err(Error::refused(
                Refusal::Method,
                "modes over the labelled rows depend on the labels",
                "set covariance to all",
            ));
        }
        let none = Observed::new(vec![self.rows.any()], Mat::zeros(1, 1), self.rows.len())?;
        let axes = self.axes(&none, monitor)?;
        let (features, free) = axes.modes(count);
        let (coefficients, offset) = self.in_basis(&features, &free);
        Ok(Embedding {
            base: self.base.clone(),
            eigenvalues: axes.values.iter().take(count).copied().collect(),
            report: self.report(&axes),
            coefficients,
            offset,
        })
    }

    /// The Dirichlet energy `n⁻¹Σ‖∇g(xₗ)‖²` over the rows and `‖g‖²` in the kernel's
    /// space of a fitted g, one pair an output. O(ndp).
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn energy(
        &self,
        fitted: &Fitted<FeatureBase>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<(f64, f64)>> {
        let columns = fitted.expansion.columns();
        let coefficients = columns.subcols(0, columns.ncols() - 1);
        let features = self.base.features();
        let gradients = features.gradient(self.rows.whole()?, coefficients, monitor)?;
        let gram = features.gram(monitor)?;
        let image = times(gram.as_ref(), coefficients);
        let n = self.rows.len() as f64;
        Ok((0..coefficients.ncols())
            .map(|j| {
                let pairs = coefficients.col(j).iter().zip(image.col(j).iter());
                let norm: f64 = pairs.map(|(a, b)| a * b).sum();
                (gradients.col(j).squared_norm_l2() / n, norm.max(0.0))
            })
            .collect())
    }
}

impl Prepared for PreparedLaplacian {
    type Base = FeatureBase;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<FeatureBase>> {
        let axes = self.axes(seen, monitor)?;
        let (_, gains, chosen) = self.filtered(&axes, seen)?;
        let mut fitted = self.fitted(&axes, &gains, seen)?;
        if let (Some((strength, error)), Some(choice)) = (chosen, &mut fitted.report.choice) {
            let text =
                format!("strength {strength:e} by leave-one-out (squared error {error:.3}); ");
            choice.insert_str(0, &text);
        }
        Ok(fitted)
    }
}

/// Rows times √w: in these coordinates `Σ wᵢ‖g(xᵢ) − yᵢ‖²` is a plain sum.
fn weighed(rows: &Mat<f64>, seen: &Observed) -> Mat<f64> {
    match seen.weights() {
        None => rows.clone(),
        Some(w) => Mat::from_fn(rows.nrows(), rows.ncols(), |i, j| {
            w[i].sqrt() * rows[(i, j)]
        }),
    }
}

/// Predictions in the labels' own scale again.
fn unweighed(mut rows: Mat<f64>, seen: &Observed) -> Mat<f64> {
    for (i, w) in seen.weights().into_iter().flatten().enumerate() {
        (0..rows.ncols()).for_each(|j| rows[(i, j)] /= w.sqrt());
    }
    rows
}

/// The first of the strengths with the smallest leave-one-out squared error.
fn strength(axes: &Axes, labels: MatRef<'_, f64>) -> Result<(f64, Option<f64>)> {
    if labels.nrows() < 3 {
        return Ok((1.0, None));
    }
    let mut best: Option<(f64, f64)> = None;
    for strength in params::STRENGTHS {
        let filter = Filter::Tikhonov { strength };
        let gains = axes.gains(&filter)?;
        let left = leave_one_out::predictions(axes, &filter, &gains, labels)?;
        let error = (&left - labels).squared_norm_l2() / labels.nrows() as f64;
        if best.is_none_or(|(_, least)| error < least) {
            best = Some((strength, error));
        }
    }
    Ok(best.map_or((1.0, None), |(strength, error)| (strength, Some(error))))
}

/// One filter of a path.
#[derive(Debug, Clone)]
pub struct PathPoint {
    /// ψ.
    pub filter: Filter,
    /// Each label predicted without it, n_ℓ × outputs.
    pub left_out: Mat<f64>,
    /// The fit.
    pub fitted: Fitted<FeatureBase>,
}

/// Leading modes as functions of new rows.
#[derive(Debug, Clone)]
pub struct Embedding {
    base: Arc<FeatureBase>,
    /// λᵢ, descending: large is smooth.
    pub eigenvalues: Vec<f64>,
    /// How they were found.
    pub report: SolveReport,
    coefficients: Mat<f64>,
    offset: Vec<f64>,
}

impl Embedding {
    /// Coefficients of the modes over the basis, one column a mode.
    pub fn coefficients(&self) -> &Mat<f64> {
        &self.coefficients
    }

    /// The constant of each mode.
    pub fn offset(&self) -> &[f64] {
        &self.offset
    }

    /// The modes at rows, one column a mode, with `E[eᵢ²] = λᵢ` over the rows of Σ̂.
    ///
    /// # Errors
    /// As [`Features::expand`].
    pub fn transform(&self, rows: &Points, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        let mut out = self
            .base
            .expand(rows, self.coefficients.as_ref(), monitor)?;
        for (j, offset) in self.offset.iter().enumerate() {
            out.col_mut(j).iter_mut().for_each(|v| *v += offset);
        }
        Ok(out)
    }
}
