//! Linear iterations: a method writes one step, the loop around it is written once.

use super::report::{Outcome, SolveReport};
use crate::error::{Error, Result};
use crate::linalg::{Block, tiles};
use crate::monitor::{Event, Monitor};

/// One iterative method, between two of its steps.
pub(crate) trait Iteration {
    /// The method's usual name.
    const NAME: &'static str;

    /// Advances once and returns the relative residual of the worst column,
    /// as the method's own recurrence knows it.
    ///
    /// # Errors
    /// Whatever stops the method: an indefinite system, a cancelled product.
    fn step(&mut self, monitor: &mut dyn Monitor) -> Result<f64>;

    /// The solution so far and its true relative residual `‖b − Ax‖/‖b‖`, worst
    /// column, from one more product with `A`.
    ///
    /// # Errors
    /// As `Iteration::step`.
    fn finish(self, monitor: &mut dyn Monitor) -> Result<Finished>;
}

/// What an iteration leaves.
#[derive(Debug)]
pub(crate) struct Finished {
    /// The solution.
    pub solution: Block,
    /// Its true relative residual, worst column.
    pub residual: f64,
    /// An estimate of the condition number, where the method has one.
    pub condition: Option<f64>,
}

/// When to stop. Early stopping is a regulariser in [STKR App. D], so a
/// prescribed number of steps is not a failure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stop {
    /// When every column's relative residual is small enough.
    Residual {
        /// The residual to reach.
        relative: f64,
        /// Iterations allowed.
        at_most: usize,
    },
    /// After exactly so many iterations.
    After {
        /// How many.
        iterations: usize,
    },
}

/// Runs an iteration until `stop`.
///
/// # Errors
/// [`Error::Cancelled`] when the monitor breaks, [`Error::NotFinite`] when the
/// iteration diverges, else the iteration's own.
pub(crate) fn drive<I: Iteration>(
    mut iteration: I,
    stop: Stop,
    monitor: &mut dyn Monitor,
) -> Result<(Block, SolveReport)> {
    let (at_most, goal) = match stop {
        Stop::Residual { relative, at_most } => (at_most, Some(relative)),
        Stop::After { iterations } => (iterations, None),
    };
    tiles::announce(I::NAME, goal.is_none().then_some(at_most), monitor)?;
    let mut done = 0;
    let mut reached = false;
    while done < at_most && !reached {
        let relative = iteration.step(monitor)?;
        done += 1;
        if !relative.is_finite() {
            return Err(Error::NotFinite {
                phase: I::NAME,
                hint: "the iteration diverges; use a smaller step or another solver".into(),
            });
        }
        let event = Event::Residual {
            iteration: done,
            relative,
        };
        if monitor.on(event).is_break() {
            return Err(Error::Cancelled { phase: I::NAME });
        }
        reached = goal.is_some_and(|goal| relative <= goal);
    }
    let finished = iteration.finish(monitor)?;
    let outcome = match goal {
        None => Outcome::AsPrescribed,
        // The recurrence may drift from the truth; the truth decides.
        Some(goal) if reached && finished.residual <= DRIFT * goal => Outcome::Converged,
        Some(_) if reached => Outcome::Stagnated,
        Some(_) => Outcome::Exhausted,
    };
    let report = SolveReport {
        solver: I::NAME.to_owned(),
        size: finished.solution.rows(),
        iterations: done,
        residual: finished.residual,
        condition: finished.condition,
        outcome,
        error_estimate: None,
        smallest: None,
        choice: None,
    };
    Ok((finished.solution, report))
}

/// How far the true residual may lie above the one asked for and still be
/// called converged: the two differ by rounding only.
const DRIFT: f64 = 4.0;

/// The worst column's `√(left/size)`, where nothing is left of nothing.
pub(crate) fn worst_ratio(left: &[f64], size: &[f64]) -> f64 {
    left.iter().zip(size).fold(0.0, |worst: f64, (left, size)| {
        let ratio = if *left == 0.0 {
            0.0
        } else {
            (left / size).sqrt()
        };
        if ratio.is_nan() {
            f64::NAN
        } else {
            worst.max(ratio)
        }
    })
}
