//! The resolvent of a graph, `(I − ηG)⁻¹ B` for `G = shift·I + scale·R W R`.
//!
//! Block conjugate gradients made for graphs, in three parts:
//!
//! - **Single precision inside.** Panels are f32, so a product gathers half the
//!   bytes: 16 columns are one cache line. Residuals are recomputed in f64 before
//!   rounding matters, and the iteration goes on with its direction, so it needs
//!   no more iterations than in f64 and reaches 1e-12.
//! - **Known modes are taken out** of the right-hand side and put back with
//!   their exact factor 1/(1 − η), so iterations do not grow as η → 1.
//! - **Few passes over memory.** The product returns ⟨p, Ap⟩; the residual's
//!   update returns ‖r‖²; solution and next direction are one pass; the direction
//!   is kept as the panel the next product gathers. Ten passes of f32 an
//!   iteration, where the plain solver does thirteen of f64.

mod passes;
mod refined;

use passes::Single;
use refined::Refined;

use super::conjugate_gradient::{self, Definite};
use super::{Iteration as _, Outcome, SolveReport, Stop, worst_ratio};
use crate::base::SparseParts;
use crate::error::Result;
use crate::linalg::{Block, Mat};
use crate::monitor::Monitor;
use crate::operator::sparse::Sparse;
use crate::operator::{Modes, Operator};

/// Columns solved together unless [`Resolvent::at_once`] says otherwise.
pub(crate) const COLUMNS: usize = 32;

/// The widest panel.
const WIDEST: usize = 64;

/// Graphs up to so many nodes are solved in f64 alone: there is nothing to gain.
const PLAIN_UP_TO: usize = 512;

/// Rounding of `b − Ax` in f64, relative to the size of x: a bound with room.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// `I − ηG` for a sparse `G`, to be solved with.
///
/// Memory of a solve beside right-hand side and solution: `16·n·w` bytes for
/// groups of w columns (w rounded up to 2, 4, 8 or a multiple of 16) and 20 bytes
/// a node. Cost of an iteration: `O(entries · columns)` in parallel; the thread
/// count does not change a bit.
#[derive(Debug, Clone, Copy)]
pub struct Resolvent<'a> {
    parts: SparseParts<'a>,
    eta: f64,
    columns: usize,
}

impl<'a> Resolvent<'a> {
    /// `I − η(shift·I + scale·R W R)`.
    pub fn new(parts: SparseParts<'a>, eta: f64) -> Self {
        Self {
            parts,
            eta,
            columns: COLUMNS,
        }
    }

    /// Solves at most so many columns together, 1 to 64; fewer need less memory,
    /// see [`Resolvent`], and more time.
    #[must_use]
    pub fn at_once(mut self, columns: usize) -> Self {
        self.columns = columns.clamp(1, WIDEST);
        self
    }

    /// `a` and `b` of `I − ηG = a·I + b·R W R`.
    fn coefficients(&self) -> (f64, f64) {
        let SparseParts { shift, scale, .. } = self.parts;
        (1.0 - self.eta * shift, -self.eta * scale)
    }

    /// `I − ηG` as an operator in double precision.
    ///
    /// # Errors
    /// [`crate::Error::Shape`] when there is not one root a node.
    pub fn operator(&self) -> Result<impl Operator + use<'a>> {
        let (a, b) = self.coefficients();
        let graph = self.parts.graph;
        let sparse = match self.parts.roots {
            Some(roots) => Sparse::with_diagonals(graph, roots, roots)?,
            None => Sparse::adjacency(graph),
        };
        Ok(sparse.affine(a, b))
    }

    /// Solves `(I − ηG) X = B` until every column's true relative residual is at
    /// most `tolerance`, by at most so many iterations a group of columns.
    ///
    /// `modes` are exact eigenvectors of `G` with eigenvalue 1 that span all of
    /// its eigenspace in the components that `B` touches, as
    /// [`crate::base::Base::modes`] gives them; without them iterations grow like
    /// `(1 − η)^-½`. The report counts the iterations of the group that took
    /// most. A residual below about `ε‖X‖/‖B‖` does not exist in f64: the
    /// outcome is then [`Outcome::Stagnated`], with the modes' complement solved
    /// as asked for.
    ///
    /// # Errors
    /// [`crate::Error::Shape`] when the right-hand side or the roots do not fit the
    /// graph; [`crate::Error::Indefinite`] when `I − ηG` is not positive definite;
    /// [`crate::Error::Memory`]; [`crate::Error::Cancelled`] when the monitor breaks.
    pub fn solve(
        &self,
        modes: Option<&Modes>,
        mut rhs: Block,
        tolerance: f64,
        iterations: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        super::direct::check_rows(self.parts.graph.len(), rhs.rows())?;
        if let Some(modes) = modes {
            super::direct::check_rows(modes.component().len(), rhs.rows())?;
        }
        let sizes = rhs.dots(&rhs);
        let touched = modes.map(|modes| modes.touched(rhs.as_mat()));
        let modes = touched.as_ref().filter(|m| m.count() > 0);
        let overlaps = modes.map(|modes| modes.remove(rhs.as_mat_mut()));
        let task = Task {
            resolvent: self,
            modes,
            sizes,
            tolerance,
            iterations,
        };
        let (solution, report) = task.solve(&rhs, monitor)?;
        match (modes, overlaps) {
            (Some(modes), Some(overlaps)) => {
                let overlaps = (modes, overlaps);
                task.restore(overlaps, rhs, solution, report, monitor)
            }
            _ => Ok((solution, report)),
        }
    }
}

/// One solve; right-hand side and solution hold nothing of the modes.
struct Task<'t> {
    resolvent: &'t Resolvent<'t>,
    modes: Option<&'t Modes>,
    /// ‖b‖² of the right-hand side as it was given.
    sizes: Vec<f64>,
    tolerance: f64,
    iterations: usize,
}

impl Task<'_> {
    /// In single precision where that is safe, and what is left in double.
    fn solve(&self, rhs: &Block, monitor: &mut dyn Monitor) -> Result<(Block, SolveReport)> {
        let mut solution = Block::zeros(rhs.rows(), rhs.cols())?;
        let mut report = SolveReport {
            solver: Refined::NAME.to_owned(),
            size: rhs.rows(),
            iterations: 0,
            residual: 0.0,
            condition: None,
            outcome: Outcome::Converged,
            error_estimate: None,
            smallest: None,
            choice: None,
        };
        let (a, b) = self.resolvent.coefficients();
        let single = if rhs.rows() > PLAIN_UP_TO {
            Single::new(self.resolvent.parts, a, b)
        } else {
            None
        };
        let Some(single) = single else {
            return self.plain(rhs, solution, report, monitor);
        };
        let stop = Stop::Residual {
            relative: self.tolerance,
            at_most: self.iterations,
        };
        for first in (0..rhs.cols()).step_by(self.resolvent.columns) {
            let range = first..rhs.cols().min(first + self.resolvent.columns);
            let start = (solution, range);
            let (modes, sizes) = (self.modes, &self.sizes);
            let refined = Refined::new(&single, modes, rhs, sizes, start, self.tolerance)?;
            let (next, part) = super::drive(refined, stop, monitor)?;
            solution = next;
            merge(&mut report, &part);
        }
        drop(single);
        if report.residual > self.tolerance && report.iterations < self.iterations {
            return self.plain(rhs, solution, report, monitor);
        }
        Ok((solution, report))
    }

    /// Goes on from `solution` in double precision: conjugate gradients on the
    /// residual, begun again while that helps.
    fn plain(
        &self,
        rhs: &Block,
        mut solution: Block,
        mut report: SolveReport,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        let operator = self.resolvent.operator()?;
        let mut best = f64::INFINITY;
        loop {
            let left = residual(&operator, rhs, &solution, monitor)?;
            report.residual = worst_ratio(&left.dots(&left), &self.sizes);
            let rest = self.iterations.saturating_sub(report.iterations);
            report.outcome = match report.residual {
                r if r <= self.tolerance => Outcome::Converged,
                _ if rest == 0 => Outcome::Exhausted,
                r if r > 0.5 * best => Outcome::Stagnated,
                r => {
                    best = r;
                    // A column's own residual may be less than the worst.
                    let goal = (0.9 * self.tolerance / r).min(0.5);
                    let system = Definite {
                        operator: &operator,
                        name: "I − ηG",
                        hint: "lower eta",
                    };
                    let (step, part) =
                        conjugate_gradient::solve(system, left, goal, rest, monitor)?;
                    report.iterations += part.iterations.max(1);
                    report.condition = larger(report.condition, part.condition);
                    solution.add_scaled(&vec![1.0; rhs.cols()], &step);
                    if let Some(modes) = self.modes {
                        modes.remove(solution.as_mat_mut());
                    }
                    continue;
                }
            };
            return Ok((solution, report));
        }
    }

    /// Puts the modes' parts back, `U UᵀB/(1 − η)`.
    fn restore(
        &self,
        overlaps: (&Modes, Mat<f64>),
        mut rhs: Block,
        mut solution: Block,
        mut report: SolveReport,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        let (modes, overlaps) = overlaps;
        let factor = 1.0 / (1.0 - self.resolvent.eta);
        modes.add(factor, overlaps.as_ref(), solution.as_mat_mut());
        // They are exact up to rounding. Where rounding is no part of the residual,
        // that of the rest, recomputed in f64, is the truth.
        let rounding = ROUNDING * factor.abs().max(1.0);
        if rounding > 1e-4 * report.residual && report.residual > 0.0 {
            modes.add(1.0, overlaps.as_ref(), rhs.as_mat_mut());
            let operator = self.resolvent.operator()?;
            let left = residual(&operator, &rhs, &solution, monitor)?;
            report.residual = worst_ratio(&left.dots(&left), &self.sizes);
            if report.outcome == Outcome::Converged && report.residual > self.tolerance {
                report.outcome = Outcome::Stagnated;
            }
        }
        Ok((solution, report))
    }
}

/// `B − A X` in f64.
fn residual(
    operator: &impl Operator,
    rhs: &Block,
    solution: &Block,
    monitor: &mut dyn Monitor,
) -> Result<Block> {
    let mut left = Block::zeros(rhs.rows(), rhs.cols())?;
    operator.apply(solution.as_mat(), left.as_mat_mut(), monitor)?;
    left.scale_add(&vec![-1.0; rhs.cols()], rhs);
    Ok(left)
}

/// The report of all groups of columns so far and one more.
fn merge(report: &mut SolveReport, part: &SolveReport) {
    report.iterations = report.iterations.max(part.iterations);
    report.residual = report.residual.max(part.residual);
    report.condition = larger(report.condition, part.condition);
    let rank = |outcome| match outcome {
        Outcome::Exhausted => 2,
        Outcome::Stagnated => 1,
        _ => 0,
    };
    if rank(part.outcome) > rank(report.outcome) {
        report.outcome = part.outcome;
    }
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}
