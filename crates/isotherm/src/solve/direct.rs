//! Direct solves: one factorisation, no iteration.

use super::{Outcome, SolveReport};
use crate::error::{Error, Result};
use crate::linalg::gemm::{self, Write};
use crate::linalg::{Mat, MatRef, cholesky, indefinite, tiles};
use crate::monitor::Monitor;

/// Solves `A X = B` for a symmetric positive definite `A` by Cholesky.
///
/// The report's condition is the 1-norm estimate of Hager's method, its
/// residual is computed with the `A` that was given.
///
/// # Errors
/// [`Error::Indefinite`] with the system's `name` and the caller's `hint`.
pub fn definite(
    system: Mat<f64>,
    name: &'static str,
    hint: &str,
    rhs: MatRef<'_, f64>,
    monitor: &mut dyn Monitor,
) -> Result<(Mat<f64>, SolveReport)> {
    check_rows(system.nrows(), rhs.nrows())?;
    let factor = cholesky::factor(system, name, hint, monitor)?;
    let mut solution = rhs.to_owned();
    factor.solve_in_place(solution.as_mut());
    tiles::tick("solving", monitor)?;
    let residual = factor.residual(solution.as_ref(), rhs);
    tiles::tick("solving", monitor)?;
    let report = SolveReport {
        solver: "cholesky".to_owned(),
        size: factor.dim(),
        iterations: 0,
        residual,
        condition: Some(factor.condition()),
        outcome: Outcome::Direct,
        error_estimate: None,
        smallest: None,
        choice: None,
    };
    Ok((solution, report))
}

/// Solves `A X = B` for a symmetric `A`, definite or not, by Bunch and Kaufman.
///
/// # Errors
/// [`Error::NotFinite`] when `A` is exactly singular or holds a number that is
/// not finite.
pub fn symmetric(system: &Mat<f64>, rhs: MatRef<'_, f64>) -> Result<(Mat<f64>, SolveReport)> {
    check_rows(system.nrows(), rhs.nrows())?;
    let factor = indefinite::factor(system.clone())?;
    let mut solution = rhs.to_owned();
    factor.solve_in_place(solution.as_mut());
    let mut rest = rhs.to_owned();
    gemm::product(
        rest.as_mut(),
        Write::Add,
        system.as_ref(),
        solution.as_ref(),
        -1.0,
    );
    let squares = |m: MatRef<'_, f64>| -> Vec<f64> {
        m.col_iter()
            .map(|c| c.iter().map(|v| v * v).sum())
            .collect()
    };
    let report = SolveReport {
        solver: "bunch-kaufman".to_owned(),
        size: system.nrows(),
        iterations: 0,
        residual: super::worst_ratio(&squares(rest.as_ref()), &squares(rhs)),
        condition: None,
        outcome: Outcome::Direct,
        error_estimate: None,
        smallest: None,
        choice: None,
    };
    Ok((solution, report))
}

pub(super) fn check_rows(expected: usize, got: usize) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Shape {
        what: "rows of the right-hand side",
        expected,
        got,
    })
}
