//! Exact eigenvectors of a normalised adjacency: `u_C ∝ D^½ 1_C`, eigenvalue 1,
//! one for each connected component C.
//!
//! Solvers take them out so that iterations do not grow as η → 1; methods take
//! them out because `(I − ηS)⁻¹` multiplies them by 1/(1 − η), which drowns
//! everything that tells classes apart.

use rayon::prelude::*;

use crate::linalg::{Mat, MatMut, MatRef};

/// Pieces of a parallel pass at most.
const PIECES: usize = 64;

/// No number.
const NONE: u32 = u32::MAX;

/// Unit vectors with disjoint supports, all with eigenvalue 1.
///
/// Memory: 12 bytes a sample.
#[derive(Debug, Clone)]
pub struct Modes {
    component: Vec<u32>,
    entry: Vec<f64>,
    count: usize,
}

impl Modes {
    /// The vectors that equal `root` on a component and zero elsewhere, made
    /// unit; a component whose roots are all zero has none.
    ///
    /// `component` numbers the components from 0.
    pub fn new(component: Vec<u32>, mut root: Vec<f64>) -> Self {
        let count = component.iter().max().map_or(0, |c| *c as usize + 1);
        let mut square = vec![0.0; count];
        for (&c, r) in component.iter().zip(&root) {
            square[c as usize] += r * r;
        }
        for (&c, r) in component.iter().zip(&mut root) {
            let norm = square[c as usize].sqrt();
            *r = if norm > 0.0 { *r / norm } else { 0.0 };
        }
        Self {
            component,
            entry: root,
            count,
        }
    }

    /// The modes of chosen components only.
    #[must_use]
    pub fn only(&self, chosen: impl Fn(usize) -> bool) -> Self {
        let entry = self.component.iter().zip(&self.entry);
        let entry = entry.map(|(&c, &e)| if chosen(c as usize) { e } else { 0.0 });
        Self {
            component: self.component.clone(),
            entry: entry.collect(),
            count: self.count,
        }
    }

    /// The component of each sample.
    pub fn component(&self) -> &[u32] {
        &self.component
    }

    /// Components, those without a mode included.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The entry of sample `i` in its component's mode.
    pub fn entry(&self, i: usize) -> f64 {
        self.entry[i]
    }

    /// Whether no component has a mode.
    pub fn is_empty(&self) -> bool {
        self.entry.iter().all(|e| *e == 0.0)
    }

    /// The modes that a block overlaps at all: those of the components where it
    /// has a row that is not zero, renumbered. `O(n · columns)`.
    pub(crate) fn touched(&self, block: MatRef<'_, f64>) -> Self {
        let mut number = vec![NONE; self.count];
        let mut count = 0;
        for (i, row) in block.row_iter().enumerate() {
            let slot = &mut number[self.component[i] as usize];
            if *slot == NONE && self.entry[i] != 0.0 && row.iter().any(|v| *v != 0.0) {
                *slot = count;
                count += 1;
            }
        }
        let samples = self.component.iter().zip(&self.entry);
        let (component, entry) = samples
            .map(|(&c, &e)| match number[c as usize] {
                NONE => (0, 0.0),
                slot => (slot, e),
            })
            .unzip();
        Self {
            component,
            entry,
            count: count as usize,
        }
    }

    /// Samples in one parallel piece: many, and more when there are many
    /// components, so that the pieces' own sums stay small. A function of the
    /// sizes alone, so that the bits do not depend on the thread count.
    pub(crate) fn piece(&self) -> usize {
        (self.entry.len() / PIECES).max(8 * self.count).max(1 << 12)
    }

    /// `UᵀB`, one row a component; summed over fixed pieces in their order, so
    /// always the same bits. `O(n · columns)` in parallel.
    pub fn overlaps(&self, block: MatRef<'_, f64>) -> Mat<f64> {
        let (piece, cols) = (self.piece(), block.ncols());
        let partial: Vec<Vec<f64>> = (self.component.par_chunks(piece))
            .zip(self.entry.par_chunks(piece))
            .zip(block.par_row_chunks(piece))
            .map(|((component, entry), block)| {
                let mut sum = vec![0.0; self.count * cols];
                for ((&c, &e), row) in component.iter().zip(entry).zip(block.row_iter()) {
                    if e != 0.0 {
                        let sum = &mut sum[c as usize * cols..][..cols];
                        for (s, v) in sum.iter_mut().zip(row.iter()) {
                            *s += e * v;
                        }
                    }
                }
                sum
            })
            .collect();
        let mut out = Mat::zeros(self.count, cols);
        for sum in partial {
            for (k, s) in sum.into_iter().enumerate() {
                out[(k / cols, k % cols)] += s;
            }
        }
        out
    }

    /// `B ← B + scale · U C`. `O(n · columns)` in parallel.
    pub fn add(&self, scale: f64, overlaps: MatRef<'_, f64>, block: MatMut<'_, f64>) {
        let (piece, cols) = (self.piece(), block.ncols());
        let scaled: Vec<f64> = (overlaps.row_iter())
            .flat_map(|row| row.iter().map(|c| scale * c).collect::<Vec<f64>>())
            .collect();
        (self.component.par_chunks(piece))
            .zip(self.entry.par_chunks(piece))
            .zip(block.par_row_chunks_mut(piece))
            .for_each(|((component, entry), block)| {
                for ((&c, &e), row) in component.iter().zip(entry).zip(block.row_iter_mut()) {
                    if e != 0.0 {
                        let scaled = &scaled[c as usize * cols..][..cols];
                        for (v, s) in row.iter_mut().zip(scaled) {
                            *v += e * s;
                        }
                    }
                }
            });
    }

    /// `B ← B − U UᵀB`, and the `UᵀB` that was taken out.
    pub fn remove(&self, mut block: MatMut<'_, f64>) -> Mat<f64> {
        let overlaps = self.overlaps(block.as_ref());
        self.add(-1.0, overlaps.as_ref(), block.as_mut());
        overlaps
    }
}
