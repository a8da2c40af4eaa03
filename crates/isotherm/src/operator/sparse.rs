//! Graph operators: `shift·I + scale·L W R` with diagonal `L` and `R`.
//!
//! One application copies the block, scaled by `R`, into a row-major panel
//! whose rows sit on cache lines, gathers its rows along the graph's, and
//! scales by `L` on the way out.
//!
//! Measured on two cores that others used too (AVX2, 32 MB of cache), variants
//! taking turns, 8 and 16 columns: asking for rows 32 entries ahead was 1.4 to
//! 5 times faster than not asking on graphs out of cache, and 1.0 to 1.4 times
//! faster than asking 16 ahead; in cache it made no difference beyond the noise. Huge
//! pages under the panel gave 1.2 to 1.35 times on a million nodes and nothing
//! on 200,000, whose panel fits the cache. What a node order gives is said in
//! [`crate::data::order`].

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use faer::ContiguousFwd;

use crate::data::Graph;
use crate::error::{Error, Result};
use crate::linalg::block::{Block, padded};
use crate::linalg::prefetch::prefetch;
use crate::linalg::{MatMut, MatRef, tiles};
use crate::monitor::Monitor;
use crate::operator::{Operator, SpectrumBounds, Symmetric};

/// What a cancelled application is called.
const PHASE: &str = "graph product";

/// Columns gathered together at most; wider blocks go in panels of so many.
const PANEL: usize = 64;

/// Entries between a prefetch and its use.
const AHEAD: usize = 32;

/// Rows of the block copied in one tile.
const COPY: usize = 1 << 12;

/// Runs of rows are this many, or more for large graphs; constants, so that
/// the work of a run does not depend on the thread count.
const PARTS: usize = 64;
const PART_ENTRIES: usize = 1 << 17;

/// Panels kept between applications.
const POOL: usize = 2;

/// `out = shift·B + scale·L W R B` for a graph's weights `W` and diagonals
/// `L`, `R`.
///
/// Cost of an application to `k` columns: `O(entries · k)` in parallel; the
/// bits do not depend on the thread count. Scratch: one panel of
/// `8·n·min(k, 64)` bytes, rounded up to whole cache lines a row, kept for the
/// next application (at most two of them) until the operator is dropped. Any
/// strides are accepted; row-major blocks spare the transposing copies.
pub(crate) struct Sparse<'a> {
    graph: &'a Graph,
    left: Option<Arc<[f64]>>,
    right: Option<Arc<[f64]>>,
    shift: f64,
    scale: f64,
    parts: Vec<Range<usize>>,
    pool: Mutex<Vec<Block>>,
}

impl<'a> Sparse<'a> {
    /// The weights themselves, `W`.
    pub(crate) fn adjacency(graph: &'a Graph) -> Self {
        Self::scaled(graph, None, None)
    }

    /// The random walk `D⁻¹ W`; the row of an isolated node is zero.
    #[cfg(test)]
    pub(crate) fn random_walk(graph: &'a Graph) -> Self {
        let inverse = (graph.degrees().into_iter())
            .map(|d| if d > 0.0 { 1.0 / d } else { 0.0 })
            .collect();
        Self::scaled(graph, Some(inverse), None)
    }

    /// `diag(left) · W · diag(right)`.
    ///
    /// # Errors
    /// [`Error::Shape`] when a diagonal has not one number a node.
    pub(crate) fn with_diagonals(graph: &'a Graph, left: &[f64], right: &[f64]) -> Result<Self> {
        for diagonal in [left, right] {
            if diagonal.len() != graph.len() {
                return Err(Error::Shape {
                    what: "numbers on the diagonal beside a graph",
                    expected: graph.len(),
                    got: diagonal.len(),
                });
            }
        }
        Ok(Self::scaled(graph, Some(left.into()), Some(right.into())))
    }

    fn scaled(graph: &'a Graph, left: Option<Arc<[f64]>>, right: Option<Arc<[f64]>>) -> Self {
        Self {
            graph,
            left,
            right,
            shift: 0.0,
            scale: 1.0,
            parts: graph.row_parts(PARTS.max(graph.entries() / PART_ENTRIES)),
            pool: Mutex::new(Vec::new()),
        }
    }

    /// `a·I + b·A` for this operator `A`, in the same pass.
    #[must_use]
    pub(crate) fn affine(mut self, a: f64, b: f64) -> Self {
        self.shift = a + b * self.shift;
        self.scale *= b;
        self
    }

    /// One panel of at most [`PANEL`] columns.
    fn apply_panel(
        &self,
        block: MatRef<'_, f64>,
        out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let mut panel = self.borrow_panel(block.ncols())?;
        let done = self
            .fill_panel(block, &mut panel, monitor)
            .and_then(|()| self.gather_panel(block, &panel, out, monitor));
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.truncate(POOL - 1);
        pool.insert(0, panel);
        done
    }

    fn borrow_panel(&self, cols: usize) -> Result<Block> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        match pool.iter().position(|panel| panel.cols() == cols) {
            Some(at) => Ok(pool.remove(at)),
            None => Block::zeros(self.graph.len(), cols),
        }
    }

    /// `panel = R·block`.
    fn fill_panel(
        &self,
        block: MatRef<'_, f64>,
        panel: &mut Block,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let stride = panel.stride();
        let tiles = (panel.as_slice_mut().chunks_mut(COPY * stride).enumerate()).collect();
        tiles::sweep(
            PHASE,
            tiles,
            monitor,
            |(tile, panel): (usize, &mut [f64])| {
                let first = tile * COPY;
                let rows = panel.len() / stride;
                let right = self.right.as_deref().map(|r| &r[first..first + rows]);
                let block = block.subrows(first, rows);
                at_width!(stride, copy_scaled(block, right, panel));
                Ok(())
            },
        )
    }

    /// `out = shift·block + scale·L W panel`.
    fn gather_panel(
        &self,
        block: MatRef<'_, f64>,
        panel: &Block,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let mut tiles = Vec::with_capacity(self.parts.len());
        for rows in &self.parts {
            let (mine, rest) = out.split_at_row_mut(rows.len());
            tiles.push((rows.clone(), mine));
            out = rest;
        }
        tiles::sweep(PHASE, tiles, monitor, |(rows, out)| {
            let run = Run {
                graph: self.graph,
                panel: panel.as_slice(),
                left: self.left.as_deref(),
                shift: self.shift,
                scale: self.scale,
                block,
                rows,
                out,
            };
            at_width!(padded(block.ncols()), run.gather());
            Ok(())
        })
    }
}

impl Operator for Sparse<'_> {
    fn dim(&self) -> usize {
        self.graph.len()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        for (what, expected, got) in [
            ("rows of the block", self.dim(), block.nrows()),
            ("rows of the result", self.dim(), out.nrows()),
            ("columns of the result", block.ncols(), out.ncols()),
        ] {
            if expected != got {
                return Err(Error::Shape {
                    what,
                    expected,
                    got,
                });
            }
        }
        for first in (0..block.ncols()).step_by(PANEL) {
            let cols = PANEL.min(block.ncols() - first);
            self.apply_panel(
                block.subcols(first, cols),
                out.as_mut().subcols_mut(first, cols),
                monitor,
            )?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for Sparse<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (nodes, entries) = (self.graph.len(), self.graph.entries());
        write!(f, "Sparse({nodes} nodes, {entries} entries)")
    }
}

/// The normalised adjacency `S = D^-½ W D^-½`, zero in the rows of isolated
/// nodes, or its affine image `a·I + b·S`.  [STKR §5]
///
/// A product takes O(entries · columns) time in parallel.
///
/// ```
/// use isotherm::data::graph::{EdgeRules, GraphBuilder};
/// use isotherm::linalg::Mat;
/// use isotherm::monitor::Quiet;
/// use isotherm::operator::{Operator, sparse::NormalisedAdjacency};
///
/// let mut edges = GraphBuilder::new(EdgeRules::default());
/// edges.push(0, 1, None)?;
/// let (graph, _) = edges.finish(&mut Quiet)?;
/// let system = NormalisedAdjacency::new(&graph).affine(1.0, -0.5); // I − S/2
/// let ones = Mat::full(2, 1, 1.0);
/// let mut out = Mat::zeros(2, 1);
/// system.apply(ones.as_ref(), out.as_mut(), &mut Quiet)?;
/// assert_eq!(out[(0, 0)], 0.5);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug)]
pub struct NormalisedAdjacency<'a> {
    inner: Sparse<'a>,
}

impl<'a> NormalisedAdjacency<'a> {
    /// `S` itself. Time `O(nodes)`, `O(entries)` when weighted; 8 bytes a node.
    pub fn new(graph: &'a Graph) -> Self {
        Self::known(graph, inverse_roots(graph.degrees()))
    }

    /// `diag(roots) · W · diag(roots)` with roots `1/√d` of degrees at least the
    /// graph's own, one a node, so that the spectrum stays in [−1, 1].
    pub(crate) fn known(graph: &'a Graph, roots: Arc<[f64]>) -> Self {
        Self {
            inner: Sparse::scaled(graph, Some(roots.clone()), Some(roots)),
        }
    }

    /// `a·I + b·A` for this operator `A`, in the same pass.
    #[must_use]
    pub fn affine(self, a: f64, b: f64) -> Self {
        Self {
            inner: self.inner.affine(a, b),
        }
    }

    /// The diagonal of `D^-½`, zero for isolated nodes.
    pub fn roots(&self) -> &[f64] {
        self.inner.left.as_deref().unwrap_or_default()
    }
}

/// `1/√d`, zero where d is.
pub(crate) fn inverse_roots(degrees: Vec<f64>) -> Arc<[f64]> {
    let root = |d: f64| if d > 0.0 { 1.0 / d.sqrt() } else { 0.0 };
    degrees.into_iter().map(root).collect()
}

impl Operator for NormalisedAdjacency<'_> {
    fn dim(&self) -> usize {
        self.inner.dim()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        self.inner.apply(block, out, monitor)
    }
}

impl Symmetric for NormalisedAdjacency<'_> {
    /// `[a − |b|, a + |b|]` for `a·I + b·S`.
    fn spectrum(&self) -> SpectrumBounds {
        let (a, b) = (self.inner.shift, self.inner.scale.abs());
        SpectrumBounds {
            low: a - b,
            high: a + b,
        }
    }
}

/// Calls `$call::<W>` for the padded width of a row.
macro_rules! at_width {
    ($width:expr, $($call:ident).+ ( $($arg:expr),* )) => {
        match $width {
            1 => $($call).+::<1>($($arg),*),
            2 => $($call).+::<2>($($arg),*),
            4 => $($call).+::<4>($($arg),*),
            8 => $($call).+::<8>($($arg),*),
            16 => $($call).+::<16>($($arg),*),
            24 => $($call).+::<24>($($arg),*),
            32 => $($call).+::<32>($($arg),*),
            40 => $($call).+::<40>($($arg),*),
            48 => $($call).+::<48>($($arg),*),
            56 => $($call).+::<56>($($arg),*),
            _ => $($call).+::<64>($($arg),*),
        }
    };
}
use at_width;

/// Rows of the block times their diagonal entries into rows of the panel.
fn copy_scaled<const W: usize>(block: MatRef<'_, f64>, right: Option<&[f64]>, panel: &mut [f64]) {
    let fill = Fill {
        block,
        right,
        panel,
    };
    pulp::Arch::new().dispatch(
        #[inline(always)]
        || fill.run::<W>(),
    );
}

/// Consumed by its method: a closure that could be called twice goes through a
/// shim that is compiled without vector instructions.
struct Fill<'c> {
    block: MatRef<'c, f64>,
    right: Option<&'c [f64]>,
    panel: &'c mut [f64],
}

impl Fill<'_> {
    #[inline(always)]
    fn run<const W: usize>(self) {
        match self.block.try_as_row_major() {
            Some(block) => copy_rows::<W>(block, self.right, self.panel),
            None => copy_columns::<W>(self.block, self.right, self.panel),
        }
    }
}

#[inline(always)]
fn copy_rows<const W: usize>(
    block: MatRef<'_, f64, usize, usize, isize, ContiguousFwd>,
    right: Option<&[f64]>,
    panel: &mut [f64],
) {
    for (i, row) in panel.as_chunks_mut::<W>().0.iter_mut().enumerate() {
        let f = right.map_or(1.0, |r| r[i]);
        let source = block.row(i).as_slice();
        // Whole rows go without a loop over their length.
        if let Ok(source) = <&[f64; W]>::try_from(source) {
            for (slot, x) in row.iter_mut().zip(source) {
                *slot = f * x;
            }
        } else {
            for (slot, x) in row.iter_mut().zip(source) {
                *slot = f * x;
            }
        }
    }
}

/// A few rows at a time, so that the panel's lines stay in cache while the
/// columns pass over them.
#[inline(always)]
fn copy_columns<const W: usize>(block: MatRef<'_, f64>, right: Option<&[f64]>, panel: &mut [f64]) {
    const STEP: usize = 64;
    for (step, rows) in panel.as_chunks_mut::<W>().0.chunks_mut(STEP).enumerate() {
        for j in 0..block.ncols().min(W) {
            for (k, row) in rows.iter_mut().enumerate() {
                let i = step * STEP + k;
                row[j] = right.map_or(1.0, |r| r[i]) * block[(i, j)];
            }
        }
    }
}

/// `sum += weigh(row)`.
#[inline(always)]
fn add<const W: usize>(sum: &mut [f64; W], row: &[f64; W], weigh: impl Fn(f64) -> f64) {
    for (s, &x) in sum.iter_mut().zip(row) {
        *s += weigh(x);
    }
}

/// A run of rows of one product.
struct Run<'r> {
    graph: &'r Graph,
    panel: &'r [f64],
    left: Option<&'r [f64]>,
    shift: f64,
    scale: f64,
    /// All rows of the right-hand side.
    block: MatRef<'r, f64>,
    rows: Range<usize>,
    /// These rows of the result.
    out: MatMut<'r, f64>,
}

impl Run<'_> {
    /// Compiled for each width of a row and, through `pulp`, for each level of
    /// vector instructions; products and sums are never contracted, so all
    /// give the same bits.
    fn gather<const W: usize>(self) {
        let simd = pulp::Arch::new();
        match self.graph.all_weights() {
            None => simd.dispatch(
                #[inline(always)]
                || self.gather_rows::<W>(|_, x| x),
            ),
            Some(w) => simd.dispatch(
                #[inline(always)]
                || self.gather_rows::<W>(|e, x| w[e] * x),
            ),
        }
    }

    #[inline(always)]
    fn gather_rows<const W: usize>(mut self, weigh: impl Fn(usize, f64) -> f64) {
        let (rows, _) = self.panel.as_chunks::<W>();
        let columns = self.graph.columns();
        for i in self.rows.clone() {
            let row = self.graph.row(i);
            let mut sum = [0.0; W];
            if let Some(ahead) = columns.get(row.start + AHEAD..row.end + AHEAD) {
                for ((e, &j), &soon) in row.clone().zip(&columns[row]).zip(ahead) {
                    for line in (0..W).step_by(8) {
                        prefetch(self.panel, soon as usize * W + line);
                    }
                    add(&mut sum, &rows[j as usize], |x| weigh(e, x));
                }
            } else {
                for (e, &j) in row.clone().zip(&columns[row]) {
                    add(&mut sum, &rows[j as usize], |x| weigh(e, x));
                }
            }
            self.write(i, &sum);
        }
    }

    /// `out = shift·block + factor·sum` for row `i`.
    #[inline(always)]
    fn write<const W: usize>(&mut self, i: usize, sum: &[f64; W]) {
        let factor = self.scale * self.left.map_or(1.0, |l| l[i]);
        let shift = self.shift;
        let mut out = self.out.as_mut().row_mut(i - self.rows.start);
        let block = self.block.row(i);
        if let Some(out) = out.as_mut().try_as_row_major_mut()
            && let Ok(out) = <&mut [f64; W]>::try_from(out.as_slice_mut())
        {
            // Whole rows go without a loop over their length.
            if shift == 0.0 {
                for (slot, s) in out.iter_mut().zip(sum) {
                    *slot = factor * s;
                }
                return;
            }
            let block = block
                .try_as_row_major()
                .map(|b| <&[f64; W]>::try_from(b.as_slice()));
            if let Some(Ok(block)) = block {
                for ((slot, s), x) in out.iter_mut().zip(sum).zip(block) {
                    *slot = shift * x + factor * s;
                }
                return;
            }
        }
        for (j, s) in sum.iter().enumerate().take(out.ncols()) {
            out[j] = factor * s;
            if shift != 0.0 {
                out[j] += shift * block[j];
            }
        }
    }
}
