//! Recipe + data → each label as the others predict it.

use super::encode::Given;
use super::fit::Input;
use super::labels::{Labels, Structured};
use super::recipe::Recipe;
use super::session::Session;
use crate::error::Result;
use crate::linalg::Mat;
use crate::monitor::Monitor;

/// What the other labels say of each.
#[derive(Debug, Clone)]
pub struct LeftOut {
    /// The labelled samples.
    pub index: Vec<usize>,
    /// One row a label, on the scale of the model's own scores; numbers as they are read,
    /// with what was taken off them.
    pub scores: Mat<f64>,
    /// Whether another label reaches the sample.
    pub reached: Vec<bool>,
}

/// Leave-one-label-out in closed form: `fᵢ⁽⁻ⁱ⁾ = yᵢ − αᵢ / (A⁻¹)ᵢᵢ` with the fit's own
/// parameters, all labels at once.
///
/// # Errors
/// As [`super::fit()`]; [`crate::Error::Refused`] when the method has no closed form.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Input, Recipe, Task};
///
/// let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
/// let points = Points::new(x.collect(), 20, 1)?;
/// let y: Vec<Option<&str>> = (0..20)
///     .map(|i| (i % 4 == 0).then(|| if i < 10 { "a" } else { "b" }))
///     .collect();
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.neighbours = Some(4);
/// let targets = Targets::from_names(&y);
/// let left =
///     recipe::leave_one_out(&recipe, Input::Table(points), (&targets).into(), &mut Quiet)?;
/// assert_eq!(left.index, [0, 4, 8, 12, 16]);
/// assert!(left.scores[(0, 0)] > left.scores[(0, 1)]); // the others, too, say "a" of row 0
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn leave_one_out(
    recipe: &Recipe,
    input: Input,
    given: Given<'_>,
    monitor: &mut dyn Monitor,
) -> Result<LeftOut> {
    let mut session = Session::new(recipe, input, given, monitor)?;
    let mut scores = session.left_out(monitor)?;
    let offset: &[f64] = match &session.reader.labels {
        Labels::Values(codec) => &[codec.offset],
        Labels::Structured(Structured::Numbers { offset, .. }) => offset,
        _ => &[],
    };
    for (j, off) in offset.iter().enumerate() {
        (0..scores.nrows()).for_each(|i| scores[(i, j)] += off);
    }
    let smoother = session.smoother(monitor)?;
    Ok(LeftOut {
        reached: smoother.alone().iter().map(|alone| !alone).collect(),
        index: session.seen.index().to_vec(),
        scores,
    })
}
