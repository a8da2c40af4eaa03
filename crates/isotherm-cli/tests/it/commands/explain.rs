//! `isotherm explain`, and exit codes as a contract.

use crate::run::Room;

#[test]
fn a_code_is_explained_by_number_or_word_in_any_case() {
    let room = Room::new();
    let page = room.run("explain ISO103").fine(&[]);
    assert!(
        page.out
            .starts_with("ISO103: a cell that is not a usable number\n")
    );
    for name in ["iso103", "103", "cell", "CELL"] {
        assert_eq!(room.run(&format!("explain {name}")).fine(&[]).out, page.out);
    }
    let zeros = room.run("explain 1").fine(&[]).out;
    assert!(zeros.starts_with("ISO001: "), "{zeros}");
    // Code is set apart by spaces, without the marks of Markdown.
    assert!(
        page.out
            .contains("\n    isotherm label data.csv --label y -o out.csv\n")
    );
    assert!(!page.out.contains("```") && !page.out.contains("## "));
}

#[test]
fn every_code_can_be_explained_and_is_listed() {
    let room = Room::new();
    let list = room.run("explain").fine(&[]).out;
    for code in isotherm_codes::ALL {
        let said = room.run(&format!("explain {}", code.id())).fine(&[]);
        assert!(said.out.contains(code.title), "{}", code.id());
        let line = list.lines().find(|l| l.starts_with(&code.id()));
        let line = line.unwrap_or_else(|| panic!("{} is not listed", code.id()));
        assert!(
            line.contains(code.word) && line.contains(code.title),
            "{line}"
        );
    }
    let told = room.run("explain unreached --json").fine(&[]).json();
    assert_eq!(told["code"], "ISO350");
    assert_eq!(told["kind"], "warning");
    assert!(told["page"].as_str().unwrap().starts_with("# ISO350"));
    let all = room.run("explain --json").fine(&[]).json();
    let count = all["codes"].as_array().unwrap().len();
    assert_eq!(count, isotherm_codes::ALL.len());
}

#[test]
fn exit_codes_are_explained_in_one_place() {
    let said = Room::new().run("explain exit-codes").fine(&[]);
    for code in ["| 0 |", "| 1 |", "| 2 |", "| 3 |", "| 130 |"] {
        assert!(said.out.contains(code), "{code} in {}", said.out);
    }
}

#[test]
fn a_code_that_is_none_is_refused_with_the_closest_word() {
    let room = Room::new();
    let code = "error[ISO006]: there is no code";
    for (asked, meant) in [
        ("raged", "did you mean ragged?"),
        ("exitcodes", "did you mean exit-codes?"),
        ("ISO1033", "help: isotherm explain lists all"),
        ("ISO199", "help: isotherm explain lists all"),
        ("xyzzyx", "help: isotherm explain lists all"),
    ] {
        let said = room.run(&format!("explain {asked}"));
        assert_eq!(said.code, 2, "{said:?}");
        assert!(
            said.err.contains(code) && said.err.contains(meant),
            "{said:?}"
        );
    }
}

#[test]
fn strict_finishes_writes_and_ends_with_3_if_there_was_a_warning() {
    let room = Room::with("data.csv", "a,b,y\n1,7,u\n2,7,v\n3,7,\n");
    room.file("fine.csv", "a,y\n1,u\n2,v\n3,\n");
    let said = room.run("label data.csv --label y --strict -o out.csv");
    assert_eq!(said.code, 3, "{said:?}");
    assert!(said.err.contains("warning[ISO150]: "), "{said:?}");
    assert!(
        said.err
            .ends_with("strict: 1 warning, so the exit code is 3\n")
    );
    let strict = room.read("out.csv");
    room.run("label data.csv --label y -f -o out.csv").fine(&[]);
    assert_eq!(room.read("out.csv"), strict);
    // Quiet or not, for a machine or for people.
    let said = room.run("label data.csv --label y --strict -q -f -o out.csv");
    assert_eq!((said.code, said.err.as_str()), (3, ""));
    let said = room.run("label data.csv --label y --strict --json -f -o out.csv");
    assert_eq!(said.code, 3);
    assert_eq!(said.json()["warnings"][0]["name"], "constant-columns");
    // What an answer tells counts, too.
    assert_eq!(room.run("check data.csv --label y --strict").code, 3);
    let said = room.run("check data.csv --label y --strict --json");
    assert_eq!(said.code, 3);
    assert_eq!(said.json()["warnings"][0]["name"], "constant-columns");
    room.run("check data.csv --label y").fine(&[]);
    // Without a warning it changes nothing, and errors stay errors.
    room.run("label fine.csv --label y --strict -o fine.out.csv")
        .fine(&[]);
    assert_eq!(
        room.run("label data.csv --label z --strict -o n.csv").code,
        1
    );
    assert_eq!(
        room.run("label data.csv --strict --labl y -o n.csv").code,
        2
    );
}

#[cfg(target_os = "linux")]
#[test]
fn only_a_terminal_is_told_where_to_read_on() {
    let room = Room::with("data.csv", "a,y\n1,u\nx,v\n3,\n");
    let line = "label data.csv --label y -o out.csv";
    let said = room.run(line);
    assert!(!said.err.contains("more:"), "{said:?}");
    // `script` gives the command a terminal; every Linux has it.
    let shown = room.shell(&format!("script -qec '\"$isotherm\" {line}' /dev/null"));
    assert_eq!(shown.code, 1, "{shown:?}");
    let plain = shown.out.replace("\u{1b}[36m", "").replace("\u{1b}[0m", "");
    assert!(
        plain.contains("  more: isotherm explain ISO103\r\n"),
        "{shown:?}"
    );
    // A dumb terminal, or one that wants none, gets the words without colour.
    for set in ["TERM=dumb", "NO_COLOR=1"] {
        let line = format!("{set} script -qec '\"$isotherm\" {line}' /dev/null");
        let shown = room.shell(&line).out;
        assert!(
            shown.contains("error[ISO103]: ") && !shown.contains('\u{1b}'),
            "{shown:?}"
        );
    }
}
