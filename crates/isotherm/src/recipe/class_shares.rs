//! Where the classes' shares among all rows come from.

/// Where the classes' shares among all rows come from: what probabilities are moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassShares {
    /// From the labels: they were drawn as they come, so nothing is moved.
    #[default]
    Labels,
    /// From the user, as [`priors`](super::Recipe::priors).
    Given,
    /// From the unlabelled rows, estimated by their probabilities.
    Unlabelled,
}

impl ClassShares {
    /// Its name in a recipe.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Labels => "labels",
            Self::Given => "given",
            Self::Unlabelled => "unlabelled",
        }
    }
}
