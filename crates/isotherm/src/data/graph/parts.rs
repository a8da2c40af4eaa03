//! Believing nothing: the checks on arrays that claim to be a graph.

use super::limits::MOST_NODES;
use crate::error::{Error, Refusal, Result};

/// Weights of a stored graph are below this: a stream's are below 1e150, and
/// no number of duplicates sums to more.
const LARGEST: f64 = 1e200;

/// All rules of [`Graph::from_parts`](super::Graph::from_parts).
pub(super) fn check(starts: &[u64], columns: &[u32], weights: Option<&[f64]>) -> Result<()> {
    let nodes = check_starts(starts, columns.len())?;
    if let Some(weights) = weights {
        check_weights(weights, columns.len())?;
    }
    check_columns(starts, columns, nodes)?;
    check_symmetry(starts, columns, weights)
}

fn refuse(what: String) -> Error {
    Error::refused(
        Refusal::Arrays,
        what,
        "the arrays of the graph are damaged; build it again from its edges",
    )
}

fn check_starts(starts: &[u64], entries: usize) -> Result<usize> {
    let nodes = starts.len().saturating_sub(1);
    if nodes == 0 || nodes > MOST_NODES {
        return Err(refuse(format!(
            "a graph has 1 to {MOST_NODES} nodes, the row starts say {nodes}"
        )));
    }
    if starts[0] != 0 {
        return Err(refuse(format!(
            "the first row starts at {}, not 0",
            starts[0]
        )));
    }
    if let Some(i) = starts.windows(2).position(|s| s[1] < s[0]) {
        return Err(refuse(format!(
            "row {i} starts at {} and ends before it at {}",
            starts[i],
            starts[i + 1]
        )));
    }
    if starts[nodes] != entries as u64 {
        return Err(refuse(format!(
            "the rows end at {}, but there are {entries} columns",
            starts[nodes]
        )));
    }
    Ok(nodes)
}

fn check_weights(weights: &[f64], entries: usize) -> Result<()> {
    if weights.len() != entries {
        return Err(Error::Shape {
            what: "weights of the graph, one for each column",
            expected: entries,
            got: weights.len(),
        });
    }
    match weights
        .iter()
        .find(|w| !(w.is_normal() && **w > 0.0 && **w < LARGEST))
    {
        Some(w) => Err(refuse(format!(
            "the weight {w} is not a positive number below {LARGEST:e}"
        ))),
        None => Ok(()),
    }
}

fn check_columns(starts: &[u64], columns: &[u32], nodes: usize) -> Result<()> {
    for (i, s) in starts.windows(2).enumerate() {
        let row = &columns[s[0] as usize..s[1] as usize];
        if row.last().is_some_and(|&j| j as usize >= nodes) || row.windows(2).any(|p| p[1] <= p[0])
        {
            return Err(refuse(format!(
                "the columns of row {i} do not ascend below {nodes}"
            )));
        }
    }
    Ok(())
}

/// Rows visited in ascending order meet the mirrors in row `j` in its own
/// order, so one finger a row finds each in constant time.
fn check_symmetry(starts: &[u64], columns: &[u32], weights: Option<&[f64]>) -> Result<()> {
    let mut finger: Vec<u64> = starts[..starts.len() - 1].to_vec();
    for (i, s) in starts.windows(2).enumerate() {
        for e in s[0] as usize..s[1] as usize {
            let j = columns[e] as usize;
            let at = finger[j] as usize;
            finger[j] += 1;
            let mirrored = finger[j] <= starts[j + 1]
                && columns[at] as usize == i
                && weights.is_none_or(|w| w[at].to_bits() == w[e].to_bits());
            if !mirrored {
                return Err(refuse(format!(
                    "the graph is not symmetric: the entry in row {i}, column {j} has no equal mirror"
                )));
            }
        }
    }
    Ok(())
}
