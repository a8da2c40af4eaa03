//! Kernel Laplacian regularisation: Figures 1 to 6, and the benchmark sets of the
//! semi-supervised book.

pub mod book;
pub mod circles;
mod draw;
pub mod gaussians;

use std::path::{Path, PathBuf};

use anyhow::Result;
use isotherm::data::Points;
use isotherm::estimator::laplacian::{
    BasisSpec, Covariance, Laplacian, LaplacianParams, NormShare,
};
use isotherm::estimator::{Estimator as _, Prepared as _};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::spectrum::Filter;
use isotherm::task::Observed;

/// A fit as the paper says it: a Gaussian kernel, μ, ψ, nothing chosen by anyone.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) sigma: f64,
    pub(crate) share: f64,
    pub(crate) basis: BasisSpec,
    pub(crate) filter: Filter,
    pub(crate) covariance: Covariance,
}

impl Setting {
    pub(crate) fn params(&self) -> LaplacianParams {
        LaplacianParams {
            kernel: KernelSpec::Gaussian {
                bandwidth: Bandwidth::Fixed(self.sigma),
            },
            basis: self.basis.clone(),
            filter: Some(self.filter.clone()),
            norm_share: NormShare::Fixed(self.share),
            covariance: self.covariance,
            ..LaplacianParams::default()
        }
    }

    /// ĝ at other points.
    pub(crate) fn predict(&self, rows: &Points, seen: &Observed, at: &Points) -> Result<Vec<f64>> {
        let laplacian = Laplacian::new(self.params(), 0)?;
        let fitted = (laplacian.prepare(rows.clone(), &mut Quiet)?).solve(seen, &mut Quiet)?;
        let scores = fitted.scores(at, &mut Quiet)?.values;
        Ok((0..at.len()).map(|i| scores[(i, 0)]).collect())
    }
}

/// The first rows with labels ±1.
pub(crate) fn first(labels: &[f64], total: usize) -> Result<Observed> {
    let values = Mat::from_fn(labels.len(), 1, |i, _| labels[i]);
    Ok(Observed::new((0..labels.len()).collect(), values, total)?)
}

/// The first `count` rows as landmarks.
pub(crate) fn landmarks(count: usize, derivatives: bool) -> BasisSpec {
    BasisSpec::Rows {
        index: (0..count).collect(),
        derivatives,
    }
}

fn folder(out: &Path, name: &str) -> Result<PathBuf> {
    let folder = out.join(name);
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// One line of a Markdown table.
fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn head(names: &[&str]) -> String {
    let dashes = vec!["---"; names.len()].join("|");
    format!("| {} |\n|{dashes}|\n", names.join(" | "))
}
