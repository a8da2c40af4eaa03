//! A split as the learner sees it: transductive, or inductive with validation
//! and test nodes given by their links to visible ones.  [STKR App. D.1]

use std::sync::Arc;

use anyhow::{Result, ensure};
use isotherm::base::{Base, GraphBase};
use isotherm::data::graph::EdgeRules;
use isotherm::data::{GraphBuilder, Links};
use isotherm::estimator::EvaluationPoints;
use isotherm::estimator::stkr::{KernelPca, StkrParams};
use isotherm::linalg::{Block, Mat, MatRef};
use isotherm::monitor::Quiet;
use isotherm::operator::{Modes, Operator};
use isotherm::select::{self, Blocks};
use isotherm::solve::lanczos::{self, Target};
use isotherm::spectrum::{Resolvent, SpectralFunction, Transform};
use isotherm::task::{Codec, Observed, OneHot};

use crate::graphs::{Network, Split};

/// Relative error of matrix functions.
const TOLERANCE: f64 = 1e-10;

/// A split ready to learn on.
pub struct Stage {
    /// The visible graph.
    pub base: Arc<GraphBase>,
    /// Its exact modes, where they are known.
    pub known: Option<Modes>,
    /// The labels.
    pub seen: Observed,
    /// Classes of the validation nodes.
    pub validation: Vec<u32>,
    test: Vec<u32>,
    places: Places,
}

enum Places {
    /// Rows of the visible graph; the rest with their classes.
    Visible {
        validation: Vec<usize>,
        test: Vec<usize>,
        rest: Vec<usize>,
        classes: Vec<u32>,
    },
    /// New nodes.
    New { validation: Links, test: Links },
}

/// `t(λ) = s(λ)/λ`.
struct Ratio<'s>(&'s Transform);

impl SpectralFunction for Ratio<'_> {
    fn at(&self, eigenvalue: f64) -> f64 {
        self.0.ratio(eigenvalue)
    }

    fn resolvent(&self) -> Option<Resolvent> {
        let parts = self.0.resolvent()?;
        Some(Resolvent {
            times: false,
            ..parts
        })
    }
}

/// How predictions did, in per cent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Right on the test nodes.
    pub test: f64,
    /// Right on everything that is neither labelled nor for validation.
    pub rest: Option<f64>,
    /// Test nodes without any score.
    pub unreached: f64,
}

impl Stage {
    /// All nodes visible, the training nodes labelled. The base is shared by
    /// all seeds.
    ///
    /// # Errors
    /// When the split does not fit the graph.
    pub fn transductive(
        network: &Network,
        base: &Arc<GraphBase>,
        known: Option<&Modes>,
        split: &Split,
    ) -> Result<Self> {
        let mut rest: Vec<usize> = split.test.iter().chain(&split.other).copied().collect();
        rest.retain(|i| !network.unknown.contains(i));
        let classes = pick(&network.labels, &rest);
        Ok(Self {
            base: base.clone(),
            known: known.cloned(),
            seen: observed(network, &split.train, &split.train, network.labels.len())?,
            validation: pick(&network.labels, &split.validation),
            test: pick(&network.labels, &split.test),
            places: Places::Visible {
                validation: split.validation.clone(),
                test: split.test.clone(),
                rest,
                classes,
            },
        })
    }

    /// Training and other nodes visible; degrees count validation nodes too,
    /// but no test node.
    ///
    /// # Errors
    /// When the split does not fit the graph.
    pub fn inductive(network: &Network, split: &Split) -> Result<Self> {
        let total = network.labels.len();
        let mut visible: Vec<usize> = split.train.iter().chain(&split.other).copied().collect();
        visible.sort_unstable();
        let mut place = vec![u32::MAX; total];
        for (&node, number) in visible.iter().zip(0..) {
            place[node] = number;
        }
        let mut tested = vec![false; total];
        split.test.iter().for_each(|&i| tested[i] = true);
        let near = |i: usize| network.graph.neighbours(i).iter().map(|&j| j as usize);
        let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(visible.len());
        for &i in &visible {
            for j in near(i).filter(|&j| i < j && place[j] != u32::MAX) {
                builder.push(place[i], place[j], None)?;
            }
        }
        let (graph, _) = builder.finish(&mut Quiet)?;
        let degree = |&i: &usize| near(i).filter(|&j| !tested[j]).count() as f64;
        let degrees = visible.iter().map(degree).collect();
        let links = |nodes: &[usize]| -> Result<Links> {
            let mut rows = Vec::new();
            for (&node, row) in nodes.iter().zip(0..) {
                let seen = near(node).map(|j| place[j]).filter(|&j| j != u32::MAX);
                rows.extend(seen.map(|j| (row, j, 1.0)));
            }
            Ok(Links::new(nodes.len(), visible.len(), &rows)?)
        };
        let train: Vec<usize> = split.train.iter().map(|&i| place[i] as usize).collect();
        let base = GraphBase::with_degrees(graph, degrees)?;
        Ok(Self {
            known: base.modes(&mut Quiet)?,
            base: Arc::new(base),
            seen: observed(network, &split.train, &train, visible.len())?,
            validation: pick(&network.labels, &split.validation),
            test: pick(&network.labels, &split.test),
            places: Places::New {
                validation: links(&split.validation)?,
                test: links(&split.test)?,
            },
        })
    }

    /// The validation nodes.
    pub fn watch(&self) -> EvaluationPoints<'_, Links> {
        match &self.places {
            Places::Visible { validation, .. } => EvaluationPoints::Visible(validation),
            Places::New { validation, .. } => EvaluationPoints::New(validation),
        }
    }

    /// The transformed kernels of these transforms, watched at the validation nodes.
    ///
    /// # Errors
    /// As [`select::blocks`].
    pub fn blocks(&self, params: &StkrParams, transforms: &[Transform]) -> Result<Blocks> {
        let (base, seen) = (&self.base, &self.seen);
        Ok(select::blocks(
            params,
            base,
            seen,
            transforms,
            self.watch(),
            &mut Quiet,
        )?)
    }

    /// Coefficients `t(S)[α; 0]` over all visible nodes, without the modes that
    /// are taken out. Powers by products, so that unreached nodes are exact zeros.
    ///
    /// # Errors
    /// When Lanczos does not converge.
    pub fn spread(
        &self,
        transform: &Transform,
        removed: Option<&Modes>,
        alpha: &Mat<f64>,
    ) -> Result<Block> {
        let mut block = Block::zeros(self.base.len(), alpha.ncols())?;
        for (k, &i) in self.seen.index().iter().enumerate() {
            for (j, slot) in block.row_mut(i).iter_mut().enumerate() {
                *slot = alpha[(k, j)];
            }
        }
        if let Some(modes) = removed {
            modes.remove(block.as_mat_mut());
        }
        let gram = self.base.gram();
        let mut out = match transform {
            Transform::Power { degree } => {
                for _ in 1..*degree {
                    let mut next = Block::zeros(block.rows(), block.cols())?;
                    gram.apply(block.as_mat(), next.as_mat_mut(), &mut Quiet)?;
                    block = next;
                }
                block
            }
            _ => {
                let target = Target {
                    operator: &*gram,
                    modes: self.known.as_ref(),
                };
                let ratio = Ratio(transform);
                let (out, report) =
                    lanczos::apply(target, block, &ratio, TOLERANCE, 10_000, &mut Quiet)?;
                ensure!(report.error <= 1e-8, "{transform:?}: {report:?}");
                out
            }
        };
        if let Some(modes) = removed {
            modes.remove(out.as_mat_mut());
        }
        Ok(out)
    }

    /// How `f = K c` does.
    ///
    /// # Errors
    /// When a product fails.
    pub fn judge(&self, coefficients: &Block) -> Result<Verdict> {
        match &self.places {
            Places::Visible { .. } => {
                let mut image = Block::zeros(coefficients.rows(), coefficients.cols())?;
                let gram = self.base.gram();
                gram.apply(coefficients.as_mat(), image.as_mat_mut(), &mut Quiet)?;
                Ok(self.judge_visible(&|i| image.row(i)))
            }
            Places::New { test, .. } => {
                let scores = self.base.expand(test, coefficients.as_mat(), &mut Quiet)?;
                Ok(self.judge_new(&scores))
            }
        }
    }

    /// How scores of all visible nodes do; a new test node is not among them.
    pub fn judge_visible<'s>(&self, row: &dyn Fn(usize) -> &'s [f64]) -> Verdict {
        let Places::Visible {
            test,
            rest,
            classes,
            ..
        } = &self.places
        else {
            return Verdict {
                test: f64::NAN,
                rest: None,
                unreached: f64::NAN,
            };
        };
        let empty = test.iter().filter(|&&i| row(i).iter().all(|v| *v == 0.0));
        Verdict {
            unreached: percent(empty.count(), test.len()),
            test: right(test.iter().map(|&i| row(i)), &self.test),
            rest: Some(right(rest.iter().map(|&i| row(i)), classes)),
        }
    }

    fn judge_new(&self, scores: &Mat<f64>) -> Verdict {
        let rows = rows(scores.as_ref());
        let empty = rows.iter().filter(|r| r.iter().all(|v| *v == 0.0));
        Verdict {
            unreached: percent(empty.count(), rows.len()),
            test: right(rows.iter().map(Vec::as_slice), &self.test),
            rest: None,
        }
    }

    /// How a probe of the leading `rank` modes does.
    ///
    /// # Errors
    /// When a product fails.
    pub fn judge_modes(&self, pca: &KernelPca, rank: usize, alpha: &Mat<f64>) -> Result<Verdict> {
        let index = self.seen.index();
        match &self.places {
            Places::Visible { .. } => {
                let all: Vec<usize> = (0..self.base.len()).collect();
                let block = pca.label_block(rank, index, &all);
                let rows = rows((&block.cross * alpha).as_ref());
                Ok(self.judge_visible(&|i| &rows[i]))
            }
            Places::New { test, .. } => {
                let features = self.base.expand(test, pca.encoder().as_ref(), &mut Quiet)?;
                let block = pca.label_block_at(rank, index, &features);
                Ok(self.judge_new(&(&block.cross * alpha)))
            }
        }
    }

    /// Rows of the validation nodes, where they are visible.
    pub fn validation_rows(&self) -> &[usize] {
        match &self.places {
            Places::Visible { validation, .. } => validation,
            Places::New { .. } => &[],
        }
    }
}

fn observed(
    network: &Network,
    nodes: &[usize],
    places: &[usize],
    total: usize,
) -> Result<Observed> {
    let classes = network.entry.classes;
    let values = Mat::from_fn(nodes.len(), classes, |k, j| {
        f64::from(network.labels[nodes[k]] as usize == j)
    });
    Ok(Observed::new(places.to_vec(), values, total)?)
}

fn pick(labels: &[u32], nodes: &[usize]) -> Vec<u32> {
    nodes.iter().map(|&i| labels[i]).collect()
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// The share of rows whose largest score is their class, in per cent; ties go to
/// the first class, as the paper's do.
pub fn right<'s>(rows: impl Iterator<Item = &'s [f64]>, classes: &[u32]) -> f64 {
    let decode = |row: &[f64]| OneHot::new(row.len()).decode(row);
    let hits = rows
        .zip(classes)
        .filter(|(row, class)| decode(row) == **class);
    percent(hits.count(), classes.len())
}

/// A matrix as rows.
pub fn rows(scores: MatRef<'_, f64>) -> Vec<Vec<f64>> {
    (scores.row_iter())
        .map(|row| row.iter().copied().collect())
        .collect()
}
