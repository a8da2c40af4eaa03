//! One member of a blend: a similarity, or the sum of several.

use super::params::BlendParams;
use super::term::{Term, scale};
use crate::base::{BlendPart, GraphBase, Samples};
use crate::error::Result;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::solve::SolveReport;

/// A member ready for any labels: its kernel is the sum of its terms'.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    /// Its weight without labels, beside those of the other members.
    pub(super) prior: f64,
    terms: Vec<Term>,
}

/// A part of the expansion for new samples, with its anchors' coefficients and mass.
pub(super) type Part = (BlendPart, Mat<f64>, Vec<f64>);

impl Member {
    /// A single similarity as it is, or several at the same mean diagonal, which is one for
    /// the sum.
    pub(super) fn new(name: String, prior: f64, mut terms: Vec<Term>) -> Result<Self> {
        if terms.len() > 1 {
            let each = 1.0 / terms.len() as f64;
            terms.iter_mut().try_for_each(|term| term.scale_to(each))?;
        }
        Ok(Self { name, prior, terms })
    }

    /// What the sum is of.
    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The graph of neighbours, for a member that is one.
    pub(super) fn graph(&self) -> Option<&GraphBase> {
        self.terms
            .first()
            .and_then(Term::graph)
            .map(|(graph, _)| graph)
    }

    /// The kernel between labels, and how it was solved for.
    pub(super) fn gram(
        &self,
        index: &[usize],
        params: &BlendParams,
        monitor: &mut dyn Monitor,
    ) -> Result<(Mat<f64>, Option<SolveReport>)> {
        let mut sum = Sum::default();
        for term in &self.terms {
            sum.add(term.gram(index, params, monitor)?);
        }
        Ok(sum.done(index.len(), index.len()))
    }

    /// What it says of every sample, from the coefficients of the labels, with the parts of the
    /// expansion for new samples; `weight` is what the blend multiplies it by.
    pub(super) fn expand(
        &self,
        (samples, index): (&Samples, &[usize]),
        (alpha, weight, share): (&Mat<f64>, f64, f64),
        params: &BlendParams,
        monitor: &mut dyn Monitor,
    ) -> Result<(Mat<f64>, Vec<Part>, Option<SolveReport>)> {
        let mut alpha = alpha.clone();
        scale(&mut alpha, weight);
        let mut sum = Sum::default();
        let mut parts = Vec::with_capacity(self.terms.len());
        let each = share / self.terms.len() as f64;
        for term in &self.terms {
            let (image, solve) = term.image(index, &alpha, params, monitor)?;
            let named = (self.name.clone(), each);
            parts.push(term.part(named, (samples, index), (&alpha, &image))?);
            sum.add((image, solve));
        }
        let (image, solve) = sum.done(samples.len(), alpha.ncols());
        Ok((image, parts, solve))
    }

    /// Which rows any of these labels reaches along edges; `None` for kernels.
    pub(super) fn lit(&self, index: &[usize]) -> Option<Vec<bool>> {
        self.terms.first().and_then(|term| term.lit(index))
    }
}

/// A sum of matrices, and the worst of their solves.
#[derive(Default)]
struct Sum {
    matrix: Option<Mat<f64>>,
    solve: Option<SolveReport>,
}

impl Sum {
    fn add(&mut self, (next, solve): (Mat<f64>, Option<SolveReport>)) {
        if let Some(solve) = solve {
            self.solve = Some(SolveReport::worse(self.solve.take(), solve));
        }
        self.matrix = Some(match self.matrix.take() {
            Some(sum) => sum + next,
            None => next,
        });
    }

    fn done(self, rows: usize, columns: usize) -> (Mat<f64>, Option<SolveReport>) {
        let matrix = self.matrix.unwrap_or_else(|| Mat::zeros(rows, columns));
        (matrix, self.solve)
    }
}
