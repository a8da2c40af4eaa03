//! `Q = Σ ξₚSᵖ` factored once: sparse Cholesky of `I − ηS` where the graph fills in
//! little, dense Cholesky of small tables.

use crate::base::SparseParts;
use crate::error::{Error, Result};
use crate::linalg::cholesky::{self, Cholesky};
use crate::linalg::sparse_cholesky::{Pattern, SparseCholesky};
use crate::linalg::{Block, Mat};
use crate::monitor::Monitor;
use crate::operator::horner::Horner;
use crate::operator::{Operator, Symmetric};
use crate::solve::{Outcome, SolveReport};

/// Entries of a sparse factor at most: 2 GiB.
const MOST_FILL: usize = 1 << 28;

/// Samples of a dense factor at most: 512 MiB.
const MOST_DENSE: usize = 8192;

/// Up to so many times the entries of a graph in its factor, a factorisation is
/// worth more than iterations.
pub(super) const LITTLE_FILL: usize = 4;

/// Entries of a graph up to which its fill is looked at unasked.
const MOST_ANALYSED: usize = 1 << 20;

const NAME: &str = "Q = Σ ξₚ(G/N)ᵖ";
const HINT: &str = "1/s must be positive on the spectrum: lower eta below 1/λ₁";

/// A factor of `Q`.
pub(super) enum Factored {
    Sparse(SparseCholesky),
    Dense(Cholesky),
}

impl Factored {
    /// `I − ηG` of a sparse `G`, analysed before it is factored.
    pub(super) fn sparse(parts: SparseParts<'_>, eta: f64) -> Result<Self> {
        let graph = parts.graph;
        let pattern = Pattern::analyse(graph.len(), graph.starts(), graph.columns())?;
        if pattern.fill() > MOST_FILL {
            return Err(Error::Memory {
                what: format!("a factor of {} numbers", pattern.fill()),
                needed: 8 * pattern.fill() as u64,
                limit: Some(8 * MOST_FILL as u64),
                hint: "this graph fills in: use the solver label-block".to_owned(),
            });
        }
        let (shift, scale) = (1.0 - eta * parts.shift, -eta * parts.scale);
        let root = |i: usize| parts.roots.map_or(1.0, |r| r[i]);
        let mut values = Vec::with_capacity(graph.entries());
        for i in 0..graph.len() {
            let weights = graph.weights(i);
            for (k, &j) in graph.neighbours(i).iter().enumerate() {
                let weight = weights.map_or(1.0, |w| w[k]);
                values.push(scale * root(i) * weight * root(j as usize));
            }
        }
        let diagonal = vec![shift; graph.len()];
        pattern
            .factor(&values, &diagonal, NAME, HINT)
            .map(Self::Sparse)
    }

    /// Whether the sparse factor would have few entries; `O(entries of L)`.
    pub(super) fn fills_little(parts: SparseParts<'_>) -> bool {
        let graph = parts.graph;
        if graph.entries() > MOST_ANALYSED {
            return false;
        }
        Pattern::analyse(graph.len(), graph.starts(), graph.columns())
            .is_ok_and(|p| p.fill() <= LITTLE_FILL * (graph.entries() + graph.len()))
    }

    /// `Q` formed from its products, then factored.
    pub(super) fn dense(
        gram: &dyn Symmetric,
        weights: &[f64],
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let n = gram.dim();
        if n > MOST_DENSE {
            return Err(Error::Memory {
                what: format!("a dense factor of {n} samples"),
                needed: 8 * (n as u64).saturating_mul(n as u64),
                limit: Some(8 * (MOST_DENSE * MOST_DENSE) as u64),
                hint: "use the solver label-block or conjugate-gradients".to_owned(),
            });
        }
        let q = Horner::new(gram, weights.to_vec())?;
        let mut matrix = Mat::zeros(n, n);
        q.apply(
            Mat::<f64>::identity(n, n).as_ref(),
            matrix.as_mut(),
            monitor,
        )?;
        cholesky::factor(matrix, NAME, HINT, monitor).map(Self::Dense)
    }

    /// `Q⁻¹ b`, its residual from one product with `Q`.
    pub(super) fn solve(
        &self,
        gram: &dyn Symmetric,
        weights: &[f64],
        rhs: &Block,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        let mut x = rhs.as_mat().to_owned();
        let solver = match self {
            Self::Sparse(factor) => {
                factor.solve_in_place(x.as_mut())?;
                "sparse cholesky"
            }
            Self::Dense(factor) => {
                factor.solve_in_place(x.as_mut());
                "cholesky"
            }
        };
        let mut solution = Block::copy_of(x.as_ref())?;
        let q = Horner::new(gram, weights.to_vec())?;
        let mut rest = Block::zeros(rhs.rows(), rhs.cols())?;
        q.apply(solution.as_mat(), rest.as_mat_mut(), monitor)?;
        let minus = vec![-1.0; rhs.cols()];
        let left = rest.add_scaled_and_square(&minus, rhs);
        let size = rhs.dots(rhs);
        // One step of refinement costs nothing beside the factor.
        let mut correction = rest.as_mat().to_owned();
        match self {
            Self::Sparse(factor) => factor.solve_in_place(correction.as_mut())?,
            Self::Dense(factor) => factor.solve_in_place(correction.as_mut()),
        }
        let correction = Block::copy_of(correction.as_ref())?;
        solution.add_scaled(&minus, &correction);
        let worst =
            left.iter().zip(&size).fold(
                0.0_f64,
                |w, (l, s)| {
                    if *l == 0.0 { w } else { w.max((l / s).sqrt()) }
                },
            );
        let report = SolveReport {
            solver: solver.to_owned(),
            size: rhs.rows(),
            iterations: 0,
            residual: worst,
            condition: None,
            outcome: Outcome::Direct,
            error_estimate: None,
            smallest: None,
            choice: None,
        };
        Ok((solution, report))
    }
}
