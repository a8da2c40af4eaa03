//! The transformed kernel between the labels, one column a label:
//! `G_{Kₛ,n} = N Eᵀ s(S) E`, and its rows at evaluated samples.
//!
//! n columns are solved for once; then every ridge, every class, leave-one-out
//! and variances are n×n algebra ([`super::LabelSystem`]).

use super::reports::{exact, lanczos_report, worse};
use super::transformed_gram::{Form, TransformedGram};
use crate::error::Result;
use crate::linalg::{Block, Mat};
use crate::monitor::Monitor;
use crate::solve::{SolveReport, lanczos};
use crate::spectrum::SpectralFunction;

/// Columns solved for together at most.
const WIDEST: usize = 64;

/// Bytes the blocks of one panel may take.
const PANEL_BYTES: usize = 1 << 29;

/// Blocks a solver holds for a panel.
const PANEL_BLOCKS: usize = 8;

/// Lanczos steps to expect, for the width of a panel only.
const USUAL_STEPS: usize = 128;

/// `Kₛ` between labelled samples and from them to evaluated ones.
#[derive(Debug, Clone)]
pub struct LabelBlock {
    /// The labelled samples, in the order of the columns.
    pub index: Vec<usize>,
    /// `G_{Kₛ,n}`, n×n, symmetric.
    pub gram: Mat<f64>,
    /// `Kₛ(evaluated, labelled)`.
    pub cross: Mat<f64>,
    /// How its columns were solved for, the worst of them.
    pub report: SolveReport,
}

impl LabelBlock {
    /// By the transform's own algorithm.
    pub(super) fn new(
        transformed: &TransformedGram<'_>,
        form: &Form,
        index: &[usize],
        evaluated: &[usize],
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let n = transformed.total();
        let scale = n as f64;
        let mut gram = Mat::zeros(index.len(), index.len());
        let mut cross = Mat::zeros(evaluated.len(), index.len());
        let mut worst: Option<SolveReport> = None;
        let width = panel_width(n);
        for (panel, labels) in index.chunks(width).enumerate() {
            let (coefficients, report) = transformed.smooth(form, units(n, labels)?, monitor)?;
            let image = transformed.times(&coefficients, monitor)?; // S t(S) E
            for c in 0..labels.len() {
                let column = panel * width + c;
                for (k, &i) in index.iter().enumerate() {
                    gram[(k, column)] = scale * image.row(i)[c];
                }
                for (k, &i) in evaluated.iter().enumerate() {
                    cross[(k, column)] = scale * image.row(i)[c];
                }
            }
            worst = Some(match worst {
                Some(before) => worse(before, report),
                None => report,
            });
        }
        Ok(Self {
            index: index.to_vec(),
            gram: symmetrised(&gram),
            cross,
            report: worst.unwrap_or_else(|| exact("none", n, 0)),
        })
    }
}

/// `f(S)E` at chosen rows, for several functions from one Krylov space: all η of
/// a grid, or all powers, for the products of the hardest. One matrix a
/// function, rows × labels.
///
/// Known modes are multiplied exactly; only the chosen rows of the Krylov basis
/// are kept.
pub(super) fn family(
    transformed: &TransformedGram<'_>,
    functions: &[&dyn SpectralFunction],
    index: &[usize],
    rows: &[usize],
    monitor: &mut dyn Monitor,
) -> Result<(Vec<Mat<f64>>, SolveReport)> {
    let n = transformed.total();
    let mut values: Vec<Mat<f64>> = functions
        .iter()
        .map(|_| Mat::zeros(rows.len(), index.len()))
        .collect();
    let kept = PANEL_BYTES / (8 * USUAL_STEPS * rows.len().max(1));
    let width = panel_width(n).min(kept.max(1));
    let mut worst: Option<SolveReport> = None;
    for (panel, labels) in index.chunks(width).enumerate() {
        let mut rhs = units(n, labels)?;
        transformed.project(&mut rhs);
        let (found, done) = lanczos::functions(
            transformed.target(),
            rhs,
            functions,
            rows,
            transformed.tolerance,
            transformed.iterations,
            monitor,
        )?;
        for (found, values) in found.iter().zip(&mut values) {
            let mut columns = values.subcols_mut(panel * width, labels.len());
            columns.copy_from(found);
        }
        let report = lanczos_report(n, &done);
        worst = Some(match worst {
            Some(before) => worse(before, report),
            None => report,
        });
    }
    let report = worst.unwrap_or_else(|| exact("none", n, 0));
    Ok((values, report))
}

/// What a walk through the powers of S leaves of several polynomials.
pub(super) struct Walked {
    /// `s(S)E` at the chosen rows.
    pub(super) values: Vec<Mat<f64>>,
    /// `t(S)E` at the chosen rows.
    pub(super) ratios: Vec<Mat<f64>>,
    pub(super) report: SolveReport,
}

/// `s(S)E` and `t(S)E` at chosen rows for several polynomials, π₁ first, from
/// one walk through the powers of S. Two matrices a polynomial, rows × labels.
///
/// A sample that no walk of so many steps joins to a label has an exact zero
/// here, as by Horner's rule; a Krylov space would leave rounding there, which
/// an argmax reads as a class.
pub(super) fn polynomials(
    transformed: &TransformedGram<'_>,
    weights: &[Vec<f64>],
    index: &[usize],
    rows: &[usize],
    monitor: &mut dyn Monitor,
) -> Result<Walked> {
    let n = transformed.total();
    let empty = || -> Vec<Mat<f64>> {
        let one = |_: &Vec<f64>| Mat::zeros(rows.len(), index.len());
        weights.iter().map(one).collect()
    };
    let (mut values, mut ratios) = (empty(), empty());
    let degree = weights.iter().map(Vec::len).max().unwrap_or(0);
    let width = panel_width(n);
    for (panel, labels) in index.chunks(width).enumerate() {
        let mut power = units(n, labels)?;
        transformed.project(&mut power);
        for p in 0..=degree {
            if p > 0 {
                power = transformed.times(&power, monitor)?;
            }
            for (k, weights) in weights.iter().enumerate() {
                let value = p.checked_sub(1).and_then(|p| weights.get(p));
                let parts = [
                    (&mut values[k], value.copied().unwrap_or(0.0)),
                    (&mut ratios[k], weights.get(p).copied().unwrap_or(0.0)),
                ];
                for (out, weight) in parts {
                    if weight != 0.0 {
                        for c in 0..labels.len() {
                            for (slot, &i) in rows.iter().enumerate() {
                                out[(slot, panel * width + c)] += weight * power.row(i)[c];
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(Walked {
        values,
        ratios,
        report: exact("powers", n, degree),
    })
}

/// Unit columns at the given samples.
pub(super) fn units(total: usize, samples: &[usize]) -> Result<Block> {
    let mut block = Block::zeros(total, samples.len())?;
    for (c, &i) in samples.iter().enumerate() {
        block.row_mut(i)[c] = 1.0;
    }
    Ok(block)
}

/// Bytes the blocks of one panel take for so many samples.
pub(crate) fn panel_bytes(total: usize) -> usize {
    8 * PANEL_BLOCKS * total * panel_width(total)
}

/// Columns of a panel: as many as memory lets a solver hold blocks for.
fn panel_width(total: usize) -> usize {
    let most = PANEL_BYTES / (8 * PANEL_BLOCKS * total.max(1));
    (most / 8 * 8).clamp(8, WIDEST)
}

pub(super) fn symmetrised(a: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| 0.5 * (a[(i, j)] + a[(j, i)]))
}
