//! What is wrong with rows before a fit: constant columns, equal rows with different labels.

use crate::data::{Distinct, Points, Targets};
use crate::error::{Error, Refusal, Result};
use crate::model::Warning;

/// Warns of columns with one value, and refuses when there are no others.
pub(crate) fn constants(columns: Vec<usize>, rows: usize, dim: usize) -> Result<Vec<Warning>> {
    match columns.len() {
        0 => Ok(Vec::new()),
        n if n < dim => Ok(vec![Warning::ConstantColumns { columns }]),
        _ => Err(Error::refused(
            Refusal::AllEqual,
            format!("all {rows} rows are equal: nothing tells them apart"),
            "choose other feature columns",
        )),
    }
}

/// Labelled samples whose row equals that of the labelled sample before them, if they
/// are not labelled alike; `places` says where in the table their rows are.
pub(crate) fn conflicts(
    points: &Points,
    places: &[usize],
    targets: &Targets,
    labelled: &[usize],
) -> usize {
    let distinct = Distinct::among(points, places);
    let mut order: Vec<usize> = (0..labelled.len()).collect();
    order.sort_unstable_by_key(|&k| (distinct.first(k), labelled[k]));
    let same = |w: &&[usize]| distinct.first(w[0]) == distinct.first(w[1]);
    order
        .windows(2)
        .filter(same)
        .filter(|w| targets.differ(labelled[w[0]], labelled[w[1]]))
        .count()
}
