//! Exact eigenvectors of a normalised adjacency: `u_C ∝ D^½ 1_C`, eigenvalue 1,
//! one for each connected component C.
//!
//! Solvers take them out so that iterations do not grow as η → 1; methods take
//! them out because `(I − ηS)⁻¹` multiplies them by 1/(1 − η), which drowns
//! everything that tells classes apart.

use crate::linalg::{Mat, MatMut, MatRef};

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

    /// `UᵀB`, one row a component; summed in row order, so always the same bits.
    pub fn overlaps(&self, block: MatRef<'_, f64>) -> Mat<f64> {
        let mut out = Mat::zeros(self.count, block.ncols());
        for (i, (&c, &e)) in self.component.iter().zip(&self.entry).enumerate() {
            if e == 0.0 {
                continue;
            }
            for j in 0..block.ncols() {
                out[(c as usize, j)] += e * block[(i, j)];
            }
        }
        out
    }

    /// `B ← B + scale · U C`.
    pub fn add(&self, scale: f64, overlaps: MatRef<'_, f64>, mut block: MatMut<'_, f64>) {
        for (i, (&c, &e)) in self.component.iter().zip(&self.entry).enumerate() {
            if e == 0.0 {
                continue;
            }
            for j in 0..block.ncols() {
                block[(i, j)] += scale * e * overlaps[(c as usize, j)];
            }
        }
    }

    /// `B ← B − U UᵀB`, and the `UᵀB` that was taken out.
    pub fn remove(&self, mut block: MatMut<'_, f64>) -> Mat<f64> {
        let overlaps = self.overlaps(block.as_ref());
        self.add(-1.0, overlaps.as_ref(), block.as_mut());
        overlaps
    }
}
