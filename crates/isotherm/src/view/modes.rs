//! The smoothest functions of a base, as coordinates.

use super::layout::put_aside;
use super::plane::{Plane, PlaneKind, PlaneMode};
use crate::base::Base;
use crate::embedding::{Embedding, EmbeddingParams};
use crate::error::Result;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::operator::masked::Masked;
use crate::solve::components::leading_by_component;
use crate::solve::eigenpairs::{self, LeadingOptions};

/// Digits that a picture shows, with some to spare.
const TOLERANCE: f64 = 1e-6;

/// Modes over all samples that were looked at.
pub(super) struct Found {
    values: Vec<f64>,
    vectors: Mat<f64>,
    pub(super) kind: PlaneKind,
    pub(super) how: String,
    aside: Vec<bool>,
    /// How many samples the others have, of which component; ties together.
    order: Vec<u32>,
}

/// Modes of the largest component, where it holds more than a share of all.
pub(super) fn along_edges<B: Base>(
    base: &B,
    wanted: usize,
    share: f64,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Option<Found>> {
    let n = base.len();
    let component = base.components(monitor)?.unwrap_or_else(|| vec![0; n]);
    let count = component.iter().max().map_or(0, |c| *c as usize + 1);
    let mut sizes = vec![0_usize; count];
    component.iter().for_each(|c| sizes[*c as usize] += 1);
    let largest = (0..count).max_by_key(|&c| (sizes[c], std::cmp::Reverse(c)));
    let Some(largest) = largest.filter(|&c| sizes[c] >= 3) else {
        return Ok(None);
    };
    let options = LeadingOptions {
        tolerance: TOLERANCE,
        seed,
        at_most: 300,
    };
    let gram = base.gram();
    let known = usize::from(base.modes(monitor)?.is_some_and(|m| !m.is_empty()));
    if (sizes[largest] as f64) < share * n as f64 {
        let found = leading_by_component(&*gram, &component, wanted.min(n), &options, monitor)?;
        return Ok(Some(Found {
            values: found.values,
            vectors: found.vectors,
            kind: PlaneKind::PrincipalComponents,
            how: format!("neighbours join the rows into {count} components"),
            aside: vec![false; n],
            order: component,
        }));
    }
    let index: Vec<usize> = (0..n)
        .filter(|&i| component[i] as usize == largest)
        .collect();
    let wanted = (wanted + known).min(index.len());
    let found = if index.len() == n {
        eigenpairs::leading(&*gram, wanted, &options, monitor)?
    } else {
        let inside = Masked::new(&*gram, index.clone())?;
        eigenpairs::leading(&inside, wanted, &options, monitor)?
    };
    let mut vectors = Mat::zeros(n, found.values.len() - known);
    for (k, &i) in index.iter().enumerate() {
        for j in 0..vectors.ncols() {
            vectors[(i, j)] = found.vectors[(k, known + j)];
        }
    }
    // Larger components first among those placed aside.
    let order = component.iter().map(|c| {
        let size = u32::try_from(sizes[*c as usize]).unwrap_or(u32::MAX);
        u32::MAX - size
    });
    Ok(Some(Found {
        values: found.values[known..].to_vec(),
        vectors,
        aside: component.iter().map(|c| *c as usize != largest).collect(),
        order: order.collect(),
        kind: match count {
            1 => PlaneKind::Modes,
            _ => PlaneKind::LargestComponent,
        },
        how: match count {
            1 => "the smoothest functions of the graph".to_owned(),
            _ => format!(
                "the smoothest functions of the largest of {count} components, {} of {n}; the \
                 others lie below",
                index.len()
            ),
        },
    }))
}

pub(super) fn of_kernel<B: Base>(
    base: &B,
    wanted: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Found> {
    let options = LeadingOptions {
        tolerance: TOLERANCE,
        seed,
        at_most: 300,
    };
    let n = base.len();
    let found = eigenpairs::leading(&*base.gram(), (wanted + 1).min(n), &options, monitor)?;
    let first = usize::from(one_sided(&found.vectors));
    Ok(Found {
        values: found.values[first..].to_vec(),
        vectors: Mat::from_fn(n, found.values.len() - first, |i, j| {
            found.vectors[(i, first + j)]
        }),
        kind: PlaneKind::Modes,
        how: "the smoothest functions of the similarities".to_owned(),
        aside: vec![false; n],
        order: vec![0; n],
    })
}

pub(super) fn of_embedding(found: &Embedding, wanted: usize) -> Found {
    let visible = found.visible();
    let n = visible.nrows();
    let first = usize::from(visible.ncols() > wanted && one_sided(visible));
    let count = (visible.ncols() - first).min(wanted);
    Found {
        values: found.eigenvalues()[first..first + count].to_vec(),
        vectors: Mat::from_fn(n, count, |i, j| visible[(i, first + j)]),
        kind: PlaneKind::Modes,
        how: match found.params() {
            EmbeddingParams::Laplacian(_) => "the smoothest functions of the kernel Laplacian",
            EmbeddingParams::Stkr { .. } => "the smoothest functions of the kernel",
        }
        .to_owned(),
        aside: vec![false; n],
        order: vec![0; n],
    }
}

/// Whether the first function has one sign: it tells the density, and no samples apart.
fn one_sided(vectors: &Mat<f64>) -> bool {
    let first = || vectors.col(0).iter();
    vectors.ncols() > 0 && (first().all(|v| *v >= 0.0) || first().all(|v| *v <= 0.0))
}

impl Found {
    /// At the samples shown; `picks` where all samples were looked at.
    pub(super) fn plane(
        self,
        samples: Vec<usize>,
        total: usize,
        modes: usize,
        picks: bool,
    ) -> Plane {
        let at = |k: usize| if picks { samples[k] } else { k };
        let n = self.vectors.nrows();
        let inside = self.aside.iter().filter(|a| !**a).count();
        let function = |j: usize| -> Vec<f64> {
            let column = || self.vectors.col(j).iter();
            let square: f64 = column().map(|v| v * v).sum();
            let unit = (inside as f64 / square.max(f64::MIN_POSITIVE)).sqrt();
            // The value of largest modulus is positive, as an embedding has it.
            let top = column().fold(0.0_f64, |m, v| if v.abs() > m.abs() { *v } else { m });
            let unit = unit * if top < 0.0 { -1.0 } else { 1.0 };
            (0..samples.len().min(n))
                .map(|k| unit * self.vectors[(at(k), j)])
                .collect()
        };
        let functions: Vec<PlaneMode> = (self.values.iter().enumerate())
            .map(|(j, &eigenvalue)| PlaneMode {
                eigenvalue,
                values: function(j),
            })
            .collect();
        let coordinate = |j: usize, k: usize| functions.get(j).map_or(0.0, |f| f.values[k]);
        let aside: Vec<bool> = (0..samples.len()).map(|k| self.aside[at(k)]).collect();
        let mut positions: Vec<[f64; 2]> = (0..samples.len())
            .map(|k| [coordinate(0, k), coordinate(1, k)])
            .collect();
        let mut others: Vec<usize> = (0..samples.len()).filter(|&k| aside[k]).collect();
        others.sort_by_key(|&k| (self.order[at(k)], at(k)));
        put_aside(&mut positions, &aside, &others);
        let name = |j: usize| format!("ψ{}, λ = {:.3}", j + 1, self.values.get(j).unwrap_or(&0.0));
        Plane {
            axes: [name(0), name(1)],
            samples,
            total,
            kind: self.kind,
            how: self.how,
            positions,
            aside,
            modes: functions.into_iter().take(modes).collect(),
        }
    }
}
