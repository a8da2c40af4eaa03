//! What a fitted model is told as: sentences for people, JSON for machines.

use isotherm::data::neighbours::Recall;
use isotherm::recipe::model::Warning;
use isotherm::recipe::{Method, Model};
use isotherm::solve::SolveReport;
use isotherm::spectrum::{Encoder, Transform};
use serde_json::{Value, json};

use crate::talk::{Talk, count};

/// Says every warning of a fit, each with its way out.
pub(crate) fn warnings(model: &Model, features: &[String], talk: &Talk) {
    for warning in model.warnings() {
        let (text, hint) = sentence(warning, features, model);
        talk.warn(code(warning), &text, Some(hint));
    }
}

/// Says how many rows no label reaches, and why.
pub(crate) fn unreached(rows: usize, of: usize, why: &str, talk: &Talk) {
    let text = format!(
        "{rows} of {of} rows cannot be reached from any label; they are marked iso_reached=false"
    );
    talk.warn("unreached", &text, Some(why));
}

/// The stable short word of a warning.
fn code(warning: &Warning) -> &'static str {
    match warning {
        Warning::NotConverged { .. } => "not-converged",
        Warning::Stagnated { .. } => "stagnated",
        Warning::IllConditioned { .. } => "ill-conditioned",
        Warning::Unreached { .. } => "unreached",
        Warning::ConstantColumns { .. } => "constant-columns",
        Warning::Conflicts { .. } => "conflicts",
        Warning::NothingToLeaveOut { .. } => "nothing-to-leave-out",
        Warning::NotSettled { .. } => "not-settled",
        _ => "warning",
    }
}

fn sentence(warning: &Warning, features: &[String], model: &Model) -> (String, &'static str) {
    let table = model.dim().is_some();
    match warning {
        Warning::NotConverged {
            iterations,
            residual,
        } => (
            format!("the solver stopped after {iterations} iterations at residual {residual:.1e}"),
            "the labels may be off; raise --iterations",
        ),
        Warning::Stagnated { residual } => (
            format!("the solver ran out of digits at residual {residual:.1e}"),
            "a larger --tolerance would be met; check the labels far from given ones",
        ),
        Warning::IllConditioned { condition } => (
            format!("the system's condition number is about {condition:.0e}: few digits are left"),
            match model.kernel() {
                Some(_) => "raise --ridge or lower --bandwidth",
                None => "raise --ridge",
            },
        ),
        Warning::Unreached { rows, of } => (
            format!(
                "{rows} of {of} {} ({:.1} %) cannot be reached from any label; they are marked iso_reached=false",
                if table { "rows" } else { "nodes" },
                100.0 * *rows as f64 / *of as f64
            ),
            match table {
                true => "label one row in each such part, or raise --neighbours",
                false => "label one node in each such part, or add edges to it",
            },
        ),
        Warning::ConstantColumns { columns } => {
            let names: Vec<String> = columns
                .iter()
                .map(|&c| features.get(c).cloned().unwrap_or_else(|| c.to_string()))
                .collect();
            (
                format!(
                    "columns with one value only: {}",
                    crate::gather::listed(&names)
                ),
                "they change nothing; --exclude leaves them out",
            )
        }
        Warning::Conflicts { pairs } => (
            format!(
                "{} of equal rows with different labels",
                count(*pairs, "pair", "pairs")
            ),
            "check them: no method can tell such rows apart",
        ),
        Warning::NothingToLeaveOut {
            classes,
            strength,
            bandwidth,
        } => (
            format!(
                "each of the {classes} classes has one label, and without it cannot be predicted: \
                 leave-one-out has nothing to choose by; the strength is {strength}{}",
                match bandwidth {
                    true => ", the bandwidth the median distance",
                    false => "",
                }
            ),
            "label a second row of some class, or give --bandwidth and --strength",
        ),
        Warning::NotSettled { rounds } => (
            format!("labels known in part had not settled after {rounds} rounds"),
            "they may still change: give more sure labels, or a larger ridge",
        ),
        _ => (format!("{warning:?}"), ""),
    }
}

/// How the fit went: one line on the solve, one on what was chosen, one on
/// neighbours that were not all sought.
pub(crate) fn report(model: &Model) -> Vec<String> {
    let method = &model.recipe().method;
    let name = match method {
        Method::Stkr(params) => format!("stkr, {}", transform(&params.transform)),
        _ => method.name().to_owned(),
    };
    let mut lines = vec![format!("{name}: {}", solve(model.report()))];
    if let Some(choice) = &model.report().choice {
        lines.push(format!("chosen: {choice}"));
    }
    if let Some(Recall::Estimated { value, error }) = model.neighbour_recall() {
        lines.push(format!(
            "neighbours: about {:.1} % (± {:.1}) of the true ones found",
            100.0 * value,
            100.0 * error
        ));
    }
    if let Some(settled) = model.settled() {
        lines.push(format!(
            "{} settled in {}",
            count(settled.samples, "label", "labels"),
            count(settled.objective.len(), "round", "rounds")
        ));
    }
    if let Some(labels) = model.calibrated_on() {
        lines.push(format!("probabilities: calibrated on {labels} labels"));
    }
    lines
}

/// One line on a solve.
pub(crate) fn solve(r: &SolveReport) -> String {
    let condition = match r.condition {
        Some(c) => format!(", condition about {c:.0e}"),
        None => String::new(),
    };
    let smallest = match r.smallest {
        Some(v) => format!(", smallest eigenvalue {v:.1e}"),
        None => String::new(),
    };
    let iterations = match r.iterations {
        0 => String::new(),
        n => format!(", {}", count(n, "iteration", "iterations")),
    };
    let accuracy = match r.error_estimate {
        Some(v) => format!("estimated error {v:.1e}"),
        None => format!("residual {:.1e}", r.residual),
    };
    format!(
        "{} with {} unknowns{iterations}, {accuracy}{condition}{smallest}",
        r.solver, r.size
    )
}

/// A transform in a few words.
pub(crate) fn transform(transform: &Transform) -> String {
    let name = transform.name();
    match transform {
        Transform::InverseLaplacian { eta } => format!("{name} eta {eta}"),
        Transform::Power { degree } => format!("{name} {degree}"),
        Transform::Diffusion { time } => format!("{name} time {time}"),
        Transform::Truncation { rank, encoder } => match encoder {
            Encoder::All => format!("{name} rank {rank}"),
            Encoder::Unlabelled => format!("{name} rank {rank} of the unlabelled"),
        },
        Transform::Polynomial { weights } => format!("{name} {weights:?}"),
        Transform::Reciprocal { weights, order } => format!("{name} {weights:?} order {order}"),
        _ => name.to_owned(),
    }
}

/// Everything a program would ask of a model.
pub(crate) fn value(model: &Model) -> Value {
    json!({
        "recipe": model.recipe(),
        "report": model.report(),
        "kernel": model.kernel(),
        "samples": model.anchors(),
        "labelled": model.labelled(),
        "calibrated_on": model.calibrated_on(),
        "settled": model.settled(),
        "features": model.features,
        "classes": model.classes(),
    })
}
