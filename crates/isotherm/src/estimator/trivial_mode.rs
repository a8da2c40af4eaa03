//! What becomes of the modes `D^½1_C` that every normalised graph has.

use crate::operator::Modes;
use crate::task::Observed;

/// Whether the exact eigenvectors `u_C ∝ D^½1_C` of a graph stay in the kernel.
///
/// They carry the label counts of each class times the root of a node's
/// degree, multiplied by 1/(1 − η): near η = 1 everything else drowns. On a
/// component whose labels are all equal the mode is the only information, and
/// stays. Bases without known modes have none to remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrivialMode {
    /// The paper's form.
    #[default]
    Keep,
    /// Out, on every component whose labels differ.
    Remove,
}

/// The modes of components whose labels are not all equal; `None` if there is none.
pub(crate) fn removable(modes: &Modes, seen: &Observed) -> Option<Modes> {
    let mut first: Vec<Option<usize>> = vec![None; modes.count()];
    let mut mixed = vec![false; modes.count()];
    let values = seen.values();
    for (k, &sample) in seen.index().iter().enumerate() {
        let component = modes.component()[sample] as usize;
        match first[component] {
            None => first[component] = Some(k),
            Some(other) => {
                mixed[component] |=
                    (0..values.ncols()).any(|j| values[(k, j)] != values[(other, j)]);
            }
        }
    }
    mixed
        .contains(&true)
        .then(|| modes.only(|component| mixed[component]))
}
