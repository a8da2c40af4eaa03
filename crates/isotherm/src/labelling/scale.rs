//! How scores are brought to the scale of the labels' encoding.

use crate::error::Result;
use crate::linalg::Mat;
use crate::recipe::Method;
use crate::task::Observed;

/// How scores are brought to the scale of the labels' encoding.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Scale {
    /// They are on it, or it does not matter.
    #[default]
    Plain,
    /// They are deviations from these means; of plain classes, from constants that say how
    /// common the classes are ([`crate::trust::base_rate`]).
    Level { means: Vec<f64> },
    /// The last column is what labels of one would have given; label propagation's scores have
    /// no scale of their own.
    Mass,
}

impl Scale {
    /// The scale of a method's scores for labels that need one.
    pub(super) fn of(method: &Method, seen: &Observed) -> Self {
        match method {
            Method::Stkr(params) if params.centre_labels => Self::Level {
                means: seen.means(),
            },
            Method::LabelPropagation(_) => Self::Mass,
            _ => Self::Plain,
        }
    }

    /// One row of scores on the scale of the encoding.
    pub(crate) fn apply(&self, row: &[f64]) -> Vec<f64> {
        match self {
            Self::Plain => row.to_vec(),
            Self::Level { means } => row.iter().zip(means).map(|(s, m)| s + m).collect(),
            Self::Mass => match row.split_last() {
                Some((mass, scores)) if *mass > 0.0 => scores.iter().map(|s| s / mass).collect(),
                Some((_, scores)) => vec![0.0; scores.len()],
                None => Vec::new(),
            },
        }
    }

    /// The labels with a column of ones beside them, where scores are divided by its score.
    pub(crate) fn with_mass(&self, seen: &Observed) -> Result<Observed> {
        if *self != Self::Mass {
            return Ok(seen.clone());
        }
        let values = seen.values();
        let width = values.ncols();
        let wide = Mat::from_fn(values.nrows(), width + 1, |i, j| {
            if j < width { values[(i, j)] } else { 1.0 }
        });
        seen.with_values(wide)
    }
}
