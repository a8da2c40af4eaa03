//! Tiles between sparse rows: only columns in which both rows have a number are looked at.
//!
//! Every entry is a sum over these columns in their order, so its bits depend on its two rows
//! alone. `‖x − z‖² = ‖x‖² + ‖z‖² − 2x·z`, and `Σ|xₐ − zₐ| = Σ|xₐ| + Σ|zₐ| − 2Σ min(|xₐ|, |zₐ|)`
//! over the columns in which both have the same sign; what cancels to below a thousandth of its
//! terms is summed again directly, so that equal rows are exactly 0 apart.

use super::geometry::Geometry;
use crate::linalg::rows::sparse::{ByColumn, SparseRows, over_cells};

/// Below this fraction of its terms a distance is computed again, directly.
const NEAR: f64 = 1e-3;

/// Some rows, ready to be compared with others.
#[derive(Debug, Clone)]
pub(super) struct SparseBlock {
    rows: SparseRows,
    by_column: ByColumn,
    /// ‖x‖² or Σ|xₐ| where a distance needs it.
    sizes: Vec<f64>,
}

impl SparseBlock {
    /// Takes rows as they are.
    pub(super) fn new(geometry: Geometry, mut rows: SparseRows) -> Self {
        let count = rows.count();
        if geometry == Geometry::Cosine {
            rows = rows.of_unit_length();
        }
        let sums = |f: fn(&f64) -> f64| {
            let row = |i| rows.row(i).1.iter().map(f).sum();
            (0..count).map(row).collect()
        };
        let sizes = match geometry {
            Geometry::SquaredDistance => sums(|v| v * v),
            Geometry::Manhattan => sums(|v| v.abs()),
            Geometry::InnerProduct | Geometry::Cosine => Vec::new(),
        };
        Self {
            by_column: ByColumn::new(&rows, 0..count),
            rows,
            sizes,
        }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.count()
    }

    /// Fills `tile`, row-major, with `t` of each of these rows against each of the others.
    pub(super) fn tile(&self, geometry: Geometry, others: &Self, tile: &mut [f64]) {
        let width = others.len();
        match geometry {
            Geometry::InnerProduct => self.products(others, tile),
            Geometry::Cosine => {
                self.products(others, tile);
                tile.iter_mut().for_each(|t| *t = t.clamp(-1.0, 1.0));
            }
            Geometry::SquaredDistance => {
                self.products(others, tile);
                self.distances(others, tile, |x, z| (x - z) * (x - z));
            }
            Geometry::Manhattan => {
                let shared = |x: f64, z: f64| {
                    if (x > 0.0) == (z > 0.0) {
                        x.abs().min(z.abs())
                    } else {
                        0.0
                    }
                };
                self.by_column
                    .sums_over_shared(&others.by_column, tile, width, shared);
                self.distances(others, tile, |x, z| (x - z).abs());
            }
        }
    }

    fn products(&self, others: &Self, tile: &mut [f64]) {
        let width = others.len();
        self.by_column
            .sums_over_shared(&others.by_column, tile, width, |x, z| x * z);
    }

    /// Distances from what two rows share; near ones are summed directly.
    fn distances(&self, others: &Self, tile: &mut [f64], direct: impl Fn(f64, f64) -> f64 + Copy) {
        let strips = tile.chunks_exact_mut(others.len().max(1));
        for ((i, own), strip) in self.sizes.iter().enumerate().zip(strips) {
            for ((j, other), t) in others.sizes.iter().enumerate().zip(strip) {
                let terms = own + other;
                let distance = terms - 2.0 * *t;
                *t = if distance < NEAR * terms {
                    over_cells(self.rows.row(i), others.rows.row(j), direct)
                } else {
                    distance
                };
            }
        }
    }
}
