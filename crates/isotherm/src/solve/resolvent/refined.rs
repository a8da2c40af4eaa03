//! Conjugate gradients in single precision, kept honest by residuals in double.
//!
//! The recurrence runs on f32 panels. What it loses is bounded as it goes: one
//! step's rounding is about `ε(2α‖p‖ + ‖r‖ + 2‖x‖)`. Before the sum of that is a
//! tenth of the residual, the step so far is added to the f64 solution, the
//! residual is recomputed in f64, and the iteration goes on with its direction:
//! no restart, so convergence stays superlinear.
//!
//! H. A. van der Vorst and Q. Ye, *Residual replacement strategies for Krylov
//! subspace iterative methods*, SIAM J. Sci. Comput. 22 (2000).

use super::passes::{Single, descend, take};
use crate::error::Result;
use crate::linalg::Block;
use crate::linalg::panel::{Panel, padded};
use crate::monitor::Monitor;
use crate::operator::Modes;
use crate::solve::conjugate_gradient::{KEPT, condition};
use crate::solve::{Finished, Iteration};

/// Half a unit in the last place of 1 in single precision.
const EPSILON: f64 = f32::EPSILON as f64 / 2.0;

/// The share of the residual that rounding may have before it is recomputed.
const DRIFT: f64 = 0.1;

/// Recomputed residuals in a row without halving the best before single
/// precision is given up.
const PATIENCE: usize = 8;

/// One column's numbers; residuals are in units of the right-hand side's norm.
#[derive(Clone)]
struct Column {
    /// Its place in the blocks.
    place: usize,
    /// ‖b‖.
    scale: f64,
    /// ⟨r, r⟩.
    rho: f64,
    /// ‖p‖².
    direction: f64,
    /// A bound of ‖x‖ since the last truth.
    length: f64,
    /// What rounding may have done to r since then, squared.
    drift: f64,
    done: bool,
}

/// The iteration on some columns; blocks hold all columns.
pub(super) struct Refined<'a> {
    system: &'a Single<'a>,
    /// What neither right-hand side nor solution hold.
    modes: Option<&'a Modes>,
    tolerance: f64,
    rhs: &'a Block,
    solution: Block,
    range: std::ops::Range<usize>,
    columns: Vec<Column>,
    r: Panel,
    g: Panel,
    q: Panel,
    z: Panel,
    /// Residuals of columns that left, squared, and the last true ones.
    truth: Vec<f64>,
    settled: bool,
    best: f64,
    without: usize,
    lanczos: Vec<(f64, f64)>,
}

impl<'a> Refined<'a> {
    /// Starts on a range of columns, where the solution given is zero; `sizes` are
    /// what residuals are relative to, squared.
    ///
    /// # Errors
    /// [`crate::Error::Memory`] when the panels cannot be had.
    pub(super) fn new(
        system: &'a Single<'a>,
        modes: Option<&'a Modes>,
        rhs: &'a Block,
        sizes: &[f64],
        start: (Block, std::ops::Range<usize>),
        tolerance: f64,
    ) -> Result<Self> {
        let (solution, range) = start;
        let (n, cols) = (system.len(), range.len());
        let scales: Vec<f64> = (sizes[range.clone()].iter())
            .map(|size| if *size > 0.0 { size.sqrt() } else { 1.0 })
            .collect();
        let mut r = Panel::zeros(n, cols)?;
        let rho = take(rhs, range.clone(), &scales, &mut r);
        let mut g = Panel::zeros(n, cols)?;
        system.aim(&mut g, &r);
        let columns = (range.clone().zip(&scales).zip(&rho))
            .map(|((place, &scale), &rho)| Column {
                place,
                scale,
                rho,
                direction: rho,
                length: 0.0,
                drift: 0.0,
                done: rho.sqrt() <= tolerance,
            })
            .collect();
        Ok(Self {
            system,
            modes,
            tolerance,
            rhs,
            solution,
            range,
            columns,
            r,
            g,
            q: Panel::zeros(n, cols)?,
            z: Panel::zeros(n, cols)?,
            truth: rho,
            settled: true,
            best: f64::INFINITY,
            without: 0,
            lanczos: Vec::new(),
        })
    }

    /// Adds the step so far, `z + αg`, to the solution, takes out what rounding
    /// put into the modes, and recomputes the residual.
    fn settle(&mut self, alpha: &[f32], monitor: &mut dyn Monitor) -> Result<()> {
        let places: Vec<usize> = self.columns.iter().map(|c| c.place).collect();
        let scales: Vec<f64> = self.columns.iter().map(|c| c.scale).collect();
        let step = (&mut self.z, &self.g, alpha);
        self.system
            .settle(&mut self.solution, &places, &scales, step);
        if let Some(modes) = self.modes {
            let (first, cols) = (self.range.start, self.range.len());
            modes.remove(self.solution.as_mat_mut().subcols_mut(first, cols));
        }
        let data = (self.rhs, &self.solution);
        let (r, q) = (&mut self.r, &mut self.q);
        let left = (self.system).truth(data, &places, &scales, r, q, monitor)?;
        for (column, left) in self.columns.iter_mut().zip(left) {
            column.rho = left / (column.scale * column.scale);
            column.done = column.rho.sqrt() <= self.tolerance;
            column.length = 0.0;
            column.drift = 0.0;
            self.truth[column.place - self.range.start] = column.rho;
        }
        self.settled = true;
        Ok(())
    }

    fn worst(&self) -> f64 {
        let known = self.truth.iter().copied().fold(0.0, f64::max);
        if self.settled {
            return known.sqrt();
        }
        let rho = self.columns.iter().map(|c| c.rho).fold(0.0, f64::max);
        rho.sqrt().max(self.tolerance * (1.0 + 1e-9))
    }

    /// Lets finished columns go once that makes the panels narrower.
    fn narrow(&mut self) -> Result<()> {
        let keep: Vec<usize> = (0..self.columns.len())
            .filter(|&slot| !self.columns[slot].done)
            .collect();
        let width = self.r.stride();
        if keep.is_empty() || padded(keep.len()) >= width {
            return Ok(());
        }
        let n = self.system.len();
        for panel in [&mut self.r, &mut self.g] {
            let mut narrow = Panel::zeros(n, keep.len())?;
            let stride = narrow.stride();
            let rows = narrow.as_slice_mut().chunks_mut(stride);
            for (to, from) in rows.zip(panel.as_slice().chunks(width)) {
                for (slot, &k) in to.iter_mut().zip(&keep) {
                    *slot = from[k];
                }
            }
            *panel = narrow;
        }
        self.q = Panel::zeros(n, keep.len())?;
        self.z = Panel::zeros(n, keep.len())?;
        self.columns = keep.iter().map(|&k| self.columns[k].clone()).collect();
        Ok(())
    }
}

impl Iteration for Refined<'_> {
    const NAME: &'static str = "conjugate gradients";

    /// A residual of zero means that single precision gets no further; the true
    /// one is told at the end.
    fn step(&mut self, monitor: &mut dyn Monitor) -> Result<f64> {
        if self.columns.iter().all(|c| c.done) {
            return Ok(self.worst());
        }
        let curvature = self.system.product(&self.g, &mut self.q, monitor)?; // q ← A p
        let mut alpha = vec![0.0; self.columns.len()];
        for ((alpha, column), curvature) in alpha.iter_mut().zip(&self.columns).zip(curvature) {
            if column.done {
                continue;
            }
            let positive = |v: f64| v > 0.0 && v.is_finite();
            if !positive(curvature) || !positive(column.rho) {
                return Ok(0.0);
            }
            *alpha = (column.rho / curvature) as f32; // α = ⟨r, r⟩ / ⟨p, Ap⟩
        }
        let left = descend(&mut self.r, &self.q, &alpha); // r ← r − α A p
        self.settled = false;
        let mut old = Vec::with_capacity(self.columns.len());
        let (mut drifted, mut reached) = (false, true);
        for ((column, &alpha), left) in self.columns.iter_mut().zip(&alpha).zip(left) {
            old.push(column.rho);
            if column.done {
                continue;
            }
            let step = f64::from(alpha) * column.direction.sqrt();
            column.length += step;
            let rounding = EPSILON * (2.0 * step + column.rho.sqrt() + 2.0 * column.length);
            column.drift += rounding * rounding;
            column.rho = left;
            drifted |= column.drift > DRIFT * DRIFT * left;
            reached &= (left + column.drift).sqrt() <= self.tolerance;
        }
        let settle = drifted || reached;
        if settle {
            self.settle(&alpha, monitor)?; // x ← x + α p, r ← b − A x
        }
        let mut beta = vec![0.0; self.columns.len()];
        for (slot, column) in self.columns.iter_mut().enumerate() {
            if alpha[slot] == 0.0 {
                continue;
            }
            let ratio = column.rho / old[slot]; // β = ⟨r', r'⟩ / ⟨r, r⟩
            column.direction = column.rho + ratio * ratio * column.direction;
            beta[slot] = ratio as f32;
            if slot == 0 && self.lanczos.len() < KEPT {
                self.lanczos.push((f64::from(alpha[slot]), ratio));
            }
        }
        // What is settled is in the solution already.
        let moved = if settle {
            vec![0.0; alpha.len()]
        } else {
            alpha
        };
        (self.system).turn(&mut self.z, &mut self.g, &self.r, &moved, &beta); // x, p ← r + β p
        if settle {
            let worst = self.worst();
            self.without = if worst <= 0.5 * self.best {
                0
            } else {
                self.without + 1
            };
            self.best = self.best.min(worst);
            if self.without >= PATIENCE {
                return Ok(0.0);
            }
            self.narrow()?;
        }
        Ok(self.worst())
    }

    fn finish(mut self, monitor: &mut dyn Monitor) -> Result<Finished> {
        if !self.settled {
            let nothing = vec![0.0; self.columns.len()];
            self.settle(&nothing, monitor)?;
        }
        Ok(Finished {
            residual: self.worst(),
            condition: condition(&self.lanczos),
            solution: self.solution,
        })
    }
}
