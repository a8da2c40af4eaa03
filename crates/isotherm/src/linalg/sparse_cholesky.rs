//! Sparse Cholesky, `P A Pᵀ = L Lᵀ`, with a minimum-degree order `P`.
//!
//! Analysed once for a pattern and factored for as many values as wanted: the
//! fill of `L` is known before any number is touched, so a caller can choose an
//! iteration instead. Excellent on trees and citation graphs, hopeless on dense
//! communities.
//!
//! P. R. Amestoy, T. A. Davis and I. S. Duff, *An approximate minimum degree
//! ordering algorithm*, SIAM J. Matrix Anal. Appl. 17 (1996); T. A. Davis,
//! *Direct Methods for Sparse Linear Systems* (2006).

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::perm::PermRef;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky, supernodal,
};
use faer::sparse::{FaerError, SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, Par, Side};
use rayon::prelude::*;

use super::gemm;
use crate::error::{Error, Refusal, Result};
use crate::linalg::{Mat, MatMut, MatRef};

/// Columns solved together; panels run in parallel.
const PANEL: usize = 32;

/// The pattern of a symmetric matrix, ordered and analysed.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    dim: usize,
    /// Entries of the matrix that was analysed, both triangles.
    entries: usize,
    /// The upper triangle by columns, the diagonal always present and last.
    starts: Vec<usize>,
    rows: Vec<usize>,
    /// Where each of `rows` came from; [`DIAGONAL`] for the diagonal alone.
    sources: Vec<usize>,
    symbolic: SymbolicCholesky<usize>,
    fill: usize,
}

/// No entry of the given matrix: the number on the diagonal vector only.
const DIAGONAL: usize = usize::MAX;

impl Pattern {
    /// Orders and analyses the pattern of `W + D`, where row `i` of `W` has the
    /// columns `columns[starts[i]..starts[i + 1]]`, as in a
    /// [`Graph`](crate::data::Graph), and `D` is a full diagonal.
    ///
    /// Entries above the diagonal are not looked at: `W` may be given whole or
    /// by its lower triangle. Time about `O(entries · log)` and the entries of
    /// `L`; memory 24 bytes an entry.
    ///
    /// # Errors
    /// [`Error::Shape`] unless `starts` has `dim + 1` numbers; [`Error::Refused`]
    /// when they do not ascend to the number of columns or a column is out of
    /// range or not above the one before; [`Error::Memory`] when the system
    /// refuses the analysis.
    pub(crate) fn analyse(dim: usize, starts: &[u64], columns: &[u32]) -> Result<Self> {
        check(dim, starts, columns)?;
        let mut upper = Upper::default();
        upper.starts.push(0);
        for i in 0..dim {
            let mut loops = DIAGONAL;
            let row = starts[i] as usize..starts[i + 1] as usize;
            for (e, &j) in row.clone().zip(&columns[row]) {
                match j as usize {
                    j if j < i => upper.push(j, e),
                    j if j == i => loops = e,
                    _ => {}
                }
            }
            upper.push(i, loops);
            upper.starts.push(upper.rows.len());
        }
        let view = SymbolicSparseColMatRef::new_checked(dim, dim, &upper.starts, None, &upper.rows);
        let refuse = |_: FaerError| Error::no_memory("the analysis of a sparse matrix", 0);
        let (forward, inverse) = order(view).map_err(refuse)?;
        let fill = count(&upper, &inverse);
        let symbolic = factorize_symbolic_cholesky(
            view,
            Side::Upper,
            SymmetricOrdering::Custom(PermRef::new_checked(&forward, &inverse, dim)),
            CholeskySymbolicParams::default(),
        )
        .map_err(|_| Error::no_memory("a sparse factor", 8 * fill as u64))?;
        Ok(Self {
            inner: Arc::new(Inner {
                dim,
                entries: columns.len(),
                starts: upper.starts,
                rows: upper.rows,
                sources: upper.sources,
                symbolic,
                fill,
            }),
        })
    }

    /// Entries of `L`, its diagonal among them; a factor takes about 8 bytes for
    /// each.
    pub(crate) fn fill(&self) -> usize {
        self.inner.fill
    }

    /// Factors `W + D` for values of `W` in the order of the columns that were
    /// analysed, and a diagonal: `I − ηS` is `values[e] = −η·S_e` and ones.
    ///
    /// `Σⱼ cⱼ²` operations for `cⱼ` entries in the columns of `L`, on the calling thread,
    /// not interruptible;
    /// memory 8 bytes for each entry of `L`, more where columns are merged. No
    /// jitter is added.
    ///
    /// # Errors
    /// [`Error::Shape`] when values or diagonal have the wrong length;
    /// [`Error::NotFinite`]; [`Error::Indefinite`] with the first non-positive
    /// pivot, the operator's `name` and the caller's `hint`; [`Error::Memory`].
    pub(crate) fn factor(
        &self,
        values: &[f64],
        diagonal: &[f64],
        name: &'static str,
        hint: &str,
    ) -> Result<SparseCholesky> {
        let inner = &*self.inner;
        for (what, expected, got) in [
            ("values of a sparse matrix", inner.entries, values.len()),
            ("numbers on the diagonal", inner.dim, diagonal.len()),
        ] {
            if expected != got {
                return Err(Error::Shape {
                    what,
                    expected,
                    got,
                });
            }
        }
        if values.iter().chain(diagonal).any(|v| !v.is_finite()) {
            return Err(Error::NotFinite {
                phase: "assembling the system",
                hint: "rescale the weights".into(),
            });
        }
        let given: Vec<f64> = (inner.rows.iter().zip(&inner.sources).enumerate())
            .map(|(at, (&row, &e))| {
                let value = if e == DIAGONAL { 0.0 } else { values[e] };
                // The diagonal is the last entry of its column.
                if at + 1 == inner.starts[row + 1] {
                    value + diagonal[row]
                } else {
                    value
                }
            })
            .collect();
        let pattern = SymbolicSparseColMatRef::new_checked(
            inner.dim,
            inner.dim,
            &inner.starts,
            None,
            &inner.rows,
        );
        let matrix = SparseColMatRef::new(pattern, given.as_slice());
        let symbolic = &inner.symbolic;
        let mut lower = zeros(symbolic.len_val())?;
        let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let outcome = symbolic.factorize_numeric_llt(
            &mut lower,
            matrix,
            Side::Upper,
            Default::default(),
            Par::Seq,
            MemStack::new(&mut memory(scratch)?),
            Default::default(),
        );
        gemm::clean_vector_state();
        if outcome.is_err() {
            return Err(Error::Indefinite {
                operator: name,
                curvature: bad_pivot(symbolic, matrix, &mut lower)?,
                hint: hint.to_owned(),
            });
        }
        Ok(SparseCholesky {
            pattern: self.inner.clone(),
            lower,
        })
    }
}

/// The sparse factor of a positive definite matrix.
#[derive(Debug, Clone)]
pub(crate) struct SparseCholesky {
    pattern: Arc<Inner>,
    lower: Vec<f64>,
}

impl SparseCholesky {
    /// Number of rows of `A`.
    pub(crate) fn dim(&self) -> usize {
        self.pattern.dim
    }

    /// Replaces `B` by `A⁻¹B`; `2·fill` multiplications a column, panels of 32
    /// columns in parallel. The thread count does not change a bit.
    ///
    /// # Errors
    /// [`Error::Shape`] when `B` has not one row for each of `A`;
    /// [`Error::Memory`] when scratch cannot be had.
    pub(crate) fn solve_in_place(&self, rhs: MatMut<'_, f64>) -> Result<()> {
        if rhs.nrows() != self.dim() {
            return Err(Error::Shape {
                what: "rows of the right-hand side",
                expected: self.dim(),
                got: rhs.nrows(),
            });
        }
        let symbolic = &self.pattern.symbolic;
        rhs.par_col_chunks_mut(PANEL).try_for_each(|mut panel| {
            let cols = panel.ncols();
            // faer's sparse solves want columns.
            let mut copy = panel.as_ref().to_owned();
            let scratch = symbolic.solve_in_place_scratch::<f64>(cols, Par::Seq);
            LltRef::new(symbolic, &self.lower).solve_in_place_with_conj(
                Conj::No,
                copy.as_mut(),
                Par::Seq,
                MemStack::new(&mut memory(scratch)?),
            );
            gemm::clean_vector_state();
            panel.copy_from(&copy);
            Ok(())
        })
    }

    /// `A⁻¹B` as a new matrix; as `SparseCholesky::solve_in_place`.
    ///
    /// # Errors
    /// As `SparseCholesky::solve_in_place`.
    #[cfg_attr(not(test), allow(dead_code))] // for tests
    pub(crate) fn solve(&self, rhs: MatRef<'_, f64>) -> Result<Mat<f64>> {
        let mut out = rhs.to_owned();
        self.solve_in_place(out.as_mut())?;
        Ok(out)
    }
}

#[derive(Default)]
struct Upper {
    starts: Vec<usize>,
    rows: Vec<usize>,
    sources: Vec<usize>,
}

impl Upper {
    fn push(&mut self, row: usize, source: usize) {
        self.rows.push(row);
        self.sources.push(source);
    }
}

fn check(dim: usize, starts: &[u64], columns: &[u32]) -> Result<()> {
    if starts.len() != dim + 1 {
        return Err(Error::Shape {
            what: "row starts of a sparse matrix",
            expected: dim + 1,
            got: starts.len(),
        });
    }
    let refuse = |what: String| {
        Err(Error::refused(
            Refusal::Arrays,
            what,
            "give the rows one after the other",
        ))
    };
    if starts[0] != 0 || starts[dim] != columns.len() as u64 || !starts.is_sorted() {
        let entries = columns.len();
        return refuse(format!("row starts do not ascend from 0 to {entries}"));
    }
    for (i, s) in starts.windows(2).enumerate() {
        let row = &columns[s[0] as usize..s[1] as usize];
        if row.last().is_some_and(|&j| j as usize >= dim) || row.windows(2).any(|p| p[1] <= p[0]) {
            return refuse(format!("the columns of row {i} do not ascend below {dim}"));
        }
    }
    Ok(())
}

/// The minimum-degree order and its inverse.
fn order(
    matrix: SymbolicSparseColMatRef<'_, usize>,
) -> std::result::Result<(Vec<usize>, Vec<usize>), FaerError> {
    let n = matrix.nrows();
    let (mut forward, mut inverse) = (vec![0; n], vec![0; n]);
    let scratch = amd::order_scratch::<usize>(n, matrix.compute_nnz());
    let mut memory = MemBuffer::try_new(scratch).map_err(|_| FaerError::OutOfMemory)?;
    amd::order(
        &mut forward,
        &mut inverse,
        matrix,
        amd::Control::default(),
        MemStack::new(&mut memory),
    )?;
    Ok((forward, inverse))
}

/// Entries of `L`: each row of it is a walk up the elimination tree from the row's entries.
fn count(upper: &Upper, inverse: &[usize]) -> usize {
    let n = inverse.len();
    // The permuted matrix's entries left of the diagonal, by row.
    let mut starts = vec![0; n + 1];
    let ends = |j: usize, i: usize| {
        let (a, b) = (inverse[i], inverse[j]);
        (a.min(b), a.max(b))
    };
    let each = |visit: &mut dyn FnMut(usize, usize)| {
        for j in 0..n {
            for &i in &upper.rows[upper.starts[j]..upper.starts[j + 1]] {
                let (low, high) = ends(j, i);
                if low < high {
                    visit(low, high);
                }
            }
        }
    };
    each(&mut |_, high| starts[high + 1] += 1);
    for k in 0..n {
        starts[k + 1] += starts[k];
    }
    let mut next = starts.clone();
    let mut left = vec![0; starts[n]];
    each(&mut |low, high| {
        left[next[high]] = low;
        next[high] += 1;
    });
    const NONE: usize = usize::MAX;
    let (mut parent, mut seen, mut counts) = (vec![NONE; n], vec![NONE; n], vec![1_usize; n]);
    for k in 0..n {
        seen[k] = k;
        for &start in &left[starts[k]..starts[k + 1]] {
            let mut i = start;
            while seen[i] != k {
                if parent[i] == NONE {
                    parent[i] = k;
                }
                counts[i] += 1;
                seen[i] = k;
                i = parent[i];
            }
        }
    }
    counts.iter().sum()
}

/// The first pivot that is not positive, from the factorisation `L D Lᵀ`,
/// which goes on beyond it.
fn bad_pivot(
    symbolic: &SymbolicCholesky<usize>,
    matrix: SparseColMatRef<'_, usize, f64>,
    lower: &mut [f64],
) -> Result<f64> {
    let scratch = symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default());
    let outcome = symbolic.factorize_numeric_ldlt(
        lower,
        matrix,
        Side::Upper,
        Default::default(),
        Par::Seq,
        MemStack::new(&mut memory(scratch)?),
        Default::default(),
    );
    gemm::clean_vector_state();
    if outcome.is_err() {
        return Ok(0.0); // an exactly zero pivot
    }
    let pivots: Vec<f64> = match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(raw) => (raw.col_ptr().iter().take(raw.ncols()))
            .map(|&first| lower[first])
            .collect(),
        SymbolicCholeskyRaw::Supernodal(raw) => {
            let factor = supernodal::SupernodalLdltRef::new(raw, lower);
            (0..raw.n_supernodes())
                .flat_map(|s| {
                    let block = factor.supernode(s).val();
                    (0..block.ncols()).map(move |j| block[(j, j)])
                })
                .collect()
        }
    };
    let bad = pivots.into_iter().find(|p| p.is_nan() || *p <= 0.0);
    // Positive throughout: the matrix is singular to working precision.
    Ok(bad.unwrap_or(0.0))
}

fn memory(scratch: StackReq) -> Result<MemBuffer> {
    let needed = scratch.size_bytes() as u64;
    MemBuffer::try_new(scratch).map_err(|_| Error::no_memory("a sparse factorisation", needed))
}

fn zeros(len: usize) -> Result<Vec<f64>> {
    let mut values = Vec::new();
    values
        .try_reserve_exact(len)
        .map_err(|_| Error::no_memory("a sparse factor", 8 * len as u64))?;
    values.resize(len, 0.0);
    Ok(values)
}
