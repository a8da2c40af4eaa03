//! The moments Σ̂, L̂ and the mean of a basis over rows, in one pass.  [KLAP Eq 8, Alg. 1]
//!
//! `n·T*Σ̂T = ΦᵀΦ` and `n·T*L̂T = Σₗ⟨∇φᵢ(xₗ), ∇φⱼ(xₗ)⟩` are sums over rows: they can be
//! added to, tile by tile, and merged, part by part, so rows may come from memory, a
//! file or several machines. O(np² + npd) for landmarks and waves, whatever d.
//!
//! A panel of rows is evaluated in parallel by rows, then multiplied in parallel by
//! blocks of the p×p sums: the thread count changes no bit. Panels begin at multiples of
//! 1024 rows of the whole table, wherever a part begins; rows of a panel that is not
//! complete wait beside the sums until the part with the others is merged. With
//! compensated sums nor does it matter how rows were dealt to parts, and what order they
//! were merged in: near the end of what sums resolve, rounding would be seen in the sixth
//! digit of a prediction.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::cell::{Cell, Scales, Tables, scale};
use super::sums::{Sums, Task};
use super::{Features, Form, ROWS, check};
use crate::data::{Points, Ranges};
use crate::error::{Error, Refusal, Result};
use crate::linalg::rows::{Flat, Rows, runs};
use crate::linalg::{Mat, MatRef, Precision, tiles};
use crate::monitor::{Monitor, Quiet};

const PHASE: &str = "moments of the basis";

/// Rows evaluated together.
pub(super) const PANEL: usize = 1024;

/// In single precision one panel of so many is summed in double precision too, its first
/// tile, to see what is lost.
const LOOKED_AT: usize = 8;

/// Rows of a panel that tell the size of its numbers.
const SIZED_BY: usize = 16;

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
pub struct BasisMoments {
    pub(super) features: Arc<dyn Features>,
    pub(super) wanted: Wanted,
    pub(super) precision: Precision,
    pub(super) ranges: Ranges,
    /// Rows of panels that are not complete, by the number of the first.
    pub(super) waiting: BTreeMap<usize, Vec<f64>>,
    /// Whether any panel is in the sums.
    pub(super) summed: bool,
    pub(super) mean: Sums,
    /// `ΦᵀΦ`, lower triangle.
    pub(super) covariance: Sums,
    /// `gᵀg` (or `ZᵀZ`), lower triangle.
    pub(super) first: Sums,
    /// `(g∘R)ᵀg`, all of it.
    pub(super) second: Sums,
    /// What single precision changed in the energy of the tiles looked at.
    pub(super) off: Option<Seen>,
}

/// Tiles that were summed in both precisions.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) tiles: usize,
    /// The sum of the differences of their energies.
    pub(super) off: Sums,
    /// The largest of the differences relative to the energy itself.
    pub(super) worst: f64,
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
    /// against double precision on a tile of every eighth panel.
    pub rounding: f64,
    /// For single precision, a difference from `T*L̂T` of the size that was measured: the
    /// sum over k tiles looked at, by √k, which is a tile's where errors are independent
    /// and more where they are not.
    pub off: Option<Mat<f64>>,
}

impl BasisMoments {
    /// Nothing seen yet. Memory: up to six p×p matrices.
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
        let square = |yes: bool| Sums::zeros(if yes { p } else { 0 }, if yes { p } else { 0 });
        let form = features.form();
        Self {
            ranges: Ranges::default(),
            waiting: BTreeMap::new(),
            summed: false,
            mean: Sums::zeros(p, 1),
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
        8 * (6 * p * p + 3 * panel * p)
    }

    /// Rows seen.
    pub fn count(&self) -> usize {
        self.ranges.count()
    }

    /// Takes in the rows that follow those seen.
    ///
    /// # Errors
    /// As [`BasisMoments::add_at`].
    pub fn add(&mut self, rows: &Points, monitor: &mut dyn Monitor) -> Result<()> {
        self.add_at(rows, self.ranges.end(), monitor)
    }

    /// Takes in the rows `first …` of the whole table. Sparse rows are taken to be the last:
    /// they are not dealt to parts, and none of them waits.
    ///
    /// # Errors
    /// [`Error::Shape`] when the rows have other columns; [`Error::Refused`] when a row was
    /// seen before; [`Error::NotFinite`] when a sum overflows and [`Error::Cancelled`],
    /// after which the sums are not to be used.
    pub fn add_at(&mut self, rows: &Points, first: usize, monitor: &mut dyn Monitor) -> Result<()> {
        let d = self.features.dim();
        check(d, rows)?;
        self.ranges.insert(first, rows.len())?;
        tiles::announce(PHASE, Some(rows.len().div_ceil(PANEL)), monitor)?;
        let head = (first.next_multiple_of(PANEL) - first).min(rows.len());
        let whole = (rows.len() - head) / PANEL * PANEL;
        if rows.is_sparse() {
            return self.sum((rows, 0..rows.len()), first / PANEL, monitor);
        }
        self.wait(first, &rows.tile(0..head), monitor)?;
        self.sum((rows, head..head + whole), (first + head) / PANEL, monitor)?;
        let rest = head + whole;
        self.wait(first + rest, &rows.tile(rest..rows.len()), monitor)
    }

    /// Rows of one panel that is perhaps not complete.
    fn wait(&mut self, first: usize, rows: &[f64], monitor: &mut dyn Monitor) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let (d, panel) = (self.features.dim(), first / PANEL);
        let beside = self.waiting.range(panel * PANEL..first).next_back();
        let before = beside.filter(|(at, rows)| **at + rows.len() / d == first);
        let at = before.map_or(first, |(at, _)| *at);
        let piece = self.waiting.entry(at).or_default();
        piece.extend_from_slice(rows);
        let end = at + piece.len() / d;
        if end < (panel + 1) * PANEL
            && let Some(after) = self.waiting.remove(&end)
            && let Some(piece) = self.waiting.get_mut(&at)
        {
            piece.extend_from_slice(&after);
        }
        if (self.waiting.get(&at)).is_some_and(|piece| piece.len() == PANEL * d)
            && let Some(piece) = self.waiting.remove(&at)
        {
            self.sum((&Flat::new(&piece, d), 0..PANEL), panel, monitor)?;
        }
        Ok(())
    }

    /// Adds panels, the first of them of this number.
    fn sum(&mut self, rows: Piece<'_>, panel: usize, monitor: &mut dyn Monitor) -> Result<()> {
        if rows.1.is_empty() {
            return Ok(());
        }
        self.summed = true;
        match (self.features.form(), self.precision) {
            (Form::Explicit, _) => self.explicit(rows, monitor),
            (form, Precision::Double) => {
                let tables = form.tables();
                self.factored::<f64>(rows, tables, monitor)
            }
            (form, Precision::Single) => {
                let tables = form.tables();
                for (k, own) in parts(&rows.1, PANEL).enumerate() {
                    if (panel + k).is_multiple_of(LOOKED_AT) {
                        self.measure((rows.0, own), monitor)?;
                    }
                }
                self.factored::<f32>(rows, tables, monitor)
            }
        }
    }

    /// What single precision changes in the energy of the first tile of these rows.
    fn measure(&mut self, rows: Piece<'_>, monitor: &mut dyn Monitor) -> Result<()> {
        let tile = first_of(&rows.1, ROWS);
        let tables = self.features.form().tables();
        let energy = |precision: Precision, monitor: &mut dyn Monitor| {
            let mut alone = Self::with_precision(self.features.clone(), Wanted::Energy, precision);
            alone.ranges.insert(0, tile.len())?;
            let tile = (rows.0, tile.clone());
            match precision {
                Precision::Double => alone.factored::<f64>(tile, tables, monitor)?,
                Precision::Single => alone.factored::<f32>(tile, tables, monitor)?,
            }
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
        let low = Mat::zeros(off.nrows(), off.ncols());
        self.look(&Seen {
            tiles: 1,
            off: Sums { high: off, low },
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
                seen.off.merge(&at.off);
                seen.worst = seen.worst.max(at.worst);
            }
        }
    }

    /// Panel after panel by the tables of the form.
    fn factored<T: Cell>(
        &mut self,
        (table, all): Piece<'_>,
        tables: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let p = self.features.len();
        let most = PANEL.min(all.len()) * p;
        let room = |yes: bool| vec![T::ZERO; if yes { most } else { 0 }];
        let (mut values, mut first, mut second) = (room(true), room(true), room(tables > 1));
        let mut sums = vec![0.0; PANEL.div_ceil(ROWS) * p];
        for (done, panel) in parts(&all, PANEL).enumerate() {
            let count = panel.len();
            let scales = if T::SCALED {
                scales(&*self.features, (table, first_of(&panel, SIZED_BY)))
            } else {
                [1.0; 3]
            };
            let alpha = |a: usize, b: usize| 1.0 / (scales[a] * scales[b]);
            let side = (ROWS * p).max(1);
            let mut seconds = second[..if tables > 1 { count * p } else { 0 }].chunks_mut(side);
            let parts: Vec<Part<'_, T>> = (parts(&panel, ROWS))
                .zip(values[..count * p].chunks_mut(side))
                .zip(first[..count * p].chunks_mut(side))
                .zip(sums.chunks_mut(p.max(1)))
                .map(|(((rows, values), first), sum)| Part {
                    rows: (table, rows),
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
                (sum.iter().enumerate()).for_each(|(j, v)| self.mean.add(j, 0, *v));
            }
            let whole = |of| MatRef::from_row_major_slice(of, count, p);
            let mut work = Vec::new();
            if self.wanted == Wanted::Both {
                let a = whole(&values[..count * p]);
                let at = self.covariance.blocks(true).into_iter();
                work.extend(at.map(|at| Task::square(at, a, alpha(0, 0))));
            }
            let b = whole(&first[..count * p]);
            let at = self.first.blocks(true).into_iter();
            work.extend(at.map(|at| Task::square(at, b, alpha(1, 1))));
            if tables > 1 {
                let a = whole(&second[..count * p]);
                let at = self.second.blocks(false).into_iter();
                work.extend(at.map(|at| Task::new(at, a, b, alpha(2, 1))));
            }
            tiles::sweep(PHASE, work, monitor, |task| {
                task.run();
                Ok(())
            })?;
            tiles::done(PHASE, done + 1, monitor)?;
        }
        Ok(())
    }

    /// Panel after panel with its gradients written out.
    fn explicit(&mut self, (table, all): Piece<'_>, monitor: &mut dyn Monitor) -> Result<()> {
        let (p, d) = (self.features.len(), self.features.dim());
        // A panel of gradients of at most 64 MB at a time.
        let each = ((1 << 23) / (d * p).max(1)).clamp(1, ROWS);
        for (done, panel) in parts(&all, PANEL).enumerate() {
            for rows in parts(&panel, each) {
                let count = rows.len();
                let rows = &*table.tile(rows);
                let (mut values, mut panel) = (vec![0.0; count * p], vec![0.0; count * d * p]);
                self.features.values(rows, &mut values);
                self.features.gradients(rows, &mut panel);
                for row in values.chunks_exact(p.max(1)) {
                    (row.iter().enumerate()).for_each(|(j, v)| self.mean.add(j, 0, *v));
                }
                let mut work = Vec::new();
                if self.wanted == Wanted::Both {
                    let a = MatRef::from_row_major_slice(&values, count, p);
                    let at = self.covariance.blocks(true).into_iter();
                    work.extend(at.map(|at| Task::square(at, a, 1.0)));
                }
                let a = MatRef::from_row_major_slice(&panel, count * d, p);
                let at = self.first.blocks(true).into_iter();
                work.extend(at.map(|at| Task::square(at, a, 1.0)));
                tiles::sweep(PHASE, work, monitor, |task| {
                    task.run();
                    Ok(())
                })?;
            }
            tiles::done(PHASE, done + 1, monitor)?;
        }
        Ok(())
    }

    /// Takes in what another pass over other rows has summed, of the same basis.
    ///
    /// # Errors
    /// [`Error::Refused`] when the other sums are of another basis, of other moments or of
    /// rows that are in these, and then nothing has changed; [`Error::NotFinite`] when a
    /// sum overflows.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let same = Arc::ptr_eq(&self.features, &other.features)
            || self.features.fingerprint() == other.features.fingerprint();
        if !same || (self.wanted, self.precision) != (other.wanted, other.precision) {
            return Err(Error::refused(
                Refusal::Parts,
                "moments of different bases cannot be merged",
                "start both parts with one basis and the same moments",
            ));
        }
        self.ranges = self.ranges.joined(&other.ranges)?;
        if other.summed {
            self.summed = true;
            self.mean.merge(&other.mean);
            self.covariance.merge(&other.covariance);
            self.first.merge(&other.first);
            self.second.merge(&other.second);
        }
        if let Some(seen) = &other.off {
            self.look(seen);
        }
        for (first, rows) in &other.waiting {
            self.wait(*first, rows, &mut Quiet)?;
        }
        Ok(())
    }

    /// The means over all rows seen.
    ///
    /// # Errors
    /// [`Error::Refused`] when there was none, or some are missing before the last;
    /// [`Error::NotFinite`].
    pub fn finish(mut self) -> Result<Averages> {
        let count = self.count();
        if count == 0 {
            return Err(Error::refused(
                Refusal::TooFewRows,
                "no row was added to the moments",
                "give at least one row",
            ));
        }
        self.ranges.check_whole()?;
        // Only the end of the table can still wait.
        for (first, rows) in std::mem::take(&mut self.waiting) {
            let d = self.features.dim();
            let rows = Flat::new(&rows, d);
            self.sum((&rows, 0..rows.count()), first / PANEL, &mut Quiet)?;
        }
        let (p, n) = (self.features.len(), count as f64);
        let first = |i: usize, j: usize| self.first.at(i.max(j), i.min(j));
        let energy = match self.features.form() {
            Form::Distances(between) => Mat::from_fn(p, p, |i, j| {
                let cross = self.second.at(i, j) + self.second.at(j, i);
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
            .then(|| Mat::from_fn(p, p, |i, j| self.covariance.at(i.max(j), i.min(j)) / n));
        Ok(Averages {
            count,
            mean: (0..p).map(|j| self.mean.at(j, 0) / n).collect(),
            covariance,
            energy,
            rounding: (self.off.as_ref()).map_or(f64::EPSILON, |s| s.worst.max(f64::EPSILON)),
            off: (self.off.as_ref()).map(|s| {
                let by = 1.0 / (s.tiles as f64).sqrt();
                Mat::from_fn(p, p, |i, j| by * s.off.at(i, j))
            }),
        })
    }
}

/// Rows of a table.
type Piece<'a> = (&'a dyn Rows, Range<usize>);

/// Rows in runs of at most so many.
fn parts(rows: &Range<usize>, each: usize) -> impl Iterator<Item = Range<usize>> + use<> {
    let first = rows.start;
    runs(rows.len(), each).map(move |run| first + run.start..first + run.end)
}

/// The first so many of some rows.
fn first_of(rows: &Range<usize>, count: usize) -> Range<usize> {
    rows.start..rows.end.min(rows.start + count)
}

/// What brings the tables of these rows near 1.
fn scales(features: &dyn Features, (table, rows): Piece<'_>) -> Scales {
    let size = rows.len() * features.len();
    let mut tables = [vec![0.0; size], vec![0.0; size], vec![0.0; size]];
    let [values, first, second] = &mut tables;
    features.factors_of((table, rows), [values, first, second], Precision::Double);
    [scale(values), scale(first), scale(second)]
}

/// Rows, and the parts of the tables and the sum of values they fill.
struct Part<'a, T> {
    rows: Piece<'a>,
    tables: Tables<'a, T>,
    sum: &'a mut [f64],
}

impl<T: Cell> Part<'_, T> {
    fn fill(mut self, features: &dyn Features) -> Result<()> {
        T::fill(features, self.rows, &mut self.tables);
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

fn overflow() -> Error {
    Error::NotFinite {
        phase: PHASE,
        hint: "scale the columns to comparable size or lower the kernel's degree".into(),
    }
}
