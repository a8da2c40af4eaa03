//! The trivial mode: what a graph says of a node before any label is seen.

use crate::operator::Modes;
use crate::task::Observed;

/// What becomes of `u_C ∝ D^½ 1_C`, the exact eigenvector of each component,
/// in the solution.
///
/// `(I − ηS)⁻¹` multiplies it by 1/(1 − η). It holds how many labels a class has
/// and a node's degree, nothing of where they are, so for η → 1 it drowns what
/// tells classes apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrivialMode {
    /// It stays: the papers' form.  [STKR Eqn 22]
    #[default]
    Keep,
    /// It goes, but for components whose labels are all the same: there it is
    /// the only information.
    Remove,
}

/// The modes to remove for these labels: those of components with two labels
/// that differ. `O(samples + labels · width)`.
pub(crate) fn removable(modes: &Modes, seen: &Observed) -> Modes {
    let mut first = vec![None; modes.count()];
    let mut differ = vec![false; modes.count()];
    for (k, &sample) in seen.index().iter().enumerate() {
        let component = modes.component()[sample] as usize;
        let known = *first[component].get_or_insert(k);
        differ[component] |=
            (0..seen.width()).any(|j| seen.values()[(k, j)] != seen.values()[(known, j)]);
    }
    modes.only(|component| differ[component])
}
