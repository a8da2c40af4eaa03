//! Conjugate gradients on a block of right-hand sides.
//!
//! Non-standard in three ways: each column has its own step lengths and stops
//! by itself; columns that are done leave the block once that makes it
//! narrower, so late iterations cost less; and the inner product is pluggable,
//! because [STKR Alg. 2]'s matrix is self-adjoint in ⟨u, v⟩ = uᵀSʳv only.
//! The step lengths are kept as the Lanczos matrix they are, which gives the
//! condition number for free.
//!
//! M. R. Hestenes and E. Stiefel, *Methods of conjugate gradients for solving
//! linear systems*, J. Res. NBS 49 (1952).

use super::{Finished, Iteration, SolveReport, Stop, worst_ratio};
use crate::error::{Error, Result};
use crate::linalg::{Block, Mat, block, eigen};
use crate::monitor::Monitor;
use crate::operator::Operator;

/// The inner product the operator is self-adjoint in.
#[derive(Clone, Copy)]
pub(crate) enum InnerProduct<'a> {
    /// `uᵀv`
    Euclidean,
    /// `uᵀWv` with `W` positive semidefinite; one more product an iteration.
    Weighted(&'a dyn Operator),
}

/// A system that should be positive definite, and what to say when it is not.
#[derive(Clone, Copy)]
pub(crate) struct Definite<'a> {
    /// `A`.
    pub operator: &'a dyn Operator,
    /// Its name.
    pub name: &'static str,
    /// The way out, when a direction of non-positive curvature is met.
    pub hint: &'static str,
}

/// Solves `A x = b` to a relative residual, by at most so many iterations.
///
/// # Errors
/// As `ConjugateGradient::new` and [`super::drive`];
/// [`Error::Indefinite`] when `A` is not positive definite.
pub(crate) fn solve(
    system: Definite<'_>,
    rhs: Block,
    tolerance: f64,
    iterations: usize,
    monitor: &mut dyn Monitor,
) -> Result<(Block, SolveReport)> {
    let inner = InnerProduct::Euclidean;
    let iteration = ConjugateGradient::new(system, inner, rhs, tolerance, monitor)?;
    let stop = Stop::Residual {
        relative: tolerance,
        at_most: iterations,
    };
    super::drive(iteration, stop, monitor)
}

/// The iteration's state; blocks hold the columns still at work.
pub(crate) struct ConjugateGradient<'a> {
    system: Definite<'a>,
    inner: InnerProduct<'a>,
    tolerance: f64,
    rhs: Block,
    size: Vec<f64>,
    left: Vec<f64>,
    solution: Block,
    active: Vec<usize>,
    x: Block,
    r: Block,
    p: Block,
    q: Block,
    /// `W r` and `W p`, for a weighted inner product.
    weighted: Option<(Block, Block)>,
    rho: Vec<f64>,
    lanczos: Vec<Vec<(f64, f64)>>,
}

/// Step lengths kept per column: enough for a condition number.
pub(super) const KEPT: usize = 128;

impl<'a> ConjugateGradient<'a> {
    /// Starts from zero on `A x = b`. A column stops once its relative residual
    /// is at most `tolerance`.
    ///
    /// # Errors
    /// [`Error::Shape`] when the right-hand side does not fit;
    /// [`Error::Cancelled`].
    pub(crate) fn new(
        system: Definite<'a>,
        inner: InnerProduct<'a>,
        rhs: Block,
        tolerance: f64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        super::direct::check_rows(system.operator.dim(), rhs.rows())?;
        let (rows, cols) = (rhs.rows(), rhs.cols());
        let size = rhs.dots(&rhs);
        let weighted = match inner {
            InnerProduct::Euclidean => None,
            InnerProduct::Weighted(weight) => {
                let mut wr = Block::zeros(rows, cols)?;
                weight.apply(rhs.as_mat(), wr.as_mat_mut(), monitor)?;
                Some((wr.clone(), wr))
            }
        };
        let rho = match &weighted {
            None => size.clone(),
            Some((wr, _)) => rhs.dots(wr),
        };
        Ok(Self {
            system,
            inner,
            tolerance,
            left: size.clone(),
            size,
            solution: Block::zeros(rows, cols)?,
            active: (0..cols).collect(),
            x: Block::zeros(rows, cols)?,
            r: rhs.clone(),
            p: rhs.clone(),
            q: Block::zeros(rows, cols)?,
            rhs,
            weighted,
            rho,
            lanczos: vec![Vec::new(); cols],
        })
    }

    fn done(&self, column: usize) -> bool {
        self.left[column] <= self.tolerance * self.tolerance * self.size[column]
    }

    /// Moves finished columns out once that makes the block narrower.
    fn compact(&mut self) -> Result<()> {
        let keep: Vec<usize> = (0..self.active.len())
            .filter(|&slot| !self.done(self.active[slot]))
            .collect();
        if keep.is_empty() || block::padded(keep.len()) >= self.x.stride() {
            return Ok(());
        }
        self.settle();
        self.x = self.x.select(&keep)?;
        self.r = self.r.select(&keep)?;
        self.p = self.p.select(&keep)?;
        self.q = Block::zeros(self.q.rows(), keep.len())?;
        if let Some((wr, wp)) = &mut self.weighted {
            *wr = wr.select(&keep)?;
            *wp = wp.select(&keep)?;
        }
        self.rho = keep.iter().map(|&slot| self.rho[slot]).collect();
        self.active = keep.iter().map(|&slot| self.active[slot]).collect();
        Ok(())
    }

    /// Writes the working columns into the solution.
    fn settle(&mut self) {
        for (slot, &column) in self.active.iter().enumerate() {
            self.solution.copy_column(column, &self.x, slot);
        }
    }

    fn refuse(&self, slot: usize, curvature: f64) -> Error {
        if !curvature.is_finite() || !self.rho[slot].is_finite() {
            return Error::NotFinite {
                phase: Self::NAME,
                hint: "rescale the data: numbers overflow".to_owned(),
            };
        }
        let length = self.p.dots(&self.p)[slot];
        Error::Indefinite {
            operator: self.system.name,
            curvature: curvature / length,
            hint: self.system.hint.to_owned(),
        }
    }
}

impl Iteration for ConjugateGradient<'_> {
    const NAME: &'static str = "conjugate gradients";

    fn step(&mut self, monitor: &mut dyn Monitor) -> Result<f64> {
        self.system
            .operator
            .apply(self.p.as_mat(), self.q.as_mat_mut(), monitor)?; // q ← A p
        let curvature = match &self.weighted {
            None => self.p.dots(&self.q),
            Some((_, wp)) => wp.dots(&self.q),
        };
        let mut alpha = vec![0.0; self.active.len()];
        for (slot, &column) in self.active.iter().enumerate() {
            if self.done(column) {
                continue;
            }
            let positive = |v: f64| v > 0.0;
            if !positive(curvature[slot]) || !positive(self.rho[slot]) {
                return Err(self.refuse(slot, curvature[slot]));
            }
            alpha[slot] = self.rho[slot] / curvature[slot]; // α = ⟨r, r⟩ / ⟨p, Ap⟩
        }
        self.x.add_scaled(&alpha, &self.p); // x ← x + α p
        let minus: Vec<f64> = alpha.iter().map(|a| -a).collect();
        let left = self.r.add_scaled_and_square(&minus, &self.q); // r ← r − α A p
        let rho = match (&mut self.weighted, self.inner) {
            (Some((wr, _)), InnerProduct::Weighted(weight)) => {
                weight.apply(self.r.as_mat(), wr.as_mat_mut(), monitor)?;
                self.r.dots(wr)
            }
            _ => left.clone(),
        };
        let mut beta = vec![0.0; self.active.len()];
        for (slot, &column) in self.active.iter().enumerate() {
            if alpha[slot] == 0.0 {
                continue;
            }
            self.left[column] = left[slot];
            beta[slot] = rho[slot] / self.rho[slot]; // β = ⟨r', r'⟩ / ⟨r, r⟩
            if self.lanczos[column].len() < KEPT {
                self.lanczos[column].push((alpha[slot], beta[slot]));
            }
        }
        self.rho = rho;
        self.p.scale_add(&beta, &self.r); // p ← r + β p
        if let Some((wr, wp)) = &mut self.weighted {
            wp.scale_add(&beta, wr);
        }
        self.compact()?;
        Ok(worst_ratio(&self.left, &self.size))
    }

    fn finish(mut self, monitor: &mut dyn Monitor) -> Result<Finished> {
        self.settle();
        let mut image = Block::zeros(self.rhs.rows(), self.rhs.cols())?;
        self.system
            .operator
            .apply(self.solution.as_mat(), image.as_mat_mut(), monitor)?;
        let minus = vec![-1.0; self.rhs.cols()];
        let left = self.rhs.add_scaled_and_square(&minus, &image);
        let longest = self.lanczos.iter().max_by_key(|steps| steps.len());
        Ok(Finished {
            residual: worst_ratio(&left, &self.size),
            condition: longest.and_then(|steps| condition(steps)),
            solution: self.solution,
        })
    }
}

/// The condition number of the Lanczos matrix that CG's step lengths spell:
/// `Tⱼⱼ = 1/αⱼ + βⱼ₋₁/αⱼ₋₁`, `Tⱼ,ⱼ₊₁ = √βⱼ/αⱼ`. A lower bound of the operator's.
pub(super) fn condition(steps: &[(f64, f64)]) -> Option<f64> {
    let n = steps.len();
    if n == 0 {
        return None;
    }
    let mut t = Mat::<f64>::zeros(n, n);
    for (j, &(alpha, beta)) in steps.iter().enumerate() {
        t[(j, j)] += 1.0 / alpha;
        if j + 1 < n {
            t[(j + 1, j + 1)] += beta / alpha;
            t[(j + 1, j)] = beta.sqrt() / alpha;
        }
    }
    let values = eigen::symmetric(t.as_ref()).ok()?.values;
    let (low, high) = (*values.first()?, *values.last()?);
    (low > 0.0).then_some(high / low)
}
