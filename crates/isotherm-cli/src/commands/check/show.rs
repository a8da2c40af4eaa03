//! What `check` prints.

use isotherm::error::bytes;
use isotherm::recipe::Recipe;
use isotherm::resources::Wait;
use isotherm_io::{Table, quoted};
use serde_json::json;

use super::columns;
use super::findings::{Findings, Weight};
use crate::args::Check;
use crate::console::{Console, count, number, plain, print};
use crate::failure::Outcome;

/// What `label` would do.
pub(super) struct LabelRun {
    pub(super) recipe: Recipe,
    pub(super) told: String,
    pub(super) memory: u64,
    pub(super) wait: Wait,
}

/// Prints everything, for people or machines.
pub(super) fn show(
    args: &Check,
    table: &Table,
    found: &Findings,
    plan: Option<&LabelRun>,
    console: &Console,
) -> Outcome<()> {
    let next = next_command(args, found, console);
    let warnings = (found.sorted().into_iter()).filter(|f| f.weight == Weight::Warning);
    warnings.for_each(|f| console.count_warning(f.code, &f.message, f.hint.as_deref()));
    if console.json() {
        return answer(table, found, plan, &next, console);
    }
    let mut lines = vec![format!(
        "{}: {}, {}{}",
        table.origin().path.display(),
        count(table.rows(), "row", "rows"),
        count(table.columns().len(), "column", "columns"),
        match &table.origin().dialect {
            Some(dialect) => format!(", {dialect}"),
            None => String::new(),
        }
    )];
    lines.extend(columns::lines(&found.columns));
    for (what, text) in &found.facts {
        lines.push(format!("{what}: {text}"));
    }
    for finding in found.sorted() {
        let word = match finding.weight {
            Weight::Error => "error",
            Weight::Warning => "warning",
            Weight::Note => "note",
        };
        let code = number(finding.code);
        lines.push(format!("{word}[{code}]: {}", finding.message));
        if let Some(hint) = &finding.hint {
            lines.push(format!("  help: {hint}"));
        }
    }
    if let Some(plan) = plan {
        let word = if found.hopeless() {
            "label would then"
        } else {
            "label would"
        };
        lines.push(format!("{word}: {}; {}", plan.told, plan.wait.name()));
    }
    lines.push(format!("next: {next}"));
    let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
    print(&lines.join("\n"))
}

fn answer(
    table: &Table,
    found: &Findings,
    plan: Option<&LabelRun>,
    next: &str,
    console: &Console,
) -> Outcome<()> {
    let columns = found.columns.iter().map(columns::value);
    let mut value = serde_json::Value::Object(found.values.clone());
    value["rows"] = table.rows().into();
    value["columns"] = columns.collect();
    let problems = found.sorted().into_iter().map(|finding| {
        let mut told = json!(finding);
        told["code"] = number(finding.code).into();
        told
    });
    value["problems"] = problems.collect();
    value["works"] = (!found.hopeless()).into();
    value["next"] = next.into();
    value["dialect"] = json!(table.origin().dialect.map(|d| d.to_string()));
    value["plan"] = json!(plan.map(|plan| json!({
        "recipe": plan.recipe, "told": plan.told, "memory": plan.memory,
        "memory_told": bytes(plan.memory), "wait": plan.wait,
    })));
    console.answer(value)
}

/// Flags that say how `check` speaks, and nothing of what it looks at.
const SPEECH: [&str; 8] = [
    "--json",
    "-q",
    "--quiet",
    "-v",
    "-vv",
    "--verbose",
    "--strict",
    "--no-progress",
];

/// What to type next: the words that were typed, for the next command.
fn next_command(args: &Check, found: &Findings, console: &Console) -> String {
    let words = console.record().words();
    let end = words.iter().position(|w| w == "--").unwrap_or(words.len());
    let (flags, rest) = words.split_at(end);
    let line = |command: &str, more: &[&str]| {
        let said = flags.iter().filter(|w| !SPEECH.contains(&w.as_str()));
        let mut named = false;
        let said = said.map(|word| {
            if word == "check" && !named {
                // No flag that may stand before the command has such a value.
                named = true;
                command.to_owned()
            } else {
                quoted(word)
            }
        });
        let more = more.iter().map(|word| (*word).to_owned());
        let rest = rest.iter().map(|word| quoted(word));
        let words: Vec<String> = said.chain(more).chain(rest).collect();
        format!("isotherm {}", words.join(" "))
    };
    match (args.data.label.is_empty(), found.hopeless()) {
        (true, _) => line("check", &["--label", "COLUMN"]),
        (false, true) => format!("mend the table, then {}", line("check", &[])),
        (false, false) => line("label", &["-o", "labelled.csv"]),
    }
}
