//! The transformed kernel at labels: one system for a fit, many blocks for a grid.

use std::sync::{Arc, PoisonError};

use super::cached::{Cached, SystemKey};
use super::kernel_pca::KernelPca;
use super::label_block::{self, LabelBlock};
use super::label_system::LabelSystem;
use super::params::Solver;
use super::prepared::PreparedStkr;
use super::transformed_gram::{Ratio, TransformedGram};
use crate::base::Base;
use crate::error::{Error, Result};
use crate::estimator::check::check_total;
use crate::estimator::evaluation_points::EvaluationPoints;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::operator::Operator;
use crate::solve::SolveReport;
use crate::spectrum::{SpectralFunction, Transform};
use crate::task::Observed;

impl<B: Base> PreparedStkr<B> {
    /// The transformed kernel between the labels and from them to `evaluated`
    /// samples: the start of every ridge, leave-one-out and variances.
    ///
    /// # Errors
    /// [`Error::Shape`] when the labels are of other samples; whatever stops a solver.
    pub fn label_block(
        &self,
        seen: &Observed,
        evaluated: &[usize],
        monitor: &mut dyn Monitor,
    ) -> Result<LabelBlock> {
        check_total(self.base.len(), seen)?;
        let transformed = self.transformed_for(seen);
        if evaluated.is_empty() {
            let known = self.label_system(&transformed, seen, monitor)?;
            return Ok(LabelBlock {
                index: seen.index().to_vec(),
                gram: known.system.gram().clone(),
                cross: Mat::zeros(0, seen.index().len()),
                report: known.report.clone(),
            });
        }
        match self.kernel_pca(seen, monitor)? {
            Some(pca) => Ok(pca.label_block(self.rank(&pca), seen.index(), evaluated)),
            None => LabelBlock::new(&transformed, &self.form, seen.index(), evaluated, monitor),
        }
    }

    /// The Gram operator for these labels, factored where that is the route.
    pub(super) fn transformed_for(&self, seen: &Observed) -> TransformedGram<'_> {
        let mut transformed = self.transformed(self.removed(seen));
        transformed.direct = self.choose(seen).0 == Solver::Direct;
        transformed
    }

    /// The modes a truncation keeps.
    pub(super) fn rank(&self, pca: &KernelPca) -> usize {
        match self.params.transform {
            Transform::Truncation { rank, .. } => rank,
            _ => pca.eigenvalues().len(),
        }
    }

    /// The system between these labels. It is cached, so that a fit, its smoother and its
    /// influences share one decomposition.
    pub(super) fn label_system(
        &self,
        transformed: &TransformedGram<'_>,
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Arc<Cached>> {
        let key = SystemKey {
            index: seen.index().to_vec(),
            removed: transformed.removed_at(seen.index()),
            direct: transformed.direct,
        };
        // A poisoned lock holds a system like any other.
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last().clone().filter(|known| known.key == key);
        let (gram, pca, report) = match known {
            Some(known) if known.system.weights() == seen.weights() => return Ok(known),
            Some(known) => {
                let gram = known.system.gram().clone();
                (gram, known.pca.clone(), known.report.clone())
            }
            None => {
                let pca = self.kernel_pca(seen, monitor)?;
                let block = match &pca {
                    Some(pca) => pca.label_block(self.rank(pca), seen.index(), &[]),
                    None => LabelBlock::new(transformed, &self.form, seen.index(), &[], monitor)?,
                };
                (block.gram, pca, block.report)
            }
        };
        let weights = seen.weights().map(<[f64]>::to_vec);
        let made = Arc::new(Cached {
            key,
            system: LabelSystem::new(gram, weights, self.system_options()),
            pca,
            report,
        });
        *last() = Some(made.clone());
        Ok(made)
    }

    /// The transformed kernel for several transforms from one Krylov space,
    /// between the labels and from them to evaluated samples; this estimator's own
    /// transform plays no part. Its cost is that of the hardest of them.
    ///
    /// # Errors
    /// As [`PreparedStkr::label_block`].
    pub fn label_blocks(
        &self,
        transforms: &[&dyn SpectralFunction],
        seen: &Observed,
        points: EvaluationPoints<'_, B::Query>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<LabelBlock>> {
        check_total(self.base.len(), seen)?;
        let transformed = self.transformed(self.removed(seen));
        let (rows, support) = self.rows_for(seen, points);
        // At new samples the coefficients t(S)E are expanded over the base.
        let ratios: Vec<Ratio<'_>> = transforms.iter().map(|s| Ratio(*s)).collect();
        let mut functions = transforms.to_vec();
        if let EvaluationPoints::New(_) = points {
            functions.extend(ratios.iter().map(|r| r as &dyn SpectralFunction));
        }
        let (mut values, report) =
            label_block::family(&transformed, &functions, seen.index(), &rows, monitor)?;
        let coefficients = values.split_off(transforms.len());
        self.assembled(
            (&values, &coefficients),
            &support,
            report,
            seen,
            points,
            monitor,
        )
    }

    /// As [`PreparedStkr::label_blocks`] for polynomials, π₁ first, by products
    /// alone: samples beyond a polynomial's reach have exact zeros.
    ///
    /// # Errors
    /// As [`PreparedStkr::label_block`].
    pub fn polynomial_blocks(
        &self,
        weights: &[Vec<f64>],
        seen: &Observed,
        points: EvaluationPoints<'_, B::Query>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<LabelBlock>> {
        check_total(self.base.len(), seen)?;
        let transformed = self.transformed(self.removed(seen));
        let (rows, support) = self.rows_for(seen, points);
        let walked = label_block::polynomials(&transformed, weights, seen.index(), &rows, monitor)?;
        let parts = (walked.values.as_slice(), walked.ratios.as_slice());
        self.assembled(parts, &support, walked.report, seen, points, monitor)
    }

    /// The rows to know: the labelled, then those that evaluated samples are read from.
    fn rows_for(
        &self,
        seen: &Observed,
        points: EvaluationPoints<'_, B::Query>,
    ) -> (Vec<usize>, Vec<usize>) {
        let support = match points {
            EvaluationPoints::Visible(evaluated) => evaluated.to_vec(),
            EvaluationPoints::New(queries) => match self.base.support(queries) {
                Some(support) => support,
                None => (0..self.base.len()).collect(),
            },
        };
        let mut rows = seen.index().to_vec();
        rows.extend(&support);
        (rows, support)
    }

    /// Label blocks from `s(S)E` and, for new samples, `t(S)E` at the known rows.
    fn assembled(
        &self,
        (values, coefficients): (&[Mat<f64>], &[Mat<f64>]),
        support: &[usize],
        report: SolveReport,
        seen: &Observed,
        points: EvaluationPoints<'_, B::Query>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<LabelBlock>> {
        let (n, labelled) = (self.base.len() as f64, seen.index().len());
        let mut blocks = Vec::with_capacity(values.len());
        for (k, values) in values.iter().enumerate() {
            let gram = Mat::from_fn(labelled, labelled, |i, j| n * values[(i, j)]);
            let cross = match points {
                EvaluationPoints::Visible(_) => Mat::from_fn(support.len(), labelled, |i, j| {
                    n * values[(labelled + i, j)]
                }),
                EvaluationPoints::New(queries) => {
                    let mut whole = Mat::zeros(self.base.len(), labelled);
                    for (i, &row) in support.iter().enumerate() {
                        for j in 0..labelled {
                            whole[(row, j)] = coefficients[k][(labelled + i, j)];
                        }
                    }
                    self.expand_centred(queries, whole, monitor)?
                }
            };
            blocks.push(LabelBlock {
                index: seen.index().to_vec(),
                gram: label_block::symmetrised(&gram),
                cross,
                report: report.clone(),
            });
        }
        Ok(blocks)
    }

    /// `K(queries, ·) · coefficients` for the base kernel, centred if it is.
    fn expand_centred(
        &self,
        queries: &B::Query,
        mut coefficients: Mat<f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        if !self.params.centre_kernel {
            return self.base.expand(queries, coefficients.as_ref(), monitor);
        }
        let (rows, cols) = (coefficients.nrows(), coefficients.ncols());
        for j in 0..cols {
            let mean = coefficients.col(j).iter().sum::<f64>() / rows as f64;
            (0..rows).for_each(|i| coefficients[(i, j)] -= mean);
        }
        let mut image = Mat::zeros(rows, cols);
        let plain = self.base.gram();
        plain.apply(coefficients.as_ref(), image.as_mut(), monitor)?;
        let mut out = self.base.expand(queries, coefficients.as_ref(), monitor)?;
        for j in 0..cols {
            let offset: f64 = image.col(j).iter().sum();
            (0..out.nrows()).for_each(|i| out[(i, j)] -= offset);
        }
        Ok(out)
    }

    /// The truncated kernel for several ranks from one set of modes, as
    /// [`PreparedStkr::label_blocks`]; this estimator's transform is the
    /// truncation of the largest rank.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless the transform is a truncation.
    pub fn truncated_blocks(
        &self,
        ranks: &[usize],
        seen: &Observed,
        points: EvaluationPoints<'_, B::Query>,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<LabelBlock>> {
        check_total(self.base.len(), seen)?;
        let Some(pca) = self.kernel_pca(seen, monitor)? else {
            let got = self.params.transform.name();
            return Err(Error::parameter("transform", "a truncation", got));
        };
        let new = match points {
            EvaluationPoints::Visible(_) => None,
            EvaluationPoints::New(queries) => {
                let encoder = pca.encoder().clone();
                Some(self.expand_centred(queries, encoder, monitor)?)
            }
        };
        Ok(ranks
            .iter()
            .map(|&rank| match (points, &new) {
                (EvaluationPoints::Visible(evaluated), _) => {
                    pca.label_block(rank, seen.index(), evaluated)
                }
                (EvaluationPoints::New(_), Some(new)) => {
                    pca.label_block_at(rank, seen.index(), new)
                }
                (EvaluationPoints::New(_), None) => pca.label_block(rank, seen.index(), &[]),
            })
            .collect())
    }
}
