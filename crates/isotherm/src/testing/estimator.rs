//! What every estimator that is linear in its labels has to do.

use super::operator::close;
use super::random;
use crate::base::Base;
use crate::estimator::Prepared;
use crate::expansion::Scores;
use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::task::Observed;

/// Checks `f(2y + z) = 2f(y) + f(z)`, columns independent of their company, the
/// order of labels without meaning, and a finite report.
///
/// # Errors
/// A sentence saying what does not hold.
pub fn check<P: Prepared>(
    prepared: &P,
    labelled: &[usize],
    total: usize,
    queries: &<P::Base as Base>::Query,
    tolerance: f64,
) -> Result<(), String> {
    let n = labelled.len();
    let (y, z) = (random(n, 3, 11), random(n, 3, 12));
    let mixed = Mat::from_fn(n, 3, |i, j| 2.0 * y[(i, j)] + z[(i, j)]);
    let solve = |index: Vec<usize>, values: Mat<f64>| -> Result<Scores, String> {
        let seen = Observed::new(index, values, total).map_err(|e| e.to_string())?;
        let fitted = prepared
            .solve(&seen, &mut Quiet)
            .map_err(|e| e.to_string())?;
        if !fitted.report.residual.is_finite() {
            return Err(format!(
                "the report's residual is {}",
                fitted.report.residual
            ));
        }
        fitted
            .scores(queries, &mut Quiet)
            .map_err(|e| e.to_string())
    };
    let index = labelled.to_vec();
    let (fy, fz) = (solve(index.clone(), y.clone())?, solve(index.clone(), z)?);
    let (a, b) = (&fy.values, &fz.values);
    let expected = Mat::from_fn(a.nrows(), 3, |i, j| 2.0 * a[(i, j)] + b[(i, j)]);
    let both = solve(index.clone(), mixed)?;
    close(
        "f(2y + z) and 2f(y) + f(z)",
        &both.values,
        &expected,
        tolerance,
    )?;

    let reversed: Vec<usize> = index.iter().rev().copied().collect();
    let turned = Mat::from_fn(n, 3, |i, j| y[(n - 1 - i, j)]);
    let again = solve(reversed, turned)?;
    close("labels in reverse order", &again.values, a, tolerance)?;

    let alone = solve(index, Mat::from_fn(n, 1, |i, _| y[(i, 1)]))?;
    let column = Mat::from_fn(a.nrows(), 1, |i, _| a[(i, 1)]);
    close("a column alone", &alone.values, &column, tolerance)
}
