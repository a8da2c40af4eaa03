//! The recurrence: one Lanczos process a column, in lockstep.

use rayon::prelude::*;

use super::finite::overflow;
use crate::error::Result;
use crate::linalg::{Block, eigen};
use crate::monitor::Monitor;
use crate::operator::{Modes, Operator};
use crate::solve::direct::check_rows;
use crate::spectrum::Resolvent;

/// Rows in one chunk of a parallel sum.
const CHUNK: usize = 2048;

/// One column's tridiagonal matrix.
#[derive(Debug, Clone)]
pub(in crate::solve) struct Tridiagonal {
    /// `‖b‖`.
    pub(in crate::solve) norm: f64,
    pub(in crate::solve) diagonal: Vec<f64>,
    /// Beside the diagonal; the last one leads out of the space and is not
    /// part of `T`.
    pub(in crate::solve) beside: Vec<f64>,
    /// The space is invariant: what it gives is exact.
    pub(in crate::solve) ended: bool,
    largest: f64,
}

impl Tridiagonal {
    /// Eigenvalues and vectors of `T`.
    pub(in crate::solve) fn eigen(&self) -> Result<eigen::Eigen> {
        let k = self.diagonal.len();
        eigen::tridiagonal(&self.diagonal, &self.beside[..k.saturating_sub(1)])
    }

    /// `‖b‖ Tʳ(I − ηT)⁻¹ e₁` by LDLᵀ; `None` unless `I − ηT` is positive definite.
    pub(super) fn resolve(&self, Resolvent { eta, times }: Resolvent) -> Option<Vec<f64>> {
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
pub(in crate::solve) struct Process<'a> {
    operator: &'a dyn Operator,
    /// The column of the right-hand side in each slot of the blocks.
    pub(super) active: Vec<usize>,
    /// Unnormalised vectors `r = β v`: the last but one, the last, and `A r`.
    old: Block,
    pub(super) now: Block,
    image: Block,
    /// Each slot's `β` of `old` and of `now`; 0 once the column has ended.
    past: Vec<f64>,
    length: Vec<f64>,
    pub(in crate::solve) columns: Vec<Tridiagonal>,
    /// Modes kept out, and what rounding left of them in `now`.
    kept_out: Option<(&'a Modes, Vec<f64>)>,
}

impl<'a> Process<'a> {
    pub(in crate::solve) fn new(operator: &'a dyn Operator, rhs: Block) -> Result<Self> {
        check_rows(operator.dim(), rhs.rows())?;
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
            kept_out: None,
        })
    }

    /// The process of `(I − UUᵀ)A`, for exact eigenvectors U with eigenvalue 1
    /// that the right-hand side no longer has: rounding brings them back, and a
    /// resolvent multiplies that by 1/(1 − η). `Uᵀ A r = Uᵀ r`, so what is in r is
    /// all there is to take out of its image: no further pass over memory.
    pub(super) fn without(mut self, modes: Option<&'a Modes>) -> Self {
        self.kept_out = modes.map(|modes| {
            let left = vec![0.0; modes.count() * self.now.stride()];
            (modes, left)
        });
        self
    }

    /// `1/β` of each slot, 0 where the column has ended: the scales that make
    /// unit vectors.
    pub(super) fn inverses(&self) -> Vec<f64> {
        let inverse = |&b: &f64| if b > 0.0 { 1.0 / b } else { 0.0 };
        self.length.iter().map(inverse).collect()
    }

    /// One more row of every `T`.
    pub(in crate::solve) fn step(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        self.operator
            .apply(self.now.as_mat(), self.image.as_mat_mut(), monitor)?;
        let inverse = self.inverses();
        let back: Vec<f64> = (self.length.iter().zip(&self.past))
            .map(|(&b, &past)| if past > 0.0 { b / past } else { 0.0 })
            .collect();
        // u ← A v − β v_old, in the place of v_old; α = ⟨v, u⟩ ; u ← u − α v
        let dots = self.advance(&inverse, &back);
        let alpha: Vec<f64> = dots.iter().zip(&inverse).map(|(d, i)| d * i).collect();
        let minus: Vec<f64> = alpha.iter().zip(&inverse).map(|(a, i)| -a * i).collect();
        let squares = self.shorten(&minus);
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

    /// Rows in one chunk of a pass: a function of the sizes alone, so that the
    /// bits do not depend on the thread count.
    fn chunk(&self) -> usize {
        match &self.kept_out {
            Some((modes, _)) => modes.piece(),
            None => CHUNK,
        }
    }

    /// `old ← (image − U Uᵀnow)·diag(a) − old·diag(b)`; then `Σ now·old`.
    fn advance(&mut self, a: &[f64], b: &[f64]) -> Vec<f64> {
        let (stride, chunk) = (self.old.stride(), self.chunk());
        let (a, b) = (widened(a, stride), widened(b, stride));
        let kept_out = self.kept_out.as_ref().map(|(modes, left)| {
            let scaled = left.chunks_exact(stride).flat_map(|row| {
                let row = row.iter().zip(&a);
                row.map(|(l, a)| l * a).collect::<Vec<f64>>()
            });
            (*modes, scaled.collect::<Vec<f64>>())
        });
        let partial: Vec<Vec<f64>> = (self.old.as_slice_mut().par_chunks_mut(stride * chunk))
            .zip(self.image.as_slice().par_chunks(stride * chunk))
            .zip(self.now.as_slice().par_chunks(stride * chunk))
            .enumerate()
            .map(|(piece, ((old, image), now))| {
                let mut sum = vec![0.0; stride];
                let rows = old
                    .chunks_exact_mut(stride)
                    .zip(image.chunks_exact(stride))
                    .zip(now.chunks_exact(stride));
                for (i, ((old, image), now)) in rows.enumerate() {
                    for c in 0..stride {
                        old[c] = a[c] * image[c] - b[c] * old[c];
                    }
                    if let Some((modes, left)) = &kept_out {
                        let i = piece * chunk + i;
                        let (e, component) = (modes.entry(i), modes.component()[i] as usize);
                        if e != 0.0 {
                            let left = &left[component * stride..][..stride];
                            old.iter_mut().zip(left).for_each(|(u, l)| *u -= e * l);
                        }
                    }
                    for c in 0..stride {
                        sum[c] += old[c] * now[c];
                    }
                }
                sum
            })
            .collect();
        summed(partial, self.active.len())
    }

    /// `old ← old + now·diag(a)`; then `Σ old²`, and what `old` has of the modes.
    fn shorten(&mut self, a: &[f64]) -> Vec<f64> {
        let (stride, chunk) = (self.old.stride(), self.chunk());
        let a = widened(a, stride);
        let modes = self.kept_out.as_ref().map(|(modes, _)| *modes);
        let size = modes.map_or(0, Modes::count) * stride;
        let (squares, lefts): (Vec<Vec<f64>>, Vec<Vec<f64>>) =
            (self.old.as_slice_mut().par_chunks_mut(stride * chunk))
                .zip(self.now.as_slice().par_chunks(stride * chunk))
                .enumerate()
                .map(|(piece, (old, now))| {
                    let (mut sum, mut left) = (vec![0.0; stride], vec![0.0; size]);
                    let rows = old.chunks_exact_mut(stride).zip(now.chunks_exact(stride));
                    for (i, (old, now)) in rows.enumerate() {
                        for c in 0..stride {
                            old[c] += a[c] * now[c];
                            sum[c] += old[c] * old[c];
                        }
                        if let Some(modes) = modes {
                            let i = piece * chunk + i;
                            let (e, component) = (modes.entry(i), modes.component()[i] as usize);
                            if e != 0.0 {
                                let left = &mut left[component * stride..][..stride];
                                left.iter_mut().zip(old).for_each(|(l, u)| *l += e * *u);
                            }
                        }
                    }
                    (sum, left)
                })
                .unzip();
        if let Some((_, left)) = &mut self.kept_out {
            *left = summed(lefts, size);
        }
        summed(squares, self.active.len())
    }

    /// Keeps the given slots only.
    pub(super) fn narrow(&mut self, keep: &[usize]) -> Result<()> {
        let stride = self.now.stride();
        self.old = self.old.select(keep)?;
        self.now = self.now.select(keep)?;
        self.image = Block::zeros(self.image.rows(), keep.len())?;
        let pick = |from: &[f64]| -> Vec<f64> { keep.iter().map(|&slot| from[slot]).collect() };
        (self.past, self.length) = (pick(&self.past), pick(&self.length));
        if let Some((_, left)) = &mut self.kept_out {
            let narrow = self.now.stride();
            let rows = left.chunks_exact(stride);
            *left = rows.flat_map(|row| widened(&pick(row), narrow)).collect();
        }
        self.active = keep.iter().map(|&slot| self.active[slot]).collect();
        Ok(())
    }
}

fn widened(values: &[f64], stride: usize) -> Vec<f64> {
    let mut wide = values.to_vec();
    wide.resize(stride, 0.0);
    wide
}

/// The chunks' sums added in their order.
fn summed(partial: Vec<Vec<f64>>, size: usize) -> Vec<f64> {
    let mut total = vec![0.0; size];
    for part in partial {
        total.iter_mut().zip(part).for_each(|(t, p)| *t += p);
    }
    total
}
