//! The answer in plain words, before everything else.

use isotherm::recipe::evaluate::{Evaluation, Measured};
use isotherm::recipe::{Method, Task};
use maud::{Markup, html};

use super::findings::{Findings, Missing};
use super::text::{counted, measured, number, percent, shown, whole};
use crate::tell;

/// Rows below which a range is quoted and no number.
const FEW: usize = 20;

/// The first section: a paragraph and a few figures.
pub(super) fn answer(found: &Findings) -> Markup {
    html! {
        section id="answer" aria-labelledby="answer-title" {
            h2 id="answer-title" { "The answer" }
            p.lead { (setting(found)) " " (quality(found)) " " (help(found)) " " (lost(found)) }
            (figures(found))
            @if let Ok(evaluation) = &found.evaluation {
                @if !evaluation.notes.is_empty() {
                    details.notes open {
                        summary { "Before you quote a number" }
                        ul { @for note in &evaluation.notes { li { (shown(note, 600)) } } }
                    }
                }
            }
        }
    }
}

/// What was read and what was done.
fn setting(found: &Findings) -> Markup {
    let open = found.samples - found.labelled;
    html! {
        "Of " (counted(found.samples, found.thing(), found.things())) " in "
        bdi { (shown(&found.file, 120)) } ", " strong { (counted(found.labelled, "has a label", "have a label")) }
        "; the other " (whole(open)) " were filled in by " (method(found)) "."
    }
}

/// The method in words.
fn method(found: &Findings) -> String {
    let ground = match (&found.graph, &found.recipe.kernel) {
        (Some(_), _) => "along the edges of the graph".to_owned(),
        (None, Some(_)) => "by a kernel between all rows".to_owned(),
        (None, None) => format!(
            "along the graph of each row’s {} nearest rows",
            found.recipe.neighbours.unwrap_or(10)
        ),
    };
    match &found.recipe.method {
        Method::Stkr(params) => format!(
            "spectrally transformed kernel regression ({}) {ground}",
            tell::transform(&params.transform)
        ),
        Method::LabelPropagation(_) => format!("label propagation {ground}"),
        Method::Harmonic(_) => format!("harmonic functions {ground}"),
        Method::Laplacian(_) => "kernel Laplacian regularisation".to_owned(),
        Method::KernelRidge(_) => "kernel ridge regression on the labelled rows alone".to_owned(),
        other => other.name().to_owned(),
    }
}

/// How good it is, how sure that is, and of which rows it is said.
fn quality(found: &Findings) -> Markup {
    let evaluation = match &found.evaluation {
        Ok(evaluation) => evaluation,
        Err(Missing { why, .. }) => {
            return html! { "How good that is cannot be told: " (shown(why, 400)) "." };
        }
    };
    let Some(first) = quoted(evaluation) else {
        return html! {};
    };
    let level = format!("{:.0} %", 100.0 * evaluation.level);
    let Some((low, high)) = ends(first) else {
        return html! {
            "The " (first.name) " " (first.estimate.estimand.describe()) " is about "
            strong { (measured(first.estimate.value, first.higher_is_better)) }
            "; there is no interval: " (first.estimate.no_interval.unwrap_or_default()) "."
        };
    };
    let how = match evaluation.audits_only {
        true => format!(
            "{} drawn at random",
            counted(first.estimate.rows, "label", "labels")
        ),
        false => format!(
            "{}, each predicted from the others",
            counted(first.estimate.rows, "label", "labels")
        ),
    };
    match found.task {
        Task::Classify if first.estimate.rows < FEW => html! {
            "Of the answers " (first.estimate.estimand.describe()) ", between "
            strong { (low) " and " (high) } " are right (" (level) " interval from " (how)
            "; too few for a single number)."
        },
        Task::Classify => html! {
            "About " strong { (measured(first.estimate.value, true)) } " of the answers "
            (first.estimate.estimand.describe()) " are right: between " (low) " and " (high)
            " (" (level) " interval from " (how) ")."
        },
        _ => html! {
            "The " (first.name) " " (first.estimate.estimand.describe()) " is about "
            strong { (number(first.estimate.value)) } ": between " (low) " and " (high)
            " (" (level) " interval from " (how) "; lower is better)."
        },
    }
}

/// The measure of the rows that still need a label, where there is one: that is the question a
/// reader of filled-in labels has.
fn quoted(evaluation: &Evaluation) -> Option<&Measured> {
    use isotherm::trust::Estimand;
    let about = |m: &&Measured| m.estimate.estimand == Estimand::Unlabelled;
    evaluation
        .measures
        .iter()
        .find(about)
        .or(evaluation.measures.first())
}

fn ends(m: &Measured) -> Option<(String, String)> {
    let shown = |end: f64| measured(end, m.higher_is_better);
    (m.estimate.interval).map(|interval| (shown(interval.low), shown(interval.high)))
}

/// Whether unlabelled data helped.
fn help(found: &Findings) -> Markup {
    let Ok(evaluation) = &found.evaluation else {
        return html! {};
    };
    let (Some(baseline), Some(first)) = (&evaluation.baseline, evaluation.measures.first()) else {
        return html! {};
    };
    let value = measured(baseline.value, first.higher_is_better);
    let own = measured(first.estimate.value, first.higher_is_better);
    html! {
        "On the same labels " (baseline.name) " comes to " (value) " against " (own) ": "
        strong { (baseline.describe()) } " ("
        (counted(baseline.better, "row", "rows")) " better, " (whole(baseline.worse))
        " worse; so far apart by chance with probability " (number(baseline.chance)) ")."
    }
}

fn lost(found: &Findings) -> Markup {
    match found.unreached {
        0 => html! {},
        n => html! {
            strong { (counted(n, found.thing(), found.things())) }
            " could not be reached from any label and got no answer."
        },
    }
}

/// The figures a reader looks for first.
fn figures(found: &Findings) -> Markup {
    let open = found.samples - found.labelled;
    let figure = |name: &str, value: String, more: String| {
        html! { div { dt { (name) } dd { span.value { (value) } " " span.more { (more) } } } }
    };
    html! {
        dl.figures {
            @if let Ok(evaluation) = &found.evaluation {
                @if let Some(first) = quoted(evaluation) {
                    @let value = measured(first.estimate.value, first.higher_is_better);
                    @match ends(first) {
                        Some((low, high)) if first.higher_is_better && first.estimate.rows < FEW => {
                            (figure(first.name, format!("{low} – {high}"),
                                format!("{:.0} % interval", 100.0 * evaluation.level)))
                        }
                        Some((low, high)) => (figure(first.name, value, format!("{low} to {high}"))),
                        None => (figure(first.name, value, "no interval".to_owned())),
                    }
                }
                @if let (Some(baseline), Some(first)) = (&evaluation.baseline, evaluation.measures.first()) {
                    (figure("beside it", measured(baseline.value, first.higher_is_better),
                        baseline.name.to_owned()))
                }
            }
            (figure("labels", whole(found.labelled),
                format!("{} of all {}", percent(found.labelled as f64 / found.samples.max(1) as f64), found.things())))
            (figure("filled in", whole(open - found.unreached), format!("of {} without a label", whole(open))))
            (figure("not reached", whole(found.unreached),
                match found.unreached { 0 => "every one has an answer".to_owned(), _ => "no answer".to_owned() }))
        }
    }
}
