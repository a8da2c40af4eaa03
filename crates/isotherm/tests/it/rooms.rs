//! The arrows between rooms and between files: a room imports rooms strictly below it, and no
//! files of one room import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Lowest first; rooms on one line do not import each other.
const FLOORS: &[&[&str]] = &[
    &["error", "monitor"],
    &["linalg"],
    &["data"],
    &["kernel", "spectrum", "neighbours"],
    &["operator"],
    &["feature", "landmark"],
    &["base"],
    &["solve", "task"],
    &["expansion", "nodes", "partial", "picture", "text"],
    &["estimator"],
    &["select", "trust", "query"],
    &["recipe"],
    &["labelling"],
    &["model"],
    &["study", "resources"],
    &["distributed", "embedding"],
    &["view", "methods"],
    &["prelude"],
];

/// The contract checks see all rooms; so do the unit tests.
const EVERYWHERE: &[&str] = &["testing", "unit"];

/// The most files a folder may have.
const MOST_FILES: usize = 20;

/// The most public items at the level of modules: a small face is one that can be learned.
const MOST_PUBLIC: usize = 350;

/// A module by its path below the crate: `["study", "evaluate"]`.
type Module = Vec<String>;

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

/// Every file of the library outside [`EVERYWHERE`], with its code but for comments.
fn sources() -> BTreeMap<Module, String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let mut out = BTreeMap::new();
    for file in files {
        let inside = file.strip_prefix(&src).unwrap().with_extension("");
        let parts = inside.iter().map(|p| p.to_str().unwrap().to_owned());
        let module: Module = parts.filter(|p| p != "mod").collect();
        if module[0] == "lib" || EVERYWHERE.contains(&module[0].as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
        out.insert(module, code.collect::<Vec<_>>().join("\n"));
    }
    out
}

/// The rooms named after `crate::` anywhere.
fn rooms_named(code: &str) -> BTreeSet<String> {
    let name = |after: &str| -> String {
        let letters = after.chars();
        letters
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    code.split("crate::").skip(1).map(name).collect()
}

/// The paths that a tree of `use` names: `a::{b, c::{d, e}}` is `a::b`, `a::c::d`, `a::c::e`.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let words = |text: &str| -> Vec<String> {
        let text = text.split(" as ").next().unwrap_or_default();
        let words = text.split("::").map(str::trim).filter(|w| !w.is_empty());
        words.map(str::to_owned).collect()
    };
    let Some((head, rest)) = tree.split_once('{') else {
        return vec![words(tree)];
    };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[from..]);
    let full = parts.into_iter().filter(|p| !p.trim().is_empty());
    full.flat_map(|part| {
        let head = words(head);
        paths(part)
            .into_iter()
            .map(move |p| [head.clone(), p].concat())
    })
    .collect()
}

/// The files that a file imports, its own parents included.
fn imports(module: &Module, code: &str, all: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let mut out = BTreeSet::new();
    for statement in code.split("use ").skip(1) {
        let Some((tree, _)) = statement.split_once(';') else {
            continue;
        };
        for path in paths(tree) {
            let mut rest = path.as_slice();
            let mut base: Module = match rest.first().map(String::as_str) {
                Some("crate") => Vec::new(),
                Some("self" | "super") => module.clone(),
                _ => continue,
            };
            while let Some(word) = rest
                .first()
                .filter(|w| ["crate", "self", "super"].contains(&w.as_str()))
            {
                if word == "super" {
                    base.pop();
                }
                rest = &rest[1..];
            }
            base.extend_from_slice(rest);
            while !base.is_empty() && !all.contains_key(&base) {
                base.pop();
            }
            if !base.is_empty() && base != *module {
                out.insert(base);
            }
        }
    }
    out
}

#[test]
fn every_arrow_points_down() {
    let mut wrong = Vec::new();
    let mut arrows = 0;
    for (module, code) in sources() {
        let (room, inside) = (&module[0], module.join("/"));
        let Some(own) = floor(room) else {
            wrong.push(format!("{inside}: room {room} has no floor"));
            continue;
        };
        for other in rooms_named(&code) {
            // `crate::Error` and `crate::Result` are the re-exported `error`.
            if other == *room || other == "Error" || other == "Result" {
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

#[test]
fn no_files_of_a_room_import_each_other_in_a_circle() {
    let all = sources();
    let mut arrows: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, code) in &all {
        let own = imports(module, code, &all);
        let inside = own.into_iter().filter(|other| other[0] == module[0]);
        arrows.insert(module.clone(), inside.collect());
    }
    let count: usize = arrows.values().map(BTreeSet::len).sum();
    assert!(
        count > 200,
        "only {count} arrows were found: the reader is broken"
    );
    // Files that import nothing left are taken away until nothing changes.
    loop {
        let done: Vec<Module> = (arrows.iter())
            .filter(|(_, others)| others.iter().all(|o| !arrows.contains_key(o)))
            .map(|(module, _)| module.clone())
            .collect();
        if done.is_empty() {
            break;
        }
        done.iter().for_each(|module| {
            arrows.remove(module);
        });
    }
    let left: Vec<String> = arrows.keys().map(|m| m.join("/")).collect();
    assert!(
        left.is_empty(),
        "files in circles, or above one:\n{}",
        left.join("\n")
    );
}

#[test]
fn no_folder_has_too_many_files() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let mut count: BTreeMap<&Path, usize> = BTreeMap::new();
    for file in &files {
        *count.entry(file.parent().unwrap()).or_default() += 1;
    }
    let full: Vec<_> = count.iter().filter(|(_, n)| **n > MOST_FILES).collect();
    assert!(full.is_empty(), "{full:?}");
}

/// Functions, types, traits and constants that begin a line with `pub`.
fn public_items(text: &str) -> usize {
    let kinds = ["fn", "struct", "enum", "trait", "const", "static", "type"];
    let kind = |line: &str| {
        line.strip_prefix("pub ")?
            .split(' ')
            .next()
            .map(str::to_owned)
    };
    let found = text.lines().filter_map(kind);
    found.filter(|k| kinds.contains(&k.as_str())).count()
}

#[test]
fn the_public_face_stays_small() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let items = |file| public_items(&std::fs::read_to_string(file).unwrap());
    let count: usize = files.iter().map(items).sum();
    assert!(
        (200..=MOST_PUBLIC).contains(&count),
        "{count} public items at the level of modules, at most {MOST_PUBLIC}: \
         make what no other crate needs `pub(crate)`, and test it in tests/unit"
    );
}

#[test]
fn public_items_are_told_from_private_and_nested_ones() {
    let text = "pub fn a() {}\npub(crate) fn b() {}\nimpl A {\n    pub fn c() {}\n}\n\
                pub struct D;\npub use e::F;\npub mod g;\npub const fn h() {}\n";
    assert_eq!(public_items(text), 3);
}

#[test]
fn a_tree_of_imports_is_read_whole() {
    let found = paths("crate::a::{self, b as c, d::{e, f}}");
    let joined: Vec<String> = found.iter().map(|p| p.join("::")).collect();
    assert_eq!(
        joined,
        [
            "crate::a::self",
            "crate::a::b",
            "crate::a::d::e",
            "crate::a::d::f"
        ]
    );
}
