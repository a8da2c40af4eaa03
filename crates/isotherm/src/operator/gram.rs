//! The tile engine: a kernel over the pairwise tiles of queries and anchors.
//!
//! `K(queries, anchors)` exists only a tile at a time: a block of query rows
//! against a panel of anchors, mapped by the kernel in place and folded into
//! the output before the next panel. Query blocks run in parallel, panels in
//! order, so the thread count changes no bit.

use std::ops::Range;
use std::sync::Arc;

use crate::data::Points;
use crate::error::{Error, Result};
use crate::kernel::{Geometry, Kernel};
use crate::linalg::gemm::{self, Write};
use crate::linalg::pairwise::{Anchors, PANEL, ROWS};
use crate::linalg::rows::runs;
use crate::linalg::{Mat, MatMut, MatRef, tiles};
use crate::monitor::Monitor;

/// Operations one query block may take between two looks at the monitor: a few
/// tens of milliseconds on one core.
const BETWEEN_LOOKS: usize = 1 << 30;

/// A kernel and the anchors it is evaluated against.
#[derive(Debug)]
pub struct Gram {
    points: Arc<Points>,
    anchors: Anchors<Arc<Points>>,
    kernel: Box<dyn Kernel>,
}

impl Gram {
    /// Prepares the anchors for the kernel's geometry.
    ///
    /// Cost: O(Nd) time, 8Nd bytes beside the points.
    pub fn new(points: Arc<Points>, kernel: Box<dyn Kernel>) -> Self {
        let anchors = Anchors::over(kernel.geometry(), Arc::clone(&points));
        Self {
            points,
            anchors,
            kernel,
        }
    }

    /// The anchors.
    pub fn points(&self) -> &Arc<Points> {
        &self.points
    }

    /// The kernel.
    pub fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }

    /// Number of anchors.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Never true: points have at least one row.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// `k(z, z)` of each anchor.
    pub fn diagonal(&self) -> Vec<f64> {
        diagonal(&self.points, &*self.kernel)
    }

    /// `K(queries, anchors) · coefficients`, announcing a phase.
    ///
    /// Cost: O(qN(d + k)) time; one tile of 256 KiB a thread and the result.
    ///
    /// # Errors
    /// [`Error::Shape`] when queries or coefficients do not fit the anchors;
    /// [`Error::NotFinite`] when a sum overflows (a high degree on unscaled
    /// columns); [`Error::Cancelled`] when the monitor breaks.
    pub fn expand(
        &self,
        queries: &Points,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        const PHASE: &str = "predicting";
        let mut out = Mat::zeros(queries.len(), coefficients.ncols());
        let spans = self.spans(coefficients.ncols());
        if spans.len() == 1 {
            self.check(queries, coefficients)?;
            let blocks = blocks(queries, out.as_mut());
            tiles::walk(PHASE, blocks, monitor, |(rows, out)| {
                self.fold((queries, rows), &spans[0], coefficients, out, 1.0);
                Ok(())
            })?;
        } else {
            tiles::announce(PHASE, None, monitor)?;
            self.expand_into(queries, coefficients, 1.0, out.as_mut(), monitor)?;
        }
        if !out.is_all_finite() {
            return Err(Error::NotFinite {
                phase: PHASE,
                hint: "scale the columns to comparable size or lower the kernel's degree".into(),
            });
        }
        Ok(out)
    }

    /// `out = scale · K(queries, anchors) · coefficients`, inside a larger step.
    ///
    /// # Errors
    /// [`Error::Shape`] and [`Error::Cancelled`] as [`Gram::expand`].
    pub fn expand_into(
        &self,
        queries: &Points,
        coefficients: MatRef<'_, f64>,
        scale: f64,
        mut out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        self.check(queries, coefficients)?;
        shape("rows of the result", queries.len(), out.nrows())?;
        shape("columns of the result", coefficients.ncols(), out.ncols())?;
        out.fill(0.0);
        for span in self.spans(coefficients.ncols()) {
            let blocks = blocks(queries, out.as_mut());
            tiles::sweep("a kernel product", blocks, monitor, |(rows, out)| {
                self.fold((queries, rows), &span, coefficients, out, scale);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// `K(queries, anchors)`, stored.
    ///
    /// # Errors
    /// [`Error::Shape`] when the queries do not fit the anchors;
    /// [`Error::Memory`] when the matrix cannot be had; [`Error::Cancelled`].
    pub fn matrix(&self, queries: &Points, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        self.check_dim(queries)?;
        let mut matrix = zeros(queries.len(), self.len())?;
        tiles::announce("the kernel matrix", None, monitor)?;
        for span in self.spans(0) {
            let blocks = blocks(queries, matrix.as_mut());
            tiles::sweep("the kernel matrix", blocks, monitor, |(rows, mut out)| {
                self.each((queries, rows), &span, |anchors, tile| {
                    let width = anchors.len();
                    let tile = MatRef::from_row_major_slice(tile, tile.len() / width, width);
                    out.as_mut()
                        .subcols_mut(anchors.start, width)
                        .copy_from(tile);
                });
                Ok(())
            })?;
        }
        Ok(matrix)
    }

    /// Adds one block's product with the coefficients of some panels to `out`.
    fn fold(
        &self,
        rows: (&Points, Range<usize>),
        span: &Range<usize>,
        coefficients: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        scale: f64,
    ) {
        // A row-major sum is a quarter faster to add tiles to.
        let (count, width) = (out.nrows(), out.ncols());
        let mut sums = vec![0.0; count * width];
        self.each(rows, span, |anchors, tile| {
            let tile = MatRef::from_row_major_slice(tile, count, anchors.len());
            let part = coefficients.subrows(anchors.start, anchors.len());
            let sums = MatMut::from_row_major_slice_mut(&mut sums, count, width);
            gemm::product(sums, Write::Add, tile, part, scale);
        });
        out += MatRef::from_row_major_slice(&sums, count, width);
    }

    /// Hands each kernel tile of one query block and some panels to `take`.
    fn each(
        &self,
        (table, rows): (&Points, Range<usize>),
        span: &Range<usize>,
        mut take: impl FnMut(Range<usize>, &[f64]),
    ) {
        let queries = self.anchors.load_from(table, rows);
        let mut scratch = vec![0.0; queries.len() * PANEL.min(self.len())];
        for p in span.clone() {
            let tile = self.anchors.tile(&queries, p, &mut scratch);
            self.kernel.value(tile);
            take(self.anchors.panel(p), tile);
        }
    }

    /// Runs of panels short enough to be stopped between; depends on sizes only.
    fn spans(&self, outputs: usize) -> Vec<Range<usize>> {
        let panel = ROWS * PANEL * (2 * self.anchors.numbers_compared() + 2 * outputs + 64);
        let each = (BETWEEN_LOOKS / panel).max(1);
        let panels = self.anchors.panels();
        let starts = (0..panels).step_by(each);
        starts.map(|p| p..(p + each).min(panels)).collect()
    }

    fn check(&self, queries: &Points, coefficients: MatRef<'_, f64>) -> Result<()> {
        self.check_dim(queries)?;
        shape("rows of the coefficients", self.len(), coefficients.nrows())
    }

    fn check_dim(&self, queries: &Points) -> Result<()> {
        shape("features of the new rows", self.points.dim(), queries.dim())
    }
}

/// Blocks of query rows with the rows of `out` they own.
fn blocks<'a>(queries: &Points, out: MatMut<'a, f64>) -> Vec<(Range<usize>, MatMut<'a, f64>)> {
    let mut rest = out;
    let mut blocks = Vec::with_capacity(queries.len().div_ceil(ROWS));
    for rows in runs(queries.len(), ROWS) {
        let (own, after) = rest.split_at_row_mut(rows.len());
        blocks.push((rows, own));
        rest = after;
    }
    blocks
}

/// `k(x, x)` of each row. O(nd).
pub(crate) fn diagonal(points: &Points, kernel: &dyn Kernel) -> Vec<f64> {
    let square = |row: &[f64]| row.iter().map(|v| v * v).sum::<f64>();
    let each = |of: &dyn Fn(&[f64]) -> f64| {
        let mut values = Vec::with_capacity(points.len());
        if let Some(sparse) = points.as_sparse() {
            values.extend((0..points.len()).map(|i| of(sparse.row(i).1)));
            return values;
        }
        for rows in runs(points.len(), ROWS) {
            values.extend(points.tile(rows).chunks_exact(points.dim()).map(of));
        }
        values
    };
    let mut diagonal: Vec<f64> = match kernel.geometry() {
        Geometry::SquaredDistance | Geometry::Manhattan => vec![0.0; points.len()],
        Geometry::InnerProduct => each(&square),
        Geometry::Cosine => each(&|row| f64::from(square(row) > 0.0)),
    };
    kernel.value(&mut diagonal);
    diagonal
}

fn shape(what: &'static str, expected: usize, got: usize) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Shape {
        what,
        expected,
        got,
    })
}

/// A matrix of zeros, or a refusal where the system has no room for it.
fn zeros(rows: usize, cols: usize) -> Result<Mat<f64>> {
    let needed = (rows as u64).saturating_mul(cols as u64).saturating_mul(8);
    let mut probe: Vec<f64> = Vec::new();
    let room = usize::try_from(needed / 8).map(|n| probe.try_reserve_exact(n).is_ok());
    if room != Ok(true) {
        return Err(Error::no_memory(
            format!("a kernel matrix of {rows} rows and {cols} columns"),
            needed,
        ));
    }
    drop(probe);
    Ok(Mat::zeros(rows, cols))
}
