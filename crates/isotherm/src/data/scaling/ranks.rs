//! Each value replaced by its place among the values of its column, so that neither outliers nor
//! a skewed column decide which rows are near.
//!
//! The place of x is `(#{v < x} + ½ #{v = x}) / n`, between 0 and 1: any increasing change of a
//! column leaves it as it is. It is kept at up to 512 values of a column and linear between them.

use std::ops::Range;
use std::sync::Arc;

use super::is_rounding;
use crate::data::{Points, Table};
use crate::error::{Error, Result};
use crate::linalg::tiles;
use crate::monitor::Monitor;

const PHASE: &str = "ranking columns";

/// Rows looked at, at equal distances: the place of a value is then within 1.3 % of that among all
/// rows with a probability of 99.8 %.
const SAMPLE: usize = 1 << 14;

/// Values of a column that are kept.
const KNOTS: usize = 512;

/// Columns read at a time.
const COLUMNS: usize = 256;

/// Where values stand in each column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranks(Arc<[Option<Places>]>);

/// The places of the values of one column, ascending.
#[derive(Debug, Clone, PartialEq)]
struct Places {
    values: Vec<f64>,
    places: Vec<f64>,
}

impl Ranks {
    /// Learns from all rows, labelled or not. Columns of at most two values, up to rounding, and
    /// those in blocks keep their values; `None` where every column does.
    ///
    /// Cost: O(min(n, 16384) · d · log n).
    ///
    /// # Errors
    /// [`Error::Cancelled`] when the monitor breaks.
    pub(crate) fn learn(points: &Points, monitor: &mut dyn Monitor) -> Result<Option<Self>> {
        let dim = points.dim();
        let mut columns = Vec::with_capacity(dim);
        let step = points.len().div_ceil(SAMPLE);
        let group = |g: usize| {
            let own = g * COLUMNS..dim.min((g + 1) * COLUMNS);
            let keep = |j: usize| points.blocks().iter().any(|block| block.contains(&j));
            let read = sampled(points, step, own.clone());
            let places =
                |(j, values): (usize, Vec<f64>)| (!keep(j)).then(|| Places::of(values)).flatten();
            Ok(own.zip(read).map(places).collect::<Vec<_>>())
        };
        let groups = dim.div_ceil(COLUMNS);
        tiles::map_fold(PHASE, groups, monitor, group, |own: Vec<Option<Places>>| {
            columns.extend(own);
            Ok(())
        })?;
        let any = columns.iter().any(Option::is_some);
        Ok(any.then(|| Self(columns.into())))
    }

    /// Feature columns it was learned from.
    pub(crate) fn dim(&self) -> usize {
        self.0.len()
    }

    /// The rows with places for values whenever they are read: no copy.
    ///
    /// # Errors
    /// [`Error::Shape`] when the number of columns differs.
    pub(crate) fn view(&self, points: &Points) -> Result<Points> {
        if points.dim() != self.0.len() {
            return Err(Error::Shape {
                what: "feature columns of the new rows",
                expected: self.0.len(),
                got: points.dim(),
            });
        }
        let placed = Placed {
            points: points.clone(),
            ranks: self.clone(),
        };
        Ok(Points::shared(Arc::new(placed))?.with_blocks(points.blocks().to_vec()))
    }
}

/// The values of some columns, one list each.
fn sampled(points: &Points, step: usize, own: Range<usize>) -> Vec<Vec<f64>> {
    let mut out = vec![Vec::with_capacity(points.len() / step + 1); own.len()];
    for i in (0..points.len()).step_by(step) {
        let row = points.row(i);
        let pairs = out.iter_mut().zip(&row[own.clone()]);
        pairs.for_each(|(column, x)| column.push(*x));
    }
    out
}

impl Places {
    fn of(mut column: Vec<f64>) -> Option<Self> {
        column.sort_unstable_by(f64::total_cmp);
        let (low, high) = (*column.first()?, *column.last()?);
        if is_rounding(high - low, low.abs().max(high.abs())) {
            return None;
        }
        let n = column.len() as f64;
        let mut before = 0;
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for equal in column.chunk_by(|a, b| a == b) {
            values.push(equal[0]);
            places.push((before as f64 + 0.5 * equal.len() as f64) / n);
            before += equal.len();
        }
        if values.len() < 3 {
            return None;
        }
        let last = values.len() - 1;
        if last >= KNOTS {
            let kept = |of: &[f64]| -> Vec<f64> {
                let at = |k: usize| of[k * last / (KNOTS - 1)];
                (0..KNOTS).map(at).collect()
            };
            (values, places) = (kept(&values), kept(&places));
        }
        Some(Self { values, places })
    }

    /// The place of a value; that of the nearest end outside of the known ones.
    fn of_value(&self, x: f64) -> f64 {
        let at = self.values.partition_point(|v| *v < x);
        match (at.checked_sub(1), self.values.get(at)) {
            (_, Some(upper)) if *upper == x => self.places[at],
            (Some(below), Some(upper)) => {
                let (lower, low, high) = (self.values[below], self.places[below], self.places[at]);
                low + (high - low) * ((x - lower) / (upper - lower)).clamp(0.0, 1.0)
            }
            (None, _) => self.places[0],
            (Some(below), None) => self.places[below],
        }
    }
}

/// Rows whose values are replaced while they are read.
#[derive(Debug)]
struct Placed {
    points: Points,
    ranks: Ranks,
}

impl Table for Placed {
    fn rows(&self) -> usize {
        self.points.len()
    }

    fn dim(&self) -> usize {
        self.points.dim()
    }

    fn contiguous(&self) -> Option<&[f64]> {
        None
    }

    fn read(&self, first: usize, out: &mut [f64]) {
        self.points.read(first, out);
        for row in out.chunks_exact_mut(self.points.dim()) {
            for (x, places) in row.iter_mut().zip(self.ranks.0.iter()) {
                if let Some(places) = places {
                    *x = places.of_value(*x);
                }
            }
        }
    }
}
