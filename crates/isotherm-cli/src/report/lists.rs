//! Rows to label next, labels that the others contradict, rows that nothing reaches.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use super::findings::{Findings, Listed};
use super::page::Section;
use super::text::{NAME, counted, name, named, shown, whole};

/// Letters of a reason, and of a name in it.
const REASON: usize = 300;
const INSIDE: usize = 40;

/// The rows whose labels would tell most.
pub(super) fn next(found: &Findings) -> Section {
    let (id, title) = ("next", "What to label next");
    let says = html! {
        "The " (found.things()) " whose labels would tell most, in the order to label them, each "
        "with the reason; some are drawn at random, so that the accuracy above stays honest."
    };
    let short = found.short(INSIDE);
    match &found.next {
        Err(missing) => Section::missing(id, title, says, missing),
        Ok(suggested) => Section {
            id,
            title,
            says,
            body: html! {
                div.scroll tabindex="0" role="group" aria-label="What to label next, table" {
                    table {
                        caption {
                            "The first " (suggested.rows.len()) " of "
                            (counted(suggested.unlabelled, found.thing(), found.things())) " without a label"
                        }
                        (head(found, &["why"]))
                        tbody { @for (row, next) in found.next_rows.iter().zip(&suggested.rows) {
                            tr {
                                (place(row))
                                td.why {
                                    (shown(&said(found, &short, &next.suggestion.reason), REASON))
                                    @if next.suggestion.audit.is_some() { " " span.tag { "audit" } }
                                }
                            }
                        } }
                    }
                }
                @if suggested.rows.iter().any(|r| r.suggestion.reason.contains(" variance ")) {
                    p.how {
                        "In plain words: the variance is how unsure the method is of all " (found.things())
                        " taken together. A label that takes more of it off tells more about the others; the "
                        (found.things()) " one stands for are those it would tell most about."
                    }
                }
            },
            advice: html! {
                "Label these " (found.things()) " first. " code { "isotherm next" }
                " writes them as a table to fill in, with the columns that keep later numbers honest."
            },
        },
    }
}

/// A reason with names made short, so that its numbers are never lost.
fn said(found: &Findings, short: &[String], reason: &str) -> String {
    let mut named: Vec<(&String, &String)> = found.model.names().iter().zip(short).collect();
    named.retain(|(name, short)| name != short && reason.contains(name.as_str()));
    // Names that hold others first.
    named.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let shortened = named
        .into_iter()
        .fold(reason.to_owned(), |text, (name, short)| {
            text.replace(name.as_str(), short)
        });
    found.things_in(&shortened)
}

/// Labels that the others contradict.
pub(super) fn suspects(found: &Findings) -> Section {
    let (id, title) = ("suspects", "Labels that look wrong");
    let says = html! {
        "Labels for which all the others together say another class, the strongest contradiction first: "
        "an order to look in. The number is how far the other class is ahead of the given one, where 1 is "
        "the usual distance between the two foremost classes of a label. No number proves a label wrong; "
        "the map marks all of them."
    };
    let evaluation = match &found.evaluation {
        Ok(evaluation) => evaluation,
        Err(missing) => return Section::missing(id, title, says, missing),
    };
    if evaluation.confusion.is_none() {
        let missing = super::findings::Missing {
            why: format!("only classes contradict each other, and {}", found.kind()),
            way_out: None,
        };
        return Section::missing(id, title, says, &missing);
    }
    let all = evaluation.suspects.len();
    let short = found.short(NAME);
    let class = |given: &str| {
        let at = found.model.names().iter().position(|n| n == given);
        named(given, at.map_or(given, |k| &short[k]))
    };
    let body = match all {
        0 => html! { p.none { "None: every label agrees with what the others say of it." } },
        _ => html! {
            div.scroll tabindex="0" role="group" aria-label="Labels that look wrong, table" {
                table {
                    caption {
                        @if found.suspect_rows.len() < all { "The first " (found.suspect_rows.len()) " of " }
                        (counted(all, "label", "labels")) " that the others contradict"
                    }
                    (head(found, &["given", "the others say", "how strongly"]))
                    tbody { @for (row, suspect) in found.suspect_rows.iter().zip(&evaluation.suspects) {
                        tr {
                            (place(row))
                            td { (class(&suspect.given)) } td { (class(&suspect.suggested)) }
                            td.n { (format!("{:.2}", suspect.strength)) }
                        }
                    } }
                }
            }
        },
    };
    Section {
        id,
        title,
        says,
        body,
        advice: match all {
            0 => html! {},
            _ => html! {
                "Look at them from the top until several in a row are right: a wrong label costs more than a "
                "missing one. A right one among them marks a place where the classes meet."
            },
        },
    }
}

/// Rows that no label reaches.
pub(super) fn unreached(found: &Findings) -> Section {
    let (id, title) = ("unreached", "What no label reaches");
    let says = html! {
        "The " (found.things()) " that nothing connects to a label. They got no answer, rather than a guess."
    };
    let body = match found.unreached {
        0 => html! { p.none { "None: every one can be reached." } },
        all => html! {
            div.scroll tabindex="0" role="group" aria-label="What no label reaches, table" {
                table {
                    caption {
                        @if found.unreached_rows.len() < all { "The first " (found.unreached_rows.len()) " of " }
                        (whole(all)) " not reached"
                    }
                    (head(found, &[]))
                    tbody { @for row in &found.unreached_rows { tr { (place(row)) } } }
                }
            }
        },
    };
    Section {
        id,
        title,
        says,
        body,
        advice: match found.unreached {
            0 => html! {},
            _ => html! {
                "Label one in each part that hangs together: " code { "isotherm next --strategy cover" }
                " finds them" @if found.graph.is_none() { "; or join more rows by " code { "--neighbours" } } "."
            },
        },
    }
}

fn head(found: &Findings, more: &[&str]) -> Markup {
    html! {
        thead { tr {
            th scope="col" { "where" }
            @for column in &found.columns { th scope="col" { (name(column)) } }
            @for column in more { th.why[*column == "why"] scope="col" { (column) } }
        } }
    }
}

fn place(row: &Listed) -> Markup {
    html! {
        th scope="row" {
            bdi { (shown(&row.place, 80)) }
            @for (column, png) in &row.pictures {
                img alt=(format!("{} of {}", shown(column, INSIDE), shown(&row.place, 80)))
                    src=(format!("data:image/png;base64,{}", STANDARD.encode(png)));
            }
        }
        @for cell in &row.cells { td.text dir="auto" { (cell) } }
    }
}
