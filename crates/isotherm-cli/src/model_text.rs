//! What a fitted model is told as: sentences for people, JSON for machines.

use isotherm::model::{Model, Wording};
use isotherm::neighbours::Recall;
use isotherm::recipe::Method;
use isotherm::recipe::Shape;
use isotherm::solve::SolveReport;
use isotherm::spectrum::{Encoder, Transform};
use isotherm::trust::FoundShares;
use serde_json::{Value, json};

use crate::console::{Console, count};

/// Says every warning of a fit, each with its way out.
pub(crate) fn warnings(model: &Model, features: &[String], console: &Console) {
    let words = Flags { model, features };
    for warning in model.warnings() {
        let hint = warning.hint(&words);
        console.warn(warning.code(), &warning.what(&words), Some(&hint));
    }
}

/// Parameters as flags spell them, columns as the table names them.
struct Flags<'a> {
    model: &'a Model,
    features: &'a [String],
}

impl Wording for Flags<'_> {
    fn parameter(&self, name: &'static str) -> Option<String> {
        let there = match name {
            "bandwidth" => self.model.kernel().is_some(),
            "neighbours" => self.model.shape() == Shape::Table,
            _ => true,
        };
        there.then(|| format!("--{name}"))
    }

    fn samples(&self) -> &'static str {
        match self.model.shape() {
            Shape::Graph => "nodes",
            Shape::Table | Shape::Gram => "rows",
        }
    }

    fn column(&self, position: usize) -> String {
        let name = self.features.get(position);
        name.map_or_else(|| position.to_string(), String::clone)
    }

    fn unreached(&self) -> &'static str {
        "they are marked iso_reached=false"
    }
}

/// Says how many rows have no value in any feature column.
pub(crate) fn blank_rows(rows: usize, console: &Console) {
    if rows > 0 {
        let have = count(rows, "row has", "rows have");
        console.warn(
            "unreached",
            &format!(
                "{have} no value in any feature column and {} no answer",
                if rows == 1 { "gets" } else { "get" }
            ),
            Some("fill in a value; without one they are marked iso_reached=false"),
        );
    }
}

/// Says how many rows no label reaches, and why.
pub(crate) fn unreached(rows: usize, of: usize, why: &str, console: &Console) {
    let text = format!(
        "{rows} of {of} rows cannot be reached from any label; they are marked iso_reached=false"
    );
    console.warn("unreached", &text, Some(why));
}

/// Says what was fitted, and with `--verbose` how that went.
pub(crate) fn tell(model: &Model, console: &Console) {
    console.note(&method_line(model));
    if let Some(found) = model.class_shares() {
        console.note(&shares(found));
    }
    details(model).iter().for_each(|line| console.detail(line));
}

/// The method in words.
pub(crate) fn method_line(model: &Model) -> String {
    let words = match &model.recipe().method {
        Method::Stkr(params) => format!("stkr, {}", transform(&params.transform)),
        Method::Blend(_) => match &model.report().choice {
            Some(choice) => format!("blend of {choice}"),
            None => "blend".to_owned(),
        },
        other => other.name().to_owned(),
    };
    format!("method: {words}")
}

/// How the fit went: one line on the solve, one on what was chosen, one on neighbours that were
/// not all sought, one on what the probabilities are calibrated on.
pub(crate) fn details(model: &Model) -> Vec<String> {
    let mut lines = vec![format!("solved: {}", solve(model.report()))];
    let said = matches!(model.recipe().method, Method::Blend(_));
    if let Some(choice) = model.report().choice.as_ref().filter(|_| !said) {
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

/// One line on class shares that were estimated.
pub(crate) fn shares(found: &FoundShares) -> String {
    format!(
        "class shares of {}, {} of EM{}: {}",
        count(found.rows, "unlabelled row", "unlabelled rows"),
        count(found.iterations, "step", "steps"),
        if found.converged {
            ""
        } else {
            ", not converged"
        },
        found.told()
    )
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
        "class_shares": model.class_shares(),
        "features": model.features,
        "classes": model.classes(),
    })
}
