//! The functions `k_z` of p landmarks z: the Nyström basis.  [KLAP §3.2, Alg. 1]

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Features, Form, ROWS};
use crate::data::{Fingerprint, Points};
use crate::error::Result;
use crate::kernel::{Geometry, SmoothKernel};
use crate::linalg::pairwise::{Anchors, PANEL, Queries};
use crate::linalg::rows::{Rows, runs};
use crate::linalg::{Mat, MatRef, Precision};
use crate::monitor::Monitor;

/// `φⱼ = k(·, zⱼ)`.
#[derive(Debug, Clone)]
pub struct Landmarks {
    points: Arc<Points>,
    kernel: Arc<dyn SmoothKernel>,
    anchors: Anchors<Arc<Points>>,
    /// R_zz, or the inner products of the landmarks.
    mutual: Mat<f64>,
}

impl Landmarks {
    /// The landmarks under a kernel with a gradient. O(p²d).
    pub fn new(points: Arc<Points>, kernel: Arc<dyn SmoothKernel>) -> Self {
        // They are few and read for every row.
        let points = if points.contiguous().is_some() || points.is_sparse() {
            points
        } else {
            Arc::new(points.gathered())
        };
        let anchors = Anchors::over(kernel.geometry(), points.clone());
        let mut landmarks = Self {
            mutual: Mat::zeros(0, 0),
            points,
            kernel,
            anchors,
        };
        landmarks.mutual = landmarks.pairs();
        landmarks
    }

    /// The landmarks.
    pub fn points(&self) -> &Arc<Points> {
        &self.points
    }

    /// The kernel.
    pub fn kernel(&self) -> &Arc<dyn SmoothKernel> {
        &self.kernel
    }

    /// `t` between all landmarks.
    fn pairs(&self) -> Mat<f64> {
        let p = self.points.len();
        let mut mutual = vec![0.0; p * p];
        let blocks: Vec<_> = runs(p, ROWS).zip(mutual.chunks_mut(ROWS * p)).collect();
        blocks.into_par_iter().for_each(|(rows, out)| {
            self.each(
                self.anchors.load_from(&*self.points, rows),
                Precision::Double,
                |start, tile, count| {
                    let width = tile.len() / count;
                    for (row, out) in tile.chunks_exact(width).zip(out.chunks_exact_mut(p)) {
                        out[start..start + width].copy_from_slice(row);
                    }
                },
            );
        });
        // Rounding must not make a distance depend on its direction.
        let mutual = MatRef::from_row_major_slice(&mutual, p, p);
        Mat::from_fn(p, p, |i, j| 0.5 * (mutual[(i, j)] + mutual[(j, i)]))
    }

    /// Each panel's first landmark, its tile of `t`, and the number of rows.
    fn each(
        &self,
        queries: Queries<'_>,
        precision: Precision,
        mut take: impl FnMut(usize, &mut [f64], usize),
    ) {
        let mut scratch = vec![0.0; queries.len() * PANEL.min(self.points.len())];
        for panel in 0..self.anchors.panels() {
            let tile = self
                .anchors
                .tile_in(precision, &queries, panel, &mut scratch);
            take(self.anchors.panel(panel).start, tile, queries.len());
        }
    }
}

impl Features for Landmarks {
    fn len(&self) -> usize {
        self.points.len()
    }

    fn dim(&self) -> usize {
        self.points.dim()
    }

    fn gram(&self, _: &mut dyn Monitor) -> Result<Mat<f64>> {
        let p = self.points.len();
        let mut values: Vec<f64> = (0..p * p).map(|k| self.mutual[(k / p, k % p)]).collect();
        self.kernel.value(&mut values);
        Ok(MatRef::from_row_major_slice(&values, p, p).to_owned())
    }

    fn values(&self, rows: &[f64], out: &mut [f64]) {
        self.values_at(self.anchors.load(rows), out);
    }

    fn values_of(&self, (table, rows): (&dyn Rows, Range<usize>), out: &mut [f64]) {
        self.values_at(self.anchors.load_from(table, rows), out);
    }

    /// ∂ₐk(x, z) = 2k′(R)·(x − z)ₐ, or k′(x·z)·zₐ.
    fn gradients(&self, rows: &[f64], out: &mut [f64]) {
        let (p, d) = (self.points.len(), self.points.dim());
        let distance = self.kernel.geometry() == Geometry::SquaredDistance;
        let mut slope = vec![0.0; ROWS * PANEL];
        let queries = self.anchors.load(rows);
        self.each(queries, Precision::Double, |start, tile, count| {
            let width = tile.len() / count;
            let slope = &mut slope[..tile.len()];
            self.kernel.value_and_slope(tile, slope);
            let anchors = self.points.tile(start..start + width);
            for (i, slope) in slope.chunks_exact(width).enumerate() {
                let x = &rows[i * d..(i + 1) * d];
                for (j, (g, z)) in slope.iter().zip(anchors.chunks_exact(d)).enumerate() {
                    for a in 0..d {
                        let along = if distance { 2.0 * (x[a] - z[a]) } else { z[a] };
                        out[(i * d + a) * p + start + j] = g * along;
                    }
                }
            }
        });
    }

    fn fingerprint(&self) -> u64 {
        let of = Fingerprint::new("landmarks")
            .text(&format!("{:?}", self.kernel))
            .number(self.points.dim() as u64);
        match self.points.as_sparse() {
            Some(rows) => {
                let places = rows.starts().iter().map(|start| *start as u64);
                let places = places.chain(rows.columns().iter().map(|c| u64::from(*c)));
                places.fold(of, Fingerprint::number).floats(rows.values())
            }
            None => of.floats(&self.points.tile(0..self.points.len())),
        }
        .value()
    }

    fn form(&self) -> Form<'_> {
        match self.kernel.geometry() {
            Geometry::SquaredDistance => Form::Distances(&self.mutual),
            // No kernel with a gradient is of another geometry.
            _ => Form::Directions(&self.mutual),
        }
    }

    fn factors(
        &self,
        rows: &[f64],
        values: &mut [f64],
        first: &mut [f64],
        second: &mut [f64],
        precision: Precision,
    ) {
        let queries = self.anchors.load(rows);
        self.factors_at(queries, [values, first, second], precision);
    }

    fn factors_of(
        &self,
        (table, rows): (&dyn Rows, Range<usize>),
        tables: [&mut [f64]; 3],
        precision: Precision,
    ) {
        self.factors_at(self.anchors.load_from(table, rows), tables, precision);
    }
}

impl Landmarks {
    fn values_at(&self, queries: Queries<'_>, out: &mut [f64]) {
        let p = self.points.len();
        self.each(queries, Precision::Double, |start, tile, count| {
            self.kernel.value(tile);
            let width = tile.len() / count;
            for (row, out) in tile.chunks_exact(width).zip(out.chunks_exact_mut(p)) {
                out[start..start + width].copy_from_slice(row);
            }
        });
    }

    fn factors_at(
        &self,
        queries: Queries<'_>,
        [values, first, second]: [&mut [f64]; 3],
        precision: Precision,
    ) {
        let p = self.points.len();
        let distance = self.kernel.geometry() == Geometry::SquaredDistance;
        let mut slope = vec![0.0; ROWS * PANEL.min(p)];
        let mut squares = vec![0.0; if distance { ROWS * PANEL.min(p) } else { 0 }];
        self.each(queries, precision, |start, tile, count| {
            let width = tile.len() / count;
            let slope = &mut slope[..tile.len()];
            if distance {
                squares[..tile.len()].copy_from_slice(tile);
            }
            self.kernel.value_and_slope(tile, slope);
            for i in 0..count {
                let (from, to) = (i * width, i * p + start);
                values[to..to + width].copy_from_slice(&tile[from..from + width]);
                let g = &slope[from..from + width];
                let first = &mut first[to..to + width];
                if distance {
                    let second = &mut second[to..to + width];
                    let squares = &squares[from..from + width];
                    for k in 0..width {
                        first[k] = 2.0 * g[k];
                        second[k] = first[k] * squares[k];
                    }
                } else {
                    first.copy_from_slice(g);
                }
            }
        });
    }
}
