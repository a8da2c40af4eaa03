//! The leading eigenpairs of a symmetric operator.
//!
//! Block Lanczos on a Chebyshev-filtered operator, with full orthogonalisation
//! by matrix products and thick restarts. The filter makes the wanted end of the
//! spectrum so prominent that the basis need hardly be larger than the number of
//! pairs: on sparse graphs a product costs far less than orthogonalising its
//! result. A block finds at most as many copies of a repeated eigenvalue as it
//! is wide, so a search is only over when another one, from random directions
//! orthogonal to everything found, meets nothing that belongs among the wanted.
//!
//! The Rayleigh–Ritz step, the values and the residuals at the end are those of
//! the operator itself; the filter decides about speed only.
//!
//! K. Wu and H. Simon, *Thick-restart Lanczos method for large symmetric
//! eigenvalue problems*, SIAM J. Matrix Anal. Appl. 22 (2000); Y. Zhou and
//! Y. Saad, *Block Krylov–Schur method for large symmetric eigenvalue
//! problems*, Numer. Algorithms 47 (2008).

mod basis;
mod filter;

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use self::basis::{Basis, PHASE, fill, times};
use self::filter::{Density, Filter};
use crate::error::{Error, Result};
use crate::linalg::{Block, Mat, eigen, tiles};
use crate::monitor::{Event, Monitor};
use crate::operator::Symmetric;

/// Operators up to this size are decomposed whole.
pub(super) const DENSE: usize = 1500;

/// Columns multiplied together, for few pairs and for many.
const NARROW: usize = 8;
const WIDE: usize = 16;

/// Columns of a panel of plain products.
const PANEL: usize = 64;

/// Columns multiplied together at most, where eigenvalues repeat.
const WIDEST: usize = 64;

/// Times a search for missed copies may fill the basis.
const PATIENCE: usize = 8;

/// How far above the last wanted value, as a part of the filtered spectrum below
/// it, a pair must lie for a search to answer for it: nearer ones may be the next
/// of a dense spectrum.
const SLACK: f64 = 0.01;

/// The part of its expected square `b/n` that a missed eigenvector has at least
/// in a random block of b columns: less has a probability of 2e-4 for b = 8
/// and of 1e-8 for b = 16 (the χ² distribution).
const SHARE: f64 = 0.05;

/// The leading eigenpairs found.
#[derive(Debug, Clone)]
#[must_use]
pub struct Leading {
    /// The algebraically largest eigenvalues, descending.
    pub values: Vec<f64>,
    /// N × count, orthonormal; the entry of largest magnitude of each is positive.
    pub vectors: Mat<f64>,
    /// `‖Av − λv‖`, from one more product with the vectors returned.
    pub residuals: Vec<f64>,
    /// Columns multiplied with the operator, all phases together.
    pub products: usize,
    /// Whether every residual is within the tolerance and a last search met no
    /// pair that was missed.
    pub converged: bool,
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeadingOptions {
    /// On `‖Av − λv‖ / max|λ|`.
    pub tolerance: f64,
    /// Seeds the random directions.
    pub seed: u64,
    /// Restarts allowed.
    pub at_most: usize,
}

impl Default for LeadingOptions {
    /// Residuals of 1e-10, seed 0, 50 restarts.
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            seed: 0,
            at_most: 50,
        }
    }
}

/// The `count` algebraically largest eigenpairs.
///
/// `A v = λ v`. Up to 1500 rows, or when a third of all pairs is asked for, by
/// the dense decomposition: N products, O(N³) time that only the product can
/// be stopped in, 24N² bytes. Else iteratively: about
/// `8·N·(3·count + 16·block)` bytes with blocks of 8 or 16 columns (3 count
/// because the result is a copy), time dominated by `4·N·m²` multiplications
/// for a basis of m ≈ 1.3 count + 12 blocks. The thread count does not change a
/// bit.
///
/// Repeated eigenvalues are found as often as they occur, at one more search
/// for each block of copies beyond the first: for operators that fall apart
/// into many components use
/// `leading_by_component`. The last
/// search is random, so a copy can be missed, but only with the probability
/// that a few random vectors are all but orthogonal to it.
///
/// # Errors
/// [`Error::Parameter`] when `count` is 0 or above N, or the tolerance is not
/// positive; [`Error::Memory`]; [`Error::NotFinite`] when the operator produces
/// such numbers; [`Error::Cancelled`]. Not converging is no error: the result
/// says it.
pub fn leading(
    operator: &dyn Symmetric,
    count: usize,
    options: &LeadingOptions,
    monitor: &mut dyn Monitor,
) -> Result<Leading> {
    check(operator.dim(), count, options)?;
    tiles::announce(PHASE, None, monitor)?;
    let n = operator.dim();
    if n <= DENSE || 3 * count >= n {
        return dense(operator, count, options, monitor);
    }
    Search::new(operator, count, options, monitor)?.run(options, monitor)
}

pub(super) fn check(n: usize, count: usize, options: &LeadingOptions) -> Result<()> {
    if count == 0 || count > n {
        let rule = format!("at least 1 and at most {n}, the operator's size");
        return Err(Error::parameter("number of eigenpairs", rule, count));
    }
    if options.tolerance > 0.0 && options.tolerance.is_finite() {
        return Ok(());
    }
    let rule = "a positive number";
    Err(Error::parameter("tolerance", rule, options.tolerance))
}

/// All of the operator at once.
fn dense(
    operator: &dyn Symmetric,
    count: usize,
    options: &LeadingOptions,
    monitor: &mut dyn Monitor,
) -> Result<Leading> {
    let n = operator.dim();
    let mut matrix = Mat::zeros(n, n);
    for first in (0..n).step_by(PANEL) {
        let cols = PANEL.min(n - first);
        let mut panel = Block::zeros(n, cols)?;
        (0..cols).for_each(|j| panel.row_mut(first + j)[j] = 1.0);
        let out = matrix.as_mut().subcols_mut(first, cols);
        operator.apply(panel.as_mat(), out, monitor)?;
    }
    let eigen = eigen::symmetric(matrix.as_ref())?;
    drop(matrix);
    let values: Vec<f64> = eigen.values.iter().rev().take(count).copied().collect();
    let mut vectors = Mat::from_fn(n, count, |i, j| eigen.vectors[(i, n - 1 - j)]);
    let scale = (eigen.values.iter()).fold(0.0, |m: f64, v| m.max(v.abs()));
    drop(eigen);
    orient(&mut vectors);
    let mut residuals = Vec::with_capacity(count);
    for first in (0..count).step_by(PANEL) {
        let cols = PANEL.min(count - first);
        let panel = Block::copy_of(vectors.as_ref().subcols(first, cols))?;
        residuals.extend(residual(operator, &panel, &values[first..], monitor)?.1);
    }
    Ok(Leading {
        converged: residuals.iter().all(|&r| r <= options.tolerance * scale),
        values,
        vectors,
        residuals,
        products: n + count,
    })
}

/// `AX − XΛ` and the lengths of its columns.
fn residual(
    operator: &dyn Symmetric,
    x: &Block,
    values: &[f64],
    monitor: &mut dyn Monitor,
) -> Result<(Block, Vec<f64>)> {
    let mut image = Block::zeros(x.rows(), x.cols())?;
    operator.apply(x.as_mat(), image.as_mat_mut(), monitor)?;
    let minus: Vec<f64> = values.iter().take(x.cols()).map(|v| -v).collect();
    let squares = image.add_scaled_and_square(&minus, x);
    Ok((image, squares.into_iter().map(f64::sqrt).collect()))
}

/// Turns each column so that its entry of largest magnitude, the first of
/// equals, is positive.
pub(super) fn orient(vectors: &mut Mat<f64>) {
    for j in 0..vectors.ncols() {
        let larger = |m: f64, &v: &f64| if v.abs() > m.abs() { v } else { m };
        if vectors.col(j).iter().fold(0.0, larger) < 0.0 {
            vectors.col_mut(j).iter_mut().for_each(|v| *v = -*v);
        }
    }
}

/// A Ritz pair of the filtered operator in the basis.
struct Ritz {
    /// Descending.
    values: Vec<f64>,
    /// Coefficients in the expanded columns, beside the values.
    vectors: Mat<f64>,
    residuals: Vec<f64>,
}

enum Ended {
    /// The wanted pairs are good enough, as far as the basis knows.
    Settled,
    /// The basis is full.
    Full,
}

/// What a search from random directions says of the pairs found.
enum Look {
    /// One that belongs among the wanted is not there.
    Missed,
    /// Nothing is missing.
    Complete,
    /// It could not be decided; the basis is the wanted Ritz vectors.
    Unsure,
}

struct Search<'a> {
    operator: &'a dyn Symmetric,
    count: usize,
    block: usize,
    density: Density,
    filter: Filter,
    /// `V`: columns whose images are in `t`, then the block to expand next.
    basis: Basis,
    expanded: usize,
    /// `Vᵀ p(A) V` on the expanded columns.
    t: Mat<f64>,
    /// How the block to expand next hangs on the last one expanded.
    coupling: Mat<f64>,
    rng: ChaCha8Rng,
    products: usize,
}

impl<'a> Search<'a> {
    fn new(
        operator: &'a dyn Symmetric,
        count: usize,
        options: &LeadingOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        let density = Density::new(operator, count, &mut rng, monitor)?;
        let block = if count > 64 { WIDE } else { NARROW };
        let capacity = 2 * count + 16 * block;
        let (wanted, cut) = (
            density.value(count as f64),
            density.value(1.2 * count as f64 + block as f64),
        );
        Ok(Self {
            operator,
            count,
            block,
            filter: density.filter(wanted, cut),
            products: density.products,
            density,
            basis: Basis::new(operator.dim(), capacity)?,
            expanded: 0,
            t: Mat::zeros(capacity, capacity),
            coupling: Mat::zeros(block, block),
            rng,
        })
    }

    fn run(mut self, options: &LeadingOptions, monitor: &mut dyn Monitor) -> Result<Leading> {
        let goal = options.tolerance * self.density.scale;
        self.seed(monitor)?;
        let (mut restarts, mut looks) = (0, 0);
        loop {
            let (ritz, ended) = self.expand(goal, monitor)?;
            let complete = match ended {
                Ended::Full if restarts < options.at_most => {
                    restarts += 1;
                    let keep = self.count + (self.expanded - self.count) / 2;
                    if self.widens(&ritz) {
                        self.restart(&ritz, keep, monitor)?;
                        self.widen(monitor)?;
                    } else if self.filter.degree > 1 && ritz.values[self.count - 1] < 1.5 {
                        self.refilter(&ritz, monitor)?;
                    } else {
                        self.restart(&ritz, keep, monitor)?;
                    }
                    continue;
                }
                Ended::Full => {
                    self.basis
                        .rotate(&top(&ritz.vectors, self.count), monitor)?;
                    false
                }
                Ended::Settled => match self.second_look(&ritz, monitor)? {
                    // Each look that finds something adds a wanted pair, so it
                    // is no restart, and there are no more of them than pairs.
                    Look::Missed if looks < self.count => {
                        looks += 1;
                        if self.widens(&ritz) {
                            self.widen(monitor)?;
                        }
                        continue;
                    }
                    Look::Missed => {
                        let ritz = self.ritz(0)?;
                        self.basis
                            .rotate(&top(&ritz.vectors, self.count), monitor)?;
                        false
                    }
                    Look::Complete => true,
                    Look::Unsure => false,
                },
            };
            let values = self.rayleigh_ritz(self.count, monitor)?;
            let (residuals, worst) = self.residuals(&values, monitor)?;
            let good = residuals.iter().all(|&r| r <= goal);
            let converged = good && complete;
            if good || restarts >= options.at_most {
                let mut vectors = self.basis.to_mat(self.count);
                orient(&mut vectors);
                return Ok(Leading {
                    values,
                    vectors,
                    residuals,
                    products: self.products,
                    converged,
                });
            }
            // The bound was too kind: go on from the worst residuals.
            restarts += 1;
            self.resume(&values, worst, monitor)?;
        }
    }

    /// A random block to expand next.
    fn seed(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let mut w = Block::zeros(self.operator.dim(), self.block)?;
        (0..self.block).for_each(|j| fill(&mut w, j, &mut self.rng));
        self.attach(w, monitor)
    }

    /// Makes `w`, orthogonalised, the block to expand next.
    fn attach(&mut self, mut w: Block, monitor: &mut dyn Monitor) -> Result<()> {
        self.basis.orthonormalise(&mut w, &mut self.rng, monitor)?;
        self.basis.push(&w);
        Ok(())
    }

    /// Expands one block: its image, projected, is its part of `t`, and what is
    /// left is the next block.
    fn step(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let (b, e) = (self.block, self.expanded);
        let w = self.basis.take(e, b)?;
        let mut w = self.filter.apply(self.operator, w, monitor)?;
        self.products += b * self.filter.degree;
        let (c, r) = (self.basis).orthonormalise(&mut w, &mut self.rng, monitor)?;
        for j in 0..b {
            for i in 0..e + b {
                // The image of the block inside itself is symmetric but for rounding.
                let value = if i < e {
                    c[(i, j)]
                } else {
                    0.5 * (c[(i, j)] + c[(e + j, i - e)])
                };
                if !value.is_finite() {
                    return Err(Error::NotFinite {
                        phase: PHASE,
                        hint: "rescale the data: numbers overflow".into(),
                    });
                }
                self.t[(i, e + j)] = value;
                self.t[(e + j, i)] = value;
            }
        }
        self.coupling = r;
        self.basis.push(&w);
        self.expanded += b;
        tiles::tick(PHASE, monitor)
    }

    /// Ritz pairs from the expanded columns `from..`.
    fn ritz(&self, from: usize) -> Result<Ritz> {
        let m = self.expanded - from;
        let eigen = eigen::symmetric(self.t.as_ref().submatrix(from, from, m, m))?;
        let vectors = Mat::from_fn(m, m, |i, j| eigen.vectors[(i, m - 1 - j)]);
        let last = vectors.as_ref().subrows(m - self.block, self.block);
        let left = times(self.coupling.as_ref(), last);
        let norm = |j: usize| left.col(j).iter().map(|v| v * v).sum::<f64>().sqrt();
        Ok(Ritz {
            values: eigen.values.into_iter().rev().collect(),
            residuals: (0..m).map(norm).collect(),
            vectors,
        })
    }

    /// Expands until the wanted pairs have settled or the basis is full.
    fn expand(&mut self, goal: f64, monitor: &mut dyn Monitor) -> Result<(Ritz, Ended)> {
        let mut look = (self.count + 2 * self.block).max(self.expanded + 2 * self.block);
        loop {
            while self.expanded < look && self.basis.room() >= self.block {
                self.step(monitor)?;
            }
            let ritz = self.ritz(0)?;
            let worst = (0..self.count).fold(0.0, |worst: f64, j| {
                worst.max(self.filter.unfilter(ritz.values[j], ritz.residuals[j]))
            });
            let event = Event::Residual {
                iteration: self.products,
                relative: worst / self.density.scale,
            };
            if monitor.on(event).is_break() {
                return Err(Error::Cancelled { phase: PHASE });
            }
            if worst <= 0.5 * goal {
                return Ok((ritz, Ended::Settled));
            }
            if self.basis.room() < self.block {
                return Ok((ritz, Ended::Full));
            }
            look = self.expanded + (2 * self.block).max(self.expanded / 12);
        }
    }

    /// Makes the leading Ritz vectors the expanded part of the basis. They all
    /// hang on the block to expand next, which stays.
    fn restart(&mut self, ritz: &Ritz, keep: usize, monitor: &mut dyn Monitor) -> Result<()> {
        let next = self.basis.take(self.expanded, self.block)?;
        self.compress(ritz, keep, monitor)?;
        self.basis.push(&next);
        Ok(())
    }

    /// Keeps the leading Ritz vectors alone.
    fn compress(&mut self, ritz: &Ritz, keep: usize, monitor: &mut dyn Monitor) -> Result<()> {
        self.basis.rotate(&top(&ritz.vectors, keep), monitor)?;
        self.diagonal(&ritz.values[..keep]);
        Ok(())
    }

    fn diagonal(&mut self, values: &[f64]) {
        self.t.fill(0.0);
        for (j, &value) in values.iter().enumerate() {
            self.t[(j, j)] = value;
        }
        self.expanded = values.len();
    }

    /// Whether an eigenvalue occurs as often as a block can find it, and a wider
    /// block leaves room for some steps.
    fn widens(&self, ritz: &Ritz) -> bool {
        let near = 1e-9 * ritz.values[0].abs();
        let copies = |w: &[f64]| w[0] - w[w.len() - 1] <= near;
        2 * self.block <= WIDEST
            && self.basis.capacity() >= 20 * 2 * self.block
            && ritz.values[..self.count].windows(self.block).any(copies)
    }

    /// Makes blocks twice as wide, the next one by random directions, if there
    /// is room for some of them.
    fn widen(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        if self.basis.room() >= 8 * self.block {
            self.seed(monitor)?;
            self.block *= 2;
        }
        Ok(())
    }

    /// Looks from random directions orthogonal to the pairs found for one that
    /// belongs among the wanted; if there is none, the basis is left as the
    /// wanted Ritz vectors.
    fn second_look(&mut self, ritz: &Ritz, monitor: &mut dyn Monitor) -> Result<Look> {
        // Pairs beyond the wanted that are nearly right make the gap wider.
        let most = (self.count + self.count / 4 + self.block).min(self.expanded);
        let near = |j: &usize| {
            self.filter.unfilter(ritz.values[*j], ritz.residuals[*j]) <= 1e-4 * self.density.scale
        };
        let kept = self.count + (self.count..most).take_while(near).count();
        let bar = ritz.values[self.count - 1];
        self.compress(ritz, kept, monitor)?;
        self.seed(monitor)?;
        let (mut steps, mut filled) = (0, 0);
        let look = loop {
            if self.basis.room() < self.block {
                filled += 1;
                if filled > PATIENCE {
                    break Look::Unsure;
                }
                self.shrink(kept, monitor)?;
            }
            self.step(monitor)?;
            steps += 1;
            let new = self.ritz(kept)?;
            if new.values[0] > bar + 1e-8 * bar.abs() {
                return Ok(Look::Missed);
            }
            let span = ritz.values[0].abs().max(1.0);
            let settled = steps >= 8 && new.residuals[0] <= 1e-4 * span;
            if settled || self.would_have_met(bar, new.values[0], steps) {
                break Look::Complete;
            }
        };
        self.basis.len = self.count;
        Ok(look)
    }

    /// Whether a pair that far above `bar` would have lifted the largest Ritz value
    /// of so many steps from a random block above the `largest` that was found.
    ///
    /// In the Krylov space there is `T_k(p(A)) v` for the best start `v` in the
    /// block, where `T_k` is at most 1 on `[low, largest]`. If `v` has the share
    /// `c²` of the missed direction, its Rayleigh quotient exceeds `largest` once
    /// `c² T_k(bar)² (bar − largest) > largest − low`. J. Kuczyński and
    /// H. Woźniakowski, *Estimating the largest eigenvalue by the power and
    /// Lanczos algorithms with a random start*, SIAM J. Matrix Anal. Appl. 13
    /// (1992), turned round.
    fn would_have_met(&self, bar: f64, largest: f64, steps: usize) -> bool {
        let low = self.filter.low(self.density.low).min(largest);
        let (gap, width) = (bar - largest + SLACK * (bar - low), largest - low);
        if gap <= 0.0 {
            return false;
        }
        let share = SHARE * self.block as f64 / self.operator.dim() as f64;
        let growth = (1.0 + 2.0 * gap / width).acosh() * (steps - 1) as f64;
        2.0 * (growth - std::f64::consts::LN_2) + (share * gap).ln() > width.ln()
    }

    /// Makes room: keeps the pairs found and the upper half of the Ritz vectors
    /// of the columns after them.
    fn shrink(&mut self, kept: usize, monitor: &mut dyn Monitor) -> Result<()> {
        let new = self.ritz(kept)?;
        let half = (new.values.len() / 2).max(1);
        let next = self.basis.take(self.expanded, self.block)?;
        let y = Mat::from_fn(self.expanded, kept + half, |i, j| {
            match (i < kept, j < kept) {
                (true, true) => f64::from(u8::from(i == j)),
                (false, false) => new.vectors[(i - kept, j - kept)],
                _ => 0.0,
            }
        });
        self.basis.rotate(&y, monitor)?;
        let mut values: Vec<f64> = (0..kept).map(|j| self.t[(j, j)]).collect();
        values.extend(&new.values[..half]);
        self.diagonal(&values);
        self.basis.push(&next);
        Ok(())
    }

    /// Rayleigh–Ritz with the operator itself on the first `k` columns.
    fn rayleigh_ritz(&mut self, k: usize, monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
        let mut h = Mat::zeros(k, k);
        for first in (0..k).step_by(PANEL) {
            let cols = PANEL.min(k - first);
            let x = self.basis.take(first, cols)?;
            let mut image = Block::zeros(x.rows(), cols)?;
            self.operator
                .apply(x.as_mat(), image.as_mat_mut(), monitor)?;
            let part = self.basis.project(k, &image, monitor)?;
            h.as_mut().subcols_mut(first, cols).copy_from(&part);
        }
        self.products += k;
        let eigen = eigen::symmetric(h.as_ref())?;
        let y = Mat::from_fn(k, k, |i, j| eigen.vectors[(i, k - 1 - j)]);
        self.basis.rotate(&y, monitor)?;
        Ok(eigen.values.into_iter().rev().collect())
    }

    /// Every residual's length, and which are the longest.
    fn residuals(
        &mut self,
        values: &[f64],
        monitor: &mut dyn Monitor,
    ) -> Result<(Vec<f64>, Vec<usize>)> {
        let mut lengths = Vec::with_capacity(values.len());
        for first in (0..values.len()).step_by(PANEL) {
            let x = self.basis.take(first, PANEL.min(values.len() - first))?;
            lengths.extend(residual(self.operator, &x, &values[first..], monitor)?.1);
        }
        self.products += values.len();
        let mut worst: Vec<usize> = (0..values.len()).collect();
        worst.sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]).then(a.cmp(&b)));
        worst.truncate(self.block);
        Ok((lengths, worst))
    }

    /// Goes on from pairs of the operator itself and the residuals of `worst`.
    fn resume(
        &mut self,
        values: &[f64],
        worst: Vec<usize>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let mut w = Block::zeros(self.operator.dim(), self.block)?;
        for (slot, &j) in worst.iter().enumerate() {
            let x = self.basis.take(j, 1)?;
            let (rest, _) = residual(self.operator, &x, &values[j..], monitor)?;
            w.copy_column(slot, &rest, 0);
        }
        self.products += worst.len();
        (worst.len()..self.block).for_each(|j| fill(&mut w, j, &mut self.rng));
        let filtered: Vec<f64> = values.iter().map(|&v| self.filter.at(v)).collect();
        self.diagonal(&filtered);
        self.attach(w, monitor)
    }

    /// The cut was above the last wanted eigenvalue: cuts lower, where the pairs
    /// so far say, and starts again inside their span.
    fn refilter(&mut self, ritz: &Ritz, monitor: &mut dyn Monitor) -> Result<()> {
        let k = (self.count + self.count / 2 + self.block).min(self.expanded);
        self.basis.rotate(&top(&ritz.vectors, k), monitor)?;
        let values = self.rayleigh_ritz(k, monitor)?;
        let old = self.filter.middle + self.filter.half;
        let lower = old - 0.05 * (2.0 * self.filter.half);
        self.filter = (self.density).filter(values[self.count - 1], values[k - 1].min(lower));
        let mix = Mat::from_fn(k, self.block, |_, _| {
            rand::RngExt::random_range(&mut self.rng, -1.0..1.0)
        });
        self.basis.rotate(&mix, monitor)?;
        let w = self.basis.take(0, self.block)?;
        self.basis.len = 0;
        self.diagonal(&[]);
        self.attach(w, monitor)
    }
}

/// The first `count` columns.
fn top(vectors: &Mat<f64>, count: usize) -> Mat<f64> {
    vectors.as_ref().subcols(0, count).to_owned()
}
