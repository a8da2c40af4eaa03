//! F row by row, with the constants of components beside it, and forms of it.
//!
//! A row is `f̃ = (f, e at its component's place)`: m dense features and one entry in the
//! constant of its own component. Linear and quadratic forms of f̃ are therefore m dense
//! numbers (m × m) and one number (m + 1) a component.

use std::sync::OnceLock;

use crate::error::Result;
use crate::estimator::Prior;
use crate::linalg::gemm::{self, Write};
use crate::linalg::{Block, Mat, MatMut, MatRef, tiles};
use crate::monitor::Monitor;

/// Rows of one tile of a pass.
pub(super) const TILE: usize = 2048;

/// Rows multiplied together in a quadratic form.
const PANEL: usize = 256;

/// The rows, their number, and sums over them.
pub(super) struct Design {
    features: Block,
    component: Vec<u32>,
    entry: Vec<f64>,
    sizes: Vec<usize>,
    prior: Vec<f64>,
    moments: OnceLock<RowSums>,
}

/// Sums over all rows.
pub(super) struct RowSums {
    /// `Σ f fᵀ`, m × m.
    pub(super) square: Mat<f64>,
    /// `Σ f`.
    pub(super) sum: Vec<f64>,
    /// `Σ_C e f`, one row a component.
    pub(super) mixed: Vec<f64>,
    /// `Σ_C e²`.
    pub(super) own: Vec<f64>,
    /// `Σ_C e`.
    pub(super) total: Vec<f64>,
}

/// `w·f + g_C e`.
pub(super) struct Linear {
    /// w, padded as rows are.
    pub(super) dense: Vec<f64>,
    /// g, one a component.
    pub(super) own: Vec<f64>,
}

/// `fᵀQf + 2e q_C·f + o_C e²`.
pub(super) struct Quadratic {
    /// Q, m × m, symmetric.
    pub(super) dense: Mat<f64>,
    /// q, one row a component.
    pub(super) mixed: Vec<f64>,
    /// o.
    pub(super) own: Vec<f64>,
}

impl Design {
    pub(super) fn new(prior: &Prior) -> Result<Self> {
        let (component, entry) = match prior.level() {
            Some(level) => (level.component.clone(), level.entry.clone()),
            None => (Vec::new(), Vec::new()),
        };
        let count = component.iter().max().map_or(0, |c| *c as usize + 1);
        let mut sizes = vec![0; count];
        component.iter().for_each(|&c| sizes[c as usize] += 1);
        let features = Block::copy_of(prior.features())?;
        let square = |i: usize| features.row(i).iter().map(|v| v * v).sum::<f64>();
        let level = |i: usize| entry.get(i).map_or(0.0, |e| e * e);
        Ok(Self {
            prior: (0..prior.len()).map(|i| square(i) + level(i)).collect(),
            features,
            component,
            entry,
            sizes,
            moments: OnceLock::new(),
        })
    }

    /// N.
    pub(super) fn len(&self) -> usize {
        self.features.rows()
    }

    /// m.
    pub(super) fn width(&self) -> usize {
        self.features.cols()
    }

    /// Rows of each component; empty where components are not known.
    pub(super) fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// f of row i.
    pub(super) fn row(&self, i: usize) -> &[f64] {
        self.features.row(i)
    }

    /// The component of row i and its entry, where components are known.
    pub(super) fn level(&self, i: usize) -> Option<(usize, f64)> {
        let component = *self.component.get(i)?;
        Some((component as usize, self.entry[i]))
    }

    /// `‖f̃‖²`, the prior variance of each row.
    pub(super) fn prior(&self) -> &[f64] {
        &self.prior
    }

    /// Features and levels of the rows of a tile: `(stride, rows, components, entries)`.
    pub(super) fn tile(&self, at: usize) -> (usize, &[f64], &[u32], &[f64]) {
        let stride = self.features.stride();
        let (from, to) = (at * TILE, ((at + 1) * TILE).min(self.len()));
        let rows = &self.features.as_slice()[from * stride..to * stride];
        if self.component.is_empty() {
            (stride, rows, &[], &[])
        } else {
            (
                stride,
                rows,
                &self.component[from..to],
                &self.entry[from..to],
            )
        }
    }

    /// A linear form with these dense numbers.
    pub(super) fn linear(&self, dense: &[f64]) -> Linear {
        let mut padded = vec![0.0; self.features.stride()];
        padded[..dense.len()].copy_from_slice(dense);
        Linear {
            dense: padded,
            own: vec![0.0; self.sizes.len()],
        }
    }

    /// A linear form at every row.
    pub(super) fn at_rows(
        &self,
        phase: &'static str,
        form: &Linear,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<f64>> {
        let mut out = vec![0.0; self.len()];
        let work = out.chunks_mut(TILE).enumerate().collect();
        tiles::sweep(phase, work, monitor, |(at, out): (usize, &mut [f64])| {
            let (stride, rows, component, entry) = self.tile(at);
            for (k, (out, row)) in out.iter_mut().zip(rows.chunks_exact(stride)).enumerate() {
                *out = dot(row, &form.dense);
                if let (Some(c), Some(e)) = (component.get(k), entry.get(k)) {
                    *out += e * form.own[*c as usize];
                }
            }
            Ok(())
        })?;
        Ok(out)
    }

    /// A quadratic form at every row: `O(Nm²)` by products of tiles.
    pub(super) fn quadratic_at_rows(
        &self,
        phase: &'static str,
        form: &Quadratic,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<f64>> {
        let m = self.width();
        let mut out = vec![0.0; self.len()];
        let work = out.chunks_mut(TILE).enumerate().collect();
        tiles::sweep(phase, work, monitor, |(at, out): (usize, &mut [f64])| {
            let (stride, rows, component, entry) = self.tile(at);
            let mut image = vec![0.0; PANEL * m];
            for (p, rows) in rows.chunks(PANEL * stride).enumerate() {
                let count = rows.len() / stride;
                if m > 0 {
                    gemm::product(
                        MatMut::from_row_major_slice_mut(&mut image[..count * m], count, m),
                        Write::Replace,
                        MatRef::from_row_major_slice_with_stride(rows, count, m, stride),
                        form.dense.as_ref(),
                        1.0,
                    );
                }
                for (k, row) in rows.chunks_exact(stride).enumerate() {
                    let i = p * PANEL + k;
                    let mut value = dot(&row[..m], &image[k * m..(k + 1) * m]);
                    if let (Some(c), Some(e)) = (component.get(i), entry.get(i)) {
                        let c = *c as usize;
                        let mixed = &form.mixed[c * m..(c + 1) * m];
                        value += e * (2.0 * dot(&row[..m], mixed) + e * form.own[c]);
                    }
                    out[i] = value;
                }
            }
            Ok(())
        })?;
        Ok(out)
    }

    /// Sums over all rows, made once. `O(Nm²)`.
    pub(super) fn moments(&self, monitor: &mut dyn Monitor) -> Result<&RowSums> {
        if let Some(moments) = self.moments.get() {
            return Ok(moments);
        }
        let (m, parts) = (self.width(), self.sizes.len());
        let mut moments = RowSums {
            square: Mat::zeros(m, m),
            sum: vec![0.0; m],
            mixed: vec![0.0; parts * m],
            own: vec![0.0; parts],
            total: vec![0.0; parts],
        };
        tiles::map_fold(
            "moments of the features",
            self.len().div_ceil(TILE),
            monitor,
            |at| {
                let (stride, rows, ..) = self.tile(at);
                let count = rows.len() / stride;
                let rows = MatRef::from_row_major_slice_with_stride(rows, count, m, stride);
                Ok(gemm::times(rows.transpose(), rows))
            },
            |part| {
                moments.square += part;
                Ok(())
            },
        )?;
        for i in 0..self.len() {
            let row = self.row(i);
            moments.sum.iter_mut().zip(row).for_each(|(s, v)| *s += v);
            if let Some((c, e)) = self.level(i) {
                let mixed = &mut moments.mixed[c * m..(c + 1) * m];
                mixed.iter_mut().zip(row).for_each(|(s, v)| *s += e * v);
                moments.own[c] += e * e;
                moments.total[c] += e;
            }
        }
        Ok(self.moments.get_or_init(|| moments))
    }
}

/// `a·b` in eight running sums, so that it is one order on every machine.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = (a8.remainder().iter().zip(b8.remainder()))
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in a8.zip(b8) {
        for k in 0..8 {
            sums[k] += a[k] * b[k];
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h)) + rest
}
