//! Coordinates in which `L̂ + μ` is the identity.  [KLAP §2.2, Prop. 1]
//!
//! With `W` whitening `T*T` and `RᵀR = Wᵀ(T*L̂T)W + μI`, the features `F(x) = φ(x) W R⁻¹`
//! turn the pencil `(Σ̂, L̂ + μ)` into `(E[FᵀF], I)`: filtering Laplacians becomes
//! filtering a covariance, and `F(x)·F(z)` is the data-dependent kernel
//! `k̃ = ⟨k_x, (L̂ + μ)⁻¹ k_z⟩` on the basis. Neither pencil is ever formed, and no
//! diagonal is added that was not asked for.

use std::ops::Range;
use std::sync::Arc;

use super::params::Route;
use crate::data::Points;
use crate::error::{Error, Refusal, Result};
use crate::feature::moments::Averages;
use crate::feature::{Features, ROWS};
use crate::linalg::gemm::{self, Write};
use crate::linalg::rows::runs;
use crate::linalg::whiten::{Whitening, whiten_above};
use crate::linalg::{Mat, MatMut, MatRef, Precision, cholesky, qr, strips, svd, tiles};
use crate::monitor::Monitor;

const PHASE: &str = "whitening the basis";

/// The Gram form is used while the error it is estimated to make is below this.
const SAFE: f64 = 1e-6;

/// Where there is no panel, functions are kept while the estimate is below this. It is a
/// bound, 10³ to 10⁴ times what was measured against the panel; functions left out cost
/// more than that long before.
const TOLERABLE: f64 = 1e-2;

/// Multiplications for which the panel is taken without asking further.
const AT_ONCE: f64 = 2e9;

/// Multiplications beyond which the panel is not taken unless it was asked for.
const AFFORDABLE: f64 = 1e11;

/// The energy `‖∇·‖²` in whitened coordinates, whatever μ.
#[derive(Debug)]
enum Energy {
    /// Upper triangular `H` with `HᵀH = WᵀL̂W`.
    Root(Mat<f64>),
    /// `WᵀL̂W`, with `‖T*L̂T‖` before it was whitened, and in single precision what was
    /// measured of its error, whitened too.
    Gram {
        white: Mat<f64>,
        size: f64,
        off: Option<Mat<f64>>,
    },
}

/// The map to features and how it was found.
#[derive(Debug, Clone)]
pub struct Coordinates {
    /// `W R⁻¹`, p × r.
    pub map: Mat<f64>,
    /// Functions without energy, p × q, when μ = 0: they are not penalised.
    pub flat: Option<Mat<f64>>,
    /// The route that was taken.
    pub route: Route,
    /// The relative error that rounding of L̂ makes in this route, estimated.
    pub error: f64,
    /// The condition of `L̂ + μ` in whitened coordinates.
    pub condition: f64,
    /// The functions kept: the effective rank of the basis, or fewer.
    pub rank: usize,
    /// The effective rank of the basis. Where it is more than [`Coordinates::rank`], the
    /// others are left out because the sums do not resolve `L̂ + μ` on them.
    pub resolved: usize,
    /// Whether functions may be left out for the sake of the Gram form.
    pub(super) cuts: bool,
    /// What another μ starts from.
    pub(super) known: Option<Arc<Known>>,
}

/// What does not depend on μ.
#[derive(Debug)]
pub(super) struct Known {
    whitening: Whitening,
    energy: Energy,
}

impl Known {
    /// The same for the first functions of a whitened basis: pivoting nests them.
    fn leading(&self, rank: usize) -> Self {
        let energy = match &self.energy {
            Energy::Root(root) => Energy::Root(root.subcols(0, rank).to_owned()),
            Energy::Gram { white, size, off } => {
                let part = |of: &Mat<f64>| of.submatrix(0, 0, rank, rank).to_owned();
                Energy::Gram {
                    white: part(white),
                    size: *size,
                    off: off.as_ref().map(part),
                }
            }
        };
        Self {
            whitening: self.whitening.leading(rank),
            energy,
        }
    }
}

/// Rows and basis to find coordinates for.
pub(super) struct Sources<'a> {
    pub(super) features: &'a dyn Features,
    /// The rows, where they can be read again.
    pub(super) rows: Option<&'a Points>,
    pub(super) count: usize,
    pub(super) share: f64,
    pub(super) precision: Precision,
}

/// Whether the panel will be taken whatever the Gram form would be like, so that
/// `T*L̂T` need not be summed.
pub(super) fn surely_panel(asked: Route, features: &dyn Features, rows: usize, share: f64) -> bool {
    let p = features.len() as f64;
    let work = 2.0 * rows as f64 * features.dim() as f64 * p * p;
    match asked {
        Route::Panel => true,
        Route::Gram => false,
        Route::Auto => work <= AT_ONCE || share == 0.0,
    }
}

impl Coordinates {
    /// Finds the coordinates, by QR of the gradients or by Cholesky of `T*L̂T`, which
    /// is among `moments` where it has been summed.
    pub(super) fn new(
        sources: &Sources<'_>,
        asked: Route,
        moments: Option<&Averages>,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        tiles::announce(PHASE, None, monitor)?;
        let gram = sources.features.gram(monitor)?;
        let whitening = whiten_above(gram.as_ref(), sources.precision.epsilon())?;
        let r = whitening.rank() as f64;
        let work = 2.0 * sources.count as f64 * sources.features.dim() as f64 * r * r;
        let double = sources.precision == Precision::Double;
        let rows = sources.rows.filter(|_| asked != Route::Gram && double);
        let affordable = asked == Route::Panel || work <= AFFORDABLE;
        let by_gram = match (moments, asked) {
            (Some(moments), Route::Auto | Route::Gram) => {
                let known = Known {
                    energy: whitened(moments, &whitening.map, monitor)?,
                    whitening: whitening.clone(),
                };
                let known = Arc::new(known);
                let found = Self::solve(known.clone(), sources.share, monitor);
                Some((known, found))
            }
            _ => None,
        };
        let rows = rows.filter(|_| affordable);
        match (by_gram, rows) {
            (Some((_, found)), _) if asked == Route::Gram => found,
            (Some((_, Ok(found))), Some(_)) if found.error <= SAFE => Ok(found),
            (_, Some(rows)) => {
                let w = whitening.map.as_ref();
                let energy = Energy::Root(gradient_root(sources.features, rows, w, monitor)?);
                let known = Known { whitening, energy };
                Self::solve(Arc::new(known), sources.share, monitor)
            }
            (Some((known, found)), None) => Self::cut(&known, sources.share, found, monitor),
            (None, None) => Err(Error::refused(
                Refusal::Streamed,
                "the panel route reads the rows a second time, and they were streamed",
                "use the gram route, or keep the table in memory",
            )),
        }
    }

    /// The first functions of the whitened basis for which the Gram form will do, where
    /// there is no other route: what the sums do not resolve is left out, not damped.
    fn cut(
        known: &Arc<Known>,
        share: f64,
        whole: Result<Self>,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let whole = match whole {
            Ok(found) if found.error <= TOLERABLE => {
                return Ok(Self {
                    cuts: true,
                    ..found
                });
            }
            Err(Error::Cancelled { phase }) => return Err(Error::Cancelled { phase }),
            other => other,
        };
        let (mut low, mut high) = (0, known.whitening.rank());
        let mut best = None;
        while low < high {
            let middle = (low + high).div_ceil(2);
            let part = Arc::new(known.leading(middle));
            match Self::solve(part, share, monitor) {
                Err(Error::Cancelled { phase }) => return Err(Error::Cancelled { phase }),
                Ok(found) if found.error <= TOLERABLE => {
                    low = middle;
                    best = Some(found);
                }
                _ => high = middle - 1,
            }
        }
        best.map_or(whole, |found| {
            Ok(Self {
                resolved: known.whitening.rank(),
                known: Some(known.clone()),
                cuts: true,
                ..found
            })
        })
    }

    /// The coordinates of another μ; `None` where they have to be found anew.
    pub(super) fn with_share(&self, share: f64, monitor: &mut dyn Monitor) -> Result<Option<Self>> {
        let Some(known) = &self.known else {
            return Ok(None);
        };
        let found = Self::solve(known.clone(), share, monitor);
        let found = if self.cuts {
            Self::cut(known, share, found, monitor)
        } else {
            found
        };
        found.map(Some)
    }

    fn solve(known: Arc<Known>, share: f64, monitor: &mut dyn Monitor) -> Result<Self> {
        let Known { whitening, energy } = &*known;
        let (w, r) = (&whitening.map, whitening.rank());
        let lost = (whitening.largest() / whitening.smallest()).sqrt();
        let (map, flat, condition, error, route) = match energy {
            Energy::Root(root) if share > 0.0 => {
                let upper = qr::upper(stacked(root, share));
                let condition = spread((0..r).map(|i| upper[(i, i)].abs()));
                let error = f64::EPSILON * lost * condition.sqrt();
                (
                    divided(w, upper.as_ref(), monitor)?,
                    None,
                    condition,
                    error,
                    Route::Panel,
                )
            }
            Energy::Root(root) => {
                let (map, flat, condition) = flattened(w, root)?;
                let error = f64::EPSILON * lost * condition.sqrt();
                (map, flat, condition, error, Route::Panel)
            }
            Energy::Gram { white, size, off } => {
                if share == 0.0 {
                    return Err(no_share());
                }
                let mut system = white.clone();
                (0..r).for_each(|i| system[(i, i)] += share);
                let factor = cholesky::factor(
                    system,
                    "L̂ + μ in whitened coordinates",
                    "raise the norm share, or use the panel route, which is accurate for any",
                    monitor,
                )?;
                let lower = factor.lower();
                let condition = spread((0..r).map(|i| lower[(i, i)]));
                let map = divided(w, lower.transpose(), monitor)?;
                // ‖R⁻ᵀ δB R⁻¹‖, the relative change of L̂ + μ in its own norm, for what was
                // measured of δB, or for a rounding of ε‖T*L̂T‖ in what was summed.
                let error = match off {
                    Some(off) => divided_twice(off, lower, monitor)?.norm_l2(),
                    None => f64::EPSILON * size * map.squared_norm_l2(),
                };
                (map, None, condition, error, Route::Gram)
            }
        };
        Ok(Self {
            map,
            flat,
            route,
            error,
            condition,
            rank: r,
            resolved: r,
            cuts: false,
            known: Some(known),
        })
    }
}

fn no_share() -> Error {
    Error::parameter(
        "norm_share",
        "positive when the gradients cannot be written out (n·d·p² is too large)",
        0.0,
    )
}

/// `[H; √μ I]`.
fn stacked(root: &Mat<f64>, share: f64) -> Mat<f64> {
    let (above, r) = (root.nrows(), root.ncols());
    Mat::from_fn(above + r, r, |i, j| match i.checked_sub(above) {
        None => root[(i, j)],
        Some(i) if i == j => share.sqrt(),
        Some(_) => 0.0,
    })
}

/// `Wᵀ(T*L̂T)W`.
fn whitened(moments: &Averages, w: &Mat<f64>, monitor: &mut dyn Monitor) -> Result<Energy> {
    let (r, energy) = (w.ncols(), &moments.energy);
    let mut whiten = |matrix: &Mat<f64>| -> Result<Mat<f64>> {
        let image = strips::times(PHASE, matrix.as_ref(), w.as_ref(), monitor)?;
        let white = strips::times(PHASE, w.transpose(), image.as_ref(), monitor)?;
        Ok(Mat::from_fn(r, r, |i, j| {
            0.5 * (white[(i, j)] + white[(j, i)])
        }))
    };
    let white = whiten(energy)?;
    Ok(Energy::Gram {
        white,
        size: energy.norm_l2(),
        off: moments.off.as_ref().map(whiten).transpose()?,
    })
}

/// `W R⁻¹` for an upper triangular R.
fn divided(w: &Mat<f64>, upper: MatRef<'_, f64>, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
    // X R = W  ⇔  Rᵀ Xᵀ = Wᵀ
    let mut transposed = w.transpose().to_owned();
    strips::solve_lower(PHASE, upper.transpose(), transposed.as_mut(), monitor)?;
    Ok(transposed.transpose().to_owned())
}

/// `L⁻¹ A L⁻ᵀ` for a symmetric A.
fn divided_twice(
    a: &Mat<f64>,
    lower: MatRef<'_, f64>,
    monitor: &mut dyn Monitor,
) -> Result<Mat<f64>> {
    let mut half = a.clone();
    strips::solve_lower(PHASE, lower, half.as_mut(), monitor)?;
    let mut whole = half.transpose().to_owned();
    strips::solve_lower(PHASE, lower, whole.as_mut(), monitor)?;
    Ok(whole)
}

/// The square of the largest over the smallest: a condition from a triangle's diagonal.
fn spread(diagonal: impl Iterator<Item = f64>) -> f64 {
    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    diagonal.for_each(|v| (low, high) = (low.min(v), high.max(v)));
    (high / low).powi(2)
}

type Flattened = (Mat<f64>, Option<Mat<f64>>, f64);

/// μ = 0: directions with energy divided by its root, those without set apart.
fn flattened(w: &Mat<f64>, root: &Mat<f64>) -> Result<Flattened> {
    let svd = svd::thin(root.as_ref())?;
    let r = root.ncols();
    let largest = svd.values.first().copied().unwrap_or(0.0);
    let cut = r as f64 * f64::EPSILON * largest;
    let kept = svd.values.iter().take_while(|s| **s > cut).count();
    if kept == 0 {
        return Err(Error::refused(
            Refusal::AllEqual,
            "no function of the basis has a gradient at any row",
            "give rows that differ, or a smaller bandwidth",
        ));
    }
    let v = svd.v.as_ref();
    let bent = Mat::from_fn(r, kept, |i, j| v[(i, j)] / svd.values[j]);
    let flat =
        (kept < v.ncols()).then(|| gemm::times(w.as_ref(), v.subcols(kept, v.ncols() - kept)));
    let condition = (largest / svd.values[kept - 1]).powi(2);
    Ok((gemm::times(w.as_ref(), bent.as_ref()), flat, condition))
}

/// Upper triangular `H` with `HᵀH = Wᵀ(T*L̂T)W`, by QR of the gradients, tile by tile.
fn gradient_root(
    features: &dyn Features,
    rows: &Points,
    w: MatRef<'_, f64>,
    monitor: &mut dyn Monitor,
) -> Result<Mat<f64>> {
    const PHASE: &str = "gradients at the rows";
    let (p, d, r) = (features.len(), features.dim(), w.ncols());
    // Tall enough that a tile shrinks, short enough for 64 MB.
    let tall = (4 * r).div_ceil(d);
    let each = tall.min((1 << 23) / (d * p).max(1)).clamp(1, rows.len());
    let tiles: Vec<Range<usize>> = runs(rows.len(), each).collect();
    let mut root: Mat<f64> = Mat::zeros(0, r);
    tiles::map_fold(
        PHASE,
        tiles.len(),
        monitor,
        |k| {
            let mut panel: Mat<f64> = Mat::zeros(tiles[k].len() * d, r);
            for own in runs(tiles[k].len(), ROWS) {
                let first = tiles[k].start;
                let rows = rows.tile(first + own.start..first + own.end);
                let mut gradients = vec![0.0; rows.len() * p];
                features.gradients(&rows, &mut gradients);
                let out: MatMut<'_, f64> = panel.as_mut().subrows_mut(own.start * d, rows.len());
                let gradients = MatRef::from_row_major_slice(&gradients, rows.len(), p);
                gemm::product(out, Write::Replace, gradients, w, 1.0);
            }
            Ok(qr::upper(panel))
        },
        |part| {
            let above = root.nrows();
            let stacked = Mat::from_fn(above + part.nrows(), r, |i, j| {
                if i < above {
                    root[(i, j)]
                } else {
                    part[(i - above, j)]
                }
            });
            root = qr::upper(stacked);
            Ok(())
        },
    )?;
    let scale = 1.0 / (rows.len() as f64).sqrt();
    Ok(Mat::from_fn(root.nrows(), r, |i, j| scale * root[(i, j)]))
}
