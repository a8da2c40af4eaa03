//! Labels on their way to a minimum: Y, MY, and the steps that lower J.

use super::{PHASE, PartialCodec};
use crate::error::Result;
use crate::linalg::{Mat, MatRef, strips, tiles};
use crate::monitor::{Monitor, Within};

/// Rows between two chances to stop.
const ROWS: usize = 16;

/// How many fits of fits a start may be nearest to.
const SMOOTHEST: usize = 16;

/// A diagonal entry this small, relative to the largest, leaves its row without a
/// leave-one-out prediction.
const ALONE: f64 = 1e-13;

pub(super) struct State<'a, C: PartialCodec> {
    codec: &'a C,
    penalty: MatRef<'a, f64>,
    known: &'a [C::Observation],
    /// Y.
    pub(super) values: Mat<f64>,
    /// MY.
    pub(super) image: Mat<f64>,
    /// Below it a diagonal entry counts as 0.
    least: f64,
}

impl<'a, C: PartialCodec> State<'a, C> {
    pub(super) fn start(
        codec: &'a C,
        penalty: MatRef<'a, f64>,
        known: &'a [C::Observation],
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let n = known.len();
        let mut values = Mat::zeros(n, codec.width());
        let mut row = vec![0.0; codec.width()];
        for (i, known) in known.iter().enumerate() {
            codec.start(known, &mut row);
            write(&mut values, i, &row);
            if i % ROWS == 0 {
                tiles::tick(PHASE, monitor)?;
            }
        }
        let largest = (0..n).map(|i| penalty[(i, i)]).fold(0.0, f64::max);
        let mut state = Self {
            codec,
            penalty,
            known,
            values,
            image: Mat::new(),
            least: ALONE * largest,
        };
        state.refresh(monitor)?;
        Ok(state)
    }

    /// MY anew, so that what updates have rounded away does not add up.
    pub(super) fn refresh(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        self.image = times(self.penalty, self.values.as_ref(), monitor)?;
        Ok(())
    }

    /// J of other labels.
    fn objective_of(&self, values: &Mat<f64>, monitor: &mut dyn Monitor) -> Result<f64> {
        let image = times(self.penalty, values.as_ref(), monitor)?;
        Ok(inner(values, &image))
    }

    /// `tr(YᵀMY)/n`.
    pub(super) fn objective(&self) -> f64 {
        inner(&self.values, &self.image)
    }

    /// `tr(YᵀY)/n`, at least J.
    pub(super) fn scale(&self) -> f64 {
        inner(&self.values, &self.values)
    }

    /// `Y ← nearest(Y − MY)`.
    pub(super) fn alternate(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        self.values = self.nearest(|_| 1.0, monitor)?;
        Ok(())
    }

    /// From the averages, the best of several: nearest to what the others say, and
    /// nearest to the fit, to the fit of the fit, and so on to [`SMOOTHEST`] of them, as
    /// a larger ridge would have it. With a small ridge the fit repeats the averages, and
    /// among them chance would choose.
    pub(super) fn begin(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let own = |i: usize| match self.penalty[(i, i)] {
            m if m > self.least => m,
            _ => 1.0,
        };
        let left_out = self.nearest(own, monitor)?;
        let mut best = (self.objective_of(&left_out, monitor)?, left_out);
        for power in 1..=SMOOTHEST {
            if power.is_power_of_two() {
                let found = self.nearest(|_| 1.0, monitor)?;
                let objective = self.objective_of(&found, monitor)?;
                if objective < best.0 {
                    best = (objective, found);
                }
            }
            self.values = &self.values - &self.image; // HY
            self.refresh(monitor)?;
            if !self.objective().is_finite() {
                break; // an eigenvalue of M is above 2
            }
        }
        self.values = best.1;
        Ok(())
    }

    /// The candidates nearest `yᵢ − (MY)ᵢ/mᵢ`, all rows at once.
    fn nearest(&self, scale: impl Fn(usize) -> f64, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        let width = self.codec.width();
        let (mut scores, mut row) = (vec![0.0; width], vec![0.0; width]);
        let mut found = Mat::zeros(self.known.len(), width);
        for (i, known) in self.known.iter().enumerate() {
            for (j, slot) in scores.iter_mut().enumerate() {
                *slot = self.values[(i, j)] - self.image[(i, j)] / scale(i);
            }
            self.codec.nearest(&scores, known, &mut row);
            write(&mut found, i, &row);
            if i % ROWS == 0 {
                tiles::tick(PHASE, monitor)?;
            }
        }
        Ok(found)
    }

    /// `yᵢ ← nearest(yᵢ − (MY)ᵢ/Mᵢᵢ)`, one row after the other.
    pub(super) fn sweep(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let width = self.codec.width();
        let (mut left_out, mut row) = (vec![0.0; width], vec![0.0; width]);
        for (i, known) in self.known.iter().enumerate() {
            let own = self.penalty[(i, i)];
            if own <= self.least {
                continue; // the row says nothing of itself
            }
            for (j, slot) in left_out.iter_mut().enumerate() {
                *slot = self.values[(i, j)] - self.image[(i, j)] / own;
            }
            self.codec.nearest(&left_out, known, &mut row);
            let (mut now, mut then) = (0.0, 0.0);
            for (j, f) in left_out.iter().enumerate() {
                now += (self.values[(i, j)] - f).powi(2);
                then += (row[j] - f).powi(2);
            }
            // Only what is better: two candidates that tie would take turns.
            if then < now {
                self.replace(i, &row);
            }
            if i % ROWS == 0 {
                tiles::tick(PHASE, monitor)?;
            }
        }
        Ok(())
    }

    fn replace(&mut self, i: usize, row: &[f64]) {
        let column = self.penalty.col(i);
        for (j, value) in row.iter().enumerate() {
            let step = value - self.values[(i, j)];
            if step != 0.0 {
                self.values[(i, j)] = *value;
                for (slot, m) in self.image.col_mut(j).iter_mut().zip(column.iter()) {
                    *slot += step * m;
                }
            }
        }
    }
}

fn write(values: &mut Mat<f64>, i: usize, row: &[f64]) {
    for (j, v) in row.iter().enumerate() {
        values[(i, j)] = *v;
    }
}

/// `MY` for a symmetric M, by strips of the n columns of `YᵀM`.
fn times(m: MatRef<'_, f64>, y: MatRef<'_, f64>, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
    let image = strips::times(PHASE, y.transpose(), m, &mut Within(monitor))?;
    Ok(image.transpose().to_owned())
}

/// `tr(YᵀV)/n`.
fn inner(y: &Mat<f64>, other: &Mat<f64>) -> f64 {
    let column = |j: usize| -> f64 {
        let pairs = y.col(j).iter().zip(other.col(j).iter());
        pairs.map(|(y, v)| y * v).sum()
    };
    (0..y.ncols()).map(column).sum::<f64>() / y.nrows() as f64
}
