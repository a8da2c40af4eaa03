//! Richardson iteration, `x ← x + γ(b − Ax)`.  [STKR Alg. 1]
//!
//! With `A = I − ηS`, γ = 1 and x₀ = 0 it is label propagation's own
//! `x ← ηSx + b`.

use super::{Finished, Iteration, worst_ratio};
use crate::error::{Error, Result};
use crate::linalg::Block;
use crate::monitor::Monitor;
use crate::operator::Operator;

/// The iteration's state: the solution and its residual.
pub(crate) struct Richardson<'a> {
    operator: &'a dyn Operator,
    rhs: Block,
    step: f64,
    solution: Block,
    residual: Block,
    image: Block,
    size: Vec<f64>,
}

impl<'a> Richardson<'a> {
    /// Starts from zero with step size γ.
    ///
    /// # Errors
    /// [`Error::Parameter`] when γ is not positive; [`Error::Shape`] when the
    /// right-hand side does not fit.
    pub(crate) fn new(operator: &'a dyn Operator, rhs: Block, step: f64) -> Result<Self> {
        if !(step > 0.0 && step.is_finite()) {
            return Err(Error::parameter("step size", "a positive number", step));
        }
        super::direct::check_rows(operator.dim(), rhs.rows())?;
        let size = rhs.dots(&rhs);
        Ok(Self {
            operator,
            step,
            solution: Block::zeros(rhs.rows(), rhs.cols())?,
            residual: rhs.clone(),
            image: Block::zeros(rhs.rows(), rhs.cols())?,
            rhs,
            size,
        })
    }
}

impl Iteration for Richardson<'_> {
    const NAME: &'static str = "richardson";

    fn step(&mut self, monitor: &mut dyn Monitor) -> Result<f64> {
        let gamma = vec![self.step; self.rhs.cols()];
        self.solution.add_scaled(&gamma, &self.residual); // x ← x + γ r
        self.operator
            .apply(self.solution.as_mat(), self.image.as_mat_mut(), monitor)?;
        self.residual
            .as_slice_mut()
            .copy_from_slice(self.rhs.as_slice());
        let minus = vec![-1.0; self.rhs.cols()];
        let left = self.residual.add_scaled_and_square(&minus, &self.image); // r ← b − Ax
        Ok(worst_ratio(&left, &self.size))
    }

    fn finish(self, _: &mut dyn Monitor) -> Result<Finished> {
        // The residual is recomputed in each step, so it is the true one.
        let left = self.residual.dots(&self.residual);
        Ok(Finished {
            residual: worst_ratio(&left, &self.size),
            solution: self.solution,
            condition: None,
        })
    }
}
