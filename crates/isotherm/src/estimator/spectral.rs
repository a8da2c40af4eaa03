//! A method seen as Bayesian ridge: what choosing the next row to label needs of it.
//!
//! Every method here is ridge regression with some kernel K over the visible samples.
//! With features F, `FFᵀ ≈ K`, that is `f = Fθ, θ ~ N(0, I)` and labels with noise of
//! variance c: `min_θ Σ_l ‖y_l − F_l θ‖²/c + ‖θ‖²`. A [`Prior`] says F and c, how much of
//! the kernel the features keep, and where the method differs from this.
//!
//! | method | F | c with n labels |
//! |---|---|---|
//! | STKR | `√(N s(λᵢ)) ψᵢ` | nβ; where the p.s.d. twin would repair, `(nβ + N)/η` |
//! | kernel Laplacian | `φ(x) W R⁻¹`, turned to its principal axes | nλ |
//! | kernel ridge | `k(x, z_J) K_JJ^-½` of pivoted landmarks J | nβ |
//! | label propagation | `ψᵢ/√(1 − ηλᵢ)` | 1, the identity in `(I − ηS)⁻¹` |
//! | harmonic | `D^-½ψᵢ/√(1 − λᵢ)`, scaled to unit mean | 10⁻³ |
//!
//! What features leave out of a kernel counts as noise: its mean over the rows is added
//! to c wherever it is known.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::Prepared;
use crate::error::{Error, Refusal, Result};
use crate::linalg::{Block, Mat, MatMut, MatRef};
use crate::monitor::Monitor;
use crate::operator::{Modes, Operator, SpectrumBounds, Symmetric};
use crate::solve::components::leading_by_component;
use crate::solve::eigenpairs::{self, Leading, LeadingOptions};

/// The smallest c, as a part of the mean prior variance: below, a label's own rounding
/// would be fitted.
const QUIETEST: f64 = 1e-9;

/// Probes of a trace: the error is about `√(2/16)·‖S‖_F`.
const PROBES: usize = 16;

/// A method that can say its prior: no strategy of [`crate::query`] needs more.
pub trait Spectral: Prepared {
    /// The leading `count` features, and what they stand for.
    ///
    /// # Errors
    /// [`Error::Parameter`] when `count` is 0; [`Error::Refused`] when the kernel has no
    /// positive direction or the rows are gone; whatever stops an eigensolver.
    fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior>;
}

/// The constants of components, each a feature of its own: row i has `entry[i]` in the
/// feature of `component[i]`, and nothing in the others. Kept apart from the other
/// features because a graph may have thousands of components, and a label in one must
/// neither be lost nor leak into another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Level {
    /// The component of each row, from 0.
    pub component: Vec<u32>,
    /// Its entry; 0 where the method knows no constant.
    pub entry: Vec<f64>,
}

/// `f = Fθ + e_C a_C` with `θ, a ~ N(0, I)`, and labels with noise of variance c.
#[derive(Debug, Clone)]
pub struct Prior {
    features: Mat<f64>,
    level: Option<Level>,
    fixed: f64,
    each: f64,
    share: Option<f64>,
    note: String,
}

impl Prior {
    /// Features of N rows, one row each, with `c = fixed + n·each` for n labels.
    ///
    /// # Errors
    /// [`Error::Refused`] without a row or a feature, [`Error::NotFinite`] when one is no
    /// number, [`Error::Parameter`] when a noise is negative or both are 0.
    pub fn new(features: Mat<f64>, fixed: f64, each: f64) -> Result<Self> {
        if features.nrows() == 0 {
            return Err(Error::refused(
                Refusal::TooFewRows,
                "there is no row",
                "give at least one row",
            ));
        }
        if !features.is_all_finite() {
            return Err(Error::NotFinite {
                phase: "the features of the rows",
                hint: "rescale the features or choose another kernel".into(),
            });
        }
        if !(fixed >= 0.0 && each >= 0.0 && fixed.is_finite() && each.is_finite()) {
            return Err(Error::parameter(
                "noise",
                "made of numbers that are not negative",
                (fixed, each),
            ));
        }
        Ok(Self {
            features,
            level: None,
            fixed,
            each,
            share: None,
            note: String::new(),
        })
    }

    /// With the constants of components.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one component and one entry a row;
    /// [`Error::NotFinite`].
    pub fn with_level(mut self, level: Level) -> Result<Self> {
        for (what, got) in [
            ("components, one for each row", level.component.len()),
            ("entries, one for each row", level.entry.len()),
        ] {
            if got != self.len() {
                let expected = self.len();
                return Err(Error::Shape {
                    what,
                    expected,
                    got,
                });
            }
        }
        if level.entry.iter().any(|e| !e.is_finite()) {
            return Err(Error::NotFinite {
                phase: "the constants of components",
                hint: "rescale the edge weights".into(),
            });
        }
        self.level = Some(level);
        Ok(self)
    }

    /// With the share of the kernel's trace that is kept, where it is known, and a
    /// sentence about what is not.
    #[must_use]
    pub fn saying(mut self, share: Option<f64>, note: impl Into<String>) -> Self {
        self.share = share;
        self.note = note.into();
        self
    }

    /// N.
    pub fn len(&self) -> usize {
        self.features.nrows()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// F, N × m.
    pub fn features(&self) -> MatRef<'_, f64> {
        self.features.as_ref()
    }

    /// The constants of components, where there are any.
    pub fn level(&self) -> Option<&Level> {
        self.level.as_ref()
    }

    /// The share of the kernel's trace that the features keep, where it is known.
    pub fn share(&self) -> Option<f64> {
        self.share
    }

    /// What the features stand for and what they leave out.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The prior variance `‖f_x‖² + e_x²` of row i.
    pub fn variance(&self, i: usize) -> f64 {
        let level = self.level.as_ref().map_or(0.0, |l| l.entry[i]);
        self.features.row(i).iter().map(|v| v * v).sum::<f64>() + level * level
    }

    /// c that makes Bayesian ridge the method's own fit with `labels` labels; at least
    /// 10⁻⁹ of the mean prior variance.
    pub fn noise(&self, labels: usize) -> f64 {
        let n = self.len();
        let mean = (0..n).map(|i| self.variance(i)).sum::<f64>() / n as f64;
        let floor = QUIETEST * if mean > 0.0 { mean } else { 1.0 };
        (self.fixed + labels as f64 * self.each).max(floor)
    }
}

/// Refuses a number of features that cannot be.
pub(super) fn check_count(count: usize) -> Result<()> {
    match count {
        0 => Err(Error::parameter("the number of modes", "at least 1", 0)),
        _ => Ok(()),
    }
}

/// `A − 3 U Uᵀ`: exact eigenvectors U of eigenvalue 1 go to −2, below everything else of
/// a normalised graph.
struct Sunk<'a> {
    inner: &'a dyn Symmetric,
    modes: &'a Modes,
}

/// Below this an eigenvalue is a mode that was sunk.
const SUNK: f64 = -1.5;

impl Operator for Sunk<'_> {
    fn dim(&self) -> usize {
        self.inner.dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        self.inner.apply(block, out.as_mut(), monitor)?;
        let overlaps = self.modes.overlaps(block);
        self.modes.add(-3.0, overlaps.as_ref(), out);
        Ok(())
    }
}

impl Symmetric for Sunk<'_> {
    fn spectrum(&self) -> SpectrumBounds {
        let inner = self.inner.spectrum();
        SpectrumBounds {
            low: inner.low.min(-2.0),
            high: inner.high,
        }
    }
}

/// The leading eigenpairs of `gram` beside its known modes; by component where they are
/// known. Pairs of `weight(λ)` that is not positive are left out.
pub(super) fn leading(
    gram: &dyn Symmetric,
    modes: Option<&Modes>,
    component: Option<&[u32]>,
    count: usize,
    seed: u64,
    weight: &dyn Fn(f64) -> f64,
    monitor: &mut dyn Monitor,
) -> Result<Leading> {
    check_count(count)?;
    let options = LeadingOptions {
        tolerance: 1e-10,
        seed,
        at_most: 500,
    };
    let sunk;
    let operator: &dyn Symmetric = match modes {
        Some(modes) => {
            sunk = Sunk { inner: gram, modes };
            &sunk
        }
        None => gram,
    };
    let count = count.min(gram.dim());
    let mut found = match component {
        Some(component) => leading_by_component(operator, component, count, &options, monitor)?,
        None => eigenpairs::leading(operator, count, &options, monitor)?,
    };
    let largest = found.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let positive = |v: &f64| {
        let weight = weight(*v);
        *v > SUNK && weight > 1e-12 * largest && weight.is_finite()
    };
    let kept: Vec<usize> = (0..found.values.len())
        .filter(|&j| positive(&found.values[j]))
        .collect();
    found.vectors = Mat::from_fn(found.vectors.nrows(), kept.len(), |i, j| {
        found.vectors[(i, kept[j])]
    });
    found.residuals = kept.iter().map(|&j| found.residuals[j]).collect();
    found.values = kept.iter().map(|&j| found.values[j]).collect();
    Ok(found)
}

/// `tr A` by random signs; the error is about 0.35 of A's Frobenius norm at most.
pub(super) fn trace(gram: &dyn Symmetric, seed: u64, monitor: &mut dyn Monitor) -> Result<f64> {
    let n = gram.dim();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut signs = Block::zeros(n, PROBES)?;
    for i in 0..n {
        for sign in signs.row_mut(i) {
            *sign = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        }
    }
    let mut image = Block::zeros(n, PROBES)?;
    gram.apply(signs.as_mat(), image.as_mat_mut(), monitor)?;
    Ok(signs.dots(&image).into_iter().sum::<f64>() / PROBES as f64)
}

/// What a component's constant weighs.
pub(super) enum Weight {
    /// The same in every component: what the kernel says.
    Mode(f64),
    /// So much a row, and never more than the second number: for trivial modes that are
    /// removed from the kernel, but for what one label says of its component. By mode,
    /// two nodes joined by an edge would have as much variance as half the graph.
    Row(f64, f64),
}

/// The constants of known modes under a weight, or only the components where no mode is
/// known.
pub(super) fn level(
    modes: Option<&Modes>,
    component: Option<&[u32]>,
    weight: &Weight,
) -> Option<Level> {
    match (modes, component) {
        (Some(modes), _) => {
            let component = modes.component().to_vec();
            let mut sizes = vec![0_usize; modes.count()];
            component.iter().for_each(|&c| sizes[c as usize] += 1);
            let entry = |i: usize| {
                let size = sizes[component[i] as usize] as f64;
                let weight = match *weight {
                    Weight::Mode(weight) => weight,
                    Weight::Row(each, most) => most.min(each * size),
                };
                weight.max(0.0).sqrt() * modes.entry(i)
            };
            let entry = (0..component.len()).map(entry).collect();
            Some(Level { component, entry })
        }
        (None, Some(component)) => Some(Level {
            component: component.to_vec(),
            entry: vec![0.0; component.len()],
        }),
        (None, None) => None,
    }
}
