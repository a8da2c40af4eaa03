//! Each label as the others predict it.

use super::session::row;
use super::study::Study;
use crate::error::Result;
use crate::linalg::Mat;
use crate::monitor::Monitor;

/// What the other labels say of each.
#[derive(Debug, Clone)]
pub struct LeftOut {
    /// The labelled samples.
    pub index: Vec<usize>,
    /// One row per label, on the scale of the model's own scores; numbers as they are given,
    /// with what was subtracted from them.
    pub scores: Mat<f64>,
    /// Whether another label reaches the sample.
    pub reached: Vec<bool>,
}

impl Study {
    /// Leave-one-label-out in closed form: `fᵢ⁽⁻ⁱ⁾ = yᵢ − αᵢ / (A⁻¹)ᵢᵢ` with the fit's own
    /// parameters, all labels at once.
    ///
    /// # Errors
    /// As [`Study::fit`]; [`crate::Error::Refused`] when the method has no closed form.
    ///
    /// # Example
    /// ```
    /// use isotherm::data::{Points, Targets};
    /// use isotherm::monitor::Quiet;
    /// use isotherm::recipe::{Recipe, Task};
    /// use isotherm::study::{Input, Study};
    ///
    /// let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
    /// let points = Points::new(x.collect(), 20, 1)?;
    /// let y: Vec<Option<&str>> = (0..20)
    ///     .map(|i| (i % 4 == 0).then(|| if i < 10 { "a" } else { "b" }))
    ///     .collect();
    /// let mut recipe = Recipe::on_graph(Task::Classify, 0);
    /// recipe.neighbours = Some(4);
    /// let mut study = Study::new(&recipe, Input::Table(points), &Targets::from_names(&y))?;
    /// let left = study.leave_one_out(&mut Quiet)?;
    /// assert_eq!(left.index, [0, 4, 8, 12, 16]);
    /// assert!(left.scores[(0, 0)] > left.scores[(0, 1)]); // the others, too, say "a" of row 0
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    pub fn leave_one_out(&mut self, monitor: &mut dyn Monitor) -> Result<LeftOut> {
        let session = self.session(monitor)?;
        let mut scores = session.left_out(monitor)?;
        if session.labelling.labels.are_classes() {
            let rows: Vec<Vec<f64>> = (0..scores.nrows())
                .map(|i| session.labelling.scale.apply(&row(&scores, i)))
                .collect();
            scores = Mat::from_fn(scores.nrows(), scores.ncols(), |i, j| rows[i][j]);
        }
        for (j, offset) in session.labelling.labels.offset().iter().enumerate() {
            (0..scores.nrows()).for_each(|i| scores[(i, j)] += offset);
        }
        let smoother = session.smoother(monitor)?;
        Ok(LeftOut {
            reached: smoother.alone().iter().map(|alone| !alone).collect(),
            index: session.seen.index().to_vec(),
            scores,
        })
    }
}
