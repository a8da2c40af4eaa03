//! Similarities that somebody else computed: a dense symmetric matrix.
//!
//! A sparse one is a [`crate::base::GraphBase`] under
//! [`crate::base::Normalisation::Given`].

use rayon::prelude::*;

use super::Base;
use crate::error::{Error, Result};
use crate::linalg::gemm::{self, Write};
use crate::linalg::{Mat, MatRef, tiles};
use crate::monitor::Monitor;
use crate::operator::Symmetric;
use crate::operator::dense::DenseGram;

/// New rows expanded in one tile.
const TILE: usize = 256;

/// The base kernel as a matrix: `K(xᵢ, xⱼ) = matrix[i, j]`.
///
/// A query is a row of similarities to the N anchors.
#[derive(Debug)]
pub struct SimilarityBase {
    gram: DenseGram,
}

impl SimilarityBase {
    /// Takes a symmetric matrix of similarities. O(N²) to check it.
    ///
    /// # Errors
    /// As [`DenseGram::new`]: not square, not finite, not symmetric.
    pub fn new(matrix: Mat<f64>) -> Result<Self> {
        let scale = 1.0 / matrix.nrows().max(1) as f64;
        Ok(Self {
            gram: DenseGram::new(matrix, scale)?,
        })
    }
}

impl Base for SimilarityBase {
    type Query = Mat<f64>;

    fn len(&self) -> usize {
        self.gram.matrix().nrows()
    }

    fn gram(&self) -> Box<dyn Symmetric + '_> {
        Box::new(&self.gram)
    }

    fn expand(
        &self,
        queries: &Mat<f64>,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        if queries.ncols() != self.len() {
            return Err(Error::Shape {
                what: "similarities of a new sample, one for each known sample",
                expected: self.len(),
                got: queries.ncols(),
            });
        }
        let mut out = Mat::zeros(queries.nrows(), coefficients.ncols());
        let work: Vec<_> = out.as_mut().par_row_chunks_mut(TILE).enumerate().collect();
        tiles::walk("predicting", work, monitor, |(tile, rows)| {
            let part = queries.as_ref().subrows(tile * TILE, rows.nrows());
            gemm::product(rows, Write::Replace, part, coefficients, 1.0);
            Ok(())
        })?;
        Ok(out)
    }
}
