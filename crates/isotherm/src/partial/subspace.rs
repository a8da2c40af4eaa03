//! One exact step over all places of φ that may take any value between two bounds.
//!
//! With F the samples whose value in a column lies strictly between its bounds, J is a
//! quadratic in y_F with minimum at `y_F = −M_FF⁻¹ M_FB y_B`. The step goes there, or
//! as far as the bounds allow: J falls all the way. Sweeps find which bounds hold,
//! this finds the rest, so ill-conditioned penalties cost no more rounds than others.

use super::{PHASE, PartialCodec};
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatRef, cholesky, tiles};
use crate::monitor::{Monitor, Within};

/// Samples and bounds of the places that are free, column by column.
pub(super) struct Free {
    columns: Vec<Vec<(usize, f64, f64)>>,
}

impl Free {
    /// `None` where nothing is, as with candidates and orders.
    pub(super) fn new<C: PartialCodec>(codec: &C, known: &[C::Observation]) -> Option<Self> {
        let column = |place: usize| {
            let bounds = |(row, known)| {
                let (low, high) = codec.free(known, place)?;
                Some((row, low, high))
            };
            known.iter().enumerate().filter_map(bounds).collect()
        };
        let columns: Vec<Vec<_>> = (0..codec.width()).map(column).collect();
        columns
            .iter()
            .any(|c| !c.is_empty())
            .then_some(Self { columns })
    }

    /// Moves each column's free values towards their minimum; `image` is MY.
    pub(super) fn step(
        &self,
        penalty: MatRef<'_, f64>,
        values: &mut Mat<f64>,
        image: &Mat<f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        for (j, column) in self.columns.iter().enumerate() {
            let inside: Vec<(usize, f64, f64)> = (column.iter().copied())
                .filter(|&(i, low, high)| low < values[(i, j)] && values[(i, j)] < high)
                .collect();
            if inside.is_empty() {
                continue;
            }
            let at = |k: usize| inside[k].0;
            let system = Mat::from_fn(inside.len(), inside.len(), |a, b| penalty[(at(a), at(b))]);
            let factor = match cholesky::factor(system, "", "", &mut Within(monitor)) {
                Ok(factor) => factor,
                Err(Error::Cancelled { phase }) => return Err(Error::Cancelled { phase }),
                // A direction that costs nothing: sweeps go on without this step.
                Err(_) => continue,
            };
            let mut step = Mat::from_fn(inside.len(), 1, |a, _| -image[(at(a), j)]);
            factor.solve_in_place(step.as_mut());
            let room = |(k, &(i, low, high)): (usize, &(usize, f64, f64))| {
                let (value, d) = (values[(i, j)], step[(k, 0)]);
                if d > 0.0 {
                    (high - value) / d
                } else if d < 0.0 {
                    (low - value) / d
                } else {
                    f64::INFINITY
                }
            };
            let length = inside.iter().enumerate().map(room).fold(1.0, f64::min);
            if !(length.is_finite() && (0..inside.len()).all(|k| step[(k, 0)].is_finite())) {
                continue;
            }
            for (k, &(i, low, high)) in inside.iter().enumerate() {
                values[(i, j)] = (values[(i, j)] + length * step[(k, 0)]).max(low).min(high);
            }
            tiles::tick(PHASE, monitor)?;
        }
        Ok(())
    }
}
