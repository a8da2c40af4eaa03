//! Landmarks far from each other: the seeding of k-means++.
//!
//! D. Arthur and S. Vassilvitskii, *k-means++: the advantages of careful seeding*,
//! SODA 2007. The seeds themselves are the landmarks: no Lloyd step moves them off the
//! rows, so a landmark is always a sample.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::data::{Distinct, Points};
use crate::error::{Error, Result};
use crate::linalg::distance::squared_distance;
use crate::linalg::rows::runs;
use crate::linalg::rows::sparse::over_cells;
use crate::linalg::tiles;
use crate::monitor::Monitor;

const PHASE: &str = "k-means++ seeding";

/// Rows whose distances are found at a time.
const ROWS: usize = 1024;

/// The first row uniformly, each next one i with probability `D²ᵢ / Σⱼ D²ⱼ`, where
/// `D²ᵢ = min_z ‖xᵢ − z‖²` over those chosen.
///
/// Returned in the order drawn: the first q of them are a seeding of q. An equal row
/// has D = 0 and is never drawn; there are fewer than `count` when no row is left at a
/// distance above 0.
///
/// Cost: O(n · count · d) time, n numbers.
///
/// # Errors
/// [`Error::NotFinite`] when the distances' sum overflows; [`Error::Cancelled`].
pub(crate) fn seed(
    points: &Points,
    count: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Vec<usize>> {
    let distinct = Distinct::of(points, monitor)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut squares = vec![f64::INFINITY; points.len()];
    let mut chosen = Vec::with_capacity(count);
    tiles::announce(PHASE, None, monitor)?;
    let mut next = Some(rng.random_range(0..points.len()));
    while let Some(at) = next {
        chosen.push(distinct.first(at));
        if chosen.len() >= count {
            break;
        }
        let sums = approach(points, at, &mut squares, monitor)?;
        next = draw(&squares, &sums, rng.random::<f64>())?;
    }
    Ok(chosen)
}

/// Lowers each row's D² to its squared distance from row `at`; sums by tiles.
fn approach(
    points: &Points,
    at: usize,
    squares: &mut [f64],
    monitor: &mut dyn Monitor,
) -> Result<Vec<f64>> {
    let (d, z) = (points.dim(), points.select(&[at])?);
    let mut sums = vec![0.0; squares.len().div_ceil(ROWS)];
    let rows = runs(points.len(), ROWS);
    let tiles: Vec<_> = rows.zip(squares.chunks_mut(ROWS)).zip(&mut sums).collect();
    tiles::sweep(PHASE, tiles, monitor, |((rows, squares), sum)| {
        if let (Some(all), Some(z)) = (points.as_sparse(), z.as_sparse()) {
            for (i, square) in rows.zip(squares.iter_mut()) {
                let apart = |x: f64, z: f64| (x - z) * (x - z);
                *square = square.min(over_cells(all.row(i), z.row(0), apart));
            }
        } else {
            for (x, square) in points.tile(rows).chunks_exact(d).zip(squares.iter_mut()) {
                *square = square.min(squared_distance(x, &z.row(0)));
            }
        }
        *sum = squares.iter().sum();
        Ok(())
    })?;
    Ok(sums)
}

/// The row at which the running sum of D² passes the fraction `u` of the whole, or
/// none when the whole is 0.
fn draw(squares: &[f64], sums: &[f64], u: f64) -> Result<Option<usize>> {
    let total: f64 = sums.iter().sum();
    if !total.is_finite() {
        return Err(Error::NotFinite {
            phase: PHASE,
            hint: "scale the columns to comparable size".into(),
        });
    }
    let mut left = u * total;
    for (tile, (squares, sum)) in squares.chunks(ROWS).zip(sums).enumerate() {
        if left < *sum {
            let mut counted = squares.iter().enumerate().filter(|(_, s)| **s > 0.0);
            let passed = counted.find(|(_, s)| {
                let here = left < **s;
                left -= **s;
                here
            });
            let at = passed.map(|(i, _)| i).or_else(|| last(squares));
            return Ok(at.map(|i| tile * ROWS + i));
        }
        left -= sum;
    }
    Ok(last(squares))
}

/// The last row that counts: what is drawn where rounding leaves a sum short.
fn last(squares: &[f64]) -> Option<usize> {
    squares.iter().rposition(|s| *s > 0.0)
}
