//! Functions of a symmetric operator, `f(A)·b`, by Lanczos.
//!
//! Each column of the block runs its own Lanczos process; all share the product
//! with `A`. After `k` steps `A V = V T + …` with a k × k tridiagonal `T`, and
//! `f(A) b ≈ ‖b‖ V f(T) e₁`: one Krylov space serves every function, a
//! polynomial of degree q is exact after q + 1 steps, and because `V` is
//! orthonormal the change of the coefficients `f(T) e₁` between two looks is the
//! change of the result. For the resolvents `(I − ηA)⁻¹ b` of a grid the residual
//! itself is known at every step by a two-term recurrence, the same as that of
//! conjugate gradients on each shifted system. Nothing is reorthogonalised: copies
//! of eigenvalues that rounding brings into `T` repeat what is there and delay
//! convergence without biasing it.
//!
//! V. L. Druskin and L. A. Knizhnerman, *Two polynomial methods of calculating
//! functions of symmetric matrices*, USSR Comput. Math. Math. Phys. 29 (1989);
//! N. J. Higham, *Functions of Matrices*, ch. 13 (2008).

mod finite;
mod process;
mod settle;

pub(super) use process::Process;

use rayon::prelude::*;

use self::finite::{PHASE, finite};
use self::process::Tridiagonal;
use self::settle::{Known, evaluate};
use crate::error::{Error, Result};
use crate::linalg::{Block, Mat, block, tiles};
use crate::monitor::{Event, Monitor};
use crate::operator::{Modes, Operator};
use crate::spectrum::SpectralFunction;

/// An operator to take functions of, and what is known of it.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// `A`.
    pub operator: &'a dyn Operator,
    /// Exact eigenvectors with eigenvalue 1: multiplied by `f(1)`, exactly, and
    /// kept out of the Krylov space, which need not resolve them.
    pub modes: Option<&'a Modes>,
}

impl<'a> Target<'a> {
    /// An operator of which nothing is known.
    pub fn new(operator: &'a dyn Operator) -> Self {
        let modes = None;
        Self { operator, modes }
    }
}

/// What matrix functions cost and how good they are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct FunctionReport {
    /// Products with the whole block of the first pass.
    pub steps: usize,
    /// The worst column's and function's a posteriori estimate: of a resolvent
    /// the residual relative to the right-hand side, but no less than what
    /// rounding leaves of it; of any other function how much the result changed
    /// between the last two looks, relative to it.
    pub error: f64,
    /// Whether every column reached the tolerance; if not, and steps were left,
    /// rounding stopped it short.
    pub converged: bool,
}

/// `f_k(A)·b` at the `watched` rows, for several functions from one Krylov
/// space; result `k` is watched × columns.
///
/// Cost: one product with `A` a step and, unless all functions are resolvents, at
/// steps growing by a quarter one tridiagonal eigenproblem a column, in parallel.
/// Memory: three blocks and `8 · watched · steps` bytes a column. The thread count
/// does not change a bit.
///
/// # Errors
/// [`Error::Shape`] when the right-hand side or a watched row does not fit;
/// [`Error::NotFinite`] when a function or the process leaves the numbers;
/// [`Error::Cancelled`]. Not converging is no error: the report says it.
pub fn functions(
    target: Target<'_>,
    mut rhs: Block,
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
    let known = Removed::from(&target, &mut rhs)?;
    let modes = known.as_ref().map(|known| &known.modes);
    let process = Process::new(target.operator, rhs)?.without(modes);
    let found = explore(process, functions, watched, tolerance, at_most, monitor)?;
    let mut results = found.combined(functions.len(), watched.len(), cols);
    if let Some(Removed { modes, overlaps }) = &known {
        for (result, function) in results.iter_mut().zip(functions) {
            let at_one = finite(*function, 1.0)?;
            for (k, &i) in watched.iter().enumerate() {
                let (component, entry) = (modes.component()[i] as usize, modes.entry(i));
                for j in 0..cols {
                    result[(k, j)] += at_one * entry * overlaps[(component, j)];
                }
            }
        }
    }
    Ok((results, found.report))
}

/// Known modes that a right-hand side had, and how much of them.
struct Removed {
    modes: Modes,
    overlaps: Mat<f64>,
}

impl Removed {
    /// Takes the known modes out of the right-hand side.
    fn from(target: &Target<'_>, rhs: &mut Block) -> Result<Option<Self>> {
        let Some(modes) = target.modes else {
            return Ok(None);
        };
        super::direct::check_rows(modes.component().len(), rhs.rows())?;
        let modes = modes.touched(rhs.as_mat());
        if modes.count() == 0 {
            return Ok(None);
        }
        let overlaps = modes.remove(rhs.as_mat_mut());
        Ok(Some(Self { modes, overlaps }))
    }
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
    target: Target<'_>,
    mut rhs: Block,
    function: &dyn SpectralFunction,
    tolerance: f64,
    at_most: usize,
    monitor: &mut dyn Monitor,
) -> Result<(Block, FunctionReport)> {
    let known = Removed::from(&target, &mut rhs)?;
    let modes = known.as_ref().map(|known| &known.modes);
    let process = Process::new(target.operator, rhs.clone())?.without(modes);
    let found = explore(process, &[function], &[], tolerance, at_most, monitor)?;
    // The same code on the same blocks, narrowed at the same steps, walks the
    // same vectors to the last bit.
    tiles::announce(PHASE, Some(found.report.steps), monitor)?;
    let mut solution = Block::zeros(rhs.rows(), rhs.cols())?;
    let mut sum = Block::zeros(rhs.rows(), rhs.cols())?;
    let mut process = Process::new(target.operator, rhs)?.without(modes);
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
    if let Some(Removed { modes, overlaps }) = &known {
        modes.remove(solution.as_mat_mut());
        let at_one = finite(function, 1.0)?;
        modes.add(at_one, overlaps.as_ref(), solution.as_mat_mut());
    }
    Ok((solution, found.report))
}

fn settle(solution: &mut Block, sum: &Block, active: &[usize]) {
    for (slot, &column) in active.iter().enumerate() {
        solution.copy_column(column, sum, slot);
    }
}

/// The watched rows of every column's vector at one step, row by row.
struct Seen {
    /// The column in each slot.
    active: Vec<usize>,
    rows: Vec<f64>,
}

struct Found {
    columns: Vec<Known>,
    seen: Vec<Seen>,
    /// After which step the block kept which slots.
    narrowed: Vec<(usize, Vec<usize>)>,
    report: FunctionReport,
}

impl Found {
    /// `V f(T) e₁ ‖b‖` at the watched rows, one matrix a function. Rows in
    /// parallel, each summed over the steps in their order.
    fn combined(&self, functions: usize, watched: usize, cols: usize) -> Vec<Mat<f64>> {
        let mut results = Vec::with_capacity(functions);
        for f in 0..functions {
            let weights: Vec<Vec<f64>> = (self.seen.iter().enumerate())
                .map(|(step, seen)| {
                    let weight = |&c: &usize| self.columns[c].coefficients[f].get(step);
                    let weights = seen.active.iter().map(weight);
                    weights.map(|w| w.copied().unwrap_or(0.0)).collect()
                })
                .collect();
            let mut sums = vec![0.0; watched * cols];
            (sums.par_chunks_mut(cols.max(1)).enumerate()).for_each(|(row, sum)| {
                for (seen, weights) in self.seen.iter().zip(&weights) {
                    let width = weights.len();
                    let values = &seen.rows[row * width..][..width];
                    for ((&c, v), w) in seen.active.iter().zip(values).zip(weights) {
                        sum[c] += v * w;
                    }
                }
            });
            results.push(Mat::from_fn(watched, cols, |i, j| sums[i * cols + j]));
        }
        results
    }
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
        .map(|column| Known::new(column, functions))
        .collect();
    let mut seen = Vec::new();
    let mut narrowed = Vec::new();
    let (mut steps, mut look) = (0, 2);
    while steps < at_most && columns.iter().any(|c| !c.done) {
        if !watched.is_empty() {
            seen.push(watch(&process, watched));
        }
        process.step(monitor)?;
        steps += 1;
        let due = steps >= look || steps == at_most;
        if due {
            look = (steps + 1).max(steps + steps / 4);
        }
        let work: Vec<(&Tridiagonal, &mut Known)> = (process.columns.iter().zip(&mut columns))
            .filter(|(_, known)| !known.done)
            .filter_map(|(t, known)| {
                let settled = known.follow(t, tolerance);
                let now = settled.unwrap_or(due) || t.ended || steps == at_most;
                now.then_some((t, known))
            })
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

/// The watched rows of the vectors that are about to be multiplied.
fn watch(process: &Process<'_>, watched: &[usize]) -> Seen {
    let inverse = process.inverses();
    let width = inverse.len();
    let mut rows = vec![0.0; watched.len() * width];
    (rows.par_chunks_mut(width.max(1)).zip(watched)).for_each(|(out, &row)| {
        let values = process.now.row(row).iter().zip(&inverse);
        for (slot, (v, inverse)) in out.iter_mut().zip(values) {
            *slot = v * inverse;
        }
    });
    Seen {
        active: process.active.clone(),
        rows,
    }
}
