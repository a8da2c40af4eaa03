//! How a solve went, and how files and JSON hold that: a residual or an estimate, never one
//! named as the other.

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The residual asked for was reached.
    Converged,
    /// The iterations ran out first; the residual says how far it got.
    Exhausted,
    /// The recurrence reached the goal but the true residual did not: the
    /// digits of the arithmetic are used up.
    Stagnated,
    /// Exactly the prescribed number of iterations was done.
    AsPrescribed,
    /// By a factorisation.
    Direct,
}

/// How a solve went; part of every fitted model.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Written", into = "Written")]
#[must_use]
pub struct SolveReport {
    /// The method's name.
    pub solver: String,
    /// Unknowns in one column.
    pub size: usize,
    /// Iterations done, 0 for a direct solve.
    pub iterations: usize,
    /// True relative residual of the worst column; 0, and written nowhere, where
    /// [`SolveReport::error_estimate`] stands in its place.
    pub residual: f64,
    /// Estimated relative error of a result that is no solution of one system, so
    /// that no residual can be measured: from rounding and conditioning.
    pub error_estimate: Option<f64>,
    /// Estimated condition number, where there is one.
    pub condition: Option<f64>,
    /// How it ended.
    pub outcome: Outcome,
    /// Smallest eigenvalue of the system between labels, where it was computed.
    pub smallest: Option<f64>,
    /// What was chosen on the user's behalf, and why.
    pub choice: Option<String>,
}

impl SolveReport {
    /// The worse of two solves: the larger residual, and the iterations of the longer one.
    pub(crate) fn worse(before: Option<Self>, next: Self) -> Self {
        let Some(before) = before else {
            return next;
        };
        let iterations = before.iterations.max(next.iterations);
        let worse = if before.residual >= next.residual {
            before
        } else {
            next
        };
        Self {
            iterations,
            ..worse
        }
    }

    /// The residual, unless the error was estimated instead.
    pub fn measured(&self) -> Option<f64> {
        match self.error_estimate {
            Some(_) => None,
            None => Some(self.residual),
        }
    }
}

/// A report as it is written.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    solver: String,
    size: usize,
    iterations: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    residual: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error_estimate: Option<f64>,
    condition: Option<f64>,
    outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    smallest: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    choice: Option<String>,
}

impl From<SolveReport> for Written {
    fn from(report: SolveReport) -> Self {
        Self {
            residual: report.measured(),
            solver: report.solver,
            size: report.size,
            iterations: report.iterations,
            error_estimate: report.error_estimate,
            condition: report.condition,
            outcome: report.outcome,
            smallest: report.smallest,
            choice: report.choice,
        }
    }
}

impl TryFrom<Written> for SolveReport {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, &'static str> {
        let residual = match (written.residual, written.error_estimate) {
            (Some(residual), None) => residual,
            (None, Some(_)) => 0.0,
            _ => return Err("a report has either a residual or an error_estimate"),
        };
        Ok(Self {
            solver: written.solver,
            size: written.size,
            iterations: written.iterations,
            residual,
            error_estimate: written.error_estimate,
            condition: written.condition,
            outcome: written.outcome,
            smallest: written.smallest,
            choice: written.choice,
        })
    }
}
