//! Cover: k-centre by farthest-first in the spectral embedding, the start without labels.
//!
//! Rows are compared by direction, `f̂ = f̃/‖f̃‖`, as in spectral clustering: the distance
//! `‖f̂_x − f̂_l‖` to the nearest labelled row is the score, 0 to 2. A component that no
//! label reaches comes before every distance, the largest first and its most central row,
//! as long as it holds a tenth of the rows that fall to one label, `N/(10(n + 1))`; smaller
//! ones come when nothing else is left. Without components all rows are one.

use super::design::{TILE, dot};
use super::ledger::Ledger;
use crate::error::Result;
use crate::linalg::tiles;
use crate::monitor::Monitor;

/// The largest distance of two directions is 2: unreached components lie above it.
const ABOVE: f64 = 2.0;

/// The part of a label's share of the rows that a component must hold to come first.
const PART: f64 = 0.1;

/// The nearest labelled row of each row, and the components that have one.
pub(super) struct Cover {
    /// The largest `f̂_x·f̂_l`; −1 before any.
    nearest: Vec<f64>,
    reached: Vec<bool>,
    centres: usize,
}

impl Cover {
    /// From the labels of a ledger, `O(Nmn)`.
    pub(super) fn new(ledger: &Ledger, monitor: &mut dyn Monitor) -> Result<Self> {
        let mut cover = Self {
            nearest: vec![-1.0; ledger.len()],
            reached: vec![false; ledger.design().sizes().len().max(1)],
            centres: 0,
        };
        let rows: Vec<usize> = ledger.labelled().collect();
        cover.add(ledger, &rows, monitor)?;
        Ok(cover)
    }

    /// More labelled rows, `O(Nm)` each; F is read once for all of them.
    pub(super) fn add(
        &mut self,
        ledger: &Ledger,
        rows: &[usize],
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let design = ledger.design();
        let mut centres: Vec<Centre> = Vec::with_capacity(rows.len());
        for &row in rows {
            self.reached[component(ledger, row)] = true;
            self.centres += 1;
            let size = design.prior()[row].sqrt();
            if size > 0.0 {
                let direction: Vec<f64> = design.row(row).iter().map(|v| v / size).collect();
                centres.push(Centre {
                    dense: design.linear(&direction).dense,
                    level: design.level(row).map(|(c, e)| (c, e / size)),
                });
            }
        }
        let work = self.nearest.chunks_mut(TILE).enumerate().collect();
        tiles::sweep(
            "distances to labelled rows",
            work,
            monitor,
            |(at, nearest): (usize, &mut [f64])| {
                let (stride, rows, component, entry) = design.tile(at);
                for (k, (near, row)) in (nearest.iter_mut())
                    .zip(rows.chunks_exact(stride))
                    .enumerate()
                {
                    let size = design.prior()[at * TILE + k].sqrt();
                    for centre in &centres {
                        let mut inner = dot(row, &centre.dense);
                        if let (Some(c), Some(e), Some(own)) =
                            (component.get(k), entry.get(k), centre.level)
                            && own.0 == *c as usize
                        {
                            inner += e * own.1;
                        }
                        // A row without features is like every other, never far away.
                        *near = near.max(if size > 0.0 { inner / size } else { 1.0 });
                    }
                }
                Ok(())
            },
        )
    }

    /// The score of every row.
    pub(super) fn scores(&self, ledger: &Ledger) -> Vec<f64> {
        let n = ledger.len();
        let mut out: Vec<f64> = (0..n)
            .map(|i| {
                if self.reached[component(ledger, i)] {
                    (2.0 - 2.0 * self.nearest[i]).max(0.0).sqrt()
                } else {
                    0.0
                }
            })
            .collect();
        if self.reached.iter().all(|r| *r) {
            return out;
        }
        let least = least(n, self.centres);
        for (c, centre) in central(ledger).into_iter().enumerate() {
            let Some(row) = centre.filter(|_| !self.reached[c]) else {
                continue;
            };
            let size = ledger.design().sizes().get(c).copied().unwrap_or(n) as f64;
            out[row] = if size >= least {
                ABOVE + size / n as f64
            } else {
                1e-9 * size / n as f64
            };
        }
        out
    }

    /// The rows of a component that no label reaches, if row i is its first.
    pub(super) fn unreached(&self, ledger: &Ledger, i: usize) -> Option<usize> {
        let c = component(ledger, i);
        let size = ledger.design().sizes().get(c).copied();
        (!self.reached[c]).then(|| size.unwrap_or(ledger.len()))
    }
}

/// The rows a component must have to be worth one of the next labels.
fn least(rows: usize, labels: usize) -> f64 {
    PART * rows as f64 / (labels + 1) as f64
}

/// Whether each row lies in a component that a label reaches or that is worth one.
pub(super) fn worth(ledger: &Ledger) -> Vec<bool> {
    let sizes = ledger.design().sizes();
    let least = least(ledger.len(), ledger.count());
    let mut worth: Vec<bool> = sizes.iter().map(|size| *size as f64 >= least).collect();
    for row in ledger.labelled() {
        if let Some((c, _)) = ledger.design().level(row) {
            worth[c] = true;
        }
    }
    let of = |i: usize| ledger.design().level(i).is_none_or(|(c, _)| worth[c]);
    (0..ledger.len()).map(of).collect()
}

/// The direction of a labelled row: its features, and its component's constant.
struct Centre {
    dense: Vec<f64>,
    level: Option<(usize, f64)>,
}

fn component(ledger: &Ledger, i: usize) -> usize {
    ledger.design().level(i).map_or(0, |(c, _)| c)
}

/// The row of each component nearest its mean direction, the first of equal ones; rows
/// with a label or without features only where there is no other.
fn central(ledger: &Ledger) -> Vec<Option<usize>> {
    let design = ledger.design();
    let (m, parts) = (design.width(), design.sizes().len().max(1));
    let mut means = vec![0.0; parts * (m + 1)];
    let size = |i: usize| design.prior()[i].sqrt();
    for i in (0..design.len()).filter(|&i| size(i) > 0.0) {
        let mean = &mut means[component(ledger, i) * (m + 1)..][..m + 1];
        mean.iter_mut()
            .zip(design.row(i))
            .for_each(|(s, v)| *s += v / size(i));
        mean[m] += design.level(i).map_or(0.0, |(_, e)| e / size(i));
    }
    let mut best: Vec<Option<(f64, usize)>> = vec![None; parts];
    for i in (0..design.len()).filter(|&i| !ledger.has(i)) {
        let c = component(ledger, i);
        let mean = &means[c * (m + 1)..][..m + 1];
        let level = design.level(i).map_or(0.0, |(_, e)| e * mean[m]);
        let inner = match size(i) {
            s if s > 0.0 => (dot(design.row(i), &mean[..m]) + level) / s,
            _ => f64::NEG_INFINITY,
        };
        if best[c].is_none_or(|(b, _)| inner > b) {
            best[c] = Some((inner, i));
        }
    }
    best.into_iter().map(|b| b.map(|(_, i)| i)).collect()
}
