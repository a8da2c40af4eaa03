//! Averages over all rows: of the basis while rows are summed, then of the features.

use std::ops::Range;
use std::sync::Arc;

use super::coordinates::Coordinates;
use super::filtered::Averaged;
use super::params::{Covariance, LaplacianParams, Route};
use super::rows::Rows;
use crate::data::Points;
use crate::error::Result;
use crate::feature::moments::{Averages, BasisMoments, Wanted};
use crate::feature::{Features, ROWS};
use crate::linalg::gemm::times;
use crate::linalg::rows::runs;
use crate::linalg::{Mat, MatRef, tiles};
use crate::monitor::Monitor;

/// Sums of nothing yet: those that the parameters ask for.
pub(super) fn nothing_summed(
    params: &LaplacianParams,
    features: &Arc<dyn Features>,
) -> BasisMoments {
    let wanted = match params.covariance {
        Covariance::Labelled => Wanted::Energy,
        Covariance::All => Wanted::Both,
    };
    BasisMoments::with_precision(features.clone(), wanted, params.precision)
}

/// What Σ̂ over all rows is in these coordinates, if it is over all rows.
pub(super) fn averages(
    params: &LaplacianParams,
    features: &dyn Features,
    rows: &Rows,
    coordinates: &Coordinates,
    moments: Option<&Averages>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Averaged>> {
    if params.covariance == Covariance::Labelled {
        return Ok(None);
    }
    Ok(Some(match moments {
        Some(moments) if coordinates.route == Route::Gram => {
            averaged(moments, coordinates, params.free_constant)
        }
        _ => measured(
            features,
            rows.whole()?,
            coordinates,
            params.free_constant,
            monitor,
        )?,
    }))
}

/// Averages of features and free functions from the moments of the basis.
fn averaged(moments: &Averages, coordinates: &Coordinates, constant: bool) -> Averaged {
    let map = &coordinates.map;
    let r = map.ncols();
    let p = map.nrows();
    let covariance = match &moments.covariance {
        Some(covariance) => {
            let image = times(covariance.as_ref(), map.as_ref());
            times(map.transpose(), image.as_ref())
        }
        None => Mat::zeros(r, r),
    };
    let mean = Mat::from_fn(1, p, |_, j| moments.mean[j]);
    let mean = times(mean.as_ref(), map.as_ref());
    let q = usize::from(constant);
    Averaged {
        features: Mat::from_fn(r, r, |i, j| 0.5 * (covariance[(i, j)] + covariance[(j, i)])),
        mixed: Mat::from_fn(q, r, |_, j| mean[(0, j)]),
        free: Mat::identity(q, q),
    }
}

/// Averages of features and free functions by a pass over the rows, in coordinates
/// that lose no digits.
pub(super) fn measured(
    features: &dyn Features,
    points: &Points,
    coordinates: &Coordinates,
    constant: bool,
    monitor: &mut dyn Monitor,
) -> Result<Averaged> {
    let (r, flat) = (coordinates.map.ncols(), coordinates.flat.as_ref());
    let q = usize::from(constant) + flat.map_or(0, Mat::ncols);
    let mut sums: Mat<f64> = Mat::zeros(q + r, q + r);
    let tiles: Vec<Range<usize>> = runs(points.len(), ROWS).collect();
    tiles::map_fold(
        "averages over all rows",
        tiles.len(),
        monitor,
        |k| {
            let count = tiles[k].len();
            let mut values = vec![0.0; count * features.len()];
            features.values_of((points, tiles[k].clone()), &mut values);
            let values = MatRef::from_row_major_slice(&values, count, features.len());
            let both = joined(values, coordinates, constant);
            Ok(times(both.transpose(), both.as_ref()))
        },
        |part| {
            sums += part;
            Ok(())
        },
    )?;
    let n = points.len() as f64;
    let part = |row: usize, col: usize, rows: usize, cols: usize| {
        Mat::from_fn(rows, cols, |i, j| {
            0.5 * (sums[(row + i, col + j)] + sums[(col + j, row + i)]) / n
        })
    };
    Ok(Averaged {
        features: part(q, q, r, r),
        mixed: part(0, q, q, r),
        free: part(0, 0, q, q),
    })
}

/// `[e, F]` from values of the basis: free functions first.
fn joined(values: MatRef<'_, f64>, coordinates: &Coordinates, constant: bool) -> Mat<f64> {
    let features = times(values, coordinates.map.as_ref());
    let free = free(values, coordinates, constant);
    let q = free.ncols();
    Mat::from_fn(values.nrows(), q + features.ncols(), |i, j| {
        match j.checked_sub(q) {
            None => free[(i, j)],
            Some(j) => features[(i, j)],
        }
    })
}

/// e: the constant, if it is free, then the flat functions.
pub(super) fn free(values: MatRef<'_, f64>, coordinates: &Coordinates, constant: bool) -> Mat<f64> {
    let flat = coordinates.flat.as_ref();
    let flat = flat.map(|flat| times(values, flat.as_ref()));
    let q = usize::from(constant);
    let width = q + flat.as_ref().map_or(0, Mat::ncols);
    Mat::from_fn(values.nrows(), width, |i, j| {
        match (j.checked_sub(q), &flat) {
            (Some(j), Some(flat)) => flat[(i, j)],
            _ => 1.0,
        }
    })
}
