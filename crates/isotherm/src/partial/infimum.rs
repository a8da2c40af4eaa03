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

use super::state::State;
use super::subspace::Free;
use super::{Observations, PHASE, PartialCodec};
use crate::error::{Error, Refusal, Result};
use crate::linalg::{Mat, MatRef, tiles};
use crate::monitor::Monitor;
use crate::task::Observed;

/// How far a penalty may be from symmetric, relative to its largest entry.
const ASYMMETRY: f64 = 1e-8;

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
/// labels nearest its fit (for sweeps also nearest its leave-one-out predictions and
/// nearest smoother fits, whichever is best), then rounds of the scheme until no label
/// changes.
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
/// [`Error::Shape`] and [`Error::Refused`] for a penalty of another size, not finite, not
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
            Scheme::Alternate => state.alternate(monitor)?,
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
                return Err(Error::refused(
                    Refusal::Method,
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
    Err(Error::refused(
        Refusal::Rose,
        format!("the objective rose from {last:.6e} to {now:.6e}"),
        "the penalty has an eigenvalue above 1: use sweeps, or divide it by its largest",
    ))
}
