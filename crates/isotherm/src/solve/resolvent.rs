//! TEMP
use super::SolveReport;
use super::conjugate_gradient::{self, Definite};
use crate::base::SparseParts;
use crate::error::Result;
use crate::linalg::Block;
use crate::monitor::Monitor;
use crate::operator::Modes;
use crate::operator::sparse::Sparse;
#[allow(missing_docs)]
pub struct Resolvent<'a> {
    parts: SparseParts<'a>,
    eta: f64,
}
#[allow(missing_docs)]
impl<'a> Resolvent<'a> {
    pub fn new(parts: SparseParts<'a>, eta: f64) -> Self {
        Self { parts, eta }
    }
    pub fn solve(
        &self,
        modes: Option<&Modes>,
        mut rhs: Block,
        tolerance: f64,
        iterations: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        let p = &self.parts;
        let s = match p.roots {
            Some(r) => Sparse::with_diagonals(p.graph, r, r)?,
            None => Sparse::adjacency(p.graph),
        };
        let q = s.affine(1.0 - self.eta * p.shift, -self.eta * p.scale);
        let o = modes.map(|m| (m, m.remove(rhs.as_mat_mut())));
        let (mut x, report) = conjugate_gradient::solve(
            Definite {
                operator: &q,
                name: "I − ηS",
                hint: "lower eta",
            },
            rhs,
            tolerance,
            iterations,
            monitor,
        )?;
        if let Some((m, o)) = o {
            m.add(1.0 / (1.0 - self.eta), o.as_ref(), x.as_mat_mut());
        }
        Ok((x, report))
    }
}
