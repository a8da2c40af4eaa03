//! What is around a node, counted: for labels that follow a node's place in the graph and not
//! its neighbours' labels.

use rayon::prelude::*;

use crate::data::{Graph, Standardiser};
use crate::error::Result;

/// Numbers of a node: log degree; mean, least, largest and spread of its neighbours' log degrees;
/// triangles; the share of its pairs of neighbours that are joined; nodes two edges away; and the
/// mean and largest of these among its neighbours. The last is one for every node.
pub(crate) const NUMBERS: usize = 11;

/// Neighbours of a node that are looked at for triangles, evenly spaced: a hub has too many pairs.
const LOOKED_AT: usize = 64;

/// How counts became rows.
#[derive(Debug, Clone)]
pub(crate) struct Roles {
    /// Shift and scale of each number but the constant.
    pub scaling: Standardiser,
}

/// The counts of every node, before they are scaled.
pub(crate) fn counts(graph: &Graph) -> Vec<f64> {
    let mut out = vec![0.0; graph.len() * NUMBERS];
    out.par_chunks_exact_mut(NUMBERS)
        .enumerate()
        .for_each(|(i, row)| count(graph, graph.neighbours(i), row));
    out
}

/// The row of a new node with these links, which its neighbours' own counts do not see.
pub(crate) fn role_of_new(
    roles: &Roles,
    graph: &Graph,
    links: impl Iterator<Item = (usize, f64)>,
    row: &mut [f64],
) {
    let near: Vec<u32> = links.map(|(j, _)| j as u32).collect();
    count(graph, &near, row);
    scale(roles, row);
}

/// Scales one row of counts.
pub(crate) fn scale(roles: &Roles, row: &mut [f64]) {
    let (mean, unit) = (roles.scaling.mean(), roles.scaling.scale());
    for ((v, mean), unit) in row.iter_mut().zip(mean).zip(unit) {
        *v = (*v - mean) / unit;
    }
}

/// Shift and scale of the counts of all nodes.
pub(crate) fn scaling(counts: &[f64]) -> Result<Roles> {
    let rows = (counts.len() / NUMBERS).max(1) as f64;
    let column = |j: usize| counts.iter().skip(j).step_by(NUMBERS);
    let (mut means, mut scales) = (Vec::new(), Vec::new());
    for j in 0..NUMBERS - 1 {
        let mean = column(j).sum::<f64>() / rows;
        let variance = column(j).map(|v| (v - mean).powi(2)).sum::<f64>() / rows;
        means.push(mean);
        scales.push(if variance > 1e-20 {
            variance.sqrt()
        } else {
            1.0
        });
    }
    Ok(Roles {
        scaling: Standardiser::from_parts(means, scales)?,
    })
}

fn count(graph: &Graph, near: &[u32], row: &mut [f64]) {
    let degree = |j: u32| graph.neighbours(j as usize).len();
    let log = |count: usize| (1.0 + count as f64).ln();
    row[0] = log(near.len());
    if !near.is_empty() {
        let logs = || near.iter().map(|&j| log(degree(j)));
        let mean = logs().sum::<f64>() / near.len() as f64;
        row[1] = mean;
        row[2] = logs().fold(f64::INFINITY, f64::min);
        row[3] = logs().fold(0.0, f64::max);
        row[4] = (logs().map(|l| (l - mean).powi(2)).sum::<f64>() / near.len() as f64).sqrt();
        let step = near.len().div_ceil(LOOKED_AT);
        let some: Vec<u32> = near.iter().step_by(step).copied().collect();
        let joined: usize = some
            .iter()
            .map(|&j| shared(graph.neighbours(j as usize), &some))
            .sum();
        let pairs = (some.len() * (some.len() - 1)) as f64;
        let share = if pairs > 0.0 {
            joined as f64 / pairs
        } else {
            0.0
        };
        row[5] = (1.0 + share * (near.len() * near.len()) as f64).ln();
        row[6] = share;
        let two: usize = near.iter().map(|&j| degree(j)).sum();
        row[7] = log(two);
        let beyond = |j: &u32| {
            let of = graph.neighbours(*j as usize);
            let step = of.len().div_ceil(LOOKED_AT).max(1);
            let seen: Vec<usize> = of.iter().step_by(step).map(|&k| degree(k)).collect();
            (1.0 + seen.iter().sum::<usize>() as f64 * step as f64).ln()
        };
        let far: Vec<f64> = some.iter().map(beyond).collect();
        row[8] = far.iter().sum::<f64>() / far.len() as f64;
        row[9] = far.iter().copied().fold(0.0, f64::max);
    }
    row[NUMBERS - 1] = 1.0;
}

/// How many of two sorted lists are in both.
fn shared(a: &[u32], b: &[u32]) -> usize {
    b.iter()
        .filter(|node| a.binary_search(node).is_ok())
        .count()
}
