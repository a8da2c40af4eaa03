//! Cells that a spreadsheet would run.

use isotherm_io::formulas::{guard, unguard};
use isotherm_io::{Destination, Formulas, WriteOptions, write_table_with};
use proptest::prelude::*;

use crate::support::{Room, cells, read, table, texts};

#[test]
fn formulas_get_a_quote_and_numbers_do_not() {
    for cell in [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(A1)",
        "\t=x",
        "\r=x",
        "=HYPERLINK(\"http://x\")",
        "-a",
        "+1e",
        "-1e5+A1",
    ] {
        assert_eq!(guard(cell), format!("'{cell}"));
        assert_eq!(unguard(&guard(cell)), cell);
    }
    for cell in [
        "",
        "a",
        "-1",
        "+2.5",
        "-1e-3",
        "-.5",
        "-1,5",
        "-1.234,56",
        "+49 170 12",
        "-3 %",
        "-inf",
        "-",
        "--",
        "a=b",
        " =x",
        "'",
        "'a",
        "'-1",
        "☃",
    ] {
        assert_eq!(guard(cell), cell);
        assert_eq!(unguard(cell), cell);
    }
}

#[test]
fn a_cell_that_looks_guarded_is_guarded_once_more() {
    assert_eq!(guard("'=x"), "''=x");
    assert_eq!(unguard("''=x"), "'=x");
    assert_eq!(unguard("'=x"), "=x");
}

#[test]
fn names_and_cells_are_guarded_in_text_and_come_back() {
    let room = Room::new();
    let data = table(vec![
        texts("=name", &[Some("@bob"), Some("-1"), Some("'=x"), None]),
        texts("b", &[Some("+x"), Some("plain"), Some("-"), Some("=1")]),
    ]);
    let write = |name: &str, formulas| {
        let options = WriteOptions {
            formulas,
            ..WriteOptions::default()
        };
        let path = room.path(name);
        let to = Destination::from(&path);
        write_table_with(&data, &to, &options, &mut isotherm::monitor::Quiet).unwrap();
        path
    };
    let path = write("out.csv", Formulas::Guard);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "'=name,b\n'@bob,'+x\n-1,plain\n''=x,-\n,'=1\n");
    let back = read(&path).unwrap();
    assert_eq!(back.names(), ["=name", "b"]);
    assert_eq!(cells(&back, "b"), cells(&data, "b"));
    let first: Vec<_> = ["@bob", "-1", "'=x", ""].map(|c| Some(c.to_owned())).into();
    assert_eq!(cells(&back, "=name"), first);
    let raw = std::fs::read_to_string(write("raw.csv", Formulas::Raw)).unwrap();
    assert_eq!(raw, "=name,b\n@bob,+x\n-1,plain\n'=x,-\n,=1\n");
    let lines = std::fs::read_to_string(write("out.jsonl", Formulas::Guard)).unwrap();
    assert!(
        lines.starts_with("{\"=name\":\"@bob\",\"b\":\"+x\"}\n"),
        "{lines}"
    );
}

/// What a spreadsheet may run, said without looking at the guard's own rule.
fn may_run(cell: &str) -> bool {
    cell.starts_with(['=', '@', '\t', '\r']) && cell.contains(|c: char| c.is_alphabetic())
}

proptest! {
    #[test]
    fn unguard_gives_back_every_cell(cell in "['=+@\\t\\r\\-a1.,e% ☃]{0,6}|\\PC{0,5}") {
        let guarded = guard(&cell);
        prop_assert_eq!(unguard(&guarded), cell.as_str());
        prop_assert!(!may_run(&guarded), "{:?}", guarded);
        // A second round changes nothing.
        prop_assert_eq!(guard(unguard(&guarded)), guarded.as_ref());
    }
}
