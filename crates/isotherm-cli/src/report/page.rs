//! The document: policy, style, script, and the order of its sections.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use isotherm_io::embedded;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::findings::{Findings, Missing};
use super::text::{counted, shown};
use super::{answer, charts, classes, lists, made, map};
use crate::failure::Outcome;

static STYLE: &str = include_str!("../../assets/report/style.css");
static SCRIPT: &str = include_str!("../../assets/report/report.js");

/// Letters of a title.
const TITLE: usize = 120;

/// The whole page.
pub(crate) fn page(found: &Findings) -> Outcome<String> {
    let title = shown(&found.title, TITLE);
    let sections = [
        map::section(found)?,
        classes::balance(found),
        classes::confusion(found),
        charts::curve(found)?,
        charts::reliability(found)?,
        lists::next(found),
        lists::suspects(found),
        lists::unreached(found),
        charts::spectrum(found)?,
        charts::grid(found),
        made::warnings(found),
        made::made(found),
    ];
    let text = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content={ "isotherm " (env!("CARGO_PKG_VERSION")) };
                title { (title) " · isotherm report" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    p.brand { "isotherm report" }
                    h1 { bdi { (title) } }
                    p.about {
                        (counted(found.samples, found.thing(), found.things())) ", "
                        (counted(found.labelled, "label", "labels")) " in column "
                        bdi { "“" (shown(&found.label, TITLE)) "”" }
                    }
                }
                nav.contents aria-label="Contents" {
                    ol { @for s in &sections { li { a href={ "#" (s.id) } { (s.title) } } } }
                }
                main id="main" tabindex="-1" {
                    (answer::answer(found))
                    @for s in &sections { (s.markup()) }
                }
                footer {
                    p {
                        "Made by isotherm " (env!("CARGO_PKG_VERSION"))
                        ". This page is one file: it holds everything it shows, fetches nothing and sends nothing."
                    }
                }
                (PreEscaped(embedded::html_block(&found.provenance)))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(text.into_string())
}

/// Nothing but what is in the page: its own style, its own script, pictures as data.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; \
         base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; \
         trusted-types 'none'",
        hash(SCRIPT),
        hash(STYLE)
    )
}

/// One section: what it shows, the thing itself, and what to do about it.
pub(super) struct Section {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// What it shows, in a sentence.
    pub(super) says: Markup,
    pub(super) body: Markup,
    /// What to do about it.
    pub(super) advice: Markup,
}

impl Section {
    /// A section that cannot be had says why.
    pub(super) fn missing(
        id: &'static str,
        title: &'static str,
        says: Markup,
        missing: &Missing,
    ) -> Self {
        let advice = match &missing.way_out {
            Some(way_out) => html! { (sentence(&shown(way_out, 600))) },
            None => html! {},
        };
        Self {
            id,
            title,
            says,
            body: html! {
                p.missing { strong { "Not shown: " } (shown(&missing.why, 600)) "." }
            },
            advice,
        }
    }

    fn markup(&self) -> Markup {
        let heading = format!("{}-title", self.id);
        let advice = &self.advice.0;
        html! {
            section id=(self.id) aria-labelledby=(heading) {
                h2 id=(heading) { (self.title) }
                p.says { (self.says) }
                (self.body)
                @if !advice.is_empty() {
                    p.advice { strong { "What to do: " } (self.advice) }
                }
            }
        }
    }
}

/// A hint as a sentence: hints begin small and end without a stop.
fn sentence(hint: &str) -> String {
    let mut letters = hint.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{first}{}.", letters.as_str())
}
