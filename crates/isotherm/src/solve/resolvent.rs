//! The resolvent of a graph, `(I − ηG)⁻¹`.
mod passes;
mod refined;

use passes::Single;
use refined::{Known, Refined};

use super::conjugate_gradient::{self, Definite};
use super::{Outcome, SolveReport, Stop, worst_ratio};
use crate::base::SparseParts;
use crate::error::Result;
use crate::linalg::{Block, Mat};
use crate::monitor::Monitor;
use crate::operator::sparse::Sparse;
use crate::operator::{Modes, Operator};

/// Columns solved together
pub const COLUMNS: usize = 32;

const PLAIN_UP_TO: usize = 512;

/// `I − ηG`
pub struct Resolvent<'a> {
    parts: SparseParts<'a>,
    eta: f64,
    columns: usize,
}

impl<'a> Resolvent<'a> {
    /// .
    pub fn new(parts: SparseParts<'a>, eta: f64) -> Self {
        Self {
            parts,
            eta,
            columns: COLUMNS,
        }
    }

    /// .
    #[must_use]
    pub fn at_once(mut self, columns: usize) -> Self {
        self.columns = columns.clamp(1, 64);
        self
    }

    fn coefficients(&self) -> (f64, f64) {
        (1.0 - self.eta * self.parts.shift, -self.eta * self.parts.scale)
    }

    fn operator(&self) -> Result<Sparse<'a>> {
        let (a, b) = self.coefficients();
        let graph = self.parts.graph;
        let sparse = match self.parts.roots {
            Some(roots) => Sparse::with_diagonals(graph, roots, roots)?,
            None => Sparse::adjacency(graph),
        };
        Ok(sparse.affine(a, b))
    }

    /// .
    pub fn solve(
        &self,
        modes: Option<&Modes>,
        rhs: Block,
        tolerance: f64,
        iterations: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        super::direct::check_rows(self.parts.graph.len(), rhs.rows())?;
        let sizes = rhs.dots(&rhs);
        let modes = modes.map(|modes| modes.touched(rhs.as_mat()));
        let known = modes.as_ref().filter(|m| m.count() > 0).map(|modes| {
            let inner = modes.overlaps(rhs.as_mat());
            let gap = 1.0 - self.eta;
            Known {
                modes,
                overlaps: Mat::from_fn(inner.nrows(), inner.ncols(), |k, c| inner[(k, c)] / gap),
            }
        });
        let mut solution = Block::zeros(rhs.rows(), rhs.cols())?;
        if let Some(known) = &known {
            known.modes.add(1.0, known.overlaps.as_ref(), solution.as_mat_mut());
        }
        let (a, b) = self.coefficients();
        let single = match rhs.rows() > PLAIN_UP_TO {
            true => Single::new(self.parts, a, b),
            false => None,
        };
        let mut report = SolveReport {
            solver: "conjugate gradients".to_owned(),
            size: rhs.rows(),
            iterations: 0,
            residual: 0.0,
            condition: None,
            outcome: Outcome::Converged,
        };
        let Some(single) = single else {
            return self.plain(rhs, solution, known.as_ref(), report, tolerance, iterations, monitor);
        };
        let stop = Stop::Residual {
            relative: tolerance,
            at_most: iterations,
        };
        for first in (0..rhs.cols()).step_by(self.columns) {
            let range = first..rhs.cols().min(first + self.columns);
            let ends = (tolerance, 1.0 - self.eta);
            let known = known.as_ref();
            let refined = Refined::new(&single, known, &rhs, &sizes, solution, range, ends)?;
            let (next, part) = super::drive(refined, stop, monitor)?;
            solution = next;
            merge(&mut report, part);
        }
        if report.residual > tolerance && report.iterations < iterations {
            let rest = iterations - report.iterations;
            return self.plain(rhs, solution, known.as_ref(), report, tolerance, rest, monitor);
        }
        Ok((solution, report))
    }

    #[allow(clippy::too_many_arguments)]
    fn plain(
        &self,
        rhs: Block,
        mut solution: Block,
        known: Option<&Known<'_>>,
        mut report: SolveReport,
        tolerance: f64,
        iterations: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        let operator = self.operator()?;
        let sizes = rhs.dots(&rhs);
        let minus = vec![-1.0; rhs.cols()];
        let ones = vec![1.0; rhs.cols()];
        let mut done = 0;
        let mut best = f64::INFINITY;
        loop {
            let mut image = Block::zeros(rhs.rows(), rhs.cols())?;
            operator.apply(solution.as_mat(), image.as_mat_mut(), monitor)?;
            let mut left = rhs.clone();
            let squares = left.add_scaled_and_square(&minus, &image);
            drop(image);
            report.residual = worst_ratio(&squares, &sizes);
            report.outcome = if report.residual <= tolerance {
                Outcome::Converged
            } else if done >= iterations {
                Outcome::Exhausted
            } else if report.residual > 0.5 * best {
                Outcome::Stagnated
            } else {
                best = report.residual;
                let goal = (0.9 * tolerance / report.residual).min(0.5);
                let system = Definite {
                    operator: &operator,
                    name: "I − ηG",
                    hint: "lower eta",
                };
                let (step, part) = conjugate_gradient::solve(system, left, goal, iterations - done, monitor)?;
                done += part.iterations;
                report.iterations += part.iterations;
                report.condition = larger(report.condition, part.condition);
                solution.add_scaled(&ones, &step);
                if let Some(known) = known {
                    let mut missing = known.modes.overlaps(solution.as_mat());
                    missing = &known.overlaps - missing;
                    known.modes.add(1.0, missing.as_ref(), solution.as_mat_mut());
                }
                continue;
            };
            return Ok((solution, report));
        }
    }
}

fn merge(report: &mut SolveReport, part: SolveReport) {
    report.iterations = report.iterations.max(part.iterations);
    report.residual = report.residual.max(part.residual);
    report.condition = larger(report.condition, part.condition);
    let rank = |o: Outcome| match o {
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
