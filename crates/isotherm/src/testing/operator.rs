//! What every operator has to do.

use super::random;
use crate::linalg::{Mat, MatRef};
use crate::monitor::Quiet;
use crate::operator::Operator;

/// Checks linearity, independence of the layout, and agreement with `dense`,
/// the slow obvious matrix, to `tolerance` relative to its largest entry.
///
/// # Errors
/// A sentence saying what does not hold.
pub fn check(
    operator: &dyn Operator,
    dense: MatRef<'_, f64>,
    tolerance: f64,
) -> Result<(), String> {
    let n = operator.dim();
    if (dense.nrows(), dense.ncols()) != (n, n) {
        return Err(format!(
            "dim() is {n}, the dense twin has {} rows",
            dense.nrows()
        ));
    }
    let apply = |block: &Mat<f64>| -> Result<Mat<f64>, String> {
        let mut out = Mat::from_fn(n, block.ncols(), |_, _| f64::NAN);
        let done = operator.apply(block.as_ref(), out.as_mut(), &mut Quiet);
        done.map_err(|e| e.to_string())?;
        Ok(out)
    };
    for cols in [1, 3, 8, 11] {
        let x = random(n, cols, 1);
        let y = random(n, cols, 2);
        let image = apply(&x)?;
        close("A x and the dense twin", &image, &(dense * &x), tolerance)?;
        let sum = Mat::from_fn(n, cols, |i, j| 2.0 * x[(i, j)] + y[(i, j)]);
        let parts = apply(&y)?;
        let expected = Mat::from_fn(n, cols, |i, j| 2.0 * image[(i, j)] + parts[(i, j)]);
        close(
            "A(2x + y) and 2Ax + Ay",
            &apply(&sum)?,
            &expected,
            tolerance,
        )?;
        // The transpose of a transposed copy is the same matrix, row-major.
        let row_major = x.transpose().to_owned();
        let mut out = Mat::zeros(cols, n);
        let done = operator.apply(
            row_major.transpose(),
            out.as_mut().transpose_mut(),
            &mut Quiet,
        );
        done.map_err(|e| e.to_string())?;
        close(
            "row-major and column-major",
            &out.transpose().to_owned(),
            &image,
            tolerance,
        )?;
    }
    Ok(())
}

/// As [`check`], and the symmetry and the interval the type promises.
///
/// # Errors
/// A sentence saying what does not hold.
#[cfg(test)]
pub(crate) fn check_symmetric(
    operator: &dyn crate::operator::Symmetric,
    dense: MatRef<'_, f64>,
    tolerance: f64,
) -> Result<(), String> {
    check(&operator, dense, tolerance)?;
    let transposed = dense.transpose().to_owned();
    close(
        "the dense twin and its transpose",
        &dense.to_owned(),
        &transposed,
        tolerance,
    )?;
    let interval = operator.spectrum();
    let eigen = crate::linalg::eigen::symmetric(dense).map_err(|e| e.to_string())?;
    match eigen.values.iter().find(|v| !interval.contains(**v)) {
        Some(value) => Err(format!("eigenvalue {value} lies outside {interval:?}")),
        None => Ok(()),
    }
}

/// `max |a − b| ≤ tolerance · max(1, max |b|)`.
///
/// # Errors
/// A sentence with the largest difference.
pub fn close(what: &str, a: &Mat<f64>, b: &Mat<f64>, tolerance: f64) -> Result<(), String> {
    let mut scale = 1.0_f64;
    let mut worst = 0.0_f64;
    for j in 0..b.ncols() {
        for i in 0..b.nrows() {
            scale = scale.max(b[(i, j)].abs());
            let difference = (a[(i, j)] - b[(i, j)]).abs();
            worst = if difference.is_nan() {
                f64::INFINITY
            } else {
                worst.max(difference)
            };
        }
    }
    if worst <= tolerance * scale {
        return Ok(());
    }
    Err(format!("{what} differ by {worst:.3e} (scale {scale:.3e})"))
}
