//! What decisions cost.

use crate::error::{Error, Result};
use crate::linalg::Mat;
use crate::task::LossMatrix;

/// The cost of each decision in each class.  [KLAP Eq 15]
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Losses {
    /// The classes, in the order of `losses`.
    pub classes: Vec<String>,
    /// The decisions, in the order of each row of `losses`.
    pub decisions: Vec<String>,
    /// `losses[class][decision]`.
    pub losses: Vec<Vec<f64>>,
}

/// The codec of a loss for every class and decision.
pub(crate) fn loss_matrix(classes: usize, losses: &[Vec<f64>]) -> Result<LossMatrix> {
    if losses.len() != classes {
        return Err(Error::Shape {
            what: "rows of losses, one for each class",
            expected: classes,
            got: losses.len(),
        });
    }
    let decisions = losses.first().map_or(0, Vec::len);
    if let Some(ragged) = losses.iter().find(|row| row.len() != decisions) {
        return Err(Error::Shape {
            what: "losses of a class, one for each decision",
            expected: decisions,
            got: ragged.len(),
        });
    }
    LossMatrix::new(Mat::from_fn(classes, decisions, |y, z| losses[y][z]))
}
