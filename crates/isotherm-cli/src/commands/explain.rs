//! `isotherm explain`: what a code means, from the page in the binary.

use isotherm_codes::{self as table, Code, CodeKind};
use isotherm_io::closest_name;
use serde_json::{Value, json};

use crate::args::Explain;
use crate::codes::{INDEX, page, section, shown};
use crate::console::{Console, print};
use crate::failure::{Failure, Outcome};

/// The word for the page on exit codes.
const EXIT_CODES: &str = "exit-codes";

pub(crate) fn run(args: &Explain, console: &Console) -> Outcome<()> {
    let Some(asked) = args.code.as_deref() else {
        return list(console);
    };
    let name = asked.trim();
    if name.eq_ignore_ascii_case(EXIT_CODES) {
        let text = section(INDEX, "Exit codes");
        return if console.json() {
            console.answer(json!({ "name": EXIT_CODES, "page": text }))
        } else {
            print(&format!("Exit codes\n\n{}", shown(text)))
        };
    }
    let number = name
        .trim_start_matches(['[', 'E', 'e'])
        .trim_end_matches(']');
    let digits = number.chars().all(|c| c.is_ascii_digit()) && !number.is_empty();
    let found = if digits {
        table::find(&format!("ISO{number:0>3}"))
    } else {
        table::find(name)
    };
    let Some(code) = found else {
        return Err(unknown(asked));
    };
    let text = page(code).unwrap_or(code.title);
    if console.json() {
        let mut value = told(code);
        value["page"] = text.into();
        console.answer(value)
    } else {
        print(&shown(text))
    }
}

/// All codes, a line each.
fn list(console: &Console) -> Outcome<()> {
    if console.json() {
        let all: Vec<Value> = table::ALL.iter().map(told).collect();
        return console.answer(json!({ "codes": all }));
    }
    let widest = table::ALL.iter().map(|c| c.word.len()).max().unwrap_or(0);
    for code in table::ALL {
        let warning = match code.kind {
            CodeKind::Warning => "warning: ",
            _ => "",
        };
        let word = code.word;
        print(&format!(
            "{}  {word:widest$}  {warning}{}",
            code.id(),
            code.title
        ))?;
    }
    Ok(())
}

fn told(code: &Code) -> Value {
    json!({
        "code": code.id(),
        "name": code.word,
        "kind": code.kind.name(),
        "title": code.title,
        "exit": code.kind.exit_code(),
    })
}

fn unknown(asked: &str) -> Failure {
    // Numbers are not guessed: one that differs in a digit is another problem.
    let words = table::ALL.iter().map(|c| c.word).chain([EXIT_CODES]);
    let hint = match closest_name(asked, words) {
        Some(name) => format!("did you mean {name}? isotherm explain lists all"),
        None => "isotherm explain lists all".to_owned(),
    };
    Failure::refused(
        "unknown-code",
        format!("there is no code \"{asked}\""),
        hint,
    )
}
