//! Warnings, and how to make it again.

use maud::html;

use super::findings::Findings;
use super::page::Section;
use super::text::{counted, shown, whole};
use crate::load::listed;
use crate::model_text;

/// Letters of a warning.
const SENTENCE: usize = 600;

/// Everything that was warned of.
pub(super) fn warnings(found: &Findings) -> Section {
    let all = found.warned.len();
    Section {
        id: "warnings",
        title: "Warnings",
        says: html! { "What the run warned of, each with its way out." },
        body: match all {
            0 => html! { p.none { "None." } },
            _ => html! {
                ul.warnings { @for warning in &found.warned {
                    li {
                        p { code { (warning.code) } " " (shown(&warning.message, SENTENCE)) }
                        @if let Some(hint) = &warning.hint { p.hint { "Way out: " (shown(hint, SENTENCE)) } }
                    }
                } }
            },
        },
        advice: html! {},
    }
}

/// Recipe, command, files, solver.
pub(super) fn made(found: &Findings) -> Section {
    let provenance = &found.provenance;
    Section {
        id: "made",
        title: "How it was made",
        says: html! {
            "Everything that is needed to make this page again, to the byte: the same command on the "
            "same files with the same version."
        },
        body: html! {
            h3 { "Command" }
            pre tabindex="0" role="group" aria-label="Command" { code { (shown(&provenance.shell_line(), 4000)) } }
            dl.facts {
                dt { "version" } dd { "isotherm " (provenance.version) }
                dt { "seed" } dd { (found.recipe.seed) }
                dt { "task" } dd { (found.task.name()) }
                @if !found.features.is_empty() {
                    dt { "features" }
                    dd { (counted(found.features.len(), "column", "columns")) ": " bdi { (shown(&listed(&found.features), 400)) } }
                }
                dt { "fit" } dd { (shown(&model_text::method_line(&found.model), 400)) }
                @for line in model_text::details(&found.model) { dt { "fit" } dd { (shown(&line, 400)) } }
            }
            h3 { "Files" }
            div.scroll tabindex="0" role="group" aria-label="Files, table" {
                table {
                    caption { "What was read" }
                    thead { tr { th scope="col" { "file" } th.n scope="col" { "bytes" } th scope="col" { "SHA-256" } } }
                    tbody { @for input in &provenance.inputs {
                        tr {
                            th scope="row" { bdi { (shown(&input.path, 200)) } }
                            td.n { (input.bytes.map_or("unknown".to_owned(), |b| whole(usize::try_from(b).unwrap_or(usize::MAX)))) }
                            td { code.hash { (input.sha256.as_deref().unwrap_or("unknown")) } }
                        }
                    } }
                }
            }
            h3 { "Recipe" }
            pre tabindex="0" role="group" aria-label="Recipe" { code { (shown_lines(&found.toml)) } }
        },
        advice: html! {
            code { "isotherm rerun" } " with this file checks that the inputs are the same and makes it again; "
            "the recipe, saved as a file, works with every command as " code { "--recipe" } "."
        },
    }
}

/// Lines of our own making that may hold names from data.
fn shown_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|l| shown(l, 1000)).collect();
    lines.join("\n")
}
