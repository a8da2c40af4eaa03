//! Reports of products, of matrix functions, and of two solves together.

use crate::solve::{Outcome, SolveReport, lanczos};

/// A report of a fixed number of products.
pub(super) fn exact(solver: &str, size: usize, products: usize) -> SolveReport {
    SolveReport {
        solver: solver.to_owned(),
        size,
        iterations: products,
        residual: 0.0,
        condition: None,
        outcome: Outcome::Direct,
        error_estimate: None,
        smallest: None,
        choice: None,
    }
}

/// A matrix function's report as a solve's.
pub(super) fn lanczos_report(size: usize, done: &lanczos::FunctionReport) -> SolveReport {
    SolveReport {
        solver: "lanczos".to_owned(),
        size,
        iterations: done.steps,
        residual: done.error,
        condition: None,
        outcome: if done.converged {
            Outcome::Converged
        } else if done.error <= f64::EPSILON.sqrt() {
            Outcome::Stagnated
        } else {
            Outcome::Exhausted
        },
        error_estimate: None,
        smallest: None,
        choice: None,
    }
}

/// The report of two solves: the worse of everything.
pub(super) fn worse(a: SolveReport, b: SolveReport) -> SolveReport {
    let rank = |o: Outcome| match o {
        Outcome::Direct => 0,
        Outcome::AsPrescribed => 1,
        Outcome::Converged => 2,
        Outcome::Stagnated => 3,
        Outcome::Exhausted => 4,
    };
    let outcome = if rank(b.outcome) > rank(a.outcome) {
        b.outcome
    } else {
        a.outcome
    };
    SolveReport {
        iterations: a.iterations.max(b.iterations),
        residual: a.residual.max(b.residual),
        condition: match (a.condition, b.condition) {
            (Some(x), Some(y)) => Some(x.max(y)),
            (x, y) => x.or(y),
        },
        outcome,
        ..a
    }
}
