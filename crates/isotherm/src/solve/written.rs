//! A report as files and JSON hold it: a residual or an estimate, never one named as
//! the other.

use super::{Outcome, SolveReport};

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Report {
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

impl From<SolveReport> for Report {
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

impl TryFrom<Report> for SolveReport {
    type Error = &'static str;

    fn try_from(written: Report) -> Result<Self, &'static str> {
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
