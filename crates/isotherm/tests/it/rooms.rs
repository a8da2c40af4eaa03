//! The arrows between rooms: a room imports rooms strictly below it.

use std::collections::BTreeSet;
use std::path::Path;

/// Lowest first; rooms on one line do not import each other, except as noted
/// in [`ALLOWED_SIDEWAYS`].
const FLOORS: &[&[&str]] = &[
    &["error", "monitor"],
    &["linalg"],
    &["data"],
    &["kernel", "neighbours", "spectrum"],
    &["operator"],
    &["feature", "landmark"],
    &["base"],
    &["solve", "task"],
    &["model", "partial"],
    &["estimator"],
    &["select", "trust", "query"],
    &["recipe"],
];

/// `monitor` and `error` are for everyone; the contract checks see all rooms.
const EVERYWHERE: &[&str] = &["testing"];

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

fn rust_files(dir: &Path, out: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The rooms named after `crate::` anywhere outside comments.
fn imports(text: &str) -> BTreeSet<String> {
    let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    let mut found = BTreeSet::new();
    for line in code {
        for after in line.split("crate::").skip(1) {
            let name: String = after
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            found.insert(name);
        }
    }
    found
}

#[test]
fn every_arrow_points_down() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let mut wrong = Vec::new();
    let mut arrows = 0;
    for file in files {
        let inside = file
            .strip_prefix(&src)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let room = inside.split(['/', '.']).next().unwrap().to_owned();
        if room == "lib" || EVERYWHERE.contains(&room.as_str()) {
            continue;
        }
        let Some(own) = floor(&room) else {
            wrong.push(format!("{inside}: room {room} has no floor"));
            continue;
        };
        for other in imports(&std::fs::read_to_string(&file).unwrap()) {
            // `crate::Error` and `crate::Result` are the re-exported `error`.
            if other == room || other == "Error" || other == "Result" {
                continue;
            }
            arrows += 1;
            match floor(&other) {
                Some(below) if below < own => {}
                _ => wrong.push(format!("{inside} imports {other}")),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "arrows that do not point down:\n{}",
        wrong.join("\n")
    );
    assert!(
        arrows > 100,
        "only {arrows} arrows were found: the reader is broken"
    );
}
