//! A Chebyshev filter that lifts the wanted end of a spectrum above the rest.
//!
//! `p(λ) = T_d((λ − m)/h)` maps the unwanted `[low, cut]` into [−1, 1] and grows
//! monotonically above `cut`. Where to cut is read off the density of
//! eigenvalues, which Lanczos from a few random vectors estimates: the weights
//! of its quadrature count eigenvalues.
//!
//! L. Lin, Y. Saad and C. Yang, *Approximating spectral densities of large
//! matrices*, SIAM Review 58 (2016); R. Li, Y. Xi, E. Vecharynski, C. Yang and
//! Y. Saad, *A thick-restart Lanczos algorithm with polynomial filtering for
//! Hermitian eigenvalue problems*, SIAM J. Sci. Comput. 38 (2016).

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::basis::fill;
use crate::error::Result;
use crate::linalg::Block;
use crate::monitor::Monitor;
use crate::operator::Symmetric;
use crate::solve::lanczos::Process;

/// `ln` of how far the last wanted eigenvalue is lifted above the rest.
const LIFT: f64 = 2.5;

/// `ln` of how far the largest may lie above the last wanted one: digits are
/// lost at the same rate.
const SPREAD: f64 = 7.0;

const DEGREES: f64 = 60.0;

/// Lanczos steps of the density, and its vectors for few and many eigenvalues.
const STEPS: usize = 40;
const FEW: usize = 8;
const MANY: usize = 16;

/// An estimate of where the eigenvalues are.
pub(super) struct Density {
    /// Eigenvalues, descending, with how many each stands for.
    nodes: Vec<(f64, f64)>,
    pub(super) low: f64,
    pub(super) scale: f64,
    pub(super) products: usize,
}

impl Density {
    pub(super) fn new(
        operator: &dyn Symmetric,
        count: usize,
        rng: &mut ChaCha8Rng,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let n = operator.dim();
        let vectors = if count > 64 { MANY } else { FEW };
        let mut start = Block::zeros(n, vectors)?;
        (0..vectors).for_each(|j| fill(&mut start, j, rng));
        let mut process = Process::new(&operator, start)?;
        for _ in 0..STEPS {
            process.step(monitor)?;
        }
        let mut nodes = Vec::new();
        let (mut low, mut scale) = (f64::INFINITY, 0.0_f64);
        for t in &process.columns {
            let eigen = t.eigen()?;
            let last = eigen.values.len().saturating_sub(1);
            for (i, &value) in eigen.values.iter().enumerate() {
                let weight = eigen.vectors[(0, i)];
                nodes.push((value, n as f64 * weight * weight / vectors as f64));
                // An eigenvalue lies within the residual of each Ritz value.
                let out = t.beside[last] * eigen.vectors[(last, i)].abs();
                low = low.min(value - out);
                scale = scale.max(value.abs());
            }
        }
        nodes.sort_by(|a, b| b.0.total_cmp(&a.0));
        Ok(Self {
            nodes,
            low: low.max(operator.spectrum().low),
            scale,
            products: STEPS * vectors,
        })
    }

    /// About the `rank`-th largest eigenvalue.
    pub(super) fn value(&self, rank: f64) -> f64 {
        let mut before = 0.0;
        for &(value, weight) in &self.nodes {
            if before + 0.5 * weight >= rank {
                return value;
            }
            before += weight;
        }
        self.low
    }

    /// A filter that cuts at `cut` to find eigenvalues down to `wanted`.
    pub(super) fn filter(&self, wanted: f64, cut: f64) -> Filter {
        let top = self.nodes.first().map_or(0.0, |node| node.0);
        let (middle, half) = (0.5 * (cut + self.low), 0.5 * (cut - self.low));
        let place = |value: f64| ((value - middle) / half).max(1.0).acosh();
        let lift = place(wanted).max(LIFT / DEGREES);
        let spread = (place(top) - place(wanted)).max(SPREAD / DEGREES);
        let degree = (LIFT / lift).ceil().min((SPREAD / spread).floor());
        // Not finite when everything is one eigenvalue: then nothing is filtered.
        if degree >= 2.0 && half > 1e-6 * self.scale {
            Filter {
                middle,
                half,
                degree: degree as usize,
            }
        } else {
            Filter {
                middle: 0.0,
                half: if self.scale > 0.0 { self.scale } else { 1.0 },
                degree: 1,
            }
        }
    }
}

/// `p(A) = T_d((A − m)/h)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filter {
    pub(super) middle: f64,
    pub(super) half: f64,
    pub(super) degree: usize,
}

impl Filter {
    /// `p(λ)` for `λ` above the cut.
    pub(super) fn at(&self, value: f64) -> f64 {
        let x = (value - self.middle) / self.half;
        if self.degree == 1 {
            return x;
        }
        (self.degree as f64 * x.max(1.0).acosh()).cosh()
    }

    /// The lower end of the filtered spectrum, given the operator's.
    pub(super) fn low(&self, low: f64) -> f64 {
        if self.degree == 1 { self.at(low) } else { -1.0 }
    }

    /// A bound on `‖Av − λv‖` for a pair of the filtered operator with this
    /// value and residual; infinite where the filter is not monotone.
    ///
    /// The chord of `p` from `λ` to any eigenvalue is at least as steep as that
    /// to the lower end: `p` is convex above the cut and at most 1 below it.
    pub(super) fn unfilter(&self, value: f64, residual: f64) -> f64 {
        if self.degree == 1 {
            return residual * self.half;
        }
        if value <= 1.0 {
            return f64::INFINITY;
        }
        let x = (value.acosh() / self.degree as f64).cosh();
        residual * self.half * (x + 1.0) / (value - 1.0)
    }

    /// `p(A) W`, by the three-term recurrence: `degree` products.
    pub(super) fn apply(
        &self,
        operator: &dyn Symmetric,
        w: Block,
        monitor: &mut dyn Monitor,
    ) -> Result<Block> {
        let mut image = Block::zeros(w.rows(), w.cols())?;
        let mut old = Block::zeros(w.rows(), w.cols())?;
        let mut now = w;
        for step in 0..self.degree {
            operator.apply(now.as_mat(), image.as_mat_mut(), monitor)?;
            // old ← (1 or 2)/h (A − m) now − old
            let factor = if step == 0 { 1.0 } else { 2.0 } / self.half;
            let middle = self.middle;
            let size = now.stride() * 2048;
            (old.as_slice_mut().par_chunks_mut(size))
                .zip(image.as_slice().par_chunks(size))
                .zip(now.as_slice().par_chunks(size))
                .for_each(|((old, image), now)| {
                    for ((old, image), now) in old.iter_mut().zip(image).zip(now) {
                        *old = factor * (image - middle * now) - *old;
                    }
                });
            std::mem::swap(&mut old, &mut now);
        }
        Ok(now)
    }
}
