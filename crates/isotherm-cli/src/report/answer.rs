//! The answer in plain words, before everything else.

use isotherm::recipe::{Method, Task};
use isotherm::study::evaluate::{Confusion, Evaluation, Measured};
use maud::{Markup, html};

use super::findings::{Findings, Missing};
use super::text::{chance, counted, measured, number, percent, shown, whole};
use crate::model_text;

/// Rows below which a range is quoted and no number.
const FEW: usize = 20;

/// The first section: a paragraph and a few figures.
pub(super) fn answer(found: &Findings) -> Markup {
    html! {
        section id="answer" aria-labelledby="answer-title" {
            h2 id="answer-title" { "The answer" }
            p.lead { (setting(found)) " " (quality(found)) " " (help(found)) " " (lost(found)) }
            (assumed(found))
            (figures(found))
            @if let Ok(evaluation) = &found.evaluation {
                (members(evaluation))
                @if !evaluation.notes.is_empty() {
                    details.notes open {
                        summary { "Before you quote a number" }
                        ul { @for note in &evaluation.notes { li { (found.things_in(&shown(note, 600))) } } }
                    }
                }
            }
        }
    }
}

/// The verdict, and what each member of a blend would do alone.
fn members(evaluation: &Evaluation) -> Markup {
    let share = evaluation
        .measures
        .first()
        .is_some_and(|m| m.higher_is_better);
    let value = |v: f64| measured(v, share);
    html! {
        @if let Some(worth) = evaluation.worth() {
            p { "Verdict: " strong { (worth.describe()) } "." }
        }
        @if !evaluation.members.is_empty() {
            details {
                summary { "What the blend is made of" }
                table {
                    caption { "Each member predicts every label from the other labels" }
                    thead { tr {
                        th scope="col" { "member" } th.n scope="col" { "share" } th.n scope="col" { "alone" }
                    } }
                    tbody {
                        @for member in &evaluation.members {
                            tr {
                                th scope="row" { (member.name) } td.n { (percent(member.share)) }
                                td.n { (value(member.value)) }
                            }
                        }
                        @if let Some(constant) = &evaluation.constant {
                            tr {
                                th scope="row" { "for comparison: " (constant.name) } td.n { "–" }
                                td.n { (value(constant.value)) }
                            }
                        }
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
        bdi { (shown(&found.file, 120)) } ", "
        @match (open, open - found.unreached) {
            (0, _) => {
                strong { "all have a label" } ": there is nothing to fill in. What " (method(found))
                " says of them is told below."
            }
            (_, 0) => {
                strong { (counted(found.labelled, "has a label", "have a label")) }
                "; of the other " (whole(open)) " none could be filled in by " (method(found)) "."
            }
            (open, filled) => {
                strong { (counted(found.labelled, "has a label", "have a label")) } "; "
                @match found.unreached {
                    0 => { "the other " (whole(open)) " were" }
                    _ => { (whole(filled)) " of the other " (whole(open)) " were" }
                }
                " filled in by " (method(found)) "."
            }
        }
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
            model_text::transform(&params.transform)
        ),
        Method::LabelPropagation(_) => format!("label propagation {ground}"),
        Method::Harmonic(_) => format!("harmonic functions {ground}"),
        Method::Laplacian(_) => "kernel Laplacian regularisation".to_owned(),
        Method::Blend(_) => {
            "several kernels and graphs of neighbours, weighed by the labels".to_owned()
        }
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
    let Some(first) = quoted(found, evaluation) else {
        return html! {};
    };
    let level = format!("{:.0}\u{a0}%", 100.0 * evaluation.level);
    let Some((low, high)) = ends(first) else {
        return html! {
            "The " (first.name) " " (first.estimate.estimand.describe()) " is about "
            strong { (measured(first.estimate.value, first.higher_is_better)) }
            "; there is no interval: " (first.estimate.no_interval.unwrap_or_default()) "."
        };
    };
    let how = if evaluation.audits_only {
        format!(
            "{} drawn at random, each predicted from the others",
            counted(first.estimate.rows, "label", "labels")
        )
    } else {
        format!(
            "{}, each predicted from the others",
            counted(first.estimate.rows, "label", "labels")
        )
    };
    let about = found.things_in(first.estimate.estimand.describe());
    match found.task {
        Task::Classify if first.estimate.rows < FEW => html! {
            "Of the answers " (about) ", between " strong { (low) " and " (high) } " are right ("
            (level) " interval from " (how) "; too few for a single number)." (apart(evaluation, false))
        },
        Task::Classify => html! {
            "About " strong { (measured(first.estimate.value, true)) } " of the answers "
            (about) " are right: between " (low) " and " (high)
            " (" (level) " interval from " (how) ")." (apart(evaluation, true))
        },
        _ => html! {
            "The " (first.name) " " (about) " is about "
            strong { (number(first.estimate.value)) } ": between " (low) " and " (high)
            " (" (level) " interval from " (how) "; lower is better)."
            @if let Some(root) = root(first) {
                " Its root, in the units of the labels, is " (number(root)) "."
            }
        },
    }
}

/// A squared error in the labels' own units.
fn root(measured: &Measured) -> Option<f64> {
    (measured.name == "mean squared error").then(|| measured.estimate.value.sqrt())
}

/// Labels that the others do not reach count as wrong: said, so that no number further down
/// contradicts the first.
fn apart(evaluation: &Evaluation, number: bool) -> Markup {
    let Some((lost, right, judged)) = evaluation.confusion.as_ref().map(reached) else {
        return html! {};
    };
    html! {
        @if lost > 0 {
            " " (counted(lost, "label that the others cannot reach counts", "labels that the others cannot reach count"))
            " as wrong"
            @if number && judged > 0 {
                "; of the " (whole(judged)) " that can be reached, " (whole(right)) " (" (percent(right as f64 / judged as f64))
                ") are right"
            }
            "."
        }
    }
}

/// Labels that nothing reached, and of the others those that are right, and all.
pub(super) fn reached(confusion: &Confusion) -> (usize, usize, usize) {
    let n = confusion.classes.len();
    let lost = confusion.counts.iter().filter_map(|row| row.get(n)).sum();
    let right = (confusion.counts.iter().enumerate())
        .filter_map(|(i, row)| row.get(i))
        .sum();
    let all: usize = confusion.counts.iter().flatten().sum();
    (lost, right, all - lost)
}

/// On what the number rests.
fn assumed(found: &Findings) -> Markup {
    let Ok(evaluation) = &found.evaluation else {
        return html! {};
    };
    html! {
        p.assumed {
            @if evaluation.audits_only {
                    "Only labels that were drawn at random count towards these numbers; those that were chosen are "
                    "learned from, and not judged by."
                } @else {
                    "These numbers take the labelled " (found.things()) " as drawn at random from all "
                    (found.things()) ". If they were picked in another way (the easy ones, the first ones, those a "
                    "model asked for), the truth may lie outside the range; " code { "--audit" }
                    " names the column that tells which were drawn."
                }
        }
    }
}

/// The measure of the rows that still need a label, where there are some: that is the question a
/// reader of filled-in labels has.
fn quoted<'a>(found: &Findings, evaluation: &'a Evaluation) -> Option<&'a Measured> {
    use isotherm::trust::Estimand;
    let open = found.samples > found.labelled;
    let about = |m: &&Measured| open && m.estimate.estimand == Estimand::Unlabelled;
    evaluation
        .measures
        .iter()
        .find(about)
        .or(evaluation.measures.first())
}

/// The mean over classes, which a frequent class cannot hide a rare one in.
fn by_class(evaluation: &Evaluation) -> Option<&Measured> {
    evaluation.measures.iter().find(|m| m.name == "macro-F1")
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
    let share = first.higher_is_better;
    let value = measured(baseline.value, share);
    let own = measured(first.estimate.value, share);
    let few = share && first.estimate.rows < FEW;
    // What is quoted above may be about other rows than those it was measured on.
    let other =
        (quoted(found, evaluation)).filter(|q| !few && measured(q.estimate.value, share) != own);
    html! {
        @if few { "Beside " (baseline.name) ": " } @else {
                "On these labels themselves " (baseline.name) " comes to " (value) " against "
                (own) " by this method"
                @if let Some(other) = other {
                    " (the " (measured(other.estimate.value, share)) " above is about the "
                    (found.things()) " still unlabelled, and takes into account which were labelled first)"
                }
                ": "
            }
        strong { (baseline.describe()) } " (better on "
        (counted(baseline.better, found.thing(), found.things())) ", worse on " (whole(baseline.worse))
        "; so far apart by chance with probability " (chance(baseline.chance)) ")."
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
                @if let Some(first) = quoted(found, evaluation) {
                    @let value = measured(first.estimate.value, first.higher_is_better);
                    @match ends(first) {
                        Some((low, high)) if first.higher_is_better && first.estimate.rows < FEW => {
                            (figure(first.name, format!("{low} – {high}"),
                                format!("{:.0}\u{a0}% interval", 100.0 * evaluation.level)))
                        }
                        Some((low, high)) => (figure(first.name, value, format!("{low} to {high}"))),
                        None => (figure(first.name, value, "no interval".to_owned())),
                    }
                }
                @if let Some(classes) = by_class(evaluation) {
                    @let more = "every class counts the same";
                    @let value = measured(classes.estimate.value, true);
                    @match ends(classes) {
                        Some((low, high)) if classes.estimate.rows < FEW =>
                            (figure(classes.name, format!("{low} – {high}"), more.to_owned())),
                        Some((low, high)) =>
                            (figure(classes.name, value, format!("{low} to {high}; {more}"))),
                        None => (figure(classes.name, value, format!("no interval; {more}"))),
                    }
                }
                @if let (Some(baseline), Some(first)) = (&evaluation.baseline, evaluation.measures.first()) {
                    @if !first.higher_is_better || first.estimate.rows >= FEW {
                        (figure("for comparison", measured(baseline.value, first.higher_is_better),
                            baseline.name.to_owned()))
                    }
                }
            }
            (figure("labels", whole(found.labelled),
                format!("{} of all {}", percent(found.labelled as f64 / found.samples.max(1) as f64), found.things())))
            @if open > 0 {
                (figure("filled in", whole(open - found.unreached), format!("of {} without a label", whole(open))))
                (figure("not reached", whole(found.unreached),
                    match found.unreached { 0 => "every one has an answer".to_owned(), _ => "no answer".to_owned() }))
            }
        }
    }
}
