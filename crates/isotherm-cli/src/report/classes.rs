//! Balance and confusion: what the classes are, and which are mixed up.

use isotherm::study::evaluate::Confusion;
use isotherm::view::Balance;
use maud::{Markup, html};

use super::findings::Findings;
use super::page::Section;
use super::text::{NAME, counted, named, percent, whole};

/// Classes of a table of balance at most.
const LISTED: usize = 40;

/// Classes of a matrix at most; beyond them the pairs that are mixed up most are listed.
const CROSSED: usize = 16;

/// Pairs listed at most.
const PAIRS: usize = 30;

/// Letters of a class over a column.
const HEAD: usize = 14;

/// Steps of a cell's shade.
const SHADES: f64 = 10.0;

/// How often each class was given, and is predicted.
pub(super) fn balance(found: &Findings) -> Section {
    let (id, title) = ("balance", "Classes");
    let says = html! {
        "How often each class was given as a label, and how often it was filled in"
        @if found.unreached > 0 { " where a label reaches" } ". "
        "A class that is rare among labels is learned from little."
    };
    match &found.balance {
        Err(missing) => Section::missing(id, title, says, missing),
        Ok(balance) => Section {
            id,
            title,
            says,
            body: counts(found, balance),
            advice: html! {
                "Give every class at least a few labels. If the shares filled in are not what you "
                "know of your data, label rows of the classes that are too rare, or pass "
                code { "--priors" } "."
            },
        },
    }
}

fn counts(found: &Findings, balance: &Balance) -> Markup {
    let audits = balance.classes.iter().any(|c| c.audit.is_some());
    let most = (balance.classes.iter().map(|c| c.predicted))
        .max()
        .unwrap_or(0);
    let short = found.short(NAME);
    let filled = balance.filled();
    html! {
        div.scroll tabindex="0" role="group" aria-label="Classes, table" {
            table {
                caption {
                    (counted(balance.classes.len(), "class", "classes")) " among "
                    (counted(balance.labels, "label", "labels")) " and "
                    (counted(filled, found.thing(), found.things())) " filled in"
                    @if balance.unreached > 0 { " (" (whole(balance.unreached)) " more are not reached)" }
                    @if balance.classes.len() > LISTED { "; the first " (LISTED) " are listed" }
                }
                thead { tr {
                    th scope="col" { "class" }
                    th.n scope="col" { "labels" }
                    @if audits { th.n scope="col" { "of them drawn at random" } }
                    th.n scope="col" { "filled in" }
                    @if filled > 0 { th scope="col" { "share of those filled in" } }
                } }
                tbody { @for (class, short) in balance.classes.iter().zip(&short).take(LISTED) {
                    tr {
                        th scope="row" { (named(&class.name, short)) }
                        td.n { (whole(class.given)) }
                        @if audits { td.n { (whole(class.audit.unwrap_or(0))) } }
                        td.n { (whole(class.predicted)) }
                        @if filled > 0 { td.share {
                            @let share = class.predicted as f64 / filled as f64;
                            meter min="0" max=(most.max(1)) value=(class.predicted)
                                aria-label=(format!("{} of those filled in", percent(share))) {}
                            " " (percent(share))
                        } }
                    }
                } }
            }
        }
    }
}

/// Which classes are mixed up.
pub(super) fn confusion(found: &Findings) -> Section {
    let (id, title) = ("confusion", "What is mixed up with what");
    let says = html! {
        "Every label that counts, predicted from the others: the class it was given, and the class "
        "the others say."
    };
    let missing = match &found.evaluation {
        Err(missing) => missing.clone(),
        Ok(evaluation) => match &evaluation.confusion {
            Some(confusion) => {
                return Section {
                    id,
                    title,
                    says,
                    body: if confusion.classes.len() <= CROSSED {
                        matrix(found, confusion)
                    } else {
                        pairs(found, confusion)
                    },
                    advice: html! {
                        "Two classes that are often taken for each other need more labels where they "
                        "meet, a feature that tells them apart, or to be one class."
                    },
                };
            }
            None => super::findings::Missing {
                why: format!("only classes are mixed up, and {}", found.kind()),
                way_out: None,
            },
        },
    };
    Section::missing(id, title, says, &missing)
}

fn matrix(found: &Findings, confusion: &Confusion) -> Markup {
    let n = confusion.classes.len();
    let (heads, short) = (found.short(HEAD), found.short(NAME));
    let lost = confusion
        .counts
        .iter()
        .any(|row| row.get(n).is_some_and(|c| *c > 0));
    let rows: usize = confusion.counts.iter().flatten().sum();
    html! {
        div.scroll tabindex="0" role="group" aria-label="Confusion, table" {
            table.matrix {
                caption {
                    (counted(rows, "label", "labels"))
                    ": given down, predicted across; counts, shaded by the share of the row"
                }
                thead { tr {
                    th scope="col" { "given" }
                    @for (class, head) in confusion.classes.iter().zip(&heads) { th.n scope="col" { (named(class, head)) } }
                    @if lost { th.n scope="col" { "not reached" } }
                    th.n scope="col" { "right" }
                } }
                tbody { @for (i, (class, row)) in confusion.classes.iter().zip(&confusion.counts).enumerate() {
                    @let total: usize = row.iter().sum();
                    tr {
                        th scope="row" { (named(class, &short[i])) }
                        @for (j, count) in row.iter().take(n + usize::from(lost)).enumerate() {
                            @let share = *count as f64 / total.max(1) as f64;
                            td class={ "n s" ((share * SHADES).round() as u32) @if i == j { " own" } } { (whole(*count)) }
                        }
                        td.n { @if total > 0 { (percent(row[i] as f64 / total as f64)) } @else { "–" } }
                    }
                } }
            }
        }
    }
}

/// The pairs that are mixed up most.
fn pairs(found: &Findings, confusion: &Confusion) -> Markup {
    let n = confusion.classes.len();
    let short = found.short(NAME);
    let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
    for (i, row) in confusion.counts.iter().enumerate() {
        let others = row
            .iter()
            .enumerate()
            .filter(|(j, count)| *j != i && **count > 0);
        pairs.extend(others.map(|(j, count)| (*count, i, j)));
    }
    pairs.sort_by_key(|(count, i, j)| (std::cmp::Reverse(*count), *i, *j));
    let all = pairs.len();
    let said = |j: usize| match confusion.classes.get(j) {
        Some(class) => named(class, &short[j]),
        None => html! { "not reached" },
    };
    html! {
        div.scroll tabindex="0" role="group" aria-label="Confusion, table" {
            table {
                caption {
                    (n) " classes, too many for a matrix: the pairs that are mixed up most"
                    @if all > PAIRS { ", the first " (PAIRS) " of " (all) }
                    @if all == 0 { ": none" }
                }
                thead { tr {
                    th scope="col" { "given" } th scope="col" { "the others say" } th.n scope="col" { "labels" }
                } }
                tbody { @for (count, i, j) in pairs.iter().take(PAIRS) {
                    tr { th scope="row" { (said(*i)) } td { (said(*j)) } td.n { (whole(*count)) } }
                } }
            }
        }
    }
}
