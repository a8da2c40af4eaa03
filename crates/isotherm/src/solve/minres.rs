//! MINRES on a block of right-hand sides: symmetric systems, definite or not.
//!
//! Each column runs its own Lanczos process and rotations; all columns share
//! the product with `A`.
//!
//! C. C. Paige and M. A. Saunders, *Solution of sparse indefinite systems of
//! linear equations*, SIAM J. Numer. Anal. 12 (1975).

use super::{Finished, Iteration, worst_ratio};
use crate::error::Result;
use crate::linalg::Block;
use crate::monitor::Monitor;
use crate::operator::Symmetric;

/// One column's scalars.
#[derive(Clone, Copy)]
struct Column {
    beta: f64,
    old_beta: f64,
    dbar: f64,
    epsilon: f64,
    phi_bar: f64,
    cosine: f64,
    sine: f64,
    target: f64,
}

impl Column {
    fn done(&self) -> bool {
        self.beta == 0.0 || self.phi_bar <= self.target
    }
}

/// The iteration's state.
pub(crate) struct Minres<'a> {
    operator: &'a dyn Symmetric,
    rhs: Block,
    size: Vec<f64>,
    columns: Vec<Column>,
    /// Lanczos vectors, unnormalised: the last but one, the last.
    r1: Block,
    r2: Block,
    v: Block,
    image: Block,
    w1: Block,
    w2: Block,
    solution: Block,
    iteration: usize,
}

impl<'a> Minres<'a> {
    /// Starts from zero; a column stops once its relative residual is at most
    /// `tolerance`.
    ///
    /// # Errors
    /// [`crate::Error::Shape`] when the right-hand side does not fit.
    pub(crate) fn new(operator: &'a dyn Symmetric, rhs: Block, tolerance: f64) -> Result<Self> {
        super::direct::check_rows(operator.dim(), rhs.rows())?;
        let size = rhs.dots(&rhs);
        let columns = size
            .iter()
            .map(|s| Column {
                beta: s.sqrt(),
                old_beta: 0.0,
                dbar: 0.0,
                epsilon: 0.0,
                phi_bar: s.sqrt(),
                cosine: -1.0,
                sine: 0.0,
                target: tolerance * s.sqrt(),
            })
            .collect();
        let zeros = || Block::zeros(rhs.rows(), rhs.cols());
        Ok(Self {
            operator,
            size,
            columns,
            r1: zeros()?,
            r2: rhs.clone(),
            v: zeros()?,
            image: zeros()?,
            w1: zeros()?,
            w2: zeros()?,
            solution: zeros()?,
            rhs,
            iteration: 0,
        })
    }

    /// One number per working column, zero for the others.
    fn each(&self, f: impl Fn(&Column) -> f64) -> Vec<f64> {
        let value = |c: &Column| if c.done() { 0.0 } else { f(c) };
        self.columns.iter().map(value).collect()
    }
}

impl Iteration for Minres<'_> {
    const NAME: &'static str = "minres";

    fn step(&mut self, monitor: &mut dyn Monitor) -> Result<f64> {
        let zero = vec![0.0; self.columns.len()];
        // v ← r₂/β ; y ← A v − (β/β_old) r₁ − (α/β) r₂
        self.v.scale_add(&zero, &self.r2);
        let inverse = self.each(|c| 1.0 / c.beta);
        scale(&mut self.v, &inverse);
        self.operator
            .apply(self.v.as_mat(), self.image.as_mat_mut(), monitor)?;
        if self.iteration > 0 {
            let back = self.each(|c| -c.beta / c.old_beta);
            self.image.add_scaled(&back, &self.r1);
        }
        let alpha = self.v.dots(&self.image);
        let back: Vec<f64> = alpha.iter().zip(&inverse).map(|(a, i)| -a * i).collect();
        let norms = self.image.add_scaled_and_square(&back, &self.r2);
        std::mem::swap(&mut self.r1, &mut self.r2);
        std::mem::swap(&mut self.r2, &mut self.image);
        // Rotate the new column of the Lanczos matrix; w ← (v − ε w₁ − δ w₂)/γ ; x ← x + φ w
        let mut coefficients = vec![(0.0, 0.0, 0.0, 0.0); self.columns.len()];
        for (i, c) in self.columns.iter_mut().enumerate() {
            if c.done() {
                continue;
            }
            (c.old_beta, c.beta) = (c.beta, norms[i].sqrt());
            let old_epsilon = c.epsilon;
            let delta = c.cosine * c.dbar + c.sine * alpha[i];
            let gbar = c.sine * c.dbar - c.cosine * alpha[i];
            c.epsilon = c.sine * c.beta;
            c.dbar = -c.cosine * c.beta;
            let gamma = gbar.hypot(c.beta);
            if gamma == 0.0 {
                // The Krylov space is used up and the system incompatible: the
                // column keeps its best solution and its honest residual.
                c.beta = 0.0;
                continue;
            }
            (c.cosine, c.sine) = (gbar / gamma, c.beta / gamma);
            let phi = c.cosine * c.phi_bar;
            c.phi_bar *= c.sine;
            coefficients[i] = (old_epsilon, delta, gamma, phi);
        }
        let minus_epsilon: Vec<f64> = coefficients.iter().map(|c| -c.0).collect();
        let minus_delta: Vec<f64> = coefficients.iter().map(|c| -c.1).collect();
        let over_gamma: Vec<f64> = coefficients
            .iter()
            .map(|c| if c.2 > 0.0 { 1.0 / c.2 } else { 0.0 })
            .collect();
        let phi: Vec<f64> = coefficients.iter().map(|c| c.3).collect();
        self.v.add_scaled(&minus_epsilon, &self.w1);
        self.v.add_scaled(&minus_delta, &self.w2);
        scale(&mut self.v, &over_gamma);
        std::mem::swap(&mut self.w1, &mut self.w2);
        std::mem::swap(&mut self.w2, &mut self.v);
        self.solution.add_scaled(&phi, &self.w2);
        self.iteration += 1;
        let left: Vec<f64> = self.columns.iter().map(|c| c.phi_bar * c.phi_bar).collect();
        Ok(worst_ratio(&left, &self.size))
    }

    fn finish(mut self, monitor: &mut dyn Monitor) -> Result<Finished> {
        self.operator
            .apply(self.solution.as_mat(), self.image.as_mat_mut(), monitor)?;
        let minus = vec![-1.0; self.rhs.cols()];
        let left = self.rhs.add_scaled_and_square(&minus, &self.image);
        Ok(Finished {
            residual: worst_ratio(&left, &self.size),
            solution: self.solution,
            condition: None,
        })
    }
}

/// `B ← B·diag(a)`
fn scale(block: &mut Block, a: &[f64]) {
    let stride = block.stride();
    for row in block.as_slice_mut().chunks_exact_mut(stride) {
        for (value, a) in row.iter_mut().zip(a) {
            *value *= a;
        }
    }
}
