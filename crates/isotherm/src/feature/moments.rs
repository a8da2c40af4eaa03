//! The moments Σ̂, L̂ and the mean of a basis over rows, in one pass.  [KLAP Eq 8, Alg. 1]
//!
//! `n·T*Σ̂T = ΦᵀΦ` and `n·T*L̂T = Σₗ⟨∇φᵢ(xₗ), ∇φⱼ(xₗ)⟩` are sums over rows: they can be
//! added to, tile by tile, and merged, part by part, so rows may come from memory, a
//! file or several machines. O(np² + npd) for landmarks and waves, whatever d.
//!
//! A panel of rows is evaluated in parallel by rows, then multiplied in parallel by
//! blocks of the p×p sums: the thread count changes no bit.

use std::ops::Range;
use std::sync::Arc;

use super::cell::{Cell, Scales, Tables, scale};
use super::{Features, Form, ROWS, check};
use crate::data::Points;
use crate::error::{Error, Result};
use crate::linalg::rows::{Flat, Rows, runs};
use crate::linalg::{Mat, MatMut, MatRef, Precision, tiles};
use crate::monitor::Monitor;

const PHASE: &str = "moments of the basis";

/// Rows evaluated together.
const PANEL: usize = 1024;

/// The side of a block of the sums that one task adds to: a multiple of the 12 and 24
/// rows of the product's inner loops.
const BLOCK: usize = 144;

/// What is to be summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// L̂ and the mean: enough where Σ̂ is over the labels.
    Energy,
    /// L̂, the mean and Σ̂.
    Both,
}

/// Sums over the rows seen so far.
#[derive(Debug, Clone)]
pub struct Moments {
    features: Arc<dyn Features>,
    wanted: Wanted,
    precision: Precision,
    /// What tables are multiplied by in single precision, once rows were seen.
    scales: Option<Scales>,
    count: usize,
    mean: Vec<f64>,
    /// `ΦᵀΦ`, lower triangle.
    covariance: Mat<f64>,
    /// `gᵀg` (or `ZᵀZ`), lower triangle.
    first: Mat<f64>,
    /// `(g∘R)ᵀg`, all of it.
    second: Mat<f64>,
    /// What single precision changed in the energy of the tiles looked at.
    off: Option<Seen>,
}

/// Tiles that were summed in both precisions.
#[derive(Debug, Clone)]
struct Seen {
    tiles: usize,
    /// The sum of the differences of their energies.
    off: Mat<f64>,
    /// The largest of the differences relative to the energy itself.
    worst: f64,
}

/// Means over rows: what Algorithm 1 calls `T*Σ̂T` and `T*L̂T`.
#[derive(Debug, Clone)]
pub struct Averages {
    /// n, the rows seen.
    pub count: usize,
    /// The mean of φ.
    pub mean: Vec<f64>,
    /// `T*Σ̂T`, when it was wanted.
    pub covariance: Option<Mat<f64>>,
    /// `T*L̂T`.
    pub energy: Mat<f64>,
    /// The relative rounding of `T*L̂T`: ε, or for single precision what was measured
    /// against double precision on one tile of each part added.
    pub rounding: f64,
    /// For single precision, a difference from `T*L̂T` of the size that was measured: the
    /// sum over k tiles looked at, by √k, which is a tile's where errors are independent
    /// and more where they are not.
    pub off: Option<Mat<f64>>,
}

impl Moments {
    /// Nothing seen yet. Memory: up to three p×p matrices.
    pub fn new(features: Arc<dyn Features>, wanted: Wanted) -> Self {
        Self::with_precision(features, wanted, Precision::Double)
    }

    /// Nothing seen yet; tiles are multiplied in this precision.
    ///
    /// A basis without a formula for its gradients ([`Form::Explicit`]) is always
    /// summed in double precision.
    pub fn with_precision(
        features: Arc<dyn Features>,
        wanted: Wanted,
        precision: Precision,
    ) -> Self {
        let p = features.len();
        let square = |yes: bool| Mat::zeros(if yes { p } else { 0 }, if yes { p } else { 0 });
        let form = features.form();
        Self {
            scales: None,
            count: 0,
            mean: vec![0.0; p],
            covariance: square(wanted == Wanted::Both),
            first: square(true),
            second: square(matches!(form, Form::Distances(_))),
            precision: match form {
                Form::Explicit => Precision::Double,
                _ => precision,
            },
            off: None,
            features,
            wanted,
        }
    }

    /// Bytes that summing over a basis of p functions takes beside the rows.
    pub fn memory(functions: usize) -> u64 {
        let (p, panel) = (functions as u64, PANEL as u64);
        8 * (3 * p * p + 3 * panel * p)
    }

    /// Rows seen.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Takes in some rows.
    ///
    /// # Errors
    /// [`Error::Shape`] when the rows have other columns; [`Error::NotFinite`] when a
    /// sum overflows; [`Error::Cancelled`], after which the sums are not to be used.
    pub fn add(&mut self, rows: &Points, monitor: &mut dyn Monitor) -> Result<()> {
        check(self.features.dim(), rows)?;
        let panels = rows.len().div_ceil(PANEL);
        tiles::announce(PHASE, Some(panels), monitor)?;
        match (self.features.form(), self.precision) {
            (Form::Explicit, _) => self.explicit(rows, monitor)?,
            (form, Precision::Double) => {
                let tables = form.tables();
                self.factored::<f64>(rows, tables, monitor)?;
            }
            (form, Precision::Single) => {
                let tables = form.tables();
                self.measure(&rows.tile(0..ROWS.min(rows.len())), monitor)?;
                self.factored::<f32>(rows, tables, monitor)?;
            }
        }
        self.count += rows.len();
        Ok(())
    }

    /// What single precision changes in the energy of a tile of rows.
    fn measure(&mut self, tile: &[f64], monitor: &mut dyn Monitor) -> Result<()> {
        let rows = Flat::new(tile, self.features.dim());
        let count = rows.count();
        let tables = self.features.form().tables();
        let scales = *self
            .scales
            .get_or_insert_with(|| scales(&*self.features, tile));
        let energy = |precision: Precision, monitor: &mut dyn Monitor| {
            let mut alone = Self::with_precision(self.features.clone(), Wanted::Energy, precision);
            alone.scales = (precision == Precision::Single).then_some(scales);
            match precision {
                Precision::Double => alone.factored::<f64>(&rows, tables, monitor)?,
                Precision::Single => alone.factored::<f32>(&rows, tables, monitor)?,
            }
            alone.count = count;
            Ok(alone.finish()?.energy)
        };
        let exact = energy(Precision::Double, monitor)?;
        let off = energy(Precision::Single, monitor)? - &exact;
        let size = exact.norm_l2();
        let worst = if size > 0.0 {
            off.norm_l2() / size
        } else {
            0.0
        };
        self.look(&Seen {
            tiles: 1,
            off,
            worst,
        });
        Ok(())
    }

    /// Remembers tiles that were summed in both precisions.
    fn look(&mut self, at: &Seen) {
        match &mut self.off {
            None => self.off = Some(at.clone()),
            Some(seen) => {
                seen.tiles += at.tiles;
                seen.off += &at.off;
                seen.worst = seen.worst.max(at.worst);
            }
        }
    }

    /// Panel after panel by the tables of the form.
    fn factored<T: Cell>(
        &mut self,
        rows: &dyn Rows,
        tables: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let p = self.features.len();
        let most = PANEL.min(rows.count()) * p;
        let table = |yes: bool| vec![T::ZERO; if yes { most } else { 0 }];
        let (mut values, mut first, mut second) = (table(true), table(true), table(tables > 1));
        let mut sums = vec![0.0; PANEL.div_ceil(ROWS) * p];
        let scales = self.scales.unwrap_or([1.0; 3]);
        let alpha = |a: usize, b: usize| 1.0 / (scales[a] * scales[b]);
        for (done, panel) in runs(rows.count(), PANEL).enumerate() {
            let count = panel.len();
            let side = (ROWS * p).max(1);
            let mut seconds = second[..if tables > 1 { count * p } else { 0 }].chunks_mut(side);
            let parts: Vec<Part<'_, T>> = runs(count, ROWS)
                .zip(values[..count * p].chunks_mut(side))
                .zip(first[..count * p].chunks_mut(side))
                .zip(sums.chunks_mut(p.max(1)))
                .map(|(((own, values), first), sum)| Part {
                    rows: (rows, panel.start + own.start..panel.start + own.end),
                    tables: Tables {
                        values,
                        first,
                        second: seconds.next().unwrap_or_default(),
                        scales,
                    },
                    sum,
                })
                .collect();
            let features = &*self.features;
            tiles::sweep(PHASE, parts, monitor, |part| part.fill(features))?;
            for sum in sums.chunks_exact(p.max(1)).take(count.div_ceil(ROWS)) {
                self.mean.iter_mut().zip(sum).for_each(|(m, v)| *m += v);
            }
            let whole = |of| MatRef::from_row_major_slice(of, count, p);
            let mut work = Vec::new();
            if self.wanted == Wanted::Both {
                let a = whole(&values[..count * p]);
                let at = blocks(self.covariance.as_mut(), true);
                work.extend(at.map(|at| Task::square(at, a, alpha(0, 0))));
            }
            let b = whole(&first[..count * p]);
            let at = blocks(self.first.as_mut(), true);
            work.extend(at.map(|at| Task::square(at, b, alpha(1, 1))));
            if tables > 1 {
                let a = whole(&second[..count * p]);
                let at = blocks(self.second.as_mut(), false);
                work.extend(at.map(|at| Task::new(at, a, b, alpha(2, 1))));
            }
            tiles::sweep(PHASE, work, monitor, Task::run)?;
            tiles::done(PHASE, done + 1, monitor)?;
        }
        Ok(())
    }

    /// Panel after panel with its gradients written out.
    fn explicit(&mut self, rows: &Points, monitor: &mut dyn Monitor) -> Result<()> {
        let (p, d) = (self.features.len(), self.features.dim());
        // A panel of gradients of at most 64 MB at a time.
        let each = ((1 << 23) / (d * p).max(1)).clamp(1, ROWS);
        for (done, panel) in runs(rows.len(), PANEL).enumerate() {
            for own in runs(panel.len(), each) {
                let rows = &rows.tile(panel.start + own.start..panel.start + own.end);
                let count = own.len();
                let (mut values, mut panel) = (vec![0.0; count * p], vec![0.0; count * d * p]);
                self.features.values(rows, &mut values);
                self.features.gradients(rows, &mut panel);
                for row in values.chunks_exact(p.max(1)) {
                    self.mean.iter_mut().zip(row).for_each(|(m, v)| *m += v);
                }
                let mut work = Vec::new();
                if self.wanted == Wanted::Both {
                    let a = MatRef::from_row_major_slice(&values, count, p);
                    let at = blocks(self.covariance.as_mut(), true);
                    work.extend(at.map(|at| Task::square(at, a, 1.0)));
                }
                let a = MatRef::from_row_major_slice(&panel, count * d, p);
                let at = blocks(self.first.as_mut(), true);
                work.extend(at.map(|at| Task::square(at, a, 1.0)));
                tiles::sweep(PHASE, work, monitor, Task::run)?;
            }
            tiles::done(PHASE, done + 1, monitor)?;
        }
        Ok(())
    }

    /// Takes in what another pass over other rows has summed.
    ///
    /// # Errors
    /// [`Error::Data`] when the other sums are of another basis or of other moments.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if !Arc::ptr_eq(&self.features, &other.features) || self.wanted != other.wanted {
            return Err(Error::data(
                "moments of different bases cannot be merged",
                "start both parts with one basis and the same moments",
            ));
        }
        self.count += other.count;
        (self.mean.iter_mut().zip(&other.mean)).for_each(|(a, b)| *a += b);
        self.covariance += &other.covariance;
        self.first += &other.first;
        self.second += &other.second;
        if let Some(seen) = &other.off {
            self.look(seen);
        }
        Ok(())
    }

    /// The means over all rows seen.
    ///
    /// # Errors
    /// [`Error::Data`] when there was none; [`Error::NotFinite`].
    pub fn finish(&self) -> Result<Averages> {
        if self.count == 0 {
            return Err(Error::data(
                "no row was added to the moments",
                "give at least one row",
            ));
        }
        let (p, n) = (self.features.len(), self.count as f64);
        let first = |i: usize, j: usize| self.first[(i.max(j), i.min(j))];
        let energy = match self.features.form() {
            Form::Distances(between) => Mat::from_fn(p, p, |i, j| {
                let cross = self.second[(i, j)] + self.second[(j, i)];
                0.5 * (cross - first(i, j) * between[(i, j)]) / n
            }),
            Form::Directions(products) => {
                Mat::from_fn(p, p, |i, j| first(i, j) * products[(i, j)] / n)
            }
            Form::Explicit => Mat::from_fn(p, p, |i, j| first(i, j) / n),
        };
        if !energy.is_all_finite() {
            return Err(overflow());
        }
        let covariance = (self.wanted == Wanted::Both)
            .then(|| Mat::from_fn(p, p, |i, j| self.covariance[(i.max(j), i.min(j))] / n));
        Ok(Averages {
            count: self.count,
            mean: self.mean.iter().map(|m| m / n).collect(),
            covariance,
            energy,
            rounding: (self.off.as_ref()).map_or(f64::EPSILON, |s| s.worst.max(f64::EPSILON)),
            off: (self.off.as_ref()).map(|s| {
                let by = 1.0 / (s.tiles as f64).sqrt();
                Mat::from_fn(p, p, |i, j| by * s.off[(i, j)])
            }),
        })
    }
}

/// What brings the tables of these rows near 1.
fn scales(features: &dyn Features, rows: &[f64]) -> Scales {
    let size = rows.len() / features.dim() * features.len();
    let mut tables = [vec![0.0; size], vec![0.0; size], vec![0.0; size]];
    let [values, first, second] = &mut tables;
    features.factors(rows, values, first, second, Precision::Double);
    [scale(values), scale(first), scale(second)]
}

/// Rows, and the parts of the tables and the sum of values they fill.
struct Part<'a, T> {
    rows: (&'a dyn Rows, Range<usize>),
    tables: Tables<'a, T>,
    sum: &'a mut [f64],
}

impl<T: Cell> Part<'_, T> {
    fn fill(mut self, features: &dyn Features) -> Result<()> {
        let (rows, own) = self.rows;
        T::fill(features, &rows.tile(own), &mut self.tables);
        let Tables { values, first, .. } = &self.tables;
        let finite = |of: &[T]| of.iter().all(T::is_finite);
        if !finite(values) || !finite(first) {
            return Err(overflow());
        }
        let back = 1.0 / self.tables.scales[0];
        self.sum.fill(0.0);
        for row in values.chunks_exact(self.sum.len().max(1)) {
            let cells = self.sum.iter_mut().zip(row);
            cells.for_each(|(s, v)| *s += back * (*v).into());
        }
        Ok(())
    }
}

/// A block of a sum and where it is.
struct Place<'a> {
    row: usize,
    col: usize,
    block: MatMut<'a, f64>,
}

/// `block += αAᵀB` at its place.
struct Task<'a, T> {
    at: Place<'a>,
    a: MatRef<'a, T>,
    b: MatRef<'a, T>,
    alpha: f64,
    /// Whether `A` is `B`, and only the lower triangle of the sum is read.
    square: bool,
}

impl<'a, T: Cell> Task<'a, T> {
    fn new(at: Place<'a>, a: MatRef<'a, T>, b: MatRef<'a, T>, alpha: f64) -> Self {
        Self {
            at,
            a,
            b,
            alpha,
            square: false,
        }
    }

    fn square(at: Place<'a>, a: MatRef<'a, T>, alpha: f64) -> Self {
        Self {
            square: true,
            ..Self::new(at, a, a, alpha)
        }
    }

    fn run(self) -> Result<()> {
        let Place { row, col, block } = self.at;
        let (a, b) = (
            self.a.subcols(row, block.nrows()),
            self.b.subcols(col, block.ncols()),
        );
        match self.square && row == col {
            true => T::add_square(block, a, self.alpha),
            false => T::add_product(block, a, b, self.alpha),
        }
        Ok(())
    }
}

/// The blocks of a square matrix; of its lower triangle only, if so wanted.
fn blocks<'a>(matrix: MatMut<'a, f64>, lower: bool) -> impl Iterator<Item = Place<'a>> {
    let mut found = Vec::new();
    let mut rest = matrix;
    let mut col = 0;
    while rest.ncols() > 0 {
        let width = BLOCK.min(rest.ncols());
        let (mut strip, after) = rest.split_at_col_mut(width);
        rest = after;
        let mut row = 0;
        while strip.nrows() > 0 {
            let height = BLOCK.min(strip.nrows());
            let (block, below) = strip.split_at_row_mut(height);
            if !lower || row >= col {
                found.push(Place { row, col, block });
            }
            strip = below;
            row += height;
        }
        col += width;
    }
    found.into_iter()
}

fn overflow() -> Error {
    Error::NotFinite {
        phase: PHASE,
        hint: "scale the columns to comparable size or lower the kernel's degree".into(),
    }
}
