//! The blend as Bayesian ridge, for choosing rows before labels have said what to blend: the
//! mean of the members' kernels, each scaled to a mean variance of one.

use super::label_ridge::USUAL;
use super::member::Member;
use super::prepared::PreparedBlend;
use crate::base::{Adjacency as _, Base as _, KernelBase, Storage};
use crate::error::{Error, Refusal, Result};
use crate::estimator::spectral::{Level, Prior, Spectral, check_count, leading};
use crate::landmark::pivoted;
use crate::linalg::{Mat, whiten};
use crate::monitor::Monitor;

/// The prior variance of the constant, in units of the mean prior variance: free, but finite.
const FREE: f64 = 100.0;

impl Spectral for PreparedBlend {
    /// Each member has the same number of features: pivoted landmarks of a kernel, or
    /// `D^-½ψᵢ/√(1 − ηλᵢ)` of a graph of neighbours.
    fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior> {
        check_count(count)?;
        let terms = self.members.iter().flat_map(Member::terms).count();
        let each = count.div_ceil(terms.max(1)).max(1);
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for term in self.members.iter().flat_map(Member::terms) {
            let features = match (term.kernel(), term.graph()) {
                (Some(kernel), _) => {
                    let (rows, kernel) = (term.rows()?, kernel.build()?);
                    let found = pivoted::pivots(rows, &*kernel, each.min(rows.len()), monitor)?;
                    if found.index.is_empty() {
                        continue;
                    }
                    let base = KernelBase::new(rows.select(&found.index)?, kernel, Storage::Tiled);
                    let gram = base.cross(base.points(), monitor)?;
                    let white = whiten::whiten(gram.as_ref())?;
                    base.expand(rows, white.map.as_ref(), monitor)?
                }
                (None, Some((graph, eta))) => {
                    let modes = graph.modes(monitor)?;
                    let component = graph.graph().components(monitor)?;
                    let weight = |v: f64| 1.0 / (1.0 - eta * v);
                    let gram = graph.gram();
                    let known = modes.as_ref();
                    let seed = 0;
                    let found = leading(
                        &*gram,
                        known,
                        Some(&component),
                        each,
                        seed,
                        &weight,
                        monitor,
                    )?;
                    let plain = self.nodes().is_some();
                    let root = |d: &f64| if plain { 1.0 } else { d.powf(-0.5) };
                    let roots: Vec<f64> = graph.graph().degrees().iter().map(root).collect();
                    Mat::from_fn(component.len(), found.values.len(), |i, j| {
                        roots[i] * weight(found.values[j]).sqrt() * found.vectors[(i, j)]
                    })
                }
                (None, None) => continue,
            };
            let square: f64 = (0..features.ncols())
                .map(|j| features.col(j).iter().map(|v| v * v).sum::<f64>())
                .sum();
            if square > 0.0 {
                let unit = (features.nrows() as f64 / square).sqrt();
                let scaled = |j: usize| features.col(j).iter().map(|v| unit * v).collect();
                columns.extend((0..features.ncols()).map(scaled));
            }
        }
        if columns.is_empty() {
            return Err(Error::refused(
                Refusal::Kernel,
                "every kernel is 0 on every row",
                "choose features that are not all zero",
            ));
        }
        let members = terms as f64;
        let rows = self.samples.len();
        let features = Mat::from_fn(rows, columns.len(), |i, j| columns[j][i] / members.sqrt());
        let note = format!(
            "{} features of {} kernels, blended equally",
            columns.len(),
            members
        );
        let prior = Prior::new(features, 10f64.powf(USUAL), 0.0)?.saying(None, note);
        prior.with_level(Level {
            component: vec![0; rows],
            entry: vec![FREE.sqrt(); rows],
        })
    }
}
