//! Tiles of squared distances, sums of absolute differences, inner products or cosines
//! between rows.
//!
//! [`Anchors`] prepares one side once; [`Anchors::tile`] then fills a block of
//! query rows against one panel of anchors with a single matrix product and one
//! vectorised pass. Distances are translation invariant, so both sides are
//! centred on the anchors' mean before the product, and every entry of
//! `R = ‖x‖² + ‖z‖² − 2x·z` that cancelled to below a thousandth of its terms is
//! computed again as `Σ(x − z)²` from the rows as they came: near-duplicates are
//! as exact as the direct sum, equal rows are exactly 0, and what remains has a
//! relative error of at most about `10³ √d` rounding units. Up to
//! `DIRECT_UP_TO` columns the direct sum is as fast as the product and is used
//! for every entry.
//!
//! Sizes are constants, so the bits of a tile depend on its rows alone.
//!
//! Sparse rows stay sparse, and so does what is prepared of them.

mod geometry;
mod sparse;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use faer::{MatMut, MatRef};
use pulp::Arch;
use rayon::prelude::*;

pub use self::geometry::Geometry;
use self::sparse::SparseBlock;
use super::Precision;
use super::distance::{Absolute, Direct, Finish, normalise};
use super::gemm::{self, Write};
use super::rows::sparse::{SparseRows, pays};
use super::rows::{Rows, runs};

/// Query rows in one tile.
pub const ROWS: usize = 128;

/// Anchors in one panel; a full tile is 256 KiB and stays in the second-level cache.
pub const PANEL: usize = 256;

/// Tables of at most so many columns are measured directly, without a product.
pub(crate) const DIRECT_UP_TO: usize = 8;

/// The rows every query is measured against, prepared once.
///
/// `rows` stays as it came; beside it stands a copy by panels, each panel
/// column-major so that a product reads it without packing. Memory: 8 bytes a number.
#[derive(Debug, Clone)]
pub struct Anchors<R> {
    geometry: Geometry,
    rows: R,
    count: usize,
    dim: usize,
    /// The mean row; empty where rows are not moved.
    centre: Vec<f64>,
    panels: Vec<f64>,
    /// ‖z‖² of the moved rows; empty where it is not needed.
    squares: Vec<f64>,
    /// The panels in single precision, once somebody asks for it.
    narrow: OnceLock<Vec<f32>>,
    /// The panels of sparse rows, which have no others.
    sparse: Option<Vec<SparseBlock>>,
}

/// Up to [`ROWS`] query rows, moved to where the anchors are.
#[derive(Debug, Clone)]
pub struct Queries<'q> {
    rows: Cow<'q, [f64]>,
    count: usize,
    moved: Vec<f64>,
    squares: Vec<f64>,
    narrow: OnceLock<Vec<f32>>,
    /// What sparse anchors are compared with, instead of all else.
    sparse: Option<SparseBlock>,
}

impl Queries<'_> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<R: Rows> Anchors<R> {
    /// Prepares rows wherever they are kept.
    ///
    /// Cost: O(nd) time, 8nd bytes; of sparse rows, time and memory for the numbers that are
    /// not zero. Rows that are no row-major `f64` are read again, a panel at a time, for every
    /// tile of distances.
    pub fn over(geometry: Geometry, rows: R) -> Self {
        let (count, dim) = (rows.count(), rows.width());
        let mut anchors = Self {
            geometry,
            count,
            dim,
            centre: Vec::new(),
            panels: Vec::new(),
            squares: Vec::new(),
            narrow: OnceLock::new(),
            sparse: None,
            rows,
        };
        if let Some(all) = anchors.rows.sparse().filter(|all| pays(*all, dim)) {
            let panels = (0..anchors.panels()).into_par_iter();
            let prepared = panels.map(|p| {
                let rows = SparseRows::some_of(all, dim, anchors.panel(p));
                SparseBlock::new(geometry, rows)
            });
            anchors.sparse = Some(prepared.collect());
            return anchors;
        }
        anchors.panels.reserve_exact(count * dim);
        if anchors.by_product() && geometry == Geometry::SquaredDistance {
            anchors.centre = mean(&anchors.rows);
        }
        for p in 0..anchors.panels() {
            let (moved, squares) = anchors.moved(&anchors.rows.tile(anchors.panel(p)));
            for feature in 0..dim {
                let column = moved.iter().skip(feature).step_by(dim);
                anchors.panels.extend(column);
            }
            anchors.squares.extend(squares);
        }
        anchors
    }

    /// Number of anchors.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no anchor.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Number of columns.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The rows as they came.
    pub fn rows(&self) -> &R {
        &self.rows
    }

    /// Number of panels.
    pub fn panels(&self) -> usize {
        self.count.div_ceil(PANEL)
    }

    /// The anchors of panel `p`.
    pub fn panel(&self, p: usize) -> Range<usize> {
        p * PANEL..((p + 1) * PANEL).min(self.count)
    }

    /// Moves up to [`ROWS`] query rows to where the anchors are.
    pub fn load<'q>(&self, rows: &'q [f64]) -> Queries<'q> {
        self.moved_queries(Cow::Borrowed(rows))
    }

    /// As [`Anchors::load`], of some rows of a table; sparse rows stay sparse where the anchors
    /// are.
    ///
    /// # Panics
    /// When they are not all there: a bug in the caller.
    pub fn load_from<'q>(
        &self,
        table: &'q (impl Rows + ?Sized),
        rows: Range<usize>,
    ) -> Queries<'q> {
        match table.sparse().filter(|_| self.sparse.is_some()) {
            Some(all) => self.sparse_queries(SparseRows::some_of(all, self.dim, rows)),
            None => self.moved_queries(table.tile(rows)),
        }
    }

    fn sparse_queries<'q>(&self, rows: SparseRows) -> Queries<'q> {
        Queries {
            rows: Cow::Borrowed(&[]),
            count: rows.count(),
            moved: Vec::new(),
            squares: Vec::new(),
            narrow: OnceLock::new(),
            sparse: Some(SparseBlock::new(self.geometry, rows)),
        }
    }

    fn moved_queries<'q>(&self, rows: Cow<'q, [f64]>) -> Queries<'q> {
        let count = rows.len().checked_div(self.dim).unwrap_or(0);
        if self.sparse.is_some() {
            return self.sparse_queries(SparseRows::of_dense(&rows, self.dim));
        }
        let (moved, squares) = self.moved(&rows);
        Queries {
            rows,
            count,
            moved,
            squares,
            narrow: OnceLock::new(),
            sparse: None,
        }
    }

    /// About how many numbers of a row are looked at for each anchor.
    pub(crate) fn numbers_compared(&self) -> usize {
        match self.rows.sparse().filter(|_| self.sparse.is_some()) {
            Some((_, _, values)) => values.len().div_ceil(self.count.max(1)),
            None => self.dim,
        }
    }

    /// Fills `tile`, row-major, with `t` of each query against each anchor of
    /// panel `p`, and returns the part of it that was filled.
    ///
    /// Cost: 2d operations an entry.
    ///
    /// # Panics
    /// When `tile` is shorter than the queries times the panel's anchors, or
    /// the queries have another width: a bug in the caller.
    pub fn tile<'t>(&self, queries: &Queries<'_>, p: usize, tile: &'t mut [f64]) -> &'t mut [f64] {
        self.tile_in(Precision::Double, queries, p, tile)
    }

    /// Like [`Anchors::tile`], with the product in the given precision. In single
    /// precision an inner product is wrong by about `10⁻⁷‖x‖‖z‖`; entries that cancel
    /// are computed again in double precision all the same. Sparse rows are multiplied in
    /// double precision always.
    ///
    /// # Panics
    /// As [`Anchors::tile`].
    pub fn tile_in<'t>(
        &self,
        precision: Precision,
        queries: &Queries<'_>,
        p: usize,
        tile: &'t mut [f64],
    ) -> &'t mut [f64] {
        let Range { start, end } = self.panel(p);
        let (count, width) = (queries.count, end - start);
        let tile = &mut tile[..count * width];
        if let (Some(own), Some(panels)) = (&queries.sparse, &self.sparse) {
            own.tile(self.geometry, &panels[p], tile);
            return tile;
        }
        let panel = &self.panels[start * self.dim..end * self.dim];
        if self.geometry == Geometry::Manhattan {
            Arch::new().dispatch(Absolute {
                tile: &mut *tile,
                queries: &queries.rows,
                panel,
                dim: self.dim,
            });
            return tile;
        }
        if !self.by_product() {
            Arch::new().dispatch(Direct {
                tile: &mut *tile,
                queries: &queries.rows,
                panel,
                dim: self.dim,
            });
            return tile;
        }
        match precision {
            Precision::Double => gemm::product(
                MatMut::from_row_major_slice_mut(&mut *tile, count, width),
                Write::Replace,
                MatRef::from_row_major_slice(&queries.moved, count, self.dim),
                MatRef::from_row_major_slice(panel, self.dim, width),
                1.0,
            ),
            Precision::Single => {
                let narrow = |of: &[f64]| of.iter().map(|v| *v as f32).collect();
                let panels = self.narrow.get_or_init(|| narrow(&self.panels));
                let panel = &panels[start * self.dim..end * self.dim];
                let rows = queries.narrow.get_or_init(|| narrow(&queries.moved));
                let mut products = vec![0.0_f32; tile.len()];
                gemm::product_f32(
                    MatMut::from_row_major_slice_mut(&mut products, count, width),
                    MatRef::from_row_major_slice(rows, count, self.dim),
                    MatRef::from_row_major_slice(panel, self.dim, width),
                );
                let cells = tile.iter_mut().zip(&products);
                cells.for_each(|(t, v)| *t = f64::from(*v));
            }
        }
        match self.geometry {
            Geometry::SquaredDistance => Arch::new().dispatch(Finish {
                tile: &mut *tile,
                squares: (&queries.squares, &self.squares[start..end]),
                rows: (&queries.rows, &self.rows.tile(start..end)),
                dim: self.dim,
            }),
            Geometry::Manhattan | Geometry::InnerProduct => {}
            Geometry::Cosine => {
                for t in &mut *tile {
                    *t = t.clamp(-1.0, 1.0);
                }
            }
        }
        tile
    }

    /// Whether `t` comes from a product rather than from the direct sum.
    fn by_product(&self) -> bool {
        match self.geometry {
            Geometry::SquaredDistance => self.dim > DIRECT_UP_TO,
            Geometry::Manhattan => false,
            Geometry::InnerProduct | Geometry::Cosine => true,
        }
    }

    /// Rows as the product needs them, and their squared norms where they count.
    fn moved(&self, rows: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut moved = rows.to_vec();
        match self.geometry {
            Geometry::SquaredDistance if self.by_product() => {
                for row in moved.chunks_exact_mut(self.dim) {
                    for (v, c) in row.iter_mut().zip(&self.centre) {
                        *v -= c;
                    }
                }
                let squares = moved.chunks_exact(self.dim).map(square).collect();
                (moved, squares)
            }
            Geometry::SquaredDistance | Geometry::Manhattan | Geometry::InnerProduct => {
                (moved, Vec::new())
            }
            Geometry::Cosine => {
                for row in moved.chunks_exact_mut(self.dim) {
                    normalise(row);
                }
                (moved, Vec::new())
            }
        }
    }
}

fn square(row: &[f64]) -> f64 {
    row.iter().map(|v| v * v).sum()
}

pub(super) fn mean(rows: &dyn Rows) -> Vec<f64> {
    let dim = rows.width();
    let mut sum = vec![0.0; dim];
    for run in runs(rows.count(), PANEL) {
        for row in rows.tile(run).chunks_exact(dim) {
            for (s, v) in sum.iter_mut().zip(row) {
                *s += v;
            }
        }
    }
    let count = rows.count().max(1) as f64;
    sum.iter_mut().for_each(|s| *s /= count);
    sum
}
