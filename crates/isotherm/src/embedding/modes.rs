//! Leading modes as expansions over a base: what an embedding is made of.

use crate::base::{Base, FeatureBase};
use crate::data::Points;
use crate::error::{Error, Refusal, Result};
use crate::estimator::Estimator as _;
use crate::estimator::laplacian::{Covariance, Laplacian, LaplacianParams};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::solve::components::leading_by_component;
use crate::solve::eigenpairs::{self, LeadingOptions};
use crate::solve::{Outcome, SolveReport};

/// Eigenvalues below this, relative to the largest, count as zero.
const NOTHING: f64 = 1e-12;

/// Modes as expansions.
pub(super) struct Modes {
    pub(super) values: Vec<f64>,
    pub(super) coefficients: Mat<f64>,
    pub(super) offset: Vec<f64>,
    pub(super) visible: Mat<f64>,
    pub(super) report: SolveReport,
}

impl Modes {
    /// On a graph that is connected, without the mode `D^½1`.
    pub(super) fn walking<B: Base>(
        base: &B,
        dimensions: usize,
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let component = base.components(monitor)?;
        let count = (component.iter().flatten().max()).map_or(1, |c| *c as usize + 1);
        if count > 1 {
            return Err(Error::refused(
                Refusal::Components,
                format!(
                    "the graph falls into {count} components: its leading modes tell these apart \
                     and nothing else"
                ),
                "embed one component, or add edges: with a table, more neighbours or a kernel",
            ));
        }
        let known = usize::from(base.modes(monitor)?.is_some_and(|m| !m.is_empty()));
        Self::of(base, component.as_deref(), dimensions, known, seed, monitor)
    }

    /// The leading modes of the base's S after the first `known` ones.
    pub(super) fn of<B: Base>(
        base: &B,
        component: Option<&[u32]>,
        dimensions: usize,
        known: usize,
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let n = base.len();
        let options = LeadingOptions {
            seed,
            at_most: 500,
            ..LeadingOptions::default()
        };
        let count = dimensions.saturating_add(known).min(n);
        let gram = base.gram();
        let found = match component {
            Some(component) => leading_by_component(&*gram, component, count, &options, monitor)?,
            None => eigenpairs::leading(&*gram, count, &options, monitor)?,
        };
        let largest = found.values.first().copied().unwrap_or(0.0);
        let floor = NOTHING * largest.max(f64::MIN_POSITIVE);
        let positive = found.values.iter().filter(|v| **v > floor).count();
        let there = positive.saturating_sub(known);
        if dimensions > there {
            return Err(Error::parameter(
                "dimensions",
                format!("at most {there}, the modes of positive eigenvalue"),
                dimensions,
            )
            .with_hint("give more rows"));
        }
        let values = found.values[known..known + dimensions].to_vec();
        let scaled = |by: &dyn Fn(f64) -> f64| {
            Mat::from_fn(n, dimensions, |i, j| {
                by(values[j]) * found.vectors[(i, known + j)]
            })
        };
        let rows = n as f64;
        let residuals = found.residuals.iter();
        Ok(Self {
            coefficients: scaled(&|v| 1.0 / (rows * v).sqrt()),
            visible: scaled(&|v| (rows * v).sqrt()),
            offset: vec![0.0; dimensions],
            report: SolveReport {
                solver: "block lanczos".to_owned(),
                size: n,
                iterations: found.products,
                residual: residuals.fold(0.0_f64, |w, r| w.max(*r)) / largest,
                condition: None,
                outcome: if found.converged {
                    Outcome::Converged
                } else {
                    Outcome::Exhausted
                },
                error_estimate: None,
                smallest: values.last().copied(),
                choice: None,
            },
            values,
        })
    }

    /// Turns each mode so that its coordinate of largest modulus is positive.
    pub(super) fn orient(&mut self) {
        for j in 0..self.visible.ncols() {
            let larger = |m: f64, v: &f64| if v.abs() > m.abs() { *v } else { m };
            if self.visible.col(j).iter().fold(0.0, larger) >= 0.0 {
                continue;
            }
            self.offset[j] = -self.offset[j];
            for table in [&mut self.visible, &mut self.coefficients] {
                table.col_mut(j).iter_mut().for_each(|v| *v = -*v);
            }
        }
    }
}

/// The leading modes of `(Σ̂, L̂ + μ)`, constants left out.
pub(super) fn smooth(
    params: &LaplacianParams,
    points: Points,
    dimensions: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<(LaplacianParams, Modes, FeatureBase)> {
    let params = LaplacianParams {
        covariance: Covariance::All,
        free_constant: true,
        filter: None,
        ..params.clone()
    };
    let prepared = Laplacian::new(params, seed)?.prepare(points.clone(), monitor)?;
    let rank = prepared.coordinates().map.ncols();
    if dimensions > rank {
        return Err(Error::parameter(
            "dimensions",
            format!("at most {rank}, the rank of the basis"),
            dimensions,
        )
        .with_hint("use more landmarks"));
    }
    let modes = prepared.modes(dimensions, monitor)?;
    let found = Modes {
        visible: modes.transform(&points, monitor)?,
        values: modes.eigenvalues.clone(),
        coefficients: modes.coefficients().clone(),
        offset: modes.offset().to_vec(),
        report: modes.report.clone(),
    };
    let base = FeatureBase::clone(prepared.base());
    Ok((prepared.params().clone(), found, base))
}
