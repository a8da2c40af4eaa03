//! Where the classes' shares among all rows come from.

use super::recipe::Recipe;

/// Where the classes' shares among all rows come from: what probabilities are moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassShares {
    /// From the labels: they were drawn as they come, so nothing is moved.
    #[default]
    Labels,
    /// From the user, as [`Recipe::priors`].
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

impl Recipe {
    /// Where class shares come from: as was said, from the user where shares are given, else
    /// from the labels.
    pub fn shares_from(&self) -> ClassShares {
        match (self.class_shares, &self.priors) {
            (Some(source), _) => source,
            (None, Some(_)) => ClassShares::Given,
            (None, None) => ClassShares::Labels,
        }
    }
}
