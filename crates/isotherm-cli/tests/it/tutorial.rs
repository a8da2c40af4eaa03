//! The tutorial, as a reader would follow it: every `sh` block is run, in order, in one
//! directory; every line of a `text` block after it must be among what was printed, in order.

use std::path::Path;

use crate::run::Room;

/// One fenced block: its language, its text, and its line.
struct Block {
    language: String,
    text: String,
    line: usize,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut inside = false;
    for (at, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), inside) {
            (Some(language), false) => {
                out.push(Block {
                    language: language.to_owned(),
                    text: String::new(),
                    line: at + 1,
                });
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => {
                let block = out.last_mut().unwrap();
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!inside, "a block is not closed");
    out
}

#[test]
fn the_tutorial_says_what_happens() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial.md");
    let page = std::fs::read_to_string(page).unwrap();
    let room = Room::new();
    let binary = Path::new(env!("CARGO_BIN_EXE_isotherm")).parent().unwrap();
    let mut printed = String::new();
    let (mut ran, mut compared) = (0, 0);
    for block in blocks(&page) {
        match block.language.as_str() {
            "sh" => {
                let path = format!("PATH={}:$PATH; export PATH", binary.display());
                let said = room.shell(&format!("exec 2>&1; set -e; {path}; {}", block.text));
                assert_eq!(said.code, 0, "line {}: {said:?}", block.line);
                printed = said.out;
                ran += 1;
            }
            "text" => {
                let mut lines = printed.lines().map(str::trim_end);
                for wanted in block.text.lines().filter(|l| l.trim() != "…") {
                    assert!(
                        lines.any(|l| l == wanted.trim_end()),
                        "line {}: {wanted:?} is not (or not there) in\n{printed}",
                        block.line
                    );
                    compared += 1;
                }
            }
            other => panic!("line {}: a block of {other:?}", block.line),
        }
    }
    assert!(ran >= 8 && compared >= 8, "{ran} blocks, {compared} lines");
}
