//! Similarities that somebody else computed: a dense symmetric matrix.
//!
//! A sparse one is a [`crate::base::GraphBase`] under
//! [`crate::base::Normalisation::Given`].

use rayon::prelude::*;

use super::Base;
use super::no_gram::NoGram;
use crate::data::Points;
use crate::error::{Error, Refusal, Result};
use crate::linalg::gemm::{self, Write};
use crate::linalg::rows::runs;
use crate::linalg::{Mat, MatRef, tiles};
use crate::monitor::Monitor;
use crate::operator::Symmetric;
use crate::operator::dense::DenseGram;

/// New rows expanded in one tile.
const TILE: usize = 256;

/// The base kernel as a matrix: `K(xᵢ, xⱼ) = matrix[i, j]`, and `S = K/N`.
///
/// A query is a row of similarities to the N anchors, `K(new, known)`.
#[derive(Debug)]
pub struct SimilarityBase {
    count: usize,
    /// `None` where only new samples are asked for.
    gram: Option<DenseGram>,
}

impl SimilarityBase {
    /// Takes a symmetric matrix of similarities. O(N²) to check it.
    ///
    /// # Errors
    /// As `DenseGram::new`: not square, not finite, not symmetric.
    pub fn new(matrix: Mat<f64>) -> Result<Self> {
        let count = matrix.nrows();
        let scale = 1.0 / count.max(1) as f64;
        Ok(Self {
            count,
            gram: Some(DenseGram::new(matrix, scale)?),
        })
    }

    /// Takes N rows of N similarities, however they are kept: a copy of 8N² bytes, which
    /// every product reads.
    ///
    /// # Errors
    /// As [`SimilarityBase::new`]; [`Error::Memory`] when there is no room for the copy.
    pub fn from_rows(rows: &Points) -> Result<Self> {
        let n = rows.len();
        if rows.dim() != n {
            return Err(Error::refused(
                Refusal::Similarities,
                format!(
                    "the similarities are {n} rows of {} numbers, not a square matrix",
                    rows.dim()
                ),
                "give the similarity of every sample with every sample, in one order",
            ));
        }
        let mut probe: Vec<f64> = Vec::new();
        if probe.try_reserve_exact(n.saturating_mul(n)).is_err() {
            let bytes = (n as u64).saturating_mul(n as u64).saturating_mul(8);
            let what = format!("a similarity matrix of {n} rows and columns");
            return Err(Error::no_memory(what, bytes));
        }
        drop(probe);
        let mut matrix: Mat<f64> = Mat::zeros(n, n);
        for run in runs(n, 64) {
            let tile = rows.tile(run.clone());
            let tile = MatRef::from_row_major_slice(&tile, run.len(), n);
            matrix
                .as_mut()
                .subrows_mut(run.start, run.len())
                .copy_from(tile);
        }
        Self::new(matrix)
    }

    /// N samples whose similarities among themselves are not kept: it answers for new
    /// samples, and [`Base::gram`] refuses every product.
    pub fn for_queries(count: usize) -> Self {
        Self { count, gram: None }
    }
}

impl Base for SimilarityBase {
    type Query = Points;

    fn len(&self) -> usize {
        self.count
    }

    fn gram(&self) -> Box<dyn Symmetric + '_> {
        match &self.gram {
            Some(gram) => Box::new(gram),
            None => Box::new(NoGram {
                anchors: self.count,
                refusal: not_kept,
            }),
        }
    }

    fn expand(
        &self,
        queries: &Points,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        if queries.dim() != self.len() {
            return Err(Error::Shape {
                what: "similarities of a new sample, one for each known sample",
                expected: self.len(),
                got: queries.dim(),
            });
        }
        let mut out = Mat::zeros(queries.len(), coefficients.ncols());
        let work: Vec<_> = out.as_mut().par_row_chunks_mut(TILE).enumerate().collect();
        tiles::walk("predicting", work, monitor, |(tile, out)| {
            let first = tile * TILE;
            let rows = queries.tile(first..first + out.nrows());
            let rows = MatRef::from_row_major_slice(&rows, out.nrows(), self.len());
            gemm::product(out, Write::Replace, rows, coefficients, 1.0);
            Ok(())
        })?;
        Ok(out)
    }
}

fn not_kept() -> Error {
    Error::refused(
        Refusal::Similarities,
        "the similarities between the samples it was fitted to are not kept in a model file",
        "fit again to the matrix, or ask for new samples only",
    )
}
