//! Grids judged on validation nodes: the first maximum, as in the paper.

use anyhow::{Result, ensure};
use isotherm::Error;
use isotherm::estimator::stkr::{LabelSystem, Ridge};
use isotherm::linalg::Mat;
use isotherm::select::Blocks;
use isotherm::select::grid::RIDGES;
use rayon::prelude::*;

use crate::stage::{right, rows};

/// The paper's numbers of iterations.
pub const STEPS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// A fit of a grid: its parameters, what it scored, and α.
#[derive(Debug, Clone)]
pub struct Fit {
    /// β.
    pub ridge: f64,
    /// T, where the solve was cut short.
    pub steps: Option<usize>,
    /// Per cent right on the validation nodes.
    pub validation: f64,
    /// The coefficients of the labels.
    pub alpha: Mat<f64>,
}

/// For each transform the first of its ridges with the best validation accuracy.
///
/// `labels` are those the systems are solved for (centred or not), `given` those
/// an open ridge would be chosen by.
///
/// # Errors
/// When none of a transform's systems can be solved.
pub fn ridges(
    blocks: &Blocks,
    given: &Mat<f64>,
    labels: &Mat<f64>,
    validation: &[u32],
) -> Result<Vec<Fit>> {
    let one = |k: usize| -> Result<Fit> {
        let block = &blocks.blocks[k];
        let system = LabelSystem::new(block.gram.clone(), None, blocks.options[k]);
        let mut best: Option<Fit> = None;
        for ridge in RIDGES {
            let found = match system.at(Ridge::Fixed(ridge), given) {
                Ok(found) => found,
                // Singular at this ridge: no candidate.
                Err(Error::Indefinite { .. }) => continue,
                Err(other) => return Err(other.into()),
            };
            let alpha = found.coefficients(labels);
            let score = accuracy(&block.cross, &alpha, validation);
            if best.as_ref().is_none_or(|b| score > b.validation) {
                best = Some(Fit {
                    ridge,
                    steps: None,
                    validation: score,
                    alpha,
                });
            }
        }
        best.ok_or_else(|| anyhow::anyhow!("no ridge can be solved for"))
    };
    (0..blocks.blocks.len()).into_par_iter().map(one).collect()
}

/// The first of the fits with the best validation accuracy, and which it is.
///
/// # Errors
/// When there is none.
pub fn first_best(fits: &[Fit]) -> Result<(usize, &Fit)> {
    let mut best = 0;
    for (k, fit) in fits.iter().enumerate() {
        if fit.validation > fits[best].validation {
            best = k;
        }
    }
    ensure!(!fits.is_empty(), "an empty grid");
    Ok((best, &fits[best]))
}

/// [STKR Alg. 1] cut after T steps, `α ← α − γ((G + nβI)α − y)` from zero with
/// γ = 1/(n(1 + 2β)), for every T and β: the first of the best.
///
/// # Errors
/// When every cell overflows.
pub fn limited(gram: &Mat<f64>, cross: &Mat<f64>, y: &Mat<f64>, truth: &[u32]) -> Result<Fit> {
    let n = y.nrows() as f64;
    let all: Vec<Vec<Fit>> = (RIDGES.par_iter())
        .map(|&ridge| {
            let step = 1.0 / (n * (1.0 + 2.0 * ridge));
            let mut alpha: Mat<f64> = Mat::zeros(y.nrows(), y.ncols());
            let mut found = Vec::new();
            for t in 1..=STEPS[STEPS.len() - 1] {
                let image = gram * &alpha;
                alpha = Mat::from_fn(y.nrows(), y.ncols(), |i, j| {
                    let a = alpha[(i, j)];
                    a - step * (image[(i, j)] + n * ridge * a - y[(i, j)])
                });
                let finite = (0..y.ncols()).all(|j| alpha.col(j).iter().all(|v| v.is_finite()));
                if STEPS.contains(&t) && finite {
                    found.push(Fit {
                        ridge,
                        steps: Some(t),
                        validation: accuracy(cross, &alpha, truth),
                        alpha: alpha.clone(),
                    });
                }
            }
            found
        })
        .collect();
    let all: Vec<Fit> = all.into_iter().flatten().collect();
    first_best(&all).map(|(_, fit)| fit.clone())
}

fn accuracy(cross: &Mat<f64>, alpha: &Mat<f64>, truth: &[u32]) -> f64 {
    let scores = rows((cross * alpha).as_ref());
    right(scores.iter().map(Vec::as_slice), truth)
}
