//! Functions of a symmetric operator, `f(A)·b`, by Lanczos.
//!
//! Each column of the block runs its own Lanczos process; all share the product
//! with `A`. After `k` steps `A V = V T + …` with a k × k tridiagonal `T`, and
//! `f(A) b ≈ ‖b‖ V f(T) e₁`: one Krylov space serves every function, a
//! polynomial of degree q is exact after q + 1 steps, and because `V` is
//! orthonormal the change of the coefficients `f(T) e₁` between two looks is the
//! change of the result. Nothing is reorthogonalised: copies of eigenvalues that
//! rounding brings into `T` repeat what is there and delay convergence without
//! biasing it.
//!
//! V. L. Druskin and L. A. Knizhnerman, *Two polynomial methods of calculating
//! functions of symmetric matrices*, USSR Comput. Math. Math. Phys. 29 (1989);
//! N. J. Higham, *Functions of Matrices*, ch. 13 (2008).

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::linalg::{Block, Mat, block, eigen, tiles};
use crate::monitor::{Event, Monitor};
use crate::operator::Operator;
use crate::spectrum::{Resolvent, SpectralFunction};

const PHASE: &str = "matrix functions by lanczos";

/// Rows in one chunk of a parallel sum.
const CHUNK: usize = 2048;

/// Below this many steps two looks in a row must be satisfied.
const YOUNG: usize = 8;

/// So many looks in a row that do not halve the change, once it is below √ε, are
/// the end: the change is rounding.
const STALE: usize = 4;

/// What matrix functions cost and how good they are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct FunctionReport {
    /// Products with the whole block of the first pass.
    pub steps: usize,
    /// The worst column's and function's a posteriori estimate: how much the
    /// result changed between the last two looks, relative to it.
    pub error: f64,
    /// Whether every column reached the tolerance; if not, and steps were left,
    /// rounding stopped it short.
    pub converged: bool,
}

/// `f_k(A)·b` at the `watched` rows, for several functions from one Krylov
/// space; result `k` is watched × columns.
///
/// Cost: one product with `A` a step and, at steps growing by a quarter, one
/// tridiagonal eigenproblem a column, in parallel. Memory: three blocks and
/// `8 · watched · steps` bytes a column. The thread count does not change a bit.
///
/// # Errors
/// [`Error::Shape`] when the right-hand side or a watched row does not fit;
/// [`Error::NotFinite`] when a function or the process leaves the numbers;
/// [`Error::Cancelled`]. Not converging is no error: the report says it.
pub fn functions(
    operator: &dyn Operator,
    rhs: Block,
    functions: &[&dyn SpectralFunction],
    watched: &[usize],
    tolerance: f64,
    at_most: usize,
    monitor: &mut dyn Monitor,
) -> Result<(Vec<Mat<f64>>, FunctionReport)> {
    if let Some(&row) = watched.iter().find(|&&row| row >= rhs.rows()) {
        return Err(Error::Shape {
            what: "watched row, which must be below the operator's size",
            expected: rhs.rows(),
            got: row,
        });
    }
    let cols = rhs.cols();
    let process = Process::new(operator, rhs)?;
    let found = explore(process, functions, watched, tolerance, at_most, monitor)?;
    let results = (0..functions.len())
        .map(|f| {
            let mut result = Mat::zeros(watched.len(), cols);
            for c in 0..cols {
                let basis = found.seen[c].chunks_exact(watched.len().max(1));
                for (&y, rows) in found.columns[c].coefficients[f].iter().zip(basis) {
                    for (slot, v) in result.col_mut(c).iter_mut().zip(rows) {
                        *slot += y * v;
                    }
                }
            }
            result
        })
        .collect();
    Ok((results, found.report))
}

/// `f(A)·b` at every row, by two passes of the same recurrence: the first finds
/// the steps and the coefficients, the second sums.
///
/// Cost: two products a step, else as [`functions`]; memory five blocks,
/// whatever the number of steps.
///
/// # Errors
/// As [`functions`].
pub fn apply(
    operator: &dyn Operator,
    rhs: Block,
    function: &dyn SpectralFunction,
    tolerance: f64,
    at_most: usize,
    monitor: &mut dyn Monitor,
) -> Result<(Block, FunctionReport)> {
    let process = Process::new(operator, rhs.clone())?;
    let found = explore(process, &[function], &[], tolerance, at_most, monitor)?;
    // The same code on the same blocks, narrowed at the same steps, walks the
    // same vectors to the last bit.
    tiles::announce(PHASE, Some(found.report.steps), monitor)?;
    let mut solution = Block::zeros(rhs.rows(), rhs.cols())?;
    let mut sum = Block::zeros(rhs.rows(), rhs.cols())?;
    let mut process = Process::new(operator, rhs)?;
    let mut narrowed = found.narrowed.iter().peekable();
    for step in 0..found.report.steps {
        let scales: Vec<f64> = (process.active.iter().zip(process.inverses()))
            .map(|(&c, inverse)| {
                let y = &found.columns[c].coefficients[0];
                y.get(step).map_or(0.0, |y| y * inverse)
            })
            .collect();
        sum.add_scaled(&scales, &process.now);
        if step + 1 == found.report.steps {
            break;
        }
        process.step(monitor)?;
        if let Some((_, keep)) = narrowed.next_if(|(at, _)| *at == step + 1) {
            settle(&mut solution, &sum, &process.active);
            sum = sum.select(keep)?;
            process.narrow(keep)?;
        }
        if monitor.on(Event::Step { done: step + 1 }).is_break() {
            return Err(Error::Cancelled { phase: PHASE });
        }
    }
    settle(&mut solution, &sum, &process.active);
    Ok((solution, found.report))
}

fn settle(solution: &mut Block, sum: &Block, active: &[usize]) {
    for (slot, &column) in active.iter().enumerate() {
        solution.copy_column(column, sum, slot);
    }
}

/// One column's tridiagonal matrix.
#[derive(Debug, Clone)]
pub(super) struct Tridiagonal {
    /// `‖b‖`.
    pub(super) norm: f64,
    pub(super) diagonal: Vec<f64>,
    /// Beside the diagonal; the last one leads out of the space and is not
    /// part of `T`.
    pub(super) beside: Vec<f64>,
    /// The space is invariant: what it gives is exact.
    pub(super) ended: bool,
    largest: f64,
}

impl Tridiagonal {
    /// Eigenvalues and vectors of `T`.
    pub(super) fn eigen(&self) -> Result<eigen::Eigen> {
        let k = self.diagonal.len();
        eigen::tridiagonal(&self.diagonal, &self.beside[..k.saturating_sub(1)])
    }

    /// `‖b‖ Tʳ(I − ηT)⁻¹ e₁` by LDLᵀ; `None` unless `I − ηT` is positive definite.
    fn resolve(&self, Resolvent { eta, times }: Resolvent) -> Option<Vec<f64>> {
        let k = self.diagonal.len();
        let mut pivots = Vec::with_capacity(k);
        let mut x = Vec::with_capacity(k);
        let (mut pivot, mut value) = (1.0 - eta * *self.diagonal.first()?, self.norm);
        for i in 0..k {
            if i > 0 {
                let off = eta * self.beside[i - 1];
                value *= off / pivot;
                pivot = 1.0 - eta * self.diagonal[i] - off * off / pivot;
            }
            if !(pivot > 0.0 && value.is_finite()) {
                return None;
            }
            pivots.push(pivot);
            x.push(value / pivot);
        }
        for i in (0..k.saturating_sub(1)).rev() {
            x[i] += eta * self.beside[i] / pivots[i] * x[i + 1];
        }
        if !times {
            return Some(x);
        }
        let at = |i: usize| {
            let before = i.checked_sub(1).map_or(0.0, |j| self.beside[j] * x[j]);
            let after = x.get(i + 1).map_or(0.0, |v| self.beside[i] * v);
            before + self.diagonal[i] * x[i] + after
        };
        Some((0..k).map(at).collect())
    }
}

/// The Lanczos processes of a block's columns, in lockstep.
pub(super) struct Process<'a> {
    operator: &'a dyn Operator,
    /// The column of the right-hand side in each slot of the blocks.
    pub(super) active: Vec<usize>,
    /// Unnormalised vectors `r = β v`: the last but one, the last, and `A r`.
    old: Block,
    now: Block,
    image: Block,
    /// Each slot's `β` of `old` and of `now`; 0 once the column has ended.
    past: Vec<f64>,
    length: Vec<f64>,
    pub(super) columns: Vec<Tridiagonal>,
}

impl<'a> Process<'a> {
    pub(super) fn new(operator: &'a dyn Operator, rhs: Block) -> Result<Self> {
        super::direct::check_rows(operator.dim(), rhs.rows())?;
        let length: Vec<f64> = rhs.dots(&rhs).into_iter().map(f64::sqrt).collect();
        if length.iter().any(|norm| !norm.is_finite()) {
            return Err(overflow());
        }
        let columns = (length.iter())
            .map(|&norm| Tridiagonal {
                norm,
                diagonal: Vec::new(),
                beside: Vec::new(),
                ended: norm == 0.0,
                largest: 0.0,
            })
            .collect();
        Ok(Self {
            operator,
            active: (0..rhs.cols()).collect(),
            old: Block::zeros(rhs.rows(), rhs.cols())?,
            image: Block::zeros(rhs.rows(), rhs.cols())?,
            now: rhs,
            past: vec![0.0; length.len()],
            length,
            columns,
        })
    }

    /// `1/β` of each slot, 0 where the column has ended: the scales that make
    /// unit vectors.
    fn inverses(&self) -> Vec<f64> {
        let inverse = |&b: &f64| if b > 0.0 { 1.0 / b } else { 0.0 };
        self.length.iter().map(inverse).collect()
    }

    /// One more row of every `T`.
    pub(super) fn step(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        self.operator
            .apply(self.now.as_mat(), self.image.as_mat_mut(), monitor)?;
        let inverse = self.inverses();
        let back: Vec<f64> = (self.length.iter().zip(&self.past))
            .map(|(&b, &past)| if past > 0.0 { b / past } else { 0.0 })
            .collect();
        // u ← A v − β v_old, in the place of v_old; α = ⟨v, u⟩ ; u ← u − α v
        let dots = advance(&mut self.old, &self.image, &self.now, &inverse, &back);
        let alpha: Vec<f64> = dots.iter().zip(&inverse).map(|(d, i)| d * i).collect();
        let minus: Vec<f64> = alpha.iter().zip(&inverse).map(|(a, i)| -a * i).collect();
        let squares = self.old.add_scaled_and_square(&minus, &self.now);
        std::mem::swap(&mut self.old, &mut self.now);
        self.past = std::mem::take(&mut self.length);
        self.length = vec![0.0; self.active.len()];
        for (slot, &c) in self.active.iter().enumerate() {
            let column = &mut self.columns[c];
            if column.ended {
                continue;
            }
            let beta = squares[slot].sqrt();
            if !(alpha[slot].is_finite() && beta.is_finite()) {
                return Err(overflow());
            }
            column.diagonal.push(alpha[slot]);
            column.beside.push(beta);
            column.largest = column.largest.max(alpha[slot].abs()).max(beta);
            // What is left is rounding: the space is invariant.
            column.ended = beta <= 16.0 * f64::EPSILON * column.largest;
            if !column.ended {
                self.length[slot] = beta;
            }
        }
        Ok(())
    }

    /// Keeps the given slots only.
    fn narrow(&mut self, keep: &[usize]) -> Result<()> {
        self.old = self.old.select(keep)?;
        self.now = self.now.select(keep)?;
        self.image = Block::zeros(self.image.rows(), keep.len())?;
        let pick = |from: &[f64]| -> Vec<f64> { keep.iter().map(|&slot| from[slot]).collect() };
        (self.past, self.length) = (pick(&self.past), pick(&self.length));
        self.active = keep.iter().map(|&slot| self.active[slot]).collect();
        Ok(())
    }
}

/// `old ← image·diag(a) − old·diag(b)` and the column-wise `Σ now·old` after it.
fn advance(old: &mut Block, image: &Block, now: &Block, a: &[f64], b: &[f64]) -> Vec<f64> {
    let (stride, cols) = (old.stride(), old.cols());
    let wide = |values: &[f64]| {
        let mut wide = values.to_vec();
        wide.resize(stride, 0.0);
        wide
    };
    let (a, b) = (wide(a), wide(b));
    let partial: Vec<Vec<f64>> = (old.as_slice_mut().par_chunks_mut(stride * CHUNK))
        .zip(image.as_slice().par_chunks(stride * CHUNK))
        .zip(now.as_slice().par_chunks(stride * CHUNK))
        .map(|((old, image), now)| {
            let mut sum = vec![0.0; stride];
            let rows = old
                .chunks_exact_mut(stride)
                .zip(image.chunks_exact(stride))
                .zip(now.chunks_exact(stride));
            for ((old, image), now) in rows {
                for c in 0..stride {
                    let u = a[c] * image[c] - b[c] * old[c];
                    old[c] = u;
                    sum[c] += u * now[c];
                }
            }
            sum
        })
        .collect();
    let mut total = vec![0.0; cols];
    for part in partial {
        total.iter_mut().zip(part).for_each(|(t, p)| *t += p);
    }
    total
}

/// What is known of one column's results.
#[derive(Default)]
struct Known {
    /// `‖b‖ f(T) e₁`, one for each function.
    coefficients: Vec<Vec<f64>>,
    error: f64,
    /// Looks in a row that were satisfied.
    satisfied: usize,
    /// The smallest error seen, and looks in a row that did not halve it.
    best: f64,
    stale: usize,
    done: bool,
}

struct Found {
    columns: Vec<Known>,
    /// Each column's watched rows of `V`, one step after the other.
    seen: Vec<Vec<f64>>,
    /// After which step the block kept which slots.
    narrowed: Vec<(usize, Vec<usize>)>,
    report: FunctionReport,
}

/// Runs the processes until every column's coefficients have settled.
fn explore(
    mut process: Process<'_>,
    functions: &[&dyn SpectralFunction],
    watched: &[usize],
    tolerance: f64,
    at_most: usize,
    monitor: &mut dyn Monitor,
) -> Result<Found> {
    tiles::announce(PHASE, None, monitor)?;
    let mut columns: Vec<Known> = (process.columns.iter())
        .map(|column| Known {
            coefficients: vec![Vec::new(); functions.len()],
            error: if column.ended { 0.0 } else { f64::INFINITY },
            satisfied: 0,
            best: f64::INFINITY,
            stale: 0,
            done: column.ended,
        })
        .collect();
    let mut seen = vec![Vec::new(); columns.len()];
    let mut narrowed = Vec::new();
    let (mut steps, mut look) = (0, 2);
    while steps < at_most && columns.iter().any(|c| !c.done) {
        watch(&process, watched, &mut seen);
        process.step(monitor)?;
        steps += 1;
        let due = steps >= look || steps == at_most;
        if due {
            look = (steps + 1).max(steps + steps / 4);
        }
        let work: Vec<(&Tridiagonal, &mut Known)> = (process.columns.iter().zip(&mut columns))
            .filter(|(t, known)| !known.done && (due || t.ended))
            .collect();
        tiles::sweep(PHASE, work, monitor, |(t, known)| {
            evaluate(t, functions, tolerance, known)
        })?;
        let relative = columns.iter().fold(0.0, |worst: f64, c| worst.max(c.error));
        let event = if relative.is_finite() {
            Event::Residual {
                iteration: steps,
                relative,
            }
        } else {
            Event::Tick
        };
        if monitor.on(event).is_break() {
            return Err(Error::Cancelled { phase: PHASE });
        }
        let keep: Vec<usize> = (0..process.active.len())
            .filter(|&slot| !columns[process.active[slot]].done)
            .collect();
        if !keep.is_empty() && block::padded(keep.len()) < process.now.stride() {
            process.narrow(&keep)?;
            narrowed.push((steps, keep));
        }
    }
    let report = FunctionReport {
        steps,
        error: columns.iter().fold(0.0, |worst: f64, c| worst.max(c.error)),
        converged: columns.iter().all(|c| c.error <= tolerance),
    };
    Ok(Found {
        columns,
        seen,
        narrowed,
        report,
    })
}

/// Notes the watched rows of the vectors that are about to be multiplied.
fn watch(process: &Process<'_>, watched: &[usize], seen: &mut [Vec<f64>]) {
    let inverse = process.inverses();
    for (slot, &c) in process.active.iter().enumerate() {
        if inverse[slot] > 0.0 {
            let value = |&row: &usize| process.now.row(row)[slot] * inverse[slot];
            seen[c].extend(watched.iter().map(value));
        }
    }
}

/// `‖b‖ f(T) e₁` from the eigenvalues and vectors of `T`.
fn spectral(eigen: &eigen::Eigen, function: &dyn SpectralFunction, norm: f64) -> Result<Vec<f64>> {
    let mut out = vec![0.0; eigen.values.len()];
    for (i, &value) in eigen.values.iter().enumerate() {
        let f = function.at(value);
        if !f.is_finite() {
            return Err(Error::NotFinite {
                phase: PHASE,
                hint: format!("the function is {f} at {value}; keep its poles off the spectrum"),
            });
        }
        let vector = eigen.vectors.col(i);
        let scale = norm * f * vector[0];
        for (slot, u) in out.iter_mut().zip(vector.iter()) {
            *slot += scale * u;
        }
    }
    Ok(out)
}

/// One look: the coefficients of every function and how much they changed.
fn evaluate(
    t: &Tridiagonal,
    functions: &[&dyn SpectralFunction],
    tolerance: f64,
    known: &mut Known,
) -> Result<()> {
    let k = t.diagonal.len();
    let mut eigen = None;
    let mut error = 0.0_f64;
    for (function, old) in functions.iter().zip(&mut known.coefficients) {
        let short = function.resolvent().and_then(|parts| t.resolve(parts));
        let new = match (short, &mut eigen) {
            (Some(new), _) => new,
            (None, Some(eigen)) => spectral(eigen, *function, t.norm)?,
            (None, none) => spectral(none.insert(t.eigen()?), *function, t.norm)?,
        };
        let square = |change: f64, y: f64| change + y * y;
        let size = new.iter().copied().fold(0.0, square);
        let padded = old.iter().copied().chain(std::iter::repeat(0.0));
        let change = (new.iter().zip(padded)).fold(0.0, |sum, (a, b)| square(sum, a - b));
        if !size.is_finite() {
            return Err(overflow());
        }
        if change > 0.0 {
            error = error.max((change / size).sqrt());
        }
        *old = new;
    }
    known.error = if t.ended { 0.0 } else { error };
    let satisfied = known.error <= tolerance;
    known.satisfied = if satisfied { known.satisfied + 1 } else { 0 };
    known.stale = if known.error < 0.5 * known.best {
        known.best = known.error;
        0
    } else {
        known.stale + 1
    };
    // The digits of the arithmetic are used up: more steps only cost.
    let stagnated = known.stale >= STALE && known.error <= f64::EPSILON.sqrt();
    known.done = t.ended || stagnated || known.satisfied >= if k < YOUNG { 2 } else { 1 };
    Ok(())
}

fn overflow() -> Error {
    Error::NotFinite {
        phase: PHASE,
        hint: "rescale the data: numbers overflow".to_owned(),
    }
}
