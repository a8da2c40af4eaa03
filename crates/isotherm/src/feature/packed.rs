//! Moments laid out flat, for somebody who writes them down or sends them.

use super::Form;
use super::moments::{BasisMoments, PANEL, Seen, Wanted};
use super::sums::Sums;
use crate::data::{Points, Ranges};
use crate::error::{Error, Refusal, Result};
use crate::linalg::Precision;

/// Moments laid out flat. The basis is not in here.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct MomentsParts {
    /// The rows seen, as `(first, one past the last)`.
    pub ranges: Vec<(usize, usize)>,
    /// Rows of panels that are not complete, with the number of the first, ascending.
    pub waiting: Vec<(usize, Vec<f64>)>,
    /// The sums, once there are some: of values, `ΦᵀΦ`, `gᵀg` and `(g∘R)ᵀg`, each with what
    /// rounding lost; of symmetric ones the lower triangle, by columns.
    pub sums: Option<Vec<f64>>,
    /// In single precision: tiles looked at, the largest error, the sum of the errors.
    pub off: Option<(usize, f64, Vec<f64>)>,
}

impl BasisMoments {
    /// Laid out flat.
    pub(crate) fn to_parts(&self) -> MomentsParts {
        let mut sums = Vec::new();
        for (table, lower) in self.tables() {
            table.put(&mut sums, lower);
        }
        MomentsParts {
            ranges: self.ranges.as_slice().to_vec(),
            waiting: self.waiting.iter().map(|(i, r)| (*i, r.clone())).collect(),
            sums: self.summed.then_some(sums),
            off: self.off.as_ref().map(|seen| {
                let mut off = Vec::new();
                seen.off.put(&mut off, false);
                (seen.tiles, seen.worst, off)
            }),
        }
    }

    /// Nothing seen yet, and then these parts; nothing of them believed.
    ///
    /// # Errors
    /// [`Error::Refused`] for parts that sums over this basis cannot have.
    pub(crate) fn with_parts(mut self, parts: MomentsParts) -> Result<Self> {
        let d = self.features.dim();
        self.ranges = Ranges::new(&parts.ranges)?;
        let mut waiting = Ranges::default();
        for (first, rows) in parts.waiting {
            let count = rows.len() / d.max(1);
            Points::new(rows.clone(), count, d)?;
            let end = first.checked_add(count).ok_or_else(damaged)?;
            let mut seen = parts.ranges.iter();
            if first / PANEL != (end - 1) / PANEL
                || count == PANEL
                || !seen.any(|(from, to)| *from <= first && end <= *to)
            {
                return Err(damaged());
            }
            waiting.insert(first, count)?;
            self.waiting.insert(first, rows);
        }
        let panels = self.ranges.count() - waiting.count();
        self.summed = parts.sums.is_some();
        if !panels.is_multiple_of(PANEL) || self.summed != (panels > 0) {
            return Err(damaged());
        }
        if let Some(sums) = &parts.sums {
            let mut rest = sums.as_slice();
            for (table, lower) in self.tables_mut() {
                rest = table.take(rest, lower).ok_or_else(damaged)?;
            }
            if !rest.is_empty() {
                return Err(damaged());
            }
        }
        if let Some((tiles, worst, off)) = &parts.off {
            let p = self.features.len();
            let mut sums = Sums::zeros(p, p);
            let rest = sums.take(off, false).ok_or_else(damaged)?;
            let sound = rest.is_empty() && *tiles > 0 && *worst >= 0.0 && worst.is_finite();
            if !sound || !self.summed || self.precision != Precision::Single {
                return Err(damaged());
            }
            self.off = Some(Seen {
                tiles: *tiles,
                off: sums,
                worst: *worst,
            });
        }
        Ok(self)
    }

    /// The tables, and whether only the lower triangle is kept.
    fn tables(&self) -> Vec<(&Sums, bool)> {
        let mut tables = vec![(&self.mean, false)];
        if self.wanted == Wanted::Both {
            tables.push((&self.covariance, true));
        }
        tables.push((&self.first, true));
        if matches!(self.features.form(), Form::Distances(_)) {
            tables.push((&self.second, false));
        }
        tables
    }

    fn tables_mut(&mut self) -> Vec<(&mut Sums, bool)> {
        let distances = matches!(self.features.form(), Form::Distances(_));
        let mut tables = vec![(&mut self.mean, false)];
        if self.wanted == Wanted::Both {
            tables.push((&mut self.covariance, true));
        }
        tables.push((&mut self.first, true));
        if distances {
            tables.push((&mut self.second, false));
        }
        tables
    }
}

impl Sums {
    fn put(&self, out: &mut Vec<f64>, lower: bool) {
        for table in [&self.high, &self.low] {
            for j in 0..table.ncols() {
                let from = if lower { j } else { 0 };
                out.extend((from..table.nrows()).map(|i| table[(i, j)]));
            }
        }
    }

    /// Reads itself from the front; what is left, or nothing where it does not fit.
    fn take<'v>(&mut self, mut values: &'v [f64], lower: bool) -> Option<&'v [f64]> {
        for table in [&mut self.high, &mut self.low] {
            for j in 0..table.ncols() {
                let from = if lower { j } else { 0 };
                let count = table.nrows() - from;
                let column = values.get(..count)?;
                values = &values[count..];
                if column.iter().any(|v| !v.is_finite()) {
                    return None;
                }
                for (k, v) in column.iter().enumerate() {
                    table[(from + k, j)] = *v;
                }
            }
        }
        Some(values)
    }
}

fn damaged() -> Error {
    Error::refused(
        Refusal::Parts,
        "the sums do not fit the basis or their rows",
        "sum over the rows again, by the plan that is solved",
    )
}
