//! The base of a blend ↔ parts.

use std::sync::Arc;

use super::parts::{Array, Parts, broken, from_json, json, put_points, take_points};
use crate::base::{BlendBase, BlendPart, JoinedRows, Metric, Similarity};
use crate::data::{Points, Rescaling, Standardiser};
use crate::error::Result;
use crate::kernel::KernelSpec;

/// One part, but for its arrays.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Outline {
    name: String,
    share: f64,
    scaling: Scaling,
    similarity: Comparison,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Scaling {
    Columns,
    UnitRows,
    AsGiven,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum Comparison {
    Kernel {
        kernel: KernelSpec,
    },
    Neighbours {
        count: usize,
        metric: Metric,
        eta: f64,
    },
}

pub(super) fn put_blend(parts: &mut Parts, base: &BlendBase) {
    put_points(parts, base.rows());
    let labelled: Vec<u64> = base.labelled().iter().map(|&i| i as u64).collect();
    parts.put("labelled_rows", vec![labelled.len()], Array::U64(labelled));
    let mut outlines = Vec::with_capacity(base.parts().len());
    for (k, part) in base.parts().iter().enumerate() {
        let scaling = match &*part.rescaling {
            Rescaling::Columns(scaling) => {
                let d = scaling.mean().len();
                parts.floats(&format!("part_{k}_mean"), vec![d], scaling.mean().to_vec());
                parts.floats(
                    &format!("part_{k}_scale"),
                    vec![d],
                    scaling.scale().to_vec(),
                );
                Scaling::Columns
            }
            Rescaling::UnitRows => Scaling::UnitRows,
            Rescaling::AsGiven => Scaling::AsGiven,
        };
        let similarity = match &part.similarity {
            Similarity::Kernel { kernel, .. } => Comparison::Kernel {
                kernel: kernel.clone(),
            },
            Similarity::Neighbours { rows, eta } => {
                let spread = rows.spread().to_vec();
                parts.floats(&format!("part_{k}_spread"), vec![spread.len()], spread);
                Comparison::Neighbours {
                    count: rows.count(),
                    metric: rows.metric(),
                    eta: *eta,
                }
            }
        };
        outlines.push(Outline {
            name: part.name.clone(),
            share: part.share,
            scaling,
            similarity,
        });
    }
    parts.text("blend", json(&outlines));
}

pub(super) fn take_blend(parts: &mut Parts) -> Result<BlendBase> {
    let outlines: Vec<Outline> = from_json(&parts.take_text("blend")?, "blend")?;
    let rows = take_points(parts)?;
    let Array::U64(labelled) = parts.take("labelled_rows", &[None])?.array else {
        return Err(broken("labelled_rows", "must be 64-bit unsigned integers"));
    };
    let inside = |i: &u64| usize::try_from(*i).ok().filter(|i| *i < rows.len());
    let labelled: Option<Vec<usize>> = labelled.iter().map(inside).collect();
    let labelled = labelled.ok_or_else(|| broken("labelled_rows", "points outside the rows"))?;
    let mut found = Vec::with_capacity(outlines.len());
    for (k, outline) in outlines.into_iter().enumerate() {
        found.push(take_part(parts, k, outline, &rows, &labelled)?);
    }
    Ok(BlendBase::new(rows, labelled, found))
}

fn take_part(
    parts: &mut Parts,
    k: usize,
    outline: Outline,
    rows: &Points,
    labelled: &[usize],
) -> Result<BlendPart> {
    if !(0.0..=1.0).contains(&outline.share) {
        return Err(broken("blend", "has a share that is not between 0 and 1"));
    }
    let rescaling = match outline.scaling {
        Scaling::Columns => {
            let d = Some(rows.dim());
            let (_, mean) = parts.take_floats(&format!("part_{k}_mean"), &[d])?;
            let (_, scale) = parts.take_floats(&format!("part_{k}_scale"), &[d])?;
            Rescaling::Columns(Standardiser::from_parts(mean, scale)?)
        }
        Scaling::UnitRows => Rescaling::UnitRows,
        Scaling::AsGiven => Rescaling::AsGiven,
    };
    let rescaling = Arc::new(rescaling);
    let named = (outline.name, outline.share);
    match outline.similarity {
        Comparison::Kernel { kernel } => {
            BlendPart::kernel(named, rescaling, (rows, labelled), kernel)
        }
        Comparison::Neighbours { count, metric, eta } => {
            if !(0.0..1.0).contains(&eta) {
                return Err(broken("blend", "has an eta that is not below 1"));
            }
            let n = Some(rows.len());
            let (_, spread) = parts.take_floats(&format!("part_{k}_spread"), &[n])?;
            let known = JoinedRows::from_parts(rescaling.copy(rows)?, count, metric, spread)?;
            Ok(BlendPart {
                name: named.0,
                share: named.1,
                rescaling,
                similarity: Similarity::Neighbours { rows: known, eta },
            })
        }
    }
}
