//! A fitted model: the expansion, what it says of the samples it saw, the report.

use super::Expansion;
use crate::base::Base;
use crate::error::Result;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::solve::SolveReport;

/// One row of scores per sample, and whether any label could reach it.
#[derive(Debug, Clone)]
pub struct Scores {
    /// One row per sample; zero where not reached.
    pub values: Mat<f64>,
    /// Whether a label could reach the sample.
    pub reached: Vec<bool>,
}

/// What a fit leaves behind.
#[derive(Debug, Clone)]
pub struct Fitted<B> {
    /// The predictor for new samples.
    pub expansion: Expansion<B>,
    /// Scores of the visible samples, for methods that solve for them;
    /// `None` where they are expansions like any other.
    pub visible: Option<Scores>,
    /// α̂, one row a label: the solution of the system between labels where the method has
    /// one, `(G + nβI) α = y`. Not part of a file.
    pub dual: Option<Mat<f64>>,
    /// How the solve went.
    pub report: SolveReport,
}

impl<B: Base> Fitted<B> {
    /// Scores of new samples.
    ///
    /// # Errors
    /// As [`Base::expand`].
    pub fn scores(&self, queries: &B::Query, monitor: &mut dyn Monitor) -> Result<Scores> {
        self.expansion.scores(queries, monitor)
    }
}
