//! Texts as committed files: what a command says, so that a change of words is
//! seen in review. `UPDATE_SNAPSHOTS=1 cargo test -p isotherm-cli` writes them.

use std::path::{Path, PathBuf};

use crate::run::Said;

/// Whether texts are to be written instead of compared.
pub(crate) fn updating() -> bool {
    std::env::var_os("UPDATE_SNAPSHOTS").is_some_and(|v| v == "1")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots")
}

/// Compares a text with the committed one of this name; says how it differs.
pub(crate) fn compare(name: &str, text: &str) -> Result<(), String> {
    let path = folder().join(name);
    if updating() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        return Ok(());
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    if committed == text {
        return Ok(());
    }
    let mut pairs = committed.lines().zip(text.lines());
    let differs = pairs.find(|(old, new)| old != new);
    Err(format!(
        "{name}: {}\n(UPDATE_SNAPSHOTS=1 writes it anew)",
        match differs {
            Some((old, new)) => format!("\n  committed: {old}\n  now:       {new}"),
            None => format!(
                "{} lines committed, {} now",
                committed.lines().count(),
                text.lines().count()
            ),
        }
    ))
}

/// Names of the committed files in a folder of the snapshots.
pub(crate) fn committed(under: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder().join(under)).unwrap();
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What a run said, as people and programs see it.
pub(crate) fn told(command: &str, said: &Said) -> String {
    format!(
        "$ {command}\nexit {}\n{}{}",
        said.code,
        section("stderr", &said.err),
        section("stdout", &said.out)
    )
}

fn section(name: &str, text: &str) -> String {
    // How a solve went is told by the processor's rounding.
    let report = |l: &&str| !l.contains(", residual ") && !l.starts_with("chosen: ");
    let lines: Vec<&str> = text.lines().filter(report).collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("--- {name}\n{}\n", steady(&lines.join("\n")))
    }
}

/// A text without what the machine decides: small numbers such as 3.1e-9,
/// conditions, which are `about` a power of ten, and memory, `about` so many MB.
pub(crate) fn steady(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(steady_line).collect();
    lines.join("\n")
}

fn steady_line(line: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let given: Vec<&str> = line.split(' ').collect();
    for (at, word) in given.iter().enumerate() {
        let number = word.trim_end_matches([',', ':', ';', ')', '"']);
        let size = number.parse::<f64>().map_or(1.0, f64::abs);
        let about = words.last().is_some_and(|w| w == "about");
        let next = given.get(at + 1).map_or("", |w| w.trim_end_matches(','));
        let memory = about && matches!(next, "kB" | "MB" | "GB");
        let small = size < 1e-4 || number.contains("e-");
        let rounding = small || memory || about && number.contains('e');
        words.push(if rounding && size != 1.0 && size != 0.0 {
            word.replacen(number, "#", 1)
        } else {
            (*word).to_owned()
        });
    }
    words.join(" ")
}
