//! What every kernel promises.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::data::Points;
use crate::kernel::{Geometry, Kernel, SmoothKernel};
use crate::linalg::eigen;
use crate::monitor::Quiet;
use crate::operator::gram::Gram;

/// A check's verdict: nothing, or what is wrong.
pub(crate) type Verdict = Result<(), String>;

/// Checks a kernel against `define`, its formula for one number.
///
/// - a tile holds `define(t)` to `1e-12` relative, whatever the length and the
///   position, bit for bit the same;
/// - Gram matrices of random points are symmetric;
/// - if [`Kernel::positive`] is promised, their spectrum is not negative (to
///   `1e-12` of the largest eigenvalue) and inside the claimed trace bound.
///
/// # Errors
/// What is wrong.
pub fn check(kernel: Box<dyn Kernel>, define: &dyn Fn(f64) -> f64) -> Verdict {
    values(&*kernel, define)?;
    position(&*kernel)?;
    spectrum(kernel)
}

/// Checks the derivative: it equals central differences (to 1e-6 of its own
/// size), it is finite at 0, and the value beside it is the value alone.
///
/// # Errors
/// What is wrong.
pub fn check_slope(kernel: &dyn SmoothKernel) -> Verdict {
    for t in numbers(kernel.geometry()) {
        let (mut tile, mut slope) = ([t], [f64::NAN]);
        kernel.value_and_slope(&mut tile, &mut slope);
        near(tile[0], kernel.at(t), 4.0 * f64::EPSILON)
            .map_err(|e| format!("value beside the slope at t = {t}: {e}"))?;
        if !slope[0].is_finite() {
            return Err(format!("slope at t = {t} is {}", slope[0]));
        }
        // Below a thousandth a two-sided difference would leave the domain.
        if kernel.geometry() == Geometry::SquaredDistance && t < 1e-3 {
            continue;
        }
        let h = 1e-4 * t.abs().max(1e-2);
        let at = |offset: f64| kernel.at(t + offset * h);
        let difference = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h);
        let rounding = 1e-11 * kernel.at(t).abs() / h * 1e-2;
        if (slope[0] - difference).abs() > 1e-6 * difference.abs() + rounding {
            return Err(format!(
                "slope at t = {t} is {:e}, finite differences give {difference:e}",
                slope[0]
            ));
        }
    }
    Ok(())
}

/// Numbers a kernel of this geometry may meet.
fn numbers(geometry: Geometry) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    (0..257)
        .map(|i| match geometry {
            Geometry::SquaredDistance | Geometry::Manhattan if i == 0 => 0.0,
            Geometry::SquaredDistance | Geometry::Manhattan => {
                10f64.powf(rng.random_range(-8.0..2.0))
            }
            Geometry::InnerProduct => rng.random_range(-3.0..3.0),
            Geometry::Cosine => rng.random_range(-1.0..1.0),
        })
        .collect()
}

fn values(kernel: &dyn Kernel, define: &dyn Fn(f64) -> f64) -> Verdict {
    let numbers = numbers(kernel.geometry());
    let mut tile = numbers.clone();
    kernel.value(&mut tile);
    for (t, k) in numbers.iter().zip(tile) {
        near(k, define(*t), 1e-12).map_err(|e| format!("value at t = {t}: {e}"))?;
    }
    Ok(())
}

/// A value must not depend on where in a tile it stands.
fn position(kernel: &dyn Kernel) -> Verdict {
    let numbers = numbers(kernel.geometry());
    for length in 0..=33 {
        let mut tile = numbers[..length].to_vec();
        kernel.value(&mut tile);
        for (t, k) in numbers.iter().zip(tile) {
            if k.to_bits() != kernel.at(*t).to_bits() {
                return Err(format!(
                    "value at t = {t} is {k:e} in a tile of {length} and {:e} alone",
                    kernel.at(*t)
                ));
            }
        }
    }
    Ok(())
}

fn spectrum(kernel: Box<dyn Kernel>) -> Verdict {
    let positive = kernel.positive();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (n, d) = (60, 11);
    let values = (0..n * d).map(|_| rng.random_range(-1.0..1.0)).collect();
    let points = Points::new(values, n, d).map_err(|e| e.to_string())?;
    let gram = Gram::new(Arc::new(points), kernel);
    let matrix = gram
        .matrix(gram.points(), &mut Quiet)
        .map_err(|e| e.to_string())?;
    let largest = matrix.norm_max();
    for i in 0..n {
        for j in 0..i {
            if (matrix[(i, j)] - matrix[(j, i)]).abs() > 4.0 * f64::EPSILON * largest {
                return Err(format!("k(x{i}, x{j}) is not k(x{j}, x{i})"));
            }
        }
    }
    if !positive {
        return Ok(());
    }
    let eigen = eigen::symmetric(matrix.as_ref()).map_err(|e| e.to_string())?;
    let (low, high) = eigen
        .values
        .iter()
        .fold((0.0_f64, 0.0_f64), |(l, h), v| (l.min(*v), h.max(*v)));
    let trace: f64 = gram.diagonal().iter().sum();
    if low < -1e-12 * high {
        return Err(format!("an eigenvalue is {low:e}, the largest {high:e}"));
    }
    if high > trace * (1.0 + 1e-12) {
        return Err(format!(
            "the largest eigenvalue {high} is above the trace {trace}"
        ));
    }
    Ok(())
}

fn near(got: f64, expected: f64, relative: f64) -> Verdict {
    if (got - expected).abs() <= relative * expected.abs() || got == expected {
        return Ok(());
    }
    Err(format!("got {got:e}, expected {expected:e}"))
}
