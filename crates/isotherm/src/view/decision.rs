//! What would be predicted everywhere in the plane of a table's two columns.

use crate::data::{Points, Targets};
use crate::error::{Error, Result};
use crate::monitor::Monitor;
use crate::study::Study;

/// How far the plane reaches beyond the rows, in parts of their range.
const MARGIN: f64 = 0.06;

/// Classes over a rectangle of the plane of two columns.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Decision {
    /// The classes.
    pub classes: Vec<String>,
    /// From where to where the first column goes.
    pub first: [f64; 2],
    /// From where to where the second column goes.
    pub second: [f64; 2],
    /// Cells along each column.
    pub cells: usize,
    /// The class at the middle of each cell, the first column running fastest; `None` where
    /// nothing reaches.
    pub predicted: Vec<Option<u32>>,
    /// How probable it is.
    pub probability: Vec<f64>,
    /// Labelled rows: the two columns and the class.
    pub labelled: Vec<(f64, f64, u32)>,
    /// Rows there are.
    pub rows: usize,
}

impl Study {
    /// Fits to a table of two columns and predicts the middle of every cell of a grid over them.
    ///
    /// # Errors
    /// As [`Study::fit`]; [`Error::Refused`] unless the input is a table of two columns and the
    /// labels are classes; [`Error::Parameter`] unless 2 ≤ cells ≤ 1000.
    pub fn decision(&mut self, cells: usize, monitor: &mut dyn Monitor) -> Result<Decision> {
        if !(2..=1000).contains(&cells) {
            return Err(Error::parameter("cells", "from 2 to 1000", cells));
        }
        let Some(points) = self.rows.clone() else {
            return Err(Error::data(
                "decisions are drawn over two feature columns, and this is no table",
                "draw a map instead",
            ));
        };
        if points.dim() != 2 {
            return Err(Error::data(
                format!(
                    "decisions are drawn over two feature columns, and there are {}",
                    points.dim()
                ),
                "choose two, or draw a map instead",
            ));
        }
        if !matches!(self.targets(), Targets::Classes { .. }) {
            return Err(Error::data(
                format!(
                    "the labels of the task {} are no classes",
                    self.recipe.task.name()
                ),
                "use the task classify",
            ));
        }
        let model = self.fit(monitor)?;
        let (first, second) = (range(&points, 0), range(&points, 1));
        let middle = |[low, high]: [f64; 2], k: usize| {
            let share = (k as f64 + 0.5) / cells as f64;
            low + share * (high - low)
        };
        let grid =
            (0..cells * cells).flat_map(|k| [middle(first, k % cells), middle(second, k / cells)]);
        let asked = Points::new(grid.collect(), cells * cells, 2)?;
        let answer = model.predict_rows(&asked, monitor)?;
        let (Some(predicted), Some(probabilities)) = (answer.classes(), &answer.probabilities)
        else {
            return Err(Error::data(
                "the answers are no classes",
                "use the task classify",
            ));
        };
        let sure = |k: usize| {
            let class = predicted[k].map_or(0, |c| c as usize);
            let row = probabilities.row(k);
            row.iter().nth(class).copied().unwrap_or(0.0)
        };
        let given = match self.targets() {
            Targets::Classes { labels, .. } => labels.as_slice(),
            _ => &[],
        };
        let labelled = given.iter().enumerate().filter_map(|(i, class)| {
            let row = points.row(i);
            class.map(|class| (row[0], row[1], class))
        });
        Ok(Decision {
            classes: model.names().to_vec(),
            first,
            second,
            cells,
            probability: (0..predicted.len()).map(sure).collect(),
            labelled: labelled.collect(),
            rows: points.len(),
            predicted: predicted.to_vec(),
        })
    }
}

/// The range of a column, and a margin; never empty.
fn range(points: &Points, column: usize) -> [f64; 2] {
    let values = (0..points.len()).map(|i| points.row(i)[column]);
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
        (l.min(v), h.max(v))
    });
    let margin = if high > low {
        MARGIN * (high - low)
    } else {
        low.abs().max(1.0) * MARGIN
    };
    [low - margin, high + margin]
}
