//! What a fitted model is told as: sentences for people, JSON for machines.

use isotherm::recipe::Model;
use isotherm::recipe::model::Warning;
use serde_json::{Value, json};

use crate::talk::{Talk, count};

/// Says every warning of a fit, each with its way out.
pub(crate) fn warnings(model: &Model, features: &[String], talk: &Talk) {
    for warning in model.warnings() {
        let (text, hint) = sentence(warning, features, model.dim().is_some());
        talk.warn(&text, Some(hint));
    }
}

/// Says how many rows no label reaches, and why.
pub(crate) fn unreached(rows: usize, of: usize, why: &str, talk: &Talk) {
    let text = format!(
        "{rows} of {of} rows cannot be reached from any label; they are marked iso_reached=false"
    );
    talk.warn(&text, Some(why));
}

fn sentence(warning: &Warning, features: &[String], table: bool) -> (String, &'static str) {
    match warning {
        Warning::NotConverged {
            iterations,
            residual,
        } => (
            format!("the solver stopped after {iterations} iterations at residual {residual:.1e}"),
            "the labels may be off; allow more iterations in a recipe file",
        ),
        Warning::Stagnated { residual } => (
            format!("the solver ran out of digits at residual {residual:.1e}"),
            "a larger tolerance in a recipe file would be met; check the labels far from given ones",
        ),
        Warning::IllConditioned { condition } => (
            format!("the system's condition number is about {condition:.0e}: few digits are left"),
            "raise --ridge or lower --bandwidth",
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
        _ => (format!("{warning:?}"), ""),
    }
}

/// One line on how the fit went.
pub(crate) fn report(model: &Model) -> String {
    let r = model.report();
    let condition = match r.condition {
        Some(c) => format!(", condition about {c:.0e}"),
        None => String::new(),
    };
    let iterations = match r.iterations {
        0 => String::new(),
        n => format!(", {n} iterations"),
    };
    format!(
        "{}: {} with {} unknowns{iterations}, residual {:.1e}{condition}",
        model.recipe().method.name(),
        r.solver,
        r.size,
        r.residual
    )
}

/// Everything a program would ask of a model.
pub(crate) fn value(model: &Model) -> Value {
    json!({
        "recipe": model.recipe(),
        "report": model.report(),
        "kernel": model.kernel(),
        "samples": model.anchors(),
        "labelled": model.labelled(),
        "features": model.features,
        "classes": model.classes(),
        "warnings": model.warnings().iter().map(|w| sentence(w, &model.features, model.dim().is_some()).0).collect::<Vec<_>>(),
    })
}
