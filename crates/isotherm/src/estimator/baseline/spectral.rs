//! The baselines as priors.

use super::harmonic::PreparedHarmonic;
use super::kernel_ridge::PreparedRidge;
use super::label_propagation::PreparedPropagation;
use crate::base::{Adjacency, Base as _, KernelBase, Storage};
use crate::error::{Error, Refusal, Result};
use crate::estimator::TrivialMode;
use crate::estimator::spectral::{Level, Prior, Spectral, Weight, check_count, leading, level};
use crate::landmark::pivoted;
use crate::linalg::{Mat, whiten};
use crate::monitor::Monitor;
use crate::operator::Modes;
use crate::operator::sparse::NormalisedAdjacency;

impl Spectral for PreparedRidge {
    /// `F = K_nJ W` with `WᵀK_JJ W = I` over pivoted landmarks J: `FFᵀ` is the Nyström
    /// kernel, exact with all rows.
    ///
    /// c is nβ plus the mean of `k(x, x) − ‖f_x‖²`.
    fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior> {
        check_count(count)?;
        let (points, params) = self.parts();
        let kernel = params.kernel.build()?;
        let found = pivoted::pivots(points, &*kernel, count.min(points.len()), monitor)?;
        if found.index.is_empty() {
            return Err(Error::refused(
                Refusal::Kernel,
                "the kernel is 0 on every row",
                "choose another kernel, or features that are not all zero",
            ));
        }
        let landmarks = points.select(&found.index)?;
        let base = KernelBase::new(landmarks, kernel, Storage::Tiled);
        let gram = base.cross(base.points(), monitor)?;
        let white = whiten::whiten(gram.as_ref())?;
        let features = base.expand(points, white.map.as_ref(), monitor)?;
        let all = found.left.first().copied().unwrap_or(0.0);
        let left = found.left.last().copied().unwrap_or(0.0).max(0.0);
        let note = format!("{} pivoted landmarks of the kernel", white.rank());
        let share = (all > 0.0).then_some(1.0 - left / all);
        let prior = Prior::new(features, left / points.len() as f64, params.ridge)?;
        Ok(prior.saying(share, note))
    }
}

impl<B: Adjacency> Spectral for PreparedPropagation<B> {
    /// The kernel `(I − ηS)⁻¹`, or the sum of so many of its steps, with noise 1: the
    /// identity in it that the leading modes leave out. Label propagation itself is the
    /// limit of a large c, where scores are `(I − ηS)⁻¹Y/c`.
    ///
    /// Trivial modes are features of their own as in STKR: with their weight `1/(1 − η)`
    /// where they are kept, else with the mean variance of a row, at most the weight of
    /// the smoothest other mode.
    fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior> {
        let (base, params) = self.parts();
        let modes = base.modes(monitor)?;
        let component = match &modes {
            Some(modes) => modes.component().to_vec(),
            None => base.graph().components(monitor)?,
        };
        let eta = params.eta;
        let weight = |v: f64| match params.steps {
            // Σ_{t<T} (ηλ)ᵗ
            Some(steps) => {
                let x = eta * v;
                let power = x.powi(i32::try_from(steps).unwrap_or(i32::MAX));
                if x == 1.0 {
                    steps as f64
                } else {
                    (1.0 - power) / (1.0 - x)
                }
            }
            None => 1.0 / (1.0 - eta * v),
        };
        let gram = base.gram();
        let known = modes.as_ref();
        let found = leading(&*gram, known, Some(&component), count, 0, &weight, monitor)?;
        let scale: Vec<f64> = found.values.iter().map(|v| weight(*v).sqrt()).collect();
        let features = Mat::from_fn(component.len(), scale.len(), |i, j| {
            scale[j] * found.vectors[(i, j)]
        });
        let trivial = match (params.trivial_mode, found.values.first()) {
            (TrivialMode::Remove, Some(top)) => {
                let all: f64 = found.values.iter().map(|v| weight(*v)).sum();
                Weight::Row(all / component.len() as f64, weight(*top))
            }
            _ => Weight::Mode(weight(1.0)),
        };
        let note = format!(
            "{} leading modes of S, eigenvalues {:.4} to {:.4}, under 1/(1 − ηλ)",
            scale.len(),
            found.values.first().copied().unwrap_or(1.0),
            found.values.last().copied().unwrap_or(1.0),
        );
        let prior = Prior::new(features, 1.0, 0.0)?.saying(None, note);
        match level(known, Some(&component), &trivial) {
            Some(level) => prior.with_level(level),
            None => Ok(prior),
        }
    }
}

/// Noise of a harmonic function's labels, which are clamped, in units of the mean prior
/// variance.
const CLAMPED: f64 = 1e-3;

/// The prior variance of a component's constant, in the same units: free, but finite.
const FREE: f64 = 100.0;

impl<B: Adjacency> Spectral for PreparedHarmonic<B> {
    /// `f = D^-½g` with `g` over the smallest modes of `I − S`: `F = D^-½ψᵢ/√(1 − λᵢ)`,
    /// scaled to a mean variance of 1, which changes no harmonic function.
    ///
    /// The constant of each component, free in a harmonic function, has variance 100 here;
    /// c is 10⁻³, for labels that are clamped, plus the mean of `D^-½(I − ΨΨᵀ)D^-½`, what
    /// the modes left out have if their λ is 0.
    fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior> {
        let graph = self.base().graph();
        let n = graph.len();
        let degrees = graph.degrees();
        let component = graph.components(monitor)?;
        let roots = degrees.iter().map(|d| d.sqrt()).collect();
        let modes = Modes::new(component.clone(), roots);
        let weight = |v: f64| 1.0 / (1.0 - v);
        let gram = NormalisedAdjacency::new(graph);
        let found = leading(
            &gram,
            Some(&modes),
            Some(&component),
            count,
            0,
            &weight,
            monitor,
        )?;
        let back = |i: usize| match degrees[i] {
            d if d > 0.0 => 1.0 / d,
            _ => 0.0,
        };
        let (mut kept, mut left) = (0.0, 0.0);
        for i in 0..n {
            let mut rest = 1.0 - modes.entry(i).powi(2);
            for (j, value) in found.values.iter().enumerate() {
                let square = found.vectors[(i, j)].powi(2);
                kept += back(i) * square * weight(*value);
                rest -= square;
            }
            left += back(i) * rest.max(0.0);
        }
        let unit = if kept > 0.0 { n as f64 / kept } else { 1.0 };
        let features = Mat::from_fn(n, found.values.len(), |i, j| {
            (unit * back(i) * weight(found.values[j])).sqrt() * found.vectors[(i, j)]
        });
        let whole = found.values.len() + components_with_edges(&modes) >= n;
        let left = if whole { 0.0 } else { unit * left / n as f64 };
        let note = format!(
            "{} smallest modes of I − S, eigenvalues of S {:.4} to {:.4}, constants of variance {FREE}",
            found.values.len(),
            found.values.first().copied().unwrap_or(1.0),
            found.values.last().copied().unwrap_or(1.0),
        );
        let prior = Prior::new(features, CLAMPED + left, 0.0)?.saying(None, note);
        prior.with_level(Level {
            component,
            entry: vec![FREE.sqrt(); n],
        })
    }
}

/// Components that have a mode.
fn components_with_edges(modes: &Modes) -> usize {
    let mut lit = vec![false; modes.count()];
    for (i, &c) in modes.component().iter().enumerate() {
        lit[c as usize] |= modes.entry(i) != 0.0;
    }
    lit.into_iter().filter(|l| *l).count()
}
