//! The base of a blend ↔ parts.

use std::sync::Arc;

use super::blend_nodes::{node_parts, put_nodes, take_nodes};
use super::blend_outline::{Comparison, Outline, Scaling};
use super::parts::{Array, Parts, broken, from_json, json, put_points, take_points};
use crate::base::{BlendBase, BlendPart, JoinedRows, Samples, Similarity, View};
use crate::data::{Points, Rescale, Rescaling, Standardiser};
use crate::error::Result;
use crate::estimator::blend::BlendParams;
use crate::monitor::Quiet;

/// Blocks of columns, which keep their values where others are replaced by their ranks.
const BLOCKS: &str = "anchor_blocks";

pub(super) fn put_blend(parts: &mut Parts, base: &BlendBase) {
    match base.samples() {
        Samples::Rows(rows) => put_points(parts, rows),
        Samples::Nodes(nodes) => put_nodes(parts, nodes),
    }
    // Scales of sparse columns follow from all rows.
    let follows = matches!(base.samples(), Samples::Rows(rows) if rows.is_sparse());
    let labelled: Vec<u64> = base.labelled().iter().map(|&i| i as u64).collect();
    parts.put("labelled_rows", vec![labelled.len()], Array::U64(labelled));
    let mut outlines = Vec::with_capacity(base.parts().len());
    for (k, part) in base.parts().iter().enumerate() {
        let scaling = match &part.view {
            View::Table(rescaling) if follows => scaling_of(rescaling),
            View::Table(rescaling) => put_scaling(parts, k, rescaling),
            View::Nodes(_) | View::Edges => Scaling::AsGiven,
        };
        let similarity = match (&part.similarity, &part.view) {
            (Similarity::Kernel { kernel, .. }, View::Nodes(rows)) => Comparison::Nodes {
                rows: rows.spec,
                kernel: kernel.clone(),
                relation: rows.relation,
            },
            (Similarity::Kernel { kernel, .. }, _) => Comparison::Kernel {
                kernel: kernel.clone(),
            },
            (Similarity::Edges { eta, relation }, _) => Comparison::Edges {
                eta: *eta,
                relation: *relation,
            },
            (Similarity::Reach, _) => Comparison::Reach,
            (Similarity::Neighbours { rows, eta }, _) => {
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
    if let (Samples::Rows(rows), true) = (base.samples(), has_ranks(&outlines)) {
        let ends = rows.blocks().iter().map(|block| (block.start, block.end));
        parts.text(BLOCKS, json(&ends.collect::<Vec<_>>()));
    }
    parts.text("blend", json(&outlines));
}

/// Whether the rows say where values stand in their columns.
fn has_ranks(outlines: &[Outline]) -> bool {
    outlines.iter().any(|o| matches!(o.scaling, Scaling::Ranks))
}

fn put_scaling(parts: &mut Parts, k: usize, rescaling: &Rescaling) -> Scaling {
    if let Rescaling::Columns(scaling) = rescaling {
        let d = scaling.mean().len();
        parts.floats(&format!("part_{k}_mean"), vec![d], scaling.mean().to_vec());
        parts.floats(
            &format!("part_{k}_scale"),
            vec![d],
            scaling.scale().to_vec(),
        );
    }
    scaling_of(rescaling)
}

fn scaling_of(rescaling: &Rescaling) -> Scaling {
    match rescaling {
        Rescaling::Columns(_) => Scaling::Columns,
        Rescaling::Ranks(..) => Scaling::Ranks,
        Rescaling::UnitRows => Scaling::UnitRows,
        Rescaling::AsGiven => Scaling::AsGiven,
    }
}

/// What [`put_blend`] put; the rows of nodes are found again, by the recipe's seed.
pub(super) fn take_blend(parts: &mut Parts, params: &BlendParams, seed: u64) -> Result<BlendBase> {
    let outlines: Vec<Outline> = from_json(&parts.take_text("blend")?, "blend")?;
    if parts.tensors.contains_key("graph_starts") {
        let samples = Samples::Nodes(take_nodes(parts)?);
        let labelled = take_labelled(parts, samples.len())?;
        let found = node_parts(outlines, (&samples, &labelled), (params.stopping(), seed))?;
        return Ok(BlendBase::new(samples, labelled, found));
    }
    let mut rows = take_points(parts)?;
    if has_ranks(&outlines) {
        let ends: Vec<(usize, usize)> = from_json(&parts.take_text(BLOCKS)?, BLOCKS)?;
        rows = rows.with_blocks(ends.into_iter().map(|(from, to)| from..to).collect());
    }
    let labelled = take_labelled(parts, rows.len())?;
    let mut found = Vec::with_capacity(outlines.len());
    for (k, outline) in outlines.into_iter().enumerate() {
        found.push(take_part(parts, k, outline, &rows, &labelled)?);
    }
    Ok(BlendBase::new(Samples::Rows(rows), labelled, found))
}

fn take_labelled(parts: &mut Parts, samples: usize) -> Result<Vec<usize>> {
    let Array::U64(labelled) = parts.take("labelled_rows", &[None])?.array else {
        return Err(broken("labelled_rows", "must be 64-bit unsigned integers"));
    };
    let inside = |i: &u64| usize::try_from(*i).ok().filter(|i| *i < samples);
    let labelled: Option<Vec<usize>> = labelled.iter().map(inside).collect();
    labelled.ok_or_else(|| broken("labelled_rows", "points outside the rows"))
}

fn take_part(
    parts: &mut Parts,
    k: usize,
    outline: Outline,
    rows: &Points,
    labelled: &[usize],
) -> Result<BlendPart> {
    outline.check()?;
    let rescaling = match outline.scaling {
        Scaling::Columns if rows.is_sparse() => {
            Rescaling::learn(Rescale::Balanced, rows, &mut Quiet)?
        }
        Scaling::Columns => {
            let d = Some(rows.dim());
            let (_, mean) = parts.take_floats(&format!("part_{k}_mean"), &[d])?;
            let (_, scale) = parts.take_floats(&format!("part_{k}_scale"), &[d])?;
            Rescaling::Columns(Standardiser::from_parts(mean, scale)?)
        }
        Scaling::Ranks => Rescaling::learn(Rescale::Ranks, rows, &mut Quiet)?,
        Scaling::UnitRows => Rescaling::UnitRows,
        Scaling::AsGiven => Rescaling::AsGiven,
    };
    let rescaling = Arc::new(rescaling);
    let named = (outline.name, outline.share);
    match outline.similarity {
        Comparison::Kernel { kernel } => {
            let samples = Samples::Rows(rows.clone());
            BlendPart::kernel(named, View::Table(rescaling), (&samples, labelled), kernel)
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
                view: View::Table(rescaling),
                similarity: Similarity::Neighbours { rows: known, eta },
            })
        }
        Comparison::Nodes { .. } | Comparison::Edges { .. } | Comparison::Reach => {
            Err(broken("blend", "compares nodes, and there is no graph"))
        }
    }
}
