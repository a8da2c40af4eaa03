//! The infimum loss: labels in their sets that an estimator fits best.
//!
//! `min_{Y ∈ S} J(Y)`, `J(Y) = tr(YᵀMY)/n`. Both schemes lower J with every step:
//!
//! - **Alternation**, as the paper has it: fit, then replace every label by the
//!   candidate nearest its fitted value, `Y ← nearest(HY)`, H = I − M. It majorises:
//!   as λmax(M) ≤ 1,
//!   `J(Z) ≤ J(Y) + (2/n)⟨Z − Y, MY⟩ + (1/n)‖Z − Y‖²`, with equality at Z = Y, and the
//!   right side is least where Z is nearest `Y − MY = HY`. With a small ridge HY ≈ Y
//!   and every label stays where it is.
//! - **Sweeps**: one row at a time, J is `Mᵢᵢ‖yᵢ − fᵢ‖²/n` and a constant, with
//!   `fᵢ = −Σ_{j≠i} Mᵢⱼ yⱼ / Mᵢᵢ`, the leave-one-out prediction. So the nearest
//!   candidate to what the others say is the exact minimiser, whatever the ridge.
//!
//! Candidates make this a hard problem; what is found is a label set that changing any
//! one label cannot improve. Intervals and missing flags are convex: there it is the
//! minimum.

use super::subspace::Free;
use super::{Observations, PartialCodec};
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatRef, strips, tiles};
use crate::monitor::{Monitor, Within};
use crate::task::Observed;

pub(super) const PHASE: &str = "choosing labels in their sets";

/// Rows between two chances to stop.
const ROWS: usize = 16;

/// How far a penalty may be from symmetric, relative to its largest entry.
const ASYMMETRY: f64 = 1e-8;

/// A diagonal entry this small, relative to the largest, leaves its row without a
/// leave-one-out prediction.
const ALONE: f64 = 1e-13;

/// How labels are improved after the first round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// One row at a time, by its leave-one-out prediction.
    #[default]
    Sweeps,
    /// All rows at once, by their fitted values.
    Alternate,
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How labels are improved.
    pub scheme: Scheme,
    /// Rounds allowed; the first takes labels near the averages.
    pub rounds: usize,
    /// A value that moves by less, relative to the largest value, has not changed.
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scheme: Scheme::Sweeps,
            rounds: 200,
            tolerance: 1e-9,
        }
    }
}

impl Options {
    fn check(&self) -> Result<()> {
        if self.rounds == 0 {
            return Err(Error::parameter("rounds", "at least 1", self.rounds));
        }
        if !(self.tolerance >= 0.0 && self.tolerance < 1.0) {
            return Err(Error::parameter(
                "tolerance",
                "from 0 to below 1",
                self.tolerance,
            ));
        }
        Ok(())
    }
}

/// Labels in their sets, and how they were found.
#[derive(Debug, Clone)]
pub struct Disambiguated {
    /// Encoded labels, one row a sample of [`Observations::index`].
    pub values: Mat<f64>,
    /// J after each round; it does not rise.
    pub objective: Vec<f64>,
    /// Rows that changed in each round.
    pub changes: Vec<usize>,
    /// Whether the last round changed no row.
    pub converged: bool,
}

impl Disambiguated {
    /// Rounds taken.
    pub fn rounds(&self) -> usize {
        self.objective.len()
    }

    /// The labels of the samples of [`Observations::index`].
    pub fn labels<C: PartialCodec>(&self, codec: &C) -> Vec<C::Label> {
        let row = |i: usize| self.values.row(i).iter().copied().collect::<Vec<f64>>();
        (0..self.values.nrows())
            .map(|i| codec.decode(&row(i)))
            .collect()
    }

    /// The encoded labels in their places, to fit an estimator with.
    ///
    /// # Errors
    /// As [`Observed::new`].
    pub fn observed<O>(&self, known: &Observations<O>) -> Result<Observed> {
        Observed::new(known.index().to_vec(), self.values.clone(), known.total())
    }
}

/// Labels in their sets that minimise `tr(YᵀMY)/n`, from the average over each set: the
/// labels nearest its fit (for sweeps, or nearest its leave-one-out predictions, where
/// that is better), then rounds of the scheme until no label changes.
///
/// `penalty` is M, n × n over the samples of `known`, symmetric and positive
/// semi-definite with no eigenvalue above 1. A round costs a product of M with Y and
/// n candidate searches, and n more operations a number that changes.
///
/// ```
/// use isotherm::linalg::Mat;
/// use isotherm::monitor::Quiet;
/// use isotherm::partial::{Candidates, Observations, Options, disambiguate};
/// use isotherm::task::OneHot;
/// // Two pairs of samples that are alike; one of each pair is known.
/// let alike = |i: usize, j: usize| if i / 2 == j / 2 { 0.5 } else { 0.0 };
/// let penalty = Mat::from_fn(4, 4, |i, j| f64::from(u8::from(i == j)) - 0.9 * alike(i, j));
/// let codec = OneHot::new(3);
/// let sets = [vec![0], vec![0, 2], vec![2, 1], vec![1]].map(Candidates::new);
/// let known = Observations::gather(&codec, sets.into_iter().enumerate(), 4)?;
/// let found = disambiguate(&codec, penalty.as_ref(), &known, Options::default(), &mut Quiet)?;
/// assert_eq!(found.labels(&codec), [0, 0, 1, 1]);
/// assert!(found.converged);
/// # Ok::<(), isotherm::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] and [`Error::Data`] for a penalty of another size, not finite, not
/// symmetric, or under which alternation raises J; [`Error::Parameter`];
/// [`Error::Cancelled`].
pub fn disambiguate<C: PartialCodec>(
    codec: &C,
    penalty: MatRef<'_, f64>,
    known: &Observations<C::Observation>,
    options: Options,
    monitor: &mut dyn Monitor,
) -> Result<Disambiguated> {
    options.check()?;
    check_penalty(penalty, known.known().len())?;
    tiles::announce(PHASE, None, monitor)?;
    let mut state = State::start(codec, penalty, known.known(), monitor)?;
    let free = Free::new(codec, known.known());
    let mut found = (Vec::new(), Vec::new());
    let mut converged = false;
    while !converged && found.0.len() < options.rounds {
        let first = found.0.is_empty();
        let before = state.values.clone();
        match options.scheme {
            Scheme::Sweeps if first => state.begin(monitor)?,
            Scheme::Sweeps => state.sweep(monitor)?,
            Scheme::Alternate => state.alternate(),
        }
        state.refresh(monitor)?;
        if let (Some(free), false) = (&free, first) {
            free.step(penalty, &mut state.values, &state.image, monitor)?;
            state.refresh(monitor)?;
        }
        let objective = state.objective();
        if let Some(last) = found.0.last() {
            check_fall(*last, objective, state.scale())?;
        }
        let changes = changed(&before, &state.values, options.tolerance);
        found.0.push(objective);
        found.1.push(changes);
        converged = changes == 0 && !first;
        tiles::done(PHASE, found.0.len(), monitor)?;
    }
    Ok(Disambiguated {
        values: state.values,
        objective: found.0,
        changes: found.1,
        converged,
    })
}

/// Rows in which a value moved by more than the tolerance.
fn changed(before: &Mat<f64>, after: &Mat<f64>, tolerance: f64) -> usize {
    let least = tolerance * after.norm_max();
    let moved = |i: &usize| {
        let pairs = before.row(*i).iter().zip(after.row(*i).iter());
        pairs.into_iter().any(|(a, b)| (a - b).abs() > least)
    };
    (0..after.nrows()).filter(moved).count()
}

fn check_penalty(penalty: MatRef<'_, f64>, rows: usize) -> Result<()> {
    for got in [penalty.nrows(), penalty.ncols()] {
        if got != rows {
            return Err(Error::Shape {
                what: "rows and columns of the penalty, one a sample that something is known of",
                expected: rows,
                got,
            });
        }
    }
    let largest = penalty.norm_max();
    if !largest.is_finite() || penalty.col_iter().any(|c| c.iter().any(|v| v.is_nan())) {
        return Err(Error::NotFinite {
            phase: "the penalty matrix",
            hint: "raise the ridge or rescale the data".into(),
        });
    }
    for i in 0..rows {
        for j in 0..i {
            if (penalty[(i, j)] - penalty[(j, i)]).abs() > ASYMMETRY * largest {
                return Err(Error::data(
                    format!(
                        "the penalty is not symmetric: {} at ({i}, {j}) and {} at ({j}, {i})",
                        penalty[(i, j)],
                        penalty[(j, i)]
                    ),
                    "use an estimator that is penalised least squares",
                ));
            }
        }
    }
    Ok(())
}

/// J falls with every step; a rise beyond rounding means that the penalty is not what
/// the steps rely on.
fn check_fall(last: f64, now: f64, scale: f64) -> Result<()> {
    if now <= last + 1e-10 * scale {
        return Ok(());
    }
    Err(Error::data(
        format!("the objective rose from {last:.6e} to {now:.6e}"),
        "the penalty has an eigenvalue above 1: use sweeps, or divide it by its largest",
    ))
}

struct State<'a, C: PartialCodec> {
    codec: &'a C,
    penalty: MatRef<'a, f64>,
    known: &'a [C::Observation],
    /// Y.
    values: Mat<f64>,
    /// MY.
    image: Mat<f64>,
    /// Below it a diagonal entry counts as 0.
    least: f64,
}

impl<'a, C: PartialCodec> State<'a, C> {
    fn start(
        codec: &'a C,
        penalty: MatRef<'a, f64>,
        known: &'a [C::Observation],
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let n = known.len();
        let mut values = Mat::zeros(n, codec.width());
        let mut row = vec![0.0; codec.width()];
        for (i, known) in known.iter().enumerate() {
            codec.start(known, &mut row);
            write(&mut values, i, &row);
            if i % ROWS == 0 {
                tiles::tick(PHASE, monitor)?;
            }
        }
        let largest = (0..n).map(|i| penalty[(i, i)]).fold(0.0, f64::max);
        let mut state = Self {
            codec,
            penalty,
            known,
            values,
            image: Mat::new(),
            least: ALONE * largest,
        };
        state.refresh(monitor)?;
        Ok(state)
    }

    /// MY anew, so that what updates have rounded away does not add up.
    fn refresh(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let (m, y) = (self.penalty, self.values.as_ref());
        // By strips of rows of Y: the transposed product has n columns to share out.
        let image = strips::times(PHASE, y.transpose(), m, &mut Within(monitor))?;
        self.image = image.transpose().to_owned();
        Ok(())
    }

    /// `tr(YᵀMY)/n`.
    fn objective(&self) -> f64 {
        self.inner(&self.image)
    }

    /// `tr(YᵀY)/n`, at least J.
    fn scale(&self) -> f64 {
        self.inner(&self.values)
    }

    fn inner(&self, other: &Mat<f64>) -> f64 {
        let column = |j: usize| -> f64 {
            let pairs = self.values.col(j).iter().zip(other.col(j).iter());
            pairs.map(|(y, v)| y * v).sum()
        };
        (0..self.values.ncols()).map(column).sum::<f64>() / self.values.nrows() as f64
    }

    /// `Y ← nearest(Y − MY)`.
    fn alternate(&mut self) {
        self.values = self.nearest(|_| 1.0);
    }

    /// From the averages, the better of two: nearest to the fit, or to what the others
    /// say. With a small ridge the fit repeats the averages and chooses by chance.
    fn begin(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let own = |i: usize| match self.penalty[(i, i)] {
            m if m > self.least => m,
            _ => 1.0,
        };
        let left_out = self.nearest(own);
        self.alternate();
        self.refresh(monitor)?;
        let fitted = (self.objective(), self.values.clone());
        self.values = left_out;
        self.refresh(monitor)?;
        if fitted.0 <= self.objective() {
            self.values = fitted.1;
        }
        Ok(())
    }

    /// The candidates nearest `yᵢ − (MY)ᵢ/mᵢ`, all rows at once.
    fn nearest(&self, scale: impl Fn(usize) -> f64) -> Mat<f64> {
        let width = self.codec.width();
        let (mut scores, mut row) = (vec![0.0; width], vec![0.0; width]);
        let mut found = Mat::zeros(self.known.len(), width);
        for (i, known) in self.known.iter().enumerate() {
            for (j, slot) in scores.iter_mut().enumerate() {
                *slot = self.values[(i, j)] - self.image[(i, j)] / scale(i);
            }
            self.codec.nearest(&scores, known, &mut row);
            write(&mut found, i, &row);
        }
        found
    }

    /// `yᵢ ← nearest(yᵢ − (MY)ᵢ/Mᵢᵢ)`, one row after the other.
    fn sweep(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let width = self.codec.width();
        let (mut left_out, mut row) = (vec![0.0; width], vec![0.0; width]);
        for (i, known) in self.known.iter().enumerate() {
            let own = self.penalty[(i, i)];
            if own <= self.least {
                continue; // the row says nothing of itself
            }
            for (j, slot) in left_out.iter_mut().enumerate() {
                *slot = self.values[(i, j)] - self.image[(i, j)] / own;
            }
            self.codec.nearest(&left_out, known, &mut row);
            let (mut now, mut then) = (0.0, 0.0);
            for (j, f) in left_out.iter().enumerate() {
                now += (self.values[(i, j)] - f).powi(2);
                then += (row[j] - f).powi(2);
            }
            // Only what is better: two candidates that tie would take turns.
            if then < now {
                self.replace(i, &row);
            }
            if i % ROWS == 0 {
                tiles::tick(PHASE, monitor)?;
            }
        }
        Ok(())
    }

    fn replace(&mut self, i: usize, row: &[f64]) {
        let column = self.penalty.col(i);
        for (j, value) in row.iter().enumerate() {
            let step = value - self.values[(i, j)];
            if step != 0.0 {
                self.values[(i, j)] = *value;
                for (slot, m) in self.image.col_mut(j).iter_mut().zip(column.iter()) {
                    *slot += step * m;
                }
            }
        }
    }
}

fn write(values: &mut Mat<f64>, i: usize, row: &[f64]) {
    for (j, v) in row.iter().enumerate() {
        values[(i, j)] = *v;
    }
}
