//! Leading eigenpairs of a block-diagonal operator, component by component.
//!
//! A graph of many components repeats eigenvalues (1 once for each of them),
//! which costs an iterative search a round for every few copies, and leaves the
//! vectors of a repeated eigenvalue an arbitrary mixture. Taken apart, each
//! component's spectrum is its own, and ties are ordered by rule.

use std::ops::Range;

use super::eigenpairs::{DENSE, Leading, LeadingOptions, check, leading, orient};
use crate::error::{Error, Result};
use crate::linalg::{Block, Mat, eigen, tiles};
use crate::monitor::Monitor;
use crate::operator::Symmetric;
use crate::operator::masked::Masked;

const PHASE: &str = "eigenpairs by component";

/// Columns of a panel of products.
const PANEL: usize = 64;

/// Numbers in the dense components decomposed together, at most (but one
/// component at least).
const TOGETHER: usize = 1 << 24;

/// Eigenvalues this close, relative to the largest, are ties.
const TIE: f64 = 1e-11;

/// One eigenpair, its vector on its component's rows.
struct Pair {
    value: f64,
    residual: f64,
    component: usize,
    vector: Vec<f64>,
}

/// The `count` algebraically largest eigenpairs of an operator that is block
/// diagonal over `component`, one number a row.
///
/// Components of up to 1500 rows are decomposed densely, many at once: column
/// `j` of one panel of products carries the `j`-th row of each of them. Larger
/// ones go to [`leading`]. Ties, eigenvalues within 1e-11 of the largest
/// magnitude, are ordered by component size, descending, then by component
/// number; within ties the values may ascend by that much. Rows of a vector
/// outside its component are exactly zero.
///
/// Cost: `s` products for small components of up to `s` rows, `O(Σ s³)` time in
/// parallel, 128 MB for the matrices at a time; [`leading`]'s for each large one.
///
/// # Errors
/// [`Error::Shape`] unless there is one component number a row; else as
/// [`leading`]. That the operator is block diagonal is the caller's promise.
pub(crate) fn leading_by_component(
    operator: &dyn Symmetric,
    component: &[u32],
    count: usize,
    options: &LeadingOptions,
    monitor: &mut dyn Monitor,
) -> Result<Leading> {
    let n = operator.dim();
    if component.len() != n {
        return Err(Error::Shape {
            what: "component numbers, one for each row",
            expected: n,
            got: component.len(),
        });
    }
    check(n, count, options)?;
    tiles::announce(PHASE, None, monitor)?;
    let parts = ComponentRows::new(component);
    let small = parts
        .sorted
        .iter()
        .position(|&c| parts.rows(c).len() > DENSE);
    let (small, large) = (parts.sorted).split_at(small.unwrap_or(parts.sorted.len()));
    let mut pairs: Vec<Pair> = Vec::new();
    let mut products = 0;
    let mut converged = true;
    for group in parts.groups(small) {
        products += parts.decompose(operator, &small[group], count, &mut pairs, monitor)?;
        parts.prune(&mut pairs, count);
    }
    for &c in large {
        let rows = parts.rows(c);
        let wanted = count.min(rows.len());
        let found = if rows.len() == n {
            leading(operator, wanted, options, monitor)?
        } else {
            let index = rows.iter().map(|&i| i as usize).collect();
            leading(&Masked::new(operator, index)?, wanted, options, monitor)?
        };
        products += found.products;
        converged &= found.converged;
        for (j, &value) in found.values.iter().enumerate() {
            pairs.push(Pair {
                value,
                residual: found.residuals[j],
                component: c,
                vector: found.vectors.col(j).iter().copied().collect(),
            });
        }
        parts.prune(&mut pairs, count);
    }
    let scale = largest(&pairs);
    let mut vectors = Mat::zeros(n, count);
    for (j, pair) in pairs.iter().enumerate() {
        for (&i, &v) in parts.rows(pair.component).iter().zip(&pair.vector) {
            vectors[(i as usize, j)] = v;
        }
    }
    orient(&mut vectors);
    converged &= pairs
        .iter()
        .all(|p| p.residual <= options.tolerance * scale);
    Ok(Leading {
        values: pairs.iter().map(|p| p.value).collect(),
        residuals: pairs.iter().map(|p| p.residual).collect(),
        vectors,
        products,
        converged,
    })
}

fn largest(pairs: &[Pair]) -> f64 {
    pairs.iter().fold(0.0, |m: f64, p| m.max(p.value.abs()))
}

/// The rows of each component.
struct ComponentRows {
    /// All rows, by component, ascending in each.
    members: Vec<u32>,
    starts: Vec<usize>,
    /// Components that have rows, small ones first, equal ones by number.
    sorted: Vec<usize>,
}

impl ComponentRows {
    fn new(component: &[u32]) -> Self {
        // Numbers may have gaps; they are ranked first.
        let mut names = component.to_vec();
        names.sort_unstable();
        names.dedup();
        let rank = |c: u32| names.partition_point(|&name| name < c);
        let mut members: Vec<u32> = (0..component.len() as u32).collect();
        members.sort_by_key(|&i| component[i as usize]);
        let mut starts = vec![0; names.len() + 1];
        for &c in component {
            starts[rank(c) + 1] += 1;
        }
        for c in 0..names.len() {
            starts[c + 1] += starts[c];
        }
        let mut sorted: Vec<usize> = (0..names.len()).collect();
        sorted.sort_by_key(|&c| (starts[c + 1] - starts[c], c));
        Self {
            members,
            starts,
            sorted,
        }
    }

    fn rows(&self, c: usize) -> &[u32] {
        &self.members[self.starts[c]..self.starts[c + 1]]
    }

    /// Runs of components, sorted by size, whose matrices fit together.
    fn groups(&self, sorted: &[usize]) -> Vec<Range<usize>> {
        let mut groups = Vec::new();
        let (mut first, mut size) = (0, 0);
        for (at, &c) in sorted.iter().enumerate() {
            let more = self.rows(c).len().pow(2);
            if at > first && size + more > TOGETHER {
                groups.push(first..at);
                (first, size) = (at, 0);
            }
            size += more;
        }
        groups.push(first..sorted.len());
        groups
    }

    /// Decomposes the given components whole; returns the products.
    fn decompose(
        &self,
        operator: &dyn Symmetric,
        group: &[usize],
        count: usize,
        pairs: &mut Vec<Pair>,
        monitor: &mut dyn Monitor,
    ) -> Result<usize> {
        let n = operator.dim();
        let widest = group.iter().map(|&c| self.rows(c).len()).max().unwrap_or(0);
        let mut matrices: Vec<Mat<f64>> = (group.iter())
            .map(|&c| Mat::zeros(self.rows(c).len(), self.rows(c).len()))
            .collect();
        for first in (0..widest).step_by(PANEL) {
            let cols = PANEL.min(widest - first);
            let (mut panel, mut image) = (Block::zeros(n, cols)?, Block::zeros(n, cols)?);
            for &c in group {
                for (j, &i) in self.rows(c).iter().skip(first).take(cols).enumerate() {
                    panel.row_mut(i as usize)[j] = 1.0;
                }
            }
            operator.apply(panel.as_mat(), image.as_mat_mut(), monitor)?;
            for (&c, matrix) in group.iter().zip(&mut matrices) {
                let mine = self.rows(c).len().saturating_sub(first).min(cols);
                for (k, &i) in self.rows(c).iter().enumerate() {
                    for (j, &value) in image.row(i as usize)[..mine].iter().enumerate() {
                        matrix[(k, first + j)] = value;
                    }
                }
            }
        }
        let mut found: Vec<Vec<Pair>> = group.iter().map(|_| Vec::new()).collect();
        let tiles = (group.iter().zip(matrices))
            .zip(&mut found)
            .map(|((&c, matrix), found)| (c, matrix, found))
            .collect();
        tiles::sweep(PHASE, tiles, monitor, |(c, matrix, found)| {
            *found = dense_pairs(c, &matrix, count)?;
            Ok(())
        })?;
        pairs.extend(found.into_iter().flatten());
        Ok(widest)
    }

    /// Orders the pairs and keeps the first `count`.
    fn prune(&self, pairs: &mut Vec<Pair>, count: usize) {
        pairs.sort_by(|a, b| b.value.total_cmp(&a.value));
        let tie = TIE * largest(pairs);
        let mut first = 0;
        while first < pairs.len() {
            let mut last = first + 1;
            while last < pairs.len() && pairs[last - 1].value - pairs[last].value <= tie {
                last += 1;
            }
            pairs[first..last].sort_by_key(|p| {
                let size = self.rows(p.component).len();
                (std::cmp::Reverse(size), p.component)
            });
            first = last;
        }
        pairs.truncate(count);
    }
}

/// The leading pairs of one component's matrix.
fn dense_pairs(component: usize, matrix: &Mat<f64>, count: usize) -> Result<Vec<Pair>> {
    let n = matrix.nrows();
    let eigen = eigen::symmetric(matrix.as_ref())?;
    let pairs = (0..count.min(n)).map(|j| {
        let (value, vector) = (eigen.values[n - 1 - j], eigen.vectors.col(n - 1 - j));
        let mut rest: Vec<f64> = vector.iter().map(|v| -value * v).collect();
        for (k, &v) in vector.iter().enumerate() {
            for (rest, a) in rest.iter_mut().zip(matrix.col(k).iter()) {
                *rest += a * v;
            }
        }
        Pair {
            value,
            residual: rest.iter().map(|v| v * v).sum::<f64>().sqrt(),
            component,
            vector: vector.iter().copied().collect(),
        }
    });
    Ok(pairs.collect())
}
