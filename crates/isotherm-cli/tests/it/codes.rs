//! Every code has an entry, a page and an example that brings it about.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use isotherm_codes::{self as codes, Code, CodeKind};

use crate::run::{Room, Said};
use crate::snapshots::{committed, compare, told, updating};

/// Codes whose page says why it has no example; every other page has one.
const WITHOUT_EXAMPLE: &[u16] = &[
    5, 30, 31, 32, 34, 36, 40, 206, 218, 252, 305, 306, 307, 353, 405, 406, 407, 408, 409, 411,
    413, 414, 415, 416, 451, 504, 605, 606, 901, 902, 999,
];

/// Words whose refusal is gone; a number is never given again.
const RETIRED: &[&str] = &["stdin-text", "edges-header"];

/// Codes whose example uses files that only Linux has: /sys, /dev/full.
const ON_LINUX: &[u16] = &[11, 603];

fn manifest() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(code: &Code) -> String {
    let path = manifest().join(format!("pages/{}.md", code.id()));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn sources(under: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(under).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The sources of the library and of its front ends.
fn texts() -> Vec<(PathBuf, String)> {
    let crates = manifest().parent().unwrap();
    let mut files = Vec::new();
    for name in ["isotherm", "isotherm-io", "isotherm-cli", "isotherm-python"] {
        sources(&crates.join(name).join("src"), &mut files);
    }
    (files.into_iter())
        .map(|f| (f.clone(), std::fs::read_to_string(f).unwrap()))
        .collect()
}

/// The word in quotes that follows `needle` at once, wherever it does.
fn words_after<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(needle).skip(1).filter_map(|after| {
        let word = after.trim_start().strip_prefix('"')?.split('"').next()?;
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        (!word.is_empty() && word.chars().all(kebab)).then_some(word)
    })
}

#[test]
fn numbers_ascend_and_words_are_their_own() {
    let numbers: Vec<u16> = codes::ALL.iter().map(|c| c.number).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    for code in codes::ALL {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(code.word.chars().all(kebab), "{}", code.word);
        assert_eq!(
            codes::find(code.word),
            Some(code),
            "{} is there twice",
            code.word
        );
        assert_eq!(codes::find(&code.id().to_lowercase()), Some(code));
        let low = code.title.chars().next().is_some_and(char::is_lowercase);
        assert!(
            !code.title.ends_with('.') && (low || code.title.starts_with("UTF")),
            "{}",
            code.title
        );
        // Warnings have the upper half of a room, so that both can grow.
        let upper = code.number % 100 >= 50 && code.number < 900;
        assert_eq!(upper, code.kind == CodeKind::Warning, "{}", code.id());
    }
}

#[test]
fn exit_codes_are_those_of_the_contract() {
    let all = [
        CodeKind::Silent,
        CodeKind::Warning,
        CodeKind::Error,
        CodeKind::Usage,
        CodeKind::Stopped,
    ];
    assert_eq!(all.map(CodeKind::exit_code), [0, 0, 1, 2, 130]);
}

#[test]
fn what_is_no_code_is_not_found() {
    for name in ["", "ISO", "ISO1030", "103", "cells", "iso-103"] {
        assert_eq!(codes::find(name), None, "{name}");
    }
}

#[test]
fn every_word_that_is_said_has_an_entry() {
    let mut missing = BTreeSet::new();
    let mut seen = 0;
    for (path, text) in texts() {
        for needle in ["::refused(", ".warn(", "::format_as(", " code: "] {
            for word in words_after(&text, needle) {
                seen += 1;
                if codes::find(word).is_none() {
                    missing.insert(format!("{word} in {}", path.display()));
                }
            }
        }
        // The words of `fn code` and `fn name`: the arms up to the end of the function.
        let named = path.ends_with("isotherm/src/error.rs");
        let heads = ["fn code(", "fn io_code("].into_iter();
        for body in heads
            .chain(named.then_some("fn name("))
            .flat_map(|head| text.split(head).skip(1))
        {
            let body = body.split("\n    }\n").next().unwrap();
            for word in words_after(body, "=> ") {
                seen += 1;
                if codes::find(word).is_none() {
                    missing.insert(format!("{word} in {}", path.display()));
                }
            }
        }
    }
    for refusal in isotherm::Refusal::ALL {
        if codes::find(refusal.name()).is_none() {
            missing.insert(refusal.name().to_owned());
        }
    }
    assert!(missing.is_empty(), "no entry in the table: {missing:#?}");
    assert!(
        seen > 100,
        "only {seen} words were found: is the search broken?"
    );
}

#[test]
fn every_entry_is_said_somewhere() {
    let texts = texts();
    let said = |word: &str| {
        let quoted = format!("\"{word}\"");
        texts.iter().any(|(_, text)| text.contains(&quoted))
    };
    let unsaid: Vec<&str> = (codes::ALL.iter())
        .map(|c| c.word)
        .filter(|w| !said(w) && !RETIRED.contains(w))
        .collect();
    assert_eq!(
        unsaid, ["usage"; 0],
        "these words are nowhere in the sources"
    );
}

#[test]
fn every_entry_has_a_page_and_every_page_an_entry() {
    for code in codes::ALL {
        let text = page(code);
        let heading = format!("# {}: {}\n", code.id(), code.title);
        assert!(text.starts_with(&heading), "{} {heading}", code.id());
        assert!(text.contains(&format!("`{}`", code.word)), "{}", code.id());
        let ends = match code.kind {
            CodeKind::Warning => "with `--strict` the exit code is 3".to_owned(),
            kind => format!("exit code {}.", kind.exit_code()),
        };
        assert!(text.contains(&ends), "{} does not say: {ends}", code.id());
        for part in ["## Why it happens\n", "## Example\n", "## What to do\n"] {
            let body = text.split_once(part).map(|(_, b)| b.trim());
            assert!(body.is_some_and(|b| b.len() > 5), "{} {part}", code.id());
        }
    }
    for entry in std::fs::read_dir(manifest().join("pages")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = name == "index.md" || codes::find(name.trim_end_matches(".md")).is_some();
        assert!(known, "{name} belongs to no code");
    }
}

/// The files and the commands of a page's example.
fn example(page: &str) -> Option<(Vec<(String, String)>, String)> {
    let part = page.split_once("## Example\n")?.1.split("\n## ").next()?;
    let mut files = Vec::new();
    let mut script = None;
    for block in part.split("```").skip(1).step_by(2) {
        let (info, body) = block.split_once('\n')?;
        match info.split_once("title=\"") {
            Some((_, name)) => files.push((name.trim_end_matches('"').to_owned(), body.to_owned())),
            None if info == "sh" => script = Some(body.trim_end().to_owned()),
            None => panic!("a block that is no file and no command: {info}"),
        }
    }
    Some((files, script?))
}

fn played(files: &[(String, String)], script: &str) -> Said {
    let room = Room::new();
    for (name, text) in files {
        room.file(name, text);
    }
    room.shell(&format!("isotherm() {{ \"$isotherm\" \"$@\"; }}\n{script}"))
}

/// The script whose last command answers in JSON, if it could.
fn in_json(script: &str) -> Option<String> {
    let (before, last) = script.rsplit_once('\n').unwrap_or(("", script));
    let busy = last.contains("isotherm check")
        || last.contains("-o -")
        || last.contains('>')
        || last.contains("--json");
    (!busy).then(|| format!("{before}\n{last} --json").trim_start().to_owned())
}

#[test]
fn the_example_of_every_page_brings_its_code_about() {
    let mut wrong = Vec::new();
    let mut shown = Vec::new();
    for code in codes::ALL {
        let id = code.id();
        let Some((files, script)) = example(&page(code)) else {
            let excused = WITHOUT_EXAMPLE.contains(&code.number);
            assert!(excused, "{id} has no example");
            assert!(page(code).contains("None that could be run here:"), "{id}");
            continue;
        };
        assert!(!WITHOUT_EXAMPLE.contains(&code.number), "{id} has one");
        // Why a system forbids to write there differs from one to the next.
        let steady = code.number != 11;
        if steady {
            shown.push(format!("{id}.txt"));
        }
        if cfg!(not(target_os = "linux")) && ON_LINUX.contains(&code.number) {
            continue;
        }
        let said = played(&files, &script);
        let mark = match code.kind {
            CodeKind::Warning => format!("warning[{id}]: "),
            _ => format!("error[{id}]: "),
        };
        if said.code != i32::from(code.kind.exit_code())
            || !(said.err.contains(&mark)
                || said.out.contains(&mark)
                || said.out.contains(&mark.replace("warning", "note")))
        {
            wrong.push(format!("{id} {}: {said:?}", code.word));
            continue;
        }
        let mut text = told(&script, &said);
        if let Some(script) = in_json(&script) {
            let answer = played(&files, &script);
            let found = answer.json();
            let part = match code.kind {
                CodeKind::Warning => &found["warnings"],
                _ => &found["error"],
            };
            let all = part
                .as_array()
                .cloned()
                .unwrap_or_else(|| vec![part.clone()]);
            let named = |p: &serde_json::Value| p["code"] == id && p["name"] == code.word;
            if !all.iter().any(named) {
                wrong.push(format!("{id} in JSON: {answer:?}"));
            }
            let pretty = crate::snapshots::steady(&format!("{part:#}"));
            text.push_str(&format!("--- json\n{pretty}\n"));
        }
        let name = format!("codes/{id}.txt");
        if !steady {
            continue;
        }
        if let Err(differs) = compare(&name, &text) {
            wrong.push(differs);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        committed("codes"),
        shown,
        "snapshots of codes that are gone"
    );
}

#[test]
fn the_index_lists_every_code() {
    let path = manifest().join("pages/index.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (start, end) = ("<!-- codes -->\n", "<!-- end -->");
    let before = text.split_once(start).expect(start).0;
    let mut list = String::from("| code | word | what it says |\n|---|---|---|\n");
    for code in codes::ALL {
        let warning = match code.kind {
            CodeKind::Warning => "warning: ",
            _ => "",
        };
        let (id, word, title) = (code.id(), code.word, code.title);
        list.push_str(&format!(
            "| [{id}]({id}.md) | `{word}` | {warning}{title} |\n"
        ));
    }
    let now = format!("{before}{start}\n{list}\n{end}\n");
    if updating() {
        std::fs::write(&path, &now).unwrap();
    } else {
        assert!(now == text, "UPDATE_SNAPSHOTS=1 writes the list anew");
    }
}
